"""The characters and words of texts as arrays, against plain loops over characters whose kinds are written
down here.
"""

from __future__ import annotations

import re
import unicodedata
from itertools import groupby

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ruiji.features.text.characters import characters, word_key
from ruiji.features.text.kinds import KINDS, Kind

# One by one, so that a mistake in a range shows.
KNOWN = {
    Kind.OTHER: "-_=+*&#~゠〜^\ud800\udfff\u200b\ufeff①½😀"
    "🇯\U00010400\U0001d400\U0001b000\U000e0100\U0010ffff",
    Kind.SPACE: " \t\n\r\f\v\0\x01\x1f\x7f\x85\u00a0\u2003\u2028\u3000",
    Kind.DIGIT: "0129０９٣५",
    Kind.LOWER: "azéßａｚяαʼª\u0301\u093eहעمไაꭰﬁ",
    Kind.UPPER: "AZÉＡＺЯΑǅẞᎠİ\u212a",
    Kind.HIRAGANA: "ぁあんゖゝゞ\u3099ゟ",
    Kind.KATAKANA: "ァアンヺーヽヿｱｦﾟ",
    Kind.KANJI: "一港龠々〆〇㐀鿿豈\U00020000\U00020bb7\U0002ffff\U00030000\U0003ffff",
    Kind.HANGUL: "가힣ᄀ",
    Kind.FULL_STOP: "。.．｡…।۔",
    Kind.QUESTION: "?!？！؟",
    Kind.COMMA: "、,，､،",
    Kind.COLON: ":;：；",
    Kind.OPEN: "(（[「『【〈《“‘",
    Kind.CLOSE: ")）]」』】〉》”’",
    Kind.SEPARATOR: "|｜»›>＞<→•·・■★※/／",
    Kind.COPYRIGHT: "©®™",
    Kind.CURRENCY: "¥￥$€£",
}
KIND_OF = {char: kind for kind, chars in KNOWN.items() for char in chars}
LETTERS = (Kind.LOWER, Kind.UPPER, Kind.HIRAGANA, Kind.KATAKANA, Kind.KANJI, Kind.HANGUL)
MULTIPLIER = 0x9E3779B97F4A7C15

texts = st.lists(st.text(alphabet=st.sampled_from(sorted(KIND_OF)), max_size=12), max_size=6)
letters = st.text(alphabet="aAbBéÉａＡあア漢\U00020bb7가", min_size=1, max_size=70)


def kinds_of(text: str) -> list[Kind]:
    return [KIND_OF[char] for char in text]


def fold(char: str) -> str:
    narrow = chr(ord(char) - 0xFEE0) if "！" <= char <= "～" else char
    return narrow.lower() if len(narrow.lower()) == 1 and ord(char) < 1 << 16 else char


def folded(word: str) -> str:
    return "".join(map(fold, word[:64]))


def naive_key(word: str) -> int:
    return sum(ord(char) * MULTIPLIER**place for place, char in enumerate(folded(word))) % 2**64


def naive_words(text: str, split_case: bool) -> list[str]:
    """The runs of letters of one script; small and capital letters are one."""
    found: list[str] = []
    for script, run in groupby(
        text, lambda char: Kind.LOWER if KIND_OF[char] == Kind.UPPER else KIND_OF[char]
    ):
        if script not in LETTERS:
            continue
        found.append("")
        before = None
        for char in run:
            if split_case and before == Kind.LOWER and KIND_OF[char] == Kind.UPPER:
                found.append("")
            found[-1] += char
            before = KIND_OF[char]
    return found


def shown(text: str) -> str:
    """A text as a reader sees it."""
    return re.sub(" +", " ", "".join(" " if KIND_OF[char] == Kind.SPACE else char for char in text)).strip()


@pytest.mark.parametrize("kind", list(Kind))
def test_characters_are_of_their_kind(kind: Kind) -> None:
    for char in KNOWN[kind]:
        assert Kind(characters([char]).kinds[0]) == kind, f"U+{ord(char):04X}"


def test_every_code_point_is_of_the_kind_its_unicode_name_says() -> None:
    """Kanji of all planes, kana, hangul syllables, digits and capitals of the basic plane."""
    points = [*range(1 << 16), *range(1 << 16, 1 << 18, 17)]
    found = characters([chr(point) for point in points]).kinds[::2].tolist()
    starts = (
        ("CJK UNIFIED IDEOGRAPH", Kind.KANJI),
        ("CJK COMPATIBILITY IDEOGRAPH-", Kind.KANJI),
        ("HIRAGANA LETTER", Kind.HIRAGANA),
        ("KATAKANA LETTER", Kind.KATAKANA),
        ("HALFWIDTH KATAKANA LETTER", Kind.KATAKANA),
        ("HANGUL SYLLABLE", Kind.HANGUL),
        ("LATIN CAPITAL LETTER", Kind.UPPER),
        ("FULLWIDTH LATIN CAPITAL LETTER", Kind.UPPER),
        ("FULLWIDTH LATIN SMALL LETTER", Kind.LOWER),
        ("FULLWIDTH DIGIT", Kind.DIGIT),
        ("DESERET", Kind.OTHER),
        ("MATHEMATICAL BOLD", Kind.OTHER),
    )
    told = 0
    for point, kind in zip(points, found, strict=True):
        name = unicodedata.name(chr(point), "")
        if 0x31F0 <= point < 0x3200 or (point >> 16 == 1 and "KANA" in name):
            continue  # small katakana for Ainu, historic kana: in blocks of their own
        for start, expected in starts:
            if name.startswith(start):
                told += 1
                assert kind == expected, f"U+{point:04X} {name}"
    assert told > 40000


def test_no_character_of_the_basic_plane_that_is_white_space_has_another_kind() -> None:
    points = [chr(point) for point in range(1 << 16)]
    found = (characters(points).kinds[::2] == Kind.SPACE).tolist()
    assert found == [char.isspace() or unicodedata.category(char) in ("Zs", "Cc") for char in points]


@given(found=texts)
def test_kinds_and_counts(found: list[str]) -> None:
    arrays = characters(found)
    assert arrays.kinds.tolist() == [kind for text in found for kind in (*kinds_of(text), Kind.SPACE)]
    assert arrays.counts.shape == (len(found), KINDS)
    assert arrays.counts.tolist() == [[kinds_of(text).count(kind) for kind in Kind] for text in found]


@given(found=texts)
def test_lengths_are_those_of_the_text_a_reader_sees(found: list[str]) -> None:
    assert characters(found).lengths.tolist() == [len(shown(text)) for text in found]


@given(found=texts)
def test_ends_are_the_first_and_last_kind_of_each_text(found: list[str]) -> None:
    seen = [[kind for kind in kinds_of(text) if kind != Kind.SPACE] or [Kind.OTHER] for text in found]
    first, last = characters(found).ends
    assert first.tolist() == [kinds[0] for kinds in seen]
    assert last.tolist() == [kinds[-1] for kinds in seen]


@given(found=texts, split_case=st.booleans())
def test_words_are_runs_of_letters_of_one_script(found: list[str], split_case: bool) -> None:
    arrays = characters(found)
    words = arrays.words(split_case)
    expected = [(place, word) for place, text in enumerate(found) for word in naive_words(text, split_case)]
    assert words.text.tolist() == [place for place, _ in expected]
    assert words.length.tolist() == [len(word) for _, word in expected]
    joined = "".join(f"{text} " for text in found)
    assert [
        joined[start : start + length] for start, length in zip(words.start, words.length, strict=True)
    ] == [word for _, word in expected]
    assert arrays.spelled(words, range(len(expected))) == [folded(word) for _, word in expected]
    assert words.key.tolist() == [naive_key(word) for _, word in expected]


@given(found=st.lists(st.text(max_size=20), max_size=5))
def test_a_text_has_the_same_characters_and_words_among_others_as_alone(found: list[str]) -> None:
    arrays, words = characters(found), characters(found).words(split_case=True)
    for place, text in enumerate(found):
        alone = characters([text])
        assert arrays.counts[place].tolist() == alone.counts[0].tolist()
        assert arrays.counts[place].sum() == len(text)
        assert arrays.lengths[place] == alone.lengths[0] <= len(text)
        assert [ends[place] for ends in arrays.ends] == [ends[0] for ends in alone.ends]
        assert words.key[words.text == place].tolist() == alone.words(split_case=True).key.tolist()


@given(found=st.lists(st.text(max_size=20), max_size=5))
def test_a_spelled_word_has_the_key_of_the_word(found: list[str]) -> None:
    arrays = characters(found)
    words = arrays.words()
    assert [word_key(word) for word in arrays.spelled(words, range(len(words.key)))] == words.key.tolist()


@given(found=st.lists(letters, min_size=2, max_size=30))
def test_keys_are_equal_where_folded_words_are(found: list[str]) -> None:
    assert len({word_key(word) for word in found}) == len({folded(word) for word in found})
    assert [word_key(word) for word in found] == [naive_key(word) for word in found]


def test_short_words_have_different_keys() -> None:
    alphabet = "abxyzあいア漢字"
    words = [
        *alphabet,
        *(a + b for a in alphabet for b in alphabet),
        *(a + b + c for a in alphabet for b in alphabet for c in alphabet),
    ]
    assert len({word_key(word) for word in words}) == len(words)


def test_folding_twice_changes_nothing_more() -> None:
    """Otherwise a model that stores words as they are spelled would not find them again."""
    chars = [chr(point) for point in range(1 << 16) if not 0xD800 <= point < 0xE000]
    arrays = characters(chars)
    words = arrays.words()
    assert len(words.key) > 40000
    again = characters(arrays.spelled(words, range(len(words.key)))).words()
    assert np.array_equal(again.key, words.key)


@pytest.mark.parametrize(
    ("text", "split_case", "expected"),
    [
        ("mainContent", True, ["main", "content"]),
        ("mainContent", False, ["maincontent"]),
        ("HTMLPage", True, ["htmlpage"]),
        ("side-bar_left2right", False, ["side", "bar", "left", "right"]),
        ("ＴＯＰページへ", False, ["top", "ページ", "へ"]),
        ("お問い合わせ", False, ["お", "問", "い", "合", "わせ"]),
        ("Cafe\u0301 İs", False, ["cafe\u0301", "İs"]),
        ("𠮷野家", False, ["𠮷野家"]),
        ("😀a😀", False, ["a"]),
        ("a\0b", False, ["a", "b"]),
        ("", False, []),
        (" \0 ", False, []),
        ("12 → ©", False, []),
    ],
)
def test_words_by_example(text: str, split_case: bool, expected: list[str]) -> None:
    arrays = characters([text])
    words = arrays.words(split_case)
    assert arrays.spelled(words, range(len(words.key))) == expected


def test_letters_beyond_the_sixty_fourth_do_not_count() -> None:
    assert word_key("a" * 64) == word_key("a" * 64 + "b")
    assert word_key("a" * 63) != word_key("a" * 64)
    arrays = characters(["a" * 64 + "b", "a" * 70])
    words = arrays.words()
    assert words.key[0] == words.key[1] == word_key("a" * 64)
    assert words.length.tolist() == [65, 70]
    assert arrays.spelled(words, [1, 0]) == ["a" * 64] * 2


@pytest.mark.parametrize("found", [[], [""], ["", ""], [" "], ["", " \0", ""]])
def test_texts_without_anything_to_see(found: list[str]) -> None:
    arrays = characters(found)
    assert arrays.counts.shape == (len(found), KINDS)
    assert arrays.counts.sum() == len("".join(found))
    assert arrays.lengths.tolist() == [0] * len(found)
    assert [ends.tolist() for ends in arrays.ends] == [[Kind.OTHER] * len(found)] * 2
    words = arrays.words()
    assert [len(column) for column in (words.text, words.key, words.start, words.length)] == [0] * 4
    assert arrays.spelled(words, []) == []


@pytest.mark.parametrize(
    ("text", "length"),
    [
        ("a", 1),
        (" a ", 1),
        ("a  b", 3),
        ("\n a \u3000\t b\n", 3),
        ("港\0町", 3),
        ("𠮷", 1),
        ("e\u0301", 2),
        ("\x01", 0),
    ],
)
def test_length_by_example(text: str, length: int) -> None:
    assert characters([text]).lengths.tolist() == [length]
    assert characters(["x ", text, " y"]).lengths.tolist() == [1, length, 1]
