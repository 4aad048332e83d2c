"""Loose forms, and how sentences fit their page."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ruiji.corpora.c_modules import compiled
from ruiji.detector.sentences.loose import (
    PARTED,
    letters_in_python,
    loose_forms,
    without_fillers,
    without_openers,
)
from ruiji.detector.sentences.topic import topic_fit
from tests.strategies import any_text


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (
            "組込関数は、式の中で呼び出すことができます。",
            "ちなみに、組込関数は式の中で呼び出すことができます！",
        ),
        ("カーネルは必要なドライバを読み込みます。", "基本的にカーネルは必要なドライバを読み込みます。"),
        (
            "Working with electricity can be dangerous.",
            "As it happens, working with electricity can be dangerous",
        ),
        ("However, it is worth the money.", "It is worth the money."),
        ("この節では設定ファイルの書き方を説明します。", "この節は、設定ファイルの書き方も説明している。"),
        ("サーバは正規の問い合わせに応答できます。", "サーバが正規の問い合わせにおそらく応答できる。"),
        ("It is worth the money.", "It is, indeed, really worth the money."),
        ("この設定は大きな計算で役に立ちます。", "この設定は非常に大きな計算で実際に役に立ちます。"),
    ],
)
def test_an_edit_that_changes_nothing_leaves_the_form(one: str, other: str) -> None:
    assert len(set(loose_forms([one, other]))) == 1


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("市場は朝の五時に開きますので早く。", "市場は朝の六時に開きますので早く。"),
        ("The market opens at five every day.", "The market never opens at five every day."),
        ("The market opens at five every day.", "The market mostly opens at five every day."),
        ("この図面は修正に値する出来でした。", "この図面は値する出来でした。"),
        ("入力と出力の大変化を調べました。", "入力と出力の変化を調べました。"),
        ("またたく星を見上げて歩いていました。", "たく星を見上げて歩いていました。"),
        ("わたしたちはまだそのことをしらない。", "わたしたちはもうそのことをしっている。"),
    ],
)
def test_an_edit_that_changes_something_changes_the_form(one: str, other: str) -> None:
    assert len(set(loose_forms([one, other]))) == 2


@pytest.mark.parametrize("text", ["修正に値する", "大変化", "a justice", "never", "mostly", "only"])
def test_a_filler_is_a_word_of_its_own_and_denies_nothing(text: str) -> None:
    assert without_fillers(text) == text


@given(any_text)
def test_openers_come_off_the_start_only(text: str) -> None:
    assert text.endswith(without_openers(text))


@given(st.lists(st.one_of(st.text(alphabet="12 ,.a_-é²〇１\U0001d7ce", max_size=12), any_text), max_size=4))
def test_letters_in_c_are_those_in_python(texts: list[str]) -> None:
    if module := compiled("ruiji.detector.sentences._sentences"):
        assert module.letters(texts, PARTED) == letters_in_python(texts)


@given(st.lists(any_text, max_size=4))
def test_the_fit_is_a_percentage(texts: list[str]) -> None:
    assert all(0 <= fit <= 100 for fit in topic_fit(texts, range(len(texts))).tolist())


def test_a_quotation_fits_its_source_better_than_the_page_that_quotes_it() -> None:
    quotation = "形態素解析の辞書を更新する。"
    source = [quotation, "辞書は形態素ごとに読みを持つ。", "解析の結果を確かめて更新する。"]
    quoting = [quotation, "今日は山へ行き、頂上で昼食を食べた。"]
    assert topic_fit(source, [0]).item() > topic_fit(quoting, [0]).item()


@given(
    st.text("0123456789", min_size=2, max_size=8), st.integers(1, 7), st.integers(1, 7),
    st.sampled_from(["と", "から", "や、", "、", ".", " / ", "_"]),
)  # fmt: skip
def test_numbers_stay_apart_without_what_parts_them(digits: str, one: int, other: int, sign: str) -> None:
    said = [f"市場の朝の部は毎週{digits[:at]}{sign}{digits[at:]}番の店で開かれます。" for at in (one, other)]
    same = min(one, len(digits)) == min(other, len(digits))
    assert (len(set(loose_forms(said))) == 1) == same


def test_a_comma_of_thousands_parts_no_number() -> None:
    one, other = loose_forms(
        ["It has 1,234,567 people and 12,5 rooms.", "It has 1234567 people and 12.5 rooms."]
    )
    assert one == other
