"""``ruiji extract``: the content of each page, as text, as JSON lines or as HTML."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass

from chunker import FILTERS
from chunker.mask import ContentMask
from corpora.page import Page
from features.textnodes import PageFailed, TextNodes, text_nodes

FORMATS = ("text", "jsonl", "html")
_MARKER = re.compile(rb"<!--\s*(?:\(\(\(BEGIN|\)\)\)END) NOT CONTENT\s*-->")


@dataclass(frozen=True, slots=True)
class Extracted:
    """What is written of one page, and what the summary needs to know of it."""

    id: str
    output: bytes
    nodes: int
    error: str


@dataclass(frozen=True, slots=True)
class Extract:
    """The function that is mapped over pages: decode, parse, walk, mask, write."""

    filter: str = "none"
    format: str = "jsonl"
    with_nodes: bool = False

    def __call__(self, pages: Sequence[Page]) -> list[Extracted]:
        return [self._one(page) for page in pages]

    def failed(self, page: Page, error: str) -> Extracted:
        """The row of a page that gives no text: its record says why."""
        record = _record(page, None, None, error, self.with_nodes)
        return Extracted(page.id, _line(record) if self.format == "jsonl" else b"", 0, error)

    def _one(self, page: Page) -> Extracted:
        try:
            nodes = text_nodes(page)
        except PageFailed as failure:
            return self.failed(page, str(failure))
        mask = FILTERS[self.filter](nodes)
        return Extracted(page.id, self._output(page, nodes, mask), len(nodes), "")

    def _output(self, page: Page, nodes: TextNodes, mask: ContentMask) -> bytes:
        if self.format == "jsonl":
            return _line(_record(page, nodes, mask, "", self.with_nodes))
        if self.format == "html":
            markup = page.html if isinstance(page.html, bytes) else page.html.encode("utf-8", "replace")
            return _MARKER.sub(b"", markup)
        return nodes.shown_text(mask.content).encode("utf-8", "replace") + b"\n"


def _record(page: Page, nodes: TextNodes | None, mask: ContentMask | None, error: str, with_nodes: bool) -> dict[str, object]:
    """The JSON object of a page; one that failed has the same fields."""
    record: dict[str, object] = {
        "id": page.id,
        "url": page.url,
        "title": nodes.title if nodes else "",
        "encoding": nodes.encoding if nodes else "",
        "encoding_evidence": nodes.evidence if nodes else "",
        "text": nodes.shown_text(mask.content) if nodes and mask else "",
        "content_nodes": int(mask.content.sum()) if mask else 0,
        "nodes": len(nodes) if nodes else 0,
        "dropped": dict(nodes.dropped) if nodes else {},
        "error": error or None,
    }
    if with_nodes:
        record["labels"] = _labels(nodes, mask) if nodes and mask else []
    return record


def _labels(nodes: TextNodes, mask: ContentMask) -> list[dict[str, object]]:
    paths = nodes.element_paths()
    columns = zip(nodes.texts, mask.content.tolist(), mask.score.tolist(), nodes.element.tolist(), strict=True)
    return [
        {"text": text, "content": content, "score": round(score, 4), "path": paths[element]} for text, content, score, element in columns
    ]


def _line(record: dict[str, object]) -> bytes:
    return json.dumps(record, ensure_ascii=False).encode("utf-8", "replace") + b"\n"
