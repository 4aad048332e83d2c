"""Pairs that the lists around them make: where the lists of two pages correspond, a surname alone, or a name
with a slip in it, is enough (section 3.2 of the paper: from children to parents and back).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import duckdb
import pyarrow as pa

from ruiji.detector.records.fields.slips import one_slip_apart

# Surnames alone join records of lists that correspond: pairs between two pages, and their share, at least.
SURNAME_PAIRS, SURNAME_SHARE, SURNAME_BITS = 3, 0.4, 0.5
SURNAME_HOW = 2  # told as a name that was matched by its reading
# Likewise names that differ by a slip, between the same neighbours.
SIMILAR_PAIRS, SIMILAR_SHARE, SIMILAR_BITS = 3, 0.6, 0.5
SIMILAR_HOW = 9
_BATCH = 10_000


def surname_pairs(connection: duckdb.DuckDBPyConnection, threshold: float, sure: float) -> None:
    """Adds pairs of one name in kanji and one in Latin letters between pages whose lists correspond, where
    one record of each page has the surname and no other pair there: the given name has a reading that no
    dictionary knows. A name that meets another one of the collection by its reading is read well enough.
    """
    bits = threshold + SURNAME_BITS
    connection.execute(f"""
        INSERT INTO pairs BY NAME
        WITH lists AS (SELECT p, q FROM support WHERE pairs >= {SURNAME_PAIRS} AND share >= {SURNAME_SHARE}),
        matched AS (
            SELECT x AS n, page_y AS page FROM pairs UNION SELECT y, page_x FROM pairs
        ), well_read AS (
            SELECT DISTINCT n FROM keyed WHERE how > 0 AND key IN (
                SELECT key FROM keyed WHERE how > 0 GROUP BY key HAVING count(DISTINCT how) = 2
            )
        ), sides AS (
            SELECT lists.p, lists.q, keepers.n, keepers.page, ltrim(surnames.key, '+') AS key,
                   surnames.key LIKE '+%' AS kanji, keepers.domain
            FROM lists JOIN keepers ON keepers.page IN (lists.p, lists.q) JOIN surnames USING (n)
            ANTI JOIN well_read ON well_read.n = keepers.n
            ANTI JOIN matched ON matched.n = keepers.n
                AND matched.page = CASE WHEN keepers.page = lists.p THEN lists.q ELSE lists.p END
        ), alone AS (
            SELECT p, q, page, key, min(n) AS n, bool_or(kanji) AS kanji, min(domain) AS domain
            FROM sides GROUP BY p, q, page, key HAVING count(DISTINCT n) = 1
        ), met AS (
            SELECT DISTINCT a.n AS x, b.n AS y, a.p AS page_x, a.q AS page_y
            FROM alone a JOIN alone b ON a.p = b.p AND a.q = b.q AND a.key = b.key AND a.page = a.p
                AND b.page = b.q AND a.kanji <> b.kanji AND a.domain = b.domain
        )
        SELECT x, y, {bits} AS name_bits, {SURNAME_HOW} AS how, page_x, page_y, 0.0 AS site_bits,
               0.0 AS field_bits, 0.0 AS support_bits, {bits} AS bits,
               round(1 / (1 + pow(2, -({SURNAME_BITS} + {sure}))), 4) AS score
        FROM met
        QUALIFY count(*) OVER (PARTITION BY x, page_y) = 1 AND count(*) OVER (PARTITION BY y, page_x) = 1
    """)


def similar_names(connection: duckdb.DuckDBPyConnection, threshold: float, sure: float) -> None:
    """Adds pairs of names that differ by a slip, between pages whose lists correspond, where neither has a
    pair on the other page and both stand between the same two records; and the table ``misspelt`` of all
    pairs (x, y) of such pages whose names differ by a slip.
    """
    bits = threshold + SIMILAR_BITS
    connection.execute(f"""
        CREATE TABLE alike_lists AS
        SELECT p, q FROM support WHERE pairs >= {SIMILAR_PAIRS} AND share >= {SIMILAR_SHARE}
        UNION SELECT p, q FROM page_copies
    """)
    connection.execute("""
        CREATE TABLE placed AS
        SELECT n, page, kind, regexp_replace(lower(title), '[^\\pL\\pN]+', '', 'g') AS name,
               row_number() OVER (PARTITION BY page ORDER BY n) AS place
        FROM keepers JOIN records USING (n, page, kind)
        WHERE page IN (SELECT p FROM alike_lists UNION SELECT q FROM alike_lists)
    """)
    unmatched = connection.execute("""
        WITH sizes AS (SELECT page, max(place) AS size FROM placed GROUP BY page), met AS (
            SELECT page_x AS p, page_y AS q, a.place AS i, b.place AS j
            FROM pairs JOIN placed a ON a.n = x JOIN placed b ON b.n = y
            UNION  -- before the first records, and after the last
            SELECT p, q, 0, 0 FROM alike_lists
            UNION
            SELECT p, q, a.size + 1, b.size + 1
            FROM alike_lists JOIN sizes a ON a.page = p JOIN sizes b ON b.page = q
        ), between_same AS (
            SELECT before.p, before.q, before.i + 1 AS i, before.j + 1 AS j
            FROM met before JOIN met after
              ON after.p = before.p AND after.q = before.q AND after.i = before.i + 2
                AND after.j = before.j + 2
        )
        SELECT DISTINCT a.n, b.n, a.name, b.name, lists.p, lists.q
        FROM alike_lists lists JOIN between_same USING (p, q)
        JOIN placed a ON a.page = lists.p AND a.place = i
        JOIN placed b ON b.page = lists.q AND b.place = j AND a.kind = b.kind
        ANTI JOIN met ON met.p = lists.p AND met.q = lists.q AND met.i = a.place
        ANTI JOIN met other ON other.p = lists.p AND other.q = lists.q AND other.j = b.place
    """)
    found = [(x, y, p, q) for x, y, one, other, p, q in _rows(unmatched) if one_slip_apart(one, other)]
    connection.register("found_slips", _table(found, ("x", "y", "page_x", "page_y")))
    connection.execute(f"""
        INSERT INTO pairs BY NAME
        SELECT x, y, page_x, page_y, {bits} AS name_bits, {SIMILAR_HOW} AS how, 0.0 AS site_bits,
               0.0 AS field_bits, 0.0 AS support_bits, {bits} AS bits,
               round(1 / (1 + pow(2, -({SIMILAR_BITS} + {sure}))), 4) AS score
        FROM found_slips
    """)
    named_apart = connection.execute("""
        SELECT x, y, a.name, b.name FROM pairs JOIN alike_lists ON p = page_x AND q = page_y
        JOIN placed a ON a.n = x JOIN placed b ON b.n = y WHERE a.name <> b.name
    """)
    slips = [(x, y) for x, y, one, other in _rows(named_apart) if one_slip_apart(one, other)]
    connection.register("slips", _table(slips, ("x", "y")))
    connection.execute("CREATE TABLE misspelt AS SELECT x, y FROM slips")


def _rows(cursor: duckdb.DuckDBPyConnection) -> Iterator[tuple[Any, ...]]:
    while rows := cursor.fetchmany(_BATCH):
        yield from rows


def _table(rows: Sequence[tuple[int, ...]], names: Sequence[str]) -> pa.Table:
    columns = list(zip(*rows, strict=True)) or [()] * len(names)
    return pa.table({name: pa.array(values, pa.int64()) for name, values in zip(names, columns, strict=True)})
