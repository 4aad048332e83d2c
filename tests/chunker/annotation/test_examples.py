"""Annotated pages as examples, and which sites belong together."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ruiji.chunker.annotation.examples import (
    UNKNOWN_SITE,
    Example,
    digest,
    domain_of,
    examples_of,
    failed,
    families,
)
from ruiji.chunker.labels import as_names
from ruiji.corpora.page import Page
from tests.factories import annotated_examples, make_page

BEGIN, END = "<!-- (((BEGIN NOT CONTENT -->", "<!-- )))END NOT CONTENT -->"
HTML = f"<p>本文です。</p>{BEGIN}<p>広告</p><p>目次</p>{END}<p>終わり。</p>"


def example_of(html: bytes | str, **fields: Any) -> Example:
    (found,) = examples_of([make_page(html, **fields)])
    return found


def main_content(html: str, text: object) -> Example:
    return example_of(html, extra={"main_content": text})


def test_comments_say_the_labels_and_the_text() -> None:
    found = example_of(HTML)
    assert as_names(found.labels) == ["O", "B", "I", "O"]
    assert (found.id, found.site, found.error, found.marked) == ("page", "host.example", "", True)
    assert found.text == "本文です。\n終わり。"


def test_regions_side_by_side_stay_two() -> None:
    found = example_of(f"{BEGIN}<p>a</p>{END}{BEGIN}<p>b</p><p>c</p>{END}<p>d")
    assert as_names(found.labels) == ["B", "B", "I", "O"]


def test_a_page_without_comments_is_content_throughout_and_not_marked() -> None:
    found = example_of("<p>a</p><p>b</p>")
    assert as_names(found.labels) == ["O", "O"]
    assert not found.marked
    assert not found.error


def test_main_content_is_aligned_to_the_nodes() -> None:
    found = main_content(
        "<ul><li>menu<li>about</ul><p>The first sentence of it all.</p><p>Imprint</p>",
        "The first sentence of it all.",
    )
    assert as_names(found.labels) == ["B", "I", "O", "B"]
    assert found.marked
    assert found.text == "The first sentence of it all."


def test_the_text_is_that_of_the_annotation_even_where_no_node_has_it() -> None:
    found = main_content(
        "<p>menu</p><p>A sentence that is there.</p>",
        "A sentence that is there. Another that is in an image.",
    )
    assert found.text == "A sentence that is there. Another that is in an image."


def test_an_empty_main_content_means_that_nothing_is_content() -> None:
    found = main_content("<p>a</p><p>b</p>", "")
    assert as_names(found.labels) == ["B", "I"]
    assert found.marked
    assert found.text == ""


def test_main_content_goes_before_comments() -> None:
    found = main_content(HTML, "広告")
    assert as_names(found.labels) == ["B", "O", "B", "I"]


@pytest.mark.parametrize("value", [None, 3, ["text"], {"a": 1}, False])
def test_main_content_that_is_no_text_fails_and_is_not_taken_for_an_empty_one(value: object) -> None:
    found = main_content("<p>a</p>", value)
    assert found.error.startswith("main_content is ")
    assert "not a text" in found.error
    assert found.nodes is None
    assert len(found.labels) == 0


@pytest.mark.parametrize(
    ("page", "error"),
    [
        (make_page(b""), "the page is empty (0 bytes)"),
        (make_page(b"%PDF-1.7"), "not HTML: the bytes are a PDF document"),
        (make_page("", error="HTTP status 404"), "HTTP status 404"),
        (make_page(f"<p>a</p>{BEGIN}<p>b</p>"), "line 1"),
        (make_page(f"<p>a</p>\n{END}<p>b</p>"), "line 2"),
    ],
)
def test_a_page_that_gives_no_example_says_why_and_stops_nobody(page: Page, error: str) -> None:
    good = make_page(HTML, id="good")
    first, bad, last = examples_of([good, page, good])
    assert error in bad.error
    assert (bad.nodes, bad.marked, len(bad.labels)) == (None, False, 0)
    assert first.labels.tolist() == last.labels.tolist() == [0, 1, 2, 0]


def test_a_page_without_text_is_an_example_without_labels() -> None:
    found = example_of("<script>x</script>")
    assert not found.error
    assert len(found.labels) == 0
    assert found.text == ""


@pytest.mark.parametrize(
    ("fields", "site"),
    [
        ({"url": "http://www.a.example:80/x"}, "a.example"),
        ({"url": "https://B.Example/"}, "b.example"),
        ({"url": "dir/x.html", "id": "dir/x.html"}, "dir"),
        ({"url": "", "id": "some"}, UNKNOWN_SITE),
        ({"url": "x.html", "id": "x.html"}, UNKNOWN_SITE),
    ],
)
def test_the_site_is_the_host_or_the_first_folder_or_one_for_all_that_is_unknown(
    fields: dict[str, str], site: str
) -> None:
    assert example_of(HTML, **fields).site == site


def test_examples_are_the_same_alone_and_together() -> None:
    pages = [make_page(HTML, id="a"), make_page(b""), make_page("<p>x" * 50, id="b")]
    together = examples_of(pages)
    alone = [example_of(page.html, id=page.id) for page in pages]
    assert [(one.id, one.labels.tolist(), one.text, one.error) for one in together] == [
        (one.id, one.labels.tolist(), one.text, one.error) for one in alone
    ]
    assert examples_of([]) == []


def test_failed_is_the_row_of_a_page_that_broke() -> None:
    found = failed(make_page("x", id="q"), "memory")
    assert (found.id, found.error, found.nodes) == ("q", "memory", None)
    assert digest([found]) == digest([])


def test_the_mini_web_is_annotated() -> None:
    examples = annotated_examples()
    assert not [one.error for one in examples if one.error]
    assert all(one.marked and len(one.labels) for one in examples)
    assert len({one.site for one in examples}) == 5


# Families


def test_sites_of_a_pattern_are_one_family_and_the_first_pattern_wins() -> None:
    sites = ["debian-a", "gnucash-b", "other", "debian-c"]
    assert families(sites, ["debian-*,gnucash-*"]) == dict.fromkeys(
        ["debian-a", "gnucash-b", "debian-c"], "debian-*,gnucash-*"
    ) | {"other": "other"}
    assert families(["debian-a"], ["*-a", "debian-*"]) == {"debian-a": "*-a"}
    assert families(["gnucash-b"], ["debian-* , gnucash-*"]) == {"gnucash-b": "debian-* , gnucash-*"}


def test_without_patterns_each_site_is_its_own() -> None:
    assert families(["a", "b", "a"], []) == {"a": "a", "b": "b"}
    assert families([], ["*"]) == {}


@given(
    st.lists(st.text("ab.", min_size=1, max_size=4)),
    st.lists(st.sampled_from(["a*", "*b", "a,b", "?"]), max_size=3),
)
def test_every_site_has_one_family(sites: list[str], together: list[str]) -> None:
    found = families(sites, together)
    assert set(found) == set(sites)
    assert all(family in (domain_of(site), *together) for site, family in found.items())


@pytest.mark.parametrize(
    ("host", "domain"),
    [
        ("blog.example.com", "example.com"),
        ("www2.a.co.jp", "a.co.jp"),
        ("a.co.jp", "a.co.jp"),
        ("x.y.jp", "y.jp"),
        ("one", "one"),
        ("", ""),
    ],
)
def test_the_domain_of_a_host(host: str, domain: str) -> None:
    assert domain_of(host) == domain
