"""Which of the units that other pages keep are removed from a page, and why.

A passage goes when it is worth it: neighbouring units kept by one page that together say as much as a
sentence of twenty Japanese letters. So stock phrases stay. A single such sentence that is all a page has of
one of another site is a quotation, and stays too unless quotations are to go. What a site repeats on most of
its pages goes where it says as much, and at the edges of a page however short; within a page a short line is
a heading of the text around it (概要, 例) and stays. Short lines between two things that go, kept elsewhere
themselves, go with them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from ruiji.detector.pairs.relations import MIN_BITS
from ruiji.features.arrays import BoolArray, LongArray

REASONS = ("identical", "contained", "passage", "quotation", "boilerplate", "precision")
IDENTICAL, CONTAINED, PASSAGE, QUOTATION, BOILERPLATE, PRECISION = range(len(REASONS))
STAYS = -1

ReasonArray = npt.NDArray[np.int8]


@dataclass(frozen=True, slots=True, eq=False)
class Matches:
    """Units that other pages keep, by place and position: columns of the statement MATCHES."""

    columns: dict[str, LongArray]

    def __len__(self) -> int:
        return len(self.columns["place"])

    def __getitem__(self, name: str) -> LongArray:
        return self.columns[name]

    @classmethod
    def of(cls, batch: pa.RecordBatch) -> Matches:
        """The columns of a batch of rows."""
        return cls({name: batch[name].to_numpy(zero_copy_only=False) for name in batch.schema.names})

    def part(self, start: int, end: int) -> Matches:
        return Matches({name: column[start:end] for name, column in self.columns.items()})

    def take(self, chosen: BoolArray) -> Matches:
        return Matches({name: column[chosen] for name, column in self.columns.items()})


def whole_pages(batches: Iterable[pa.RecordBatch]) -> Iterator[Matches]:
    """The matches in portions of whole pages."""
    waiting: Matches | None = None
    for batch in batches:
        matches = Matches.of(batch)
        if waiting is not None:
            columns = matches.columns.items()
            matches = Matches({name: np.concatenate((waiting[name], column)) for name, column in columns})
        last = int(np.searchsorted(matches["place"], matches["place"][-1])) if len(matches) else 0
        if last:
            yield matches.part(0, last)
        waiting = matches.part(last, len(matches))
    if waiting is not None and len(waiting):
        yield waiting


def reasons(matches: Matches, units: LongArray, identical: BoolArray, quotations: bool) -> ReasonArray:
    """Why each unit is removed, or STAYS.

    ``units`` has the number of units of the page at each place, ``identical`` whether another page with the
    very same units is kept for it; ``quotations``: whether single quoted sentences go.
    """
    place, position, kept = matches["place"], matches["position"], matches["kept"]
    follows = np.zeros(len(place), dtype=np.bool_)  # the unit before it, of the same page
    follows[1:] = (place[1:] == place[:-1]) & (position[1:] == position[:-1] + 1)
    worth = _worth(matches["bits"], follows, kept)
    lone = worth & ~_next_to(worth, follows) & (_sharing(place, kept, worth) == 1)
    lone &= matches["at_home"] == 0
    found: ReasonArray = np.full(len(place), STAYS, dtype=np.int8)
    found[worth] = PASSAGE
    found[lone] = QUOTATION if quotations else STAYS
    edges = position == 0, position == units[place] - 1
    found[_boilerplate(matches["habit"] > 0, matches["bits"], follows, edges)] = BOILERPLATE
    found[identical[place]] = IDENTICAL
    found[_enclosed(found, follows, edges, worth)] = PASSAGE
    return _with_contained(found, place, kept, units)


def _worth(bits: LongArray, follows: BoolArray, kept: LongArray) -> BoolArray:
    """Which units belong to a run that one page keeps and that says enough."""
    continues = follows.copy()
    continues[1:] &= kept[1:] == kept[:-1]
    run = np.cumsum(~continues) - 1
    return np.asarray(np.bincount(run, bits)[run] >= MIN_BITS) if len(bits) else np.zeros(0, dtype=np.bool_)


def _boilerplate(
    habit: BoolArray, bits: LongArray, follows: BoolArray, edges: tuple[BoolArray, BoolArray]
) -> BoolArray:
    """Which of the units that a site repeats stand in a run that says enough, or that reaches an edge."""
    if not len(habit):
        return habit
    continues = follows.copy()
    continues[1:] &= habit[1:] & habit[:-1]
    run = np.cumsum(~continues) - 1
    goes = (np.bincount(run, bits) >= MIN_BITS) | (np.bincount(run, edges[0] | edges[1]) > 0)
    return np.asarray(habit & goes[run])


def _next_to(marked: BoolArray, follows: BoolArray) -> BoolArray:
    """Which units have a marked neighbour."""
    found = np.zeros(len(marked), dtype=np.bool_)
    found[1:] |= marked[:-1] & follows[1:]
    found[:-1] |= marked[1:] & follows[1:]
    return found


def _sharing(place: LongArray, kept: LongArray, worth: BoolArray) -> LongArray:
    """How many units that are worth it the page has of the page that keeps each."""
    order = np.lexsort((kept, place))
    new = np.ones(len(order), dtype=np.bool_)
    new[1:] = (place[order][1:] != place[order][:-1]) | (kept[order][1:] != kept[order][:-1])
    pair = np.empty(len(order), dtype=np.int64)
    pair[order] = np.cumsum(new) - 1
    return np.bincount(pair, worth).astype(np.int64)[pair] if len(order) else pair


def _enclosed(
    found: ReasonArray, follows: BoolArray, edges: tuple[BoolArray, BoolArray], worth: BoolArray
) -> BoolArray:
    """Which short units stand between two that go, or one that goes and an edge of the page."""
    waiting = (found == STAYS) & ~worth
    run_start = waiting & ~np.append(False, waiting[:-1] & follows[1:])
    run = np.cumsum(run_start) - 1
    first = np.flatnonzero(run_start)
    last = np.flatnonzero(waiting & ~np.append(waiting[1:] & follows[1:], False))
    before = np.maximum(first - 1, 0)
    goes_before = follows[first] & (found[before] != STAYS)
    after = np.minimum(last + 1, len(found) - 1)
    goes_after = (after > last) & follows[after] & (found[after] != STAYS)
    enclosed = (goes_before | edges[0][first]) & (goes_after | edges[1][last]) & (goes_before | goes_after)
    inside: BoolArray = np.zeros(len(found), dtype=np.bool_)
    if len(first):
        inside[waiting] = enclosed[run[waiting]]
    return inside


def _with_contained(found: ReasonArray, place: LongArray, kept: LongArray, units: LongArray) -> ReasonArray:
    """The reasons, where a page all of whose units one other page keeps is contained in it, and goes."""
    pages, start, count = np.unique(place, return_index=True, return_counts=True)
    if not len(pages):
        return found
    single = np.minimum.reduceat(kept, start) == np.maximum.reduceat(kept, start)
    contained = np.repeat((count == units[pages]) & single, count)
    found[contained & (found != IDENTICAL)] = CONTAINED
    return found
