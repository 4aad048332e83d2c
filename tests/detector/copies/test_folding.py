"""Folding: what a copier seldom changes, with the place of every letter."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ruiji.detector.copies.folding import LETTER, fold
from tests.strategies import any_text


def letters(*texts: str) -> list[str]:
    folded = fold(texts)
    ends = folded.rank[folded.text_start].tolist()
    return ["".join(map(chr, folded.letters[a:b].tolist())) for a, b in pairwise(ends)]


@pytest.mark.parametrize(
    ("text", "folded"),
    [
        ("ＡＢＣ　１２３", "abc123"),
        ("ﾊﾟﾝとｶﾞﾗｽ、ｳﾞ", "パンとガラスヴ"),
        ("か\u3099き\u3099は\u309a", "がぎぱ"),
        ("㍻元年㈱①", "平成元年株1"),
        ("Café, naïve — Ünïcode!", "cafenaiveunicode"),
        ("「記号」は、■除く…☆", "記号は除く"),
        ("コーヒー々〆", "コーヒー々〆"),
        ("𠮟る𩸽😀", "𠮟る𩸽"),
        ("\u3099゛", ""),
        ("", ""),
    ],
)
def test_width_case_accents_and_symbols_are_folded(text: str, folded: str) -> None:
    assert letters(text) == [folded]


@given(st.lists(any_text, max_size=5))
def test_each_letter_knows_its_character(texts: list[str]) -> None:
    folded = fold(texts)
    joined = "".join(text + "\n" for text in texts)
    assert len(folded.kinds) == len(joined)
    assert len(folded.letters) == len(folded.place) == folded.rank[-1]
    assert (np.diff(folded.place) >= 0).all()
    for place in folded.place.tolist():
        assert folded.kinds[place] >= LETTER
    assert [text + "\n" for text in texts] == [joined[a:b] for a, b in pairwise(folded.text_start)]


@given(st.lists(any_text, min_size=1, max_size=4))
def test_a_batch_gives_what_each_text_gives_alone(texts: list[str]) -> None:
    assert letters(*texts) == [letters(text)[0] for text in texts]
