"""Several pages as one set of arrays: each as plain recursion sees it, and every feature as if the page were
alone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ruiji.corpora import MINIWEB, read_pages
from ruiji.features.nodes.attributes import Closed, Feature
from ruiji.features.nodes.forest import Forest, NamesMissing, forest
from ruiji.features.nodes.full import FULL
from ruiji.features.nodes.nakamura import NAKAMURA
from ruiji.features.nodes.structure import SECTION_LEVELS, SECTIONS, sections, structural_tags
from ruiji.features.page import elements
from ruiji.features.page.links import host_of, link_kind
from ruiji.features.page.parsing import text_nodes, text_nodes_of
from ruiji.features.page.textnodes import TextNodes
from tests.factories import make_nodes, make_page
from tests.features.page.oracle import Tree, planted
from tests.strategies import html_pages, html_soup, html_trees

FEATURES = tuple({feature.name: feature for feature in (*NAKAMURA.features, *FULL.features)}.values())
HOST = host_of(make_page("").url)
EMPTY = "<p class=empty> </p>"  # a page without text nodes

html = st.one_of(html_pages, html_soup.filter(bool), html_trees.filter(bool), st.just(EMPTY))
batches = st.lists(html, min_size=1, max_size=4)


class Grove:
    """Trees by recursion side by side: numbers of nodes and elements as a Forest counts them."""

    def __init__(self, pages: Sequence[str]) -> None:
        self.trees = [planted(page) for page in pages]
        self.nodes = [sum(len(tree.texts) for tree in self.trees[:place]) for place in range(len(pages))]
        self.elements = [
            1 + sum(len(tree.tags) for tree in self.trees[:place]) for place in range(len(pages))
        ]

    def of_nodes(self, what: Callable[..., Any]) -> list[Any]:
        """A function of tree, text and the number of the page's first element, for each node."""
        return [
            what(tree, text, start)
            for tree, start in zip(self.trees, self.elements, strict=True)
            for text in range(len(tree.texts))
        ]

    def of_elements(self, what: Callable[..., Any]) -> list[Any]:
        """A function of tree, element, and the numbers of the page's first element and node, for each
        element.
        """
        return [
            what(tree, element, start, first)
            for tree, start, first in zip(self.trees, self.elements, self.nodes, strict=True)
            for element in range(len(tree.tags))
        ]


def planted_together(pages: Sequence[str]) -> tuple[Forest, Grove]:
    return forest([make_nodes(page) for page in pages]), Grove(pages)


@given(pages=batches)
def test_elements_and_their_nodes_are_those_of_plain_recursion(pages: list[str]) -> None:
    found, grove = planted_together(pages)
    assert len(found) == sum(len(tree.texts) for tree in grove.trees)
    assert found.texts == [text for tree in grove.trees for text in tree.texts]
    assert found.stripped == [text.strip() for text in found.texts]
    assert found.page.tolist() == [place for place, tree in enumerate(grove.trees) for _ in tree.texts]
    assert found.element.tolist() == grove.of_nodes(lambda tree, text, start: start + tree.homes[text])
    assert found.parent.tolist() == [
        0,
        *grove.of_elements(lambda tree, element, start,
            _: 0 if tree.parent(element) is None else start + tree.parent(element)),
    ]  # fmt: skip
    assert found.first.tolist() == [
        0,
        *grove.of_elements(lambda tree, element, _, first: first + tree.first[element]),
    ]
    assert found.end.tolist() == [
        0,
        *grove.of_elements(lambda tree, element, _, first: first + tree.end[element]),
    ]
    assert found.depth.tolist() == [
        0,
        *grove.of_elements(lambda tree, element, *_: len(tree.chains[element])),
    ]
    tags = [None, *grove.of_elements(lambda tree, element, *_: tree.tags[element])]
    assert [elements.names().get(number) for number in found.number.tolist()] == [
        tag if tag in elements.numbers() else None for tag in tags
    ]


@given(pages=batches)
def test_the_nodes_of_an_element_are_those_below_it(pages: list[str]) -> None:
    found, grove = planted_together(pages)
    expected = grove.of_elements(
        lambda tree, element, _, first: [first + text for text in tree.inside(element)]
    )
    assert [
        list(range(first, end)) for first, end in zip(found.first[1:], found.end[1:], strict=True)
    ] == expected


@given(
    pages=batches,
    tags=st.sets(st.sampled_from(["div", "p", "li", "ul", "td", "table", "b", "a", "html", "blink"])),
)
def test_nearest_elements(pages: list[str], tags: set[str]) -> None:
    found, grove = planted_together(pages)
    which = found.named(*tags)
    assert which.tolist() == [False, *grove.of_elements(lambda tree, element, *_: tree.tags[element] in tags)]

    def nearest(tree: Tree, element: int, start: int, _: int) -> int:
        above = tree.nearest(element, *tags)
        return 0 if above is None else start + above

    assert found.nearest(which).tolist() == [0, *grove.of_elements(nearest)]


@given(pages=batches)
def test_common_depth_is_that_of_the_lowest_common_ancestor(pages: list[str]) -> None:
    found, grove = planted_together(pages)
    assert found.common_depth.tolist() == grove.of_nodes(
        lambda tree, text, _: len(tree.common(text, text - 1)) if text else 0
    )


@given(pages=batches, seed=st.integers(0, 99))
def test_sums_inside_elements(pages: list[str], seed: int) -> None:
    found, grove = planted_together(pages)
    column = np.random.default_rng(seed).integers(0, 1000, len(found))
    expected = grove.of_elements(
        lambda tree, element, _, first: sum(int(column[first + text]) for text in tree.inside(element))
    )
    assert found.inside(column).tolist() == [0.0, *expected]


@given(pages=batches)
def test_blocks_are_numbered_over_all_pages(pages: list[str]) -> None:
    found = forest([make_nodes(page) for page in pages])
    own = [(place, int(block)) for place, nodes in enumerate(found.pages) for block in nodes.block]
    numbers = {block: number for number, block in enumerate(dict.fromkeys(own))}
    assert found.block.tolist() == [numbers[block] for block in own]
    assert found.block_start.tolist() == [own.index(block) for block in numbers] + [len(own)]


@given(pages=batches)
def test_links_are_those_of_each_page(pages: list[str]) -> None:
    found, grove = planted_together(pages)
    hrefs = grove.of_nodes(lambda tree, text, _: tree.href(text))
    assert found.link_kind.tolist() == [0 if href is None else link_kind(href, HOST) for href in hrefs]
    assert found.linked.tolist() == [href is not None for href in hrefs]


@given(pages=batches)
def test_sections_are_the_nearest_elements_that_hold_a_part_together(pages: list[str]) -> None:
    """An element whose parent is a section of the same nodes is no section of its own."""
    found, grove = planted_together(pages)

    def expected_sections(tree: Tree, text: int, start: int) -> list[int]:
        levels = []
        for element in reversed(tree.above(text)):
            parent = tree.parent(element)
            doubled = (
                parent is not None
                and tree.tags[parent] in SECTIONS
                and tree.inside(parent) == tree.inside(element)
            )
            if tree.tags[element] in SECTIONS and not doubled:
                levels.append(start + element)
        return [*levels, 0, 0, 0][:SECTION_LEVELS]

    assert [
        list(levels) for levels in zip(*(level.tolist() for level in sections(found)), strict=True)
    ] == grove.of_nodes(expected_sections)


def test_sections_by_example() -> None:
    found = forest(
        [make_nodes("<body>x<div><article><p>a</p></article></div><table><tr><td>b</td></tr></table>")]
    )
    tags = [["", *found.pages[0].tag][element] for level in sections(found) for element in level.tolist()]
    assert tags == [
        "body",
        "div",
        "td",
        "",
        "body",
        "table",
        "",
        "",
        "body",
    ]  # td and table have the same nodes, but a row between them


@given(pages=batches)
def test_words_of_names_belong_to_their_elements(pages: list[str]) -> None:
    found, grove = planted_together(pages)
    element, words, spelling = found.name_words
    expected: Counter[tuple[int, str]] = Counter()
    splits = {
        "menu": ["menu"], "mainContent": ["main", "content"], "x1 y-z": ["x", "y", "z"],
        "contentinfo": ["contentinfo"], "title": ["title"],
        "side-bar list": ["side", "bar", "list"], "prev": ["prev"], "name": ["name"], "empty": ["empty"],
    }  # fmt: skip
    for tree, start in zip(grove.trees, grove.elements, strict=True):
        for place, (tag, attributes) in enumerate(zip(tree.tags, tree.attributes, strict=True)):
            if tag in elements.NAMED and not tree.childless[place]:
                values = [
                    attributes[name] for name in ("class", "id", "role", "itemprop") if name in attributes
                ]
                expected.update((start + place, word) for value in values for word in splits[str(value)])
                expected.update(
                    (start + place, word) for word in ("hidden", "at", "first") if "hidden" in attributes
                )
    assert (
        Counter(zip(element.tolist(), spelling.spelled(words, range(len(element))), strict=True)) == expected
    )


def test_names_must_have_been_read() -> None:
    named, unnamed = text_nodes(make_page("<p class=x>a")), text_nodes(make_page("<p class=x>a"), named=False)
    assert forest([named, named]).names[1] == ["x", "x"]
    for pages in ([unnamed], [named, unnamed]):
        with pytest.raises(NamesMissing, match="named=True"):
            _ = forest(pages).names
    with pytest.raises(NamesMissing):
        _ = forest([unnamed]).name_words


@pytest.mark.parametrize("pages", [[EMPTY], [EMPTY, EMPTY], ["<img>", "<p></p>"]])
def test_pages_without_nodes(pages: list[str]) -> None:
    found = forest([make_nodes(page) for page in pages])
    assert len(found) == 0
    assert found.block_start.tolist() == [0]
    assert found.common_depth.tolist() == []
    for feature in FEATURES:
        if isinstance(feature, Closed):
            assert len(feature.function(found)) == 0, feature.name
        else:
            assert occurrences(feature, found) == [Counter()] * len(pages), feature.name


def test_one_page_is_numbered_from_one() -> None:
    found = forest([make_nodes("<p>a<b>b</b>")])
    assert found.element.tolist() == [4, 5]  # html head body p b
    assert found.parent.tolist() == [0, 0, 1, 1, 3, 4]
    assert (found.first.tolist(), found.end.tolist()) == ([0, 0, 0, 0, 0, 1], [0, 2, 0, 2, 2, 2])
    assert found.depth.tolist() == [0, 1, 2, 2, 3, 4]


def test_two_pages_stand_one_after_another() -> None:
    found = forest([make_nodes("<p>a"), make_nodes(EMPTY), make_nodes("<p>b<i>c</i>")])
    assert found.page.tolist() == [0, 2, 2]
    assert found.page_start.tolist() == [0, 1, 1, 3]
    assert found.element.tolist() == [4, 12, 13]
    assert found.common_depth.tolist() == [0, 0, 3]  # html body p
    assert found.block.tolist() == [0, 1, 1]


def occurrences(feature: Feature, pages: Forest) -> list[Counter[tuple[int, int, int, str]]]:
    """What an open feature finds in each page: from which node of the page to which, the key, and how it is
    spelled.
    """
    assert not isinstance(feature, Closed)
    finds = feature.function(pages)
    some = [place for place in range(len(finds.start)) if finds.end[place] > finds.start[place]]
    found: list[Counter[tuple[int, int, int, str]]] = [Counter() for _ in pages.pages]
    for place, value in zip(some, finds.spell(some), strict=True):
        page = int(pages.page[finds.start[place]])
        first = int(pages.page_start[page])
        assert finds.end[place] <= pages.page_start[page + 1], f"{feature.name} goes beyond the page"
        found[page][
            int(finds.start[place]) - first, int(finds.end[place]) - first, int(finds.key[place]), value
        ] += 1
    return found


def check_batch(pages: Sequence[TextNodes]) -> None:
    together, alone = forest(pages), [forest([page]) for page in pages]
    for feature in FEATURES:
        if isinstance(feature, Closed):
            codes = feature.function(together).tolist()
            assert len(codes) == len(together)
            for place, (start, end) in enumerate(pairwise(together.page_start.tolist())):
                assert codes[start:end] == feature.function(alone[place]).tolist(), (feature.name, place)
        else:
            for place, found in enumerate(occurrences(feature, together)):
                assert found == occurrences(feature, alone[place])[0], (feature.name, place)


@given(pages=st.lists(html, min_size=2, max_size=4))
def test_every_feature_of_a_page_in_a_batch_is_that_of_the_page_alone(pages: list[str]) -> None:
    check_batch([make_nodes(page) for page in pages])


def test_every_feature_of_real_pages_in_a_batch_is_that_of_the_page_alone() -> None:
    found = text_nodes_of(list(read_pages([MINIWEB]))[::9])
    nodes = [page for page in found if isinstance(page, TextNodes)]
    assert len(nodes) > 15
    check_batch([*nodes[:8], make_nodes(EMPTY), *nodes[8:]])


@pytest.mark.parametrize(
    "feature",
    [feature for feature in FEATURES if not isinstance(feature, Closed)],
    ids=lambda feature: feature.name,
)
def test_a_value_of_an_open_feature_has_the_key_it_was_found_by(feature: Feature) -> None:
    """Otherwise a value that training chooses would be met nowhere again."""
    assert not isinstance(feature, Closed)
    nodes = text_nodes_of(list(read_pages([MINIWEB]))[::20])
    custom = make_nodes(
        "<my-tag class=ad>a<x-y><p>b</p></x-y></my-tag><svg><text>c</text></svg><p class="
        + "long" * 20
        + ">"
        + "x" * 39
    )
    finds = feature.function(forest([custom, *(page for page in nodes if isinstance(page, TextNodes))]))
    assert len(finds.key)
    assert [feature.key_of(value) for value in finds.spell(range(len(finds.key)))] == finds.key.tolist()


def test_shared_answers_are_kept_by_keyword_arguments_too() -> None:
    pages = forest([text_nodes(make_page("<p>a"))])
    assert structural_tags(pages, count=1).shape == (1, 1)
    assert structural_tags(pages, count=3).shape == (3, 1)
