"""Reads some pages of each site before any is judged, as many as are enough, and keeps what they share.

Sites come as addresses, which cost next to nothing to look at; only the sampled pages are parsed, by the
workers. Which they are depends on the order of the pages and on nothing else.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from itertools import islice

from ruiji.chunker.site.evidence import MOST_PAGES, SiteEvidence, SitePage, evidence_of, site_pages
from ruiji.chunker.site.repeated import OTHERS
from ruiji.corpora.page import Page, PageRecord, is_plain_text
from ruiji.corpora.pool.workers import PagePool
from ruiji.corpora.progress import SILENT, Progress
from ruiji.corpora.sources import PageSource
from ruiji.features.page.kept import text_nodes_kept
from ruiji.features.page.parser_input import PageFailed
from ruiji.features.page.parsing import site_of, text_nodes_of

STAGE = "comparing sites"  # as a person sees it
# A crawl of the wide web has one page of most sites, and to read all of it once more for the few that have
# some would cost more than it brings: where of the first pages fewer than this share have three others of
# their sites among them, none is looked for. Crawlers mix sites: the first 64 pages of forty say nothing.
LOOKED_AT, ENOUGH = 1024, 1 / 16
ALL_UP_TO, STEP = 10, 1.25  # pages of a site that are all sampled but the first; then ever fewer
# Sites that are remembered at once: with all their pages some 300 MB. Later ones are judged page by page.
MOST_SITES = 4096


def sampled_numbers() -> frozenset[int]:
    """Which pages of a site are sampled, by their number from 1: not the first, which is often unlike the
    others; all up to the tenth; then at growing distances, so that the last of many are not forgotten.
    """
    numbers = [*range(2, ALL_UP_TO + 1)]
    while len(numbers) < MOST_PAGES:
        numbers.append(int((numbers[-1] - 1) * STEP) + 1)
    return frozenset(numbers)


_SAMPLED = sampled_numbers()


@dataclass(frozen=True, slots=True)
class ReadSitePages:
    """The function that is mapped over sampled pages: what is remembered of each; None of one that came as
    text, and of one without text nodes, which the second reading will report. ``keep``: the worker keeps what
    it has read for that.
    """

    keep: bool = False

    @property
    def takes_utf8(self) -> bool:
        """That pages may come as UTF-8 (``workers.run_batch``)."""
        return True

    def __call__(self, pages: Sequence[Page]) -> list[SitePage | None]:
        results = text_nodes_kept(pages) if self.keep else text_nodes_of(pages, named=False)
        read = [
            nodes if not isinstance(nodes, PageFailed) and len(nodes) and not is_plain_text(page) else None
            for page, nodes in zip(pages, results, strict=True)
        ]
        rows = iter(site_pages([nodes for nodes in read if nodes is not None]))
        return [None if nodes is None else next(rows) for nodes in read]

    def failed(self, page: Page, error: str) -> SitePage | None:
        """The row of a page that cannot be read."""
        return None


def gather_evidence(
    pages: PageSource, jobs: int = 1, progress: Progress = SILENT, pool: PagePool | None = None
) -> SiteEvidence | None:
    """What the sites of these pages repeat; None where they cannot be read twice or no site has enough
    pages. Workers of a ``pool``, which are to read the pages again, keep what they can.
    """
    if not pages.repeatable or not _has_sites(pages.records()):
        return None
    function = ReadSitePages(keep=pool is not None)
    with nullcontext(pool) if pool is not None else PagePool(jobs) as workers:
        rows = workers.map(function, sampled(pages.records()), failed=function.failed)
        found = evidence_of(row for row in progress.watch(rows, stage=STAGE) if row is not None)
    return found if len(found) else None


def sampled(records: Iterable[PageRecord]) -> Iterator[PageRecord]:
    """The pages that are to be read of each site."""
    seen: Counter[str] = Counter()
    several = 0
    for record in records:
        site = site_of(record.address)
        if not site or (seen[site] == 1 and several == MOST_SITES):
            continue
        seen[site] += 1
        several += seen[site] == 2
        if seen[site] in _SAMPLED:
            yield record


def _has_sites(records: Iterator[PageRecord]) -> bool:
    """Whether enough of the first pages are of sites with enough of them for a page to be compared."""
    seen = Counter(site_of(record.address) for record in islice(records, LOOKED_AT))
    comparable = sum(count for site, count in seen.items() if site and count > OTHERS)
    return comparable > 0 and comparable >= ENOUGH * seen.total()
