"""``ruiji convert``: pages from any form into JSONL, Parquet or the standard format.

The standard format wants to know the whole collection before the first page is written: who links to a page,
and which compounds are frequent. So the pages are read twice.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory

from ruiji.corpora import map_pages, read_pages
from ruiji.corpora.page import Page
from ruiji.corpora.standard_format import (
    Document,
    Link,
    Sentence,
    given_links,
    given_sentences,
    given_title_place,
)
from ruiji.detector import SentenceTable, is_japanese, sentence_table
from ruiji.detector.gather.linkage import linkage
from ruiji.detector.sentences.anchors import CompoundCounts, compound_keys
from ruiji.features.arrays import KeyArray
from ruiji.features.page.links import resolve
from ruiji.features.page.parser_input import PageFailed
from ruiji.features.page.parsing import text_nodes_of
from ruiji.features.page.textnodes import TextNodes
from ruiji.progress import Reporter

TARGETS = ("standard-format", "jsonl", "parquet")


@dataclass(frozen=True, slots=True, eq=False)
class Surveyed:
    """What the collection must know of a page: its links and compounds; nothing of one that fails, as the
    second reading will tell.
    """

    id: str
    url: str
    links: Sequence[Link] = ()
    compounds: KeyArray | None = None


def survey(pages: Sequence[Page]) -> list[Surveyed]:
    """What the collection must know of each page, for mapping over pages."""
    return [
        Surveyed(page.id, page.url)
        if isinstance(nodes, PageFailed)
        else Surveyed(page.id, page.url, links_of(page, nodes), compound_keys([nodes]))
        for page, nodes in zip(pages, text_nodes_of(pages, named=False), strict=True)
    ]


def not_surveyed(page: Page, error: str) -> Surveyed:
    """The row of a page that fails."""
    return Surveyed(page.id, page.url)


def links_of(page: Page, nodes: TextNodes) -> list[Link]:
    """The links of a page, each text and address once; of a page in standard format those that it names."""
    links = dict.fromkeys(given_links(page, "out_links"))
    base = resolve(nodes.base, page.url) if nodes.base else page.url
    addresses = [resolve(href, base) for href in nodes.hrefs]
    for text, link in zip(nodes.texts, nodes.link.tolist(), strict=True):
        if link >= 0 and addresses[link]:
            links[Link(text.strip(), addresses[link])] = None
    return list(links)


@dataclass(frozen=True, slots=True)
class Converted:
    """The standard-format document of a page, or why there is none."""

    id: str
    document: Document | None
    error: str


@dataclass(frozen=True, slots=True)
class ToStandardFormat:
    """The function that is mapped over pages: text nodes, sentences. ``compounds`` is a file of counts, ""
    for none.
    """

    compounds: str = ""

    def __call__(self, pages: Sequence[Page]) -> list[Converted]:
        found = text_nodes_of(pages, named=False)
        good = [nodes for nodes in found if not isinstance(nodes, PageFailed)]
        table = sentence_table(good, CompoundCounts.load(Path(self.compounds)) if self.compounds else None)
        borders = pairwise(table.page.searchsorted(range(len(good) + 1)).tolist())
        return [
            self.failed(page, str(nodes))
            if isinstance(nodes, PageFailed)
            else _converted_page(page, nodes, _rows(table, *next(borders)))
            for page, nodes in zip(pages, found, strict=True)
        ]

    def failed(self, page: Page, error: str) -> Converted:
        return Converted(page.id, None, error)


def _rows(table: SentenceTable, start: int, end: int) -> list[Sentence]:
    """The sentences of a page, which has these rows of the table."""
    texts, offsets = table.texts[start:end], table.offset[start:end].tolist()
    return [
        Sentence(number, text, offset, len(text), is_japanese(text))
        for number, (text, offset) in enumerate(zip(texts, offsets, strict=True), start=1)
    ]


def _converted_page(page: Page, nodes: TextNodes, sentences: Sequence[Sentence]) -> Converted:
    given = given_sentences(page, nodes.texts)
    document = Document(
        page.url, nodes.encoding, nodes.title, sentences if given is None else given, links_of(page, nodes), given_links(page, "in_links"),
        id=page.id if page.id != page.url else "", title_place=given_title_place(page),
    )  # fmt: skip
    return Converted(page.id, document, "")


def documents(sources: Sequence[str], jobs: int, reporter: Reporter) -> Iterator[Document]:
    """The documents of the pages, with the links to them and anchors joined by the compounds of the
    collection.

    A page on standard input is a collection of one, and is read once.
    """
    if "-" in sources:
        if len(sources) > 1:
            reporter.say(
                "standard input can be read only once: links between pages and frequent compounds are not looked for"
            )
        yield from _converted(ToStandardFormat(), sources, jobs, reporter)
        return
    with linkage() as links, TemporaryDirectory(prefix="ruiji-") as folder:
        counts = CompoundCounts()
        for number, row in enumerate(
            reporter.watch(map_pages(survey, read_pages(sources), failed=not_surveyed, jobs=jobs))
        ):
            links.add(number, row.id, row.url, row.links)
            if row.compounds is not None:
                counts.add(row.compounds)
        links.finish()
        counts.save(Path(folder) / "compounds.npy")
        function = ToStandardFormat(str(Path(folder) / "compounds.npy"))
        del counts
        for number, document in _numbered(function, sources, jobs, reporter):
            known = {(link.text, link.url): link for link in (*document.in_links, *links.in_links(number))}
            yield replace(document, out_links=links.out_links(number), in_links=list(known.values()))


def _converted(
    function: ToStandardFormat, sources: Sequence[str], jobs: int, reporter: Reporter
) -> Iterator[Document]:
    for _, document in _numbered(function, sources, jobs, reporter):
        yield document


def _numbered(
    function: ToStandardFormat, sources: Sequence[str], jobs: int, reporter: Reporter
) -> Iterator[tuple[int, Document]]:
    """Each document with the number of its page in the input."""
    rows = map_pages(function, read_pages(sources), failed=function.failed, jobs=jobs)
    for number, row in enumerate(reporter.watch(rows)):
        if row.document is None:
            reporter.page_failed(row.id, row.error)
        else:
            yield number, row.document
