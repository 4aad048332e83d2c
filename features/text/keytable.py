"""Numbers to be found among many others: the keys of known words, most of which a page does not have."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ruiji.features.arrays import KeyArray, golden_hash

_SPARSE = 16  # places for each key, so that one of sixteen other numbers at most needs a search


@dataclass(frozen=True, slots=True, eq=False)
class KeyTable:
    """Keys in order, and which of the upper bits of their hashes occur: a look at those saves most
    searches.
    """

    keys: KeyArray
    order: npt.NDArray[np.int32]  # the place that each had before
    possible: npt.NDArray[np.bool_]
    shift: np.uint64

    def find(self, numbers: KeyArray) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.int32]]:
        """Which of the numbers are keys, and the place that each of these keys had in the sequence that the
        table was made of.
        """
        some = np.flatnonzero(self.possible[golden_hash(numbers) >> self.shift])
        place = np.minimum(self.keys.searchsorted(numbers[some]), len(self.keys) - 1)
        known = self.keys[place] == numbers[some]
        return some[known], self.order[place[known]]


def key_table(keys: Sequence[int] | KeyArray) -> KeyTable:
    """The table of different keys. There must be one at least."""
    given = np.array(keys, dtype=np.uint64)
    order = given.argsort().astype(np.int32)
    shift = np.uint64(64 - (len(given) * _SPARSE).bit_length())
    possible = np.zeros(1 << int(64 - shift), dtype=bool)
    possible[golden_hash(given) >> shift] = True
    return KeyTable(given[order], order, possible, shift)
