"""Filters that learn from the very pages that they filter: ``unique`` reads all pages once before it labels
them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from ruiji.chunker.conventions import AUTO, CONVENTIONS
from ruiji.chunker.filters import COLLECTIVE, DEFAULT_FALLBACK, DEFAULT_FILTER, FILTERS, fallback_filter
from ruiji.chunker.masking import MaskSettings
from ruiji.corpora.errors import SettingError, check_choice
from ruiji.corpora.page import Page
from ruiji.corpora.pool.workers import PagePool, map_pages
from ruiji.corpora.progress import SILENT, Progress
from ruiji.corpora.sources import PageSource
from ruiji.features.page.parser_input import PageFailed
from ruiji.features.page.parsing import site_of, text_nodes_of

if TYPE_CHECKING:  # scikit-learn takes a second to import
    from ruiji.chunker.unique.known_masks import KnownMasks
    from ruiji.chunker.unique.page_blocks import PageBlocks
    from ruiji.chunker.unique.uniqueness import Uniqueness


@dataclass(frozen=True, slots=True)
class BlocksOfPage:
    """The blocks of one page; None where it has no text nodes, which the second reading will report, and
    where it is ``alone`` on its site.
    """

    id: str
    url: str
    blocks: PageBlocks | None = None
    key: bytes = b""  # of the page, by which its mask is found again
    alone: bool = False


@dataclass(frozen=True, slots=True)
class ReadBlocks:
    """The function that is mapped over pages: the blocks of each but for those of the sites ``alone``, which
    have one page.
    """

    alone: frozenset[str] = frozenset()

    @property
    def takes_utf8(self) -> bool:
        """That pages may come as UTF-8 (``workers.run_batch``)."""
        return True

    def __call__(self, pages: Sequence[Page]) -> list[BlocksOfPage]:
        from ruiji.chunker.unique.page_blocks import page_blocks
        from ruiji.chunker.unique.page_key import page_key

        alone = [not page.error and site_of(page.url) in self.alone for page in pages]
        others = iter(text_nodes_of([page for page, one in zip(pages, alone, strict=True) if not one]))
        return [
            BlocksOfPage(page.id, page.url, alone=True)
            if one
            else BlocksOfPage(page.id, page.url)
            if isinstance(nodes := next(others), PageFailed)
            else BlocksOfPage(page.id, page.url, page_blocks(nodes), page_key(nodes))
            for page, one in zip(pages, alone, strict=True)
        ]

    def failed(self, page: Page, error: str) -> BlocksOfPage:
        """The row of a page that has no blocks."""
        return BlocksOfPage(page.id, page.url)


def check_masks(masks: MaskSettings) -> None:
    """Raises ModelError or SettingError where the filter, its model or its fallback cannot be used; to be
    called before any page is read.
    """
    check_choice("filter", masks.filter, sorted(FILTERS))
    if masks.threshold is not None and not masks.plain:
        raise SettingError("‹threshold› goes with ‹plain›: without it shares of pages decide, not a cosine")
    for given, name in ((masks.alone, "alone"), (masks.convention != AUTO, "convention")):
        if given and masks.filter != DEFAULT_FILTER:
            raise SettingError(f"‹{name}› goes with ‹filter={DEFAULT_FILTER}›")
    if masks.convention not in CONVENTIONS:
        raise SettingError(
            f"there is no convention {masks.convention!r}; there are ‹convention={', '.join(CONVENTIONS)}›"
        )
    if learns_from_pages(masks):
        fallback_filter(masks.fallback)
    elif masks.plain:
        raise SettingError("‹plain› goes with ‹filter=unique› without ‹model›")
    else:
        masks.load()


def say_unseen_language(masks: MaskSettings, pages: PageSource, progress: Progress) -> None:
    """Says so where a model of one's own has not seen the language that the first pages are in; the shipped
    ones have seen Japanese and others.
    """
    if masks.filter == "crf" and masks.model and pages.repeatable:
        from ruiji.chunker.crf.languages import caution_for  # reads a card: nothing that a default run wants

        if caution := caution_for(masks.model, pages):
            progress.say(caution)


def learns_from_pages(masks: MaskSettings) -> bool:
    """Whether the filter must read all pages before it can filter the first."""
    return not masks.model and masks.filter in COLLECTIVE


def compares_sites(masks: MaskSettings) -> bool:
    """Whether pages of each site are looked at before any is filtered."""
    return masks.filter == DEFAULT_FILTER and not masks.alone


def reads_pages_first(masks: MaskSettings) -> bool:
    """Whether the pages are gone through before they are filtered."""
    return learns_from_pages(masks) or compares_sites(masks)


@contextmanager
def fitted_masks(
    masks: MaskSettings,
    pages: PageSource,
    jobs: int = 1,
    progress: Progress = SILENT,
    groups: Mapping[str, str] | None = None,
    beside: Path | None = None,
    pool: PagePool | None = None,
) -> Iterator[MaskSettings]:
    """The settings with a model: as given, or for a filter that learns from the very pages, fitted to them;
    for a learned model with what the sites of the pages repeat, unless it is to judge each page alone.

    ``groups`` has the group of a page by its url: pages of one group are not compared. ``beside`` is the
    folder for what is fitted, where workers on other machines must see it. ``pool`` has the workers that
    will read the pages again without details. Raises SettingError where groups
    cannot be used or the pages cannot be read twice.
    """
    if not learns_from_pages(masks):
        if groups is not None:
            raise SettingError(
                "‹groups› goes with ‹filter=unique› without ‹model›: a saved extractor has compared its "
                "pages "
                "already"
            )
        with _with_sites(masks, pages, jobs, progress, beside, pool) as known:
            yield known
        return
    from ruiji.chunker.unique.folder import save_extractor

    fitted = fit_extractor(pages, jobs, progress, groups, rule_settings(masks), only_compared=not masks.plain)
    extractor = fitted.extractor
    alone = [] if masks.plain else pages_alone(fitted)
    if alone:
        progress.say(
            f"{len(alone)} {'page is' if len(alone) == 1 else 'pages are'} alone on the site and cannot be "
            f"compared; there, {masks.fallback or DEFAULT_FALLBACK} decides: ",
            alone,
        )
    with TemporaryDirectory(prefix="ruiji-", dir=beside) as folder:
        model = Path(folder) / masks.filter
        save_extractor(extractor, model)
        fitted.known.save(model)
        del extractor, fitted
        yield replace(masks, model=str(model))


@contextmanager
def _with_sites(
    masks: MaskSettings,
    pages: PageSource,
    jobs: int,
    progress: Progress,
    beside: Path | None,
    pool: PagePool | None,
) -> Iterator[MaskSettings]:
    """The settings with a folder of what the sites of the pages repeat, where a learned model wants to know
    and there is something.
    """
    if not compares_sites(masks):
        yield masks
        return
    from ruiji.chunker.site.gathering import gather_evidence

    evidence = gather_evidence(pages, jobs, progress, pool)
    if evidence is None:
        yield masks
        return
    with TemporaryDirectory(prefix="ruiji-", dir=beside) as folder:
        evidence.save(Path(folder))
        del evidence
        yield replace(masks, sites=folder)


@dataclass(frozen=True, slots=True, eq=False)
class FittedExtractor:
    """An extractor, the place of each of its pages in the input, and their masks. Of pages that it was not
    fitted to, since they are alone on their sites, place and id.
    """

    extractor: Uniqueness
    places: Sequence[int]
    known: KnownMasks
    alone: Sequence[tuple[int, str]] = ()


def rule_settings(masks: MaskSettings) -> dict[str, Any]:
    """What the extractor is told of its rule: nothing, or that it is the published one."""
    if not masks.plain:
        return {}
    from ruiji.chunker.unique.uniqueness import PLAIN, THRESHOLD

    return {**PLAIN, "threshold": THRESHOLD if masks.threshold is None else masks.threshold}


def fit_extractor(
    pages: PageSource,
    jobs: int = 1,
    progress: Progress = SILENT,
    groups: Mapping[str, str] | None = None,
    settings: Mapping[str, Any] | None = None,
    only_compared: bool = False,
) -> FittedExtractor:
    """An extractor fitted to the pages; ``groups`` has groups by url, ``settings`` are the extractor's own.
    ``only_compared`` leaves out pages that are alone on their sites, of which a crawl of the wide web
    consists; so they need not be parsed. Raises SettingError where the pages cannot be read twice.
    """
    from ruiji.chunker.unique.known_masks import KnownMasks
    from ruiji.chunker.unique.uniqueness import Uniqueness

    if not pages.repeatable:
        raise SettingError(
            "block uniqueness reads the pages twice: name files, not -; to filter, a saved extractor with "
            "‹model› will do too"
        )
    names, places, blocks, keys = [], [], [], []
    group_of_page: list[Hashable] = []
    read = ReadBlocks(_sites_of_one_page(pages) if only_compared else frozenset())
    alone: list[tuple[int, str]] = []
    rows = map_pages(read, pages.records(), failed=read.failed, jobs=jobs)
    for place, row in enumerate(progress.watch(rows, stage="comparing sites")):
        if row.alone:
            alone.append((place, row.id))
        if row.blocks is not None:
            names.append(row.id)
            places.append(place)
            blocks.append(row.blocks)
            keys.append(row.key)
            group_of_page.append((groups or {}).get(row.url, place))  # a page of no group is its own group
    extractor = Uniqueness(**(settings or {}))
    scores = extractor.fit_scores(blocks, group_of_page, names)
    known = {key: own for key, own in zip(keys, scores, strict=True) if own is not None}
    return FittedExtractor(extractor, places, KnownMasks(known), alone)


def _sites_of_one_page(pages: PageSource) -> frozenset[str]:
    """The sites that have one page, by the addresses, which cost next to nothing to look at."""
    counts = Counter(site_of(record.address) for record in pages.records())
    return frozenset(site for site, count in counts.items() if site and count == 1)


def pages_alone(fitted: FittedExtractor) -> list[str]:
    """The ids of the pages that have no other page of their site to be compared with."""
    extractor = fitted.extractor
    known = zip(fitted.places, extractor.names_, extractor.site_.tolist(), strict=True)
    found = [(place, page) for place, page, site in known if extractor.site_pages_[site] == 1]
    return [page for _, page in sorted((*found, *fitted.alone))]
