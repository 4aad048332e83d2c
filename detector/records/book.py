"""The records of many pages, compared: what each page gives, and what all of them say together.

book = compared_pages([page_records(page, nodes, mask.content, schema) for ...], schema)
book.places, book.pairs, book.lists, book.contradictions
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

import numpy as np
import numpy.typing as npt

from ruiji.corpora.page import Page
from ruiji.detector.records.compare.contradictions import Contradiction, contradictions
from ruiji.detector.records.compare.correspondence import (
    Collection,
    ListPair,
    Pair,
    Place,
    corresponding,
    counted_links,
    learned_fields,
    list_pairs,
    place_of,
    sets_of,
    without_templates,
)  # fmt: skip
from ruiji.detector.records.compare.learned_labels import learned_names
from ruiji.detector.records.compare.relevance import DEFAULT_RULE, Rule
from ruiji.detector.records.fields.concepts import Schema
from ruiji.detector.records.markup.find import Record, records_of
from ruiji.detector.records.markup.page_time import page_time
from ruiji.features.page.links import host_of, resolve
from ruiji.features.page.spans import cell_spans
from ruiji.features.page.textnodes import TextNodes


@dataclass(frozen=True, slots=True)
class PageRecords:
    """What is kept of one page: where and when it is from, the sites that its links lead to, its records; or
    why there are none.
    """

    id: str
    url: str
    site: str = ""
    time: datetime | None = None
    time_source: str = ""
    links: tuple[str, ...] = ()
    records: tuple[Record, ...] = ()
    error: str = ""


@dataclass(frozen=True, slots=True)
class Book:
    """All that was found; ``sets`` has for each place the number of the set in which every pair
    corresponds.
    """

    places: Sequence[Place]
    pairs: Sequence[Pair]
    lists: Sequence[ListPair]
    sets: Sequence[int]
    contradictions: Sequence[Contradiction]
    learned: Mapping[str, str]
    sources: Mapping[str, str]  # url → where the page's time comes from


def page_records(page: Page, nodes: TextNodes, content: npt.NDArray[np.bool_], schema: Schema) -> PageRecords:
    """The records of a page inside its content."""
    time = page_time(page, nodes.texts)
    base = resolve(nodes.base, page.url) or page.url
    targets = {resolve(href, base) for href in nodes.hrefs}
    found = records_of(nodes, content, schema, cell_spans(page, nodes))
    links = tuple(sorted(filter(None, map(host_of, targets))))
    return PageRecords(page.id, page.url, nodes.host, time.moment, time.source, links, tuple(found))


def compared_pages(pages: Sequence[PageRecords], schema: Schema, rule: Rule = DEFAULT_RULE) -> Book:
    """The book of these pages; their order does not matter.

    Labels that nobody knows are learned from the first round of correspondences and used in the second.
    """
    pages = sorted(pages, key=lambda page: page.url)
    places = [
        place_of(0, page.url, page.site, page.time, record) for page in pages for record in page.records
    ]
    places = _numbered(without_templates(places))
    links = counted_links((page.site, page.links) for page in pages)
    collection = Collection(places, links, schema, rule)
    pairs = corresponding(collection)
    names = learned_names(collection, pairs)
    if names:
        places = [_renamed(place, names, schema) for place in places]
        collection = Collection(places, links, schema, rule)
        pairs = corresponding(collection)
    return Book(
        places=places,
        pairs=pairs,
        lists=list_pairs(collection, pairs),
        sets=sets_of(pairs, len(places)),
        contradictions=contradictions(collection, pairs),
        learned={label or slot: concept for (slot, label), concept in names.items()},
        sources={page.url: page.time_source for page in pages},
    )


def _numbered(places: Sequence[Place]) -> list[Place]:
    return [
        place_of(number, place.url, place.site, place.time, place.record)
        for number, place in enumerate(places)
    ]


def _renamed(place: Place, names: Mapping[tuple[str, str], str], schema: Schema) -> Place:
    return place_of(
        place.number,
        place.url,
        place.site,
        place.time,
        learned_fields(place.record, names, schema, place.url),
    )
