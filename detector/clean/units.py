"""The units of a text: its sentences, with where each begins and ends and with the key by which it is the
same as another.

Two sentences are the same when their letters and digits are, whatever their width, case, white space and
punctuation; sentences of few letters are the same when their normalised texts are. The loose form of
``detect``, which also forgets words that open a sentence, would lose those words. A key has 128 bits, so that
equal keys mean equal sentences.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from xxhash import xxh3_128_digest, xxh3_128_hexdigest

from ruiji.detector.sentences.information import length_bits
from ruiji.detector.sentences.loose import MIN_LETTERS
from ruiji.detector.sentences.table import SplitTexts, split_texts
from ruiji.features.arrays import LongArray

_NO_LETTER = re.compile(r"[\W_]+")
# Behind which a sentence goes on with one of these, which begin none.
CLOSING, PARTICLES = frozenset("])}】〉》〕"), frozenset("をにはがのとでもへや")
MOST_UNITS = 1 << 22  # of a page that are compared; what follows stays as it is


@dataclass(frozen=True, slots=True, eq=False)
class Units:
    """The units of one text, in order.

    ``start`` and ``end`` are those of the sentence. A unit reaches up to ``until``, where the next begins,
    and the one before it ended at ``left``; so the units are the whole text, white space included. ``keys``
    has two numbers a unit. ``bits`` is how much it says that two pages have it, by its letters alone.
    """

    texts: list[str]
    start: LongArray
    end: LongArray
    until: LongArray
    left: LongArray
    bits: LongArray
    length: LongArray
    keys: LongArray

    def __len__(self) -> int:
        return len(self.texts)

    @property
    def digest(self) -> str:
        """Equal for pages with the same units in the same order; "" where there are none."""
        return xxh3_128_hexdigest(self.keys.tobytes()) if len(self) else ""

    @property
    def different(self) -> int:
        """The number of units without repetitions."""
        return len(set(zip(*self.keys.T.tolist(), strict=True)))


def sentence_forms(texts: Sequence[str]) -> list[str]:
    """What makes normalised sentences the same: their letters and digits, or all of it where they are few.

    >>> sentence_forms(["The market opens at five, today!", "Open."])
    ['themarketopensatfivetoday', 'Open.']
    """
    letters = (_NO_LETTER.sub("", text.lower()) for text in texts)
    return [form if len(form) >= MIN_LETTERS else text for form, text in zip(letters, texts, strict=True)]


def units_of(texts: Sequence[str]) -> list[Units]:
    """The units of each text."""
    split = _with_brackets_inside(split_texts(texts))
    keys = _keys(sentence_forms(split.texts))
    bits = length_bits(split.length)
    borders = np.searchsorted(split.text, np.arange(len(texts) + 1)).tolist()
    return [
        _units(text, split, keys, bits, first, last)
        for text, (first, last) in zip(texts, pairwise(borders), strict=True)
    ]


def _with_brackets_inside(split: SplitTexts) -> SplitTexts:
    """The sentences, where one that ends in a bracket and the particle right behind it are one sentence:
    ［設定...］で決まります。
    """
    texts = list(split.texts)
    follows = (split.start[1:] == split.end[:-1]) & (split.text[1:] == split.text[:-1])
    going_on = [
        number
        for number in (np.flatnonzero(follows) + 1).tolist()
        if texts[number][0] in PARTICLES and texts[number - 1][-1] in CLOSING
    ]
    if not going_on:
        return split
    end, length = split.end.copy(), split.length.copy()
    for number in reversed(going_on):
        texts[number - 1] += texts[number]
        end[number - 1] = end[number]
        length[number - 1] += length[number]
    kept = np.ones(len(texts), dtype=np.bool_)
    kept[going_on] = False
    return SplitTexts(
        [text for text, stays in zip(texts, kept.tolist(), strict=True) if stays],
        split.text[kept],
        split.start[kept],
        end[kept],
        length[kept],
    )


def _units(text: str, split: SplitTexts, keys: LongArray, bits: LongArray, first: int, last: int) -> Units:
    start, end = (column[first:last].astype(np.int64) for column in (split.start, split.end))
    # A character that is several after normalisation may lie in two sentences: they are parted before it.
    end[:-1] = np.minimum(end[:-1], start[1:])
    own = np.flatnonzero(start < end)[:MOST_UNITS]
    start, end = start[own], end[own]
    begin = start.copy()
    begin[:1] = 0
    until = np.append(begin[1:], len(text))[: len(begin)]
    left = np.append(0, end[:-1])[: len(begin)].astype(np.int64)
    return Units(
        [split.texts[first + number] for number in own.tolist()],
        begin,
        end,
        until.astype(np.int64),
        left,
        bits[first:last][own],
        split.length[first:last][own].astype(np.int64),
        keys[first:last][own],
    )


def _keys(forms: Sequence[str]) -> LongArray:
    """The xxh3_128 of each form in UTF-8, as two signed numbers."""
    digests = b"".join(xxh3_128_digest(form.encode("utf-8", "surrogatepass")) for form in forms)
    return np.frombuffer(digests, dtype=">i8").reshape(len(forms), 2).astype(np.int64)
