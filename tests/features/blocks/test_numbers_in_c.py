"""The pass in C gives the numbers of array arithmetic, to the last bit."""

from __future__ import annotations

import sys
from itertools import islice

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from ruiji.corpora.c_modules import compiled
from ruiji.corpora.miniweb import MINIWEB
from ruiji.corpora.reading import read_pages
from ruiji.features.blocks import title
from ruiji.features.blocks.compiled import page_columns, tables
from ruiji.features.blocks.families import column_names, numbers, numbers_by_arrays
from ruiji.features.blocks.table import Blocks
from ruiji.features.nodes.forest import Forest, forest
from ruiji.features.page.parser_input import PageFailed
from ruiji.features.page.parsing import text_nodes_of
from tests.factories import make_nodes
from tests.paths import DATA
from tests.strategies import html_pages

IN_C = compiled("ruiji.features.blocks._numbers")
pytestmark = pytest.mark.skipif(IN_C is None, reason="the pass in C was not built")


def difference(pages: Forest) -> dict[str, int]:
    """In how many rows each column differs that does."""
    blocks = Blocks(pages)
    matrix, reference = (np.ascontiguousarray(of(blocks)) for of in (numbers, numbers_by_arrays))
    different = (matrix.view(np.uint32) != reference.view(np.uint32)).sum(axis=0)
    return {name: int(rows) for name, rows in zip(column_names(), different, strict=True) if rows}


def check(paths: list[object], step: int, pages_at_once: int = 12) -> int:
    """Holds both against each other on every so many pages; returns how many these are."""
    count, pages = 0, islice(read_pages(paths), 0, None, step)  # type: ignore[arg-type]
    while batch := list(islice(pages, pages_at_once)):
        nodes = [own for own in text_nodes_of(batch) if not isinstance(own, PageFailed)]
        assert difference(forest(nodes)) == {}, [page.id for page in batch]
        count += len(batch)
    return count


def test_pages_of_the_mini_web() -> None:
    assert check([*sorted(MINIWEB.rglob("*.html"))], 1) > 100


@pytest.mark.data
@pytest.mark.skipif(not DATA.is_dir(), reason="the pages are not here; RUIJI_DATA names their folder")
def test_real_pages() -> None:
    assert check([*sorted(DATA.glob("web/*.jsonl.gz"))], 29) > 50
    assert check([*sorted(DATA.glob("ja-*/*.jsonl.gz"))], 29) > 40


@given(st.lists(html_pages, max_size=3))
@settings(max_examples=60)
@example([])
@example(["<p>", "<p>a", "<p>"])
@example(["<button>x<p>y</p></button><p>z", "<main></main><p>a", "<main>b</main>c<main>d</main>"])
@example(["<title>ΟΔΥΣΣΕΥΣ</title><h1>Οδυσσευς</h1>", "<title>İstanbul</title><h1>İSTANBUL</h1>"])
@example(["<title>A b\u3000c\xa0d</title><h1> \u3000A\n\nb \0 c\x0bd\u2028</h1>"])
@example(["<p class=comment-content>One.<p class=comment>Two</p><div class=comments>3</div>"])
def test_invented_pages(pages: list[str]) -> None:
    nodes = [make_nodes(page) for page in pages]
    if nodes:
        assert difference(forest(nodes)) == {}


def test_small_letters_are_those_of_python() -> None:
    """All but two have one that depends on nothing else; these two are left to Python."""
    assert IN_C is not None
    points = [point for point in range(sys.maxunicode + 1) if point not in (0x130, 0x3A3)]
    for start in range(0, len(points), 100):
        text = "".join(map(chr, points[start : start + 100]))
        codes = np.zeros(1), np.zeros(1)
        (folded,) = title._folded([text])
        head = ("", (), folded[: title.BEGINNING], ())
        one = np.array([0, 1], dtype=np.int32)
        unread = IN_C.matches([text], one, one, [head], title.SIZES, *codes)
        assert not unread
        assert codes[1].tolist() == [float(title.description_matches([folded], title.Head(*head))[0])]
        head = (folded, (), "", ())
        IN_C.matches([text], one, one, [head], title.SIZES, *codes)
        assert codes[0].tolist() == title.title_matches([folded], title.Head(*head))
    assert IN_C.matches(["İ"], one, one, [head], title.SIZES, *codes) == [0]


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("element", [9999]), ("parent", [0, 2]), ("block", [3]), ("page_start", [0, 7]), ("end", [0, 9999]),
        ("text_number", [-1]), ("word_text", [1 << 20]), ("named_element", [0]), ("name_kind", [77]),
        ("element_start", [0]),
    ],
)  # fmt: skip
def test_columns_that_do_not_fit_are_refused(name: str, value: list[int]) -> None:
    assert IN_C is not None
    blocks = Blocks(forest([make_nodes("<div class=comments><p>Reply to the comment</div><p>b")]))
    columns = {key: np.array(column) for key, column in page_columns(blocks).items()}
    assert columns[name].size
    columns[name][: len(value)] = value
    matrix = np.empty((len(column_names()), len(blocks)), dtype=np.float32)
    codes = np.zeros(len(blocks))
    with pytest.raises(ValueError, match=r"fit|long"):
        IN_C.fill(columns, tables(), codes, codes, matrix, len(column_names()))
