"""Text reduced to what a copier seldom changes: width, case, accents, symbols and spaces are folded away, and
every letter that is left knows where it stood.

Many texts are folded at once, as an array of code points and one look-up in a table. The table is made of
Unicode 3.2, which every version of Python carries unchanged, so that an index on disk means the same
tomorrow; letters that are younger stand for themselves.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType

import numpy as np
import numpy.typing as npt

from ruiji.features.arrays import LongArray

CodeArray = npt.NDArray[np.uint32]
KindArray = npt.NDArray[np.uint8]

# What a character is for splitting; letters are those that are kept.
(
    SYMBOL,
    SPACE,
    NEW_LINE,
    END,
    FULL_STOP,
    CLOSING,
    COMMA,
    SEPARATOR,
    VOICED,
    HALF_VOICED,
    LETTER,
    CAPITAL,
    LOWER,
    DIGIT,
) = range(14)
JAPANESE = 14  # kana, kanji, and other letters of which each says as much as a word's part

TABLE_SIZE = 0x30000  # three planes; what lies beyond is for private use or younger than any text
_KIND_SHIFT = 24
_CODE_MASK = (1 << _KIND_SHIFT) - 1
_EXPANDS = 1 << 31  # folds to several letters
_UNICODE = unicodedata.ucd_3_2_0

_KINDS: Mapping[int, str] = MappingProxyType({
    NEW_LINE: "\n",
    END: "。！？!?｡‼⁇⁈⁉",
    FULL_STOP: ".．",
    CLOSING: "」』）】〕〉》］｣)]\"”’'",
    COMMA: "、，,､",
    SEPARATOR: "・･;；:：/／|｜\t●■◆○□◇★☆※→⇒",
    SPACE: " \u3000\u00a0\r\f\v",
    VOICED: "\u3099\uff9e",
    HALF_VOICED: "\u309a\uff9f",
})  # fmt: skip
# Letters that stand for themselves: Hangul and the kanji of Unicode's blocks, also those younger than 3.2.
_PLAIN = ((0x3400, 0x4DC0), (0x4E00, 0xA000), (0xAC00, 0xD7A4), (0x20000, TABLE_SIZE))
FIRST_JAPANESE = 0x2E80
_UNVOICED_KANA = (
    "かきくけこさしすせそたちつてとはひふへほうカキクケコサシスセソタチツテトハヒフヘホウワヰヱヲ"
)
_VOICED_KANA = "がぎぐげござじずぜぞだぢづでどばびぶべぼゔガギグゲゴザジズゼゾダヂヅデドバビブベボヴヷヸヹヺ"
_VOICED = dict(zip(_UNVOICED_KANA, _VOICED_KANA, strict=True))
_HALF_VOICED = dict(zip("はひふへほハヒフヘホ", "ぱぴぷぺぽパピプペポ", strict=True))


@dataclass(frozen=True, slots=True, eq=False)
class Folded:
    """Texts one after another, each ended by a line end of its own.

    Of a character: its kind, and in ``rank`` the number of letters before it. Of a letter: the folded code
    point and in ``place`` the character it came from. ``text_start`` has the first character of each text,
    and one more.
    """

    kinds: KindArray
    rank: npt.NDArray[np.int32]
    letters: CodeArray
    place: npt.NDArray[np.int32]
    text_start: LongArray


def fold(texts: Sequence[str]) -> Folded:
    """The letters of all texts, and what stands between them."""
    joined = "\n".join([*texts, ""])
    codes = np.frombuffer(joined.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)
    table, several = _table()
    entries: CodeArray = table.take(codes, mode="clip")
    kinds: KindArray = ((entries >> _KIND_SHIFT) & 0x7F).astype(np.uint8)
    kept = kinds >= LETTER
    rank = np.zeros(len(kinds) + 1, dtype=np.int32)
    np.cumsum(kept, out=rank[1:])
    place = np.flatnonzero(kept).astype(np.int32)
    letters: CodeArray = (entries[place] & _CODE_MASK).astype(np.uint32)
    marks = (kinds == VOICED) | (kinds == HALF_VOICED)
    if marks.any():
        _voice(letters, rank, kinds, np.flatnonzero(marks))
    text_start = np.zeros(len(texts) + 1, dtype=np.int64)
    np.cumsum([len(text) + 1 for text in texts], out=text_start[1:])
    if (entries >= _EXPANDS).any():
        rank, letters, place = _expanded(codes, entries, rank, letters, place, several)
    return Folded(kinds, rank, letters, place, text_start)


def _voice(letters: CodeArray, rank: npt.NDArray[np.int32], kinds: KindArray, marks: LongArray) -> None:
    """Puts the marks that stand by themselves (half-width katakana, decomposed kana) onto the kana before
    them.
    """
    marks = marks[marks > 0]
    marks = marks[kinds[marks - 1] == JAPANESE]
    for mark, letter in zip(marks.tolist(), (rank[marks] - 1).tolist(), strict=True):
        pairs = _VOICED if kinds[mark] == VOICED else _HALF_VOICED
        letters[letter] = ord(pairs.get(chr(letters[letter]), chr(letters[letter])))


def _expanded(
    codes: CodeArray,
    entries: CodeArray,
    rank: npt.NDArray[np.int32],
    letters: CodeArray,
    place: npt.NDArray[np.int32],
    several: Mapping[int, tuple[int, ...]],
) -> tuple[npt.NDArray[np.int32], CodeArray, npt.NDArray[np.int32]]:
    """The same with all letters of those characters that fold to several (㍻, ㈱, ﬁ)."""
    wide = np.flatnonzero(entries >= _EXPANDS)
    spelled = [several[code] for code in codes[wide].tolist()]
    more = np.array([len(spelling) - 1 for spelling in spelled], dtype=np.int32)
    repeat = np.ones(len(letters), dtype=np.int32)
    at = rank[wide]
    repeat[at] += more
    letters, place = np.repeat(letters, repeat), np.repeat(place, repeat)
    grown = np.zeros(len(rank), dtype=np.int32)
    grown[wide + 1] = more
    rank = rank + np.cumsum(grown, dtype=np.int32)
    for start, spelling in zip(rank[wide].tolist(), spelled, strict=True):
        letters[start : start + len(spelling)] = spelling
    return rank, letters, place


@lru_cache(maxsize=1)
def _table() -> tuple[CodeArray, Mapping[int, tuple[int, ...]]]:
    """For each code point its kind and its folded letter, and the spelling of those that fold to several."""
    table = np.zeros(TABLE_SIZE + 1, dtype=np.uint32)  # the last is for everything beyond
    several = {}
    for first, end in _PLAIN:
        table[first:end] = np.arange(first, end, dtype=np.uint32) | (JAPANESE << _KIND_SHIFT)
    skipped = np.zeros(TABLE_SIZE, dtype=bool)
    for first, end in _PLAIN:
        skipped[first:end] = True
    skipped[0xD800:0xF900] = True  # surrogates and private use
    for code in np.flatnonzero(~skipped).tolist():
        character = chr(code)
        if _UNICODE.category(character) == "Cn":
            continue
        folded = _folded(character)
        if not folded:
            continue
        table[code] = ord(folded[0]) | (_letter_kind(character, folded) << _KIND_SHIFT)
        if len(folded) > 1:
            table[code] |= _EXPANDS
            several[code] = tuple(map(ord, folded))
    for kind, members in _KINDS.items():
        table[[ord(member) for member in members]] = kind << _KIND_SHIFT
    return table, MappingProxyType(several)


def _folded(character: str) -> str:
    """The letters and digits of a character after folding of width, case and accents; kana keep their
    marks.
    """
    wide = _UNICODE.normalize("NFKC", character).lower()
    kept = []
    for one in wide:
        base = (
            one
            if "\u3040" <= one <= "\u30ff" or "\uac00" <= one <= "\ud7a3"
            else _UNICODE.normalize("NFKD", one)[0]
        )
        if _UNICODE.category(base)[0] in "LN":
            kept.append(base)
    return "".join(kept)


def _letter_kind(character: str, folded: str) -> int:
    if ord(folded[0]) >= FIRST_JAPANESE:
        return JAPANESE
    if folded[0].isdecimal():
        return DIGIT
    if character.isupper():
        return CAPITAL
    return LOWER if character.islower() else LETTER
