"""Which pages of a site are the same one at several addresses: versions for printing, mirrors, addresses with
the number of a visit.

What copies share is the article. Where they counted as pages of their own, it would be repeated text, and go.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ruiji.features.arrays import BoolArray, IntArray, KeyArray
from ruiji.features.nodes.forest import NOWHERE, Forest

LONGEST = 32  # texts of a page that stand for it; menus and lists of other pages are links, and do not
# The share of the characters of both that copies have in common, and how many characters that is at least: on
# 72 sites 0.7 and 0.8 find the same copies but for one page, 0.5 takes pages of short entries for copies too
ALIKE, LEAST_CHARS = 0.7, 200

Lengths = npt.NDArray[np.int32]


@dataclass(frozen=True, slots=True, eq=False)
class LongTexts:
    """The longest texts of pages, one row for each page: their sorted numbers, and how long they are; 0 where
    a page has fewer.
    """

    key: KeyArray
    length: Lengths

    def __len__(self) -> int:
        """How many pages there are."""
        return len(self.key)

    def __getitem__(self, which: slice) -> LongTexts:
        """Those of some of the pages."""
        return LongTexts(self.key[which], self.length[which])

    def copies(self, page: LongTexts) -> BoolArray:
        """Which pages are copies of a given one."""
        own = page.key[0]
        at = np.minimum(own.searchsorted(self.key), LONGEST - 1)
        shared = (self.length * (own[at] == self.key)).sum(axis=1)
        whole = self.length.sum(axis=1) + page.length.sum() - shared
        which: BoolArray = (shared >= LEAST_CHARS) & (shared >= ALIKE * whole)
        return which


def joined(rows: list[LongTexts]) -> LongTexts:
    """The rows of several as those of one."""
    nothing = LongTexts(np.zeros((0, LONGEST), dtype=np.uint64), np.zeros((0, LONGEST), dtype=np.int32))
    return LongTexts(
        np.concatenate([nothing.key, *(row.key for row in rows)]),
        np.concatenate([nothing.length, *(row.length for row in rows)]),
    )


def different(keys: KeyArray) -> KeyArray:
    """The keys, each once, in order: as ``np.unique``, whose first call imports masked arrays for nothing,
    which takes as long as twenty pages.
    """
    ordered = np.sort(keys)
    first = np.ones(len(ordered), dtype=bool)
    first[1:] = ordered[1:] != ordered[:-1]
    return ordered[first]


def in_links(pages: Forest) -> BoolArray:
    """Which nodes stand in links."""
    inside: BoolArray = pages.nearest(pages.named("a"))[pages.element] != NOWHERE
    return inside


def long_texts(keys: KeyArray, lengths: IntArray) -> LongTexts:
    """The longest of the different texts of a page, equally long ones by their numbers."""
    own, first = np.unique(keys, return_index=True)
    longest = np.sort(np.argsort(-lengths[first], kind="stable")[:LONGEST])
    row = LongTexts(np.zeros((1, LONGEST), dtype=np.uint64), np.zeros((1, LONGEST), dtype=np.int32))
    row.key[0, LONGEST - len(longest) :] = own[longest]
    row.length[0, LONGEST - len(longest) :] = lengths[first][longest]
    return row
