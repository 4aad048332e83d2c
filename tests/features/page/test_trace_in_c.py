"""The pass in C over the events of a page gives the columns of array arithmetic."""

from __future__ import annotations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from ruiji.corpora.c_modules import compiled
from ruiji.corpora.miniweb import MINIWEB
from ruiji.corpora.reading import read_pages
from ruiji.features.page.parser_input import parser_input
from ruiji.features.page.steps import Steps
from ruiji.features.page.trace import _meanings, columns_by_arrays, page_columns
from ruiji.features.page.walk import steps_through
from tests.strategies import html_pages

pytestmark = pytest.mark.skipif(
    compiled("ruiji.features.page._trace") is None, reason="the pass in C was not built"
)


def check(pages: list[Steps]) -> None:
    for columns, reference in zip(page_columns(pages), columns_by_arrays(pages), strict=True):
        for name, column, other in zip(columns._fields, columns, reference, strict=True):
            assert column.tolist() == other.tolist(), name
            assert column.dtype == other.dtype, name


@given(st.lists(html_pages, max_size=3), st.booleans())
@settings(max_examples=60)
@example(["<a href=1>a<table><td><a href=2>b</a>c</table>d</a>e", "<pre>a\n<b> \n </b>c</pre> <p> x"], True)
@example(["<noscript>a<p>b</noscript>c <img alt=a title=b><i> </i><br>d", "<textarea>\n\nx</textarea>"], True)
def test_invented_pages(pages: list[str], named: bool) -> None:
    check([steps_through(page.encode("utf-8", "replace"), named) for page in pages if page])


def test_pages_of_the_mini_web() -> None:
    pages = [parser_input(page).utf8 for page in read_pages(sorted(MINIWEB.rglob("*.html")))]
    check([steps_through(page, named=True, detailed=True) for page in pages])


@pytest.mark.parametrize(
    ("events", "anchors"),
    [(b"\x00", []), (b"\x20", []), (b"\x20\x00", [1]), (b"\x20\x00", [-1]), (b"\x20\x00\x00", [])],
)
def test_events_of_no_page_are_refused(events: bytes, anchors: list[int]) -> None:
    in_c = compiled("ruiji.features.page._trace")
    assert in_c is not None
    with pytest.raises(ValueError, match="events"):
        in_c.columns(events, _meanings(), anchors, [], [])
