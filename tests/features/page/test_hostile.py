"""Pages that are made to cost the parser more than their size: each is cut, named, and quick."""

from __future__ import annotations

import time

import pytest

from ruiji.corpora.page import Page
from ruiji.features.page import parser_input
from ruiji.features.page.attributes import MAX_ATTRIBUTES, cap_attributes
from ruiji.features.page.parsing import text_nodes, text_nodes_of
from tests.factories import make_nodes

SECONDS = 4.0  # of work; today the slowest takes 1.4, and each took 8 or more without the caps
PAGES = {
    "attributes": "<p " + " ".join(f"a{number}=1" for number in range(100_000)) + ">x",
    "attributes without values": "<p " + " ".join(f"a{number}" for number in range(120_000)) + ">x",
    "copies of an option": "<select><option>a" + "<selectedcontent>" * 24_000,
    "options to be copied": "<select><button><selectedcontent></button>" + "<option selected>a" * 30_000,
    "links around bold text": "<a><b>" * 260_000,
    "different bold texts": "".join(f"<b a{number}>" for number in range(100_000)),
    "list items by turns": "<li><dd>" * 80_000,
    "blocks in formatting that ends": "<b><div></b>" * 80_000,
    "table rows in a drawing": "<svg>" + "<tr>" * 200_000,
    "character data in a drawing": "<svg><![CDATA[><!--]]>" + "<g>" * 200_000,
    "a style sheet in HTML in a drawing": "<svg><foreignObject><style><!--</style>" + "<div>" * 100_000,
    "templates": "<svg><![CDATA[><!--]]><p>" + "<template>" * 70_000,
    "paragraphs": "<p>a" * 2_000_000,
    "comments": "a<!---->" * 1_500_000,
    "attributes of an end tag": "<p>x</p " + " ".join(f"a{number}" for number in range(120_000)) + ">x",
    "attributes of the root": "".join(f"<html a{number}=1>" for number in range(60_000)),
    "attributes of the body": "".join(f"<BODY a{number}>x" for number in range(60_000)),
}


@pytest.mark.parametrize("name", PAGES)
def test_a_page_costs_by_its_size(name: str) -> None:
    start = time.process_time()
    text_nodes_of([Page("u", "u", PAGES[name])])
    assert time.process_time() - start < SECONDS * max(1, len(PAGES[name]) / (2 << 20))


def test_too_many_attributes_are_taken_out_and_counted() -> None:
    surplus = "".join(f" b{number}='>'" for number in range(5000))
    html = "<p " + " ".join(f"a{number}" for number in range(MAX_ATTRIBUTES)) + surplus + ">x</p><p id=y>z"
    nodes = make_nodes(html)
    assert list(nodes.texts) == ["x", "z"]
    assert nodes.dropped == {"attributes": len(surplus.strip())}
    assert [name for _, name in nodes.names or ()] == ["y"]


@pytest.mark.parametrize(
    "html",
    [
        f"<img src='data:image/png;base64,{'A' * 9000}'>x",
        "<p title=\"" + "a > b " * 3000 + "\">x",
        "<p " + "a" * 9000 + ">x",
        "<p" + " " * 9000 + ">x",
        "<p a" * 3000,
        "x" * 9000,
    ],
    ids=["image", "long value", "long name", "spaces", "unfinished", "text"],
)  # fmt: skip
def test_long_tags_of_few_attributes_stay(html: str) -> None:
    assert cap_attributes(html.encode()) == (html.encode(), 0)


def test_beyond_so_many_tags_the_page_is_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parser_input, "MAX_TAGS", 3)
    monkeypatch.setattr(parser_input, "MAX_BRACKETS", 7)
    assert dict(make_nodes("<p>a<p>b<p>c<p>d").dropped) == {"size": len("<p>d")}
    assert list(make_nodes("<p>a<p>b<p>c<p>d").texts) == ["a", "b", "c"]
    assert list(make_nodes("1<!--2-->3<!-->4<!-->5<!-->6<!-->7<!-->8<!-->9<!-->x").texts)[-1] == "9"


def test_pages_of_real_size_are_not_cut() -> None:
    assert not text_nodes(Page("u", "u", "<ul>" + "<li><a href=x>a</a>" * 16_000)).dropped


def test_a_page_with_thousands_of_templates_fails_by_name() -> None:
    (failure,) = text_nodes_of([Page("u", "u", "<Template>" * 2_001)])
    assert str(failure) == "the page has more than 2000 templates"


def test_elements_that_end_themselves_in_a_drawing_do_not_nest() -> None:
    nodes = make_nodes("<div><svg>" + "<path d='M0'/>" * 21_000 + "</svg><p>a</div>")
    assert not nodes.dropped
    assert nodes.path(0) == "/html/body/div/p"
