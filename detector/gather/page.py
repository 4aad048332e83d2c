"""What is gathered of each page for ``detect``: one parse, mask, sentences, links, and its row in
pages.parquet.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ruiji.chunker.masking import MaskedPage, MaskSettings, masked_pages
from ruiji.corpora.page import Page
from ruiji.corpora.standard_format import given_links
from ruiji.detector.gather.gathered import Gathered, Links, SentenceRows, Texts
from ruiji.detector.gather.headline_date import headline_day
from ruiji.detector.gather.occurrences import PageSentences, Usable, page_sentences
from ruiji.detector.gather.published import LINE, published
from ruiji.detector.gather.text_places import text_places
from ruiji.detector.sentences.language import in_language
from ruiji.detector.sentences.topic import frame_fit
from ruiji.detector.sites import naming
from ruiji.detector.urls import url_keys
from ruiji.features.page.links import host_of, resolve, resolve_all
from ruiji.features.page.textnodes import TextNodes
from ruiji.features.text.dates import utc_time


@dataclass(frozen=True, slots=True)
class Gather:
    """The function that is mapped over pages, in this machine's processes and in a cluster's alike."""

    masks: MaskSettings = field(default_factory=MaskSettings)
    usable: Usable = field(default_factory=Usable)
    language: str = ""  # of the pages that take part; "" for all

    @property
    def takes_utf8(self) -> bool:
        """That pages may come as UTF-8 (``workers.run_batch``)."""
        return True

    def __call__(self, pages: Sequence[Page]) -> list[Gathered]:
        results = masked_pages(pages, self.masks.load(), named=True)
        masked = [result for result in results if isinstance(result, MaskedPage) and self._takes_part(result)]
        nodes, masks = [result.nodes for result in masked], [result.mask for result in masked]
        sentences = iter(_with_places(masked, page_sentences(nodes, masks, self.usable)))
        return [
            self.failed(result.page, result.error)
            if not isinstance(result, MaskedPage)
            else gathered(result, next(sentences))
            if self._takes_part(result)
            else in_another_language(result)
            for result in results
        ]

    def _takes_part(self, masked: MaskedPage) -> bool:
        return not self.language or in_language("".join(masked.nodes.texts), self.language)

    def failed(self, page: Page, error: str) -> Gathered:
        """What is kept of a page that gives no text: why."""
        return Gathered(_record(page) | {"error": _clean(error)})


def _with_places(pages: Sequence[MaskedPage], found: list[PageSentences]) -> list[PageSentences]:
    """The sentences of each page, with where those that count stand in its extracted text."""
    chosen = [[own.texts[number] for number in own.chosen] for own in found]
    places = text_places([page.text for page in pages], chosen)
    for own, (start, end) in zip(found, places, strict=True):
        own.columns["text_start"][own.chosen] = start
        own.columns["text_end"][own.chosen] = end
    return found


def gathered(masked: MaskedPage, sentences: PageSentences) -> Gathered:
    """What is kept of a page: its record, sentences and links."""
    nodes = masked.nodes
    sentences.columns["names"][sentences.chosen] = naming(
        masked.page.url, (sentences.texts[number] for number in sentences.chosen)
    )
    record = _record(masked.page) | {
        "site": _clean(nodes.host),
        "title": nodes.title,
        "encoding": nodes.encoding,
        "nodes": len(nodes),
        "content_nodes": int(masked.mask.content.sum()),
        "long_chars": sentences.long_chars,
        "dropped": sorted(nodes.dropped.items()),
        "long_sentences": len(sentences.chosen),
        "digest": sentences.digest or None,
        "named": int(sentences.columns["names"].sum()),
        "frame_fit": frame_fit(sentences.inside, sentences.outside),
    }
    if not record["published"] and (day := headline_day(nodes)):
        record |= {"published": day, "published_by": LINE}
    return Gathered(record, SentenceRows.of(sentences), _links(masked.page, nodes))


def in_another_language(masked: MaskedPage) -> Gathered:
    """The row of a page that is read and takes no part: all its text nodes are dropped."""
    nodes = masked.nodes
    return Gathered(
        _record(masked.page)
        | {
            "site": _clean(nodes.host),
            "title": nodes.title,
            "encoding": nodes.encoding,
            "nodes": len(nodes),
            "dropped": sorted({**nodes.dropped, "language": len(nodes)}.items()),
        }
    )


def _record(page: Page) -> dict[str, Any]:
    """The row of a page of which nothing is known yet."""
    publication = published(page)
    return {
        "id": _clean(page.id), "url": _clean(page.url), "site": host_of(_clean(page.url)), "title": "",
        "encoding": "", "nodes": 0, "content_nodes": 0, "long_chars": 0, "dropped": [], "error": None,
        "last_modified": utc_time(page.last_modified) or None, "long_sentences": 0, "digest": None,
        "named": 0, "frame_fit": 0,
        "published": publication.day or None, "published_by": publication.by or None,
    }  # fmt: skip


def _links(page: Page, nodes: TextNodes) -> Links:
    """The links, each address once, with the first text that it has."""
    base = resolve(nodes.base, page.url) if nodes.base else page.url
    addresses = {href: _clean(address) for href, address in resolve_all(nodes.hrefs, base).items()}
    of_link = [addresses[href] for href in nodes.hrefs]
    texts = dict.fromkeys(addresses.values(), "")
    linked = np.flatnonzero(nodes.link >= 0)
    for node, link in zip(linked.tolist(), nodes.link[linked].tolist(), strict=True):
        if not texts[of_link[link]]:
            texts[of_link[link]] = nodes.texts[node].strip()
    for given in given_links(page, "out_links"):
        texts.setdefault(_clean(given.url), given.text)
    texts.pop("", None)
    addresses_ = list(texts)
    return Links(Texts.of(addresses_), Texts.of(list(texts.values())), np.unique(url_keys(addresses_)))


def _clean(text: str) -> str:
    """The text as it can be written: what is no character becomes a question mark."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode("utf-8")
