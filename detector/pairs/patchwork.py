"""Pages that are glued together from several otherwise unrelated pages (Kang 2009, figures 21 and 22).

Sources of a page are pages of other sites that it shares text with and does not link to: who links cites.
Sources that share nothing with each other, nor with a page that is cited, give it different sentences, so
their shares add up. A page is patchwork when enough such sources of different sites make up most
of it, and none of them alone does.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

MIN_SOURCES = 3  # of as many sites; two may be a coincidence or a quotation
# Of the page's long sentences must come from them: a page that is merely quoted by many has text of its own
MIN_COVERAGE = 0.5
# Of all that comes from its sources, and of the page itself, so much may come from one; with more the page is
# its copy, or a release of it that has a line of others too
MAX_SHARE = 0.75

PAIR = np.dtype([
    ("page_a", np.int64), ("page_b", np.int64), ("order_a", np.uint64), ("order_b", np.uint64),
    ("site_a", np.int32), ("site_b", np.int32), ("long_chars_a", np.int64),
    ("long_chars_b", np.int64), ("shared_chars", np.int64), ("a_to_b", np.bool_), ("b_to_a", np.bool_),
])  # fmt: skip
SEEN = np.dtype(
    [
        ("page", np.int64),
        ("other", np.int64),
        ("order", np.uint64),
        ("site", np.int32),
        ("long_chars", np.int64),
        ("shared_chars", np.int64),
    ]
)

Records = npt.NDArray[Any]


@dataclass(slots=True)
class Partners:
    """Collects pairs as they come, some fifty bytes each, and tells which pages are patchwork."""

    min_sources: int = MIN_SOURCES
    min_coverage: float = MIN_COVERAGE
    _batches: list[Records] = field(default_factory=list)
    _sites: dict[str, int] = field(default_factory=dict)

    def add(self, columns: dict[str, Sequence[Any]]) -> None:
        """Pairs, by the columns of PAIR; sites by their names. The order of a page decides between sources
        that give as much: it must not depend on which pages were read first, as page numbers do.
        """
        batch = np.empty(len(columns["page_a"]), dtype=PAIR)
        for name in PAIR.names or ():
            values = columns[name]
            batch[name] = (
                [self._sites.setdefault(site, len(self._sites)) for site in values]
                if name.startswith("site")
                else values
            )
        self._batches.append(batch)

    def patchwork(self) -> set[int]:
        """The numbers of the pages that are glued together."""
        pairs = np.concatenate(self._batches) if self._batches else np.empty(0, dtype=PAIR)
        seen = self._candidates(_from_both_sides(pairs))
        related = _related(pairs, np.concatenate((seen["other"], _linked_pages(pairs))))
        sources: dict[int, list[Records]] = defaultdict(list)
        for row in seen[np.lexsort((seen["order"], -seen["shared_chars"]))]:  # those with the most text first
            sources[int(row["page"])].append(row)
        cited = _cited(pairs, set(sources))
        return {page for page, rows in sources.items() if self._is_glued(rows, related, cited.get(page, []))}

    def _candidates(self, seen: Records) -> Records:
        """The pairs of pages that could be patchwork if all their partners were unrelated: a quick way to
        leave out nearly all.
        """
        pages, place = np.unique(seen["page"], return_inverse=True)
        sites = np.unique(np.stack((place, seen["site"])), axis=1)[0]
        enough_sites = np.bincount(sites, minlength=len(pages)) >= self.min_sources
        chars = np.zeros(len(pages))
        np.maximum.at(chars, place, seen["long_chars"])
        enough_text = np.bincount(place, seen["shared_chars"], len(pages)) >= self.min_coverage * chars
        return seen[(enough_sites & enough_text)[place]]

    def _is_glued(self, rows: Iterable[Records], related: set[tuple[int, int]], cited: Sequence[int]) -> bool:
        """Whether sources of different sites that share nothing with each other, nor with pages that are
        cited, make up the page, taken greedily.
        """
        chosen: list[int] = []
        sites: set[int] = set()
        characters = long_chars = most = 0
        for row in rows:
            page, site, long_chars = int(row["other"]), int(row["site"]), int(row["long_chars"])
            if site not in sites and not any(
                (min(page, other), max(page, other)) in related for other in (*cited, *chosen)
            ):
                if int(row["shared_chars"]) > MAX_SHARE * long_chars:
                    return False
                chosen.append(page)
                sites.add(site)
                characters += int(row["shared_chars"])
                most = max(most, int(row["shared_chars"]))
        return (
            len(chosen) >= self.min_sources
            and characters >= self.min_coverage * long_chars
            and most <= MAX_SHARE * characters
        )


def _from_both_sides(pairs: Records) -> Records:
    """Each pair as its pages see it, without pairs of one site, and without the pages that a page links
    to.
    """
    pairs = pairs[pairs["site_a"] != pairs["site_b"]]
    sides = []
    for own, other, link in (("a", "b", "a_to_b"), ("b", "a", "b_to_a")):
        kept = pairs[~pairs[link]]
        side = np.empty(len(kept), dtype=SEEN)
        columns = (
            f"page_{own}",
            f"page_{other}",
            f"order_{other}",
            f"site_{other}",
            f"long_chars_{own}",
            "shared_chars",
        )
        for name, column in zip(SEEN.names or (), columns, strict=True):
            side[name] = kept[column]
        sides.append(side)
    return np.concatenate(sides)


def _linked_pages(pairs: Records) -> npt.NDArray[np.int64]:
    linked = pairs[pairs["a_to_b"] | pairs["b_to_a"]]
    return np.unique(np.concatenate((linked["page_a"], linked["page_b"])))


def _cited(pairs: Records, pages: set[int]) -> dict[int, list[int]]:
    """Of each of the pages, those of other sites that it shares text with and links to."""
    pairs = pairs[pairs["site_a"] != pairs["site_b"]]
    cited: dict[int, list[int]] = defaultdict(list)
    for own, other in (("a", "b"), ("b", "a")):
        linking = pairs[pairs[f"{own}_to_{other}"]]
        for page, target in zip(
            linking[f"page_{own}"].tolist(), linking[f"page_{other}"].tolist(), strict=True
        ):
            if page in pages:
                cited[page].append(target)
    return cited


def _related(pairs: Records, pages: npt.NDArray[np.int64]) -> set[tuple[int, int]]:
    """The pairs among some pages, the lower number first."""
    among = pairs[np.isin(pairs["page_a"], pages) & np.isin(pairs["page_b"], pages)]
    low, high = np.minimum(among["page_a"], among["page_b"]), np.maximum(among["page_a"], among["page_b"])
    return set(zip(low.tolist(), high.tolist(), strict=True))
