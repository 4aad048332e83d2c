"""Places: where on the pages of a site something stands, and which places are part of the template.

A place is the path of tags from the root, each with those of its class names and ids that many pages of the
site have: names of single pages or articles do not tell places apart.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ruiji.chunker.unique.keys import key_of, mixed, mixed_keys
from ruiji.chunker.unique.near_index import sums
from ruiji.chunker.unique.page_blocks import PageBlocks
from ruiji.features.arrays import FloatArray, IntArray, KeyArray

NAME_SHARE = 0.2  # of the site's pages that have a name for it to tell places apart; our measurement
NAME_PAGES = 2
# Of the site's pages that have a place for it to be judged; our measurement: 0.3 takes tables of manuals too
PLACE_SHARE = 0.5
PLACE_PAGES = 2
LINKS_SHARE = 0.05  # the same for a list of nothing but links, such as the contents of a chapter
LIST_BLOCKS = 4  # blocks that such a list has on the average; our measurement: 3 to 6 alike
# Share of what is neither link nor repetition, with the list, from which on the page is there for the list
PURPOSE = 0.5
# Share of links and repetition that makes a place part of the template; our measurement: 0.8 to 0.9 alike
FILL = 0.8
MOST = 0.8  # share of the pages with the place on which that must be so; our measurement
# Share of links and repetition from which on the page's own title beside them is the end of a path to the
# page
AROUND_TITLE = 0.25

# Kinds of places: too few pages have it to say; anything may stand in it; a list of links, which may be what
# a page is for; a part of the template.
UNKNOWN, OPEN, LIST, TEMPLATE = range(4)
KindArray = npt.NDArray[np.int8]

# What a key tells of: a text at its place, a text anywhere, a block at its place, a block anywhere.
_HERE, _ANYWHERE, _PLACED, _BLOCK, _WORD, _PLACE, _NAME, _DIRECT = range(1, 9)
NAMELESS = 0  # the name of an element that has none


@dataclass(frozen=True, slots=True, eq=False)
class PageKeys:
    """The keys of a page within its site: of its elements (their places, and their names wherever they
    stand), nodes and blocks.
    """

    element: KeyArray
    name: KeyArray
    direct: KeyArray  # of elements, for the text directly in them beside other elements
    here: KeyArray
    counted: KeyArray  # the same as ``here``, whatever is counted in the text
    anywhere: KeyArray
    placed: KeyArray
    block: KeyArray

    def all(self) -> KeyArray:
        """What the page has."""
        return np.concatenate(
            (self.here, self.counted[self.counted != self.here], self.anywhere, self.placed, self.block)
        )


def common_words(pages: Sequence[PageBlocks], site_pages: IntArray) -> KeyArray:
    """The names, each with its tag and site, that enough pages of the site have; ``site_pages`` are those of
    each page's site.
    """
    if not pages:
        return np.zeros(0, dtype=np.uint64)
    own = [np.unique(_words(page)) for page in pages]
    words, first, counts = np.unique(np.concatenate(own), return_index=True, return_counts=True)
    needed = np.maximum(NAME_PAGES, NAME_SHARE * np.repeat(site_pages, [len(keys) for keys in own])[first])
    common: KeyArray = words[counts >= needed]
    return common


def page_keys(page: PageBlocks, words: KeyArray, dates: bool) -> PageKeys:
    """The keys of a page; with ``dates`` a text counts as the same whatever dates, or dates and counts, are
    in it.
    """
    site = key_of(page.host)
    place, name = _places(page, words)
    text, counted = (page.masked, page.counted) if dates else (page.text, page.text)
    of_block = place[page.element]
    return PageKeys(
        mixed_keys(mixed(site, _PLACE), place),
        np.where(name == NAMELESS, np.uint64(NAMELESS), mixed_keys(mixed(site, _NAME), name)),
        mixed_keys(mixed(site, _DIRECT), place),
        mixed_keys(mixed(site, _HERE), mixed_keys(of_block[page.block], text)),
        mixed_keys(mixed(site, _HERE), mixed_keys(of_block[page.block], counted)),
        mixed_keys(mixed(site, _ANYWHERE), text),
        mixed_keys(mixed(site, _PLACED), mixed_keys(of_block, page.vector)),
        mixed_keys(mixed(site, _BLOCK), page.vector),
    )


def _words(page: PageBlocks) -> KeyArray:
    return mixed_keys(mixed(key_of(page.host), _WORD), page.word)


def _places(page: PageBlocks, words: KeyArray) -> tuple[KeyArray, KeyArray]:
    """The place of each element, and the name of each that has one."""
    own = page.tag.copy()
    keys = _words(page)
    if len(words) and len(keys):
        common = words[np.minimum(words.searchsorted(keys), len(words) - 1)] == keys
        np.add.at(own, page.word_element[common], page.word[common])
    places: list[int] = []
    for parent, key in zip(page.parent.tolist(), own.tolist(), strict=True):
        places.append(mixed(places[parent] if parent >= 0 else 0, key))
    return np.array(places, dtype=np.uint64), np.where(own == page.tag, np.uint64(NAMELESS), own)


@dataclass(frozen=True, slots=True, eq=False)
class PlaceFilling:
    """What fills the places of a page: its site, its keys, and of each node the characters that are links or
    that other pages have; ``recurring`` are also those that stand again at their place in the page."""

    site: int
    keys: PageKeys
    page: PageBlocks
    filling: IntArray
    recurring: IntArray


@dataclass(frozen=True, slots=True, eq=False)
class Places:
    """The places and names of the sites: what kind each is, and how full of links and repetition."""

    key: KeyArray
    kind: KindArray
    fill: FloatArray

    def by_place(self, keys: PageKeys) -> tuple[KindArray, FloatArray]:
        """Of each element of a page what kind of place it is, and how full."""
        return self._of(keys.element)

    def beside_elements(self, keys: PageKeys) -> tuple[KindArray, FloatArray]:
        """The same of the text that stands directly in each element, beside the elements in it."""
        return self._of(keys.direct)

    def by_name(self, keys: PageKeys) -> tuple[KindArray, FloatArray]:
        """The same, where too few pages have the place, by name: what stands elsewhere on one page is still
        called the same.
        """
        kind, fill = self._of(keys.element)
        named, fill_named = self._of(keys.name)
        other = (kind == UNKNOWN) & (named > OPEN)
        return np.where(other, named, kind), np.where(other, fill_named, fill)

    def _of(self, keys: KeyArray) -> tuple[KindArray, FloatArray]:
        if not len(self.key):
            return np.full(len(keys), UNKNOWN, dtype=np.int8), np.zeros(len(keys))
        at = np.minimum(self.key.searchsorted(keys), len(self.key) - 1)
        known = self.key[at] == keys
        return np.where(known, self.kind[at], UNKNOWN).astype(np.int8), np.where(known, self.fill[at], 0.0)


def learn_places(pages: Iterable[PlaceFilling], site_pages: IntArray) -> Places:
    """What the places of the sites hold."""
    rows = [_filled(page) for page in pages]
    if not rows:
        return Places(np.zeros(0, dtype=np.uint64), np.zeros(0, dtype=np.int8), np.zeros(0))
    sites = np.concatenate([np.full(len(row.key), row.site) for row in rows])
    keys, whole, part, links, blocks, contents, times = (
        np.concatenate([getattr(row, name) for row in rows])
        for name in ("key", "whole", "part", "links", "blocks", "contents", "times")
    )
    rest = np.concatenate([np.full(len(row.key), row.rest) for row in rows])
    key, first, inverse, pages_with = np.unique(
        keys, return_index=True, return_inverse=True, return_counts=True
    )
    size = len(key)
    total = np.maximum(sums(inverse, whole, size), 1)
    fill = sums(inverse, part, size) / total
    # What holds most of what is neither link nor repetition holds the content, however much else it holds.
    beside = sums(inverse, (whole - part <= PURPOSE * rest) & (rest > 0), size) >= MOST * pages_with
    of_site = site_pages[sites[first]]
    judged = pages_with >= np.maximum(PLACE_PAGES, PLACE_SHARE * of_site)
    full = beside & (sums(inverse, part >= FILL * whole, size) >= MOST * pages_with) & (fill >= FILL)
    linked = (sums(inverse, links >= FILL * whole, size) >= MOST * pages_with) & (
        sums(inverse, links, size) >= FILL * total
    )
    few = pages_with >= np.maximum(PLACE_PAGES, LINKS_SHARE * of_site)
    lists = beside & linked & (sums(inverse, blocks, size) >= LIST_BLOCKS * sums(inverse, times, size))
    # A page may be there for its list of links, such as the first page of a part; a table of contents says
    # that it is one.
    purpose = sums(inverse, whole >= PURPOSE * (whole + rest), size) >= PURPOSE * pages_with
    lists &= (few & ~purpose) | (sums(inverse, contents > 0, size) >= PURPOSE * pages_with)
    kind = np.select([judged & full, lists, judged], [TEMPLATE, LIST, OPEN], UNKNOWN)
    return Places(key, kind.astype(np.int8), fill)


@dataclass(frozen=True, slots=True, eq=False)
class _Filled:
    """For each place and name of a page its key, characters, those that are links or repeat, those that are
    links, blocks, texts that announce contents, and elements; ``rest`` are the characters of the page that
    neither are links nor repeat."""

    site: int
    rest: float
    key: KeyArray
    whole: FloatArray
    part: FloatArray
    links: FloatArray
    blocks: FloatArray
    contents: FloatArray
    times: FloatArray


def _filled(place: PlaceFilling) -> _Filled:
    page = place.page
    element = page.element[page.block]
    size = len(page.parent)
    of_nodes = (
        page.chars,
        place.recurring,
        page.chars * page.linked,
        page.chars * page.titled * (place.recurring == 0),
        page.contents,
    )
    tallies = np.stack(
        [*(sums(element, column, size) for column in of_nodes), sums(page.element, np.ones(len(page)), size)],
        axis=1,
    )
    rows = tallies.tolist()
    tallies[:, 1] = tallies[:, 2]  # beside elements only links count: labels and names among content repeat
    mixed_content = np.flatnonzero((tallies[:, 0] > 0) & np.isin(np.arange(size), page.parent))
    for number in range(size - 1, 0, -1):
        parent = int(page.parent[number])
        if parent >= 0:
            rows[parent] = [above + own for above, own in zip(rows[parent], rows[number], strict=True)]
    named = np.flatnonzero(place.keys.name != NAMELESS)
    inside = np.array(rows).reshape(tallies.shape)
    whole, part, links, titled, contents, blocks = np.concatenate(
        (inside, inside[named], tallies[mixed_content])
    ).T
    part = part + np.where(part >= AROUND_TITLE * whole, titled, 0)
    links = links + np.where(links >= AROUND_TITLE * whole, titled, 0)
    keys = np.concatenate((place.keys.element, place.keys.name[named], place.keys.direct[mixed_content]))
    key, inverse = np.unique(keys, return_inverse=True)
    columns = (whole, part, links, blocks, contents, np.ones(len(keys)))
    rest = float((page.chars - place.filling).sum())
    return _Filled(place.site, rest, key, *(sums(inverse, column, len(key)) for column in columns))
