"""How much a text looks like the name of a person, from what is known of names: shape, dictionary, lists.

The answer is a strength from 0 to 1. Alone it proves little: a list decides by all of its names together.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from ruiji.detector.records.fields.data import data_lines
from ruiji.detector.records.fields.kanji_forms import todays_forms
from ruiji.detector.records.fields.organisations import is_organisation
from ruiji.detector.records.fields.posts import is_post
from ruiji.detector.records.fields.romaji import is_romaji
from ruiji.detector.records.fields.slips import is_misspelt_post
from ruiji.features.text.name_tokens import (
    GIVEN,
    NOUN,
    OTHER,
    PERSON,
    PLACE,
    SURNAME,
    NameToken,
    name_tokens,
)

LONGEST_NAME = 40  # characters
ROMAJI_WORDS = 3  # of a Japanese name in Latin letters; an address has more
# Strengths, set by judgement with all development sites in view: sure alone, good in a list of
# names, possible only among names that are sure.
SURE, GOOD, POSSIBLE, NO_NAME = 0.7, 0.3, 0.1, 0.0
DOUBTFUL = POSSIBLE / 2  # a name where all others of its list are names, many of them sure

_KANJI = "々〆㐀-鿿豈-﫿𠀀-𮯠"
_LETTERS = rf"{_KANJI}ぁ-ゖァ-ヺーゝゞ"
_JAPANESE = re.compile(rf"[{_LETTERS}]")
_SPACED = re.compile(rf"([{_KANJI}ヶケノ]{{1,5}}|[ぁ-ゖー]{{2,6}}) ([{_LETTERS}]{{1,6}})")
_SET_APART = re.compile(rf"[{_LETTERS}](?: [{_LETTERS}]){{2,4}}")  # 夏 目 漱 石
_PLAIN = re.compile(rf"[{_KANJI}][{_LETTERS}]{{1,6}}")
_HIRAGANA = re.compile(r"[ぁ-ゖー]{2,10}")
_TWO_HIRAGANA = re.compile(r"[ぁ-ゖー]{2,6} [ぁ-ゖー]{2,6}")
_KATAKANA = re.compile(r"[ァ-ヺー]{2,12}(?:[ ・=＝.]{1,2}[ァ-ヺーA-Z.]{1,14}){1,3}")
_ONE_KATAKANA = re.compile(r"[ァ-ヺー]{2,10}")
_KATAKANA_KANJI = re.compile(rf"[ァ-ヺー]{{2,8}} ?[{_KANJI}]{{1,3}}")
_LATIN_WORD = r"[^\W\d_a-zß-öø-ÿ][\w’'ʼ.-]*"  # a capital of any script; _latin_strength looks
_PARTICLE = r"(?:de|da|do|dos|del|della|di|du|van|von|der|den|ten|ter|la|le|bin|ibn|al|el|y|e|zu|af|of the)"
_LATIN = re.compile(rf"{_LATIN_WORD}(?:[ -]{_PARTICLE})*(?: (?:{_PARTICLE} )*{_LATIN_WORD}){{1,4}}")
_INITIAL = re.compile(r"(?:[A-Z]\.)+|[A-Z]")
_HANDLE = re.compile(r"(?:@|id:)?[A-Za-z][A-Za-z0-9_.-]{1,19}")
_NO_PERSON = re.compile(
    r"(?:会議?|大会|部会|部門|講座|学科|学部|研究科|研究室|研究所|センター|一覧|案内|概要|情報|方法|機能|設定|参照|関数|変数|手順|予定"
    r"|年度|会場|会社|ホール|賞|枠|班|係|担当|募集|発表|講演|資料|動画|写真|感想|質問|回答|休憩|受付|開会|閉会|昼食|懇親)$"
)


@lru_cache(1 << 15)
def name_strength(text: str) -> float:
    """How much a text looks like the name of one person: 0 not at all, from SURE on by itself."""
    plain = re.sub(r"\s+", " ", unicodedata.normalize("NFKC", text)).strip()
    if not 2 <= len(plain) <= LONGEST_NAME or is_organisation(plain) or is_post(plain):
        return NO_NAME
    if is_misspelt_post(plain):
        return NO_NAME
    if re.search(r"[\d?!。<>{}=+*#%$&~^|\\\"“”:;/]", plain):
        return POSSIBLE if _HANDLE.fullmatch(plain) and _is_handle(plain) else NO_NAME
    if _JAPANESE.search(plain):
        return _japanese_strength(todays_forms(plain))
    if _LATIN.fullmatch(plain):
        return _latin_strength(plain.split(" "))
    return POSSIBLE if _HANDLE.fullmatch(plain) and _is_handle(plain) else NO_NAME


def _japanese_strength(plain: str) -> float:
    if _SET_APART.fullmatch(plain):
        return _plain_strength(name_tokens(plain.replace(" ", "")), plain.replace(" ", ""))
    if match := _SPACED.fullmatch(plain):
        return _spaced_strength(name_tokens(match.group(1)), name_tokens(match.group(2)), plain)
    if _PLAIN.fullmatch(plain):
        return _plain_strength(name_tokens(plain), plain)
    tags = [token.tag for token in name_tokens(plain)]
    if _HIRAGANA.fullmatch(plain):
        if tags == [SURNAME, GIVEN]:
            return SURE
        return GOOD if tags in ([SURNAME], [GIVEN]) else POSSIBLE
    if _KATAKANA.fullmatch(plain):
        return SURE if PERSON in tags or SURNAME in tags or GIVEN in tags else GOOD
    if _ONE_KATAKANA.fullmatch(plain):
        return POSSIBLE if tags in ([PERSON], [SURNAME], [GIVEN]) else DOUBTFUL
    return GOOD / 2 if _KATAKANA_KANJI.fullmatch(plain) else NO_NAME


def _spaced_strength(first: tuple[NameToken, ...], second: tuple[NameToken, ...], plain: str) -> float:
    """The strength of 田中 克己, two parts that stand apart."""
    if _NO_PERSON.search(plain):
        return NO_NAME
    family = len(first) == 1 and first[0].tag in (SURNAME, PLACE, PERSON)
    own = any(token.tag in (GIVEN, PERSON) for token in second) and not _has_word(second)
    if family and own:
        return 0.98
    if first and first[0].tag == SURNAME and not _has_word(second):
        return 0.85
    if own:
        return 0.75 if not _has_word(first) else GOOD
    if _has_word(first) and _has_word(second):
        return DOUBTFUL if _TWO_HIRAGANA.fullmatch(plain) else NO_NAME
    return 0.5 if family or not (_has_word(first) or _has_word(second)) else POSSIBLE


def _plain_strength(tokens: tuple[NameToken, ...], plain: str) -> float:
    """The strength of 田中克己, written without a space."""
    tags = [token.tag for token in tokens]
    if _NO_PERSON.search(plain) or OTHER in tags[:1] or not tags:
        return NO_NAME
    if tags[0] == SURNAME and tags[1:] in ([GIVEN], [PERSON]):
        return 0.95
    if tags[0] == PLACE and tags[1:] == [GIVEN]:
        return 0.8
    if _has_word(tokens):
        return NO_NAME
    if tags[0] == SURNAME and len(tags) > 1 and len(plain) <= 6:
        return SURE if GIVEN in tags[1:] else 0.5
    if tags in ([SURNAME], [GIVEN]):
        return GOOD / 2
    return GOOD if GIVEN in tags[1:] and len(plain) <= 5 else DOUBTFUL


def _has_word(tokens: tuple[NameToken, ...]) -> bool:
    """Whether one of the tokens is an ordinary word of two letters or more."""
    return any(token.tag in (NOUN, OTHER) and len(token.surface) > 1 for token in tokens)


def _latin_strength(words: list[str]) -> float:
    """The strength of two to five capitalised words."""
    main = [word for word in words if word[:1].isupper() and not _INITIAL.fullmatch(word)]
    if not main or (len(main) == 1 and len(words) < 2):
        return NO_NAME
    if len(words[-1].rstrip(".")) == 1:
        return DOUBTFUL  # Lisa H.: mostly a reader who does not want to be known
    folded = [word.casefold().rstrip(".") for word in main]
    given, surnames, common = _lists()
    if _is_place(folded, surnames):
        return NO_NAME
    known = sum(word in given or word.split("-")[0] in given for word in folded)
    family = sum(word in surnames for word in folded)
    ordinary = sum(word in common and word not in given and word not in surnames for word in folded)
    if ordinary:
        if ordinary > 1 or len(main) > 3:
            return NO_NAME
        if not (known or family):
            return DOUBTFUL  # Harmony Schwartz
        return 0.5 if folded[0] in given and folded[0] not in common else GOOD / 2
    strength = GOOD
    if known:
        strength += 0.5 if folded[0] in given or folded[0].split("-")[0] in given else 0.3
    if family:
        strength += 0.2
    if len(folded) <= ROMAJI_WORDS and all(map(is_romaji, folded)) and sum(map(len, folded)) >= 6:
        strength += 0.45
    if len(main) < len(words) or any(word.isupper() and len(word) > 2 for word in main[-1:]):
        strength += 0.15
    if all(word.isupper() for word in main) and not (known or family):
        strength -= 0.2
    return min(0.98, strength)


def _is_place(folded: list[str], surnames: frozenset[str]) -> bool:
    """Whether capitalised words are a place by one of them: San Jose, Queen Creek, Asia Pacific."""
    places = _place_words()
    return (
        (folded[0] in places["first"] and folded[-1] not in surnames)
        or folded[-1] in places["last"]
        or not places["anywhere"].isdisjoint(folded)
    )


@lru_cache(maxsize=1)
def _place_words() -> dict[str, frozenset[str]]:
    """The words of ``data/places.txt`` by where they stand."""
    words: dict[str, frozenset[str]] = {}
    for line in data_lines("places.txt"):
        where, _, listed = line.partition(":")
        words[where] = words.get(where, frozenset()) | frozenset(listed.casefold().split())
    return words


def _is_handle(text: str) -> bool:
    return text.casefold().removeprefix("id:").lstrip("@") not in _lists()[2]


@lru_cache(maxsize=1)
def _lists() -> tuple[frozenset[str], frozenset[str], frozenset[str]]:
    """Given names, surnames, and common English words, in lower case."""
    return _words("given_names.txt"), _words("surnames.txt"), _words("common_words.txt")


def _words(name: str) -> frozenset[str]:
    return frozenset(word.casefold() for line in data_lines(name) for word in line.split())
