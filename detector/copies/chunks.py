"""Chunks of a text: stretches of letters whose borders depend on the letters alone, wherever its lines
end.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from ruiji.detector.copies.folding import Folded
from ruiji.features.arrays import BoolArray, IntArray

# a chunk's border has the highest mark within so many letters on both sides: chunks have 6 letters or more,
# 11 on average
CHUNK_REACH = 5


def chunk_starts(folded: Folded) -> IntArray:
    """Letters before which a chunk begins, wherever the text is broken: those with the highest mark around.

    The mark of a place is a hash of the three letters from there on.
    """
    letters = folded.letters
    if len(letters) < 3:
        return np.zeros(0, dtype=np.int32)
    mark = letters[:-2] * np.uint32(0x9E3779B1)
    mark += letters[1:-1] * np.uint32(0x85EBCA77)
    mark += letters[2:] * np.uint32(0xC2B2AE3D)
    mark ^= mark >> np.uint32(15)
    mark *= np.uint32(0x2C1B3C6D)
    padded = np.zeros(len(mark) + 2 * CHUNK_REACH, dtype=np.uint32)
    padded[CHUNK_REACH:-CHUNK_REACH] = mark
    two = np.maximum(padded[:-1], padded[1:])
    four = np.maximum(two[:-2], two[2:])
    five = np.maximum(four[:-1], padded[4:])  # the highest of five from each place
    before, after = five[: len(mark)], five[CHUNK_REACH + 1 : CHUNK_REACH + 1 + len(mark)]
    highest = (mark > before) & (mark >= after)
    _mend_at_ends(highest, padded, folded.rank[folded.text_start])
    return np.flatnonzero(highest).astype(np.int32)


def _mend_at_ends(highest: BoolArray, padded: npt.NDArray[np.uint32], ends: IntArray) -> None:
    """Decides again about the places near the ends of a text, without a look at its neighbours: a text has
    its chunks in any batch.
    """
    near = (np.unique(ends)[:, None] + np.arange(-CHUNK_REACH - 2, CHUNK_REACH)).ravel()
    near = near[(near >= 0) & (near < len(highest))]
    text = ends.searchsorted(near, side="right")
    around = near[:, None] + np.arange(-CHUNK_REACH, CHUNK_REACH + 1)
    mine = (around >= ends[text - 1][:, None]) & (
        around < ends[text][:, None] - 2
    )  # a mark takes three letters
    marks = np.where(mine, padded[around + CHUNK_REACH], 0)
    own = marks[:, CHUNK_REACH]
    highest[near] = (own > marks[:, :CHUNK_REACH].max(axis=1)) & (
        own >= marks[:, CHUNK_REACH + 1 :].max(axis=1)
    )


def chunks_between(cuts: IntArray, start: IntArray, end: IntArray) -> tuple[IntArray, IntArray, BoolArray]:
    """The chunks between cuts inside the stretches from ``start`` to ``end``, and whether each follows the
    one before.
    """
    if not len(start):
        nothing = np.zeros(0, dtype=np.int32)
        return nothing, nothing, np.zeros(0, dtype=bool)
    low, high = cuts.searchsorted(start, side="right"), cuts.searchsorted(end, side="left")
    count = np.maximum(high - low, 0)
    first = np.repeat(np.cumsum(count + 1) - (count + 1), count)
    begin = np.repeat(start, count + 1)
    inner = np.arange(count.sum()) - np.repeat(np.cumsum(count) - count, count)
    begin[first + inner + 1] = cuts[np.repeat(low, count) + inner]
    finish = np.empty_like(begin)
    finish[:-1] = begin[1:]
    finish[np.cumsum(count + 1) - 1] = end
    follows = np.ones(len(begin), dtype=bool)
    follows[np.cumsum(count + 1) - (count + 1)] = False
    return begin.astype(np.int32), finish.astype(np.int32), follows
