"""What stands around a block: repeated blocks that stay because content stands beside them."""

from __future__ import annotations

import numpy as np

from ruiji.chunker.unique.near_index import sums
from ruiji.chunker.unique.page_blocks import PageBlocks, tag_key
from ruiji.features.arrays import BoolArray, KeyArray

BODY = np.uint64(tag_key("body"))
LABELS = np.array(
    [tag_key(tag) for tag in ("th", "dt", "caption", "legend", "summary")], dtype=np.uint64
)  # by what HTML says of them
RECURRING = 3  # times that a place of the template must stand between content on one page to be part of it
LINKED = 0.5  # share of links inside the site that makes a block a link
# Share of content among the characters beside a repeated block that keeps it; our measurement, flat up to 0.7
SURROUNDED = 0.5


def surrounded(page: PageBlocks, content: BoolArray) -> BoolArray:
    """Which blocks stand in an element below the body of which at least half is content."""
    chars = page.block_chars().astype(np.float64)
    above = page.parent[page.element]
    whole, good = np.zeros(len(page.parent)), np.zeros(len(page.parent))
    np.add.at(whole, page.element, chars)
    np.add.at(good, page.element, chars * content)
    total, kept = whole.tolist(), good.tolist()
    parent = page.parent.tolist()
    for element in range(len(parent) - 1, 0, -1):
        if parent[element] >= 0:
            total[parent[element]] += total[element]
            kept[parent[element]] += kept[element]
    own = np.array(total)[above]
    is_surrounded: BoolArray = (
        (above >= 0) & (page.tag[above] != BODY) & (np.array(kept)[above] >= SURROUNDED * own)
    )
    return is_surrounded


def between(page: PageBlocks, place: KeyArray, content: BoolArray) -> BoolArray:
    """Which repeated blocks stand between content and belong to it, however many pages have them.

    A heading does when what it heads is content and it is not the first thing on the page. Something else,
    such as the labels of a table or of a note, does when its place comes back before content again and again,
    unless it is a link.
    """
    belongs = np.zeros(len(page), dtype=np.bool_)
    kept = np.flatnonzero(content)
    if not len(kept):
        return belongs
    number = np.arange(len(page))
    inner = ~content & (number > kept[0]) & (number < kept[-1])
    heads = inner & page.heading
    following = np.append(content[1:], False)
    for block in np.flatnonzero(heads)[::-1].tolist():
        belongs[block] = following[block] or (heads[block + 1] and belongs[block + 1])
    whole = np.maximum(page.block_chars(), 1)
    linked = sums(page.block, page.chars * page.linked, len(page)) >= LINKED * whole
    run = np.cumsum(content | belongs)  # the blocks between two of content have one number
    own = place[page.element]
    others = np.flatnonzero(inner & ~belongs & ~linked & _before(page, content | belongs))
    if len(others):
        pairs = np.unique(np.stack((own[others], run[others].astype(np.uint64)), axis=1), axis=0)
        places, times = np.unique(pairs[:, 0], return_counts=True)
        belongs[others] |= np.isin(own[others], places[times >= RECURRING])
    return belongs


def _before(page: PageBlocks, content: BoolArray) -> BoolArray:
    """Which blocks are labels, or have content behind them in the element around their own; a signature below
    a post has not.
    """
    size = len(page.parent)
    last = np.full(size, -1)
    np.maximum.at(last, page.element[content], np.flatnonzero(content))
    last_content, parent = last.tolist(), page.parent.tolist()
    for element in range(size - 1, 0, -1):
        above = parent[element]
        if above >= 0 and last_content[above] < last_content[element]:
            last_content[above] = last_content[element]
    around = page.parent[page.element]
    behind = (around >= 0) & (np.array(last_content)[around] > np.arange(len(page)))
    labels: BoolArray = behind | np.isin(page.tag[page.element], LABELS)
    return labels
