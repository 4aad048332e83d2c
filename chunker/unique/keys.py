"""Numbers that stand for texts, and what comparing pages of a site has in common with block uniqueness.

Imports next to nothing, since every command that extracts needs it.
"""

from __future__ import annotations

import hashlib
from functools import lru_cache

import numpy as np

from ruiji.features.arrays import GOLDEN_RATIO, KeyArray

HEADINGS = frozenset(("h1", "h2", "h3", "h4", "h5", "h6"))
MOST_CHARS = 0.8  # of a block that must be on other pages for the block to be; our measurement
SHORT, REMEMBERED = 256, 1 << 15  # characters of texts, and how many, whose numbers are remembered
_SECOND = 0xD6E8FEB86659FD93
_FULL = (1 << 64) - 1


def key_of(text: str) -> int:
    """A 64-bit number that stands for a text; the lowest bit is 0."""
    return _short_key(text) if len(text) <= SHORT else _key(text)


def _key(text: str) -> int:
    digest = hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest, "little") & ~1


_short_key = lru_cache(maxsize=REMEMBERED)(_key)


def mixed(first: int, second: int) -> int:
    """A number that stands for two, in this order."""
    number = (first * GOLDEN_RATIO + second) & _FULL
    number = ((number ^ (number >> 32)) * _SECOND) & _FULL
    return number ^ (number >> 32)


def mixed_keys(first: KeyArray | int, second: KeyArray) -> KeyArray:
    """The same for columns of numbers."""
    start = np.asarray(first, dtype=np.uint64)
    with np.errstate(over="ignore"):
        keys = start * np.uint64(GOLDEN_RATIO) + second
        keys = (keys ^ (keys >> np.uint64(32))) * np.uint64(_SECOND)
    keys_of_pairs = keys ^ (keys >> np.uint64(32))
    return keys_of_pairs.astype(np.uint64)
