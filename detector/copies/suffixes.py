"""The searchable part of a copy index: a suffix array whose unit is a fingerprint (the paper's section 5.2),
opened by a table.

Four arrays, about 8.5 to 9 bytes a segment:

- ``digest`` the fingerprints of all sources, one after another, with BORDER where the next does not follow;
- ``order`` the positions in it, sorted by what stands from there to the next border; a position takes 26
  bits, and the other 6 hold the segment's marks (its length modulo 32, and whether it is a chunk), so that
  most chance hits are dropped without a look at the digest;
- ``table`` for each value of a fingerprint's upper bits where its positions begin in ``order``: 4 to 8
  positions a value;
- ``chunks`` a bit for each value of more or fewer upper bits: whether any chunk has it. Queries have many
  chunks and sources few, and this keeps most of them from the other arrays.

Every query is answered for many segments at once.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ruiji.detector.copies.fingerprints import BORDER, CHUNK_MARK, HashArray
from ruiji.features.arrays import BoolArray, LongArray

POSITION_BITS = 26
MAX_POSITIONS = 1 << POSITION_BITS  # 67 million: 2.6 million documents of 25 segments
_POSITION = np.uint32(MAX_POSITIONS - 1)
_MARKS = 63
# Positions a value of the table, at least; below twice that. Fewer would be faster and take more than 240
# bytes
_FEWEST_IN_BUCKET = 4
_PIECE = 1 << 22
_LOOKED_UP = 4096  # segments at once: the arrays of their buckets stay in the processor's cache
_SCANNED = (
    64  # positions under one value of the table that are looked at one by one; more are searched by halving
)


@dataclass(frozen=True, slots=True, eq=False)
class Suffixes:
    """The four arrays, in memory or mapped from a file."""

    digest: HashArray
    order: npt.NDArray[np.uint32]
    table: npt.NDArray[np.uint32]
    chunks: npt.NDArray[np.uint8]

    def __len__(self) -> int:
        return len(self.order)

    def marks(self) -> npt.NDArray[np.uint8]:
        """The marks of the segment at each position, 0 at borders."""
        found = np.zeros(len(self.digest), dtype=np.uint8)
        found[self.order & _POSITION] = self.order >> POSITION_BITS
        return found


@dataclass(frozen=True, slots=True, eq=False)
class Found:
    """Which segments of a query are in the index: number of the segment, and its stretch of the order."""

    segment: LongArray
    low: LongArray
    high: LongArray


def sort_suffixes(digest: HashArray, marks: npt.NDArray[np.uint8]) -> Suffixes:
    """The index of a digest; ``marks`` are those of the segment at each position. Ties end at the border,
    then by position.

    Prefix doubling (Manber and Myers 1990) on the groups that are not yet apart: few, since most sentences
    occur once.
    """
    if len(digest) > MAX_POSITIONS:
        raise ValueError(f"a part of an index holds at most {MAX_POSITIONS} positions, not {len(digest)}")
    keys = _keys(digest)
    keys.sort()
    order = keys.astype(np.uint32)  # the lower half
    keys >>= np.uint64(32)
    sorted_digest = keys.astype(np.uint32)
    del keys
    table = _table(sorted_digest)
    new = np.ones(len(order), dtype=bool)
    new[1:] = sorted_digest[1:] != sorted_digest[:-1]
    del sorted_digest
    _untie(digest, order, new)
    chunks = _chunks(digest[(marks & CHUNK_MARK) != 0])
    return Suffixes(
        digest,
        order | ((marks[order] & np.uint8(_MARKS)).astype(np.uint32) << np.uint32(POSITION_BITS)),
        table,
        chunks,
    )


def _chunks(fingerprint: HashArray) -> npt.NDArray[np.uint8]:
    """A bit for each value of the upper bits, 4 to 8 a chunk."""
    if not len(fingerprint):
        return np.zeros(0, dtype=np.uint8)
    bits = (4 * len(fingerprint) - 1).bit_length()
    return np.packbits(
        np.bincount(fingerprint >> np.uint32(32 - bits), minlength=1 << bits) > 0, bitorder="little"
    )


def _keys(digest: HashArray) -> npt.NDArray[np.uint64]:
    """Fingerprint and position of each segment as one number; made piece by piece, since it is the largest
    array there is.
    """
    keys = np.empty(int((digest != BORDER).sum()), dtype=np.uint64)
    done = 0
    for start in range(0, len(digest), _PIECE):
        units = np.flatnonzero(digest[start : start + _PIECE] != BORDER) + start
        keys[done : done + len(units)] = (digest[units].astype(np.uint64) << np.uint64(32)) | units.astype(
            np.uint64
        )
        done += len(units)
    return keys


def _table(sorted_digest: HashArray) -> npt.NDArray[np.uint32]:
    bits = max((len(sorted_digest) // _FEWEST_IN_BUCKET).bit_length() - 1, 0)
    borders = (np.arange(1 << bits, dtype=np.uint64) << np.uint64(32 - bits)).astype(np.uint32)
    return np.append(sorted_digest.searchsorted(borders), len(sorted_digest)).astype(np.uint32)


def _untie(digest: HashArray, order: npt.NDArray[np.uint32], new: BoolArray) -> None:
    """Brings the positions of each group (from one ``new`` to the next) into the order of what follows
    them.
    """
    tied = _tied(new)
    if not len(tied):
        return
    rank = np.empty(len(digest), dtype=np.uint32)
    rank[digest == BORDER] = np.arange(
        len(order), len(digest), dtype=np.uint32
    )  # each border is its own, and after everything
    rank[order] = np.maximum.accumulate(np.where(new, np.arange(len(order), dtype=np.uint32), np.uint32(0)))
    reach = 1
    while len(tied):
        positions = order[tied]
        group = rank[positions]
        keys = (group.astype(np.uint64) << np.uint64(32)) | rank[positions.astype(np.int64) + reach]
        sorting = np.argsort(keys, kind="stable")
        keys, positions = keys[sorting], positions[sorting]
        order[tied] = positions
        fresh = np.ones(len(tied), dtype=bool)
        fresh[1:] = keys[1:] != keys[:-1]
        rank[positions] = np.maximum.accumulate(np.where(fresh, tied, 0)).astype(np.uint32)
        lone = fresh & np.append(fresh[1:], True)
        tied = tied[~lone]
        reach *= 2


def _tied(new: BoolArray) -> LongArray:
    """The places of the order whose group has more than one."""
    lone = new & np.append(new[1:], True)
    return np.flatnonzero(~lone)


def look_up(index: Suffixes, fingerprint: HashArray, marks: npt.NDArray[np.uint8]) -> Found:
    """The segments that occur, each with all its occurrences (also those with other marks, where one has the
    right ones).
    """
    wanted = _possible(index, fingerprint, marks)
    fingerprint, marks = fingerprint[wanted], marks[wanted] & np.uint8(_MARKS)
    nothing = np.zeros(0, dtype=np.int64)
    if not len(index) or not len(wanted):
        return Found(nothing, nothing, nothing)
    bits = (len(index.table) - 1).bit_length() - 1
    bucket = (
        (fingerprint >> np.uint32(32 - bits)).astype(np.int64)
        if bits
        else np.zeros(len(fingerprint), dtype=np.int64)
    )
    low, high = index.table[bucket].astype(np.int32), index.table[bucket + 1].astype(np.int32)
    many = np.flatnonzero(high - low > _SCANNED)
    first, last = _narrowed(
        index, low[many].astype(np.int64), high[many].astype(np.int64), fingerprint[many], 0
    )
    there = last > first
    found: list[tuple[npt.NDArray[np.integer], ...]] = [(many[there], first[there], last[there])]
    high[many] = low[many]
    for start in range(0, len(fingerprint), _LOOKED_UP):
        chosen = slice(start, start + _LOOKED_UP)
        number, at = _scanned(index, low[chosen], high[chosen], fingerprint[chosen], marks[chosen])
        new = np.ones(len(number) + 1, dtype=bool)
        new[1:-1] = number[1:] != number[:-1]
        borders = np.flatnonzero(new)
        found.append((number[borders[:-1]] + start, at[borders[:-1]], at[borders[1:] - 1] + 1))
    segment, low_, high_ = (np.concatenate(column).astype(np.int64) for column in zip(*found, strict=True))
    order = np.argsort(segment, kind="stable")
    return Found(wanted[segment[order]], low_[order], high_[order])


def _possible(index: Suffixes, fingerprint: HashArray, marks: npt.NDArray[np.uint8]) -> LongArray:
    """The segments that may be in the index: all but chunks of which no chunk there has the upper bits."""
    chunk = (marks & CHUNK_MARK) != 0
    if not len(index.chunks):
        return np.flatnonzero(~chunk)
    bits = (8 * len(index.chunks) - 1).bit_length()
    value = fingerprint >> np.uint32(32 - bits)
    there = (index.chunks[value >> np.uint32(3)] >> (value & np.uint32(7)).astype(np.uint8)) & np.uint8(1)
    return np.flatnonzero(~chunk | (there != 0))


def _scanned(
    index: Suffixes,
    low: npt.NDArray[np.int32],
    high: npt.NDArray[np.int32],
    fingerprint: HashArray,
    marks: npt.NDArray[np.uint8],
) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int32]]:
    """Number of the segment and place in the order of each occurrence, by a look at all places from low to
    high.
    """
    count = high - low
    segment = np.repeat(np.arange(len(count), dtype=np.int32), count)
    at = np.arange(len(segment), dtype=np.int32) + (low - (np.cumsum(count, dtype=np.int32) - count))[segment]
    entries = index.order[at]
    near = np.flatnonzero((entries >> np.uint32(POSITION_BITS)).astype(np.uint8) == marks[segment])
    near = near[index.digest[entries[near] & _POSITION] == fingerprint[segment[near]]]
    return segment[near], at[near]


def _narrowed(
    index: Suffixes, low: LongArray, high: LongArray, wanted: HashArray, depth: int
) -> tuple[LongArray, LongArray]:
    """The stretch of the order, within another whose suffixes agree so far, that has the wanted fingerprint
    ``depth`` segments on.
    """
    both = np.tile(np.arange(len(low)), 2)  # the left ends, then the right ones
    right = np.arange(len(both)) >= len(low)
    first, last = low[both], high[both]
    going = np.flatnonzero(first < last)
    while len(going):
        middle = (first[going] + last[going]) >> 1
        value = index.digest[(index.order[middle] & _POSITION).astype(np.int64) + depth]
        sought = wanted[both[going]]
        before = (value < sought) | (right[going] & (value == sought))
        first[going[before]] = middle[before] + 1
        last[going[~before]] = middle[~before]
        going = going[first[going] < last[going]]
    return first[: len(low)], first[len(low) :]


def prolong(
    index: Suffixes,
    fingerprint: HashArray,
    follows: BoolArray,
    found: Found,
    enough: int = 0,
    deepest: int = MAX_POSITIONS,
) -> tuple[npt.NDArray[np.int64], LongArray, LongArray]:
    """The longest match from each segment that was found: its number of segments, and its stretch of the
    order.

    A match grows only while it has more than ``enough`` occurrences and fewer than ``deepest`` segments; by
    default it is the longest.
    """
    depth = np.ones(len(found.segment), dtype=np.int64)
    low, high = found.low.copy(), found.high.copy()
    known = np.zeros(len(fingerprint), dtype=bool)
    known[found.segment] = True  # what does not occur prolongs nothing
    going = np.arange(len(depth))
    while len(going):
        following = found.segment[going] + depth[going]
        inside = (
            (following < len(fingerprint)) & (high[going] - low[going] > enough) & (depth[going] < deepest)
        )
        going, following = going[inside], following[inside]
        goes_on = follows[following] & known[following]
        going, following = going[goes_on], following[goes_on]
        if not len(going):
            break
        at = int(depth[going[0]])  # all that still go on are equally deep
        first, last = _narrowed(index, low[going], high[going], fingerprint[following], at)
        longer = last > first
        going = going[longer]
        low[going], high[going] = first[longer], last[longer]
        depth[going] += 1
    return depth, low, high
