"""A page as people want it: its content as text, with what is known of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ruiji.chunker.mask import ContentMask
from ruiji.chunker.masking import MaskedPage, MaskSettings, masked_pages
from ruiji.corpora.page import Page
from ruiji.features.page.textnodes import TextNodes


@dataclass(frozen=True, slots=True, eq=False)
class Document:
    """The content of a page.

    ``text`` is what a reader of the page reads, ``nodes`` are all text nodes of the page and ``mask`` says
    which of them are content. ``expected_f1`` is how good the text is likely to be, as the F1 of its words;
    None where the filter cannot say. ``dropped`` counts characters that are in no text node, by reason. A
    page that failed has an ``error``, no text, no nodes and no mask.

    >>> import ruiji
    >>> document = ruiji.extract("<title>Ferries</title><p>At seven.</p>", filter="none")
    >>> document.title, document.text, document.content_nodes
    ('Ferries', 'At seven.', 1)
    """

    id: str
    url: str
    title: str = ""
    text: str = ""
    encoding: str = ""
    encoding_evidence: str = ""
    expected_f1: float | None = None
    dropped: Mapping[str, int] = field(default_factory=dict)
    nodes: TextNodes | None = None
    mask: ContentMask | None = None
    error: str = ""

    @property
    def content_nodes(self) -> int:
        """The number of text nodes that are content."""
        return 0 if self.mask is None else int(self.mask.content.sum())

    def labels(self) -> list[dict[str, Any]]:
        """Each text node with its text, whether it is content, how surely, and its path in the page."""
        if self.nodes is None or self.mask is None:
            return []
        paths = self.nodes.element_paths()
        columns = (self.nodes.texts, self.mask.content.tolist(), self.mask.score.tolist())
        return [
            {"text": text, "content": content, "score": round(score, 4), "path": paths[element]}
            for text, content, score, element in zip(*columns, self.nodes.element.tolist(), strict=True)
        ]

    def record(self) -> dict[str, Any]:
        """The document as one JSON object, as ``ruiji extract --format jsonl`` writes it."""
        return {
            "id": self.id,
            "url": self.url,
            "title": self.title,
            "encoding": self.encoding,
            "encoding_evidence": self.encoding_evidence,
            "text": self.text,
            "content_nodes": self.content_nodes,
            "nodes": 0 if self.nodes is None else len(self.nodes),
            "expected_f1": None if self.expected_f1 is None else round(self.expected_f1, 4),
            "dropped": dict(self.dropped),
            "error": self.error or None,
        }


def document_of(masked: MaskedPage) -> Document:
    """The document of a page with its mask."""
    nodes = masked.nodes
    return Document(
        id=masked.page.id,
        url=masked.page.url,
        title=nodes.title,
        text=masked.text,
        encoding=nodes.encoding,
        encoding_evidence=nodes.evidence,
        expected_f1=masked.mask.expected_f1,
        dropped=dict(nodes.dropped),
        nodes=nodes,
        mask=masked.mask,
    )


@dataclass(frozen=True, slots=True)
class DocumentsOfPages:
    """The function that is mapped over pages."""

    masks: MaskSettings = field(default_factory=MaskSettings)

    def __call__(self, pages: Sequence[Page]) -> list[Document]:
        return [
            document_of(result) if isinstance(result, MaskedPage) else self.failed(result.page, result.error)
            for result in masked_pages(pages, self.masks.load())
        ]

    def failed(self, page: Page, error: str) -> Document:
        """The document of a page that gives no text: why."""
        return Document(page.id, page.url, error=error)
