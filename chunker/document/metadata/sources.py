"""The places in which pages say what they are: JSON-LD, meta elements, microdata, and elements by name."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ruiji.features.page.elements import numbers
from ruiji.features.page.markup import Markup
from ruiji.features.page.textnodes import TextNodes

# Types of schema.org that are works of somebody, before those that are the page around one.
_WORKS = re.compile(
    r"(?:Article|Posting|Report|Review|Recipe|NewsAnalysis|LiveBlog|Book|CreativeWork|VideoObject|Course|HowTo)$"
)
_PAGES = re.compile(r"(?:Page|WebSite|Product|Event)$")
SITE_METAS = ("og:site_name", "application-name", "apple-mobile-web-app-title", "al:android:app_name")
_MOST_ITEMS = 2000  # of all JSON-LD in a page: more is a data base
_LONGEST = 300  # characters of an element that names something


@dataclass(frozen=True, slots=True, eq=False)
class MetadataSources:
    """What a page says, by place. ``works`` are items of JSON-LD, those about works first; ``metas`` the
    content of meta elements by name in lower case, ``named`` elements with their attributes and texts in
    reading order.
    """

    works: Sequence[Mapping[str, Any]]
    items: Mapping[str, Mapping[str, Any]]  # of JSON-LD by @id
    metas: Mapping[str, Sequence[str]]
    named: Sequence[NamedElement]
    links: Mapping[str, str]  # rel → address
    texts: Sequence[str]  # of the page, all of them

    def meta(self, *names: str) -> Iterator[tuple[str, str]]:
        """Names and contents of meta elements of these names, in the order of the names."""
        for name in names:
            for content in self.metas.get(name, ()):
                yield name, content


@dataclass(frozen=True, slots=True)
class NamedElement:
    """An element that may say something of the page: ``first`` is the number of texts before it."""

    tag: str
    attributes: Mapping[str, str]
    text: str
    first: int


# Words in class, id, itemprop and rel that are looked at.
_NAMES = re.compile(
    r"author|byline|writer|contributor|date|time|publish|posted|modified|lastmod|edited|entry-meta|headline|title|license",
    re.IGNORECASE,
)


# Addresses of pages about one author, in the languages of the news that we measure on.
_AUTHOR_PAGE = re.compile(
    r"/(?:authors?|autor(?:en|es|i|zy)?|auteurs?|autore|writers?|columnists?|journalists?|reporters?|yazar(?:lar)?)/[^/?#]",
    re.IGNORECASE,
)


def is_of_author(href: str) -> bool:
    """Whether an address is that of a page about an author."""
    return _AUTHOR_PAGE.search(href) is not None


def headings_of(nodes: TextNodes, markup: Markup) -> MetadataSources:
    """What the title of a page is told from: headlines and meta elements, and JSON-LD where the page names
    its site or its title nowhere else.
    """
    metas = _metas(markup)
    if nodes.title and any(
        len(content) <= _LONGEST for name in SITE_METAS for content in metas.get(name, ())
    ):
        return MetadataSources((), {}, metas, _headlines(nodes, markup), {}, ())
    works, items = _works(markup)
    return MetadataSources(works, items, metas, _headlines(nodes, markup), {}, ())


def _headlines(nodes: TextNodes, markup: Markup) -> list[NamedElement]:
    events: list[int] = markup.opened[nodes.number == _number("h1")].tolist()
    return list(_elements(nodes, markup, events))


def _metas(markup: Markup) -> dict[str, list[str]]:
    metas: dict[str, list[str]] = {}
    for name, content in markup.metas:
        if text := " ".join(content.split()):
            metas.setdefault(name.strip().lower(), []).append(text)
    return metas


def sources_of(nodes: TextNodes, markup: Markup) -> MetadataSources:
    """All that a page says of itself."""
    works, items = _works(markup)
    links = dict(_links(nodes, markup))
    return MetadataSources(works, items, _metas(markup), list(_named(nodes, markup)), links, nodes.texts)


def _works(markup: Markup) -> tuple[list[Mapping[str, Any]], dict[str, Mapping[str, Any]]]:
    """The items of JSON-LD about works before those about pages, and all that have a name, by it."""
    items = list(json_ld_items(markup))
    works = [item for item in items if _is(item, _WORKS)] + [item for item in items if _is(item, _PAGES)]
    return works, {str(item["@id"]): item for item in items if "@id" in item and len(item) > 1}


def json_ld_items(markup: Markup) -> Iterator[Mapping[str, Any]]:
    """The objects of all JSON-LD, at any depth, in order; what cannot be read is left out."""
    stack: list[Any] = []
    for event, text in markup.unseen.items():
        if "ld+json" in markup.attributes.get(event, {}).get("type", ""):
            stack.append(_read_json(text))
    stack.reverse()
    count = 0
    while stack and count < _MOST_ITEMS:
        value = stack.pop()
        if isinstance(value, list):
            stack.extend(reversed(value))
        elif isinstance(value, dict):
            count += 1
            yield value
            stack.extend(reversed([inner for inner in value.values() if isinstance(inner, dict | list)]))


def _read_json(text: str) -> Any:
    """The value of a JSON text as pages write it: in comments, with raw line ends and commas too many."""
    text = re.sub(
        r"^\s*(?:<!--|/\*<!\[CDATA\[\*/|//<!\[CDATA\[|<!\[CDATA\[)|(?:-->|/\*\]\]>\*/|//\]\]>|\]\]>)\s*$",
        "",
        text.strip(),
    )
    for attempt in (text, re.sub(r",(\s*[}\]])", r"\1", text)):
        try:
            return json.loads(attempt, strict=False)
        except (ValueError, RecursionError):
            continue
    return None


def _is(item: Mapping[str, Any], pattern: re.Pattern[str]) -> bool:
    types = item.get("@type")
    return any(
        isinstance(kind, str) and pattern.search(kind)
        for kind in (types if isinstance(types, list) else [types])
    )


def _named(nodes: TextNodes, markup: Markup) -> Iterator[NamedElement]:
    looked_at: dict[str, bool] = {}  # elements share their names
    events: set[int] = set()
    for name in ("itemprop", "rel", "class", "id"):
        for event, value in markup.attributes.named(name):
            named = looked_at.get(value)
            if named is None:
                named = looked_at[value] = _NAMES.search(value) is not None
            if named:
                events.add(event)
    events.update(event for event, href in markup.attributes.named("href") if is_of_author(href))
    times = {
        int(markup.opened[element]) for element in np.flatnonzero(nodes.number == _number("time")).tolist()
    }
    yield from _elements(nodes, markup, sorted({*events, *times, *_headings(nodes, markup)}))


def _headings(nodes: TextNodes, markup: Markup) -> list[int]:
    """The events of headings."""
    is_heading = (nodes.number == _number("h1")) | (nodes.number == _number("h2"))
    events: list[int] = markup.opened[is_heading].tolist()
    return events


def _elements(nodes: TextNodes, markup: Markup, every: list[int]) -> Iterator[NamedElement]:
    for event, element in zip(every, markup.opened.searchsorted(every).tolist(), strict=True):
        first, end = int(nodes.first[element]), int(nodes.end[element])
        text = " ".join(" ".join(nodes.texts[first:end]).split()) if end - first < 40 else ""
        yield NamedElement(nodes.tag[element], markup.attributes.get(event, {}), text[: _LONGEST + 1], first)


def _number(tag: str) -> int:
    return numbers()[tag]


def _links(nodes: TextNodes, markup: Markup) -> Iterator[tuple[str, str]]:
    """What link elements and links of the page relate it to; the first of each kind counts."""
    known: set[str] = set()
    for event, value in markup.attributes.named("rel"):
        href = markup.attributes.get(event).get("href")
        for rel in value.lower().split() if href else ():
            if rel not in known:
                known.add(rel)
                yield rel, href or ""
