"""What characters are: what NFKC makes of each, and what it is to the splitter of sentences, as tables by
code point.
"""

from __future__ import annotations

import re
import sys
import unicodedata
from dataclasses import dataclass
from functools import cache
from itertools import chain

import numpy as np
import numpy.typing as npt

from ruiji.features.arrays import IntArray

ClassArray = npt.NDArray[np.uint16]
PointArray = npt.NDArray[np.uint32]

LAST_SPACE = ord("\u3000")


class Class:
    """What a normalised character is to the splitter of sentences; a character may be several things."""

    SPACE = 1
    PARAGRAPH = 2  # the line break between two paragraphs; with SPACE
    JAPANESE = 4  # no space stands between two of these: kana, kanji, their punctuation
    WIDE = 8  # kana, kanji, hangul
    MARK = 16  # ends a sentence
    FULL = 32  # ends it whatever follows: 。
    CLOSER = 64  # belongs to the sentence whose mark stands before it
    CORNER = 128  # ends a sentence by itself: 」
    STOP = 256  # ends a sentence or not: the full stop of alphabets
    HINT = 512  # may go on with a sentence that seemed to end
    STARTER = (
        1024  # may begin a sentence after a full stop: capitals, digits, letters of scripts without case
    )
    OPENER = 2048  # may stand before that
    LOWER = 4096  # small letters
    ADDRESS = 8192  # right after ? or ! inside an address or a name
    DIGIT = 16384
    UNUSUAL = 32768  # NFKC gives several characters, or what it gives depends on the characters around


# Soft hyphen, zero-width space, marks of direction, word joiner, byte order mark, variation selectors: they
# come and go by copying.
INVISIBLE = re.compile("[\u00ad\u200b\u200e\u200f\u2060\ufeff\ufe00-\ufe0f\U000e0100-\U000e01ef]")
# The same bytes of Shift_JIS and EUC-JP become the one or the other by whose table is used; NFKC folds the
# other such signs.
_ONE_SIGN = {"〜": "~", "−": "-", "―": "—", "∥": "‖"}
_ONE_SIGN_TABLE = str.maketrans(_ONE_SIGN)

# No combining marks
JAPANESE = (
    "\u3001-\u3029\u3030-\u3098\u309b-\u30ff\u3400-\u9fff\uf900-\ufaff\uff00-\uffef\U00020000-\U0003ffff"
)


def folded_text(text: str) -> str:
    """Text with width, compatibility forms and disputed signs folded, and without what is invisible."""
    if text.isascii():
        return text
    return unicodedata.normalize("NFKC", INVISIBLE.sub("", text)).translate(_ONE_SIGN_TABLE)


@dataclass(frozen=True, slots=True, eq=False)
class CharacterTables:
    """By code point: what NFKC makes of it, the class of that, and where that is several, which expansion it
    is; -1 where it depends.
    """

    fold: PointArray
    classes: ClassArray
    expansion: npt.NDArray[np.int16]
    expansions: PointArray
    expansion_start: IntArray
    expansion_length: IntArray


_FOLDED_RANGES = (
    (0, 0x20000),
    (0x2F800, 0x2FA20),
    (0xE0000, 0xE0200),
)  # planes 0 and 1, compatibility kanji, variation selectors

_CLASSES = {
    Class.MARK: "。!?؟।॥۔։።។။",
    Class.FULL: "。।॥۔։።។။",
    Class.CLOSER: "」』)】〕》〉]}»\"'”’",
    Class.CORNER: "」』",
    Class.STOP: ".",
    Class.HINT: "とっ、,。)・ー!?」』.でだなをはがにのもやへ",
    Class.OPENER: "\"“‘'([{«「『【〔《〈¿¡",
    Class.ADDRESS: "/=&%#_-+~@:;",
}
_BY_CATEGORY = {
    "Ll": Class.LOWER | Class.ADDRESS, "Lu": Class.STARTER | Class.ADDRESS,
    "Lt": Class.STARTER | Class.ADDRESS,
    "Nd": Class.STARTER | Class.ADDRESS | Class.DIGIT, "Lo": Class.STARTER,
}  # fmt: skip
_RANGES = (
    (Class.WIDE, 0x3005, 0x3007), (Class.WIDE, 0x3041, 0x3098), (Class.WIDE, 0x309D, 0x309F),
    (Class.WIDE, 0x30A1, 0x30FA),
    (Class.WIDE, 0x30FC, 0x30FF), (Class.WIDE, 0x3400, 0x9FFF), (Class.WIDE, 0xF900, 0xFAFF),
    (Class.WIDE, 0xAC00, 0xD7AF),
    (Class.WIDE, 0x20000, 0x3FFFF), (Class.STARTER, 0x20000, 0x3FFFF),
)  # fmt: skip


@cache
def character_tables() -> CharacterTables:
    """The tables of this process, made (0.1 s) when the first text asks for them."""
    size = sys.maxunicode + 1
    fold, expansion, classes = (
        np.arange(size, dtype=np.uint32),
        np.full(size, -1, dtype=np.int16),
        np.zeros(size, dtype=np.uint16),
    )
    unusual: list[int] = []
    dependent = _followers().union(
        INVISIBLE.findall("".join(chr(point) for borders in _FOLDED_RANGES for point in range(*borders)))
    )
    made: list[str] = []
    normalize, combining, category = unicodedata.normalize, unicodedata.combining, unicodedata.category
    for point in chain.from_iterable(range(*borders) for borders in _FOLDED_RANGES):
        char = chr(point)
        folded = normalize("NFKC", char)
        if char in dependent or combining(char):
            unusual.append(point)
        elif folded != char:
            if any(combining(one) or one in dependent for one in folded):
                unusual.append(point)
            elif len(folded) == 1:
                fold[point] = ord(folded)
            else:
                unusual.append(point)
                expansion[point] = len(made)
                made.append(folded)
        classes[point] = _BY_CATEGORY.get(category(char), 0)
    spaces = [point for point in range(LAST_SPACE + 1) if chr(point).isspace()]
    classes[spaces] = Class.SPACE
    for one, other in _ONE_SIGN.items():
        fold[fold == ord(one)] = ord(other)
    for name, chars in _CLASSES.items():
        classes[[ord(char) for char in chars]] |= name
    for name, first, last in _RANGES:
        classes[first : last + 1] |= name
    for begin, end in re.findall("(.)-(.)", JAPANESE):
        classes[ord(begin) : ord(end) + 1] |= Class.JAPANESE
    classes = classes[fold]
    classes[unusual] |= Class.UNUSUAL
    length = np.array([len(folded) for folded in made], dtype=np.int32)
    points = np.frombuffer("".join(made).encode("utf-32-le"), dtype=np.uint32)
    return CharacterTables(
        fold, classes, expansion, points, (length.cumsum() - length).astype(np.int32), length
    )


def _followers() -> frozenset[str]:
    """The characters that may become one with the character before them."""
    found = {
        chr(point) for point in (*range(0x1161, 0x1176), *range(0x11A8, 0x11C3))
    }  # vowels and finals of Hangul
    for point in range(0x20000):
        parts = unicodedata.decomposition(chr(point)).split()
        if len(parts) == 2 and "<" not in parts[0]:
            found.add(chr(int(parts[1], 16)))
    return frozenset(found)
