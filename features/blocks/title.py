"""Which blocks match the title or the description in the head of a page, and where the others stand to
these.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from ruiji.features.arrays import FloatArray, golden_hash
from ruiji.features.blocks.table import Blocks

SHORTEST = 4  # characters of a text that can be found again by more than chance
# A title names page and site, with one of these between; a part of so many characters or more can stand for
# the page.
_BORDERS = re.compile(r"\s[|\-–—:·»«/]\s|[|｜:：»–—]")
PART = 5
_SPACES = re.compile("  +")
LONGEST_HEADING = 120  # characters of a block that can be a heading
LOOKED_AT = 140  # characters of a block, with its white space: a title stands at its beginning
LEAST_MATCH = 0.35  # share of a title, or of a heading, that must match
SENTENCE, BEGINNING, LONG = (
    15,
    30,
    60,
)  # characters: of a text to be looked for in a description, of its beginning, of a paragraph


def _folded(texts: Sequence[str]) -> list[str]:
    """The texts in lower case, with single spaces and none around; all at once, since each call costs."""
    if not texts:
        return []
    whole = "\0".join(
        [text.strip() if "\0" not in text else text.replace("\0", " ").strip() for text in texts]
    ).lower()
    for space in "\n\t\r\xa0\u3000":
        if space in whole:
            whole = whole.replace(space, " ")
    return _SPACES.sub(" ", whole).split("\0")


def block_texts(blocks: Blocks) -> list[str]:
    """The text of each block."""
    texts, starts = blocks.pages.texts, blocks.pages.block_start.tolist()
    return [
        texts[start] if end == start + 1 else "".join(texts[start:end]) for start, end in pairwise(starts)
    ]


def title_matches(texts: Sequence[str], title: str) -> list[float]:
    """How much of the title each text is, or how much of the text is a part of the title; 0 where neither."""
    (title,) = _folded([title])
    parts = sorted(
        (part for part in map(str.strip, _BORDERS.split(title)) if len(part) >= PART), key=len, reverse=True
    )
    most, shares = len(title), [0.0] * len(texts)
    for number, text in enumerate(texts):
        size = len(text)
        if SHORTEST <= size < LONGEST_HEADING:
            if size <= most and text in title:
                shares[number] = size / most
            else:
                for part in parts:
                    if part in text:
                        shares[number] = len(part) / size
                        break
    return shares


def description_matches(texts: Sequence[str], descriptions: Sequence[str]) -> list[int]:
    """Whether a description has the beginning of each text (1, of a paragraph 2) or the text that of a
    description (3).
    """
    folded = _folded(descriptions)
    whole = " ".join(folded)
    beginnings = {text[:BEGINNING] for text in folded if len(text) >= SENTENCE}
    codes = [0] * len(texts)
    if whole:
        for number, text in enumerate(texts):
            size = len(text)
            if size >= SENTENCE:
                if text[:BEGINNING] in whole:
                    codes[number] = 2 if size > LONG else 1
                else:
                    for beginning in beginnings:
                        if beginning in text:
                            codes[number] = 3
    return codes


def title_match(blocks: Blocks) -> dict[str, npt.NDArray[np.generic]]:
    """Title and description in the page, whether it says to be an article, and how often a block's text
    stands before and after it.
    """
    texts = block_texts(blocks)
    titles: list[float] = []
    descriptions: list[int] = []
    for page, (first, end) in zip(blocks.pages.pages, pairwise(blocks.page_start.tolist()), strict=True):
        own = _folded([text[:LOOKED_AT] for text in texts[first:end]])
        titles += title_matches(own, page.title)
        descriptions += description_matches(own, page.descriptions)
    title, description = np.array(titles, dtype=np.float64), np.array(descriptions, dtype=np.float64)
    is_title, is_description = title >= LEAST_MATCH, description >= 2
    before, after = _same(blocks)
    return {
        "title": title,
        "title_back": blocks.distance(is_title, True),
        "title_ahead": blocks.distance(is_title, False),
        "title_level": _level(blocks, is_title),
        "description": description,
        "description_back": blocks.distance(is_description, True),
        "description_ahead": blocks.distance(is_description, False),
        "description_level": _level(blocks, is_description),
        "is_article": np.array([page.is_article for page in blocks.pages.pages])[blocks.page],
        "same_before": before,
        "same_after": after,
    }


def _same(blocks: Blocks) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]]:
    """How many blocks of the page before and after each block have the same texts."""
    place = np.arange(len(blocks.pages)) - blocks.start[blocks.pages.block]
    key = (
        (blocks.pages.text_number.astype(np.uint64) << np.uint64(20)) + place.astype(np.uint64) + np.uint64(1)
    )
    for _ in range(2):  # mixed, so that sums do not meet by chance
        key = golden_hash(key)
        key ^= key >> np.uint64(29)
    key = np.add.reduceat(key, blocks.start) if len(blocks) else key
    order = key.argsort(kind="stable")
    begins = (
        np.flatnonzero(np.append(True, key[order][1:] != key[order][:-1]))
        if len(key)
        else np.zeros(0, dtype=np.intp)
    )
    count = np.diff(np.append(begins, len(key)))
    before, after = np.empty(len(key), dtype=np.intp), np.empty(len(key), dtype=np.intp)
    before[order] = np.arange(len(key)) - np.repeat(begins, count)
    after[order] = np.repeat(begins + count, count) - np.arange(len(key)) - 1
    return before, after


def _level(blocks: Blocks, which: npt.NDArray[np.bool_]) -> FloatArray:
    """The innermost of the sections around each block (1, 2 …) that holds one of these blocks; 0 for none."""
    inside = blocks.inside(which)
    levels = np.zeros(len(blocks))
    for level, container in reversed([*enumerate(blocks.containers, 1)]):
        levels[(container > 0) & (inside[container] > 0)] = level
    return levels
