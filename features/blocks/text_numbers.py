"""Numbers about the text of a block: its characters, its words by their usual meaning, its links."""

from __future__ import annotations

import numpy as np

from ruiji.features.arrays import FloatArray
from ruiji.features.blocks.table import Blocks, Numbers, ratio
from ruiji.features.nodes import tags, texts
from ruiji.features.text.hints import WORD_MEANINGS
from ruiji.features.text.kinds import Kind

DENSE = (Kind.HIRAGANA, Kind.KATAKANA, Kind.KANJI, Kind.HANGUL)  # letters without case


def text(blocks: Blocks) -> Numbers:
    """The characters of the block."""
    kinds = blocks.kinds
    letters = kinds[Kind.LOWER : Kind.HANGUL + 1].sum(axis=0)
    first, last = blocks.pages.characters.ends
    ends = blocks.pages.block_start[1:] - 1
    first_hint, hint_words = _word_hints(blocks)
    return {
        "chars": blocks.chars,
        "nodes": np.diff(blocks.pages.block_start),
        "sentence_ends": kinds[Kind.FULL_STOP] + kinds[Kind.QUESTION],
        "questions": kinds[Kind.QUESTION],
        "commas": kinds[Kind.COMMA],
        "colons": kinds[Kind.COLON],
        "separators": kinds[Kind.SEPARATOR],
        "brackets": kinds[Kind.OPEN],
        "copyright": kinds[Kind.COPYRIGHT],
        "currency": kinds[Kind.CURRENCY],
        "digits": ratio(kinds[Kind.DIGIT], blocks.chars),
        "digit_count": kinds[Kind.DIGIT],
        "capitals": ratio(kinds[Kind.UPPER], letters),
        "other_marks": ratio(kinds[Kind.OTHER], blocks.chars),
        "punctuation": ratio(kinds[Kind.FULL_STOP] + kinds[Kind.COMMA], blocks.chars),
        "first_kind": np.where(np.isin(first, DENSE), Kind.UPPER, first)[blocks.start],
        "last_kind": np.where(np.isin(last, DENSE), Kind.LOWER, last)[ends],
        "word_hint": first_hint,
        **{f"hint_words_{name}": column for name, column in zip(WORD_MEANINGS, hint_words, strict=True)},
    }


def _word_hints(blocks: Blocks) -> tuple[FloatArray, list[FloatArray]]:
    """The kind of page furniture that the first node speaks of, and how many words of each kind the short
    texts have.
    """
    words = blocks.pages.words
    group = texts.hinted_words(blocks.pages)
    block = blocks.pages.block[words.text]
    counts = [
        np.bincount(block[group == number], minlength=len(blocks)).astype(np.float64)
        for number in range(len(WORD_MEANINGS))
    ]
    return texts.word_hint(blocks.pages)[blocks.start].astype(np.float64), counts


def elsewhere(blocks: Blocks) -> Numbers:
    """Whether the text stands in the page again."""
    return {
        "repeated": blocks.sums(texts.repeated_text(blocks.pages) * blocks.node_chars)
        / np.maximum(blocks.chars, 1)
    }


def links(blocks: Blocks) -> Numbers:
    """How much of the block is links, and to places in the page itself.

    Whether others leave the site is not told: saved pages often stand under another host than they came from.
    """
    pages = blocks.pages
    number = np.concatenate([page.link for page in pages.pages])
    new_link = np.ones(len(number), dtype=bool)
    new_link[1:] = (number[1:] != number[:-1]) | (pages.page[1:] != pages.page[:-1])
    return {
        "linked": ratio(blocks.linked_chars, blocks.chars),
        "link_count": blocks.sums(new_link & pages.linked),
        "unlinked_chars": blocks.chars - blocks.linked_chars,
        "fragments": ratio(blocks.sums(tags.fragment(pages) * blocks.node_chars), blocks.chars),
    }
