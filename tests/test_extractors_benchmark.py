"""The comparison of extractors: what it says of its own confidence, and that folds are put together."""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks.aged import aged
from benchmarks.extractors import BASELINE, OURS, PARTS, Result, confidence, table
from ruiji.features.page.parsing import text_nodes
from tests.factories import make_page


def test_results_of_folds_add_up() -> None:
    whole, more = Result([0.5], [0.6], 1.0, 1), Result([1.0, 0.0], [0.9, 0.1], 2.0, 2)
    whole.take(more)
    assert whole == Result([0.5, 1.0, 0.0], [0.6, 0.9, 0.1], 3.0, 3)


def test_pages_are_put_in_the_order_of_what_was_expected() -> None:
    random = np.random.default_rng(1)
    expected = random.permutation(np.repeat(np.arange(PARTS) / 10, 7))
    lines = confidence(Result((expected + 0.1).tolist(), expected.tolist())).splitlines()
    assert [float(cell) for cell in lines[2].split("|")[2:-1]] == pytest.approx(
        [number / 10 for number in range(PARTS)]
    )
    assert [float(cell) for cell in lines[3].split("|")[2:-1]] == pytest.approx(
        [(number + 1) / 10 for number in range(PARTS)]
    )
    assert lines[-1] == "correlation 1.00"


def test_of_few_pages_each_is_a_part_of_its_own() -> None:
    lines = confidence(Result([0.5, 0.5], [0.9, 0.7])).splitlines()
    assert lines[2:] == ["| expected F1 | 0.700 | 0.900 |", "| F1 | 0.500 | 0.500 |"]


def test_kinds_of_pages_have_their_own_means() -> None:
    pages = [make_page("a", extra={"page_type": kind}) for kind in ("forum", "article", "forum")]
    shown = table(
        pages,
        {
            OURS: Result([0.5, 1.0, 0.7], seconds=1.0),
            BASELINE: Result([0.0, 0.9, 0.2], seconds=5.0, failed=1),
        },
    ).splitlines()
    assert shown[2] == "| | all | article | forum | failed | trafilatura = 1 |"
    assert shown[4:] == [
        "| ruiji | 0.733 | 1.000 | 0.600 | 0 | 5.0 |",
        "| trafilatura | 0.367 | 0.900 | 0.100 | 1 | 1.0 |",
    ]


def test_an_aged_page_may_keep_its_class_and_id() -> None:
    page = make_page("<main id=a class=b role=main data-x=1 itemprop=c><time>1</time></main>")
    assert aged(page, named=True).html == "<div id=a class=b><span>1</span></div>"
    assert aged(page).html == "<div><span>1</span></div>"


def test_an_aged_page_says_nothing_of_its_parts_and_has_the_same_text() -> None:
    page = make_page(
        "<meta name=description content=x><meta property='og:type' content=article><script>1</script>"
        '<NAV class="a b"><a href=/ id=c>Top</a></nav>'
        "<main data-a='1'><article itemscope itemtype=T><p aria-label=x title='class of "
        "2007'>Text</p></article></main>"
    )
    assert (
        aged(page).html
        == "<div><a href=/>Top</a></div><div><div><p title='class of 2007'>Text</p></div></div>"
    )
    assert text_nodes(aged(page)).texts == text_nodes(page).texts
    odd = (
        "<p>公開<time class='' id=x>五月</time>の<img alt='the class of > id=2007'/><a href='/a class=b' "
        "data-a.b=1>話<nav-bar></nav-bar>"
    )
    assert aged(make_page(odd)).html == (
        "<p>公開<span>五月</span>の<img alt='the class of > id=2007'/><a href='/a "
        "class=b'>話<nav-bar></nav-bar>"
    )
    assert (
        aged(make_page("<p class=a>港".encode("euc-jp"), content_type="text/html; charset=euc-jp")).html
        == "<p>港"
    )
