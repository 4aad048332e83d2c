"""Pages that are glued together from several otherwise unrelated pages (Kang 2009, figures 21 and 22).

Sources of a page are pages of other sites that it shares text with and does not link to. Sources that share nothing with each other give it
different sentences, so their shares add up. A page is patchwork when enough such sources of different sites make up most of it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

MIN_SOURCES = 3  # of as many sites; two may be a coincidence or a quotation
MIN_COVERAGE = 0.5  # of the page's long sentences must come from them: a page that is merely quoted by many has text of its own


@dataclass(frozen=True, slots=True)
class Shared:
    """A page pair as seen from one side: the other page, its site, how many characters are shared."""

    page: int
    site: str
    characters: int


def patchwork_pages(
    partners: Mapping[int, Iterable[Shared]],
    long_chars: Mapping[int, int],
    related: set[tuple[int, int]],
    min_sources: int = MIN_SOURCES,
    min_coverage: float = MIN_COVERAGE,
) -> set[int]:
    """The pages among ``partners`` that are patchwork; ``related`` has every pair of pages that share text, the lower number first."""
    found = set()
    for page, shared in partners.items():
        sources = _unrelated(shared, related)
        if len(sources) >= min_sources and sum(one.characters for one in sources) >= min_coverage * long_chars[page]:
            found.add(page)
    return found


def _unrelated(shared: Iterable[Shared], related: set[tuple[int, int]]) -> list[Shared]:
    """Sources of different sites that share nothing with each other: greedily, those with the most text first."""
    chosen: list[Shared] = []
    sites: set[str] = set()
    for one in sorted(shared, key=lambda one: (-one.characters, one.page)):
        if one.site not in sites and not any((min(one.page, other.page), max(one.page, other.page)) in related for other in chosen):
            chosen.append(one)
            sites.add(one.site)
    return chosen


class Partners:
    """Collects pairs as they come, and tells which pages are patchwork."""

    def __init__(self) -> None:
        self._partners: dict[int, list[Shared]] = defaultdict(list)
        self._long_chars: dict[int, int] = {}
        self._related: set[tuple[int, int]] = set()

    def add(
        self, pages: tuple[int, int], sites: tuple[str, str], long_chars: tuple[int, int], characters: int, links: tuple[bool, bool]
    ) -> None:
        """A pair; each side may be patchwork unless both are of one site, or it links to the other."""
        self._related.add((min(pages), max(pages)))
        if sites[0] == sites[1]:
            return
        for side in (0, 1):
            if not links[side]:
                self._partners[pages[side]].append(Shared(pages[1 - side], sites[1 - side], characters))
                self._long_chars[pages[side]] = long_chars[side]

    def patchwork(self) -> set[int]:
        """The numbers of the pages that are glued together."""
        return patchwork_pages(self._partners, self._long_chars, self._related)
