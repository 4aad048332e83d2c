"""What each character is, and its small form: tables of the basic plane.

They were made from Unicode's data once and are kept in a file (``data/characters.bin``): so they are there at
once, and the same with every Python.
"""

from __future__ import annotations

import unicodedata
from enum import IntEnum
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ruiji.features.arrays import ByteArray

TABLES = Path(__file__).parent / "data" / "characters.bin"  # written by scripts/bake_tables.py
UNICODE = "14.0.0"  # the version whose characters the file knows


class Kind(IntEnum):
    """What a character is, as far as telling prose from menus goes."""

    OTHER = 0
    SPACE = 1
    DIGIT = 2
    LOWER = 3  # letters without case, such as Arabic or Hindi, too
    UPPER = 4
    HIRAGANA = 5
    KATAKANA = 6
    KANJI = 7
    HANGUL = 8
    FULL_STOP = 9
    QUESTION = 10  # or exclamation
    COMMA = 11
    COLON = 12  # or semicolon
    OPEN = 13  # brackets and quotation marks
    CLOSE = 14
    SEPARATOR = 15  # between links: | » ›
    COPYRIGHT = 16
    CURRENCY = 17


KINDS = len(Kind)
WORD_KINDS = (Kind.LOWER, Kind.UPPER, Kind.HIRAGANA, Kind.KATAKANA, Kind.KANJI, Kind.HANGUL)

_MARKS = {
    Kind.FULL_STOP: "。.．｡…।۔",
    Kind.QUESTION: "?!？！؟",
    Kind.COMMA: "、,，､،",
    Kind.COLON: ":;：；",
    Kind.OPEN: "(（[「『【〈《“‘",
    Kind.CLOSE: ")）]」』】〉》”’",
    Kind.SEPARATOR: "|｜»«›‹>＞<＜→←▶►▲▼•·・■□●◆◇★☆※/／",
    Kind.COPYRIGHT: "©Ⓒ®™",
    Kind.CURRENCY: "¥￥$€£₹₩",
}
BMP = 1 << 16


class CharacterTables(NamedTuple):
    """Of each code point of the basic plane its kind and its small form; the last kind is for kanji of the
    planes above, the one before for all else.
    """

    kinds: ByteArray
    folded: npt.NDArray[np.uint16]

    def to_bytes(self) -> bytes:
        """As the file has them."""
        return self.kinds.tobytes() + self.folded.astype("<u2").tobytes()


@lru_cache(maxsize=1)
def character_tables() -> CharacterTables:
    """The tables of the file."""
    data = TABLES.read_bytes()
    return CharacterTables(
        np.frombuffer(data, np.uint8, BMP + 2), np.frombuffer(data, "<u2", BMP, BMP + 2).astype(np.uint16)
    )


def tables_of_unicode() -> CharacterTables:
    """The tables by the Unicode data of this Python: what the file is made of."""
    return CharacterTables(_kind_table(), _folded_table())


def _kind_table() -> npt.NDArray[np.uint8]:
    table = np.zeros(BMP + 2, dtype=np.uint8)
    for point in range(BMP):
        char = chr(point)
        category = unicodedata.category(char)
        if char.isspace() or category in ("Zs", "Cc"):
            table[point] = Kind.SPACE
        elif category == "Nd":
            table[point] = Kind.DIGIT
        elif category in ("Lu", "Lt"):
            table[point] = Kind.UPPER
        elif category[0] in "LM":
            table[point] = Kind.LOWER
    for first, last, kind in (
        (0x3041, 0x309F, Kind.HIRAGANA),
        (0x30A1, 0x30FA, Kind.KATAKANA),
        (0x30FC, 0x30FF, Kind.KATAKANA),
        (0xFF66, 0xFF9F, Kind.KATAKANA),
        (0x3005, 0x3007, Kind.KANJI),
        (0x3400, 0x9FFF, Kind.KANJI),
        (0xF900, 0xFAFF, Kind.KANJI),
        (0x1100, 0x11FF, Kind.HANGUL),
        (0xAC00, 0xD7AF, Kind.HANGUL),
    ):
        table[first : last + 1] = kind
    for kind, chars in _MARKS.items():
        table[[ord(char) for char in chars]] = kind
    table[-1] = Kind.KANJI
    return table


def _folded_table() -> npt.NDArray[np.uint16]:
    """Small letters for capitals, narrow ones for those of full width."""
    table = np.arange(BMP, dtype=np.uint16)
    for point in range(BMP):
        narrow = chr(point - 0xFEE0) if 0xFF01 <= point <= 0xFF5E else chr(point)
        lower = narrow.lower()
        if len(lower) == 1:
            table[point] = ord(lower)  # no letter of the plane has its small one outside
    return table
