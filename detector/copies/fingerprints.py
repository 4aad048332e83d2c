"""32-bit Rabin fingerprints of stretches of letters, by the thousand.

A stretch is a polynomial whose coefficients are its letters, and its fingerprint the value of that polynomial
at a fixed point (Rabin and Karp; the paper's section 5.1 names Rabin's). Running sums over all letters give
the value of any stretch by two look-ups, so that overlapping stretches cost nothing extra; a CRC, which is
Rabin's fingerprint over GF(2), would have to read each stretch anew. Arithmetic is modulo 2^64 and the upper
half is kept, because the lower bits of such a value mix badly. Whoever knows the point can make two texts
collide; passages are therefore compared letter by letter before they are reported.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from ruiji.features.arrays import GOLDEN_RATIO, IndexArray

HashArray = npt.NDArray[np.uint32]
Fingerprint = Callable[[npt.NDArray[np.uint32], IndexArray, IndexArray], HashArray]

BORDER = (
    0xFFFFFFFF  # stands between stretches that do not follow each other; no stretch has it as fingerprint
)
# Of the six bits that an index keeps beside a position: whether the segment is a chunk; the others are of its
# length
CHUNK_MARK = 32
POINT = GOLDEN_RATIO  # odd, so that powers have inverses
_INVERSE = pow(POINT, -1, 1 << 64)
_MIXING = np.uint64(0xD6E8FEB86659FD93)  # odd; of Ettinger's mixers
_LEAST_POWERS = (
    18  # a quarter of a million letters, the logarithm of it; longer batches are rare and make their own
)


def rabin(letters: npt.NDArray[np.uint32], start: IndexArray, end: IndexArray) -> HashArray:
    """The fingerprints of the stretches from ``start`` to before ``end``."""
    powers, inverses = _powers(1 << max(len(letters).bit_length(), _LEAST_POWERS))
    sums = np.zeros(len(letters) + 1, dtype=np.uint64)
    np.cumsum((letters + np.uint64(1)) * powers[: len(letters)], out=sums[1:])
    value = (sums[end] - sums[start]) * inverses[start]
    value = (((value ^ (value >> np.uint64(29))) * _MIXING) >> np.uint64(32)).astype(np.uint32)
    found: HashArray = np.minimum(value, np.uint32(BORDER - 1))
    return found


def places_only(letters: npt.NDArray[np.uint32], start: IndexArray, end: IndexArray) -> HashArray:
    """No fingerprints, for a digest of which only the places are wanted."""
    return np.zeros(len(start), dtype=np.uint32)


@lru_cache(maxsize=2)
def _powers(count: int) -> tuple[npt.NDArray[np.uint64], npt.NDArray[np.uint64]]:
    """The powers of the point and of its inverse, from 0."""
    tables = []
    for base in (POINT, _INVERSE):
        table = np.full(count, base, dtype=np.uint64)
        table[0] = 1
        tables.append(np.cumprod(table, dtype=np.uint64))
    return tables[0], tables[1]
