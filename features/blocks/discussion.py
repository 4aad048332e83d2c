"""Numbers about what follows an article: comments of readers, lists of other articles.

Where comments begin is told by names of elements and by short texts; then the main part of a page can be
looked for without them, which matters where there are ten times as many comments as article. Comments and
lists of articles also have a rhythm: a text, then a link or a date, again and again at the same kind of
place.
"""

from __future__ import annotations

from functools import cache

import numpy as np

from ruiji.features.arrays import BoolArray, Column, LongArray, covered
from ruiji.features.blocks.place_numbers import blocks_beyond, smallest_elements
from ruiji.features.blocks.table import LONG, Blocks, Numbers, ratio
from ruiji.features.nodes.names import elements_meaning
from ruiji.features.text.characters import word_keys
from ruiji.features.text.keytable import KeyTable, key_table
from ruiji.features.text.kinds import Kind
from ruiji.features.text.word_lists import word_lists

SHORT = 60  # characters: a heading, a by-line, a link, not a sentence of a comment
DATE_DIGITS = 3  # of a short text that may be a date or a time
HALF = 0.5  # of the prose outside of comments that the main part holds


@cache
def comment_words() -> KeyTable:
    """Words that comment sections have in their headings and links."""
    return key_table(word_keys(word_lists("discussion")["comments"].split()))


def _speaks_of_comments(blocks: Blocks) -> BoolArray:
    """Which blocks are short and have a word of comment sections."""
    words = blocks.pages.words
    which, _ = comment_words().find(words.key)
    has_word = np.bincount(blocks.pages.block[words.text[which]], minlength=len(blocks)) > 0
    return has_word & (blocks.chars < SHORT)


def _first_of_page(blocks: Blocks, which: BoolArray) -> LongArray:
    """For each block the first of ``which`` in its page; the number of all blocks where there is none."""
    first = np.full(len(blocks.page_start) - 1, len(blocks), dtype=np.int64)
    marked = np.flatnonzero(which)
    np.minimum.at(first, blocks.page[marked], marked)
    return first[blocks.page]


def discussion(blocks: Blocks) -> Numbers:
    """Where comments of readers begin after some prose, and the main part of the page without them."""
    at = np.arange(len(blocks))
    prose = blocks.chars * ((blocks.chars >= LONG) & (blocks.linked_chars < blocks.chars / 3))
    before, whole = blocks.before(prose), blocks.of_page(prose)[blocks.page]
    element = np.flatnonzero(elements_meaning(blocks.pages, "comments") & (blocks.end > blocks.first))
    inside_comments = covered(blocks.first[element], blocks.end[element], len(blocks))
    speaks = _speaks_of_comments(blocks)
    begins = speaks.copy()
    begins[blocks.first[element]] = True
    begin = _first_of_page(blocks, begins & (before > 0))
    some, begun = begin < len(blocks), at >= begin
    article = prose * (~inside_comments & ~begun)
    article_inside = blocks.inside(article)
    share = ratio(article_inside, blocks.of_page(article)[blocks.element_page])
    main = smallest_elements(blocks, share, article_inside, HALF)[blocks.page]
    inside = (blocks.first[main] <= at) & (at < blocks.end[main])
    prose_before = before[np.minimum(begin, len(blocks) - 1)] if len(blocks) else before
    return {
        "comments_begun": np.where(some, begun, -1),
        "comments_back": np.where(begun, at - begin, -1),
        "prose_before_comments": np.where(some, ratio(prose_before, whole), -1.0),
        "comment_word_back": blocks.distance(speaks, True),
        "article_main": np.where(main > 0, inside, -1),
        "from_article_main": blocks_beyond(blocks, main),
        "article_share": ratio(blocks.of_page(article)[blocks.page], whole),
        "article_before": ratio(blocks.before(article), blocks.of_page(article)[blocks.page]),
    }


def companions(blocks: Blocks) -> Numbers:
    """How many blocks at the same kind of place have a link or a date shortly before and after them."""
    short = blocks.chars < SHORT
    signs = {
        "link": short & (2 * blocks.linked_chars > blocks.chars),
        "date": short & (blocks.kinds[Kind.DIGIT] >= DATE_DIGITS),
    }
    near = {
        f"{name}_{side}": (blocks.shifted(sign, step, 0.0) > 0) | (blocks.shifted(sign, 2 * step, 0.0) > 0)
        for name, sign in signs.items()
        for side, step in (("before", -1), ("after", 1))
    }
    columns: dict[str, Column] = {}
    for place, kind in blocks.place_kinds.items():
        count = np.bincount(kind)
        for name, column in near.items():
            columns[f"{name}_{place}"] = (np.bincount(kind, column) / count)[kind]
    return columns
