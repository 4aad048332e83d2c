"""Records on disk while they are compared: tables of records, names, surnames, values and links.

Pages come one by one and leave rows behind; no more than a batch of them is held in memory.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from ruiji.detector.records.fields.concepts import Schema
from ruiji.detector.records.fields.name_keys import name_keys, surname_keys
from ruiji.detector.records.fields.occasions import occasion_of
from ruiji.detector.records.fields.values import key_of
from ruiji.detector.records.model import EVENT, PERSON, Field, PageRecords, Record
from ruiji.detector.sites import registered_domain

BATCH = 20_000  # records in memory
LONGEST_VALUE = 400  # characters of a value that is compared

_TEXT, _NUMBER = pa.string(), pa.int64()
SCHEMAS = {
    "records": pa.schema(
        [("n", _NUMBER), ("page", _NUMBER)]
        + [
            (name, _TEXT)
            for name in "url host domain kind layout path title about fields empty list heading time "
            "time_source year day".split()
        ]
    ),
    "names": pa.schema([("n", _NUMBER), ("key", _TEXT), ("how", pa.int8()), ("whole", pa.bool_())]),
    "surnames": pa.schema([("n", _NUMBER), ("key", _TEXT)]),
    "vals": pa.schema(
        [("n", _NUMBER)] + [(name, _TEXT) for name in "concept kind key value origin label".split()]
    ),
    "pages": pa.schema([(name, _TEXT) for name in "url time time_source digest".split()]),
    "links": pa.schema([("host", _TEXT), ("target", _TEXT)]),
}


@dataclass(frozen=True, slots=True)
class Staged:
    """The folder of staged tables, and how many pages and records they hold."""

    folder: Path
    pages: int
    records: int

    def path(self, table: str) -> str:
        return str(self.folder / f"{table}.parquet")


def stage_records(pages: Iterable[PageRecords], folder: Path, schema: Schema) -> Staged:
    """Writes the records of pages; pages without any only count."""
    folder.mkdir(parents=True, exist_ok=True)
    writers = {name: pq.ParquetWriter(folder / f"{name}.parquet", shape) for name, shape in SCHEMAS.items()}
    rows: dict[str, list[dict[str, Any]]] = {name: [] for name in SCHEMAS}
    count = number = 0
    try:
        for count, page in enumerate(pages, 1):
            number = _add(page, count - 1, number, rows, schema)
            if len(rows["records"]) >= BATCH:
                _flush(rows, writers)
        _flush(rows, writers)
        for writer in writers.values():
            writer.close()
    except BaseException:
        for writer in writers.values():
            writer.is_open = False  # else pyarrow tries to write its end once more, and complains
        raise
    return Staged(folder, count, number)


def _add(
    page: PageRecords, page_number: int, number: int, rows: dict[str, list[dict[str, Any]]], schema: Schema
) -> int:
    domain = registered_domain(page.site)
    targets = {registered_domain(target) for target in page.links} - {domain}
    rows["links"] += [{"host": domain, "target": target} for target in sorted(targets)]
    time = page.time.isoformat() if page.time else ""
    rows["pages"].append(
        {"url": page.url, "time": time, "time_source": page.time_source, "digest": page.digest}
    )
    for record in page.records:
        rows["records"].append(
            {
                "n": number, "page": page_number, "url": page.url, "host": page.site, "domain": domain,
                "kind": record.kind, "layout": record.layout, "path": record.path, "title": record.title,
                "about": key_of("name", record.title) or record.path,
                "fields": json.dumps([_field_row(field) for field in record.fields], ensure_ascii=False),
                "empty": json.dumps(list(record.empty), ensure_ascii=False), "list": record.group,
                "heading": record.heading, "time": time, "time_source": page.time_source, **_day(record),
            }
        )  # fmt: skip
        spelled = [field.value for field in record.fields if field.concept in ("name", "reading")]
        rows["names"] += [
            {"n": number, "key": key.key, "how": key.how, "whole": key.full} for key in name_keys(spelled)
        ]
        if record.kind == PERSON:
            rows["surnames"] += [{"n": number, "key": key} for key in surname_keys(spelled)]
        rows["vals"] += list(_values(record, number, schema))
        number += 1
    return number


def _day(record: Record) -> dict[str, str]:
    """The year and the day of an event; "" where it has none, and for other records."""
    said = [occasion_of(field.value) for field in record.fields if field.concept == "time"]
    known = next(filter(None, said), None) if record.kind == EVENT else None
    if known is None:
        return {"year": "", "day": ""}
    return {"year": str(known.year or ""), "day": f"{known.month:02d}-{known.day:02d}"}


def _field_row(field: Field) -> dict[str, str]:
    return {
        "label": field.label, "concept": field.concept, "kind": field.kind, "value": field.value,
        "origin": field.origin,
    }  # fmt: skip


def _values(record: Record, number: int, schema: Schema) -> Iterator[dict[str, Any]]:
    for field in record.fields:
        if field.concept in ("reading", "note", "contact") or len(field.value) > LONGEST_VALUE:
            continue
        key = key_of(schema.kind_of(field.concept), field.value)
        if key:
            yield {
                "n": number, "concept": field.concept, "kind": field.kind, "key": key, "value": field.value,
                "origin": field.origin, "label": field.label,
            }  # fmt: skip


def _flush(rows: dict[str, list[dict[str, Any]]], writers: Mapping[str, pq.ParquetWriter]) -> None:
    for name, batch in rows.items():
        if batch:
            writers[name].write_table(pa.Table.from_pylist(batch, schema=SCHEMAS[name]))
            batch.clear()
