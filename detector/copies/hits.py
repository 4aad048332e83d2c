"""Which segments of query texts stand where in a part of an index, and the runs they make."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ruiji.detector.copies.digest import Digest
from ruiji.detector.copies.part import IndexPart
from ruiji.detector.copies.suffixes import MAX_POSITIONS, look_up, prolong
from ruiji.features.arrays import BoolArray, LongArray

# Occurrences of a segment that are all followed up. A segment with more says too little by itself; it counts
# as a member of a longer match.
FOLLOWED = 32
# Segments of such a longer match: enough to tell sources apart, and a page of one line a thousand times is no
# trap
DEEPEST = 64


@dataclass(frozen=True, slots=True, eq=False)
class Hits:
    """Pairs of a query segment and a position of the part, sorted, none twice; ``occurrences`` of every query
    segment in the part.
    """

    segment: LongArray
    position: LongArray
    occurrences: LongArray


def hits(part: IndexPart, query: Digest, followed: int = FOLLOWED) -> Hits:
    """All hits of segments with at most ``followed`` occurrences, and of the longest match from each of the
    others.
    """
    found = look_up(part.suffixes, query.fingerprint, query.marks())
    occurrences = np.zeros(len(query), dtype=np.int64)
    occurrences[found.segment] = found.high - found.low
    depth, low, high = prolong(part.suffixes, query.fingerprint, query.follows, found, followed, DEEPEST)
    count = np.minimum(high - low, followed)
    count[(high - low > followed) & (depth == 1)] = 0
    count[_covered(found.segment, (high - low > followed) & (depth == DEEPEST))] = 0
    segment = np.repeat(found.segment, count)
    at = np.arange(len(segment)) - np.repeat(np.cumsum(count) - count, count) + np.repeat(low, count)
    position = (part.suffixes.order[at] & np.uint32(MAX_POSITIONS - 1)).astype(np.int64)
    depth = np.repeat(depth, count)
    if (depth > 1).any():
        segment, position = _members(segment, position, depth)
    return Hits(segment, position, occurrences)


def _covered(segment: LongArray, endless: BoolArray) -> BoolArray:
    """Which of the matches that are as deep as any and still occur too often are left out: of those that
    begin at neighbouring segments each DEEPEST-th has the segments of all.

    A page of one line twenty thousand times would else have a thousand members a line.
    """
    begins = endless.copy()
    begins[1:] &= ~endless[:-1] | (np.diff(segment) != 1)
    place = np.arange(len(segment))
    first = np.maximum.accumulate(np.where(begins, place, 0))
    covered: BoolArray = endless & ((place - first) % DEEPEST != 0)
    return covered


def _members(segment: LongArray, position: LongArray, depth: LongArray) -> tuple[LongArray, LongArray]:
    """Every pair of the matches of so many segments, once."""
    step = np.arange(depth.sum()) - np.repeat(np.cumsum(depth) - depth, depth)
    return _distinct(np.repeat(segment, depth) + step, np.repeat(position, depth) + step)


def _distinct(segment: LongArray, position: LongArray) -> tuple[LongArray, LongArray]:
    keys = np.unique((segment << 32) | position)
    return keys >> 32, keys & 0xFFFFFFFF


def completed(part: IndexPart, query: Digest, found: Hits) -> Hits:
    """The hits with all that stand right before or after one of them in both texts, however often those occur
    elsewhere.
    """
    digest = part.suffixes.digest
    segment, position = found.segment, found.position
    for step in (1, -1):
        edge_segment, edge_position = segment, position
        while len(edge_segment):
            near_segment, near_position = edge_segment + step, edge_position + step
            inside = (near_segment >= 0) & (near_segment < len(query)) & (near_position >= 0)
            near_segment, near_position, last = (
                near_segment[inside],
                near_position[inside],
                edge_segment[inside],
            )
            follows = query.follows[np.maximum(near_segment, last)]
            same = follows & (digest[near_position] == query.fingerprint[near_segment])
            edge_segment, edge_position = near_segment[same], near_position[same]
            new = ~np.isin((edge_segment << 32) | edge_position, (segment << 32) | position)
            edge_segment, edge_position = edge_segment[new], edge_position[new]
            segment, position = _distinct(
                np.concatenate((segment, edge_segment)), np.concatenate((position, edge_position))
            )
    return Hits(segment, position, found.occurrences)


def runs(query: Digest, found: Hits) -> tuple[LongArray, LongArray, LongArray]:
    """The maximal runs of hits that follow each other in both texts: first segment, its position, number of
    segments.
    """
    order = np.lexsort((found.segment, found.position - found.segment))
    segment, position = found.segment[order], found.position[order]
    begins = np.ones(len(segment), dtype=bool)
    begins[1:] = (np.diff(segment) != 1) | (np.diff(position) != 1) | ~query.follows[segment[1:]]
    first = np.flatnonzero(begins)
    return segment[first], position[first], np.diff(np.append(first, len(segment)))
