"""What looks like the name of a person, and what does not; no name here is of the pages that rules were
chosen on.
"""

from __future__ import annotations

import pytest

from ruiji.detector.records.fields.name_keys import sound_alike
from ruiji.detector.records.fields.names import GOOD, NO_NAME, SURE, name_strength
from ruiji.detector.records.fields.organisations import is_organisation
from ruiji.detector.records.fields.posts import is_role
from ruiji.detector.records.fields.romaji import is_romaji, kana_key, romaji_key
from ruiji.detector.records.fields.slips import is_misspelt_post


@pytest.mark.parametrize(
    "name",
    [
        "夏目 漱石",
        "森鷗外",
        "樋口 一葉",
        "石川啄木",
        "Taro Yamada",
        "John Smith",
        "Wolfgang A. Müller",
        "Jane DOE",
    ],
)
def test_names_in_full_are_sure(name: str) -> None:
    assert name_strength(name) >= SURE


@pytest.mark.parametrize(
    "text",
    [
        "環境 変数", "設定方法", "懇親会", "13:30–15:30", "Getting Started", "Table of Contents", "C++",
        "教授", "営業部",
        "株式会社山田", "Example University", "https://a.example/", "", "x",
    ],
)  # fmt: skip
def test_headings_times_posts_and_organisations_are_no_names(text: str) -> None:
    assert name_strength(text) == NO_NAME


@pytest.mark.parametrize("text", ["San Jose", "Santa Clara", "Cave Creek", "Asia Pacific", "North Harbour"])
def test_places_are_no_names(text: str) -> None:
    assert name_strength(text) == NO_NAME


def test_a_surname_after_the_first_word_of_a_place_makes_it_a_name() -> None:
    assert name_strength("San Zhang") >= GOOD


def test_a_name_with_a_common_word_is_a_name_among_names_only() -> None:
    assert NO_NAME < name_strength("Abundance Quellmarsch") < GOOD


def test_a_nickname_may_be_a_name_among_names_only() -> None:
    assert NO_NAME < name_strength("zunda99") < GOOD


@pytest.mark.parametrize(("kana", "spellings"), [
    ("オオバ", ["Ohba", "Ooba", "Oba"]), ("ショウゴ", ["Shogo", "Syogo", "Shougo"]),
    ("ヨウジ", ["Yoji", "Yohji"]),
    ("ホンマ", ["Honma", "Homma"]), ("イッチ", ["Itchi", "Icchi"]), ("キョウコ", ["Kyoko", "Kyouko"]),
])  # fmt: skip
def test_spellings_of_one_name_have_one_key(kana: str, spellings: list[str]) -> None:
    assert {romaji_key(spelling) for spelling in spellings} == {kana_key(kana)}


def test_other_languages_are_no_japanese_in_latin_letters() -> None:
    assert is_romaji("yamamoto")
    assert not any(map(is_romaji, ("smith", "schmidt", "nguyen")))


def test_organisations_and_roles_are_known_by_their_words() -> None:
    assert is_organisation("Example Corporation")
    assert is_organisation("架空大学大学院")
    assert is_organisation("St. Example's College of Elmford")
    assert not is_organisation("夏目 漱石")
    assert is_role("実行委員")
    assert is_role("Program Committee Members")
    assert not is_role("Installation")


@pytest.mark.parametrize(
    ("japanese", "latin"),
    [("原田 明", "Akira Harada"), ("あづきけんや", "Ken'ya ADZUKI"), ("前川 修", "Shu Maekawa")],
)
def test_a_name_sounds_the_same_whole_and_in_words(japanese: str, latin: str) -> None:
    assert sound_alike(japanese, latin)


@pytest.mark.parametrize("text", ["Associate Profeosor", "Reseacher", "Assosiate Professor"])
def test_a_misspelt_post_is_no_name(text: str) -> None:
    assert is_misspelt_post(text)
    assert name_strength(text) == 0


@pytest.mark.parametrize("text", ["Dean Martin", "Saul Bellow", "Director Li", "Professor"])
def test_a_name_with_a_word_of_posts_is_no_misspelt_post(text: str) -> None:
    assert not is_misspelt_post(text)
