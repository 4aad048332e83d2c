"""Which events of one name are one event."""

from __future__ import annotations

import duckdb

from ruiji.detector.records.model import EVENT

# What tells one year's event from another's, or one of a series: 日本Ruby会議2009, 第3回, 5th, #12.
_NUMBERED = r"(19|20)\d\d|第\s?[\d一二三四五六七八九十]+\s?[回期次]|\d(st|nd|rd|th)\b|#\s?\d|(?i:vol)\.?\s?\d"


def without_other_occasions(connection: duckdb.DuckDBPyConnection) -> None:
    """Leaves out pairs of events of one name that are not one event: of two years; on two days, where the
    name has no number that would tell the one from the next; named twice on a page.

    Events of unrelated sites are one only on one day of one year.
    """
    connection.execute(f"""
        DELETE FROM named WHERE (x, y) IN (
            WITH often AS (
                SELECT page, about FROM records WHERE kind = '{EVENT}' GROUP BY page, about
                HAVING count(*) > 1
            )
            SELECT (x, y) FROM named JOIN records a ON a.n = x JOIN records b ON b.n = y
            LEFT JOIN often p ON p.page = a.page AND p.about = a.about
            LEFT JOIN often q ON q.page = b.page AND q.about = b.about
            WHERE a.kind = '{EVENT}' AND (
                (a.year <> b.year AND a.year <> '' AND b.year <> '')
                OR (a.day <> b.day AND NOT regexp_matches(a.title, '{_NUMBERED}'))
                OR (a.domain <> b.domain AND (a.day <> b.day OR a.year <> b.year OR a.year = ''))
                OR p.page IS NOT NULL OR q.page IS NOT NULL
            )
        )
    """)
