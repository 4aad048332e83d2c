"""Numbers about where a block stands in the page: main part, order, neighbours, blocks of the same kind."""

from __future__ import annotations

import numpy as np

from ruiji.features.arrays import Column, FloatArray, LongArray
from ruiji.features.blocks.table import HEADINGS, LONG, Blocks, Numbers, ratio
from ruiji.features.nodes import tags
from ruiji.features.nodes.structure import around
from ruiji.features.text.kinds import Kind

REACHES = (2, 6, 15)  # blocks to both sides that a window takes in
MAIN_SHARES = (0.3, 0.5, 0.75, 0.9)


def prose(blocks: Blocks) -> Numbers:
    """Whether the block is in the smallest element with so much of the page's prose, or how far from it."""
    prose = blocks.chars * ((blocks.chars >= LONG) & (blocks.linked_chars < blocks.chars / 3))
    prose_inside = blocks.inside(prose)
    owner = blocks.element_page
    share_of = ratio(prose_inside, blocks.of_page(prose)[owner])
    size = ratio(blocks.inside(blocks.chars), blocks.of_page(blocks.chars)[owner])
    columns: dict[str, Column] = {}
    at = np.arange(len(blocks))
    for least in MAIN_SHARES:
        main = smallest_elements(blocks, share_of, prose_inside, least)[blocks.page]
        inside = (main > 0) & (blocks.first[main] <= at) & (at < blocks.end[main])
        name = f"{round(least * 100)}"
        columns[f"main_{name}"] = np.where(main > 0, inside, -1)
        columns[f"main_size_{name}"] = np.where(main > 0, size[main], -1.0)
        columns[f"from_main_{name}"] = blocks_beyond(blocks, main)
    columns["prose_before"] = ratio(blocks.before(prose), blocks.of_page(prose)[blocks.page])
    return columns


def smallest_elements(blocks: Blocks, share: FloatArray, weight: FloatArray, least: float) -> LongArray:
    """For each page the deepest element that has so much of a share; 0 for none.

    Elements that hold half or more lie in one chain; of smaller shares the one with most weight counts.
    """
    good = share >= least
    good[0] = False
    some = np.flatnonzero(good)
    heaviest = -np.where(least < 0.5, weight[some], 0.0).round()
    order = some[np.lexsort((-blocks.pages.depth[some], heaviest, blocks.element_page[some]))]
    page, first = np.unique(blocks.element_page[order], return_index=True)
    smallest = np.zeros(len(blocks.page_start) - 1, dtype=np.int64)
    smallest[page] = order[first]
    return smallest


def blocks_beyond(blocks: Blocks, element: LongArray) -> LongArray:
    """How many blocks each block stands before (below 0) or after an element; 0 inside it and without one."""
    at = np.arange(len(blocks))
    first, end = blocks.first[element], blocks.end[element]
    beyond = np.where(at < first, at - first, np.where(at < end, 0, at - end + 1))
    return np.where(element > 0, beyond, 0)


def place(blocks: Blocks) -> Numbers:
    """Where in the page the block stands, and how far from paragraphs and headings."""
    at = np.arange(len(blocks))
    starts, ends = blocks.page_start[:-1][blocks.page], blocks.page_start[1:][blocks.page]
    long = (blocks.chars >= LONG) & (blocks.linked_chars < blocks.chars / 2)
    very_long = (blocks.chars >= 3 * LONG) & (blocks.linked_chars < blocks.chars / 2)
    heading = blocks.pages.named(*HEADINGS)[blocks.element]
    main_heading = around(blocks.pages, "h1")[blocks.start] > 0
    return {
        "from_start": at - starts,
        "to_end": ends - 1 - at,
        "place": ratio(at - starts, ends - starts),
        "text_before": ratio(blocks.before(blocks.chars), blocks.of_page(blocks.chars)[blocks.page]),
        "long_back": blocks.distance(long, True),
        "long_ahead": blocks.distance(long, False),
        "very_long_back": blocks.distance(very_long, True),
        "very_long_ahead": blocks.distance(very_long, False),
        "heading_back": blocks.distance(heading, True),
        "heading_ahead": blocks.distance(heading, False),
        "h1_back": blocks.distance(main_heading, True),
        "h1_ahead": blocks.distance(main_heading, False),
        "currency_back": blocks.distance(blocks.kinds[Kind.CURRENCY] > 0, True),
        "currency_ahead": blocks.distance(blocks.kinds[Kind.CURRENCY] > 0, False),
    }


def neighbours(blocks: Blocks) -> Numbers:
    """The blocks before and after."""
    linked = ratio(blocks.linked_chars, blocks.chars)
    ends = blocks.kinds[Kind.FULL_STOP] + blocks.kinds[Kind.QUESTION]
    tag = tags.block_tag(blocks.pages)[blocks.start]
    columns: dict[str, Column] = {}
    for offset in (-3, -2, -1, 1, 2, 3):
        columns[f"chars{offset:+d}"] = blocks.shifted(blocks.chars, offset)
        columns[f"linked{offset:+d}"] = blocks.shifted(linked, offset)
    for offset in (-2, -1, 1, 2):
        columns[f"sentence_ends{offset:+d}"] = blocks.shifted(ends, offset)
        columns[f"tag{offset:+d}"] = blocks.shifted(tag, offset)
    columns["same_element_before"] = blocks.shifted(blocks.element, -1) == blocks.element
    for reach in REACHES:
        chars = blocks.window(blocks.chars, reach)
        columns[f"chars_near_{reach}"] = chars
        columns[f"linked_near_{reach}"] = ratio(blocks.window(blocks.linked_chars, reach), chars)
        columns[f"sentence_ends_near_{reach}"] = blocks.window(ends, reach)
    return columns


def repetition(blocks: Blocks) -> Numbers:
    """Blocks of the page that stand in the same kind of place: how many, how long, how linked."""
    columns: dict[str, Column] = {}
    for name, kind in blocks.place_kinds.items():
        count = np.bincount(kind)
        chars = np.bincount(kind, blocks.chars)
        columns[f"same_{name}"] = count[kind]
        columns[f"same_{name}_chars"] = (chars / count)[kind]
        columns[f"same_{name}_linked"] = (np.bincount(kind, blocks.linked_chars) / np.maximum(chars, 1))[kind]
        columns[f"same_{name}_share"] = chars[kind] / np.maximum(blocks.of_page(blocks.chars)[blocks.page], 1)
    return columns
