"""Normalised text: what two copies of a sentence have in common, whatever width, encoding or line breaks they
came in (Kang 2009, 4.1).

Width and compatibility forms are folded (Unicode NFKC), the signs that two tables of Shift_JIS disagree about
become one, invisible characters go, white space becomes one space, and none stays between Japanese
characters. ``normalise`` says it for one text; ``normalised`` does the same for many texts at once over
arrays of code points, and knows where each character came from.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np
import numpy.typing as npt

from ruiji.corpora.c_modules import compiled
from ruiji.detector.sentences.character_tables import (
    JAPANESE,
    Class,
    ClassArray,
    PointArray,
    character_tables,
    folded_text,
)
from ruiji.features.arrays import IntArray, LongArray, ranges

# What stands between a text and the one before it.
NOTHING, SPACE, PARAGRAPH = range(3)
_BETWEEN = ("", " ", "\n")


_SPACES = re.compile(r"\s+")
_SPACE_IN_JAPANESE = re.compile(f"(?<=[{JAPANESE}]) (?=[{JAPANESE}])")

_BLANK, _LINE_BREAK, _CARRIAGE_RETURN = map(ord, " \n\r")


def normalise(text: str) -> str:
    """Text with width and white space folded, and no space left between Japanese characters."""
    return _SPACE_IN_JAPANESE.sub("", _SPACES.sub(" ", folded_text(text)))


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
    text, kept, classes = _what_stays(points, classes, starts, between, breaks)
    return Normalised(text, classes, kept.searchsorted(starts).astype(np.int32), kept, joined)


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
    tables = character_tables()
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
        numbers, first = np.unique(starts.searchsorted(odd, side="right") - 1, return_index=True)
        for number, own in zip(numbers.tolist(), np.split(odd, first[1:]), strict=True):
            changed[number], begin, end = _respelled(texts[number], own - starts[number])
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


def _what_stays(
    points: PointArray,
    classes: ClassArray,
    starts: IntArray,
    between: Sequence[int] | int,
    breaks: npt.NDArray[np.bool_] | bool,
) -> tuple[str, IntArray, ClassArray]:
    """The characters that stay as a string, which they are, and their classes: by the loop in C where there
    is one. ``points`` and ``classes`` are used up.
    """
    in_c = compiled("ruiji.detector.sentences._normalise")
    if in_c is None:
        kept = _kept(classes, points, starts, between, breaks)
        text = points.take(kept).tobytes().decode("utf-32-le", "surrogatepass")
        return text, kept, classes.take(kept)
    begins = np.zeros(len(starts) - 1, dtype=np.bool_)
    if isinstance(between, int):
        begins[1:] = between == PARAGRAPH  # nothing stands before the first
    else:
        begins[:] = np.asarray(between) == PARAGRAPH
    ending = np.zeros(len(begins), dtype=np.bool_)
    ending[:] = breaks
    kept = np.empty(len(points), dtype=np.int32)
    text = in_c.kept(
        points, classes, starts, begins, ending, kept, Class.SPACE, Class.PARAGRAPH, Class.JAPANESE
    )
    return text, kept[: len(text)].copy(), classes[: len(text)].copy()


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


def _respelled(text: str, odd: LongArray) -> tuple[str, IntArray, IntArray]:
    """The text with characters that depend on each other folded, and where each character begins and ends in
    the given text. ``odd`` are the places of those that depend on the character before them.
    """
    parts: list[str] = []
    begin: list[IntArray] = []
    end: list[IntArray] = []
    places = np.arange(len(text) + 1, dtype=np.int32)
    done = 0
    for run in np.split(odd, np.flatnonzero(np.diff(odd) != 1) + 1):
        first, last = max(int(run[0]) - 1, 0), int(run[-1]) + 1  # with the character that they depend on
        folded = folded_text(text[first:last])
        parts += (text[done:first], folded)
        begin += (places[done:first], np.full(len(folded), first, dtype=np.int32))
        end += (places[done + 1 : first + 1], np.full(len(folded), last, dtype=np.int32))
        done = last
    begin.append(places[done:-1])
    end.append(places[done + 1 :])
    return "".join((*parts, text[done:])), np.concatenate(begin), np.concatenate(end)
