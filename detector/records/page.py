"""The records of one page, with what comparing needs to know of the page: its site, its time, where its
links lead.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import xxhash

from ruiji.corpora.page import Page
from ruiji.detector.records.fields.concepts import Schema
from ruiji.detector.records.find import records_of
from ruiji.detector.records.model import PageRecords
from ruiji.detector.records.page_time import page_time
from ruiji.features.page.links import host_of, resolve
from ruiji.features.page.spans import cell_spans
from ruiji.features.page.textnodes import TextNodes


def page_records(
    page: Page, nodes: TextNodes, content: npt.NDArray[np.bool_], schema: Schema, crawled: str = ""
) -> PageRecords:
    """The records of a page inside its content."""
    time = page_time(page, nodes.texts, crawled)
    base = resolve(nodes.base, page.url) or page.url
    targets = {resolve(href, base) for href in nodes.hrefs}
    records = records_of(nodes, content, schema, cell_spans(page, nodes))
    links = tuple(sorted(set(filter(None, map(host_of, targets)))))
    text = "\n".join(text for text, kept in zip(nodes.texts, content, strict=True) if kept)
    digest = xxhash.xxh3_64_hexdigest(text.encode("utf-8", "replace"))
    return PageRecords(
        page.id, page.url, nodes.host, time.moment, time.source, links, tuple(records), digest=digest
    )
