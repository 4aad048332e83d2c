"""The features of the set full: each by plain loops over a tree that recursion made, and the odd cases by
example.
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ruiji.corpora import MINIWEB, read_pages
from ruiji.features.nodes.attributes import Attributes, Closed, FeatureSet, Open
from ruiji.features.nodes.forest import Forest, forest
from ruiji.features.nodes.full import FAMILIES, FULL
from ruiji.features.nodes.nakamura import NAKAMURA
from ruiji.features.nodes.names import BESIDE, article_part, content_part
from ruiji.features.nodes.structure import SECTIONS
from ruiji.features.nodes.tags import SEMANTIC, TARGETS
from ruiji.features.page import elements
from ruiji.features.page.elements import BLOCK_LEVEL
from ruiji.features.page.parsing import text_nodes_of
from ruiji.features.page.textnodes import TextNodes
from ruiji.features.text.characters import characters
from ruiji.features.text.hints import NAME_MEANINGS, WORD_MEANINGS, hinted_elements
from ruiji.features.text.word_lists import word_lists
from tests.factories import make_nodes, make_page
from tests.features.page.oracle import Tree, planted
from tests.strategies import html_pages, html_soup, html_trees

OF_TREES = (
    Closed(article_part, BESIDE),
    Closed(content_part, BESIDE),
)  # which the CRF does not look at (docs/decisions)
CLOSED = {feature.name: feature for feature in (*FULL.features, *OF_TREES) if isinstance(feature, Closed)}
OPEN = {feature.name: feature for feature in FULL.features if isinstance(feature, Open)}
HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
LISTS = ("ul", "ol", "dl", "menu", "select")
SHARES = (1e-9, 0.1, 0.25, 0.4, 0.6, 0.8, 0.999)
MEANS = (4, 8, 15, 25, 40, 80)
NUMBERS = (2, 3, 5, 9, 17, 33, 65)
DISTANCES = (1, 2, 3, 4, 5, 7, 10)
FRACTIONS = (0.01, 0.03, 0.1, 0.25, 0.5, 0.8, 0.95)
DOUBLINGS = (1, 2, 4, 8, 16, 32, 64)

html = st.one_of(html_pages, html_trees.filter(bool), html_soup.filter(bool))


def codes(name: str, *pages: str) -> list[int]:
    return [int(code) for code in CLOSED[name].function(forest([make_nodes(page) for page in pages]))]


def values(name: str, *pages: str) -> list[str]:
    """The values of a closed feature at the nodes of pages."""
    return [CLOSED[name].values[code] for code in codes(name, *pages)]


def found(name: str, *pages: str) -> list[list[str]]:
    """What an open feature finds at each node of pages, sorted."""
    trees = forest([make_nodes(page) for page in pages])
    finds = OPEN[name].function(trees)
    at: list[list[str]] = [[] for _ in range(len(trees))]
    for place, value in enumerate(finds.spell(range(len(finds.key)))):
        for node in range(int(finds.start[place]), int(finds.end[place])):
            at[node].append(value)
    return [sorted(some) for some in at]


def step(value: float, borders: Sequence[float]) -> int:
    return sum(value >= border for border in borders)


@dataclass
class Brute:
    """A page by recursion, and slow answers about its texts."""

    tree: Tree
    nodes: TextNodes

    @property
    def texts(self) -> range:
        return range(len(self.tree.texts))

    def length(self, text: int) -> int:
        chars = (" " if unicodedata.category(char) == "Cc" else char for char in self.tree.texts[text])
        return len(" ".join("".join(chars).split()))

    def linked(self, text: int) -> bool:
        return self.tree.href(text) is not None

    def block(self, text: int) -> list[int]:
        """The texts of the block of a text."""
        return [other for other in self.texts if self.nodes.block[other] == self.nodes.block[text]]

    def block_element(self, text: int) -> int:
        element = self.tree.nearest(self.tree.homes[text], *BLOCK_LEVEL)
        assert element is not None
        return element

    def siblings(self, element: int | None) -> int:
        """How many elements have the same parent and name."""
        if element is None:
            return 1
        tags, parent = self.tree.tags, self.tree.parent(element)
        return sum(
            self.tree.parent(other) == parent and tags[other] == tags[element] for other in range(len(tags))
        )

    def siblings_above(self, text: int) -> int:
        return self.siblings(self.tree.nearest(self.tree.parent(self.block_element(text)), *BLOCK_LEVEL))

    def climb(self, text: int) -> int:
        return len(self.tree.above(text)) - (len(self.tree.common(text, text - 1)) if text else 0)

    def descent(self, text: int) -> int:
        return len(self.tree.above(text - 1)) - len(self.tree.common(text, text - 1)) if text else 0

    def block_place(self, text: int) -> int:
        block = self.block(text)
        return 0 if block == [text] else 1 if block[0] == text else 2 if block[-1] == text else 3

    def sections(self, text: int) -> list[list[int] | None]:
        """The texts of the enclosing sections, innermost first."""
        tree, levels = self.tree, []
        for element in reversed(tree.above(text)):
            parent = tree.parent(element)
            doubled = (
                parent is not None
                and tree.tags[parent] in SECTIONS
                and tree.inside(parent) == tree.inside(element)
            )
            if tree.tags[element] in SECTIONS and not doubled:
                levels.append(tree.inside(element))
        return [*levels, None, None, None][:3]

    def container(self, text: int, *tags: str) -> list[int] | None:
        """The texts in the nearest element of these names."""
        element = self.tree.nearest(self.tree.homes[text], *tags)
        return None if element is None else self.tree.inside(element)

    def branch(self, text: int) -> list[int] | None:
        """The texts in the outermost element that has less than half of the page's characters."""
        inside = map(self.tree.inside, self.tree.above(text))
        whole = sum(map(self.length, self.texts))
        return next((some for some in inside if sum(map(self.length, some)) < 0.5 * whole), None)

    def outer_list(self, text: int) -> list[int] | None:
        return next(
            (
                self.tree.inside(element)
                for element in self.tree.above(text)
                if self.tree.tags[element] in LISTS
            ),
            None,
        )

    def fragments(self, some: list[int] | None) -> float:
        """The share of texts that link into the page itself."""
        return (
            sum((self.tree.href(text) or "").strip().startswith("#") for text in some) / len(some)
            if some
            else 0.0
        )

    def part(self, text: int, tag: str) -> int:
        """None in the page, inside one, before the first, after the last, between."""
        insides = [self.tree.inside(element) for element, name in enumerate(self.tree.tags) if name == tag]
        taken = sorted(other for inside in insides for other in inside)
        if not taken:
            return 0
        return 1 if text in taken else 2 if text < taken[0] else 3 if text > taken[-1] else 4

    def mean(self, some: list[int] | None) -> float:
        return sum(map(self.length, some)) / len(some) if some else 0.0

    def link_count(self, some: list[int] | None) -> float:
        return sum(map(self.linked, some)) / len(some) if some else 0.0

    def link_share(self, some: list[int] | None) -> float:
        """The share of characters in links."""
        whole = sum(map(self.length, some or []))
        return sum(self.length(text) for text in some or [] if self.linked(text)) / whole if whole else 0.0

    def share(self, some: list[int] | None) -> float:
        return sum(map(self.length, some or [])) / max(sum(map(self.length, self.texts)), 1)

    def before(self, text: int) -> float:
        return sum(map(self.length, range(text))) / max(sum(map(self.length, self.texts)), 1)

    def back(self, text: int, which: Callable[[int], bool]) -> float:
        return next((text - other for other in range(text, -1, -1) if which(other)), float("inf"))

    def ahead(self, text: int, which: Callable[[int], bool]) -> float:
        return next((other - text for other in self.texts if other >= text and which(other)), float("inf"))

    def is_paragraph(self, text: int) -> bool:
        return self.length(text) >= 80 and not self.linked(text)

    def under(self, *tags: str) -> Callable[[int], bool]:
        return lambda text: self.tree.nearest(self.tree.homes[text], *tags) is not None

    def long_texts(self, text: int) -> int:
        borders = (1, 2, 4, 9, 25, float("inf"))
        return step(self.back(text, self.is_paragraph), borders) * 7 + step(
            self.ahead(text, self.is_paragraph), borders
        )

    def main_heading(self, text: int) -> int:
        in_heading = [other for other in self.texts if self.under("h1")(other)]
        if not in_heading:
            return 3
        return 1 if text in in_heading else 0 if text < in_heading[0] else 2

    def heading_elsewhere(self, text: int) -> bool:
        heading = self.under(*HEADINGS, "dt", "caption")
        return any(
            heading(other) and self.stripped(other) == self.stripped(text)
            for other in self.texts
            if other > text
        )

    def stripped(self, text: int) -> str:
        return self.tree.texts[text].strip()

    def nearest_hint(self, text: int) -> int:
        """The last word with a meaning counts, and the element's name more than any."""
        words_of = word_lists("hints")["names"]
        meaning: dict[int, str] = {}
        for element, name in self.nodes.names or ():
            spelling = characters([name])
            words = spelling.words(split_case=True)
            for word in spelling.spelled(words, range(len(words.key))):
                if meant := [group for group in NAME_MEANINGS if word in words_of[group].split()]:
                    meaning[element] = meant[-1]
        meaning |= {
            element: hinted_elements()[tag]
            for element, tag in enumerate(self.tree.tags)
            if tag in hinted_elements()
        }
        return next(
            (
                NAME_MEANINGS.index(meaning[element]) + 1
                for element in reversed(self.tree.above(text))
                if element in meaning
            ),
            0,
        )


BRUTE: dict[str, Callable[[Brute, int], int]] = {
    "size": lambda page, text: step(page.length(text), (2, 3, 5, 9, 16, 26, 41, 81, 161, 401)),
    "climb": lambda page, text: step(page.climb(text), DISTANCES),
    "descent": lambda page, text: step(page.descent(text), DISTANCES),
    "siblings": lambda page, text: step(page.siblings(page.block_element(text)), NUMBERS),
    "siblings_above": lambda page, text: step(page.siblings_above(text), NUMBERS),
    "block_tag": lambda page, text: CLOSED["block_tag"].values.index(
        page.tree.tags[page.block_element(text)]
    ),
    "block_place": Brute.block_place,
    "block_and_links": lambda page, text: (
        step(sum(map(page.length, page.block(text))), (2, 3, 5, 9, 16, 26, 41, 81, 161, 401)) * 8
        + step(page.link_share(page.block(text)), SHARES)
    ),
    "list_links": lambda page, text: step(page.link_count(page.container(text, *LISTS)), SHARES),
    "list_size": lambda page, text: step(page.mean(page.container(text, *LISTS)), MEANS),
    "table_links": lambda page, text: step(page.link_count(page.container(text, "table")), SHARES),
    "table_size": lambda page, text: step(page.mean(page.container(text, "table")), MEANS),
    "main_part": lambda page, text: page.part(text, "main"),
    "article_part": lambda page, text: page.part(text, "article"),
    "outer_list_links": lambda page, text: step(page.link_count(page.outer_list(text)), SHARES),
    "outer_list_fragments": lambda page, text: step(page.fragments(page.outer_list(text)), SHARES),
    "branch_links": lambda page, text: step(page.link_share(page.branch(text)), SHARES),
    "branch_share": lambda page, text: step(page.share(page.branch(text)), FRACTIONS),
    "branch_size": lambda page, text: step(page.mean(page.branch(text)), MEANS),
    "branch_opens": lambda page, text: (page.branch(text) or [-1])[0] == text,
    "section_links": lambda page, text: step(page.link_share(page.sections(text)[0]), SHARES),
    "section2_links": lambda page, text: step(page.link_share(page.sections(text)[1]), SHARES),
    "section3_links": lambda page, text: step(page.link_share(page.sections(text)[2]), SHARES),
    "section_share": lambda page, text: step(page.share(page.sections(text)[0]), FRACTIONS),
    "section2_share": lambda page, text: step(page.share(page.sections(text)[1]), FRACTIONS),
    "section3_share": lambda page, text: step(page.share(page.sections(text)[2]), FRACTIONS),
    "section_size": lambda page, text: step(page.mean(page.sections(text)[0]), MEANS),
    "section2_size": lambda page, text: step(page.mean(page.sections(text)[1]), MEANS),
    "section3_size": lambda page, text: step(page.mean(page.sections(text)[2]), MEANS),
    "place": lambda page, text: 10 * text // len(page.texts),
    "text_before": lambda page, text: step(
        page.before(text), (0.01, 0.03, 0.1, 0.2, 0.35, 0.5, 0.65, 0.8, 0.9, 0.97, 0.99)
    ),
    "from_start": lambda page, text: step(text, DOUBLINGS),
    "to_end": lambda page, text: step(len(page.texts) - 1 - text, DOUBLINGS),
    "long_texts": Brute.long_texts,
    "heading_before": lambda page, text: step(
        page.back(text, page.under(*HEADINGS)), (1, 2, 4, 16, float("inf"))
    ),
    "main_heading": Brute.main_heading,
    "page_links": lambda page, text: step(page.link_share(list(page.texts)), SHARES),
    "repeated_text": lambda page, text: min(
        [page.stripped(other) for other in page.texts].count(page.stripped(text)) - 1, 3
    ),
    "in_title": lambda page, text: len(page.stripped(text)) >= 4 and page.stripped(text) in page.nodes.title,
    "heading_elsewhere": Brute.heading_elsewhere,
    "nearest_hint": Brute.nearest_hint,
}


@settings(max_examples=150)
@given(page=html)
def test_closed_features_are_what_plain_loops_find(page: str) -> None:
    nodes = make_nodes(page)
    trees, brute = forest([nodes]), Brute(planted(page), nodes)
    for name, slow in BRUTE.items():
        assert CLOSED[name].function(trees).tolist() == [slow(brute, text) for text in brute.texts], name


def stretches(name: str, trees: Forest) -> Counter[tuple[int, int, str]]:
    finds = OPEN[name].function(trees)
    spans = zip(finds.start.tolist(), finds.end.tolist(), finds.spell(range(len(finds.key))), strict=True)
    return Counter(span for span in spans if span[1] > span[0])


@settings(max_examples=80)
@given(page=html)
def test_elements_around_opening_and_closing_are_what_plain_loops_find(page: str) -> None:
    tree, trees = planted(page), forest([make_nodes(page)])
    spans = [
        (first, end, tag)
        for first, end, tag in zip(tree.first, tree.end, tree.tags, strict=True)
        if end > first
    ]
    tags_above = ({tree.tags[element] for element in tree.above(text)} for text in range(len(tree.texts)))
    assert [sorted(set(tags)) for tags in found("inside", page)] == [
        sorted(tags & set(SEMANTIC)) for tags in tags_above
    ]
    assert stretches("opens", trees) == Counter(
        (first, first + 1, tag) for first, _, tag in spans if tag in BLOCK_LEVEL
    )
    assert stretches("closed_before", trees) == Counter(
        (end, end + 1, tag) for _, end, tag in spans if tag in BLOCK_LEVEL and end < len(trees)
    )


@settings(max_examples=80)
@given(page=html)
def test_tag_paths_are_what_plain_loops_find(page: str) -> None:
    tree = planted(page)
    passed_over = "div font a span strong select option pre small kbd tbody".split()
    structural, blocks = [], []
    for text in range(len(tree.texts)):
        tags = [tree.tags[element] for element in reversed(tree.above(text))]
        known = [tag if tag in elements.numbers() else "other" for tag in tags if tag not in passed_over]
        structural.append(["/".join([*known, "-", "-"][:3])])
        blocks.append(["/".join([*(tag for tag in tags if tag in BLOCK_LEVEL), "-", "-"][:3])])
    assert found("tags_above", page) == structural
    assert found("blocks_above", page) == blocks


@settings(max_examples=100)
@given(pages=st.lists(html, min_size=1, max_size=3))
def test_codes_lie_within_the_values(pages: list[str]) -> None:
    trees = forest([make_nodes(page) for page in pages])
    for feature in (*FULL.features, *NAKAMURA.features):
        if isinstance(feature, Closed):
            found = feature.function(trees)
            assert found.shape == (len(trees),), feature.name
            assert ((found >= 0) & (found < len(feature.values))).all(), feature.name


def test_codes_of_real_pages_lie_within_the_values() -> None:
    nodes = text_nodes_of(list(read_pages([MINIWEB]))[::5])
    trees = forest([page for page in nodes if isinstance(page, TextNodes)])
    assert len(trees) > 1000
    for feature in CLOSED.values():
        found = feature.function(trees)
        assert ((found >= 0) & (found < len(feature.values))).all(), feature.name
        assert len(set(found.tolist())) > 1, f"{feature.name} says nothing"


def test_every_feature_is_listed_once_and_says_what_it_is() -> None:
    for features in (FULL, NAKAMURA):
        names = [feature.name for feature in features.features]
        assert len(names) == len(set(names))
        for feature in features.features:
            if isinstance(feature, Closed):
                assert len(set(feature.values)) == len(feature.values), f"{feature.name} has a value twice"
                assert len(set(feature.offsets)) == len(feature.offsets)
                assert 0 in feature.offsets, f"{feature.name} looks at neighbours only"
            assert (feature.function.__doc__ or "").rstrip().endswith("."), f"{feature.name} has no docstring"


def test_families_name_features_of_the_set_once() -> None:
    names = [name for family in FAMILIES.values() for name in family]
    assert len(names) == len(set(names))
    known = {feature.name for feature in FULL.features}
    assert set(names) <= known
    for family in FAMILIES.values():
        assert len(FULL.without(family).features) == len(FULL.features) - len(family)
    assert known == set(names)


def test_climb_and_descent() -> None:
    page = "<body><ul><li><a href=x>a</a></li><li>b</li></ul><p>c<b>d</b></p>"
    assert values("climb", page) == ["5-6", "1", "1", "1"]  # html body ul li a; li; p; b
    assert values("descent", page) == ["0", "2", "2", "0"]
    assert values("descent", page, "<p>x", "<p> </p>", "<p>y") == ["0", "2", "2", "0", "0", "0"]


def test_siblings_are_counted_in_the_page() -> None:
    page = "<body>x<ul>" + "<li>a</li>" * 4 + "</ul><ul><li>b</ul><div>c<div>d</div></div>"
    assert values("siblings", page) == ["0-1"] + ["3-4"] * 4 + ["0-1"] * 3
    assert values("siblings_above", page) == ["0-1"] + ["2"] * 5 + ["0-1"] * 2
    many = ["<body>x"] * 5
    assert values("siblings", *many) == values("siblings_above", *many) == ["0-1"] * 5


def test_siblings_without_text_count_too() -> None:
    assert values("siblings", "<p>a</p><p></p><p><img></p>") == ["3-4"]


def test_place_in_the_block() -> None:
    page = "<p>a</p><p>b<i>c</i>d<br>e</p>f<div>g<p>h</p>i<b>j</b></div>"
    assert values("block_place", page) == [
        "only",
        "first",
        "between",
        "between",
        "last",
        "only",
        "only",
        "only",
        "first",
        "last",
    ]
    assert values("block_place", "<p>a", "<p>b<i>c</i>", "<p>d") == ["only", "first", "last", "only"]


def test_distance_to_paragraphs() -> None:
    paragraph, short = f"<p>{'c' * 80}</p>", "<p>x</p>"
    assert values("long_texts", short + paragraph + short * 2) == [
        "-none,+1",
        "-0,+0",
        "-1,+none",
        "-3,+none",
    ]
    assert values("long_texts", f"<p>{'c' * 79}</p><a href=x>{'c' * 90}</a>") == ["-none,+none"] * 2
    assert values("long_texts", paragraph, short, paragraph) == ["-0,+0", "-none,+none", "-0,+0"]
    assert values("long_texts", short * 24 + paragraph)[0] == "-none,+24"
    assert values("long_texts", short * 25 + paragraph)[0] == "-none,+far"
    assert values("long_texts", paragraph + short * 9)[3:10] == ["-3,+none"] + ["-8,+none"] * 5 + [
        "-24,+none"
    ]


@pytest.mark.parametrize(
    ("href", "value"),
    [
        ("#top", "fragment"),
        ("#", "fragment"),
        ("javascript:void(0)", "script"),
        ("mailto:a@host.example", "script"),
        ("tel:117", "script"),
        ("", "script"),
        ("..", "up"),
        ("../a/b.html", "up"),
        ("/", "root"),
        ("index.html", "root"),
        ("/index.php?x", "root"),
        ("http://host.example", "root"),
        ("http://host.example/", "root"),
        ("https://www.host.example/index.html", "root"),
        ("next.html", "beside"),
        ("?page=2", "beside"),
        ("next.html#part", "beside"),
        ("/next.html", "beside"),
        ("http://host.example/next.html", "beside"),
        ("sub/next.html", "below"),
        ("sub/next.html#part", "below"),
        ("/sub/", "below"),
        ("http://host.example/sub/next.html", "below"),
        ("http://other.example/", "external"),
        ("//other.example/#top", "external"),
    ],
)
def test_targets_of_links(href: str, value: str) -> None:
    assert value in TARGETS
    assert values("target", f"<p>a<a href='{href}'>b</a>") == ["none", value]


def test_targets_belong_to_the_links_of_their_page() -> None:
    pages = ["<a href=#x>a</a>b", "c", "<a href=..>d</a><a href=e>e</a>"]
    assert values("target", *pages) == ["fragment", "none", "none", "up", "beside"]


def test_relative_links_follow_the_base_address() -> None:
    assert values("target", "<base href=http://other.example/><a href=x>a</a><a href=#y>b</a>") == [
        "external",
        "fragment",
    ]


def test_entries_of_a_table_of_contents_are_later_headings() -> None:
    page = "<ul><li>船<li> 港 <li>町</ul><h2>船</h2><p>町<h3><b>港</b></h3><dl><dt>町</dt></dl>船"
    assert values("heading_elsewhere", page) == ["yes", "yes", "yes", "no", "yes", "no", "no", "no"]
    assert values("heading_elsewhere", "<li>船", "<h2>船</h2>") == ["no", "no"]
    assert values("heading_elsewhere", "<h2>船</h2><h2>船</h2>") == ["yes", "no"]


def test_repeated_texts_are_counted_in_the_page() -> None:
    assert (
        values("repeated_text", "<p>a<p> a\n<p>b<p>A", "<p>a", "<p>x" * 5)
        == ["1", "1", "0", "0", "0"] + ["3+"] * 5
    )


def test_texts_that_the_title_has() -> None:
    page = "<title>港町  だより | 朝市</title><h1>港町 だより</h1><p>港町<p>朝市<p>| 朝市<p> <b>だより |</b>"
    assert values("in_title", page) == ["yes", "no", "no", "yes", "yes"]
    assert values("in_title", "<title>harbour news</title><p>harbour", "<p>harbour") == ["yes", "no"]


def test_place_and_text_before() -> None:
    page = "<p>ab" * 10
    assert values("place", page, page) == [str(tenth) for tenth in range(10)] * 2
    assert values("place", "<p>a", "<p>a<p>b<p>c") == ["0", "0", "3", "6"]
    assert codes("text_before", page, page) == [0, 3, 4, 4, 5, 6, 6, 7, 8, 9] * 2
    assert codes("text_before", f"<p>a<p>{'b' * 98}<p>c") == [0, 1, 11]


def test_nodes_before_and_after() -> None:
    page = "<p>a" * 9
    assert codes("from_start", page, "<p>b") == [0, 1, 2, 2, 3, 3, 3, 3, 4, 0]
    assert codes("to_end", page, "<p>b") == [4, 3, 3, 3, 3, 2, 2, 1, 0, 0]


def test_the_main_heading() -> None:
    page = "<p>a<h1>b<i>c</i></h1><p>d"
    assert values("main_heading", page, "<p>e", page, "<h1>f</h1>") == [
        "before",
        "at",
        "at",
        "after",
        "none",
        "before",
        "at",
        "at",
        "after",
        "at",
    ]


def test_the_last_heading() -> None:
    page = "<p>a<h2>b</h2>" + "<p>c" * 16
    assert values("heading_before", page) == ["none", "0", "1", "3", "3"] + ["15"] * 12 + ["far"]
    assert values("heading_before", "<h1>a</h1>", "<p>b") == ["0", "none"]


def test_beside_elements_whose_names_mean_content() -> None:
    page = "<body><p>a<div id=content><p>b</div><p>c<div class=entry>d</div><p>e"
    assert values("content_part", page, "<p>f") == ["before", "inside", "between", "inside", "after", "none"]


def test_sections_by_level() -> None:
    """A menu of links in a page: the list, then the page around it."""
    page = "<body><ul>" + "<li><a href=x>港町</a>" * 2 + "</ul><div>" + "<p>" + "港" * 96 + "</div>"
    assert values("section_links", page) == ["1", "1", "0"]  # li, li, div
    assert values("section2_links", page) == ["1", "1", "0-.1"]  # ul, ul, body
    assert values("section3_links", page) == ["0-.1", "0-.1", "0"]  # body, body, none
    assert codes("section_share", page) == [1, 1, 7]  # 2 of 100 characters, 96 of 100
    assert codes("section2_share", page) == [2, 2, 7]
    assert codes("section3_share", page) == [7, 7, 0]
    assert values("section_size", page) == ["0-4", "0-4", "80+"]


def test_elements_that_open_and_close_at_a_node() -> None:
    page = "<body><div><p>a<b>b</b></p><ul><li>c</li></ul></div>d"
    assert found("opens", page) == [["body", "div", "html", "p"], [], ["li", "ul"], []]
    assert found("closed_before", page) == [[], [], ["p"], ["div", "li", "ul"]]
    assert found("closed_before", "<p>a", "<p>b<p>c") == [[], [], ["p"]]


def test_names_inside_others_are_an_attribute_once_and_elements_count() -> None:
    page = (
        "<ul><li>a<ul><li>b</ul><i>c</i></ul><div class=x>d<p class='x y'>e</div><nav>f<ul class='menu "
        "nav'>g</ul></nav><div><div>h"
    )
    trees = forest([make_nodes(page)])
    values = {"inside": SEMANTIC, "name": ("x", "y"), "hint": ("navigation",), "opens": ("div",)}
    chosen = tuple(feature for feature in FULL.features if feature.name in values)
    attributes = Attributes(FeatureSet("toy", chosen), values)
    names = attributes.names()
    rows = [[names[number].partition("=")[2] for number in row] for row in attributes.columns(trees).rows()]
    assert [" ".join(sorted(row)) for row in rows] == [
        "li ul",
        "li li ul ul",
        "i li ul",
        "div x",
        "p x y",
        "nav navigation",
        "nav navigation navigation navigation ul",
        "div div",
    ]


def test_words_of_names() -> None:
    page = "<div id=mainContent class='col-2 lead'>a<p role=note>b</div><nav class=empty></nav>c"
    assert found("name", page) == [
        ["col", "content", "lead", "main"],
        ["col", "content", "lead", "main", "note"],
        [],
    ]
    assert found("name_opens", page) == [["col", "content", "lead", "main"], ["note"], []]


def test_hints_of_names_and_elements() -> None:
    page = (
        "<nav class=x>a<div class='global-footer'>b<i>c</i></div></nav><div class=sideBar>d</div><div "
        "class=zzz>e</div>"
    )
    assert found("hint", page) == [
        ["navigation"],
        ["footer", "navigation"],
        ["footer", "navigation"],
        ["sidebar"],
        [],
    ]
    assert found("hint_opens", page) == [["navigation"], ["footer"], [], ["sidebar"], []]
    assert values("nearest_hint", page) == ["navigation", "footer", "footer", "sidebar", "none"]


@pytest.mark.parametrize(("tag", "hint"), hinted_elements().items())
def test_elements_with_a_meaning(tag: str, hint: str) -> None:
    content = "<option>a</option>" if tag == "select" else "a"
    assert values("nearest_hint", f"<{tag}>{content}</{tag}>b") == [hint, "none"]


def test_names_belong_to_the_elements_of_their_page() -> None:
    pages = ["<p class=menu>a", "<p> </p>", "<p>b<p class=footer>c"]
    assert values("nearest_hint", *pages) == ["navigation", "none", "footer"]
    assert found("name", *pages) == [["menu"], [], ["footer"]]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("ホーム", "navigation"),
        ("NEXT", "navigation"),
        ("Copyright 2007", "legal"),
        ("ＳＥＡＲＣＨ", "service"),
        ("検索", "service"),
        ("シェア", "sharing"),
        ("Share on Twitter by us", "sharing"),
        ("by Twitter", "meta"),  # the first word counts
        ("港町", "none"),
        ("home" + " x" * 18, "navigation"),  # 40 characters
        ("home" + " x" * 18 + "y", "none"),
    ],
)
def test_words_of_page_furniture(text: str, value: str) -> None:
    assert values("word_hint", f"<p>{text}", "<p>港") == [value, "none"]


def test_words_of_short_texts_only() -> None:
    assert found("word", f"<p>Next ページへ<p>{'x' * 40}<p>{'x' * 41}<p>12 →") == [
        ["next", "へ", "ページ"],
        ["x" * 40],
        [],
        [],
    ]


@pytest.mark.parametrize(
    ("name", "text", "value"),
    [
        ("first_character", " 「港」", "open"),
        ("last_character", "港町。 ", "full_stop"),
        ("last_character", "\x01", "other"),
        ("sentence_ends", "a? b! c.", "3+"),
        ("sentence_ends", "港。", "1"),
        ("commas", "a, b、c", "2"),
        ("separators", "a | b", "1"),
        ("copyright_sign", "© 2007", "yes"),
        ("copyright_sign", "(c) 2007", "no"),
        ("price", "￥500", "yes"),
        ("price", "500円", "no"),
        ("digit_share", "2007-01-30", "1"),
        ("digit_share", "a1", ".4-.6"),
        ("digit_share", "---", "0"),
        ("capital_share", "TOP", "1"),
        ("capital_share", "Top", ".25-.4"),
        ("capital_share", "港", "0"),
        ("hiragana_share", "港の", ".4-.6"),
        ("hiragana_share", "みなと", "1"),
        ("word_count", "one two three", "3-4"),
        ("word_count", "2007", "0-1"),
        ("size", "港" * 16, "16-25"),
        ("size", "港" * 15, "9-15"),
        ("size_and_link", "港町", "2,none"),
    ],
)
def test_characters_of_texts(name: str, text: str, value: str) -> None:
    assert values(name, "<p>x", f"<p>{text}", "<p>y")[1] == value


def test_kinds_of_links_and_sizes_together() -> None:
    assert values("size_and_link", "<a href=x>港</a><a href=http://other.example/>港町</a>") == [
        "1,internal",
        "2,external",
    ]


def test_blocks_and_their_links() -> None:
    page = "<p>港町<a href=x>朝市</a></p><p>a"
    assert values("block_and_links", page) == ["3-4,.4-.6", "3-4,.4-.6", "1,0"]
    assert values("tag_and_size", page + "<ul><li>港") == ["p,3-4", "p,3-4", "p,1", "li,1"]


def test_lists_and_tables_are_the_nearest() -> None:
    page = "<ul><li>港町の朝<ol><li><a href=x>a</a><li><a href=y>b</a></ol></ul>"
    page += "<table><tr><td><dl><dt>c</dt></dl><td>港町の朝は早い</table>"
    assert values("list_links", page) == [".6-.8", "1", "1", "0", "0"]
    assert values("list_size", page) == ["0-4", "0-4", "0-4", "0-4", "0-4"]
    assert values("table_size", page) == ["0-4", "0-4", "0-4", "4-8", "4-8"]


def test_words_of_hints_are_words_that_texts_can_have() -> None:
    """Those of names without exception: a word of two scripts, or with a dash, is never met as one."""
    for group, listed in word_lists("hints")["names"].items():
        for word in listed.split():
            spelling = characters([word])
            words = spelling.words(split_case=True)
            assert spelling.spelled(words, range(len(words.key))) == [word], group


def test_the_meanings_are_those_of_the_data_files() -> None:
    hints = word_lists("hints")
    assert tuple(hints["names"]) == NAME_MEANINGS
    assert tuple(hints["words"]) == WORD_MEANINGS
    assert set(hints["elements"].values()) <= set(NAME_MEANINGS)


def test_a_page_of_another_domain_has_other_links() -> None:
    nodes = text_nodes_of([make_page("<a href=http://other.example/>a</a>", url="http://other.example/x")])
    found: Any = CLOSED["target"].function(forest([page for page in nodes if isinstance(page, TextNodes)]))
    assert [TARGETS[code] for code in found] == ["root"]
