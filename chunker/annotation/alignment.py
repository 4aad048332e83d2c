"""Labels from plain text: which text nodes of a page make up the text that somebody wrote down as its
content.

The units of page and text (words; characters where words have no spaces between them) are matched one to one
in rounds. A round finds runs of units that both have, chains those that come in the same order with few and
short gaps, and fills the gaps with shorter runs. What is left over goes into the next round, so a text in
another order than the page's is found too. A node is content when about half of its units are matched; nodes
of one block, and those too short to tell, follow their neighbours.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ruiji.chunker.mask import ContentMask
from ruiji.chunker.metrics import UNSPACED, word_scores
from ruiji.features.arrays import BoolArray, LongArray, covered, long_ranges
from ruiji.features.page.textnodes import SPACE_BEFORE, TextNodes

# The figures below were chosen on a seventh of WCXB's development pages (oracle F1, then fewest changes of
# label) and on annotated Japanese pages (the annotation that comes back from their text). What a gap costs
# hardly matters.
RUN_LENGTHS = (16, 4, 1)  # in units: first what can hardly be chance, then what is left in the gaps
ROUNDS = 4
FEWEST_LEFT = 3  # units of the text that another round is worth
# In the text, that a run in the page is tried at when it occurs more often than that; keeps the work linear
MOST_PLACES = 12
MOST_RUNS = 5_000  # that one chain is made from, the longest; two of 749 pages of WCXB have more
LOOK_BACK = 64  # runs before a run that may precede it in a chain; keeps the work linear
GAP = 0.5  # what a gap costs, in matched units
GAP_IN_PAGE = 0.15  # and more for each doubling of its length
GAP_IN_TEXT = 0.1
# Of a node's units that must be matched; half would be right for a word F1 near 1, but texts leave out words
# more often
MAJORITY = 0.45
SWITCH = 0.4  # what a change of label between two blocks costs, in matched units
SWITCH_IN_BLOCK = 1.0
# Of a text; where there are fewer, changes cost so much less, or a very short text would never be worth them
FEW_UNITS = 20

_UNIT = re.compile(rf"[{UNSPACED}]|[^\W_{UNSPACED}]+")
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


@dataclass(frozen=True, slots=True, eq=False)
class _Units:
    """The units of a page, and for each node its first unit and the one after its last; a word may be in
    several nodes.
    """

    words: Sequence[str]
    first: LongArray
    end: LongArray


def aligned_mask(nodes: TextNodes, main_content: str) -> ContentMask:
    """The mask whose text reproduces ``main_content``; a node's score is the share of its units that were
    found there.
    """
    wanted = _UNIT.findall(main_content.lower())
    units = _units_of(nodes, set(wanted))
    if not wanted or not units.words:
        nothing = np.zeros(len(nodes), dtype=np.bool_)
        return ContentMask(nothing, nothing.astype(np.float32), "alignment")
    page, text = _numbered(units.words, wanted)
    place = np.full(len(page), NOWHERE, dtype=np.int64)
    content = np.zeros(len(nodes), dtype=np.bool_)
    for number in range(ROUNDS):
        free_page, free_text = _left_over(place, content, units, len(text))
        if not len(free_page) or len(free_text) < (FEWEST_LEFT if number else 1):
            break
        found = _aligned(page[free_page], text[free_text], any_order=number > 0)
        matched = found != NOWHERE
        place[free_page] = NOWHERE  # matches that made no node content do not keep the text from others
        place[free_page[matched]] = free_text[found[matched]]
        content = _decided(nodes, units, place, min(1.0, len(text) / FEW_UNITS))
    return ContentMask(content, _shares(units, place, content), "alignment")


def oracle_f1(nodes: TextNodes, mask: ContentMask, main_content: str) -> float:
    """The word F1 of the text that a mask shows: for an aligned mask the best that any mask can be expected
    to reach.
    """
    return word_scores(main_content, nodes.shown_text(mask.content))[2]


def _units_of(nodes: TextNodes, known: Collection[str]) -> _Units:
    """The units of a page in the order of its text."""
    line, flags = nodes.line.tolist(), nodes.flags.tolist()
    parts, seams = [], []
    for node, text in enumerate(nodes.texts):
        joined = node > 0 and line[node] == line[node - 1] and not flags[node] & SPACE_BEFORE
        seams.append(joined)
        parts.append(text.lower() if joined else " " + text.lower())
    ends = np.fromiter(map(len, parts), dtype=np.int64, count=len(parts)).cumsum()
    starts = ends - np.fromiter(map(len, parts), dtype=np.int64, count=len(parts))
    whole = "".join(parts)
    spans = np.array([match.span() for match in _UNIT.finditer(whole)], dtype=np.int64).reshape(-1, 2)
    cuts = _cuts(whole, spans, starts[np.array(seams, dtype=np.bool_)], known)
    unit_start, unit_end = np.sort(np.append(spans[:, 0], cuts)), np.sort(np.append(spans[:, 1], cuts))
    words = [whole[start:end] for start, end in zip(unit_start.tolist(), unit_end.tolist(), strict=True)]
    return _Units(
        words, unit_end.searchsorted(starts, side="right"), unit_start.searchsorted(ends, side="left")
    )


def _cuts(whole: str, spans: LongArray, seams: LongArray, known: Collection[str]) -> LongArray:
    """The seams between nodes that end a word: those inside what is not a known word, for styles often set
    nodes apart without a space.
    """
    unit = spans[:, 1].searchsorted(seams, side="right")
    inside = unit < len(spans)
    inside[inside] = spans[unit[inside], 0] < seams[inside]
    around = spans[unit[inside]].tolist()
    unknown = np.array([whole[start:end] not in known for start, end in around], dtype=np.bool_)
    return seams[inside][unknown]


def _numbered(page: Sequence[str], text: Sequence[str]) -> tuple[LongArray, LongArray]:
    """The units as numbers, equal where the units are."""
    numbers: dict[str, int] = {}
    both = np.fromiter(
        (numbers.setdefault(unit, len(numbers)) for part in (page, text) for unit in part), dtype=np.int64
    )
    return both[: len(page)], both[len(page) :]


def _left_over(place: LongArray, content: BoolArray, units: _Units, size: int) -> tuple[LongArray, LongArray]:
    """The units of the page that are in no content node, and those of the text that no content node has."""
    inside = covered(units.first[content], units.end[content], len(place))
    return np.flatnonzero(~inside), np.flatnonzero(~_used(place[inside], size))


def _aligned(page: LongArray, text: LongArray, any_order: bool) -> LongArray:
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
    page_free, text_free = place == NOWHERE, ~_used(place, size)
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
    matched, used = place != NOWHERE, _used(place, size)
    return np.where(matched, -1, matched.cumsum()), np.where(used, -2, used.cumsum())


def _used(place: LongArray, size: int) -> BoolArray:
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


def _classes(one: LongArray, other: LongArray) -> LongArray:
    """A number for each pair of the two columns, equal where the pairs are."""
    low = other.min()
    return np.unique(one * (other.max() - low + 1) + (other - low), return_inverse=True)[1].astype(np.int64)


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


def _decided(nodes: TextNodes, units: _Units, place: LongArray, scale: float) -> BoolArray:
    """The labels with the most matched units over their share, less what changes of label cost (two states,
    Viterbi).
    """
    gains = (_matches(units, place) - MAJORITY * (units.end - units.first)).tolist()
    switches = (
        scale * np.where(np.diff(nodes.block, prepend=nodes.block[:1]) != 0, SWITCH, SWITCH_IN_BLOCK)
    ).tolist()
    outside, inside = 0.0, 0.0
    from_inside, from_outside = [], []
    for gain, switch in zip(gains, switches, strict=True):
        from_inside.append(inside - switch > outside)
        from_outside.append(outside - switch > inside)
        outside, inside = max(outside, inside - switch), max(inside, outside - switch) + gain
    content = np.zeros(len(nodes), dtype=np.bool_)
    state = inside > outside
    for node in range(len(nodes) - 1, -1, -1):
        content[node] = state
        state = not from_outside[node] if state else from_inside[node]
    return content


def _matches(units: _Units, place: LongArray) -> LongArray:
    """The number of matched units in each node."""
    sums = np.concatenate(([0], (place != NOWHERE).cumsum()))
    return np.asarray(sums[units.end] - sums[units.first], dtype=np.int64)


def _shares(units: _Units, place: LongArray, content: BoolArray) -> npt.NDArray[np.float32]:
    """The share of matched units in each node; a node without units has what was decided."""
    size = units.end - units.first
    return np.where(size > 0, _matches(units, place) / np.maximum(size, 1), content).astype(np.float32)
