"""The cap on nesting: depth is bounded, nothing a reader sees is lost, ordinary pages are not touched."""

from __future__ import annotations

import time
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ruiji.features.page.nesting import MAX_DEPTH, cap_depth, may_be_deeper
from ruiji.features.page.textnodes import TextNodes
from tests.factories import make_nodes
from tests.strategies import html_soup, html_trees

# Elements that close themselves and those that the parser adds (html, body, tbody, tr) do not count towards
# the cap
SLACK = 40


def depth_of(nodes: TextNodes) -> int:
    return max(nodes.depths().tolist())


def letters(nodes: TextNodes) -> Counter[str]:
    return Counter("".join("".join(nodes.texts).split()))


@given(html=st.one_of(html_soup, html_trees))
def test_shallow_pages_are_not_touched(html: str) -> None:
    assert cap_depth(html.encode()) == (html.encode(), 0)


def test_three_thousand_levels_stay_as_they_are() -> None:
    nodes = make_nodes("<div>a" * 3000 + "</div>" * 3000)
    assert len(nodes) == 3000
    assert depth_of(nodes) == 3002
    assert dict(nodes.dropped) == {}


@pytest.mark.parametrize("tag", ["div", "b", "span", "font", "my-tag", "blockquote", "ul"])
def test_a_hundred_thousand_levels_keep_all_text_in_little_time(tag: str) -> None:
    start = time.process_time()
    nodes = make_nodes(f"<{tag}>a" * 100_000)
    assert time.process_time() - start < 5
    assert letters(nodes) == Counter({"a": 100_000})
    assert depth_of(nodes) <= MAX_DEPTH + SLACK
    assert nodes.dropped["nesting"] > 0


def test_what_follows_closed_levels_keeps_its_tags() -> None:
    nodes = make_nodes(
        "<div>" * 10_000 + "deep" + "</div>" * 10_000 + "<p>one</p><ul><li><a href=x>two</a></ul>"
    )
    assert list(nodes.texts) == ["deep", "one", "two"]
    assert [nodes.path(node) for node in (1, 2)] == ["/html/body/p", "/html/body/ul/li/a"]
    assert nodes.dropped["nesting"] == (10_000 - MAX_DEPTH) * len("<div></div>")


@pytest.mark.parametrize(
    "html",
    [
        "<p>a" * 20_000,
        "<ul>" + "<li>a" * 20_000,
        "<table>" + "<tr><td>a" * 10_000,
        "<dl>" + "<dt>a<dd>b" * 10_000,
        "<select>" + "<option>a" * 6_000,
        "<p>a<br>" * 10_000,
        "<p>" + "<img><br><input>a" * 10_000,
        "<p>" + "<b>a</b>" * 20_000,
        "<p>" + "</b>a" * 20_000,
        "<ruby>" + "a<rt>b" * 10_000,
        "<p>" + "1 < 2 a" * 20_000,
        "<p>" + "<a href=x>a" * 20_000,
    ],
    ids=["p", "li", "td", "dt dd", "option", "p br", "void", "closed", "stray ends", "rt", "no tags", "a"],
)
def test_unclosed_elements_that_do_not_nest_are_not_flattened(html: str) -> None:
    nodes = make_nodes(html)
    assert "nesting" not in nodes.dropped
    assert depth_of(nodes) < 50


def test_unclosed_table_cells_keep_their_cells() -> None:
    nodes = make_nodes("<table>" + "<tr><td>a" * 6000)
    assert Counter(nodes.tag)["td"] == 6000


# Where a simple reader of tags and the parser see different tags, each is followed by a hundred levels.
TRICKS = {
    "abrupt comment": "<!-->",
    "abrupt comment with a dash": "<!--->",
    "bogus comment": "<!x --",
    "processing instruction": "<?x >",
    "custom element like title": "<title-x>",
    "custom element like style": "<style-guide>",
    "quote in a value": '<p a=b">',
    "quote as a name": '<p ">',
    "title in svg": "<svg><title>",
    "style in svg": "<svg><style></svg>",
    "cdata": "<svg><![CDATA[</svg>]]></svg>",
    "closed script": "<script/>x</script>",
    "script with a comment": "<script><!--<script></script>--></script>",
    "unclosed quote before": '<p a="b>',
    "iframe": "<iframe></iframe>",
    "stray end": "</p></br></title>",
    "noscript": "<noscript>",
    "end tag with a quote": '</p a=">',
}


@pytest.mark.parametrize("ending", ["", '<p title="x">b</p>', 'b">', "b--></title></style></svg>"])
@pytest.mark.parametrize("trick", TRICKS)
def test_no_trick_gets_around_the_cap(trick: str, ending: str) -> None:
    html = TRICKS[trick] + "<div>a" * 100 + ending
    capped, removed = cap_depth(html.encode(), depth=20)
    before, after = make_nodes(html), make_nodes(capped)
    if depth_of(before) > 20 + SLACK:
        assert depth_of(after) <= 20 + SLACK
        assert removed > 0
    assert letters(after) == letters(before)


@pytest.mark.parametrize(
    "tag", ["rt", "rp", "rb", "rtc", "optgroup", "option", "dd", "li", "tbody", "td", "colgroup", "body", "p"]
)
def test_elements_that_mostly_close_themselves_are_capped_where_they_do_not(tag: str) -> None:
    """Outside <ruby> and <select> the parser nests some of them without end."""
    after = make_nodes(cap_depth(f"<{tag}>a".encode() * 300, depth=20)[0])
    assert depth_of(after) <= 20 + SLACK


@pytest.mark.parametrize(
    "unit",
    [
        "<li><dd>a",
        "<dt><li>a",
        "<dd><p><li>a",
        "<li><ul></li>a",
        "<dd><li><ul><li></li>a",
        "<li><svg><foreignobject>a",
        "<b><div></b>a",
    ],
)
def test_what_another_element_holds_open_is_capped(unit: str) -> None:
    """Items of the other kind, and other special elements, hold an open item open; the end of formatting
    leaves open what is in it.
    """
    before, after = unit * 300, cap_depth((unit * 300).encode(), depth=20)[0]
    assert depth_of(make_nodes(before)) > 300
    assert depth_of(make_nodes(after)) <= 20 + SLACK
    assert letters(make_nodes(after)) == letters(make_nodes(before))


@given(html=st.lists(st.one_of(html_soup, html_trees), min_size=3, max_size=8).map("".join))
def test_capping_loses_no_text(html: str) -> None:
    hidden = ("<script", "<style", "<template", "<noframes", "<iframe", "<video")
    html = html if not any(name in html for name in hidden) else "<p>a</p>"
    capped, _ = cap_depth(f"<p>.{html}".encode(), depth=3)
    assert letters(make_nodes(capped)) == letters(make_nodes(f"<p>.{html}"))


@given(markup=st.one_of(st.binary(max_size=100), html_soup.map(str.encode)), depth=st.integers(0, 5))
def test_no_bytes_raise_and_only_tags_are_removed(markup: bytes, depth: int) -> None:
    capped, removed = cap_depth(markup, depth)
    assert len(capped) + removed == len(markup)


@given(levels=st.integers(0, 30), depth=st.integers(1, 30))
def test_the_bound_by_bytes_never_misses_depth(levels: int, depth: int) -> None:
    markup = b"<div>" * levels + b"</div>" * levels
    assert may_be_deeper(markup, depth) == (levels > depth)


@pytest.mark.parametrize(
    "html",
    [
        "<a " * 10_000,
        "<i>" * 5000 + "<script>" + "</script " * 10_000,
        '<a "' * 10_000,
        "<!--" * 20_000,
        "<i>" * 5000 + "<title>" * 20_000,
        "</a " * 20_000,
    ],
    ids=[
        "unclosed tags",
        "unclosed ends of a script",
        "unclosed quotes",
        "comments",
        "titles",
        "unclosed end tags",
    ],
)
def test_time_grows_with_the_size_only(html: str) -> None:
    start = time.process_time()
    make_nodes(html)
    assert time.process_time() - start < 0.7
