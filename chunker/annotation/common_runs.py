"""Runs of units that a page and a text have in common, chained in the order of both.

A round finds runs of units that both have, chains those that come in the same order with few and short gaps,
and fills the gaps with shorter runs.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ruiji.features.arrays import BoolArray, LongArray, long_ranges

# The figures below were chosen on a seventh of WCXB's development pages (oracle F1, then fewest changes of
# label) and on annotated Japanese pages (the annotation that comes back from their text). What a gap costs
# hardly matters.
RUN_LENGTHS = (16, 4, 1)  # in units: first what can hardly be chance, then what is left in the gaps


# In the text, that a run in the page is tried at when it occurs more often than that; keeps the work linear
MOST_PLACES = 12


MOST_RUNS = 5_000  # that one chain is made from, the longest; two of 749 pages of WCXB have more


LOOK_BACK = 64  # runs before a run that may precede it in a chain; keeps the work linear


GAP = 0.5  # what a gap costs, in matched units


GAP_IN_PAGE = 0.15  # and more for each doubling of its length


GAP_IN_TEXT = 0.1


NOWHERE = -1


@dataclass(frozen=True, slots=True, eq=False)
class _Runs:
    """Runs of units that page and text have in common: where they start in each, and how long they are."""

    page: LongArray
    text: LongArray
    length: LongArray

    def __len__(self) -> int:
        return len(self.page)

    def with_more(self, more: _Runs) -> _Runs:
        """These runs and more."""
        return _Runs(
            *(
                np.concatenate(both)
                for both in ((self.page, more.page), (self.text, more.text), (self.length, more.length))
            )
        )

    def take(self, chosen: npt.NDArray[np.generic]) -> _Runs:
        """The runs at the given places."""
        return _Runs(self.page[chosen], self.text[chosen], self.length[chosen])


_NO_RUNS = _Runs(*(np.zeros(0, dtype=np.int64) for _ in range(3)))


def align_units(page: LongArray, text: LongArray, any_order: bool) -> LongArray:
    """For each unit of the page its place in the text, or NOWHERE; ascending, but for long runs that may
    stand in any order.
    """
    place = np.full(len(page), NOWHERE, dtype=np.int64)
    chain, apart = _NO_RUNS, _NO_RUNS
    for length in RUN_LENGTHS:
        page_gap, text_gap = _gaps(place, len(text))
        page_gap[long_ranges(apart.page, apart.length)] = -1
        text_gap[long_ranges(apart.text, apart.length)] = -2
        runs = _common_runs(page, text, page_gap, text_gap, length)
        if not len(runs):
            continue
        chain = _chained(chain.with_more(runs))
        place = _placed(chain, len(page))
        if length == RUN_LENGTHS[0]:
            apart = _out_of_order(runs, place, len(text))
    return (
        np.maximum(place, _placed(apart, len(page))) if any_order else place
    )  # in order, the next round may have a chain for them


def _placed(runs: _Runs, size: int) -> LongArray:
    """For each unit of the page its place in the text by the runs, or NOWHERE."""
    place = np.full(size, NOWHERE, dtype=np.int64)
    place[long_ranges(runs.page, runs.length)] = long_ranges(runs.text, runs.length)
    return place


def _out_of_order(runs: _Runs, place: LongArray, size: int) -> _Runs:
    """The runs that a chain has no part of, without those that overlap with a longer one."""
    page_free, text_free = place == NOWHERE, ~matched_units(place, size)
    chosen = []
    order = (-runs.length).argsort(kind="stable")
    columns = (column[order].tolist() for column in (runs.page, runs.text, runs.length))
    for run, page, text, length in zip(order.tolist(), *columns, strict=True):
        in_page, in_text = slice(page, page + length), slice(text, text + length)
        if page_free[in_page].all() and text_free[in_text].all():
            page_free[in_page] = text_free[in_text] = False
            chosen.append(run)
    return runs.take(np.array(chosen, dtype=np.int64))


def _gaps(place: LongArray, size: int) -> tuple[LongArray, LongArray]:
    """The number of the gap that each unit of the page and of the text is in; matched units have numbers that
    never meet.
    """
    matched, used = place != NOWHERE, matched_units(place, size)
    return np.where(matched, -1, matched.cumsum()), np.where(used, -2, used.cumsum())


def matched_units(place: LongArray, size: int) -> BoolArray:
    """Which units of the text are matched."""
    used = np.zeros(size, dtype=np.bool_)
    used[place[place != NOWHERE]] = True
    return used


def _within(lengths: LongArray) -> LongArray:
    """0, 1, 2 … up to each length, one after another."""
    return np.arange(lengths.sum(), dtype=np.int64) - np.repeat(lengths.cumsum() - lengths, lengths)


def _common_runs(
    page: LongArray, text: LongArray, page_gap: LongArray, text_gap: LongArray, shortest: int
) -> _Runs:
    """The longest runs that a gap of the page has in common with the same gap of the text, of so many units
    at least.
    """
    size = len(page)
    gap = np.concatenate((page_gap, text_gap))
    grams = _classes(gap, np.concatenate((page, text)))
    reach = 1
    while reach < shortest:
        grams = _classes(grams, _ahead(grams, size, reach))
        reach *= 2
    starts, places = _pairs(grams[:size], grams[size:])
    order = ((starts - places) * (size + 1) + starts).argsort(kind="stable")
    starts, places = starts[order], places[order]
    fresh = np.ones(len(starts), dtype=np.bool_)
    fresh[1:] = (starts[1:] != starts[:-1] + 1) | (places[1:] != places[:-1] + 1)
    first = np.flatnonzero(fresh)
    runs = _Runs(starts[first], places[first], np.diff(np.append(first, len(starts))) + shortest - 1)
    return runs if len(runs) <= MOST_RUNS else runs.take((-runs.length).argsort(kind="stable")[:MOST_RUNS])


def _ahead(grams: LongArray, size: int, reach: int) -> LongArray:
    """For each gram the one so far ahead in the page, or in the text that follows it; near an end a number
    that nothing equals.
    """
    here = np.arange(len(grams))
    there = here + reach
    end = np.where(here < size, size, len(grams))
    return np.where(there < end, grams[np.minimum(there, len(grams) - 1)], -1 - here)


def _classes(left: LongArray, right: LongArray) -> LongArray:
    """A number for each pair of the two columns, equal where the pairs are."""
    low = right.min()
    return np.unique(left * (right.max() - low + 1) + (right - low), return_inverse=True)[1].astype(np.int64)


def _pairs(page: LongArray, text: LongArray) -> tuple[LongArray, LongArray]:
    """All places of equal numbers in both; of numbers that are frequent in the text only those at a like
    rank.
    """
    order = text.argsort(kind="stable")
    low, high = (text[order].searchsorted(page, side=side) for side in ("left", "right"))
    often = high - low
    frequent = np.flatnonzero(often > MOST_PLACES)
    if len(frequent):
        rank, total = _ranks(page[frequent])
        centre = low[frequent] + rank * often[frequent] // total
        start = np.clip(centre - MOST_PLACES // 2, low[frequent], high[frequent] - MOST_PLACES)
        low[frequent], often[frequent] = start, MOST_PLACES
    return np.repeat(np.arange(len(page)), often), order[np.repeat(low, often) + _within(often)]


def _ranks(numbers: LongArray) -> tuple[LongArray, LongArray]:
    """For each number how often it came before, and how often it comes in all."""
    order = numbers.argsort(kind="stable")
    _, inverse, counts = np.unique(numbers, return_inverse=True, return_counts=True)
    rank = np.empty(len(numbers), dtype=np.int64)
    rank[order] = _within(counts)
    return rank, counts[inverse]


def _chained(runs: _Runs) -> _Runs:
    """The chain of runs, ascending in page and text, that matches most units with fewest and shortest gaps.

    Of the runs before a run those nearest in the page are tried, and of all others the one that ends the best
    chain.
    """
    runs = runs.take(np.lexsort((runs.text, runs.page)))
    page_end, text_end = runs.page + runs.length, runs.text + runs.length
    best = runs.length.astype(np.float64)
    previous = np.full(len(runs), NOWHERE, dtype=np.int64)
    overlaps = np.zeros(len(runs), dtype=np.int64)
    leaders = _Leaders([], [], [])
    columns = zip(runs.page.tolist(), runs.text.tolist(), runs.length.tolist(), strict=True)
    for run, (page, text, length) in enumerate(columns):
        near = np.arange(max(0, run - LOOK_BACK), run + 1)
        near[-1] = leaders.before(text)  # the place of the run itself, which is no candidate
        page_gap, text_gap = page - page_end[near], text - text_end[near]
        overlap = np.maximum(0, -np.minimum(page_gap, text_gap))
        cost = (
            GAP
            + GAP_IN_PAGE * np.log2(1 + page_gap + overlap)
            + GAP_IN_TEXT * np.log2(1 + text_gap + overlap)
        )
        gain = np.where(overlap < np.minimum(length, runs.length[near]), best[near] - overlap - cost, 0.0)
        choice = int(gain.argmax())
        if gain[choice] > 0 and near[choice] != NOWHERE:
            best[run] += gain[choice]
            previous[run], overlaps[run] = near[choice], overlap[choice]
        leaders.enter(run, text + length, float(best[run]))
    return _followed(runs, int(best.argmax()), previous, overlaps)


@dataclass(frozen=True, slots=True)
class _Leaders:
    """The runs that end the best chain up to a place in the text: ends, scores and runs, each ascending."""

    ends: list[int]
    scores: list[float]
    runs: list[int]

    def before(self, text: int) -> int:
        """The run that ends the best chain up to a place, or NOWHERE."""
        at = bisect_right(self.ends, text)
        return self.runs[at - 1] if at else NOWHERE

    def enter(self, run: int, end: int, score: float) -> None:
        """Makes a run a leader if it is one; those that it beats go."""
        at = last = bisect_right(self.ends, end)
        if at and self.scores[at - 1] >= score:
            return
        at -= bool(at and self.ends[at - 1] == end)
        while last < len(self.scores) and self.scores[last] <= score:
            last += 1
        self.ends[at:last], self.scores[at:last], self.runs[at:last] = [end], [score], [run]


def _followed(runs: _Runs, last: int, previous: LongArray, overlaps: LongArray) -> _Runs:
    """The runs of a chain from first to last. What two have in common goes to the later: a heading belongs to
    what follows it.
    """
    chain = [last]
    while (before := int(previous[chain[-1]])) != NOWHERE:
        chain.append(before)
    chosen = np.array(chain[::-1], dtype=np.int64)
    return _Runs(
        runs.page[chosen], runs.text[chosen], runs.length[chosen] - np.append(overlaps[chosen[1:]], 0)
    )
