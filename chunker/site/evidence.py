"""What the sampled pages of sites share, as a few arrays: small enough for every worker to hold."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from itertools import pairwise
from pathlib import Path

import numpy as np
import numpy.typing as npt

from ruiji.chunker.site.compiled import IN_C, SIZES, columns
from ruiji.chunker.site.copies import Lengths, LongTexts, different, in_links, joined, long_texts
from ruiji.chunker.site.repeated import OTHERS, SHARE, node_keys, shift_of_repeated
from ruiji.chunker.unique.keys import key_of, mixed, mixed_keys
from ruiji.corpora.c_modules import compiled
from ruiji.corpora.files import replacing
from ruiji.features.arrays import BoolArray, FloatArray, IntArray, KeyArray
from ruiji.features.nodes.forest import Forest, forest
from ruiji.features.page.textnodes import TextNodes

MOST_PAGES = 32  # of a site that are remembered
EVIDENCE_FILE = "site_evidence.npz"


@dataclass(frozen=True, slots=True, eq=False)
class SitePage:
    """The different texts of a page with their places, as numbers; its longest texts outside links."""

    site: str
    keys: KeyArray
    longest: LongTexts

    @property
    def digest(self) -> int:
        """A number that stands for all of them: pages that are the same count once."""
        return int(mixed_keys(self.keys, self.keys).sum(dtype=np.uint64))


def site_pages(pages: Sequence[TextNodes]) -> list[SitePage]:
    """What is remembered of pages. By the loops in C where there are some."""
    together = forest(pages)
    if (in_c := compiled(IN_C)) is None:
        return site_pages_by_arrays(together)
    return [
        SitePage(
            page.host,
            np.frombuffer(keys, dtype=np.uint64),
            LongTexts(
                np.frombuffer(key, np.uint64).reshape(1, -1), np.frombuffer(length, np.int32).reshape(1, -1)
            ),
        )
        for page, (keys, key, length) in zip(pages, in_c.pages(columns(together)), strict=True)
    ]


def site_pages_by_arrays(pages: Forest) -> list[SitePage]:
    """The reference for the loops in C."""
    keys, linked = node_keys(pages), in_links(pages)
    return [
        _site_page(page.host, keys[start:stop], pages.lengths[start:stop], linked[start:stop])
        for page, (start, stop) in zip(pages.pages, pairwise(pages.page_start.tolist()), strict=True)
    ]


def _site_page(site: str, keys: KeyArray, lengths: IntArray, linked: BoolArray) -> SitePage:
    """The same of its nodes."""
    return SitePage(site, different(keys), long_texts(keys[~linked], lengths[~linked]))


@dataclass(frozen=True, eq=False)
class SiteEvidence:
    """The sites by sorted numbers (``site``) with how many of their pages were seen (``pages``); the pages
    themselves (``seen``), and site by site their longest texts (``long_key``, ``long_length``); and texts at
    their places (``key``) with how many of these pages have each (``count``). ``seen`` and ``key`` are
    numbers mixed with that of their site.
    """

    site: KeyArray
    pages: npt.NDArray[np.uint8]
    seen: KeyArray
    long_key: KeyArray
    long_length: Lengths
    key: KeyArray
    count: npt.NDArray[np.uint8]

    def __len__(self) -> int:
        """How many sites there are."""
        return len(self.site)

    @cached_property
    def _rows(self) -> dict[int, tuple[int, int]]:
        """Of each site where the rows of its pages begin and end."""
        end = self.pages.cumsum(dtype=np.int64)
        places = zip((end - self.pages).tolist(), end.tolist(), strict=True)
        return dict(zip(self.site.tolist(), places, strict=True))

    @cached_property
    def _known(self) -> dict[str, object]:
        """What the loops in C look texts up in, and their sizes."""
        names = ("seen", "long_key", "long_length", "key", "count")
        return {**{name: getattr(self, name) for name in names}, **SIZES}

    def shift(self, pages: Forest) -> FloatArray | None:
        """What is to be added to the log-odds of each node; None where nothing is known of any page. By the
        loops in C where there are some.
        """
        sites = [key_of(page.host) for page in pages.pages]
        places = [self._rows.get(site, (0, 0)) for site in sites]
        if not any(stop for _, stop in places):
            return None
        if (in_c := compiled(IN_C)) is None:
            return self.shift_by_arrays(pages, sites, places)
        shift = np.empty(len(pages))
        of_pages = np.array(sites, dtype=np.uint64), np.array(places, dtype=np.int32)
        in_c.shift(columns(pages), self._known, *of_pages, shift)
        return shift

    def shift_by_arrays(
        self, pages: Forest, sites: Sequence[int], places: Sequence[tuple[int, int]]
    ) -> FloatArray:
        """The reference for the loops in C: of pages of these sites, whose pages have these rows."""
        keys, share, linked = node_keys(pages), np.zeros(len(pages)), in_links(pages)
        rows = LongTexts(self.long_key, self.long_length)
        for number, (site, place) in enumerate(zip(sites, places, strict=True)):
            if place[1]:
                own = slice(*pages.page_start[number : number + 2].tolist())
                page = _site_page("", keys[own], pages.lengths[own], linked[own])
                share[own] = self._shares(site, rows[slice(*place)], page, keys[own])
        return shift_of_repeated(pages, share)

    def _shares(self, site: int, known: LongTexts, page: SitePage, keys: KeyArray) -> FloatArray:
        """The share of the other pages of a site that have each of these texts of a page; 0 where there are
        too few pages. Copies of the page are no other pages.
        """
        itself = int(_found(self.seen, np.array([mixed(site, page.digest)], dtype=np.uint64))[0] >= 0)
        copies = max(int(known.copies(page.longest).sum()), itself)
        others = len(known) - copies
        if others < OTHERS:
            return np.zeros(len(keys))
        at = _found(self.key, mixed_keys(site, keys))
        times = np.where(at >= 0, self.count[at] if len(self.count) else 0, 0)
        share: FloatArray = np.maximum(times - float(copies), 0.0) / others
        return share

    def save(self, folder: Path) -> None:
        """Writes the arrays into a folder."""
        with replacing(folder / EVIDENCE_FILE) as out:
            np.savez(
                out, allow_pickle=False, **{field.name: getattr(self, field.name) for field in fields(self)}
            )

    @staticmethod
    def load(folder: Path) -> SiteEvidence:
        """Those of a folder."""
        with np.load(folder / EVIDENCE_FILE, allow_pickle=False) as arrays:
            return SiteEvidence(**{field.name: arrays[field.name] for field in fields(SiteEvidence)})


def evidence_of(pages: Iterable[SitePage]) -> SiteEvidence:
    """What these pages share with others of their sites; of a site no more than MOST_PAGES are taken, the
    first ones that are not copies of one before, and none where they are too few for any page to be compared.
    """
    of_site: dict[str, dict[int, SitePage]] = {}
    for page in pages:
        own = of_site.setdefault(page.site, {})
        if not page.site or len(own) == MOST_PAGES or page.digest in own:
            continue
        if not joined([other.longest for other in own.values()]).copies(page.longest).any():
            own[page.digest] = page
    sites, counts, seen, longest, keys, times = [], [], [], [], [], []
    for site, number in sorted((key_of(name), name) for name, own in of_site.items() if len(own) >= OTHERS):
        own = of_site[number]
        key, count = np.unique(np.concatenate([page.keys for page in own.values()]), return_counts=True)
        enough = count >= max(SHARE * (len(own) - 1), 1)  # rarer ones count on no page
        sites.append(site)
        counts.append(len(own))
        seen += [mixed(site, digest) for digest in own]
        longest += [page.longest for page in own.values()]
        keys.append(mixed_keys(site, key[enough]))
        times.append(count[enough])
    key = np.concatenate([np.zeros(0, dtype=np.uint64), *keys])
    order = key.argsort(kind="stable")
    texts = joined(longest)
    return SiteEvidence(
        np.array(sites, dtype=np.uint64),
        np.array(counts, dtype=np.uint8),
        np.sort(np.array(seen, dtype=np.uint64)),
        texts.key,
        texts.length,
        key[order],
        np.concatenate([np.zeros(0, dtype=np.uint8), *times])[order].astype(np.uint8),
    )


def _found(sorted_keys: KeyArray, keys: KeyArray) -> npt.NDArray[np.intp]:
    """The place of each key among the sorted ones, -1 where it is none of them."""
    if not len(sorted_keys):
        return np.full(len(keys), -1, dtype=np.intp)
    at = np.minimum(sorted_keys.searchsorted(keys), len(sorted_keys) - 1)
    places: npt.NDArray[np.intp] = np.where(sorted_keys[at] == keys, at, -1)
    return places
