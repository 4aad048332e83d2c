"""Where corresponding records do not say the same: conflicts, variants of notation, fields left empty, what
age explains.

Only fields that mean the same on both sides are compared, and only what the same kind of place states: what a
heading says of a whole list is never held against what a record says of itself.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import duckdb

from ruiji.detector.records.compare.differing import (
    COPY_RECORDS,
    COPY_SHARE,
    copies,
    differing_fields,
    differing_rows,
)
from ruiji.detector.records.compare.relevance import days_between
from ruiji.detector.records.fields.agreement import Match, best_match, scripts_apart
from ruiji.detector.records.fields.concepts import Schema, built_in, folded_label
from ruiji.detector.records.fields.slips import is_misspelt, is_slip
from ruiji.detector.records.fields.values import key_of, year_of
from ruiji.detector.records.model import SECTION

CONFLICT, VARIANT, MISSING, AGE = "conflict", "variant", "missing", "age"
KINDS = (CONFLICT, AGE, MISSING, VARIANT)
A_YEAR = 365.0  # days; section 3.1.3: a page not touched for more than a year is likely to be out of date
ID_DIGITS = 16
_SOME_YEARS = re.compile(r"[,、(]\s*(?:19|20)\d\d(?:\s?[-–~〜]\s?(?:(?:19|20)\d\d)?)?\)?$")
UNLIKE_RECORDS = 6  # records in which two pages must have a field before it can be called two fields
UNLIKE_SHARE = 0.1  # of them agree, at most

_BY_DIGITS = ("phone", "mail", "code", "number", "money")
_IN_WORDS = ("post", "text")

# How sure one can be of a kind before the pair's own score is looked at: what is compared by its digits is
# sure, free text is not.
_SURE = {
    "mail": 1.0, "phone": 1.0, "date": 0.95, "money": 0.95, "number": 0.95, "code": 0.95, "name": 0.8,
    "post": 0.85,
    "place": 0.9, "hours": 0.9, "url": 0.8,
}  # fmt: skip
_TEXT_SURE = 0.8
_LESS_SURE = {AGE: 0.85, MISSING: 0.7, VARIANT: 0.9}
_OF_A_LIST = 0.75  # what a heading says of all of its list
_IMPLIED = 0.9  # a pair that other pairs imply
_OTHER_SCRIPT = 0.85  # names that were matched by their reading


@dataclass(frozen=True, slots=True)
class Side:
    """A record on one side of a contradiction, and the value that stands there."""

    record: int
    url: str
    path: str
    title: str
    time: datetime | None
    value: str
    label: str


@dataclass(frozen=True, slots=True)
class Contradiction:
    """A field in which two corresponding records differ, with both values as they stand on the pages.

    ``id`` depends on the facts alone (what is described, field, both values, both pages), so that a later
    run can tell what is new. ``slip``: the values differ as a slip of the hand makes them differ.
    """

    id: str
    kind: str
    concept: str
    field: str
    a: Side
    b: Side
    confidence: float
    days: float
    slip: bool = False


def contradictions(connection: duckdb.DuckDBPyConnection, schema: Schema) -> list[Contradiction]:
    """All contradictions of the corresponding pairs, the likeliest mistakes first."""
    differing_fields(connection)
    found: dict[str, Contradiction] = {}
    for row in differing_rows(connection):
        item = _contradiction(row, schema)
        if item is not None and (item.id not in found or found[item.id].confidence < item.confidence):
            found[item.id] = item
    return sorted(_once_a_copy(connection, list(found.values())), key=likeliest_first)


def likeliest_first(item: Contradiction) -> tuple[Any, ...]:
    """The order of results: the worst kind, then the surest."""
    return KINDS.index(item.kind), -item.confidence, item.a.url, item.b.url, item.field, item.id


def _contradiction(row: Mapping[str, Any], schema: Schema) -> Contradiction | None:
    """The contradiction of a pair in a field; None where the values agree after all."""
    concept = row["concept"]
    mine, theirs = row["mine"], row["theirs"]
    times = [datetime.fromisoformat(row[side]) if row[side] else None for side in ("time_x", "time_y")]
    days = days_between(*times)
    if not mine or not theirs:
        kind, values, slip = MISSING, (_first(mine), _first(theirs)), False
    else:
        verdict = _verdict(row, schema, times, days)
        if verdict is None:
            return None
        kind, values, slip = verdict
    sides = [
        Side(
            row["x"],
            row["url_x"],
            row["path_x"],
            row["title_x"],
            times[0],
            values[0],
            _label(mine, values[0]),
        ),
        Side(
            row["y"],
            row["url_y"],
            row["path_y"],
            row["title_y"],
            times[1],
            values[1],
            _label(theirs, values[1]),
        ),
    ]
    return Contradiction(
        id=_fact_id(concept, sides),
        kind=kind,
        concept=concept,
        field=shown_field(
            concept, [side.label for side in sides if side.label], [side.title for side in sides]
        ),
        a=sides[0],
        b=sides[1],
        confidence=_confidence(row, schema.kind_of(concept), kind, days, slip),
        days=round(days, 1),
        slip=slip,
    )


def _verdict(
    row: Mapping[str, Any],
    schema: Schema,
    times: Sequence[datetime | None],
    days: float,
) -> tuple[str, tuple[str, str], bool] | None:
    concept = row["concept"]
    kind = schema.kind_of(concept)
    match, one, other = best_match(
        kind, [item["value"] for item in row["mine"]], [item["value"] for item in row["theirs"]]
    )
    alike = _pages_alike(row)
    if match is Match.INCOMPARABLE and alike:
        match = Match.DIFFERENT  # a page in the same words says something else here
    if match in (Match.SAME, Match.SAME_MEANING, Match.INCOMPARABLE) or _bare(one) == _bare(other):
        return None
    if concept == "affiliation" and (_SOME_YEARS.search(one) or _SOME_YEARS.search(other)):
        return None  # a line of a career or of a bibliography: true of its year
    if match is Match.VARIANT:
        return VARIANT, (one, other), False
    if days < A_YEAR and row["met"] >= UNLIKE_RECORDS and row["share"] < UNLIKE_SHARE:
        return None  # two fields that we take for one
    slip = (kind in _BY_DIGITS and is_slip(one, other)) or (kind in _IN_WORDS and is_misspelt(one, other))
    explained = not slip and _age_explains(row, schema, times, days)
    if explained and scripts_apart(one, other) and not alike:
        return None  # an old page and a translation: two explanations, and nothing that anybody could mend
    return AGE if explained else CONFLICT, (one, other), slip


def _pages_alike(row: Mapping[str, Any]) -> bool:
    """Whether the two pages say the same in this field of nearly all their records, word for word."""
    alike, records = row["alike"], row["met"]
    return bool(row["concept"] != "name" and alike >= COPY_RECORDS and alike >= COPY_SHARE * records)


def _age_explains(
    row: Mapping[str, Any], schema: Schema, times: Sequence[datetime | None], days: float
) -> bool:
    """Whether the older page may have been right in its time: the field changes as a matter of course, and
    the pages tell of different times. New pages that contradict each other are a pair of their own.
    """
    concept = schema.concept(row["concept"])
    return concept is not None and concept.changing and (days >= A_YEAR or _of_other_years(row, times))


def _of_other_years(row: Mapping[str, Any], times: Sequence[datetime | None]) -> bool:
    """Whether an address names the year of one page, and the other page is of another year or of none: the
    list of a year beside that of today.
    """
    named = [year_of(row[side]) for side in ("url_x", "url_y")]
    years = [year or (time.year if time else None) for year, time in zip(named, times, strict=True)]
    return any(named) and years[0] != years[1]


def _confidence(row: Mapping[str, Any], value_kind: str, kind: str, days: float, slip: bool) -> float:
    sure = _SURE.get(value_kind, _TEXT_SURE) * _LESS_SURE.get(kind, 1.0)
    if row["origin"] == SECTION:
        sure *= _OF_A_LIST
    if row["implied"]:
        sure *= _IMPLIED
    if row["how"]:
        sure *= _OTHER_SCRIPT
    if kind == CONFLICT and days >= A_YEAR:
        sure *= 0.85
    if slip:
        sure = min(1.0, sure * 1.05)
    return round(sure * float(row["score"]), 3)


def _once_a_copy(
    connection: duckdb.DuckDBPyConnection, items: Sequence[Contradiction]
) -> list[Contradiction]:
    """The contradictions, of those that copies of a page repeat only the surest."""
    first_of = copies(connection)
    best: dict[tuple[Any, ...], Contradiction] = {}
    for item in items:
        sides = sorted(
            (first_of.get(side.url, side.url), key_of("name", side.title), _bare(side.value))
            for side in (item.a, item.b)
        )
        key = (item.concept, item.kind == MISSING, *sides)
        if key not in best or likeliest_first(item) < likeliest_first(best[key]):
            best[key] = item
    return list(best.values())


def _bare(value: str) -> str:
    """A value without width, case, spaces and signs: what differs only in these is not worth reading."""
    return re.sub(r"[\W_]+", "", unicodedata.normalize("NFKC", value).casefold())


def _first(items: Sequence[Mapping[str, str]]) -> str:
    return min((item["value"] for item in items), default="")


def _label(items: Sequence[Mapping[str, str]], value: str) -> str:
    return next((item["label"] for item in items if item["value"] == value), "")


def _fact_id(concept: str, sides: Sequence[Side]) -> str:
    about = min((key_of("name", side.title) for side in sides), default="")
    facts = sorted((side.url, side.value) for side in sides)
    text = "\x1f".join((about, concept, *(part for side in facts for part in side)))
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:ID_DIGITS]


def shown_field(concept: str, labels: Sequence[str], titles: Sequence[str]) -> str:
    """What a field is called in results: as both pages call it, else as the concept is called in their
    language. ``labels`` are those of the pages, ``titles`` the names of the records.
    """
    concept_known = built_in().concept(concept)
    alike = len(set(map(folded_label, labels))) == 1
    japanese = any(not text.isascii() for text in (*labels, *titles))
    if labels and (concept_known is None or (alike and (not labels[0].isascii() or not japanese))):
        return labels[0]
    if concept_known is None:
        return concept
    names = concept_known.labels
    if japanese or names[0] in labels:
        return names[0]
    return next((label for label in names if label.isascii()), names[0])
