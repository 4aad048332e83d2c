"""The folder of a comparison of records: what is written, and how it is read again."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from ruiji.corpora.files import replacing
from ruiji.corpora.page import InputError
from ruiji.detector.parquet import write_rows
from ruiji.detector.records.book import Book
from ruiji.detector.records.compare.contradictions import KINDS, Contradiction
from ruiji.detector.records.compare.correspondence import Place
from ruiji.detector.records.fields.values import key_of
from ruiji.detector.records.markup.pieces import ORGANISATION, SPACED_NAME

RECORDS, CORRESPONDENCES, LISTS, CONFLICTS, NEW, DESCRIPTION = (
    "records.parquet", "correspondences.parquet", "lists.parquet", "conflicts.jsonl", "new.jsonl", "run.json",
)  # fmt: skip
ID_DIGITS = 16

_TEXT = pa.string()
RECORD_SCHEMA = pa.schema(
    [
        (name, _TEXT)
        for name in (
            "id",
            "url",
            "path",
            "kind",
            "layout",
            "label",
            "fields",
            "empty",
            "group",
            "time",
            "time_source",
        )
    ]
    + [("set", pa.int64())]
)
LIST_SCHEMA = pa.schema(
    [(name, _TEXT) for name in ("url_a", "path_a", "url_b", "path_b")] + [("score", pa.float64())]
)
PAIR_SCHEMA = pa.schema(
    [*LIST_SCHEMA, ("similarity", pa.float64()), ("id_a", _TEXT), ("id_b", _TEXT), ("agreeing", _TEXT)]
)


@dataclass(frozen=True, slots=True)
class Written:
    """What a folder of results holds, read back."""

    folder: Path

    def __post_init__(self) -> None:
        for name in (RECORDS, CORRESPONDENCES, CONFLICTS):
            if not (self.folder / name).is_file():
                raise InputError(f"{self.folder}: no results of ruiji records there ({name} is missing)")

    def records(self) -> list[dict[str, Any]]:
        """The records, their fields as lists of label, concept, kind, value."""
        rows: list[dict[str, Any]] = pq.read_table(self.folder / RECORDS).to_pylist()
        for row in rows:
            row["fields"] = json.loads(row["fields"])
            row["empty"] = json.loads(row["empty"])
        return rows

    def correspondences(self) -> list[dict[str, Any]]:
        rows: list[dict[str, Any]] = pq.read_table(self.folder / CORRESPONDENCES).to_pylist()
        return rows

    def conflicts(self) -> Iterator[dict[str, Any]]:
        with (self.folder / CONFLICTS).open(encoding="utf-8") as stream:
            yield from map(json.loads, stream)

    def description(self) -> dict[str, Any]:
        path = self.folder / DESCRIPTION
        found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
        return found


def write_book(book: Book, folder: Path, since: Written | None = None) -> dict[str, Any]:
    """Writes the results; returns the counts. With ``since``, what that run did not have is told apart."""
    ids = record_ids(book.places)
    write_rows([_batch(_record_rows(book, ids), RECORD_SCHEMA)], RECORD_SCHEMA, folder / RECORDS)
    write_rows([_batch(_pair_rows(book, ids), PAIR_SCHEMA)], PAIR_SCHEMA, folder / CORRESPONDENCES)
    lists = [
        {
            "url_a": one.url_a,
            "path_a": one.path_a,
            "url_b": one.url_b,
            "path_b": one.path_b,
            "score": one.score,
        }
        for one in book.lists
    ]
    write_rows([_batch(lists, LIST_SCHEMA)], LIST_SCHEMA, folder / LISTS)
    rows = conflict_rows(book, ids)
    counts: dict[str, Any] = {
        "pages": len(book.sources),
        "records": len(book.places),
        "correspondences": len(book.pairs),
        "lists": len(book.lists),
        "sets": sum(count > 1 for count in Counter(book.sets).values()),
        "contradictions": {kind: sum(row["kind"] == kind for row in rows) for kind in KINDS},
    }
    _write_lines(rows, folder / CONFLICTS)
    if since is not None:
        known = {row["id"] for row in since.conflicts()}
        new = [row for row in rows if row["id"] not in known]
        _write_lines(new, folder / NEW)
        counts["new"] = {kind: sum(row["kind"] == kind for row in new) for kind in KINDS}
    else:
        (folder / NEW).unlink(missing_ok=True)
    return counts


def _write_lines(rows: Sequence[Mapping[str, Any]], destination: Path) -> None:
    with replacing(destination) as stream:
        for row in rows:
            stream.write(json.dumps(row, ensure_ascii=False).encode("utf-8", "replace") + b"\n")


def record_ids(places: Sequence[Place]) -> list[str]:
    """An id for each record that stays while page and name do: of the second of one name on a page also its
    number.
    """
    seen: Counter[tuple[str, str]] = Counter()
    found = []
    for place in places:
        about = key_of("name", place.record.title) or place.record.path
        seen[place.url, about] += 1
        number = seen[place.url, about]
        text = "\x1f".join((place.url, about, str(number) if number > 1 else ""))
        found.append(hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:ID_DIGITS])
    return found


def _record_rows(book: Book, ids: Sequence[str]) -> list[dict[str, Any]]:
    rows = []
    for place, record_id, number in zip(book.places, ids, book.sets, strict=True):
        record = place.record
        fields = [
            {"label": one.label, "concept": one.concept, "kind": one.kind, "value": one.value}
            for one in record.fields
        ]
        rows.append(
            {
                "id": record_id, "url": place.url, "path": record.path, "kind": kind_of(place), "layout": record.layout,
                "label": record.title, "fields": json.dumps(fields, ensure_ascii=False),
                "empty": json.dumps(list(record.empty), ensure_ascii=False),
                "group": record.group, "time": _time(place), "time_source": book.sources.get(place.url, ""), "set": number,
            }
        )  # fmt: skip
    return rows


def kind_of(place: Place) -> str:
    """What a record is about, as far as one can see: person, product, organisation or other."""
    values = place.values
    if {"price", "weight", "size", "stock", "maker"} & set(values):
        return "product"
    if {"established", "capital", "employees", "hours", "closed", "members"} & set(
        values
    ) or ORGANISATION.search(place.record.title):
        return "organisation"
    if {"post", "mail", "ext", "degree", "birth"} & set(values) or SPACED_NAME.fullmatch(place.record.title):
        return "person"
    return "organisation" if "address" in values else "other"


def _pair_rows(book: Book, ids: Sequence[str]) -> list[dict[str, Any]]:
    rows = []
    for pair in book.pairs:
        one, other = book.places[pair.one], book.places[pair.other]
        rows.append(
            {
                "url_a": one.url, "path_a": one.record.path, "url_b": other.url, "path_b": other.record.path, "score": pair.score,
                "similarity": pair.similarity, "id_a": ids[pair.one], "id_b": ids[pair.other], "agreeing": " ".join(pair.agreeing),
            }
        )  # fmt: skip
    return rows


def conflict_rows(book: Book, ids: Sequence[str]) -> list[dict[str, Any]]:
    """The contradictions as they are written: the worst kind first, the surest of it first, each fact
    once.
    """
    rows: dict[str, dict[str, Any]] = {}
    for found in book.contradictions:
        row = _conflict_row(book, found, ids)
        if found.id not in rows or rows[found.id]["confidence"] < row["confidence"]:
            rows[found.id] = row
    return sorted(rows.values(), key=_worst_first)


def _worst_first(row: Mapping[str, Any]) -> tuple[Any, ...]:
    return KINDS.index(row["kind"]), -row["confidence"], row["url_a"], row["url_b"], row["field"], row["id"]


def _conflict_row(book: Book, found: Contradiction, ids: Sequence[str]) -> dict[str, Any]:
    one, other = book.places[found.one], book.places[found.other]
    return {
        "id": found.id, "kind": found.kind, "field": found.field, "value_a": found.value_a, "value_b": found.value_b,
        "url_a": one.url, "url_b": other.url, "time_a": _time(one), "time_b": _time(other), "confidence": found.confidence,
        "label": one.record.title or other.record.title,
        "quote_a": _quotation(one, found.value_a), "quote_b": _quotation(other, found.value_b),
        "path_a": one.record.path, "path_b": other.record.path, "record_a": ids[found.one], "record_b": ids[found.other],
        "days": found.days, "slip": found.slip,
    }  # fmt: skip


def _quotation(place: Place, value: str) -> str:
    """The value as the page has it: after its label, and after the name of what it is about."""
    field = next((one for one in place.record.fields if one.value == value), None)
    if field is None:
        return ""
    said = (
        f"{field.label}：{value}"
        if field.label and not field.label.isascii()
        else f"{field.label}: {value}"
        if field.label
        else value
    )
    return said if field.concept == "name" or not place.record.title else f"{place.record.title} … {said}"


def _time(place: Place) -> str:
    return place.time.isoformat() if place.time else ""


def _batch(rows: Sequence[Mapping[str, Any]], schema: pa.Schema) -> pa.Table:
    return pa.Table.from_pylist([dict(row) for row in rows], schema=schema)
