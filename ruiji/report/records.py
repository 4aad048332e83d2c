"""The report of ``ruiji records``: contradictions side by side, what differs marked.

What the page shows is gathered here; ``templates/records.html`` shows it.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ruiji.corpora.errors import json_of
from ruiji.detector.records.compare.contradictions import KINDS, shown_field
from ruiji.detector.records.disagreements import Disagreement, disagreements
from ruiji.detector.records.folder import NEW, STATED_REASONS, RecordsFolder
from ruiji.report.rendering import write_page
from ruiji.words import BOTH

PAGES_SHOWN = 12  # other pages that say either of two values
PAIRS_SHOWN = 300  # pairs of records, the worst first; conflicts.jsonl has all


@dataclass(frozen=True, slots=True)
class MarkedValue:
    """A value in three parts: the middle one is what differs from the value beside it."""

    start: str
    differing: str
    end: str


@dataclass(frozen=True, slots=True)
class ReportLine:
    """A field of two records; ``kind`` is that of the contradiction, empty where both say the same."""

    kind: str
    field: str
    values: tuple[MarkedValue, MarkedValue]
    confidence: float = 1.0
    is_slip: bool = False
    is_new: bool = False


@dataclass(frozen=True, slots=True)
class Reason:
    """What speaks for two records being one, in bits: a word of ours by its ``key``, or a field of theirs."""

    key: str
    field: str
    bits: float


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two corresponding records side by side: why they correspond, what differs, then what both say; and
    what other pages say of what differs (field, value, address).
    """

    label: str
    records: tuple[Mapping[str, Any], Mapping[str, Any]]
    lines: Sequence[ReportLine]
    reasons: Sequence[Reason] = ()
    elsewhere: Sequence[tuple[str, str, str]] = ()


def write_records_report(out: Path, destination: Path, language: str = BOTH) -> None:
    """Writes the report of the comparison in ``out``. Raises InputError where there is none."""
    write_page(destination, "records.html", language, report_fields(RecordsFolder(out)))


def report_fields(written: RecordsFolder) -> dict[str, Any]:
    """What the template shows of a comparison of records."""
    rows = list(written.conflicts())
    new = _new_ids(written.folder)
    records = {row["id"]: row for row in written.records()}
    pairs: dict[tuple[str, str], list[Disagreement]] = defaultdict(list)
    for one in disagreements(rows):
        pairs[one.surest["record_a"], one.surest["record_b"]].append(one)
    known = [ends for ends in pairs if ends[0] in records and ends[1] in records]
    why = written.reasons(known[:PAIRS_SHOWN])
    kinds = Counter(row["kind"] for row in rows)
    new_kinds = Counter(row["kind"] for row in rows if row["id"] in new)
    return {
        "counts": written.description().get("counts") or {},
        "conflicts": len(rows),
        "kinds": [(kind, kinds[kind], new_kinds[kind]) for kind in KINDS],
        "has_new": (written.folder / NEW).is_file(),
        "comparisons": [
            comparison(
                records[one], records[other], pairs[one, other], new, why.get(frozenset((one, other)), ())
            )
            for one, other in known[:PAIRS_SHOWN]
        ],
        "most_elsewhere": PAGES_SHOWN,
        "more_comparisons": len(known) - PAIRS_SHOWN,
    }


def _new_ids(folder: Path) -> set[str]:
    """The contradictions that an earlier run did not have; none where there was no earlier run."""
    path = folder / NEW
    if not path.is_file():
        return set()
    return {json_of(line)["id"] for line in path.read_text(encoding="utf-8").split("\n") if line}


def comparison(
    one: Mapping[str, Any],
    other: Mapping[str, Any],
    told: Sequence[Disagreement],
    new: set[str],
    why: Sequence[tuple[str, float]] = (),
) -> Comparison:
    """Two records with why they correspond and the contradictions between them."""
    rows = [one.surest for one in told]
    titles = [one["label"], other["label"]]
    lines = [
        ReportLine(
            row["kind"],
            row["field"],
            _values(row),
            row["confidence"],
            is_slip=bool(row.get("slip")),
            is_new=row["id"] in new,
        )
        for row in rows
    ]
    shown = {value for row in rows for value in (row["value_a"], row["value_b"])}
    for field in one["fields"]:
        partner = next((theirs for theirs in other["fields"] if theirs["concept"] == field["concept"]), None)
        if field["concept"] and partner and not {field["value"], partner["value"]} & shown:
            labels = [label for label in (field["label"], partner["label"]) if label]
            name = shown_field(field["concept"], labels[:1], titles)
            lines.append(ReportLine("", name, (_unmarked(field["value"]), _unmarked(partner["value"]))))
    return Comparison(
        titles[0] or titles[1],
        (one, other),
        lines,
        [_reason(*item, (one, other)) for item in why],
        [(told_of.surest["field"], *said) for told_of in told for said in told_of.elsewhere()],
    )


def _reason(text: str, bits: float, records: Sequence[Mapping[str, Any]]) -> Reason:
    if text in STATED_REASONS:
        return Reason("reason_" + text.replace(" ", "_"), "", bits)
    fields = [field for record in records for field in record["fields"] if field["concept"] == text]
    labels = [field["label"] for field in fields if field["label"]]
    return Reason("", shown_field(text, labels, [record["label"] for record in records]), bits)


def _values(row: Mapping[str, Any]) -> tuple[MarkedValue, MarkedValue]:
    if row["kind"] == "missing":
        return _unmarked(row["value_a"]), _unmarked(row["value_b"])
    return marked_values(row["value_a"], row["value_b"])


def _unmarked(value: str) -> MarkedValue:
    return MarkedValue(value, "", "")


def marked_values(one: str, other: str) -> tuple[MarkedValue, MarkedValue]:
    """Both values; what lies between their common start and their common end differs."""
    shorter = min(len(one), len(other))
    start = 0
    while start < shorter and one[start] == other[start]:
        start += 1
    end = 0
    while end < shorter - start and one[-1 - end] == other[-1 - end]:
        end += 1
    first, second = (
        MarkedValue(text[:start], text[start : len(text) - end], text[len(text) - end :])
        for text in (one, other)
    )
    return first, second
