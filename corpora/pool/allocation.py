"""How a worker gets and gives back memory, where the C library lets itself be told (glibc)."""

from __future__ import annotations

import ctypes
import sys

# malloc.h of glibc
TRIM_THRESHOLD, MMAP_THRESHOLD = -1, -3
# Bytes at the end of the heap that are kept when they are free, twice what a batch takes; and the size from
# which a piece is got from the system and given back alone, the most that glibc takes.
KEPT_BYTES, ALONE_BYTES = 64 << 20, 32 << 20


def keep_freed_memory() -> None:
    """What this process frees, it keeps for the next page, up to KEPT_BYTES.

    Else the parser's tree and the arrays of each page are got from the system and given back, which clears
    each page of memory anew: 9 % of the time of parsing and walking (decision 121).
    """
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None) if sys.platform == "linux" else None
    if mallopt is not None:  # another C library than glibc may have none
        mallopt(TRIM_THRESHOLD, KEPT_BYTES)
        mallopt(MMAP_THRESHOLD, ALONE_BYTES)
