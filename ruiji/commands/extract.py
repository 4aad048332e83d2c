"""``ruiji extract``: the content of each page, as text, as JSON lines or as HTML."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass

from ruiji.chunker import AnnotationError, annotate, load_filter
from ruiji.chunker.filters import DEFAULT_FILTER
from ruiji.chunker.labels import labels_of_mask, regions_of
from ruiji.chunker.mask import ContentMask
from ruiji.corpora.page import Page
from ruiji.features.page.parser_input import PageFailed
from ruiji.features.page.parsing import text_nodes_of
from ruiji.features.page.textnodes import TextNodes

FORMATS = ("text", "jsonl", "html")


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

    filter: str = DEFAULT_FILTER
    format: str = "jsonl"
    with_nodes: bool = False
    model: str = ""
    fallback: str = ""

    def __call__(self, pages: Sequence[Page]) -> list[Extracted]:
        chosen = load_filter(self.filter, self.model, self.fallback)
        found = text_nodes_of(pages, chosen.named)
        masks = iter(chosen.masks([nodes for nodes in found if not isinstance(nodes, PageFailed)]))
        return [
            self.failed(page, str(nodes))
            if isinstance(nodes, PageFailed)
            else self._row(page, nodes, next(masks))
            for page, nodes in zip(pages, found, strict=True)
        ]

    def _row(self, page: Page, nodes: TextNodes, mask: ContentMask) -> Extracted:
        try:
            return Extracted(page.id, self._output(page, nodes, mask), len(nodes), "")
        except AnnotationError as error:
            return self.failed(page, str(error))

    def failed(self, page: Page, error: str) -> Extracted:
        """The row of a page that gives no text: its record says why."""
        record = _record(page, None, None, error, self.with_nodes)
        return Extracted(page.id, _line(record) if self.format == "jsonl" else b"", 0, error)

    def _output(self, page: Page, nodes: TextNodes, mask: ContentMask) -> bytes:
        if self.format == "jsonl":
            return _line(_record(page, nodes, mask, "", self.with_nodes))
        if self.format == "html":
            return _annotated(page, mask)
        return nodes.shown_text(mask.content).encode("utf-8", "replace") + b"\n"


def _annotated(page: Page, mask: ContentMask) -> bytes:
    """The page as it came, with the annotation comments that the mask says and no others."""
    labels = labels_of_mask(mask.content) if mask.labels is None else mask.labels
    written = annotate(page, regions_of(labels))
    return written.encode("utf-8", "replace") if isinstance(written, str) else written


def _record(
    page: Page, nodes: TextNodes | None, mask: ContentMask | None, error: str, with_nodes: bool
) -> dict[str, object]:
    """The JSON object of a page; one that failed has the same fields."""
    record: dict[str, object] = {
        "id": page.id, "url": page.url, "title": "", "encoding": "", "encoding_evidence": "", "text": "", "content_nodes": 0,
        "nodes": 0, "expected_f1": None, "dropped": {}, "error": error or None,
    }  # fmt: skip
    if nodes is not None and mask is not None:
        record |= {
            "title": nodes.title,
            "encoding": nodes.encoding,
            "encoding_evidence": nodes.evidence,
            "text": nodes.shown_text(mask.content),
            "content_nodes": int(mask.content.sum()),
            "nodes": len(nodes),
            "expected_f1": None if mask.expected_f1 is None else round(mask.expected_f1, 4),
            "dropped": dict(nodes.dropped),
        }
    if with_nodes:
        record["labels"] = _labels(nodes, mask) if nodes is not None and mask is not None else []
    return record


def _labels(nodes: TextNodes, mask: ContentMask) -> list[dict[str, object]]:
    paths = nodes.element_paths()
    columns = zip(
        nodes.texts, mask.content.tolist(), mask.score.tolist(), nodes.element.tolist(), strict=True
    )
    return [
        {"text": text, "content": content, "score": round(score, 4), "path": paths[element]}
        for text, content, score, element in columns
    ]


def _line(record: dict[str, object]) -> bytes:
    return json.dumps(record, ensure_ascii=False).encode("utf-8", "replace") + b"\n"
