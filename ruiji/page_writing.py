"""Pages in the formats that ``ruiji extract`` writes: the function that workers map over pages."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field

from ruiji.chunker.labels import labels_of_mask, regions_of
from ruiji.chunker.masking import MaskedPage, MaskSettings, masked_pages
from ruiji.corpora.page import Page
from ruiji.document import (
    Document,
    DocumentSettings,
    content_markdown,
    content_text,
    document_of,
    is_unsure,
    tei_of,
    without_text,
)

# Expected F1 below which a mask is a guess: of the held-out pages of the shipped model a third have an F1
# below one half there (chunker/pretrained/default/calibration.json)
GUESS = 0.5
ROWS = frozenset(("jsonl", "parquet"))  # formats with a row a page, also for one that failed


@dataclass(frozen=True, slots=True)
class WrittenPage:
    """What is written of one page, and what the summary needs to know of it."""

    id: str
    output: bytes
    nodes: int
    error: str
    is_empty: bool = False  # nothing of the page is content
    is_guess: bool = False  # it expects so little of itself that the text may as well be the wrong one


@dataclass(frozen=True, slots=True)
class WritePages:
    """The function that is mapped over pages: mask, document, bytes in the format that is wanted."""

    masks: MaskSettings = field(default_factory=MaskSettings)
    format: str = "jsonl"
    with_nodes: bool = False
    documents: DocumentSettings = field(default_factory=DocumentSettings)
    several: bool = False  # pages, which are parted by their addresses
    least: float | None = None  # expected F1 of a page whose text is written

    def __call__(self, pages: Sequence[Page]) -> list[WrittenPage]:
        return [
            self._written(result)
            if isinstance(result, MaskedPage)
            else self.failed(result.page, result.error)
            for result in masked_pages(
                pages, self.masks.load(), True, self._is_detailed, regions=self.format == "html"
            )
        ]

    @property
    def takes_utf8(self) -> bool:
        """Whether pages may come as UTF-8: where they are not written again as they came."""
        return self.format != "html"

    @property
    def _is_detailed(self) -> bool:
        return self.format not in ("text", "html")

    def failed(self, page: Page, error: str) -> WrittenPage:
        """The row of a page that gives no text: its record says why."""
        output = self._line(Document(page.id, page.url, error=error)) if self.format in ROWS else b""
        return WrittenPage(page.id, output, 0, error)

    def _written(self, masked: MaskedPage) -> WrittenPage:
        if self.format != "html":
            return self._read(masked)
        from ruiji.chunker.annotation.reading import AnnotationError

        try:
            return self._read(masked)
        except AnnotationError as error:
            return self.failed(masked.page, str(error))

    def _read(self, masked: MaskedPage) -> WrittenPage:
        is_empty = self.format != "html" and not masked.mask.content.any()
        is_guess = not is_empty and is_unsure(masked.mask.expected_f1, GUESS)
        return WrittenPage(masked.page.id, self._output(masked), len(masked.nodes), "", is_empty, is_guess)

    def _output(self, masked: MaskedPage) -> bytes:
        if is_unsure(masked.mask.expected_f1, self.least):
            return (
                self._line(without_text(document_of(masked, self.documents))) if self.format in ROWS else b""
            )
        if self.format == "html":
            return annotated_page(masked)
        if self.format == "text":
            return self._parted(masked.page, content_text(masked, self.documents))
        if self.format == "markdown":
            return self._parted(masked.page, content_markdown(masked, self.documents))
        document = document_of(masked, self.documents)
        if self.format in ROWS:
            return self._line(document)
        return tei_of(document).encode("utf-8", "replace") + b"\n"

    def _parted(self, page: Page, text: str) -> bytes:
        """The text of a page, under its address where there are several."""
        head = (
            f"<!-- {page.url.replace('--', '%2D%2D')} -->\n\n"
            if self.format == "markdown"
            else f"=== {page.url} ===\n\n"
        )
        return f"{head if self.several else ''}{text}\n{chr(10) if self.several else ''}".encode(
            "utf-8", "replace"
        )

    def _line(self, document: Document) -> bytes:
        record = document.record()
        if self.with_nodes:
            record["labels"] = document.labels()
        return json.dumps(record, ensure_ascii=False).encode("utf-8", "replace") + b"\n"


def annotated_page(masked: MaskedPage) -> bytes:
    """The page as it came, with annotation comments around what the mask leaves out and no others."""
    from ruiji.chunker.annotation.writing import annotate

    mask = masked.mask
    labels = labels_of_mask(mask.content) if mask.labels is None else mask.labels
    html = annotate(masked.page, regions_of(labels))
    return html.encode("utf-8", "replace") if isinstance(html, str) else html
