"""The characters of many texts at once, as arrays: what kind each is, how many of a kind a text has, and the
words.

Texts are joined and looked at as code points; a table gives each its kind. A word is a run of letters of one
script, in lower case, known by a 64-bit number, so that no string is made for it unless somebody wants to
read it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ruiji.corpora.c_modules import compiled
from ruiji.features.arrays import GOLDEN_RATIO, ByteArray, IntArray, KeyArray, golden_hash, ranges
from ruiji.features.text.kinds import BMP, KINDS, WORD_KINDS, Kind, character_tables

IN_C = "ruiji.features.text._characters"
_KANJI_PLANES = (2, 3)
_LONGEST_WORD = 64  # letters beyond that do not count


@lru_cache(maxsize=1)
def _script_table() -> npt.NDArray[np.uint8]:
    """The script of each kind of character: words are runs of one script; 0 for what is no letter."""
    table = np.zeros(KINDS, dtype=np.uint8)
    for kind in WORD_KINDS:
        table[kind] = Kind.LOWER if kind == Kind.UPPER else kind
    return table


@lru_cache(maxsize=1)
def _powers() -> KeyArray:
    """What the letters of a word are multiplied by: words are numbered by a polynomial in the golden
    ratio.
    """
    powers = np.empty(_LONGEST_WORD, dtype=np.uint64)
    power = 1
    for position in range(_LONGEST_WORD):
        powers[position] = power
        power = power * GOLDEN_RATIO % (1 << 64)
    return powers


@lru_cache(maxsize=1)
def _tables() -> tuple[ByteArray, ByteArray, npt.NDArray[np.uint16], KeyArray]:
    """What the loops in C know of characters."""
    return character_tables().kinds, _script_table(), character_tables().folded, _powers()


@dataclass(frozen=True, eq=False)
class Words:
    """The words of some texts, in order: the text each is in, its number, and where it stands among all
    characters.
    """

    text: IntArray
    key: KeyArray
    start: IntArray
    length: IntArray


class _Scan(NamedTuple):
    """What one look at each text tells, a row a text."""

    counts: IntArray  # a column a kind
    lengths: IntArray
    first: ByteArray
    last: ByteArray
    word_counts: IntArray


@dataclass(frozen=True, eq=False)
class Characters:
    """The characters of texts, one text after another with a space between them."""

    texts: Sequence[str]

    @cached_property
    def starts(self) -> IntArray:
        """Where each text begins, and one more: where the next would."""
        starts = np.zeros(len(self.texts) + 1, dtype=np.int32)
        sizes = np.fromiter(map(len, self.texts), dtype=np.int32, count=len(self.texts))
        np.cumsum(sizes + 1, out=starts[1:])
        return starts

    @cached_property
    def points(self) -> npt.NDArray[np.uint16] | npt.NDArray[np.uint32]:
        """The code points."""
        joined = " ".join([*self.texts, ""])
        units = joined.encode("utf-16-le", "surrogatepass")
        if len(units) == 2 * len(joined):  # no character beyond the basic plane
            return np.frombuffer(units, dtype=np.uint16)
        return np.frombuffer(joined.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)

    @cached_property
    def _scan(self) -> _Scan:
        """By the loop in C where there is one, else by array arithmetic."""
        in_c, size = compiled(IN_C), len(self.texts)
        if in_c is None:
            return self.scan_by_arrays()
        scan = _Scan(
            np.empty((size, KINDS), dtype=np.int32), np.empty(size, dtype=np.int32),
            np.empty(size, dtype=np.uint8), np.empty(size, dtype=np.uint8), np.empty(size, dtype=np.int32),
        )  # fmt: skip
        in_c.scan(self.texts, _tables(), *scan)
        return scan

    def scan_by_arrays(self) -> _Scan:
        """The reference for the loop in C."""
        counts = self._kind_counts()
        words = np.diff(self._borders[0].searchsorted(self.starts)).astype(np.int32)
        return _Scan(counts, self._seen_lengths(counts), *self._end_kinds(), words)

    @property
    def counts(self) -> IntArray:
        """How many characters of each kind each text has: a row a text, a column a kind."""
        return self._scan.counts

    @property
    def lengths(self) -> IntArray:
        """The number of characters of each text as a reader sees it: white space around it is none, inside it
        one space.
        """
        return self._scan.lengths

    @property
    def ends(self) -> tuple[ByteArray, ByteArray]:
        """The kind of the first and of the last character of each text that is no white space; OTHER where
        there is none.
        """
        return self._scan.first, self._scan.last

    @property
    def word_counts(self) -> IntArray:
        """The number of words of each text."""
        return self._scan.word_counts

    @cached_property
    def _in_other_planes(self) -> npt.NDArray[np.intp]:
        """Where characters beyond the basic plane stand: emoji are in many pages, and few in each."""
        return (
            np.flatnonzero(self.points >= BMP)
            if self.points.dtype != np.uint16
            else np.zeros(0, dtype=np.intp)
        )

    @cached_property
    def kinds(self) -> npt.NDArray[np.uint8]:
        """The kind of each character."""
        kinds = character_tables().kinds.take(self.points, mode="clip")
        others = self._in_other_planes
        if len(others):
            kinds[others] = character_tables().kinds[
                np.where(np.isin(self.points[others] >> 16, _KANJI_PLANES), BMP + 1, BMP)
            ]
        return kinds

    def _kind_counts(self) -> IntArray:
        texts = len(self.starts) - 1
        owner = np.repeat(np.arange(texts) * KINDS, np.diff(self.starts))
        owner += self.kinds
        counts = np.bincount(owner, minlength=texts * KINDS).astype(np.int32).reshape(texts, KINDS)
        counts[:, Kind.SPACE] -= 1  # the one between texts
        return counts

    @cached_property
    def _spaces(self) -> npt.NDArray[np.bool_]:
        spaces: npt.NDArray[np.bool_] = self.kinds == Kind.SPACE
        return spaces

    def _seen_lengths(self, counts: IntArray) -> IntArray:
        spaces = self._spaces
        gaps = spaces.copy()
        gaps[1:] &= ~spaces[:-1]
        runs = self._sums(gaps)  # the one at the end of each text is the border
        leading = gaps[self.starts[:-1]] if len(self.points) else np.zeros(0, dtype=bool)
        seen = np.diff(self.starts) - 1 - counts[:, Kind.SPACE]
        lengths: IntArray = np.maximum(seen + runs - 1 - leading, 0).astype(np.int32)
        return lengths

    def _end_kinds(self) -> tuple[ByteArray, ByteArray]:
        start, end = self.starts[:-1], self.starts[1:]
        if not len(start):
            nothing = np.zeros(0, dtype=np.uint8)
            return nothing, nothing
        # Few texts begin or end with white space; a text always has the space behind it.
        first, last = self.kinds[start], self.kinds[np.maximum(end - 2, start)]
        padded = np.flatnonzero((first == Kind.SPACE) | (last == Kind.SPACE))
        if len(padded):
            seen = np.flatnonzero(~self._spaces)
            begin, stop = seen.searchsorted(start[padded]), seen.searchsorted(end[padded])
            first[padded], last[padded] = Kind.OTHER, Kind.OTHER
            some = begin < stop
            first[padded[some]], last[padded[some]] = (
                self.kinds[seen[begin[some]]],
                self.kinds[seen[stop[some] - 1]],
            )
        return first, last

    def _word_borders(self, split_case: bool) -> tuple[IntArray, IntArray]:
        """Where words begin, and where each ends."""
        script = _script_table().take(self.kinds)
        if not len(script):
            return np.zeros(0, dtype=np.int32), np.zeros(0, dtype=np.int32)
        change = np.ones(len(script) + 1, dtype=bool)
        np.not_equal(script[1:], script[:-1], out=change[1:-1])
        if split_case:
            change[1:-1] |= (self.kinds[1:] == Kind.UPPER) & (self.kinds[:-1] == Kind.LOWER)
        borders = np.flatnonzero(change).astype(np.int32)
        letters = script[borders[:-1]] > 0
        return borders[:-1][letters], borders[1:][letters]

    @cached_property
    def _borders(self) -> tuple[IntArray, IntArray]:
        return self._word_borders(split_case=False)

    def words(self, split_case: bool = False, longest_text: int | None = None) -> Words:
        """The words of the texts. ``split_case``: a capital after a small letter begins a word, as in names
        of programs.

        ``longest_text``: only of texts with at most so many characters.
        """
        if (in_c := compiled(IN_C)) is None:
            return self.words_by_arrays(split_case, longest_text)
        longest = -1 if longest_text is None else longest_text
        text, key, start, length = in_c.words(self.texts, _tables(), split_case, longest, self.lengths)
        return Words(
            np.frombuffer(text, np.int32), np.frombuffer(key, np.uint64), np.frombuffer(start, np.int32),
            np.frombuffer(length, np.int32),
        )  # fmt: skip

    def words_by_arrays(self, split_case: bool = False, longest_text: int | None = None) -> Words:
        """The reference for the loop in C."""
        start, end = self._word_borders(split_case=True) if split_case else self._borders
        counts = np.diff(start.searchsorted(self.starts))
        text = np.repeat(np.arange(len(counts), dtype=np.int32), counts)
        if longest_text is not None:
            short = np.repeat(self.lengths <= longest_text, counts)
            start, end, text = start[short], end[short], text[short]
        length = end - start
        if not len(start):
            return Words(text, np.zeros(0, dtype=np.uint64), start, length)
        counted = np.minimum(length, _LONGEST_WORD)
        first = counted.cumsum() - counted
        points = self.points[ranges(start, counted)]
        folded = character_tables().folded.take(points, mode="clip").astype(np.uint64)
        if len(self._in_other_planes):
            others = points >= BMP
            folded[others] = points[others]
        position = np.arange(len(points)) - np.repeat(first, counted)
        folded *= _powers()[position]
        return Words(text, np.add.reduceat(folded, first), start, length)

    def spelled(self, words: Words, which: Sequence[int] | IntArray) -> list[str]:
        """Some words as strings, as their numbers see them."""
        folded = character_tables().folded
        spellings = []
        for word in which:
            start = int(words.start[word])
            points = self.points[start : start + min(int(words.length[word]), _LONGEST_WORD)].tolist()
            spellings.append("".join(chr(int(folded[point]) if point < BMP else point) for point in points))
        return spellings

    def _sums(self, flags: npt.NDArray[np.bool_]) -> IntArray:
        total = np.concatenate(([0], np.cumsum(flags, dtype=np.int32)))
        return np.diff(total[self.starts]).astype(np.int32)


def characters(texts: Sequence[str]) -> Characters:
    """The characters of the texts."""
    return Characters(texts)


def same_texts(texts: Sequence[str], page_start: IntArray, stripped: bool) -> tuple[IntArray, KeyArray]:
    """For each text the number of the last one of its page that is the same, white space around it apart
    where it is ``stripped``; and a number that stands for it on any page.
    """
    in_c = compiled(IN_C)
    if in_c is None:
        return same_texts_by_dictionary(texts, page_start, stripped), text_keys_by_arrays(texts, stripped)
    numbers, keys = np.empty(len(texts), dtype=np.int32), np.empty(len(texts), dtype=np.uint64)
    in_c.same_texts(texts, page_start, stripped, numbers, keys)
    return numbers, keys


def same_texts_by_dictionary(texts: Sequence[str], page_start: IntArray, stripped: bool) -> IntArray:
    """The reference for the loop in C."""
    numbers: list[int] = []
    for start, end in pairwise(page_start.tolist()):
        own = [*map(str.strip, texts[start:end])] if stripped else texts[start:end]
        numbers += map(dict(zip(own, range(start, end), strict=True)).__getitem__, own)
    return np.array(numbers, dtype=np.int32)


def text_keys_by_arrays(texts: Sequence[str], stripped: bool) -> KeyArray:
    """The reference for the loop in C: texts are numbered by a polynomial in the golden ratio, which begins
    with their length.
    """
    own = characters([*map(str.strip, texts)] if stripped else texts)
    sizes = np.diff(own.starts) - 1
    powers = np.ones(int(sizes.max(initial=0)) + 1, dtype=np.uint64)
    powers[1:] = GOLDEN_RATIO
    np.multiply.accumulate(powers, out=powers)
    before = np.zeros(len(own.points) + 1, dtype=np.uint64)
    left = np.repeat(own.starts[1:], sizes + 1) - 1 - np.arange(len(own.points))  # up to the end of the text
    np.cumsum(own.points * powers[np.maximum(left - 1, 0)], dtype=np.uint64, out=before[1:])
    keys = before[own.starts[1:] - 1] - before[own.starts[:-1]] + sizes.astype(np.uint64) * powers[sizes]
    keys ^= keys >> np.uint64(32)
    return golden_hash(keys)


def word_key(word: str) -> int:
    """The number of a word as ``words`` gives it."""
    folded = character_tables().folded
    total = 0
    for char, power in zip(word[:_LONGEST_WORD], _powers().tolist(), strict=False):
        point = ord(char)
        total += (int(folded[point]) if point < BMP else point) * power
    return total % (1 << 64)


def word_keys(words: Sequence[str]) -> KeyArray:
    """The numbers of many words."""
    in_c = compiled(IN_C)
    if in_c is None:
        return np.array([word_key(word) for word in words], dtype=np.uint64)
    keys = np.empty(len(words), dtype=np.uint64)
    in_c.word_keys(words, _tables(), keys)
    return keys
