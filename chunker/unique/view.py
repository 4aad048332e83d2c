"""A page as the collection sees it: which of its blocks the pages that it is compared with have."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ruiji.chunker.unique.keys import MOST_CHARS
from ruiji.chunker.unique.page_blocks import PageBlocks
from ruiji.chunker.unique.template import (
    OPEN,
    KindArray,
    PageKeys,
    PlaceFilling,
)
from ruiji.features.arrays import BoolArray, FloatArray, IntArray, KeyArray


@dataclass(frozen=True, slots=True, eq=False)
class PageView:
    """A page as the collection sees it; ``share`` is that of the pages it is compared with which have each
    block.
    """

    blocks: PageBlocks
    keys: PageKeys
    place: PlaceFilling
    share: FloatArray
    byline: BoolArray
    twins: IntArray
    left_out: IntArray  # the twins and the page itself
    compared: int


PlaceKinds = tuple[KindArray, FloatArray]


def inherited_kinds(page: PageBlocks, of_element: PlaceKinds, direct: PlaceKinds) -> PlaceKinds:
    """Kind and fill of the place of each block, which is also that of the places around it."""
    kind, fill = (column.tolist() for column in of_element)
    for element, above in enumerate(page.parent.tolist()):
        if above >= 0 and kind[above] > OPEN:
            fill[element] = max(fill[element], fill[above]) if kind[element] > OPEN else fill[above]
            kind[element] = max(kind[element], kind[above])
    # A heading stands alone in its place, and manuals repeat headings: only the place around it counts.
    place = np.where(page.heading & (page.parent[page.element] >= 0), page.parent[page.element], page.element)
    kinds, fills = np.array(kind, dtype=np.int8)[place], np.array(fill)[place]
    beside = ~page.heading & (kinds <= OPEN) & (direct[0][page.element] > OPEN)
    return np.where(beside, direct[0][page.element], kinds), np.where(beside, direct[1][page.element], fills)


def share_of_most(page: PageBlocks, here: FloatArray) -> FloatArray:
    """For each block the share of pages that have its texts at the same place: the highest that most of its
    characters reach.

    This is what a cosine is for, without comparing blocks: a counter or a name in a line of the template does
    not make it content.
    """
    order = np.lexsort((-here, page.block))
    owner, chars = page.block[order], page.chars[order].astype(np.float64)
    total = page.block_chars().astype(np.float64)
    reached = np.cumsum(chars) - (np.cumsum(total) - total)[owner]
    enough = np.flatnonzero(reached >= MOST_CHARS * total[owner])
    share = np.zeros(len(page))
    blocks, first = np.unique(owner[enough], return_index=True)
    share[blocks] = here[order][enough[first]]
    return share


def repeated_keys(keys: KeyArray) -> BoolArray:
    """Which keys come more than once."""
    _, kind, times = np.unique(keys, return_inverse=True, return_counts=True)
    is_repeated: BoolArray = times[kind] > 1
    return is_repeated
