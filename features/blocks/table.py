"""The blocks of several pages as columns: what a person sees as one paragraph, entry or cell is one row.

A block is what stands between two borders of block-level elements. Inline markup cuts a paragraph into many
text nodes that are content or not together (on WCXB 583 of 441,000 blocks are mixed), so the classifier under
the CRF looks at blocks: a third fewer rows, and each with all of its text.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ruiji.features.arrays import (
    BoolArray,
    Column,
    FloatArray,
    IntArray,
    KeyArray,
    LongArray,
    running_sum,
    sums_between,
)
from ruiji.features.nodes.forest import Forest
from ruiji.features.nodes.structure import SECTIONS
from ruiji.features.text.kinds import Kind

LEVELS = 5  # containers looked at around a block
FAR = 999.0  # blocks: the distance to what is not there
LONG = 80  # characters: a paragraph, not a menu entry
PATH_STEPS = 6  # block-level elements above a block that make up its kind of place
HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")

Numbers = Mapping[str, Column]  # named columns, a value a block


@dataclass(frozen=True, eq=False)
class Blocks:
    """The blocks of a forest; what several numbers share is computed once."""

    pages: Forest

    def __len__(self) -> int:
        return len(self.pages.block_start) - 1

    @cached_property
    def start(self) -> IntArray:
        """The first node of each block."""
        return self.pages.block_start[:-1]

    @cached_property
    def page(self) -> IntArray:
        return self.pages.page[self.start]

    @cached_property
    def page_start(self) -> IntArray:
        """The first block of each page, and one more."""
        return self.pages.block_start.searchsorted(self.pages.page_start).astype(np.int32)

    def sums(self, column: Column) -> FloatArray:
        """The sum of a column of nodes over each block."""
        return sums_between(column, self.pages.block_start[:-1], self.pages.block_start[1:])

    @cached_property
    def node_chars(self) -> IntArray:
        """The size of each node in characters; one of a script whose letters are syllables or words counts
        twice.

        So sizes mean the same in Japanese and in English: trees that could tell the language would learn what
        the few annotated Japanese sites have in common.
        """
        dense = self.pages.characters.counts[:, Kind.HIRAGANA : Kind.HANGUL + 1].sum(axis=1)
        sizes: IntArray = self.pages.lengths + dense
        return sizes

    @cached_property
    def chars(self) -> FloatArray:
        return self.sums(self.node_chars)

    @cached_property
    def linked_chars(self) -> FloatArray:
        return self.sums(self.node_chars * self.pages.linked)

    @cached_property
    def kinds(self) -> FloatArray:
        """How many characters of each kind each block has: a row a kind."""
        counts = self.pages.characters.counts
        total = np.concatenate((np.zeros((1, counts.shape[1])), np.cumsum(counts, axis=0, dtype=np.float64)))
        return (total[self.pages.block_start[1:]] - total[self.pages.block_start[:-1]]).T

    @cached_property
    def element(self) -> IntArray:
        """The nearest block-level element around each block."""
        return self.pages.block_element[self.pages.element[self.start]]

    @cached_property
    def _begun(self) -> IntArray:
        """How many blocks begin before each node, and one more: all."""
        return np.concatenate(([0], self.pages.block + 1)).astype(np.int32)

    @cached_property
    def first(self) -> IntArray:
        """For each element the first block that begins inside it."""
        return self._begun[self.pages.first]

    @cached_property
    def end(self) -> IntArray:
        """For each element the block after the last one that begins inside it."""
        return np.maximum(self._begun[self.pages.end], self.first)

    def inside(self, column: Column) -> FloatArray:
        """For each element the sum of a column of blocks over the blocks inside it."""
        return sums_between(column, self.first, self.end)

    def of_page(self, column: Column) -> FloatArray:
        """For each page the sum of a column of blocks."""
        return sums_between(column, self.page_start[:-1], self.page_start[1:])

    @cached_property
    def element_page(self) -> IntArray:
        """The page of each element; 0 for none."""
        starts = self.pages.element_start
        return np.concatenate(([0], np.repeat(np.arange(len(starts) - 1, dtype=np.int32), np.diff(starts))))

    @cached_property
    def containers(self) -> tuple[IntArray, ...]:
        """For each block the section-like elements around it that hold more than it, innermost first; 0 for
        none.
        """
        pages = self.pages
        of_kind = pages.named(*SECTIONS)
        # Of elements with the same blocks the innermost of a chain is as good as any: an element counts if
        # its parent holds more.
        same = (self.first[pages.parent] == self.first) & (self.end[pages.parent] == self.end)
        nearest = pages.nearest(of_kind & ~(same & of_kind[pages.parent]) & (self.end - self.first > 1))
        levels = [nearest[pages.element[self.start]]]
        for _ in range(LEVELS - 1):
            levels.append(nearest[pages.parent[levels[-1]]])
        return tuple(levels)

    def innermost(self, kind: IntArray, element: IntArray, kinds: int) -> IntArray:
        """For each kind (a row) and each block the innermost element of that kind around the block's first
        node; 0 for none.

        Elements come with their kinds, in any order. All kinds at once, and only elements of a kind are
        looked at: an element adds to its blocks what it has beyond the one around it, so that a running sum
        gives the innermost.
        """
        some = self.end[element] > self.first[element]
        own = np.unique(kind[some].astype(np.int64) * len(self.first) + element[some])
        kind, element = np.divmod(own, len(self.first))
        width = len(self) + 1
        first, end = kind * width + self.first[element], kind * width + self.end[element]
        # Elements that begin before this one and do not end before it are around it: trees do not cross.
        level = np.arange(len(own)) - np.sort(end).searchsorted(first, side="right")
        by_level = level * len(own) + np.arange(len(own))
        order = by_level.argsort()
        around = order[by_level[order].searchsorted(by_level - len(own)) - 1]
        beyond = np.where(level > 0, element - element[around], element)
        steps = np.zeros(kinds * width, dtype=np.int32)
        np.add.at(steps, first, beyond.astype(np.int32))
        np.subtract.at(steps, end, beyond.astype(np.int32))
        return np.cumsum(steps, out=steps).reshape(kinds, width)[:, :-1]

    @cached_property
    def place_kinds(self) -> Mapping[str, LongArray]:
        """Which blocks of a page stand in the same kind of place, as a number each: by the path of tags, and
        by the path and what the nearest named element is called.
        """
        pages = self.pages
        path = pages.number[self.element].astype(np.uint64)
        above = self.element
        for _ in range(PATH_STEPS):
            above = pages.block_element[pages.parent[above]]
            path = path * np.uint64(257) + pages.number[above]
        keys = {"path": path, "called": path * np.uint64(1_000_003) + self._name_keys[self.element]}
        page = self.page.astype(np.uint64)
        return {
            name: np.unique(key * np.uint64(65_599) + page, return_inverse=True)[1]
            for name, key in keys.items()
        }

    @cached_property
    def _name_keys(self) -> KeyArray:
        """For each element a number for what the nearest named element around it is called."""
        named, _ = self.pages.names
        kind, _ = self.pages.name_kinds
        keys = np.zeros(len(self.pages.parent), dtype=np.uint64)
        keys[named] = kind + 1
        return keys[self.pages.nearest(keys > 0)]

    def shifted(self, column: Column, offset: int, outside: float = -1.0) -> FloatArray:
        """The value of the neighbour at an offset in the same page."""
        neighbour = np.full(len(column), outside)
        if offset > 0:
            neighbour[:-offset] = np.where(
                self.page[offset:] == self.page[:-offset], column[offset:], outside
            )
        else:
            neighbour[-offset:] = np.where(
                self.page[-offset:] == self.page[:offset], column[:offset], outside
            )
        return neighbour

    def before(self, column: Column) -> FloatArray:
        """The sum of a column over the blocks of the page before each."""
        total = running_sum(column)
        sums: FloatArray = total[:-1] - total[self.page_start[:-1]][self.page]
        return sums

    def window(self, column: Column, reach: int) -> FloatArray:
        """The sum of a column over the blocks at most so many away, in the same page."""
        total = running_sum(column)
        at = np.arange(len(self))
        low = np.maximum(at - reach, self.page_start[:-1][self.page])
        high = np.minimum(at + reach + 1, self.page_start[1:][self.page])
        sums: FloatArray = total[high] - total[low]
        return sums

    def distance(self, which: BoolArray, back: bool) -> FloatArray:
        """How many blocks back (or ahead) the nearest of ``which`` stands in the same page; FAR without
        one.
        """
        at = np.arange(len(self))
        marked = np.flatnonzero(which)
        if not len(marked):
            return np.full(len(self), FAR)
        if back:
            place = which.cumsum() - 1
            gap = np.where(place >= 0, at - marked[np.maximum(place, 0)], len(self))
            limit = at - self.page_start[:-1][self.page]
        else:
            place = which.cumsum() - which
            gap = np.where(place < len(marked), marked[np.minimum(place, len(marked) - 1)] - at, len(self))
            limit = self.page_start[1:][self.page] - 1 - at
        return np.where(gap <= limit, np.minimum(gap, FAR), FAR)


def ratio(part: Column, whole: Column) -> FloatArray:
    """How much of the whole each part is."""
    share: FloatArray = part / np.maximum(whole, 1e-9)
    return share
