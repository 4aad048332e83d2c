"""Pages of every shape cost by their size, each alone, and one that costs more is a row that names it."""

from __future__ import annotations

import json
import os
import random
import time
from pathlib import Path

import pytest

import ruiji
from benchmarks.hostile.crawl import HOSTILE_HOST, crawled, good_rows, hostile_rows, lost
from benchmarks.hostile.shapes import SHAPES
from ruiji.chunker.document.model import Cell, Table, Text
from ruiji.chunker.document.tables import MAX_GRID, grid
from ruiji.corpora.miniweb import MINIWEB

SEED = int(os.environ.get("RUIJI_FAULT_SEED", "1"))
SIZE = int(os.environ.get("RUIJI_FAULT_BYTES", "120000"))
# Those that took a second or more at this size before they were mended.
ONCE_SLOW = (
    "dollars", "a long title", "a long title and heading", "attributes of html", "attributes of body",
    "wide rows", "one row longer than all others", "headings below a long title",
    "blocks below long descriptions", "bold that ends in drawings in text",
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


def test_hostile_pages_in_a_crawl_cost_no_other_page(tmp_path: Path) -> None:
    random_ = random.Random(SEED)
    good = list(good_rows([str(MINIWEB / "fjordnotes.org")], 40))
    bomb = {"url": f"{HOSTILE_HOST}templates", "html": "<template>" * 3000}
    mixed = [*good, *hostile_rows(8, random_, largest=4.5), bomb]
    random_.shuffle(mixed)
    alone, together = crawled(good, tmp_path, 1), crawled(mixed, tmp_path, 1)
    assert len(alone.rows) == len(good)
    assert not lost(alone, together)
    assert list(together.rows) == [row["url"] for row in mixed]
    assert "more than 2000 templates" in json.loads(together.rows[bomb["url"]])["error"]
