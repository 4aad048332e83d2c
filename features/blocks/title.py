"""Which blocks match the title or the description in the head of a page, and where the others stand to
these.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import accumulate, pairwise
from types import ModuleType
from typing import NamedTuple

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
# Characters of the title, characters and number of the descriptions that are looked at: every block is
# compared with them. Of 1,799 real pages the longest title has 333, the longest description 16,051; one page
# has 32.
READ_TITLE, READ_DESCRIPTION, READ_DESCRIPTIONS = 2_000, 50_000, 64
# What the loop in C takes of these
SIZES = (SHORTEST, LONGEST_HEADING, LOOKED_AT, SENTENCE, BEGINNING, LONG)


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


def block_texts(blocks: Blocks, which: slice) -> list[str]:
    """The texts of some blocks, which stand side by side."""
    texts, starts = blocks.pages.texts, blocks.pages.block_start[which.start : which.stop + 1].tolist()
    return [
        texts[start] if end == start + 1 else "".join(texts[start:end]) for start, end in pairwise(starts)
    ]


class Head(NamedTuple):
    """What the head of a page says, in lower case and with single spaces: its title and the parts of it that
    can stand for the page, the longest first; all descriptions, and how each begins.
    """

    title: str
    parts: tuple[str, ...]
    descriptions: str
    beginnings: tuple[str, ...]


def head_of(title: str, descriptions: Sequence[str]) -> Head:
    """What a page says of itself."""
    (folded_title, *folded) = _folded([title[:READ_TITLE], *_read(descriptions)])
    parts = [part for part in map(str.strip, _BORDERS.split(folded_title)) if len(part) >= PART]
    beginnings = {text[:BEGINNING] for text in folded if len(text) >= SENTENCE}
    return Head(
        folded_title, tuple(sorted(parts, key=len, reverse=True)), " ".join(folded), tuple(sorted(beginnings))
    )


def _read(descriptions: Sequence[str]) -> list[str]:
    """As much of the descriptions as is looked at."""
    ends = list(accumulate(map(len, descriptions[:READ_DESCRIPTIONS])))
    return [
        text[: len(text) - (end - READ_DESCRIPTION)] if end > READ_DESCRIPTION else text
        for text, end in zip(descriptions, ends, strict=False)
        if end - len(text) < READ_DESCRIPTION or end <= READ_DESCRIPTION
    ]


def title_matches(texts: Sequence[str], head: Head) -> list[float]:
    """How much of the title each text is, or how much of the text is a part of the title; 0 where neither."""
    title, parts = head.title, head.parts
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


def description_matches(texts: Sequence[str], head: Head) -> list[int]:
    """Whether a description has the beginning of each text (1, of a paragraph 2) or the text that of a
    description (3).
    """
    whole, beginnings = head.descriptions, head.beginnings
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


def title_codes(blocks: Blocks) -> tuple[FloatArray, FloatArray]:
    """``title_matches`` and ``description_matches`` of all blocks."""
    title, description = np.zeros(len(blocks)), np.zeros(len(blocks))
    for number, head in enumerate(heads(blocks)):
        own = slice(*blocks.page_start[number : number + 2].tolist())
        texts = _folded([text[:LOOKED_AT] for text in block_texts(blocks, own)])
        title[own], description[own] = title_matches(texts, head), description_matches(texts, head)
    return title, description


def title_codes_in_c(in_c: ModuleType, blocks: Blocks) -> tuple[FloatArray, FloatArray]:
    """The same by the loop in C, which leaves pages with some letters to Python."""
    title, description = np.zeros(len(blocks)), np.zeros(len(blocks))
    texts, borders = blocks.pages.texts, (blocks.pages.block_start, blocks.page_start)
    unread = in_c.matches(texts, *borders, heads(blocks), SIZES, title, description)
    return title_codes(blocks) if unread else (title, description)


def heads(blocks: Blocks) -> list[Head]:
    """What each page says of itself."""
    return [head_of(page.title, page.descriptions) for page in blocks.pages.pages]


def title_match(blocks: Blocks) -> dict[str, npt.NDArray[np.generic]]:
    """Title and description in the page, whether it says to be an article, and how often a block's text
    stands before and after it.
    """
    title, description = title_codes(blocks)
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
