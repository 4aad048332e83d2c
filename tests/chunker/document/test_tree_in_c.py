"""The tree of content in C against its reference: the same nodes, and the same answers of a node."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ruiji.chunker.document.deciding import decide
from ruiji.chunker.document.tree import NodeInPython, content_tree, grown_in_python
from ruiji.corpora import MINIWEB, read_pages
from ruiji.corpora.c_modules import compiled
from ruiji.corpora.page import Page
from ruiji.features.page.parsing import text_nodes
from tests.factories import make_page
from tests.strategies import html_pages, html_soup, html_trees

in_c = compiled("ruiji.chunker.document._document")
built = pytest.mark.skipif(in_c is None, reason="chunker/document/_document.c was not built here")


def assert_same_tree(page: Page, seed: int) -> None:
    nodes = text_nodes(page, detailed=True)
    assert nodes.markup is not None
    content = np.random.default_rng(seed).random(len(nodes)) < 0.6
    keep, kept = decide(nodes, nodes.markup, content)
    assert_same(content_tree(nodes, content), grown_in_python(nodes, nodes.markup, keep, kept))


def assert_same(node: NodeInPython, expected: NodeInPython) -> None:
    for name in ("tag", "event", "has_block"):
        assert getattr(node, name) == getattr(expected, name)
    assert dict(node.attributes) == dict(expected.attributes)
    assert len(node.children) == len(expected.children)
    for child, other in zip(node.children, expected.children, strict=True):
        if isinstance(child, str) or isinstance(other, str):
            assert child == other
        else:
            assert_same(child, other)


@built
@settings(max_examples=200)
@given(html=st.one_of(html_soup, html_trees, html_pages), seed=st.integers(0, 99))
def test_any_page_grows_the_same_tree(html: str, seed: int) -> None:
    assert_same_tree(make_page(f"<p>{html}"), seed)


@built
def test_the_pages_of_the_mini_web_grow_the_same_trees() -> None:
    for seed, page in enumerate(read_pages([str(MINIWEB)])):
        assert_same_tree(page, seed)


@built
@pytest.mark.parametrize(
    "html",
    [
        "<div>" * 400 + "x" + "</div>" * 400,
        "<p>a <!-- --> <nav>b</nav> <nav>c</nav> d<pre> <b> </b> e </pre> <nav>f</nav> ",
        "<ruby>漢<rt>かん</rt></ruby><svg><desc>d</desc><text>t</text></svg><x-a><x-b>c</x-b></x-a>",
        "<table><tr><td><td id=a>b<td></table><a id=c></a><a name=d>e</a><a href=f>g</a>",
        "<script type='math/tex'>x^2</script><p>y<br><hr>z",
    ],
)
def test_hard_pages_grow_the_same_tree(html: str) -> None:
    for seed in range(8):
        assert_same_tree(make_page(html), seed)


def nested(make: type[NodeInPython]) -> NodeInPython:
    link = make("a", 3, {"href": "#"}, [" one ", make("b", 4, {}, ["two"])])
    return make("p", 2, {}, ["zero\n", link, make("br", 7)], True)


@built
def test_a_node_in_c_answers_as_its_reference_does() -> None:
    assert in_c is not None
    node, expected = nested(in_c.Node), nested(NodeInPython)
    assert_same(node, expected)
    assert node.texts() == expected.texts()
    assert node.text() == expected.text() == "zero one two"
    assert [child.tag for child in node.descendants()] == [child.tag for child in expected.descendants()]
    tags = frozenset(("b", "br", "i"))
    assert [child.tag for child in node.of_tags(tags)] == [child.tag for child in expected.of_tags(tags)]
    assert [child.tag for child in node.of_tags(tags)] == ["b", "br"]
    assert [child.tag for child in node.elements] == [child.tag for child in expected.elements]
    assert (node.elements[0].get("href"), node.get("href")) == ("#", "")
    assert in_c.Node("p").children is not in_c.Node("p").children


@built
def test_columns_that_do_not_fit_are_refused() -> None:
    assert in_c is not None
    nodes = text_nodes(make_page("<p>a</p><p>b</p>"), detailed=True)
    markup = nodes.markup
    assert markup is not None
    kept, keep = np.ones(len(markup.opened), dtype=np.bool_), np.ones(2, dtype=np.bool_)
    names = tuple("p" for _ in range(256))

    def grow(opened: object = markup.opened, keep: object = keep, kinds: bytes = bytes(256)) -> object:
        assert in_c is not None
        return in_c.grow(
            markup.events, opened, markup.closed, kept, keep, nodes.texts, markup.attributes, {}, {}, {},
            names, kinds, 200,
        )  # fmt: skip

    assert grow() is not None
    for wrong in (
        {"opened": markup.opened + 1},
        {"opened": markup.opened - 1},
        {"opened": markup.opened[:-1].copy()},
        {"keep": keep[:1].copy()},
        {"kinds": bytes(3)},
    ):
        with pytest.raises(ValueError, match=r"fit|long|numbers"):
            grow(**wrong)  # type: ignore[arg-type]
