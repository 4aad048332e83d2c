"""Stretches that two texts have in common, letter by letter: grown from hits of the index, and joined over
small gaps.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ruiji.detector.copies.digest import Digest
from ruiji.detector.copies.hits import Hits, runs
from ruiji.detector.copies.rule import LetterWeights, PassageRule
from ruiji.features.arrays import LongArray

PLAIN_RUN = 3  # section 6: the shortest match
_CHAINS_OPEN = (
    8  # chains that a stretch may still join; passages that alternate between more places are reported apart
)


@dataclass(frozen=True, slots=True)
class Stretch:
    """A stretch of letters that both texts have: where it starts in each, counted over all texts of the two
    digests, and its length.
    """

    start: int
    source_start: int
    length: int

    @property
    def end(self) -> int:
        return self.start + self.length

    @property
    def source_end(self) -> int:
        return self.source_start + self.length

    def part(self, start: int, end: int) -> Stretch:
        """What lies between two letters of the query."""
        return Stretch(start, self.source_start + start - self.start, end - start)


@dataclass(frozen=True, slots=True, eq=False)
class TextPair:
    """A text of one digest, a source of another, and the hits between them: segments of the one, segments of
    the other.
    """

    query: Digest
    text: int
    source: Digest
    document: int
    segment: LongArray
    source_segment: LongArray


def plain_runs(pair: TextPair) -> list[list[Stretch]]:
    """The runs of three segments and more, each segment a stretch."""
    query, source = pair.query, pair.source
    length = query.end[pair.segment] - query.start[pair.segment]
    same = length == source.end[pair.source_segment] - source.start[pair.source_segment]
    for number in np.flatnonzero(same).tolist():
        start, source_start = query.start[pair.segment[number]], source.start[pair.source_segment[number]]
        ours = query.folded.letters[start : start + length[number]]
        same[number] = np.array_equal(
            ours, source.folded.letters[source_start : source_start + length[number]]
        )
    at = source.positions()
    first, position, count = runs(
        query, Hits(pair.segment[same], at[pair.source_segment[same]], np.zeros(0, dtype=np.int64))
    )
    begin = at.searchsorted(position)
    return [
        [
            Stretch(
                int(query.start[one + step]),
                int(source.start[where + step]),
                int(query.end[one + step] - query.start[one + step]),
            )
            for step in range(number)
        ]
        for one, where, number in zip(first.tolist(), begin.tolist(), count.tolist(), strict=True)
        if number >= PLAIN_RUN
    ]


def stretches(pair: TextPair, rule: PassageRule, weights: LetterWeights) -> list[Stretch]:
    """What both texts have, each as long as they agree, by where it starts; none inside another."""
    low, high = _letters(pair.query, pair.text)
    source_low, source_high = _letters(pair.source, pair.document)
    ours, theirs = pair.query.folded.letters[low:high], pair.source.folded.letters[source_low:source_high]
    starts = (pair.query.start[pair.segment] - low).tolist()
    ends = (pair.query.end[pair.segment] - low).tolist()
    source_starts = (pair.source.start[pair.source_segment] - source_low).tolist()
    source_ends = (pair.source.end[pair.source_segment] - source_low).tolist()
    found: list[Stretch] = []
    reached: dict[int, int] = {}  # on each diagonal, how far it is known
    for start, end, source_start, source_end in sorted(
        zip(starts, ends, source_starts, source_ends, strict=True)
    ):
        diagonal = source_start - start
        if reached.get(diagonal, 0) >= end:
            continue
        if (
            source_end - source_start != end - start
            or (ours[start:end] != theirs[source_start:source_end]).any()
        ):
            continue  # the same fingerprint by chance
        before = _agreement(ours[:start][::-1], theirs[:source_start][::-1])
        after = _agreement(ours[end:], theirs[source_end:])
        reached[diagonal] = end + after
        found.append(
            Stretch(start - before + low, source_start - before + source_low, before + end - start + after)
        )
    found.sort(key=lambda stretch: (stretch.start, -stretch.length))
    outer: list[Stretch] = []
    furthest = -1
    for stretch in found:
        if stretch.end > furthest:
            outer.append(stretch)
            furthest = stretch.end
    return [trimmed for stretch in outer if (trimmed := _trimmed(stretch, pair, rule, weights)).length > 0]


def _letters(digest: Digest, text: int) -> tuple[int, int]:
    """The letters of a text."""
    first, end = digest.folded.rank[digest.folded.text_start[text : text + 2]].tolist()
    return first, end


def _agreement(ours: npt.NDArray[np.uint32], theirs: npt.NDArray[np.uint32]) -> int:
    """How many letters two arrays have in common from the start."""
    done, step = 0, 64
    while True:
        length = min(step, len(ours) - done, len(theirs) - done)
        differ = np.flatnonzero(ours[done : done + length] != theirs[done : done + length])
        if len(differ):
            return done + int(differ[0])
        done += length
        if length < step:
            return done
        step *= 4


def _trimmed(stretch: Stretch, pair: TextPair, rule: PassageRule, weights: LetterWeights) -> Stretch:
    """The stretch without a few letters of a further sentence at either end, which agree by chance."""
    sentences = pair.query.sentences(pair.text)
    starts, ends = pair.query.start[sentences], pair.query.end[sentences]
    start, end = stretch.start, stretch.end
    at = int(starts.searchsorted(start, side="right")) - 1
    if (
        at >= 0
        and starts[at] < start < ends[at] < end
        and weights.sums[ends[at]] - weights.sums[start] < rule.stock
    ):
        start = int(ends[at])
    at = int(starts.searchsorted(end, side="right")) - 1
    if (
        at >= 0
        and start < starts[at] < end < ends[at]
        and weights.sums[end] - weights.sums[starts[at]] < rule.stock
    ):
        end = int(starts[at])
    return stretch.part(start, end)


def chains(found: list[Stretch], gap: int) -> list[list[Stretch]]:
    """Stretches that follow each other in both texts with little between them, together: what lies between
    was inserted or changed.

    A gap may be as long as what is shared around it, and at most ``gap`` letters in either text.
    """
    made: list[list[Stretch]] = []
    shared: list[int] = []
    for stretch in found:
        for number in range(len(made) - 1, max(len(made) - 1 - _CHAINS_OPEN, -1), -1):
            last = made[number][-1]
            overlap = max(
                last.end - stretch.start, last.source_end - stretch.source_start, 0
            )  # letters that fit on both sides of a change
            if overlap >= stretch.length:
                continue
            rest = stretch.part(stretch.start + overlap, stretch.end)
            longest = max(rest.start - last.end, rest.source_start - last.source_end)
            if longest <= min(gap, shared[number] + rest.length):
                made[number].append(rest)
                shared[number] += rest.length
                break
        else:
            made.append([stretch])
            shared.append(stretch.length)
    return made
