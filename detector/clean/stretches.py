"""Stretches: neighbouring units that go for one reason and are kept side by side, as one cut in the text.

Of the white space before and behind a cut one stays: the line break where there is one, so that paragraphs do
not run together.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from ruiji.detector.clean import schemas
from ruiji.detector.clean.decide import STAYS, Matches, ReasonArray
from ruiji.detector.pairs.relations import MIN_BITS
from ruiji.features.arrays import BoolArray, LongArray

NOWHERE = -1


def going(matches: Matches, found: ReasonArray) -> pa.Table:
    """The units that go, and where they would stand if they were kept beside the sentences beside them."""
    goes = found != STAYS
    rows = matches.take(goes)
    columns = {name: rows[name] for name in schemas.GOING.names if name in rows.columns}
    columns["reason"] = found[goes].astype(np.int64)
    run = _runs_of_units(rows)
    number = np.arange(len(rows))
    strong = rows["bits"] >= MIN_BITS
    before = np.maximum.accumulate(np.where(strong, number, NOWHERE))
    behind = np.minimum.accumulate(np.where(strong, number, len(rows))[::-1])[::-1]
    for name, beside in (("before", before), ("behind", behind)):
        there = (beside >= 0) & (beside < len(rows))
        beside = np.where(there, beside, number)
        there &= run[beside] == run
        step = rows["position"] - rows["position"][beside]
        columns[f"page_{name}"] = np.where(there, rows["kept"][beside], NOWHERE)
        columns[f"position_{name}"] = np.where(there, rows["kept_position"][beside] + step, NOWHERE)
    return pa.table([columns[name] for name in schemas.GOING.names], schema=schemas.GOING)


def _runs_of_units(rows: Matches) -> LongArray:
    """The number of the run of neighbouring units that each belongs to."""
    place, position = rows["place"], rows["position"]
    apart = np.ones(len(rows), dtype=np.bool_)
    apart[1:] = (place[1:] != place[:-1]) | (position[1:] != position[:-1] + 1)
    return np.cumsum(apart)


def stretches(rows: Matches) -> pa.Table:
    """The stretches of the units that go."""
    if not len(rows):
        return schemas.STRETCHES.empty_table()
    first, last = _borders(rows)
    columns = {
        "place": rows["place"][first],
        "unit_start": rows["unit_start"][first],
        "unit_end": rows["unit_end"][last],
        "unit_until": rows["unit_until"][last],
        "unit_left": rows["unit_left"][first],
        "kept": rows["kept"][first],
        "kept_start": rows["kept_start"][first],
        "kept_end": rows["kept_end"][last],
        "units": last - first + 1,
        "reason": rows["reason"][first],
    }
    return pa.table([columns[name] for name in schemas.STRETCHES.names], schema=schemas.STRETCHES)


def _borders(rows: Matches) -> tuple[LongArray, LongArray]:
    """The first and the last row of each stretch."""
    same: BoolArray = np.zeros(len(rows), dtype=np.bool_)
    same[1:] = True
    for name, step in (("place", 0), ("position", 1), ("kept", 0), ("kept_position", 1), ("reason", 0)):
        same[1:] &= rows[name][1:] == rows[name][:-1] + step
    first = np.flatnonzero(~same)
    return first, np.append(first[1:], len(rows)) - 1


@dataclass(frozen=True, slots=True)
class RemovedStretch:
    """What is removed from a text: from ``start`` to ``end`` of it; ``kept`` is the place of the page that
    keeps it, from ``kept_start`` to ``kept_end``.
    """

    start: int
    end: int
    kept: int
    kept_start: int
    kept_end: int
    reason: int


def cuts(text: str, rows: Iterable[dict[str, int]]) -> list[RemovedStretch]:
    """The stretches of one text, given in order, with the white space that goes with each."""
    found: list[RemovedStretch] = []
    for run in _runs(rows):
        spare_end = _spares_what_follows(text, run)
        for number, row in enumerate(run):
            start, end = row["unit_start"], row["unit_until"]
            if spare_end:
                start = row["unit_left"] if number == 0 else start
                end = row["unit_end"] if number == len(run) - 1 and end < len(text) else end
            found.append(
                RemovedStretch(start, end, row["kept"], row["kept_start"], row["kept_end"], row["reason"])
            )
    return found


def _runs(rows: Iterable[dict[str, int]]) -> Iterator[list[dict[str, int]]]:
    """Stretches that touch each other."""
    run: list[dict[str, int]] = []
    for row in rows:
        if run and row["unit_start"] != run[-1]["unit_until"]:
            yield run
            run = []
        run.append(row)
    if run:
        yield run


def _spares_what_follows(text: str, run: list[dict[str, int]]) -> bool:
    """Whether the white space behind a run stays, and that before it goes: in the middle of a line, and at
    the
    end of the text.
    """
    first, last = run[0], run[-1]
    if first["unit_start"] == 0:
        return False
    before = text[first["unit_left"] : first["unit_start"]]
    return last["unit_until"] == len(text) or "\n" not in before


def without(text: str, cut: Iterable[RemovedStretch]) -> str:
    """The text without the stretches.

    >>> without("One. Two. Three.", [RemovedStretch(4, 9, 0, 0, 0, 0)])
    'One. Three.'
    """
    kept, place = [], 0
    for stretch in cut:
        kept.append(text[place : stretch.start])
        place = stretch.end
    return "".join(kept) + text[place:]
