"""The folder of a comparison of records: what is written, and how it is read again."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from ruiji.corpora.errors import json_of, reading_results
from ruiji.corpora.files import replacing
from ruiji.corpora.page import InputError
from ruiji.detector.parquet import write_rows
from ruiji.detector.records.compare.contradictions import KINDS, Contradiction, Side
from ruiji.detector.records.disagreements import disagreements

RECORDS, CORRESPONDENCES, LISTS, PAGES, CONFLICTS, NEW, DESCRIPTION = (
    "records.parquet", "correspondences.parquet", "lists.parquet", "pages.parquet", "conflicts.jsonl",
    "new.jsonl",
    "run.json",
)  # fmt: skip
ID_DIGITS = 16

_TEXT = pa.string()
RECORD_SCHEMA = pa.schema(
    [(name, _TEXT) for name in "id url path kind layout label fields empty group time time_source".split()]
    + [("set", pa.int64())]
)
PAGE_SCHEMA = pa.schema([(name, _TEXT) for name in ("url", "time", "time_source", "digest")])
LIST_SCHEMA = pa.schema(
    [(name, _TEXT) for name in ("url_a", "path_a", "url_b", "path_b")]
    + [("score", pa.float64()), ("records", pa.int64())]
)
PAIR_SCHEMA = pa.schema(
    [(name, _TEXT) for name in ("url_a", "path_a", "url_b", "path_b")]
    + [("score", pa.float64()), ("bits", pa.float64())]
    + [(name, _TEXT) for name in ("id_a", "id_b", "agreeing", "reasons")]
)


@dataclass(frozen=True, slots=True)
class RecordsFolder:
    """What a folder of results holds, read back."""

    folder: Path

    def __post_init__(self) -> None:
        for name in (RECORDS, CORRESPONDENCES, CONFLICTS):
            if not (self.folder / name).is_file():
                raise InputError(f"{self.folder}: no results of ruiji records there ({name} is missing)")

    def records(self) -> list[dict[str, Any]]:
        """The records, their fields as lists of label, concept, kind, value, origin."""
        rows: list[dict[str, Any]] = pq.read_table(self.folder / RECORDS).to_pylist()
        for row in rows:
            row["fields"] = json_of(row["fields"])
            row["empty"] = json_of(row["empty"])
        return rows

    def correspondences(self) -> list[dict[str, Any]]:
        rows: list[dict[str, Any]] = pq.read_table(self.folder / CORRESPONDENCES).to_pylist()
        return rows

    def reasons(self, pairs: Iterable[tuple[str, str]]) -> dict[frozenset[str], list[tuple[str, float]]]:
        """For each of these pairs of records what speaks for their being one, and with how many bits."""
        wanted = {frozenset(pair) for pair in pairs}
        ids = pa.array(sorted({record for pair in wanted for record in pair}), _TEXT)
        rows = pq.read_table(
            self.folder / CORRESPONDENCES,
            columns=["id_a", "id_b", "reasons"],
            filters=pc.field("id_a").isin(ids) & pc.field("id_b").isin(ids),
        ).to_pylist()
        return {
            ends: [(item["reason"], item["bits"]) for item in json_of(row["reasons"])]
            for row in rows
            if (ends := frozenset((row["id_a"], row["id_b"]))) in wanted
        }

    def conflicts(self) -> Iterator[dict[str, Any]]:
        with (self.folder / CONFLICTS).open(encoding="utf-8") as stream:
            yield from map(json_of, stream)

    def pages(self) -> dict[str, dict[str, str]]:
        """For each page its time, where that comes from, and the digest of its content; none of an older
        run.
        """
        path = self.folder / PAGES
        rows: list[dict[str, str]] = pq.read_table(path).to_pylist() if path.is_file() else []
        return {row["url"]: row for row in rows}

    def description(self) -> dict[str, Any]:
        path = self.folder / DESCRIPTION
        found: dict[str, Any] = json_of(path.read_text(encoding="utf-8")) if path.is_file() else {}
        return found


def write_results(
    connection: duckdb.DuckDBPyConnection,
    items: Sequence[Contradiction],
    folder: Path,
    since: RecordsFolder | None = None,
) -> dict[str, Any]:
    """Writes the results; returns the counts. With ``since``, what that run did not have is told apart.

    The connection has the tables records, sets, final (see comparison.py).
    """
    for name in (CONFLICTS, DESCRIPTION):  # files of two runs side by side are no results
        (folder / name).unlink(missing_ok=True)
    _identify(connection)
    write_rows(_record_batches(connection), RECORD_SCHEMA, folder / RECORDS)
    write_rows(_pair_batches(connection), PAIR_SCHEMA, folder / CORRESPONDENCES)
    write_rows(_list_batches(connection), LIST_SCHEMA, folder / LISTS)
    write_rows(_page_batches(connection), PAGE_SCHEMA, folder / PAGES)
    ids = _ids(connection, items)
    rows = [_conflict_row(item, *ids[item.a.record], ids[item.b.record][0]) for item in items]
    _write_lines(rows, folder / CONFLICTS)
    counts: dict[str, Any] = {
        "correspondences": _number(connection, "SELECT count(*) FROM final"),
        "lists": pq.read_metadata(folder / LISTS).num_rows,
        "sets": _number(
            connection, "SELECT count(*) FROM (SELECT set FROM sets GROUP BY set HAVING count(*) > 1)"
        ),
        "contradictions": _kinds(rows),
        "facts": _kinds(one.surest for one in disagreements(rows)),
    }
    if since is not None:
        with reading_results(since.folder):
            known = {row["id"] for row in since.conflicts()}
        new = [row for row in rows if row["id"] not in known]
        _write_lines(new, folder / NEW)
        counts["new"] = _kinds(new)
    else:
        (folder / NEW).unlink(missing_ok=True)
    return counts


def _number(connection: duckdb.DuckDBPyConnection, query: str) -> int:
    row = connection.execute(query).fetchone()
    return int(row[0]) if row else 0


def _kinds(rows: Iterable[Mapping[str, Any]]) -> dict[str, int]:
    counted = Counter(row["kind"] for row in rows)
    return {kind: counted[kind] for kind in KINDS}


def _identify(connection: duckdb.DuckDBPyConnection) -> None:
    """An id for each record that stays while page and name do: of the second of one name on a page also its
    number.
    """
    connection.execute(f"""
        CREATE TABLE ids AS
        SELECT n, left(sha256(concat_ws(chr(31), url, about, CASE WHEN place > 1 THEN place::VARCHAR ELSE ''
            END)),
                       {ID_DIGITS}) AS id
        FROM (SELECT n, url, about, row_number() OVER (PARTITION BY url, about ORDER BY n) AS place FROM
            records)
    """)


def _record_batches(connection: duckdb.DuckDBPyConnection) -> Iterator[pa.RecordBatch]:
    rows = connection.sql("""
        SELECT id, url, path, kind, layout, title AS label, fields, empty, list AS "group", time,
            time_source, set
        FROM records JOIN ids USING (n) JOIN sets USING (n) ORDER BY url, n
    """)
    yield from rows.to_arrow_reader(20_000)


def _pair_batches(connection: duckdb.DuckDBPyConnection) -> Iterator[pa.Table]:
    cursor = connection.execute("""
        SELECT a.url, a.path, b.url, b.path, final.score, final.bits, ia.id, ib.id, final.implied, final.how,
            final.name_bits,
               final.site_bits, final.support_bits, final.fields
        FROM final JOIN records a ON a.n = x JOIN records b ON b.n = y JOIN ids ia ON ia.n = x JOIN ids ib ON
            ib.n = y
        ORDER BY a.url, a.n, b.url, b.n
    """)
    while rows := cursor.fetchmany(50_000):
        yield pa.Table.from_pylist([_pair_row(row) for row in rows], schema=PAIR_SCHEMA)


_HOW = {0: "name", 1: "name by sound", 2: "name by reading", 3: "name by reading", 9: "similar name"}
IMPLIED, SITES, SUPPORT = "other pairs of the set", "sites", "other records of both pages"
STATED_REASONS = frozenset((*_HOW.values(), IMPLIED, SITES, SUPPORT))  # the others are fields


def _pair_row(row: Sequence[Any]) -> dict[str, Any]:
    url_a, path_a, url_b, path_b, score, bits, id_a, id_b, implied, how, name, site, support, fields = row
    reasons = [(IMPLIED, 0.0)] if implied else [(_HOW.get(how, "name"), round(name, 1))]
    if not implied:
        reasons += [(item["field"], float(item["bits"])) for item in fields or ()]
        reasons += [(SITES, float(site))] if site else []
        reasons += [(SUPPORT, round(support, 1))] if support else []
    agreeing = [reason for reason, weight in reasons if weight > 0]
    return {
        "url_a": url_a, "path_a": path_a, "url_b": url_b, "path_b": path_b, "score": score,
        "bits": round(bits, 2) if bits is not None else None, "id_a": id_a, "id_b": id_b,
        "agreeing": ", ".join(agreeing),
        "reasons": json.dumps([{"reason": text, "bits": weight} for text, weight in reasons],
            ensure_ascii=False),
    }  # fmt: skip


def _list_batches(connection: duckdb.DuckDBPyConnection) -> Iterator[pa.RecordBatch]:
    """Lists whose records correspond: two or more of them, with the share of the shorter list."""
    rows = connection.sql("""
        WITH sizes AS (SELECT url, list, count(*) AS size FROM records GROUP BY ALL)
        SELECT a.url AS url_a, a.list AS path_a, b.url AS url_b, b.list AS path_b,
               round(count(*) / least(any_value(sa.size), any_value(sb.size)), 4) AS score, count(*) AS
                   records
        FROM final JOIN records a ON a.n = x JOIN records b ON b.n = y
        JOIN sizes sa ON sa.url = a.url AND sa.list = a.list JOIN sizes sb ON sb.url = b.url AND sb.list =
            b.list
        GROUP BY a.url, a.list, b.url, b.list HAVING count(*) >= 2 ORDER BY ALL
    """)
    yield from rows.to_arrow_reader(20_000)


def _page_batches(connection: duckdb.DuckDBPyConnection) -> Iterator[pa.RecordBatch]:
    yield from connection.sql("SELECT * FROM pages ORDER BY url").to_arrow_reader(20_000)


def _ids(connection: duckdb.DuckDBPyConnection, items: Sequence[Contradiction]) -> dict[int, tuple[str, int]]:
    """The id and the set of each record that a contradiction is about."""
    numbers = sorted({side.record for item in items for side in (item.a, item.b)})
    connection.register("asked", pa.table({"n": pa.array(numbers, pa.int64())}))
    rows = connection.execute("SELECT n, id, set FROM ids JOIN sets USING (n) SEMI JOIN asked USING (n)")
    return {n: (record, number) for n, record, number in rows.fetchall()}


def _conflict_row(item: Contradiction, record_a: str, number: int, record_b: str) -> dict[str, Any]:
    return {
        "id": item.id, "kind": item.kind, "field": item.field, "value_a": item.a.value,
        "value_b": item.b.value,
        "url_a": item.a.url, "url_b": item.b.url, "time_a": _time(item.a), "time_b": _time(item.b),
        "confidence": item.confidence, "label": item.a.title or item.b.title, "concept": item.concept,
        "quote_a": _quotation(item.a, item.concept), "quote_b": _quotation(item.b, item.concept),
        "path_a": item.a.path, "path_b": item.b.path, "record_a": record_a, "record_b": record_b,
        "set": number, "days": item.days, "slip": item.slip,
    }  # fmt: skip


def _quotation(side: Side, concept: str) -> str:
    """The value as the page has it: after its label, and after the name of what it is about."""
    if not side.value:
        return ""
    colon = "：" if side.label and not side.label.isascii() else ": "
    said = f"{side.label}{colon}{side.value}" if side.label else side.value
    return said if concept == "name" or not side.title else f"{side.title} … {said}"


def _time(side: Side) -> str:
    return side.time.isoformat() if side.time else ""


def _write_lines(rows: Sequence[Mapping[str, Any]], destination: Path) -> None:
    with replacing(destination) as stream:
        for row in rows:
            stream.write(json.dumps(row, ensure_ascii=False).encode("utf-8", "replace") + b"\n")
