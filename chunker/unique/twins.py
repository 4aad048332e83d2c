"""Pages that are not to be compared with each other: the same article at two addresses, a print edition and
what it contains.

Two pages are twins when what they share and few others have is most of what one of them has. Yoshida and
Yamamoto 2009, section 4.2, lost a fifth of the content of one newspaper because 18 articles stood at two
addresses, and wished for this.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

import numpy as np

from ruiji.chunker.unique.near_index import Vectors, sums
from ruiji.chunker.unique.page_blocks import PageBlocks
from ruiji.features.arrays import BoolArray, FloatArray, IntArray, LongArray, long_ranges

# That may have a block for it to tell pages apart: as many as may have a usable sentence (Kang 2009, chapter
# 3)
MOST_PAGES = 10
PAIRS_AT_ONCE = 1 << 20  # of pages with a vector, so that memory stays bounded
RARE_SHARE = 0.2  # of the site's pages: the lower of the two shares in our measurement of exact blocks
RARE_PAGES = 2  # on a small site a block of two pages is rare all the same
# Share of the rare characters of the smaller page: the containment that makes an inclusion (Kang 2009,
# chapter 4)
COMMON = 0.5
# The same where a site has two pages only, and nothing tells their common menus from their common content
ALIKE = 0.9
LEAST_CHARS = 100  # rare characters of the smaller page; below that a heading or two would do


@dataclass(frozen=True, eq=False)
class Twins:
    """For each page those it is not compared with, from ``start[i]`` on; ``weight`` has the rare characters
    of each page.
    """

    start: IntArray
    pages: IntArray
    weight: FloatArray
    rare: BoolArray  # of each vector

    def of(self, page: int) -> IntArray:
        """The pages that a page is not compared with, in order."""
        return self.pages[self.start[page] : self.start[page + 1]]


def find_twins(
    pages: Sequence[PageBlocks],
    vectors: Vectors,
    site: IntArray,
    site_pages: IntArray,
    groups: Sequence[Hashable] | None = None,
    search: bool = True,
) -> Twins:
    """The twins among the pages; ``groups`` are those the caller knows of, ``search`` says whether to look
    for more.
    """
    rare = _rare(vectors, site, site_pages)
    chars = _chars(pages, vectors)
    owner = np.repeat(np.arange(len(pages), dtype=np.int32), np.diff(vectors.page_start))
    twins: list[IntArray] = [np.zeros(0, dtype=np.int32)] * len(pages)
    kept = rare[vectors.of_page]
    owner, columns = owner[kept], vectors.of_page[kept]
    weight = sums(owner, chars[columns], len(pages))
    if search and len(pages):
        row, column, data = _alike(owner, columns, chars, weight, site, site_pages)
        chosen = compared_less(row, data, weight[row], site[row] == site[column], site_pages[site[row]])
        row, column = row[chosen], column[chosen].astype(np.int32)
        ends = np.sort(row).searchsorted(np.arange(1, len(pages)))
        twins = np.split(column[np.argsort(row, kind="stable")], ends)
        _join(twins, [page.digest for page in pages])
    if groups is not None:
        _join(twins, groups)
    start = np.cumsum([0, *map(len, twins)], dtype=np.int32)
    nothing = np.zeros(0, dtype=np.int32)
    return Twins(start, np.concatenate([nothing, *(np.sort(own) for own in twins)]), weight, rare)


def twins_of(
    page: PageBlocks, vectors: Vectors, twins: Twins, site: IntArray, own_site: int, pages_of_site: int
) -> IntArray:
    """The pages of the collection that a new page is not compared with."""
    key, first = np.unique(page.vector, return_index=True)
    chars = page.block_chars()[first].astype(np.float64)
    at = np.minimum(vectors.key.searchsorted(key), max(len(vectors) - 1, 0))
    known = vectors.key[at] == key if len(vectors) else np.zeros(len(key), dtype=np.bool_)
    rare = ~known
    rare[known] = twins.rare[at[known]]
    weight = float(chars[rare].sum())
    start, pages = vectors.pages_of
    shared = np.zeros(len(site))
    for vector, size in zip(at[rare & known].tolist(), chars[rare & known].tolist(), strict=True):
        shared[pages[start[vector] : start[vector + 1]]] += size
    others = np.flatnonzero(shared)
    weights = np.full(len(others), weight)
    same = site[others] == own_site
    chosen = are_twins(shared[others], weights, twins.weight[others], same & (pages_of_site == 1))
    others = others[chosen]
    counts = np.full(len(others), pages_of_site + 1)
    chosen = compared_less(
        np.zeros(len(others), dtype=np.int32),
        shared[others],
        weights[: len(others)],
        site[others] == own_site,
        counts,
    )
    return others[chosen].astype(np.int32)


def _alike(
    owner: IntArray,
    vectors: IntArray,
    chars: FloatArray,
    weight: FloatArray,
    site: IntArray,
    site_pages: IntArray,
) -> tuple[LongArray, LongArray, FloatArray]:
    """The pairs of pages that are twins by what they share, both ways, and the characters that they share.
    ``owner`` has the page of each of the rare ``vectors``, in order.

    Few pages have a rare vector, so those of some pages at a time say all about their pairs.
    """
    pages, times = len(site), np.bincount(vectors, minlength=len(chars))
    having = owner[vectors.argsort(kind="stable")].astype(np.int64)
    first = np.cumsum(times) - times  # of each vector's pages
    found = [(np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64), np.zeros(0))]
    done = np.append(0, np.cumsum(times[vectors]))  # pairs up to each entry
    borders = owner.searchsorted(np.arange(pages + 1))
    start = 0
    while start < pages:
        enough = int(done[borders].searchsorted(done[borders[start]] + PAIRS_AT_ONCE, side="right")) - 1
        end = min(max(enough, start + 1), pages)
        own = slice(borders[start], borders[end])
        again = times[vectors[own]]
        row = np.repeat(owner[own].astype(np.int64), again)
        pair, place = np.unique(
            row * pages + having[long_ranges(first[vectors[own]], again)], return_inverse=True
        )
        shared = sums(place, np.repeat(chars[vectors[own]], again), len(pair))
        row, column = pair // pages, pair % pages
        alone_together = (site[row] == site[column]) & (site_pages[site[row]] == 2)
        chosen = (row != column) & are_twins(shared, weight[row], weight[column], alone_together)
        found.append((row[chosen], column[chosen], shared[chosen]))
        start = end
    rows, columns, together = (np.concatenate(part) for part in zip(*found, strict=True))
    return rows, columns, together


def are_twins(
    shared: FloatArray, weight: FloatArray, other: FloatArray, alone_together: BoolArray
) -> BoolArray:
    """Whether pairs of pages with so many rare characters, and so many of them in common, are twins."""
    smaller, larger = np.minimum(weight, other), np.maximum(weight, other)
    enough = np.where(alone_together, ALIKE * larger, COMMON * smaller)
    are_alike: BoolArray = (smaller >= LEAST_CHARS) & (shared >= enough)
    return are_alike


def compared_less(
    page: IntArray | LongArray,
    shared: FloatArray,
    weight: FloatArray,
    same_site: BoolArray,
    site_pages: IntArray,
) -> BoolArray:
    """Which of the twins a page is really not compared with.

    A page that contains half of its site, such as a print edition, would have nothing left to be compared
    with; of its twins only those count that have most of what it has.
    """
    if not len(page):
        return np.zeros(0, dtype=np.bool_)
    left_out = np.bincount(page, weights=same_site)[page]
    left_out_pairs: BoolArray = (2 * left_out < site_pages - 1) | (shared >= COMMON * weight)
    return left_out_pairs


def _rare(vectors: Vectors, site: IntArray, site_pages: IntArray) -> BoolArray:
    """Which vectors few pages have: of every site that has them."""
    owner = np.repeat(site, np.diff(vectors.page_start)).astype(np.int64)
    sites = max(len(site_pages), 1)
    pairs, counts = np.unique(vectors.of_page.astype(np.int64) * sites + owner, return_counts=True)
    limit = np.maximum(RARE_PAGES, RARE_SHARE * site_pages)[pairs % sites]
    rare = np.bincount(vectors.of_page, minlength=len(vectors)) <= MOST_PAGES
    rare[(pairs // sites)[counts > limit]] = False
    return rare


def _chars(pages: Sequence[PageBlocks], vectors: Vectors) -> FloatArray:
    """The characters of each vector's block."""
    chars = np.zeros(len(vectors))
    for page in pages:
        chars[vectors.key.searchsorted(page.vector)] = page.block_chars()
    return chars


def _join(twins: list[IntArray], groups: Sequence[Hashable]) -> None:
    """Makes twins of the pages of each group; by arrays, since a thousand equal pages are a million pairs."""
    members: dict[Hashable, list[int]] = {}
    for page, group in enumerate(groups):
        members.setdefault(group, []).append(page)
    for own in members.values():
        if len(own) > 1:
            equal = np.array(own, dtype=np.int32)
            for page in own:
                joined = np.union1d(twins[page], equal)
                twins[page] = joined[joined != page]
