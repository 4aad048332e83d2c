"""Places: where on the pages of a site something stands, and which places are part of the template.

A place is the path of tags from the root, each with those of its class names and ids that many pages of the site have: names of single
pages or articles do not tell places apart.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from chunker.repetition import FloatArray, sums
from chunker.vectors import BoolArray, IntArray, KeyArray, PageBlocks, key_of, mixed, mixed_keys

NAME_SHARE = 0.2  # of the site's pages that have a name for it to tell places apart; our measurement
NAME_PAGES = 2
PLACE_SHARE = 0.5  # of the site's pages that have a place for it to be judged; our measurement: 0.3 takes tables of manuals too
PLACE_PAGES = 2
FILL = 0.8  # share of links and repetition that makes a place part of the template; our measurement: 0.8 to 0.9 alike
MOST = 0.8  # share of the pages with the place on which that must be so; our measurement

# What a key tells of: a text at its place, a text anywhere, a block at its place, a block anywhere.
_HERE, _ANYWHERE, _PLACED, _BLOCK, _WORD, _PLACE = range(1, 7)


@dataclass(frozen=True, slots=True, eq=False)
class PageKeys:
    """The keys of a page within its site: of its elements (their places), nodes and blocks."""

    element: KeyArray
    here: KeyArray
    anywhere: KeyArray
    placed: KeyArray
    block: KeyArray

    def all(self) -> KeyArray:
        """What the page has."""
        return np.concatenate((self.here, self.anywhere, self.placed, self.block))


def common_words(pages: Sequence[PageBlocks], site_pages: IntArray) -> KeyArray:
    """The names, each with its tag and site, that enough pages of the site have; ``site_pages`` are those of each page's site."""
    if not pages:
        return np.zeros(0, dtype=np.uint64)
    own = [np.unique(_words(page)) for page in pages]
    words, first, counts = np.unique(np.concatenate(own), return_index=True, return_counts=True)
    needed = np.maximum(NAME_PAGES, NAME_SHARE * np.repeat(site_pages, [len(keys) for keys in own])[first])
    common: KeyArray = words[counts >= needed]
    return common


def page_keys(page: PageBlocks, words: KeyArray, dates: bool) -> PageKeys:
    """The keys of a page; with ``dates`` a text counts as the same whatever dates are in it."""
    site = key_of(page.host)
    place = _places(page, words)
    text = page.masked if dates else page.text
    of_block = place[page.element]
    return PageKeys(
        mixed_keys(mixed(site, _PLACE), place),
        mixed_keys(mixed(site, _HERE), mixed_keys(of_block[page.block], text)),
        mixed_keys(mixed(site, _ANYWHERE), text),
        mixed_keys(mixed(site, _PLACED), mixed_keys(of_block, page.vector)),
        mixed_keys(mixed(site, _BLOCK), page.vector),
    )


def _words(page: PageBlocks) -> KeyArray:
    return mixed_keys(mixed(key_of(page.host), _WORD), page.word)


def _places(page: PageBlocks, words: KeyArray) -> KeyArray:
    """The place of each element."""
    own = page.tag.copy()
    keys = _words(page)
    if len(words) and len(keys):
        common = words[np.minimum(words.searchsorted(keys), len(words) - 1)] == keys
        np.add.at(own, page.word_element[common], page.word[common])
    found: list[int] = []
    for parent, key in zip(page.parent.tolist(), own.tolist(), strict=True):
        found.append(mixed(found[parent] if parent >= 0 else 0, key))
    return np.array(found, dtype=np.uint64)


@dataclass(frozen=True, slots=True, eq=False)
class Place:
    """What fills the places of a page: its site, the place of each element, and of each node the characters that are links or repeat."""

    site: int
    element: KeyArray
    page: PageBlocks
    filling: IntArray


@dataclass(frozen=True, slots=True, eq=False)
class Places:
    """The places of the sites: which are part of the template, and how much of each is links and repetition."""

    key: KeyArray
    template: BoolArray
    fill: FloatArray

    def of(self, keys: KeyArray) -> tuple[BoolArray, FloatArray]:
        """The same for some places; one that nobody has seen is no part of a template."""
        if not len(self.key):
            return np.zeros(len(keys), dtype=np.bool_), np.zeros(len(keys))
        at = np.minimum(self.key.searchsorted(keys), len(self.key) - 1)
        known = self.key[at] == keys
        return known & self.template[at], np.where(known, self.fill[at], 0.0)


def learn_places(pages: Iterable[Place], site_pages: IntArray) -> Places:
    """What the places of the sites hold."""
    rows = [_filled(page) for page in pages]
    if not rows:
        return Places(np.zeros(0, dtype=np.uint64), np.zeros(0, dtype=np.bool_), np.zeros(0))
    keys = np.concatenate([key for _, key, _, _ in rows])
    sites = np.concatenate([np.full(len(key), site) for site, key, _, _ in rows])
    whole = np.concatenate([whole for _, _, whole, _ in rows])
    part = np.concatenate([part for _, _, _, part in rows])
    key, first, inverse, pages_with = np.unique(keys, return_index=True, return_inverse=True, return_counts=True)
    filled = sums(inverse, part >= FILL * whole, len(key))
    fill = sums(inverse, part, len(key)) / np.maximum(sums(inverse, whole, len(key)), 1)
    enough = pages_with >= np.maximum(PLACE_PAGES, PLACE_SHARE * site_pages[sites[first]])
    return Places(key, enough & (filled >= MOST * pages_with) & (fill >= FILL), fill)


def _filled(place: Place) -> tuple[int, KeyArray, FloatArray, FloatArray]:
    """The site, and for each place of a page its key, its characters and those of them that are links or repeat."""
    page = place.page
    element = page.element[page.block]
    size = len(page.parent)
    total, filled = sums(element, page.chars, size).tolist(), sums(element, place.filling, size).tolist()
    for number in range(len(total) - 1, 0, -1):
        parent = int(page.parent[number])
        if parent >= 0:
            total[parent] += total[number]
            filled[parent] += filled[number]
    key, inverse = np.unique(place.element, return_inverse=True)
    return place.site, key, sums(inverse, np.array(total), len(key)), sums(inverse, np.array(filled), len(key))
