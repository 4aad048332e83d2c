"""Bits of sentences by their shape; each shape with lines as they stand in real pages."""

from __future__ import annotations

import time

import numpy as np
import pytest
from hypothesis import given

from ruiji.detector.sentences.information import (
    CODE,
    CONTACT,
    LABEL,
    NOTICE,
    PROSE,
    _lines,
    sentence_bits,
    shape,
)
from tests.strategies import any_text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("違いは、正規表現のマッチングが大文字小文字を区別しないで行なわれることです。", PROSE),
        ("When your vehicle is well-maintained, you get better mileage.", PROSE),
        ("He opened the file /etc/fstab and read what the other had written there.", PROSE),
        ("Get:5 http://ftp.jp.debian.org/debian bookworm/main amd64 Packages [8,786 kB]", CODE),
        ("drwxr-xr-x 2 root root 4096 Mar 3 12:00 conf.d", CODE),
        ("LoadModule rewrite_module modules/mod_rewrite.so", CODE),
        ("for (int i = 0; i < n; i++) {", CODE),
        ("TypeError: cannot read property of undefined", CODE),
        ("〒604-8571 京都市中京区寺町通御池上る上本能寺前町488番地 電話075-222-3111", CONTACT),
        ("Open Tuesday through Sunday, 10 a.m. to 5 p.m., admission $12.", CONTACT),
        ("当サイトに掲載された文章の無断転載を禁じます。", NOTICE),
        ("We use cookies to improve your experience.", NOTICE),
        ("As an Amazon Associate I earn from qualifying purchases.", NOTICE),
        ("Step 4 - Using passwords to protect your data", LABEL),
        ("第3章 ネットワークの設定と管理 (上級編)", LABEL),
    ],
)
def test_shapes(text: str, expected: str) -> None:
    assert shape(text) == expected


def test_a_lone_japanese_sentence_of_20_letters_says_as_much_as_in_the_index() -> None:
    """See ``detector.copies.rule``: 12 letters at 0.75 bits, 8 at 4."""
    assert sentence_bits([PROSE], np.array([20])).tolist() == [41]


def test_what_recurs_by_itself_says_less() -> None:
    prose, code = sentence_bits([PROSE, CODE], np.array([20, 20])).tolist()
    assert code < prose / 2


@given(any_text)
def test_any_text_has_a_shape(text: str) -> None:
    assert shape(text) in (PROSE, LABEL, CODE, CONTACT, NOTICE)


def test_stock_phrases_are_in_small_letters() -> None:
    """They are looked for in small letters."""
    assert all(line == line.lower() for line in _lines("stock_phrases.txt"))
    assert shape("ALL RIGHTS RESERVED.") == NOTICE


@pytest.mark.parametrize("unit", ["1", "limited ", "reproduced ", "1-year ", "warranty 1"])
def test_the_time_of_a_long_sentence_grows_with_its_length(unit: str) -> None:
    text = unit * (60_000 // len(unit))
    begin = time.process_time()
    shape(text)
    assert time.process_time() - begin < 3  # 40,000 digits took 8 s, by the square of their number
