"""Sites that hold the same pages: releases of a manual, mirrors, editions. What a pair of pages of two such
sites says beyond what a pair within one of them says already.

A remark that stands in two chapters of a manual makes a pair of these chapters in each release, and one of
each chapter with the other of every other release. The pairs within a release tell it; the others follow,
since the chapters have counterparts there. So a pair that shares no more than two pages of one host share
which are these pages or their counterparts is left out. And hosts of which several pages mirror each other,
and that have a rare name in common, are one site in several places: what moved to another path is its own.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import product

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from ruiji.detector.pairs.relations import MIRROR, PARTIAL, SAME_SITE
from ruiji.detector.sites import share_a_name

# Pages of two hosts that mirror each other, for the hosts to be one site in two places. The releases of the
# Debian manuals have 18 and more, partner hosts of transplanted pages one.
MIRRORED_PAGES = 3

# Of the second reading
AT_HOME_COLUMNS = [
    "page_a", "page_b", "site_a", "site_b", "relation", "shared_sentences", "template_sentences",
]  # fmt: skip

Flags = npt.NDArray[np.bool_]


@dataclass(slots=True)
class Releases:
    """Collects measured pairs, in two readings, and tells what they say of the others."""

    _counterparts: dict[int, dict[str, list[int]]] = field(default_factory=dict)  # by page and host
    _mirrored: Counter[tuple[str, str]] = field(default_factory=Counter)  # by hosts
    _at_home: dict[tuple[int, int], int] = field(default_factory=dict)  # sentences that two pages share

    def add(self, batch: pa.RecordBatch) -> None:
        """First reading: notes the pages of two hosts that mirror each other."""
        mirrors = batch.filter(
            pc.and_(pc.equal(batch["category"], MIRROR), pc.not_equal(batch["site_a"], batch["site_b"]))
        )
        columns = (mirrors[name].to_pylist() for name in ("page_a", "page_b", "site_a", "site_b"))
        for page_a, page_b, site_a, site_b in zip(*columns, strict=True):
            self._mirrored[min(site_a, site_b), max(site_a, site_b)] += 1
            for page, other, site in ((page_a, page_b, site_b), (page_b, page_a, site_a)):
                self._counterparts.setdefault(page, defaultdict(list))[site].append(other)

    @property
    def there_are(self) -> bool:
        """Whether any page has a counterpart elsewhere."""
        return bool(self._counterparts)

    def add_at_home(self, batch: pa.RecordBatch) -> None:
        """Second reading: notes what pages with counterparts share with others of their host, as
        template too."""
        known = np.fromiter(self._counterparts, np.int64, len(self._counterparts))
        pages = (batch["page_a"].to_numpy(), batch["page_b"].to_numpy())
        wanted = ~_abroad(batch) & (np.isin(pages[0], known) | np.isin(pages[1], known))
        rows = batch.filter(pa.array(wanted))
        template = np.where(rows["relation"].to_numpy() == PARTIAL, rows["template_sentences"].to_numpy(), 0)
        shared = (rows["shared_sentences"].to_numpy() + template).tolist()
        for page_a, page_b, count in zip(
            rows["page_a"].to_pylist(), rows["page_b"].to_pylist(), shared, strict=True
        ):
            self._at_home[min(page_a, page_b), max(page_a, page_b)] = count

    def of_one_site(self, batch: pa.RecordBatch) -> Flags:
        """Which pairs are of two hosts that are one site in two places."""
        hosts = zip(batch["site_a"].to_pylist(), batch["site_b"].to_pylist(), strict=True)
        return np.fromiter((self._are_one(*pair) for pair in hosts), np.bool_, len(batch))

    def _are_one(self, one: str, other: str) -> bool:
        mirrored = self._mirrored.get((min(one, other), max(one, other)), 0)
        return mirrored >= MIRRORED_PAGES and share_a_name(one, other)

    def told_at_home(self, batch: pa.RecordBatch) -> Flags:
        """Which partial pairs of two hosts share no more than what stands for the two pages at one host
        shares.
        """
        found: Flags = _abroad(batch) & (batch["relation"].to_numpy() == PARTIAL)
        for place in np.flatnonzero(found).tolist():
            pages = (batch["page_a"][place].as_py(), batch["page_b"][place].as_py())
            sites = (batch["site_a"][place].as_py(), batch["site_b"][place].as_py())
            shared = batch["shared_sentences"][place].as_py()
            found[place] = any(
                self._at_home.get((min(pair), max(pair)), 0) >= shared for pair in self._homes(pages, sites)
            )
        return found

    def _homes(self, pages: tuple[int, int], sites: tuple[str, str]) -> Iterator[tuple[int, int]]:
        """The pairs within one host, any, that stand for a pair of two."""
        held = [self._held_at(page, site) for page, site in zip(pages, sites, strict=True)]
        for site in sorted(held[0].keys() & held[1].keys()):
            yield from product(held[0][site], held[1][site])

    def _held_at(self, page: int, site: str) -> dict[str, list[int]]:
        """The hosts that hold a page, its own too, with the pages there that are it."""
        return {**self._counterparts.get(page, {}), site: [page]}


def at_one_site(category: npt.NDArray[np.int8], one_site: Flags) -> npt.NDArray[np.int8]:
    """The categories, where these pairs are of pages of one site."""
    similar = np.where(category >= SAME_SITE, SAME_SITE, category - category % 2)
    return np.where(one_site, similar, category).astype(np.int8)


def _abroad(batch: pa.RecordBatch) -> Flags:
    """Which pairs are of two hosts."""
    return np.asarray(pc.not_equal(batch["site_a"], batch["site_b"]).to_numpy(zero_copy_only=False))
