"""Numbers about where a block stands in the tree: tags, names by their usual meaning, sections around it."""

from __future__ import annotations

import numpy as np

from ruiji.features.arrays import Column, IntArray, running_sum
from ruiji.features.blocks.table import HEADINGS, LONG, Blocks, Numbers, ratio
from ruiji.features.nodes import tags
from ruiji.features.nodes.names import article_part, content_part, hinted, main_part, nearest_hint
from ruiji.features.page import elements
from ruiji.features.text.hints import NAME_MEANINGS
from ruiji.features.text.kinds import Kind

KINDS_OF_BLOCK = (
    ("p", ("p",)), ("li", ("li",)), ("div", ("div",)), ("cell", ("td", "th")), ("definition", ("dt", "dd")),
    ("pre", ("pre", "listing", "xmp")), ("option", ("option", "select", "optgroup")), ("heading", HEADINGS),
)  # fmt: skip
AROUND = (
    "article", "aside", "button", "figure", "footer", "form", "header", "label", "li", "main", "nav", "ol",
    "p", "pre", "section", "table",
    "ul",
)  # fmt: skip
# Meanings of names of which it counts how much of the page their element holds.
SHARED_MEANINGS = ("content", "related", "comments", "sidebar", "header")


def tree(blocks: Blocks) -> Numbers:
    """The elements around the block."""
    pages = blocks.pages
    element = blocks.element
    number = pages.number
    above = pages.block_element[pages.parent[element]]
    columns: dict[str, Column] = {
        "block_tag": tags.block_tag(pages)[blocks.start],
        "parent_tag": tags.parent_tag(pages)[blocks.start],
        "above_tag": number[above],
        "above2_tag": number[pages.block_element[pages.parent[above]]],
        "depth": pages.depth[element],
        "climb": pages.depth[pages.element[blocks.start]] - pages.common_depth[blocks.start],
        "siblings": tags.same_siblings(pages)[element],
        "siblings_above": tags.same_siblings(pages)[above],
        "blocks_in_element": blocks.end[element] - blocks.first[element],
    }
    for name, names in KINDS_OF_BLOCK:
        columns[f"is_{name}"] = pages.named(*names)[element]
    nearest = _around(blocks)
    depth = pages.depth[pages.element[blocks.start]]
    for tag, own in zip(AROUND, nearest, strict=False):
        columns[f"in_{tag}"] = np.where(own > 0, depth - pages.depth[own] + 1, 0)
    level = np.zeros(256)
    for place, tag in enumerate(HEADINGS):
        level[list(elements.numbered(frozenset((tag,))))] = place + 1
    columns["heading_level"] = level[number[nearest[len(AROUND)]]]
    return columns


def _around(blocks: Blocks) -> IntArray:
    """The nearest element of each tag of AROUND around each block, a row a tag; in the last row the nearest
    heading.
    """
    number = blocks.pages.number
    row = np.full(256, -1, dtype=np.int32)
    for place, tags_ in enumerate((*((tag,) for tag in AROUND), HEADINGS)):
        row[list(elements.numbered(frozenset(tags_)))] = place
    which = np.flatnonzero(row[number] >= 0).astype(np.int32)
    return blocks.innermost(row[number[which]], which, len(AROUND) + 1)


def meanings(blocks: Blocks) -> Numbers:
    """What the names of the enclosing elements usually mean: how many of each meaning, and how near the
    nearest is.
    """
    pages = blocks.pages
    element, group = hinted(pages)
    columns: dict[str, Column] = {"nearest_hint": nearest_hint(pages)[blocks.start]}
    share_inside = ratio(blocks.inside(blocks.chars), blocks.of_page(blocks.chars)[blocks.element_page])
    block_level = (
        pages.block_element[element] == element
    )  # a button that is not counts where a block lies in it
    nearest = blocks.innermost(group[block_level], element[block_level], len(NAME_MEANINGS))
    for number in set(group[~block_level].tolist()):
        own = np.zeros(len(pages.parent), dtype=bool)
        own[element[group == number]] = True
        nearest[number] = pages.nearest(own)[blocks.element]
    depth = pages.depth[blocks.element]
    for name, own in zip(NAME_MEANINGS, nearest, strict=True):
        columns[f"hint_{name}"] = np.where(own > 0, depth - pages.depth[own] + 1, 0)
        if name in SHARED_MEANINGS:
            columns[f"hint_share_{name}"] = np.where(own > 0, share_inside[own], -1.0)
    for part in (main_part, article_part, content_part):
        columns[part.__name__] = part(pages)[blocks.start]
    return columns


def containers(blocks: Blocks) -> Numbers:
    """The sections around the block: how large, how linked, how much of the page, and where in them the block
    stands; -1 without one.
    """
    chars, linked = blocks.inside(blocks.chars), blocks.inside(blocks.linked_chars)
    count = blocks.end - blocks.first
    ends = blocks.inside(blocks.kinds[Kind.FULL_STOP] + blocks.kinds[Kind.QUESTION])
    commas = blocks.inside(blocks.kinds[Kind.COMMA])
    long = blocks.inside(blocks.chars * ((blocks.chars >= LONG) & (blocks.linked_chars < blocks.chars / 2)))
    headings = blocks.inside(blocks.pages.named(*HEADINGS)[blocks.element])
    of_element = {
        "chars": chars,
        "share": ratio(chars, blocks.of_page(blocks.chars)[blocks.element_page]),
        "linked": ratio(linked, chars),
        "mean": ratio(chars, count),
        "blocks": count,
        "sentence_ends": ratio(ends, count),
        "commas": ratio(commas, chars),
        "long": ratio(long, chars),
        "headings": headings,
        "tag": blocks.pages.number,
    }
    known = np.stack([column.astype(np.float32) for column in of_element.values()], axis=1)
    known[0] = -1.0
    at = np.arange(len(blocks))
    columns: dict[str, Column] = {}
    before = running_sum(blocks.chars)
    for level, container in enumerate(blocks.containers, 1):
        here, first = container > 0, blocks.first[container]
        of_container = dict(zip(of_element, known[container].T, strict=True))
        tag = of_container.pop("tag")
        of_container["place"] = np.where(here, ratio(at - first, count[container]), -1.0)
        of_container["before"] = np.where(here, ratio(before[:-1] - before[first], chars[container]), -1.0)
        for name, column in (of_container | {"tag": tag}).items():
            columns[f"{name}_{level}"] = column
    return columns
