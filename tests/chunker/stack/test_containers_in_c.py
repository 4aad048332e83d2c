"""The loops in C move the odds of nodes as array arithmetic does."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ruiji.chunker.stack.containers import container_shift, container_shift_by_arrays
from ruiji.corpora.c_modules import compiled
from ruiji.corpora.miniweb import MINIWEB
from ruiji.corpora.reading import read_pages
from ruiji.features.nodes.forest import Forest, forest
from ruiji.features.page.parsing import text_nodes
from tests.factories import make_nodes
from tests.strategies import html_pages

IN_C = compiled("ruiji.chunker.stack._containers")
pytestmark = pytest.mark.skipif(IN_C is None, reason="the loops in C were not built")


def check(pages: Forest, seed: int) -> None:
    chance = np.random.default_rng(seed)
    odds = chance.normal(0, 3, len(pages)).round(1)
    headline = chance.random(len(pages)) < 0.1
    which = chance.random(len(pages.pages)) < 0.8
    shift = container_shift(pages, odds, headline, which)
    assert shift == pytest.approx(container_shift_by_arrays(pages, odds, headline, which), abs=1e-9)


@settings(deadline=None, max_examples=40)
@given(st.lists(html_pages, min_size=1, max_size=3), st.integers(0, 99))
def test_random_pages(pages: list[str], seed: int) -> None:
    check(forest([make_nodes(page) for page in pages]), seed)


def test_a_page_without_words() -> None:
    check(forest([make_nodes("<body>\x01"), make_nodes("<body><p>。</p>")]), 0)


def test_pages_of_the_mini_web() -> None:
    pages = [text_nodes(page) for page in read_pages(sorted(MINIWEB.rglob("*.html"))[::4])]
    for seed in range(8):
        check(forest(pages), seed)


def test_names_inside_each_other() -> None:
    page = """<div class=content><ul class=menu><li><a href=a>前へ</a><li><a href=b>次へ</a></ul>
    <div class=content><p>本文の段落です。</p><div class=sidebar><p>横の欄です。</p></div></div></div>
    <div class=content><div class=content><p>二つ目。</p></div></div>
    <div class=toc><a href=c>目次</a></div>"""
    for seed in range(30):
        check(forest([make_nodes(page), make_nodes("<p>"), make_nodes(page[40:])]), seed)


def test_what_does_not_fit_is_refused() -> None:
    assert IN_C is not None
    with pytest.raises(KeyError):
        IN_C.shift({}, np.zeros(0, bool), np.zeros(0))
