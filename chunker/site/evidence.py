"""What the sampled pages of sites share, as a few arrays: small enough for every worker to hold."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass, fields
from functools import cached_property
from pathlib import Path

import numpy as np
import numpy.typing as npt

from ruiji.chunker.site.repeated import OTHERS, SHARE, node_keys, shift_of_repeated
from ruiji.chunker.unique.page_blocks import key_of, mixed, mixed_keys
from ruiji.corpora.files import replacing
from ruiji.features.arrays import FloatArray, KeyArray
from ruiji.features.nodes.forest import Forest, forest
from ruiji.features.page.textnodes import TextNodes

MOST_PAGES = 32  # of a site that are remembered
EVIDENCE_FILE = "site_evidence.npz"


@dataclass(frozen=True, slots=True, eq=False)
class SitePage:
    """The different texts of a page with their places, as sorted numbers."""

    site: str
    keys: KeyArray

    @property
    def digest(self) -> int:
        """A number that stands for all of them: pages that are the same count once."""
        return int.from_bytes(hashlib.blake2b(self.keys.tobytes(), digest_size=8).digest(), "little")


def site_page(nodes: TextNodes) -> SitePage:
    """What is remembered of a page."""
    return SitePage(nodes.host, np.unique(node_keys(forest([nodes]))))


@dataclass(frozen=True, eq=False)
class SiteEvidence:
    """The sites by sorted numbers (``site``) with how many of their pages were seen (``pages``); the pages
    themselves (``seen``); and texts at their places (``key``) with how many of these pages have each
    (``count``). The last three are numbers mixed with that of their site.
    """

    site: KeyArray
    pages: npt.NDArray[np.uint8]
    seen: KeyArray
    key: KeyArray
    count: npt.NDArray[np.uint8]

    def __len__(self) -> int:
        """How many sites there are."""
        return len(self.site)

    @cached_property
    def _pages_of(self) -> dict[int, int]:
        return dict(zip(self.site.tolist(), self.pages.tolist(), strict=True))

    def shift(self, pages: Forest) -> FloatArray | None:
        """What is to be added to the log-odds of each node; None where nothing is known of any page."""
        sites = [key_of(page.host) for page in pages.pages]
        if not any(site in self._pages_of for site in sites):
            return None
        keys, share = node_keys(pages), np.zeros(len(pages))
        for number, site in enumerate(sites):
            if known := self._pages_of.get(site, 0):
                own = slice(*pages.page_start[number : number + 2].tolist())
                share[own] = self._shares(site, known, keys[own])
        return shift_of_repeated(pages, share)

    def _shares(self, site: int, known: int, keys: KeyArray) -> FloatArray:
        """The share of the other pages of a site that have each of these; 0 where there are too few pages."""
        page = SitePage("", np.unique(keys))
        itself = int(_found(self.seen, np.array([mixed(site, page.digest)], dtype=np.uint64))[0] >= 0)
        others = known - itself
        if others < OTHERS:
            return np.zeros(len(keys))
        at = _found(self.key, mixed_keys(site, keys))
        times = np.where(at >= 0, self.count[at] if len(self.count) else 0, itself) - float(itself)
        share: FloatArray = times / others
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
    first ones that differ, and none where they are too few for any page to be compared.
    """
    of_site: dict[str, dict[int, KeyArray]] = {}
    for page in pages:
        own = of_site.setdefault(page.site, {})
        if page.site and len(own) < MOST_PAGES:
            own.setdefault(page.digest, page.keys)
    sites, counts, seen, keys, times = [], [], [], [], []
    for site, number in sorted((key_of(name), name) for name, own in of_site.items() if len(own) >= OTHERS):
        own = of_site[number]
        key, count = np.unique(np.concatenate([*own.values()]), return_counts=True)
        enough = count >= max(SHARE * (len(own) - 1), 1)  # the others count too little on any page
        sites.append(site)
        counts.append(len(own))
        seen += [mixed(site, digest) for digest in own]
        keys.append(mixed_keys(site, key[enough]))
        times.append(count[enough])
    key = np.concatenate([np.zeros(0, dtype=np.uint64), *keys])
    order = key.argsort(kind="stable")
    return SiteEvidence(
        np.array(sites, dtype=np.uint64),
        np.array(counts, dtype=np.uint8),
        np.sort(np.array(seen, dtype=np.uint64)),
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
