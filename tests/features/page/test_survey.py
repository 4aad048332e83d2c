"""What the look in C finds ordinary gives the functions in Python nothing to do."""

from __future__ import annotations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from ruiji.corpora.c_modules import compiled
from ruiji.corpora.encoding.decoding import decode
from ruiji.corpora.miniweb import MINIWEB
from ruiji.corpora.reading import read_pages
from ruiji.features.page import parser_input
from ruiji.features.page.attributes import LONG_TAG, MAX_ATTRIBUTES, bare_roots, cap_attributes
from ruiji.features.page.nesting import HONEST_TAGS, SUSPICIOUS_DEPTH, may_be_deeper
from ruiji.features.page.parser_input import MAX_BRACKETS, MAX_TEMPLATES, is_ordinary
from tests.strategies import html_soup

pytestmark = pytest.mark.skipif(
    compiled("ruiji.features.page._survey") is None, reason="the look in C was not built"
)


def has_nothing_to_do(markup: bytes) -> bool:
    """What the functions in Python say."""
    return (
        parser_input._cut(markup) == len(markup)
        and markup.lower().count(b"<template") <= MAX_TEMPLATES
        and not cap_attributes(markup)[1]
        and not bare_roots(markup)[1]
        and not may_be_deeper(markup)
    )


@given(html_soup.map(lambda soup: soup.encode("utf-8", "replace") if isinstance(soup, str) else soup))
@settings(max_examples=100)
def test_ordinary_markup_is_ordinary(markup: bytes) -> None:
    assert is_ordinary(markup) <= has_nothing_to_do(markup)


@given(
    st.lists(
        st.sampled_from([b"<", b">", b"</", b"<b", b"<TEMPlate", b"x", b" a=", b"<!--", b"</b>", b"<Body a "])
    ),
    st.sampled_from([b"", b"<b>", b"</b>", b"<b></b>", b"<Template>", b"<body a>", b" y", b"<"]),
    st.sampled_from([0, 1, MAX_TEMPLATES, LONG_TAG, SUSPICIOUS_DEPTH, HONEST_TAGS]),
    st.integers(-1, 1),
)
@example([b"<"], b"<", MAX_BRACKETS, 1)
@settings(max_examples=100, deadline=None)
def test_the_limits_are_where_they_are(parts: list[bytes], piece: bytes, times: int, more: int) -> None:
    markup = b"".join(parts) + piece * (times + more) + b"".join(parts)
    assert is_ordinary(markup) <= has_nothing_to_do(markup)


ATTRIBUTES = [
    b" a",
    b" b=c",
    b'd="e f"',
    b" g='>'",
    b"/",
    b" h =\n i",
    b" j='",
    b'"',
    b"'",
    b"=",
    b" <b",
    b">",
]


@given(st.lists(st.sampled_from(ATTRIBUTES), max_size=8), st.lists(st.sampled_from(ATTRIBUTES), max_size=4),
    st.sampled_from([MAX_ATTRIBUTES + more for more in (-4, -3, 0, 1, 2)]), st.sampled_from(["x", "y=z"]),
)  # fmt: skip
@settings(max_examples=200, deadline=None)
def test_attributes_of_long_tags_are_counted_as_in_python(
    before: list[bytes], after: list[bytes], times: int, attribute: str
) -> None:
    markup = (
        b"</p" * (times % 2)
        + b"<p" * (1 - times % 2)
        + b"".join(before)
        + f" {attribute:5}".encode() * times
        + b"".join(after)
        + b"><b>c</b>"
    )
    assert is_ordinary(markup) <= has_nothing_to_do(markup)


def test_a_long_tag_of_few_attributes_is_ordinary() -> None:
    assert is_ordinary(b"<img alt = 'a' src='" + b"/x >" * LONG_TAG + b"' / data-a=b>c")


def test_pages_are_ordinary() -> None:
    assert all(is_ordinary(decode(page).utf8) for page in read_pages([MINIWEB]))


@pytest.mark.parametrize(
    "markup",
    [
        b"<b>" * (SUSPICIOUS_DEPTH + 1),
        b"<b></b>" * (HONEST_TAGS + 1),
        b"<tEmplate>" * (MAX_TEMPLATES + 1),
        b"<a" + b" x" * (LONG_TAG // 2 + MAX_ATTRIBUTES) + b">",
        b"<a " + b"x" * 2 * LONG_TAG,
    ],
)
def test_what_is_beyond_a_limit_is_not(markup: bytes) -> None:
    assert not is_ordinary(markup)
    assert is_ordinary(markup[len(markup) // 2 :])
