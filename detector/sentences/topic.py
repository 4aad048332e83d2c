"""How well sentences fit the page that they stand in: how many of their content words the rest of it has too;
and how well a page's content fits the menus and lists around it.

A quotation brings words that its page has nowhere else; where it was taken from, the text around it goes on
about the same things. So does a site around its own articles. The rules were chosen on transplanted real
pages, where texts stand in unrelated pages: on others they will decide less often.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from math import sqrt

import numpy as np

from ruiji.corpora.c_modules import compiled
from ruiji.features.arrays import LongArray

_WORDS = re.compile(r"[A-Za-z][A-Za-z0-9_]{3,}|[ァ-ヺー]{3,}")
_KANJI = re.compile("[一-鿿々]{2,}")
WHOLE = 100  # the fit of a sentence all of whose words stand elsewhere in the page; without words, of none


def content_words(text: str) -> set[str]:
    """Words of four letters, katakana words of three, and pairs of kanji.

    >>> sorted(content_words("The tagger 形態素解析 uses メモリ"))
    ['tagger', 'uses', 'メモリ', '形態', '態素', '素解', '解析']
    """
    words = {word.lower() for word in _WORDS.findall(text)}
    return words | {run[at : at + 2] for run in _KANJI.findall(text) for at in range(len(run) - 1)}


def frame_fit(inside: Iterable[str], outside: Iterable[str]) -> int:
    """How well what stands inside of a page's content fits what stands outside: the geometric mean of the
    shares of the words of each that the other has, in per cent.

    >>> frame_fit(["The tagger reads words.", "A tagger."], ["Tagger", "Words", "Weather"])
    71
    """
    module = compiled("ruiji.detector.sentences._sentences")
    sides = shared_words(inside, outside) if module is None else module.frame(list(inside), list(outside))
    shares = [shared / max(1, words) for shared, words in sides]
    return round(WHOLE * sqrt(shares[0] * shares[1]))


def shared_words(inside: Iterable[str], outside: Iterable[str]) -> list[tuple[int, int]]:
    """How many words of each have a place in the other, and how many there are: what the module in C is held
    against.
    """
    own, others = _word_counts(inside), _word_counts(outside)
    both = own.keys() & others.keys()
    return [(sum(words[word] for word in both), words.total()) for words in (own, others)]


def _word_counts(texts: Iterable[str]) -> Counter[str]:
    text = "\n".join(texts)
    counts = Counter(map(str.lower, _WORDS.findall(text)))
    for run in _KANJI.findall(text):
        counts.update(run[at : at + 2] for at in range(len(run) - 1))
    return counts


def topic_fit(texts: Sequence[str], wanted: Sequence[int]) -> LongArray:
    """The fit of the wanted sentences of a page, of whose sentences all are given: from 0 to WHOLE."""
    module = compiled("ruiji.detector.sentences._sentences")
    if module is not None:
        fit = np.zeros(len(texts), dtype=np.int64)
        module.fit(list(texts), fit)
        return fit[np.asarray(wanted, dtype=np.int64)]
    return counted_fit(texts, wanted)


def counted_fit(texts: Sequence[str], wanted: Sequence[int]) -> LongArray:
    """The same in Python: what the module in C is held against."""
    words = [content_words(text) for text in texts]
    sentences = Counter(word for own in words for word in own)
    fits = [
        WHOLE * sum(sentences[word] > 1 for word in words[number]) // max(1, len(words[number]))
        for number in wanted
    ]
    return np.array(fits, dtype=np.int64)
