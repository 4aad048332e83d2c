"""What ``clean`` gathers of each page: its document, and the sentences of its text.

A page that came as text is taken as it is, character for character, with the fields of its row; any other is
extracted as ``extract`` does.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ruiji.chunker.document.metadata.language import language_of
from ruiji.chunker.masking import MaskedPage, MaskSettings, masked_pages
from ruiji.corpora.errors import json_of
from ruiji.corpora.page import PLAIN_TEXT, Page, is_plain_text
from ruiji.detector.clean.staging import GatheredDocument, writable
from ruiji.detector.clean.units import Units, units_of
from ruiji.detector.gather.published import Published, published, stated
from ruiji.detector.pairs.relations import MIN_BITS
from ruiji.detector.sentences.topic import topic_fit
from ruiji.detector.sites import site_names, site_of
from ruiji.detector.urls import url_key
from ruiji.document import document_of
from ruiji.features.arrays import LongArray
from ruiji.features.page.links import resolve, resolve_all
from ruiji.features.text.dates import UNDATED, utc_time

FIELDS = ("title", "author", "published", "language", "markdown", "expected_f1")
LANGUAGE_SAMPLE = 500  # characters of a text that tell its language
_JAPANESE = re.compile("[ぁ-ゖァ-ヺー一-鿿々]+")
_SEPARATORS = re.compile(r"[\s_-]+")


@dataclass(frozen=True, slots=True)
class GatherDocuments:
    """The function that is mapped over pages."""

    masks: MaskSettings = field(default_factory=MaskSettings)

    def __call__(self, pages: Sequence[Page]) -> list[GatheredDocument]:
        texts = [page for page in pages if is_plain_text(page) and not page.error]
        given = iter(zip(texts, units_of([_text(page) for page in texts]), strict=True))
        others = iter(self._extracted([page for page in pages if not is_plain_text(page) or page.error]))
        return [
            _of_text(*next(given)) if is_plain_text(page) and not page.error else next(others)
            for page in pages
        ]

    def _extracted(self, pages: Sequence[Page]) -> list[GatheredDocument]:
        if not pages:
            return []
        results = masked_pages(pages, self.masks.load(), named=True, detailed=True)
        documents = [document_of(result) if isinstance(result, MaskedPage) else None for result in results]
        units = iter(units_of([writable(document.text) for document in documents if document is not None]))
        return [
            self.failed(page, getattr(result, "error", ""))
            if document is None or not isinstance(result, MaskedPage)
            else _of_markup(result, document.record(), next(units))
            for page, result, document in zip(pages, results, documents, strict=True)
        ]

    def failed(self, page: Page, error: str) -> GatheredDocument:
        """The row of a page that gives no text: why."""
        return GatheredDocument(_page_row(page, Published()) | {"error": writable(error or page.error)})


def _of_text(page: Page, units: Units) -> GatheredDocument:
    """A page that came as text."""
    text, extra = _text(page), page.extra
    said = str(extra.get("published") or "")
    language = str(extra.get("language") or "") or language_of(text[:LANGUAGE_SAMPLE], "")[0]
    record = {
        **{name: writable(str(extra.get(name) or "")) for name in FIELDS if name != "expected_f1"},
        "language": language,
        "expected_f1": _number(extra.get("expected_f1")),
        "dropped": _json(extra.get("dropped") or {}),
        "metadata": _metadata(extra),
    }
    day = stated(said) if said else Published()
    row = _page_row(page, day if day.day else published(Page(page.id, page.url)))  # by its address
    return _document(page, row, record, text, units, None, ())


def _of_markup(masked: MaskedPage, document: Mapping[str, Any], units: Units) -> GatheredDocument:
    """A page that was extracted."""
    page, nodes, mask = masked.page, masked.nodes, masked.mask
    sizes = np.array([len(text) for text in nodes.texts], dtype=np.float64) * mask.content
    precision = float((sizes * mask.score).sum() / sizes.sum()) if sizes.any() else None
    record = {
        **{name: document[name] for name in FIELDS},
        "dropped": _json(document["dropped"]),
        "metadata": _metadata(page.extra),
        "expected_precision": None if precision is None else round(precision, 4),
    }
    wanted = np.flatnonzero(units.bits >= MIN_BITS)
    fit = np.zeros(len(units), dtype=np.int64)
    fit[wanted] = topic_fit(units.texts, wanted.tolist())
    base = resolve(nodes.base, page.url) if nodes.base else page.url
    targets = {url_key(writable(address)) for address in resolve_all(nodes.hrefs, base).values() if address}
    row = _page_row(page, published(page))
    return _document(page, row, record, writable(document["text"]), units, fit, sorted(targets))


def _document(
    page: Page,
    row: dict[str, Any],
    record: dict[str, Any],
    text: str,
    units: Units,
    fit: LongArray | None,
    targets: Sequence[int],
) -> GatheredDocument:
    strong = units.bits >= MIN_BITS
    row |= {
        "chars": len(text),
        "units": len(units),
        "different": units.different,
        "letters": int(units.length[strong].sum()),
        "named": _naming(page.url, text, units, strong.nonzero()[0].tolist()),
        "digest": units.digest,
        "expected_f1": record["expected_f1"],
    }
    record |= {
        "site": row["site"],
        "japanese": round(sum(map(len, _JAPANESE.findall(text))) / max(1, len(text)), 4),
    }
    return GatheredDocument(row, record, text, units, fit, targets)


def _page_row(page: Page, day: Published) -> dict[str, Any]:
    """The row of a page of which nothing is known yet."""
    url = writable(page.url)
    return {
        "id": writable(page.id), "url": url, "site": site_of(url),
        "changed": utc_time(page.last_modified) or UNDATED,
        "published": f"{day.day} {day.by}" if day.day else "",
        "chars": 0, "units": 0, "different": 0, "letters": 0, "named": 0, "digest": "",
        "expected_f1": None, "error": None,
    }  # fmt: skip


def _naming(url: str, text: str, units: Units, wanted: Sequence[int]) -> int:
    """How many of the long sentences name the page's own site: who copies a text copies that too."""
    whole = _SEPARATORS.sub("", text.lower())
    names = [name for name in site_names(url) if name in whole]
    if not names:
        return 0
    texts = (_SEPARATORS.sub("", units.texts[number].lower()) for number in wanted)
    return sum(any(name in text for name in names) for text in texts)


def _metadata(extra: Mapping[str, Any]) -> str:
    """The fields of a row that have no column, as a JSON object; those of its own metadata among them."""
    rest = {
        name: value
        for name, value in extra.items()
        if name not in (*FIELDS, PLAIN_TEXT, "dropped", "metadata")
    }
    given = extra.get("metadata")
    if isinstance(given, str):
        try:
            given = json_of(given)
        except ValueError:
            given = {"metadata": given}
    return _json({**rest, **(given if isinstance(given, Mapping) else {})})


def _json(value: Mapping[str, Any]) -> str:
    return writable(json.dumps(value, ensure_ascii=False, default=str, sort_keys=True))


def _number(value: Any) -> float | None:
    return float(value) if isinstance(value, (int, float)) else None


def _text(page: Page) -> str:
    """The text that a page came as."""
    return writable(page.extra[PLAIN_TEXT])
