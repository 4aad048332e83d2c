"""Content words in dictionary form."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ruiji.features.text.lemmas import lemmas, stem


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("港町の朝は早い。", ("港町", "朝", "早い")),
        ("市場へ魚を運んだ人の声がひびいていました", ("市場", "魚", "運ぶ", "人", "声", "響く")),
        ("コンピュータをお使いいただくことができます。", ("コンピューター", "使う")),
        ("1998年に300円を払った", ("1998", "年", "300", "円", "払う")),
        (
            "行かない、行きません、行かぬ、面白くない",
            ("行く", "ない", "行く", "ない", "行く", "ない", "面白い", "ない"),
        ),
        ("この本と、その本", ("本", "本")),
        ("田中さんと鈴木様", ("タナカ", "スズキ")),
        ("", ()),
        ("。、！", ()),
    ],
)
def test_japanese_without_its_grammar(text: str, expected: tuple[str, ...]) -> None:
    assert lemmas([text]) == [expected]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The cats were running in my friend's gardens.", ("cat", "run", "friend", "garden")),
        ("It is NOT a study of houses", ("not", "study", "hous")),
        ("Die Häuser sind groß", ("häuser", "groß")),
        ("snake_case 3.14", ("snak", "cas", "3", "14")),
    ],
)
def test_words_elsewhere(text: str, expected: tuple[str, ...]) -> None:
    assert lemmas([text]) == [expected]


@pytest.mark.parametrize(
    "words",
    [
        "house houses",
        "stop stopped stopping stops",
        "study studies",
        "use uses",
        "class classes",
        "friend friend's",
        "bake baking baked",
    ],
)
def test_forms_of_an_english_word_have_one_stem(words: str) -> None:
    assert len({stem(word) for word in words.split()}) == 1


@given(texts=st.lists(st.text(max_size=30), max_size=4))
def test_no_text_is_too_strange(texts: list[str]) -> None:
    found = lemmas(texts)
    assert len(found) == len(texts)
    assert all(word and word == word.lower() for words in found for word in words)
