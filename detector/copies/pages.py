"""Pages and the copy index: what is put in of a page, and what is found of it.

The text of a page is what ``ruiji extract`` shows with the same filter; offsets of passages count its
characters.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import islice
from pathlib import Path
from secrets import token_hex

from ruiji.chunker.fitting import fitted_masks
from ruiji.chunker.masking import MaskedPage, MaskSettings, masked_pages
from ruiji.corpora.page import InputError, Page
from ruiji.corpora.pool.workers import map_pages
from ruiji.corpora.progress import SILENT, Progress
from ruiji.corpora.sources import PageSource
from ruiji.detector.copies.contents import read_contents
from ruiji.detector.copies.index import CopyIndex, open_index
from ruiji.detector.copies.part import digested
from ruiji.detector.copies.passages import Passage
from ruiji.detector.copies.rule import PassageRule
from ruiji.detector.copies.writing import writing

MADE_OTHERWISE = (
    "the index was made with another filter, model, convention or --alone: the pages added now have other "
    "masks"
)


@dataclass(frozen=True, slots=True)
class ContentText:
    """The content of a page as text, or why there is none."""

    id: str
    url: str
    text: str
    error: str = ""


def content_texts(pages: Sequence[Page], masks: MaskSettings) -> list[ContentText]:
    """The content of each page as text."""
    return [
        ContentText(result.page.id, result.page.url, result.text)
        if isinstance(result, MaskedPage)
        else ContentText(result.page.id, result.page.url, "", result.error)
        for result in masked_pages(pages, masks.load())
    ]


@dataclass(frozen=True, slots=True)
class DigestedPage:
    """What an index keeps of a page: its text, and the digest of it as bytes."""

    id: str
    url: str
    text: str
    digest: bytes
    marks: bytes
    error: str


@dataclass(frozen=True, slots=True)
class DigestPages:
    """The function that is mapped over the pages that go into an index."""

    masks: MaskSettings

    def __call__(self, pages: Sequence[Page]) -> list[DigestedPage]:
        contents = content_texts(pages, self.masks)
        digests = digested([content.text for content in contents])
        return [
            DigestedPage(content.id, content.url, content.text, *digest, content.error)
            for content, digest in zip(contents, digests, strict=True)
        ]

    def failed(self, page: Page, error: str) -> DigestedPage:
        """The row of a page that could not be digested."""
        return DigestedPage(page.id, page.url, "", b"", b"", error)


def write_index(
    pages: PageSource,
    folder: Path,
    masks: MaskSettings,
    *,
    anew: bool,
    jobs: int = 1,
    progress: Progress = SILENT,
) -> int:
    """Puts the pages into the index of a folder, ``anew`` in place of what it holds; returns how many pages
    failed.

    An interrupted run on the same pages is continued, and the same files, unchanged, are added once. Raises
    IndexRefused.
    """
    if not anew:
        read_contents(folder)
    with fitted_masks(masks, pages, jobs, progress) as fitted:
        settings: Mapping[str, object] = {"filter": masks.filter, "model": fitted.load().digest}
        signature = pages.signature({**settings, "anew": anew}) or token_hex()  # a pipe is read once
        inputs = pages.signature(settings)
        if not anew and inputs in (known := read_contents(folder).inputs):
            progress.say("these pages, as they are now, are in the index already")
            return known[inputs]
        if not anew and read_contents(folder).settings not in ({}, settings):
            progress.say(MADE_OTHERWISE)
        with writing(folder, settings, signature, anew, inputs=inputs) as writer:
            count, failed = writer.done, writer.failed
            if count:
                progress.say(f"going on after {count} pages of an interrupted run")
            function = DigestPages(fitted)
            rows = map_pages(function, islice(pages, count, None), failed=function.failed, jobs=jobs)
            for row in progress.watch(rows, done=count):
                count += 1
                if row.error:
                    failed += 1
                    progress.page_failed(row.id, row.error)
                else:
                    writer.add(row.url, row.text, row.digest, row.marks)
                writer.seen(count, failed)
        if writer.replaced:
            progress.say(f"{len(writer.replaced)} pages took the place of those with the same addresses")
    return failed


@dataclass(frozen=True, slots=True)
class PagePassages:
    """The passages that a page copied, or why nobody can say."""

    id: str
    url: str
    passages: Sequence[Passage]
    error: str = ""


@dataclass(frozen=True, slots=True)
class MatchPages:
    """The function that is mapped over the pages that an index is asked about.

    ``parts`` are those of the index when the run began: all workers must see the same.
    """

    index: str
    parts: tuple[str, ...]
    masks: MaskSettings
    rule: PassageRule

    def __call__(self, pages: Sequence[Page]) -> list[PagePassages]:
        contents = content_texts(pages, self.masks)
        index = _opened(self.index, self.parts)
        texts, urls = [content.text for content in contents], [content.url for content in contents]
        return [
            PagePassages(content.id, content.url, passages, content.error)
            for content, passages in zip(contents, index.match_all(texts, urls, self.rule), strict=True)
        ]

    def failed(self, page: Page, error: str) -> PagePassages:
        """The row of a page that could not be matched."""
        return PagePassages(page.id, page.url, (), error)


@dataclass(frozen=True, slots=True)
class IndexMatchSettings:
    """How pages are compared with an index; ``verify`` first compares the checksums of its files."""

    masks: MaskSettings = field(default_factory=MaskSettings)
    rule: PassageRule = field(default_factory=PassageRule)
    verify: bool = False
    jobs: int = 1


def match_pages(
    pages: PageSource, folder: Path, settings: IndexMatchSettings, progress: Progress = SILENT
) -> Iterator[PagePassages]:
    """The passages of each page that stand in the index too, in the order of the pages. Raises
    IndexRefused.
    """
    index = open_index(folder, check=settings.verify)
    parts = tuple(part.folder for part in index.contents.parts)
    del index
    with fitted_masks(settings.masks, pages, settings.jobs, progress) as masks:
        masks.load()
        function = MatchPages(str(folder), parts, masks, settings.rule)
        rows = map_pages(function, pages, failed=function.failed, jobs=settings.jobs)
        for row in progress.watch(rows):
            if row.error:
                progress.page_failed(row.id, row.error)
            yield row


@lru_cache(maxsize=2)
def _opened(folder: str, parts: tuple[str, ...]) -> CopyIndex:
    index = open_index(Path(folder))
    if tuple(part.folder for part in index.contents.parts) != parts:
        raise InputError(f"{folder}: the index was changed while it was asked")
    return index
