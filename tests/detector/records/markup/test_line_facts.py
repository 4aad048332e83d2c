"""A value has a kind by its label, a prefix or a shape that fills its line."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ruiji.detector.records.fields.concepts import built_in
from ruiji.detector.records.markup.line_facts import line_facts


def facts(text: str, label: str = "", links: tuple[str, ...] = ()) -> dict[str, str]:
    return {fact.concept: fact.value for fact in line_facts(text, label, links, built_in())[0]}


def test_labels_inside_a_line_part_it() -> None:
    assert facts("居室：2号館512 内線 3412") == {"place": "2号館512", "ext": "3412"}
    assert facts("TEL 03-1234-5678 FAX 03-1234-5679") == {"phone": "03-1234-5678", "fax": "03-1234-5679"}
    assert facts("Phone Ex: 2229") == {"ext": "2229"}


def test_the_place_of_a_line_may_be_its_label() -> None:
    assert facts("3412 / taro@x.example.jp", "内線")["ext"] == "3412"
    assert facts("―", "居室") == {"place": ""}, "a value that is left empty"


@pytest.mark.parametrize(
    "text", ["GitHub #1234", "13:30–15:30", "RFC 2616", "foo::bar: baz", "C++: a language", "x"]
)
def test_what_only_looks_like_a_value_is_none(text: str) -> None:
    assert not set(facts(text)) & {"phone", "ext", "mail", "place", "price"}


def test_a_shape_that_fills_the_line_is_enough() -> None:
    assert facts("780-555-0144") == {"phone": "780-555-0144"}
    assert facts("(555) 555-0144") == {"phone": "(555) 555-0144"}, "its bracket is a part of it"
    assert facts("Ward 3, (555) 555-0144, taro@x.example.jp")["phone"] == "(555) 555-0144"
    assert facts("taro [at] x.example.jp")["mail"] == "taro [at] x.example.jp"
    assert facts("Follow me", links=("https://twitter.com/taro_x",)) == {"twitter": "@taro_x"}
    assert facts("Mail", links=("mailto:taro@x.example.jp",)) == {"mail": "taro@x.example.jp"}


@pytest.mark.parametrize(
    "text",
    ["8300 Falls of Example, Suite 108", "84794 Hwy 101 S", "260 peachtree st, Elmford, GA", "P.O. Box 12"],
)
def test_a_street_with_its_number_is_an_address(text: str) -> None:
    assert facts(text) == {"address": text}


@pytest.mark.parametrize("text", ["Elmford, CA 90000", "London EC2A 4NE", "Sydney NSW 2000", "10115 Berlin"])
def test_a_town_with_its_code_is_one(text: str) -> None:
    assert facts(text) == {"zip": text}


@pytest.mark.parametrize("text", ["10 tips to find your way", "12 cats in a street", "Elmford, California"])
def test_a_number_and_words_are_no_address(text: str) -> None:
    assert facts(text) == {}


@given(st.text(max_size=60), st.text(max_size=10))
def test_no_line_is_too_odd(text: str, label: str) -> None:
    line_facts(text, label, (), built_in())
