"""Comparing the records of many pages: staged, matched, gathered into sets, held against each other, written.

counts = compare_pages(pages, out, schema, settings)
"""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa

from ruiji.detector.records.compare.contradictions import contradictions
from ruiji.detector.records.compare.matching import MatchSettings, match, open_staged
from ruiji.detector.records.compare.paper import PaperSettings, match_as_published
from ruiji.detector.records.compare.sets import correspondence_sets
from ruiji.detector.records.compare.staging import stage_records
from ruiji.detector.records.fields.concepts import Schema
from ruiji.detector.records.folder import RecordsFolder, write_results
from ruiji.detector.records.model import PageRecords

STAGING = ".staging"  # below the folder of results, while a run lasts


@dataclass(frozen=True, slots=True)
class CompareSettings:
    """How records are compared: the method, how sure a contradiction must be, and what the engine may use."""

    min_confidence: float = 0.0
    matching: MatchSettings = field(default_factory=MatchSettings)
    paper: PaperSettings | None = None  # the method of the paper in place of ours


def compare_pages(
    pages: Iterable[PageRecords],
    out: Path,
    schema: Schema,
    settings: CompareSettings | None = None,
    since: RecordsFolder | None = None,
) -> dict[str, Any]:
    """Writes the results of comparing these pages into a folder; returns the counts."""
    chosen = settings or CompareSettings()
    staging = out / STAGING
    shutil.rmtree(staging, ignore_errors=True)  # of a run that was killed
    try:
        staged = stage_records(pages, staging, schema)
        connection = open_staged(staged, chosen.matching, staging)
        if chosen.paper is None:
            match(connection, chosen.matching)
        else:
            match_as_published(connection, chosen.paper)
        _final(connection, closed=chosen.paper is None)
        items = [
            item for item in contradictions(connection, schema) if item.confidence >= chosen.min_confidence
        ]
        counts = write_results(connection, items, out, since)
        connection.close()
    finally:
        shutil.rmtree(staging, ignore_errors=True)
    return {"pages": staged.pages, "records": staged.records, **counts}


def _final(connection: duckdb.DuckDBPyConnection, closed: bool) -> None:
    """The tables ``sets`` (n, set) and ``final``: the pairs of all sets, with what was found or only
    implied.
    """
    columns = connection.sql("""
        SELECT n, page, dense_rank() OVER (ORDER BY about) AS title,
               CASE WHEN regexp_matches(about, '^[\u3400-\u9fff]') AND length(about) >= 3 THEN title ELSE 0
                   END AS kanji
        FROM (SELECT n, page, about FROM records) ORDER BY n
    """).to_arrow_table()
    slips = "(x, y) IN (SELECT (x, y) FROM misspelt)" if closed else "false"
    pairs = connection.execute(f"""
        SELECT x, y, score, {slips} AS slip FROM pairs ORDER BY slip, bits DESC, x, y
    """)
    pages, titles, kanji = (columns[name].to_pylist() for name in ("page", "title", "kanji"))
    sets = correspondence_sets(_fetched(pairs), pages, titles, kanji, closed)
    numbers = [sets.root(n) for n in columns["n"].to_pylist()]
    rank: dict[int, int] = {}
    grouped = pa.table({"n": columns["n"], "set": [rank.setdefault(number, len(rank)) for number in numbers]})
    connection.register("grouped", grouped)
    connection.execute("CREATE TABLE sets AS SELECT n::BIGINT AS n, set::BIGINT AS set FROM grouped")
    implied = pa.Table.from_batches(_batches(sets.implied()), schema=_IMPLIED)
    connection.register("implied_pairs", implied)
    together = "WHERE a.set = b.set" if closed else ""  # the paper's pairs are kept as they are
    connection.execute(f"""
        CREATE TABLE final AS
        SELECT pairs.x, pairs.y, pairs.score, pairs.bits, false AS implied, how, name_bits, site_bits,
            support_bits, fields
        FROM pairs JOIN sets a ON a.n = x JOIN sets b ON b.n = y {together}
        UNION ALL
        SELECT i.x, i.y, i.score, NULL, true, 0, NULL, NULL, NULL, NULL
        FROM implied_pairs i ANTI JOIN pairs ON pairs.x = i.x AND pairs.y = i.y
    """)


_IMPLIED = pa.schema([("x", pa.int64()), ("y", pa.int64()), ("score", pa.float64())])
_BATCH = 100_000


def _fetched(cursor: duckdb.DuckDBPyConnection) -> Iterator[tuple[int, int, float, bool]]:
    while rows := cursor.fetchmany(_BATCH):
        yield from rows


def _batches(rows: Iterable[tuple[int, int, float]]) -> Iterator[pa.RecordBatch]:
    batch: list[tuple[int, int, float]] = []
    for row in rows:
        batch.append(row)
        if len(batch) == _BATCH:
            yield _batch(batch)
            batch = []
    if batch:
        yield _batch(batch)


def _batch(rows: list[tuple[int, int, float]]) -> pa.RecordBatch:
    return pa.record_batch([list(column) for column in zip(*rows, strict=True)], schema=_IMPLIED)
