"""Pages as documents of the standard format (Kang 2009, section 4.1).

The format wants to know the whole collection before the first page is written: which pages link to a page,
and which compounds are frequent. So the pages are read twice.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory

from ruiji.corpora.page import Page
from ruiji.corpora.pool.workers import map_pages
from ruiji.corpora.progress import SILENT, Progress
from ruiji.corpora.sources import PageSource
from ruiji.corpora.standard_format import (
    LinkEntry,
    Sentence,
    StandardDocument,
    given_links,
    given_sentences,
    given_title_place,
)
from ruiji.detector.gather.linkage import linkage
from ruiji.detector.sentences.anchors import CompoundCounts, compound_keys
from ruiji.detector.sentences.table import SentenceTable, is_japanese, sentence_table
from ruiji.features.arrays import KeyArray
from ruiji.features.page.links import resolve
from ruiji.features.page.parser_input import PageFailed
from ruiji.features.page.parsing import text_nodes_of
from ruiji.features.page.textnodes import TextNodes


@dataclass(frozen=True, slots=True, eq=False)
class SurveyedPage:
    """What the collection must know of a page: its links and compounds; nothing of a page that fails, which
    the second reading will report.
    """

    id: str
    url: str
    links: Sequence[LinkEntry] = ()
    compounds: KeyArray | None = None


def survey(pages: Sequence[Page]) -> list[SurveyedPage]:
    """What the collection must know of each page, for mapping over pages."""
    return [
        SurveyedPage(page.id, page.url)
        if isinstance(nodes, PageFailed)
        else SurveyedPage(page.id, page.url, links_of(page, nodes), compound_keys([nodes]))
        for page, nodes in zip(pages, text_nodes_of(pages, named=False), strict=True)
    ]


def not_surveyed(page: Page, error: str) -> SurveyedPage:
    """The row of a page that fails."""
    return SurveyedPage(page.id, page.url)


def links_of(page: Page, nodes: TextNodes) -> list[LinkEntry]:
    """The links of a page, each text and address once; of a page in standard format those that it names."""
    links = dict.fromkeys(given_links(page, "out_links"))
    base = resolve(nodes.base, page.url) if nodes.base else page.url
    addresses = [resolve(href, base) for href in nodes.hrefs]
    for text, link in zip(nodes.texts, nodes.link.tolist(), strict=True):
        if link >= 0 and addresses[link]:
            links[LinkEntry(text.strip(), addresses[link])] = None
    return list(links)


@dataclass(frozen=True, slots=True)
class PageDocument:
    """The standard-format document of a page, or why there is none."""

    id: str
    document: StandardDocument | None
    error: str


@dataclass(frozen=True, slots=True)
class ToStandardFormat:
    """The function that is mapped over pages: text nodes, sentences. ``compounds`` is a file of counts, ""
    for none.
    """

    compounds: str = ""

    def __call__(self, pages: Sequence[Page]) -> list[PageDocument]:
        results = text_nodes_of(pages, named=False)
        readable = [nodes for nodes in results if not isinstance(nodes, PageFailed)]
        compounds = CompoundCounts.load(Path(self.compounds)) if self.compounds else None
        table = sentence_table(readable, compounds)
        borders = pairwise(table.page.searchsorted(range(len(readable) + 1)).tolist())
        return [
            self.failed(page, str(nodes))
            if isinstance(nodes, PageFailed)
            else page_document(page, nodes, _sentences(table, *next(borders)))
            for page, nodes in zip(pages, results, strict=True)
        ]

    def failed(self, page: Page, error: str) -> PageDocument:
        """The row of a page that gives no document: why."""
        return PageDocument(page.id, None, error)


def _sentences(table: SentenceTable, start: int, end: int) -> list[Sentence]:
    """The sentences of a page, which has these rows of the table."""
    texts, offsets = table.texts[start:end], table.offset[start:end].tolist()
    return [
        Sentence(number, text, offset, len(text), is_japanese(text))
        for number, (text, offset) in enumerate(zip(texts, offsets, strict=True), start=1)
    ]


def page_document(page: Page, nodes: TextNodes, sentences: Sequence[Sentence]) -> PageDocument:
    """The document of a page; of a page in standard format, its own sentences."""
    given = given_sentences(page, nodes.texts)
    document = StandardDocument(
        page.url,
        nodes.encoding,
        nodes.title,
        sentences if given is None else given,
        links_of(page, nodes),
        given_links(page, "in_links"),
        id=page.id if page.id != page.url else "",
        title_place=given_title_place(page),
    )
    return PageDocument(page.id, document, "")


def page_documents(pages: PageSource, jobs: int = 1, progress: Progress = SILENT) -> Iterator[PageDocument]:
    """The document of each page, with the links to it and anchors joined by the compounds of the collection.

    Where the pages can be read only once, each is a collection of its own.
    """
    if not pages.repeatable:
        if len(pages.names) > 1:
            progress.say(
                "standard input can be read only once: links between pages and frequent compounds are not "
                "looked for"
            )
        yield from _documents(ToStandardFormat(), pages, jobs, progress)
        return
    with linkage() as links, TemporaryDirectory(prefix="ruiji-") as folder:
        counts = CompoundCounts()
        surveyed = map_pages(survey, pages, failed=not_surveyed, jobs=jobs)
        for number, row in enumerate(progress.watch(surveyed)):
            links.add(number, row.id, row.url, row.links)
            if row.compounds is not None:
                counts.add(row.compounds)
        links.finish()
        counts.save(Path(folder) / "compounds.npy")
        function = ToStandardFormat(str(Path(folder) / "compounds.npy"))
        del counts
        for number, converted in enumerate(_documents(function, pages, jobs, progress)):
            if (document := converted.document) is None:
                yield converted
                continue
            known = {(link.text, link.url): link for link in (*document.in_links, *links.in_links(number))}
            linked = replace(document, out_links=links.out_links(number), in_links=list(known.values()))
            yield replace(converted, document=linked)


def _documents(
    function: ToStandardFormat, pages: PageSource, jobs: int, progress: Progress
) -> Iterator[PageDocument]:
    for row in progress.watch(map_pages(function, pages, failed=function.failed, jobs=jobs)):
        if row.error:
            progress.page_failed(row.id, row.error)
        yield row
