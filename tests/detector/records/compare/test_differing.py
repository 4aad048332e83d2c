"""Differing fields do not depend on the order in which their values were stored."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import duckdb
from hypothesis import given
from hypothesis import strategies as st

from ruiji.detector.records.compare.differing import differing_fields, differing_rows

MINE = ("@xga", "@xgc", "@xgd")
THEIRS = ("@xgb", "@xge")
VALUES = [*((0, value) for value in MINE), *((1, value) for value in THEIRS)]


def rows(values: Sequence[tuple[int, str]]) -> list[dict[str, Any]]:
    with duckdb.connect() as connection:
        connection.execute("""
            CREATE TABLE records (n INT, page INT, url TEXT, path TEXT, title TEXT, time TEXT,
                                  time_source TEXT, empty TEXT, heading TEXT, kind TEXT);
            INSERT INTO records VALUES
                (0, 0, 'http://a.jp/', '/li[1]', '松崎 啓治', '', '', '[]', '', 'person'),
                (1, 1, 'http://b.jp/', '/li[1]', '松崎 啓治', '', '', '[]', '', 'person');
            CREATE TABLE final (x INT, y INT, score DOUBLE, implied BOOL, how TEXT);
            INSERT INTO final VALUES (0, 1, 0.9, false, '');
            CREATE TABLE vals (n INT, concept TEXT, origin TEXT, value TEXT, label TEXT, key TEXT)
        """)
        connection.executemany(
            "INSERT INTO vals VALUES (?, 'twitter', '', ?, 'Twitter', ?)",
            [(record, value, value) for record, value in values],
        )
        differing_fields(connection)
        return list(differing_rows(connection))


@given(st.permutations(VALUES))
def test_values_of_a_field_come_in_one_order(values: list[tuple[int, str]]) -> None:
    (row,) = rows(values)
    assert [item["value"] for item in row["mine"]] == list(MINE)
    assert [item["value"] for item in row["theirs"]] == list(THEIRS)
