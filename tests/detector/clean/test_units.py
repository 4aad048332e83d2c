"""The units of a text are all of it, and no sentence is parted."""

from __future__ import annotations

import numpy as np
from hypothesis import given

from ruiji.detector.clean.units import units_of
from tests.detector.clean.collections import paragraphs
from tests.strategies import any_text


@given(text=any_text | paragraphs)
def test_units_follow_each_other_from_the_first_character_to_the_last(text: str) -> None:
    (units,) = units_of([text])
    if len(units):
        assert units.start[0] == 0
        assert units.until[-1] == len(text)
        assert (units.start[1:] == units.until[:-1]).all()
        assert (units.start <= units.end).all()
        assert (units.end <= units.until).all()
        assert (units.left[1:] == units.end[:-1]).all()
    assert len({len(column) for column in (units.texts, units.bits, units.keys, units.length)}) == 1


@given(text=paragraphs)
def test_the_units_of_a_text_do_not_depend_on_those_beside_it(text: str) -> None:
    (alone,) = units_of([text])
    _, beside, _ = units_of(["前の文です。［あ...］で", text, "で次。"])
    assert np.array_equal(alone.keys, beside.keys)
    assert np.array_equal(alone.start, beside.start)


def test_width_case_and_punctuation_do_not_matter_but_words_do() -> None:
    texts = ["The ferry leaves at seven.", "ＴＨＥ ferry, leaves at seven!", "The ferry leaves at eight."]
    same, also, other = (units.keys.tolist() for units in units_of(texts))
    assert same == also != other


def test_a_sentence_that_goes_on_behind_a_bracket_is_one() -> None:
    (units,) = units_of(["［プロジェクトの設定...］で設定された規則を使います。次の文です。"])
    assert units.texts == ["[プロジェクトの設定...]で設定された規則を使います。", "次の文です。"]
