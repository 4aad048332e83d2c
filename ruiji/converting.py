"""``ruiji convert``: pages from any form into JSONL, Parquet or the standard format."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from corpora.page import Page
from corpora.standard_format import Document, Link, Sentence
from detector import is_japanese, sentences
from features.links import resolve
from features.textnodes import PageFailed, text_nodes

TARGETS = ("standard-format", "jsonl", "parquet")


@dataclass(frozen=True, slots=True)
class Converted:
    """The standard-format document of a page, or why there is none."""

    id: str
    document: Document | None
    error: str


@dataclass(frozen=True, slots=True)
class ToStandardFormat:
    """The function that is mapped over pages: text nodes, sentences, links."""

    def __call__(self, pages: Sequence[Page]) -> list[Converted]:
        return [self._one(page) for page in pages]

    def failed(self, page: Page, error: str) -> Converted:
        return Converted(page.id, None, error)

    def _one(self, page: Page) -> Converted:
        try:
            nodes = text_nodes(page)
        except PageFailed as failure:
            return self.failed(page, str(failure))
        found = [
            Sentence(number, sentence.text, sentence.offset, len(sentence.text), is_japanese(sentence.text))
            for number, sentence in enumerate(sentences(nodes), start=1)
        ]
        base = resolve(nodes.base, page.url) if nodes.base else page.url
        links: dict[tuple[str, str], None] = {}
        for node, text in enumerate(nodes.texts):
            if (link := int(nodes.link[node])) >= 0 and (target := resolve(nodes.hrefs[link], base)):
                links[text.strip(), target] = None
        out_links = [Link(text, target) for text, target in links]
        return Converted(page.id, Document(page.url, nodes.encoding, nodes.title, found, out_links), "")
