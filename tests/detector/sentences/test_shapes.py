"""Shapes, loose forms and fits of many sentences in C, beside those of one sentence in Python."""

from __future__ import annotations

import re
from itertools import chain, islice
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ruiji.corpora import read_pages
from ruiji.corpora.c_modules import compiled
from ruiji.detector.sentences import loose
from ruiji.detector.sentences.information import contact_signs, shape, stock_phrases
from ruiji.detector.sentences.literals import DIGIT, folded, needed
from ruiji.detector.sentences.loose import loose_forms
from ruiji.detector.sentences.shapes import shapes
from ruiji.detector.sentences.table import sentence_table
from ruiji.detector.sentences.topic import counted_fit, shared_words, topic_fit
from ruiji.features import text_nodes
from tests.paths import DATA, ROOT
from tests.strategies import any_text

EXPRESSIONS = [expression.pattern for expression in (*stock_phrases(), *contact_signs())]
LITERALS = sorted({literal for expression in EXPRESSIONS for literal in needed(expression)})
# Sentences made of what the expressions look for, so that most of these are nearly met.
near_texts = st.lists(
    st.one_of(
        st.sampled_from(LITERALS), st.sampled_from([" ", "。", "3", "12:30-13:00", "x_y", "İſK"]), any_text
    ),
    max_size=6,
).map("".join)
FILES = [
    ROOT / "corpora/miniweb",
    *(
        DATA / name
        for name in ("web/wcxb-dev.jsonl.gz", "pairs-ja/pages.jsonl.gz", "pairs-web/pages.jsonl.gz")
    ),
]


def test_the_loops_in_c_were_built() -> None:
    assert compiled("ruiji.detector.sentences._sentences") is not None


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.parent.name)
def test_sentences_of_real_pages_are_the_same_in_c_and_in_python(path: Path) -> None:
    if not path.exists():
        pytest.skip("the pages are not here; RUIJI_DATA names their folder")
    nodes = [text_nodes(page) for page in islice(read_pages([path]), 0, 400, 20)]
    pages = [sentence_table([own]).texts for own in nodes]
    texts = list(dict.fromkeys(chain.from_iterable(pages)))
    assert len(texts) > 200
    assert shapes(texts) == [shape(text) for text in texts]
    assert loose_forms(texts) == [_plain_loose_form(text) for text in texts]
    for own in pages:
        assert topic_fit(own, range(len(own))).tolist() == counted_fit(own, range(len(own))).tolist()
        half = len(own) // 2
        assert _frame_in_c(own[:half], own[half:]) == shared_words(own[:half], own[half:])


@given(st.lists(near_texts, max_size=5))
def test_any_sentences_are_the_same_in_c_and_in_python(texts: list[str]) -> None:
    assert shapes(texts) == [shape(text) for text in texts]
    assert loose_forms(texts) == [_plain_loose_form(text) for text in texts]
    assert topic_fit(texts, range(len(texts))).tolist() == counted_fit(texts, range(len(texts))).tolist()


@given(st.lists(near_texts, max_size=4), st.lists(near_texts, max_size=4))
def test_any_content_fits_its_frame_as_well_in_c_as_in_python(inside: list[str], outside: list[str]) -> None:
    assert _frame_in_c(inside, outside) == shared_words(inside, outside)


def _frame_in_c(inside: list[str], outside: list[str]) -> list[tuple[int, int]]:
    module = compiled("ruiji.detector.sentences._sentences")
    assert module is not None
    return [*module.frame(inside, outside)]


def _plain_loose_form(text: str) -> str:
    """The loose form by its definition."""
    text = text.lower()
    for _ in range(loose.OPENERS):
        text = loose._opener().sub("", text, count=1)
    text = loose.without_fillers(text)
    form = re.sub(r"[\W_]+", "", loose._SIGNS_IN_NUMBERS.sub(loose.PARTED, text))
    bare = re.sub("[ぁ-ゖゝゞ]", "", loose._HIRAGANA_IN_NUMBERS.sub(loose.PARTED, form))
    told = bare if len(bare) >= loose.MIN_BARE_LETTERS else form
    return told if len(form) >= loose.MIN_LETTERS else ""


@given(st.sampled_from(EXPRESSIONS), st.data())
def test_what_an_expression_matches_contains_one_of_its_literals(
    expression: str, data: st.DataObject
) -> None:
    text = data.draw(st.from_regex(re.compile(expression, re.IGNORECASE), fullmatch=True))
    plain = "".join(folded(char) or char for char in text)
    assert any(literal in plain for literal in needed(expression))


def test_needed_literals() -> None:
    assert needed("a(?:bc|de)?f") == {"a"}
    assert needed("(?:ab|c*)d?") == {""}, "it matches the empty text"
    assert needed(r"\d{2,3}時") == {f"{DIGIT * 2}時"}
    assert needed("[xy]?abc+") == {"abc"}
