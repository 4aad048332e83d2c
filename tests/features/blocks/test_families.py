"""Numbers about blocks: by hand on a small page, and the same whichever pages stand beside it."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ruiji.features.blocks.families import NUMBERS, column_names, names_by_families, numbers
from ruiji.features.blocks.table import FAR, Blocks
from ruiji.features.nodes import tags
from ruiji.features.nodes.forest import forest
from tests.factories import annotated_examples, make_nodes, nodes_of
from tests.strategies import html_pages

PAGE = """<title>Harbour news</title><body>
<nav class="menu"><ul><li><a href="/">Home</a><li><a href="/news">News</a></ul></nav>
<div id="content"><h1>Harbour news</h1>
<p>The boats leave early, before the sun is up, and nobody in town hears them <a
href="x">go</a>. They come back at noon.</p>
<p>Then the market opens.</p></div>
<footer>© 2026 Harbour Inc.</footer>"""


def test_the_baked_names_are_those_of_the_families() -> None:
    assert column_names() == names_by_families(), "run python -m scripts.bake_tables"


def columns(*pages: str) -> dict[str, list[float]]:
    matrix = numbers(Blocks(forest([make_nodes(page) for page in pages])))
    return {name: matrix[:, at].tolist() for at, name in enumerate(column_names())}


def test_blocks_keep_inline_markup_with_their_text() -> None:
    blocks = Blocks(forest([make_nodes(PAGE)]))
    assert len(blocks) == 6
    assert np.diff(blocks.pages.block_start).tolist() == [1, 1, 1, 3, 1, 1]


def test_numbers_of_a_small_page() -> None:
    found = columns(PAGE)
    assert found["chars"][:3] == [4, 4, 12]
    assert found["linked"] == pytest.approx([1, 1, 0, 2 / found["chars"][3], 0, 0])
    assert found["in_nav"] == [4, 4, 0, 0, 0, 0]  # a, li, ul, nav
    assert found["hint_navigation"] == [
        3,
        3,
        0,
        0,
        0,
        0,
    ]  # li, ul, nav: the class and the element say the same
    assert found["hint_content"][2:5] == [2, 2, 2]
    assert found["heading_level"] == [0, 0, 1, 0, 0, 0]
    assert found["main_75"] == [0, 0, 0, 1, 0, 0]
    assert found["from_main_75"] == [-3, -2, -1, 0, 1, 2]
    assert found["h1_back"] == [FAR, FAR, 0, 1, 2, 3]
    assert found["long_ahead"] == [3, 2, 1, 0, FAR, FAR]
    assert found["copyright"] == [0, 0, 0, 0, 0, 1]
    assert found["same_path"] == [2, 2, 1, 2, 2, 1]
    assert found["blocks_1"][:2] == [2, 2]
    assert found["chars-1"][:2] == [-1, 4]


def test_every_column_has_one_name_and_one_value_a_block() -> None:
    blocks = Blocks(forest([make_nodes(PAGE), make_nodes("<p>a"), make_nodes("<title>b</title>")]))
    named = [name for family in NUMBERS for name in family(blocks)]
    assert len(named) == len(set(named))
    assert tuple(named) == column_names()
    for family in NUMBERS:
        for name, column in family(blocks).items():
            assert column.shape == (len(blocks),), name
            assert np.isfinite(column.astype(float)).all(), name


@given(st.lists(html_pages, min_size=2, max_size=4))
@settings(max_examples=40, deadline=None)
def test_a_page_has_the_same_numbers_alone_and_among_others(pages: list[str]) -> None:
    nodes = [make_nodes(page) for page in pages]
    together = numbers(Blocks(forest(nodes)))
    alone = [numbers(Blocks(forest([own]))) for own in nodes]
    np.testing.assert_array_equal(together, np.concatenate(alone))


def test_the_same_on_real_pages() -> None:
    nodes = nodes_of(annotated_examples("fjordnotes.org", "tabi-no-kakera.com"))
    together = numbers(Blocks(forest(nodes)))
    np.testing.assert_array_equal(together, np.concatenate([numbers(Blocks(forest([own]))) for own in nodes]))


def test_containers_hold_more_than_the_block_and_nest() -> None:
    blocks = Blocks(forest(nodes_of(annotated_examples("fjordnotes.org"))))
    size = blocks.end - blocks.first
    for inner, outer in zip(blocks.containers, blocks.containers[1:], strict=False):
        both = outer > 0
        assert (size[inner[both]] < size[outer[both]]).all()
        assert (blocks.first[outer[both]] <= blocks.first[inner[both]]).all()


def test_japanese_letters_count_twice() -> None:
    assert columns("<p>港町の朝。")["chars"] == [9]
    assert columns("<p>Harbours at.")["chars"] == [12]


@given(st.lists(html_pages, min_size=1, max_size=3), st.data())
@settings(max_examples=60, deadline=None)
def test_innermost_elements_are_those_that_climbing_finds(pages: list[str], data: st.DataObject) -> None:
    blocks = Blocks(forest([make_nodes(page) for page in pages]))
    elements = np.arange(1, len(blocks.pages.parent), dtype=np.int32)
    kinds = np.array(
        data.draw(st.lists(st.integers(-1, 2), min_size=len(elements), max_size=len(elements))),
        dtype=np.int32,
    )
    found = blocks.innermost(np.repeat(kinds[kinds >= 0], 2), np.repeat(elements[kinds >= 0], 2), 3)
    for kind in range(3):
        which = np.concatenate(([False], kinds == kind))
        assert (
            found[kind].tolist() == blocks.pages.nearest(which)[blocks.pages.element[blocks.start]].tolist()
        )


@given(
    st.lists(
        st.sampled_from(
            [
                "#a",
                " #b",
                "\t#",
                "",
                " ",
                "x#y",
                "/#z",
                "//other.example/#q",
                "javascript:#",
                "../",
                "http://other.example",
            ]
        )
    )
)
def test_links_into_the_page_are_told_as_by_their_targets(hrefs: list[str]) -> None:
    pages = forest(
        [
            make_nodes(
                "<base href='http://third.example/'>" + "".join(f"<a href='{href}'>a</a> " for href in hrefs)
            ),
            make_nodes(PAGE),
        ]
    )
    assert tags.fragment(pages).tolist() == (tags.target(pages) == tags.FRAGMENT).tolist()
