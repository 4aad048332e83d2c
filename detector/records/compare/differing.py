"""The fields in which corresponding records differ, and the pages that copy each other, from the tables."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import duckdb

from ruiji.detector.records.model import EVENT, OWN, SECTION

NOT_COMPARED = ("url", "note", "contact", "reading", "access", "time", "venue", "event", "")
OF_EVENTS = ("time", "venue")  # that are compared of events: of people they are those of a talk
UNLABELLED = (
    "unlabelled"  # the concept of texts without a label, where two pages have the same of most records
)
ALIKE_HEADINGS = 2  # different headings that two pages share, at least, where others differ
ALIKE_RECORDS, ALIKE_SHARE = 3, 0.5  # records whose values two pages share, and their share, at least
COPY_RECORDS, COPY_SHARE = 5, 0.8  # wholly equal records, and their share, that make a page a copy of another


def differing_fields(connection: duckdb.DuckDBPyConnection) -> None:
    """The table ``differing``: pair and field whose values are nowhere the same, with all values of both
    sides.
    """
    skipped = ", ".join(f"'{concept}'" for concept in NOT_COMPARED)
    connection.execute(f"""
        CREATE TABLE differing AS
        WITH compared AS (
            SELECT n, concept, origin, value, label, key FROM vals WHERE concept NOT IN ({skipped})
            UNION ALL
            SELECT n, concept, origin, value, label, key
            FROM vals WHERE concept IN {OF_EVENTS} AND n IN (SELECT n FROM records WHERE kind = '{EVENT}')
        ), sides AS (
            SELECT final.x, final.y, final.score, final.implied, final.how, a.concept, a.origin,
                   list_sort(list(DISTINCT struct_pack(value := a.value, label := a.label))) AS mine,
                   list_sort(list(DISTINCT struct_pack(value := b.value, label := b.label))) AS theirs,
                   bool_or(a.value = b.value) AS equal, bool_or(a.key = b.key) AS agree
            FROM final JOIN compared a ON a.n = final.x
            JOIN vals b ON b.n = final.y AND b.concept = a.concept AND b.origin = a.origin
            GROUP BY ALL
        ), met AS (
            SELECT rx.page AS p, ry.page AS q, concept, count(*) AS records, avg(agree::INT) AS share,
                   count_if(equal) AS alike
            FROM sides JOIN records rx ON rx.n = x JOIN records ry ON ry.n = y GROUP BY ALL
        )
        SELECT sides.*, met.records AS met, met.share, met.alike
        FROM sides JOIN records rx ON rx.n = x JOIN records ry ON ry.n = y
        JOIN met ON met.p = rx.page AND met.q = ry.page AND met.concept = sides.concept
        WHERE NOT equal
    """)
    _unlabelled(connection)
    _headings(connection)
    for mine, theirs, values in (("x", "y", "said, []"), ("y", "x", "[], said")):
        connection.execute(f"""
            INSERT INTO differing
            WITH open_fields AS (
                SELECT n, unnest(from_json(empty, '["VARCHAR"]')) AS concept FROM records WHERE empty <> '[]'
            )
            SELECT x, y, score, implied, how, concept, origin, {values}, false, false, 0, 1.0, 0 FROM (
                SELECT final.x, final.y, final.score, final.implied, final.how, v.concept, v.origin,
                       [struct_pack(value := v.value, label := v.label)] AS said
                FROM final JOIN open_fields o ON o.n = final.{theirs}
                JOIN vals v ON v.n = final.{mine} AND v.concept = o.concept
                WHERE NOT final.implied AND v.concept NOT IN ({skipped})
            )
        """)


def _unlabelled(connection: duckdb.DuckDBPyConnection) -> None:
    """Adds the texts without a label of which each of two records has one that the other lacks, where the
    pages have the same texts of most of their records. What one page takes for a post, the other may take
    for a text, for other posts stand around it.
    """
    connection.execute(f"""
        INSERT INTO differing
        WITH loose AS (
            SELECT n, list(DISTINCT value) AS texts,
                   list_sort(list(DISTINCT struct_pack(value := value, concept := concept))) AS said
            FROM vals
            WHERE label = '' AND origin = '{OWN}' AND concept IN ('', 'post', 'affiliation') GROUP BY n
        ), sides AS (
            SELECT final.x, final.y, final.score, final.implied, final.how, rx.page AS p, ry.page AS q,
                   list_filter(a.said, lambda item: NOT list_contains(b.texts, item.value)) AS mine,
                   list_filter(b.said, lambda item: NOT list_contains(a.texts, item.value)) AS theirs
            FROM final JOIN loose a ON a.n = final.x JOIN loose b ON b.n = final.y
            JOIN records rx ON rx.n = final.x JOIN records ry ON ry.n = final.y
        ), met AS (
            SELECT p, q, count(*) AS records, count_if(len(mine) + len(theirs) = 0) AS alike
            FROM sides GROUP BY ALL
        )
        SELECT x, y, score, implied, how,
               coalesce(nullif(mine[1].concept, ''), nullif(theirs[1].concept, ''), '{UNLABELLED}'), '{OWN}',
               [struct_pack(value := mine[1].value, label := '')],
               [struct_pack(value := theirs[1].value, label := '')],
               false, false, met.records, alike / met.records, alike
        FROM sides JOIN met USING (p, q)
        WHERE len(mine) = 1 AND len(theirs) = 1 AND '' IN (mine[1].concept, theirs[1].concept)
          AND alike >= {ALIKE_RECORDS} AND alike >= {ALIKE_SHARE} * met.records
    """)


def _headings(connection: duckdb.DuckDBPyConnection) -> None:
    """Adds people over whom other terms or headings stand, where the same ones stand over most of the people
    of two pages: a heading says what the people below it are, known as a post or not. Who stands below two
    headings of a page is not told for one of them.
    """
    connection.execute(f"""
        INSERT INTO differing
        WITH sides AS (
            SELECT final.x, final.y, final.score, final.implied, final.how, rx.page AS p, ry.page AS q,
                   rx.heading AS mine, ry.heading AS theirs
            FROM final JOIN records rx ON rx.n = final.x JOIN records ry ON ry.n = final.y
            WHERE rx.heading <> '' AND ry.heading <> ''
        ), met AS (
            SELECT p, q, count(*) AS records, count_if(mine = theirs) AS alike,
                   count(DISTINCT CASE WHEN mine = theirs THEN mine END) AS headings
            FROM sides GROUP BY ALL
        )
        SELECT x, y, score, implied, how, 'post', '{SECTION}',
               [struct_pack(value := mine, label := '')], [struct_pack(value := theirs, label := '')],
               false, false, met.records, alike / met.records, alike
        FROM (
            SELECT *, bool_or(mine = theirs) OVER (PARTITION BY x, q)
                      OR bool_or(mine = theirs) OVER (PARTITION BY y, p) AS also_alike
            FROM sides
        ) JOIN met USING (p, q)
        WHERE NOT also_alike AND headings >= {ALIKE_HEADINGS} AND alike >= {ALIKE_RECORDS}
          AND alike >= {ALIKE_SHARE} * met.records
    """)


def differing_rows(connection: duckdb.DuckDBPyConnection) -> Iterator[dict[str, Any]]:
    """The rows of ``differing`` with their records."""
    cursor = connection.execute("""
        SELECT d.*, rx.url AS url_x, ry.url AS url_y, rx.path AS path_x, ry.path AS path_y, rx.title AS
            title_x,
               ry.title AS title_y, rx.time AS time_x, ry.time AS time_y
        FROM differing d JOIN records rx ON rx.n = x JOIN records ry ON ry.n = y
        ORDER BY x, y, concept, origin, mine, theirs
    """)
    names = [column[0] for column in cursor.description]
    while batch := cursor.fetchmany(10_000):
        for row in batch:
            yield dict(zip(names, row, strict=True))


def copies(connection: duckdb.DuckDBPyConnection) -> dict[str, str]:
    """For each page whose records are nearly all those of another, with the same values: the first of
    them.
    """
    rows = connection.execute(f"""
        WITH sizes AS (SELECT url, count(*) AS size FROM records GROUP BY url), same AS (
            SELECT rx.url AS p, ry.url AS q, count(*) AS pairs
            FROM final JOIN records rx ON rx.n = x JOIN records ry ON ry.n = y WHERE rx.fields = ry.fields
                GROUP BY ALL
        )
        SELECT least(p, q) AS one, greatest(p, q) AS other FROM same
        JOIN sizes a ON a.url = p JOIN sizes b ON b.url = q
        WHERE pairs >= {COPY_RECORDS} AND pairs >= {COPY_SHARE} * greatest(a.size, b.size) ORDER BY ALL
    """).fetchall()
    first: dict[str, str] = {}
    for one, other in rows:
        first.setdefault(other, first.get(one, one))
    return first
