"""Skeletons of sentences."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ruiji.detector import normalise
from ruiji.detector.sentences.skeleton import skeletons

ORIGINAL = "1998年に、市場で魚を運ぶ人の声が響いている。"


def skeleton(text: str) -> str:
    return skeletons([normalise(text)])[0]


@pytest.mark.parametrize(
    "copy",
    [
        "1998年には市場で魚を運ぶ人の声も響いている。",  # particles
        "1998年に、市場で魚を運んだ人の声が響いていた。",  # inflections
        "1998年に、市場で魚を運ぶ人の声が響いております。",  # polite forms
        "１９９８年に，市場で魚を運ぶ人の声が響いている．",  # widths
        "1998年に市場で、魚を運ぶ人の声がひびいている!",  # spelling and punctuation
    ],
)
def test_changed_grammar_keeps_the_skeleton(copy: str) -> None:
    assert normalise(copy) != normalise(ORIGINAL)
    assert skeleton(copy) == skeleton(ORIGINAL) != ""


@pytest.mark.parametrize(
    "other",
    [
        "1999年に、市場で魚を運ぶ人の声が響いている。",  # a number
        "1998年に、市場で魚を運ばない人の声が響いている。",  # a negation
        "1998年に、市場で貝を運ぶ人の声が響いている。",  # a word
        "市場で1998年に、魚を運ぶ人の声が響いている。",  # the order
    ],
)
def test_changed_content_changes_the_skeleton(other: str) -> None:
    assert skeleton(other) != skeleton(ORIGINAL)


@pytest.mark.parametrize(
    "text",
    [
        "これについて御説明させていただきますでしょう。",
        "はい、はい、はい、はい、そうですとも。",
        "",
        "the of and to in on at by for",
    ],
)
def test_too_little_content_is_no_skeleton(text: str) -> None:
    assert skeleton(text) == ""


def test_english_without_its_grammar() -> None:
    assert (
        skeleton("The cat is watching a bird in the old garden.")
        == skeleton("Cats watched birds in old gardens")
        != ""
    )


@given(text=st.text(max_size=40))
def test_a_skeleton_depends_on_its_sentence_only(text: str) -> None:
    assert skeletons([text, ORIGINAL, text]) == [
        skeletons([text])[0],
        skeletons([ORIGINAL])[0],
        skeletons([text])[0],
    ]
