"""Normalised text: what two copies of a sentence have in common, whatever width, encoding or line breaks they
came in (Kang 2009, 4.1).

Width and compatibility forms are folded (Unicode NFKC), the signs that two tables of Shift_JIS disagree about
become one, invisible characters go, white space becomes one space, and none stays between Japanese
characters. ``normalise`` says it for one text; ``normalised`` does the same for many texts at once over
arrays of code points, and knows where each character came from.
"""

from __future__ import annotations

import re
import sys
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import chain

import numpy as np
import numpy.typing as npt

from ruiji.features.arrays import IntArray, ranges

ClassArray = npt.NDArray[np.uint16]
PointArray = npt.NDArray[np.uint32]

# What stands between a text and the one before it.
NOTHING, SPACE, PARAGRAPH = range(3)
_BETWEEN = ("", " ", "\n")


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
_INVISIBLE = re.compile("[\u00ad\u200b\u200e\u200f\u2060\ufeff\ufe00-\ufe0f\U000e0100-\U000e01ef]")
# The same bytes of Shift_JIS and EUC-JP become the one or the other by whose table is used; NFKC folds the
# other such signs.
_ONE_SIGN = {"〜": "~", "−": "-", "―": "—", "∥": "‖"}
_ONE_SIGN_TABLE = str.maketrans(_ONE_SIGN)

# No combining marks
_JAPANESE = (
    "\u3001-\u3029\u3030-\u3098\u309b-\u30ff\u3400-\u9fff\uf900-\ufaff\uff00-\uffef\U00020000-\U0003ffff"
)
_SPACES = re.compile(r"\s+")
_SPACE_IN_JAPANESE = re.compile(f"(?<=[{_JAPANESE}]) (?=[{_JAPANESE}])")

_BLANK, _LINE_BREAK, _CARRIAGE_RETURN, _LAST_SPACE = map(ord, " \n\r\u3000")


def normalise(text: str) -> str:
    """Text with width and white space folded, and no space left between Japanese characters."""
    return _SPACE_IN_JAPANESE.sub("", _SPACES.sub(" ", _folded(text)))


def _folded(text: str) -> str:
    """Text with width, compatibility forms and disputed signs folded, and without what is invisible."""
    if text.isascii():
        return text
    return unicodedata.normalize("NFKC", _INVISIBLE.sub("", text)).translate(_ONE_SIGN_TABLE)


@dataclass(frozen=True, slots=True, eq=False)
class Normalised:
    """Many texts normalised as one: paragraphs with a line break between them, no white space at the ends of
    any.

    ``starts`` are the places of the given texts in it, and one more: the end.
    """

    text: str
    classes: ClassArray
    starts: IntArray
    _kept: IntArray  # of each character, which one it is of those that were joined and expanded
    _joined: _Joined

    def given(self, position: IntArray, text: IntArray, ends: bool = False) -> IntArray:
        """Where the characters at these positions began, or ended, in the given texts that they are from."""
        joined = self._joined
        place = joined.before_expansion(self._kept[position]) - joined.starts[text]
        place += ends
        for number, (begin, end) in joined.respelled.items():
            mine = np.flatnonzero(text == number)
            place[mine] = end[place[mine] - 1] if ends else begin[place[mine]]
        return place


def normalised(
    texts: Sequence[str], between: Sequence[int] | int, breaks: npt.NDArray[np.bool_] | bool = False
) -> Normalised:
    """The texts normalised and joined.

    ``between`` says what stands before each (NOTHING, SPACE, PARAGRAPH), or one thing for all; ``breaks``
    whether line breaks inside a text end a paragraph, for each or for all.
    """
    joined = _join(texts, between)
    points, classes, starts = joined.points, joined.classes, joined.after_expansion(joined.starts)
    kept = _kept(classes, points, starts, between, breaks)
    text = points.take(kept).tobytes().decode("utf-32-le", "surrogatepass")
    return Normalised(text, classes.take(kept), kept.searchsorted(starts).astype(np.int32), kept, joined)


@dataclass(frozen=True, slots=True, eq=False)
class _Joined:
    """Texts joined with what stands between them, as code points that NFKC would not change; white space is
    as it was.

    ``expanded`` are the characters that became several, ``brought`` how many all of them up to each have
    brought. ``respelled`` has texts whose characters depend on each other: where each character begins and
    ends in the given text.
    """

    points: PointArray
    classes: ClassArray
    starts: IntArray  # of each text, and one more; both before expansion
    expanded: IntArray
    brought: IntArray
    respelled: Mapping[int, tuple[IntArray, IntArray]]

    def after_expansion(self, place: IntArray) -> IntArray:
        """Places before expansion as places after it."""
        if not len(self.expanded):
            return place
        before = np.append(np.zeros(1, dtype=np.int32), self.brought)
        return (place + before[self.expanded.searchsorted(place)]).astype(np.int32)

    def before_expansion(self, place: IntArray) -> IntArray:
        """Places after expansion as places before it."""
        if not len(self.expanded):
            return place.copy()
        last = np.concatenate(([-1], self.expanded + self.brought)).astype(
            np.int32
        )  # the last character of each expansion
        passed = last.searchsorted(place) - 1  # expansions that end before the place
        before = np.concatenate(([0], self.brought)).astype(np.int32)
        following = np.append(self.expanded, np.int32(np.iinfo(np.int32).max))[passed]
        found: IntArray = np.minimum(place - before[passed], following).astype(np.int32)
        return found


def _join(texts: Sequence[str], between: Sequence[int] | int) -> _Joined:
    points, starts = _concatenated(texts, between)
    tables = _tables()
    classes = tables.classes.take(points)
    nothing = np.zeros(0, dtype=np.int32)
    unusual = (classes & Class.UNUSUAL) != 0
    if not unusual.any():
        return _Joined(tables.fold.take(points), classes, starts, nothing, nothing, {})
    places = np.flatnonzero(unusual)
    odd = places[tables.expansion[points[places]] < 0]
    respelled: dict[int, tuple[IntArray, IntArray]] = {}
    if len(odd):
        changed = list(texts)
        for number in np.unique(starts.searchsorted(odd, side="right") - 1).tolist():
            changed[number], begin, end = _respelled(texts[number])
            respelled[number] = begin, end
        points, starts = _concatenated(changed, between)
        places = np.flatnonzero((tables.classes.take(points) & Class.UNUSUAL) != 0)
    entry = tables.expansion[points[places]]
    expanded, entry = places[entry >= 0].astype(np.int32), entry[entry >= 0]
    length = tables.expansion_length[entry]
    brought = (length - 1).cumsum(dtype=np.int32)
    folded = tables.fold.take(points)
    if len(expanded):
        size = np.ones(len(points), dtype=np.int32)
        size[expanded] = length
        folded = np.repeat(folded, size)
        folded[ranges(expanded + brought - (length - 1), length)] = tables.expansions[
            ranges(tables.expansion_start[entry], length)
        ]
    return _Joined(
        folded, tables.classes.take(folded) & ~np.uint16(Class.UNUSUAL), starts, expanded, brought, respelled
    )


def _concatenated(texts: Sequence[str], between: Sequence[int] | int) -> tuple[PointArray, IntArray]:
    """The code points of all texts with what stands between them; where each text starts, and one more."""
    size = np.fromiter(map(len, texts), dtype=np.int32, count=len(texts))
    if isinstance(between, int):
        glue = _BETWEEN[between]
        joined = glue.join(texts)
        before = np.full(len(texts), len(glue), dtype=np.int32)
        before[:1] = 0
    else:
        joined = "".join(chain.from_iterable(zip(map(_BETWEEN.__getitem__, between), texts, strict=True)))
        before = (np.asarray(between, dtype=np.int32) != NOTHING).astype(np.int32)
    starts = np.zeros(len(texts) + 1, dtype=np.int32)
    np.cumsum(size + before, out=starts[1:])
    starts[:-1] += before
    return np.frombuffer(joined.encode("utf-32-le", "surrogatepass"), dtype=np.uint32), starts


def _kept(
    classes: ClassArray,
    points: PointArray,
    starts: IntArray,
    between: Sequence[int] | int,
    breaks: npt.NDArray[np.bool_] | bool,
) -> IntArray:
    """The characters that stay: of a run of white space one at most, and none at the ends of a paragraph or
    between Japanese ones.

    In ``points`` that one becomes a space or, where a paragraph ends, a line break, which ``classes`` then
    says too.
    """
    space = (classes & Class.SPACE) != 0
    change = np.zeros(len(space) + 1, dtype=np.bool_)
    change[:-1] = space
    change[1:] ^= space
    borders = np.flatnonzero(change).astype(np.int32)
    begin, end = borders[::2], borders[1::2]
    if not len(begin):
        return np.arange(len(points), dtype=np.int32)
    inner = (begin > 0) & (end < len(space))
    before, after = classes[np.maximum(begin - 1, 0)], classes[np.minimum(end, len(space) - 1)]
    parts = np.zeros(len(begin), dtype=np.bool_)
    parts[begin.searchsorted(_paragraph_ends(points, starts, between, breaks), side="right") - 1] = True
    stays = inner & (parts | ((before & after & Class.JAPANESE) == 0))
    points[begin] = np.where(parts, _LINE_BREAK, _BLANK)
    classes[begin[parts]] |= Class.PARAGRAPH
    keep = ~space
    keep[begin[stays]] = True
    return np.flatnonzero(keep).astype(np.int32)


def _paragraph_ends(
    points: PointArray, starts: IntArray, between: Sequence[int] | int, breaks: npt.NDArray[np.bool_] | bool
) -> IntArray:
    """The places of white space that part paragraphs."""
    if isinstance(between, int):
        ends = starts[1:-1] - 1 if between == PARAGRAPH else starts[:0]
    else:
        ends = starts[:-1][np.asarray(between) == PARAGRAPH] - 1
    if breaks is False:
        return ends
    lines = np.flatnonzero((points == _LINE_BREAK) | (points == _CARRIAGE_RETURN)).astype(np.int32)
    if breaks is not True:
        lines = lines[breaks[np.minimum(starts.searchsorted(lines, side="right") - 1, len(breaks) - 1)]]
    return np.concatenate((ends, lines))


def _respelled(text: str) -> tuple[str, IntArray, IntArray]:
    """The text with characters that depend on each other folded, and where each character begins and ends in
    the given text.
    """
    parts: list[str] = []
    begin: list[int] = []
    end: list[int] = []
    done = 0
    for match in _clusters().finditer(text):
        first, last = match.span()
        folded = _folded(match.group())
        parts += (text[done:first], folded)
        begin += chain(range(done, first), [first] * len(folded))
        end += chain(range(done + 1, first + 1), [last] * len(folded))
        done = last
    begin += range(done, len(text))
    end += range(done + 1, len(text) + 1)
    return "".join((*parts, text[done:])), np.array(begin, dtype=np.int32), np.array(end, dtype=np.int32)


@dataclass(frozen=True, slots=True, eq=False)
class _Tables:
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
    "Ll": Class.LOWER | Class.ADDRESS, "Lu": Class.STARTER | Class.ADDRESS, "Lt": Class.STARTER | Class.ADDRESS,
    "Nd": Class.STARTER | Class.ADDRESS | Class.DIGIT, "Lo": Class.STARTER,
}  # fmt: skip
_RANGES = (
    (Class.WIDE, 0x3005, 0x3007), (Class.WIDE, 0x3041, 0x3098), (Class.WIDE, 0x309D, 0x309F), (Class.WIDE, 0x30A1, 0x30FA),
    (Class.WIDE, 0x30FC, 0x30FF), (Class.WIDE, 0x3400, 0x9FFF), (Class.WIDE, 0xF900, 0xFAFF), (Class.WIDE, 0xAC00, 0xD7AF),
    (Class.WIDE, 0x20000, 0x3FFFF), (Class.STARTER, 0x20000, 0x3FFFF),
)  # fmt: skip


@cache
def _tables() -> _Tables:
    """The tables of this process, made (0.1 s) when the first text asks for them."""
    size = sys.maxunicode + 1
    fold, expansion, classes = (
        np.arange(size, dtype=np.uint32),
        np.full(size, -1, dtype=np.int16),
        np.zeros(size, dtype=np.uint16),
    )
    unusual: list[int] = []
    dependent = _followers().union(
        _INVISIBLE.findall("".join(chr(point) for borders in _FOLDED_RANGES for point in range(*borders)))
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
    spaces = [point for point in range(_LAST_SPACE + 1) if chr(point).isspace()]
    classes[spaces] = Class.SPACE
    for one, other in _ONE_SIGN.items():
        fold[fold == ord(one)] = ord(other)
    for name, chars in _CLASSES.items():
        classes[[ord(char) for char in chars]] |= name
    for name, first, last in _RANGES:
        classes[first : last + 1] |= name
    for begin, end in re.findall("(.)-(.)", _JAPANESE):
        classes[ord(begin) : ord(end) + 1] |= Class.JAPANESE
    classes = classes[fold]
    classes[unusual] |= Class.UNUSUAL
    length = np.array([len(folded) for folded in made], dtype=np.int32)
    points = np.frombuffer("".join(made).encode("utf-32-le"), dtype=np.uint32)
    return _Tables(fold, classes, expansion, points, (length.cumsum() - length).astype(np.int32), length)


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


@cache
def _clusters() -> re.Pattern[str]:
    """Characters that depend on the one before them, with that one."""
    tables = _tables()
    points = np.flatnonzero(((tables.classes & Class.UNUSUAL) != 0) & (tables.expansion < 0))
    borders = np.flatnonzero(np.diff(points) != 1)
    first, last = points[np.append(0, borders + 1)].tolist(), points[np.append(borders, -1)].tolist()
    odd = "".join(
        f"{re.escape(chr(begin))}-{re.escape(chr(end))}" for begin, end in zip(first, last, strict=True)
    )
    return re.compile(f"[^{odd}]?[{odd}]+")
