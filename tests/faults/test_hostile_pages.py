"""Pages of every shape cost by their size, each alone, and one that costs more is a row that names it."""

from __future__ import annotations

import os
import time

import pytest

import ruiji
from benchmarks.hostile.shapes import SHAPES
from ruiji.chunker.document.model import Cell, Table, Text
from ruiji.chunker.document.tables import MAX_GRID, grid

SIZE = int(os.environ.get("RUIJI_FAULT_BYTES", "120000"))
# Those that took a second or more at this size before they were mended.
ONCE_SLOW = (
    "dollars", "a long title", "a long title and heading", "attributes of html", "attributes of body",
    "wide rows", "one row longer than all others", "headings below a long title",
    "blocks below long descriptions",
)  # fmt: skip


@pytest.mark.parametrize("name", ONCE_SLOW)
def test_a_page_of_this_shape_costs_by_its_size(name: str) -> None:
    page = SHAPES[name].page(SIZE)
    begin = time.process_time()
    ruiji.extract(page, url="http://a.example/", filter="blocks").markdown  # noqa: B018
    assert time.process_time() - begin < 1 + 10 * SIZE / (1 << 20)


def test_a_table_is_no_larger_than_its_cells_allow() -> None:
    cell = (Text("a"),)
    wide = Table(((Cell(cell, False, 900, 1),),) * 1000, 0, ())
    long = Table(
        ((Cell(cell, False, 1, 1),) * 2000, *((Cell(cell, False, 1, 1),) for _ in range(2000))), 0, ()
    )
    for table in (wide, long):
        lines = grid(table)
        assert sum(map(len, lines)) <= MAX_GRID
        assert sum(place == cell for line in lines for place in line) == sum(map(len, table.rows))
    assert len(grid(long)[0]) == 2000


@pytest.mark.parametrize("name", ["ideographic spaces", "cells"])
def test_records_of_such_a_page_cost_by_its_size(name: str) -> None:
    page = {"url": "http://a.example/", "html": SHAPES[name].page(SIZE // 2).decode()}
    begin = time.process_time()
    ruiji.records([page], filter="none", jobs=0)
    assert time.process_time() - begin < 5  # the first took a minute and more, the second ten seconds
