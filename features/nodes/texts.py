"""Features of the text itself: its size, its characters, its words, and where else in the page it stands."""

from __future__ import annotations

from functools import lru_cache
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from ruiji.features.nodes.attributes import Finds
from ruiji.features.nodes.buckets import NUMBER_BORDERS, SHARE_BORDERS, SIZE_BORDERS, SIZES, Codes, bucket
from ruiji.features.nodes.forest import Forest, shared
from ruiji.features.nodes.nakamura import LINKS, link
from ruiji.features.nodes.structure import around
from ruiji.features.text.characters import word_key
from ruiji.features.text.hints import WORD_MEANINGS, meanings_in_texts
from ruiji.features.text.kinds import Kind

KINDS = tuple(kind.name.lower() for kind in Kind)
WORD_HINT_VALUES = ("none", *WORD_MEANINGS)
SIZE_AND_LINK = tuple(f"{length},{kind}" for length in SIZES for kind in LINKS)


@shared
def size(pages: Forest) -> Codes:
    """The number of characters."""
    return bucket(pages.lengths, SIZE_BORDERS)


def first_character(pages: Forest) -> Codes:
    """The kind of the first character."""
    return pages.characters.ends[0]


def last_character(pages: Forest) -> Codes:
    """The kind of the last character: a sentence ends in 。 or a full stop, a menu entry does not."""
    return pages.characters.ends[1]


def sentence_ends(pages: Forest) -> Codes:
    """How many full stops, question and exclamation marks."""
    counts = pages.characters.counts
    ends: Codes = counts[:, Kind.FULL_STOP] + counts[:, Kind.QUESTION]
    return np.minimum(ends, 3)


def commas(pages: Forest) -> Codes:
    """How many commas and 、."""
    return np.minimum(pages.characters.counts[:, Kind.COMMA], 3)


def separators(pages: Forest) -> Codes:
    """How many marks that stand between links."""
    return np.minimum(pages.characters.counts[:, Kind.SEPARATOR], 3)


def copyright_sign(pages: Forest) -> Codes:
    """Whether there is © or the like."""
    return (pages.characters.counts[:, Kind.COPYRIGHT] > 0).astype(np.int32)


def price(pages: Forest) -> Codes:
    """Whether there is a sign of currency."""
    return (pages.characters.counts[:, Kind.CURRENCY] > 0).astype(np.int32)


@shared
def _letters(pages: Forest) -> npt.NDArray[np.int32]:
    counts = pages.characters.counts
    letters: npt.NDArray[np.int32] = counts[:, Kind.LOWER : Kind.HANGUL + 1].sum(axis=1)
    return letters


def digit_share(pages: Forest) -> Codes:
    """The share of digits among the letters and digits."""
    digits = pages.characters.counts[:, Kind.DIGIT]
    return bucket(digits / np.maximum(digits + _letters(pages), 1), SHARE_BORDERS)


def capital_share(pages: Forest) -> Codes:
    """The share of capitals among the letters: MENUS SHOUT."""
    return bucket(pages.characters.counts[:, Kind.UPPER] / np.maximum(_letters(pages), 1), SHARE_BORDERS)


def hiragana_share(pages: Forest) -> Codes:
    """The share of hiragana among the letters: Japanese prose has particles and endings, a heading has
    few.
    """
    return bucket(pages.characters.counts[:, Kind.HIRAGANA] / np.maximum(_letters(pages), 1), SHARE_BORDERS)


def word_count(pages: Forest) -> Codes:
    """The number of words."""
    return bucket(pages.characters.word_counts, NUMBER_BORDERS)


def size_and_link(pages: Forest) -> Codes:
    """Length and kind of link together."""
    return size(pages) * len(LINKS) + link(pages)


def word(pages: Forest) -> Finds:
    """The words of short texts."""
    words = pages.words
    return Finds(words.text, words.text + 1, words.key, lambda which: pages.characters.spelled(words, which))


@lru_cache(maxsize=1 << 17)
def text_key(value: str) -> int:
    return word_key(value)


@shared
def hinted_words(pages: Forest) -> npt.NDArray[np.int32]:
    """For each word of a short text the number of what it usually means among WORD_MEANINGS, or -1."""
    return meanings_in_texts(pages.words.key)


@shared
def word_hint(pages: Forest) -> Codes:
    """What kind of page furniture a short text speaks of."""
    words = pages.words
    group = hinted_words(pages)
    chosen = np.flatnonzero(group >= 0)[::-1]  # the first word wins
    hints = np.zeros(len(pages), dtype=np.int32)
    hints[words.text[chosen]] = group[chosen] + 1
    return hints


@shared
def repeated_text(pages: Forest) -> Codes:
    """How many other nodes of the page have the same text."""
    return np.minimum(np.bincount(pages.text_number)[pages.text_number] - 1, 3)


@shared
def in_title(pages: Forest) -> Codes:
    """Whether the page's title has the whole text (of four characters or more)."""
    whole: list[bool] = []
    for page, (start, end) in zip(pages.pages, pairwise(pages.page_start.tolist()), strict=True):
        title, most = page.title, len(page.title)
        whole += [3 < len(text) <= most and text in title for text in pages.stripped[start:end]]
    return np.array(whole, dtype=np.int32)


@shared
def heading_elsewhere(pages: Forest) -> Codes:
    """Whether a later heading of the page has the same text: an entry of a table of contents."""
    headings = np.flatnonzero(around(pages, "h1", "h2", "h3", "h4", "h5", "h6", "dt", "caption"))
    last = np.full(len(pages), -1)
    last[pages.text_number[headings]] = headings  # of several, the last stays
    return (last[pages.text_number] > np.arange(len(pages))).astype(np.int32)
