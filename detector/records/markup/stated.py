"""What a page states for machines of people, organisations, products and events: in JSON-LD, microdata and
hCard.

It is a witness: a text of the page that is stated to be a name is one, however it looks, and a text that is
stated to be a post or a telephone number has that label. Who wrote or published the page is left out, for
that is said of every article.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from html import unescape
from typing import Any

from ruiji.chunker.document.metadata.sources import json_ld_items
from ruiji.detector.records.fields.concepts import Schema
from ruiji.detector.records.fields.data import data_lines
from ruiji.detector.records.fields.names import GOOD, name_strength
from ruiji.detector.records.fields.values import key_of, number_in, shown
from ruiji.detector.records.markup.lines import PageLines
from ruiji.detector.records.model import ORGANISATION, OWN, PERSON, Field, Record
from ruiji.features.page.markup import Markup
from ruiji.features.page.textnodes import TextNodes

LONGEST_NAME = 100  # characters
MOST_ELEMENTS = 5000  # with a class or property of ours; a page of more is a catalogue
_PERSON = re.compile(r"(?:^|/)(?:Person|Patient|Physician)$")
_ORGANISATION = re.compile(
    r"(?:Organization|Business|Store|Corporation|Hospital|School|University|Library|Office|Hotel|Restaurant)$"
)
_PRODUCT = re.compile(r"(?:^|/)(?:Product|IndividualProduct|ProductModel|ProductGroup)$")
_EVENT = re.compile(r"(?:^|/)(?:(?!Broadcast|Delivery|Publication|OnDemand)\w*Event|Festival|Hackathon)$")
_MAKERS = tuple(
    "author creator publisher editor contributor reviewedBy copyrightHolder accountablePerson".split()
)
_ANY = re.compile("")
# Fields that a page may state and not show as such, of people and organisations, and of the others.
_ADDED = frozenset(("post", "phone", "mail", "address", "affiliation"))
_ADDED_TO_THINGS = frozenset(("time", "venue", "price", "code", "maker"))
_LABELS_OF_EVENTS = frozenset(("Date and time", "Venue"))
_ADDRESS_PARTS = "streetAddress addressLocality addressRegion postalCode".split()
_POINTS = ("contactPoint", "contactPoints")  # what is stated there is how to reach the item itself
_CARDS = {
    "vcard": "Person", "h-card": "Person", "vevent": "Event", "h-event": "Event", "hproduct": "Product",
    "h-product": "Product",
}  # fmt: skip
_NAMES = frozenset(("name", "fn", "p-name", "summary"))

Item = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class StatedNames:
    """The keys of the names of people, organisations, products and events, the labels of texts, and for the
    key of each name what is stated of it, with its label.
    """

    people: frozenset[str] = frozenset()
    organisations: frozenset[str] = frozenset()
    products: frozenset[str] = frozenset()
    events: frozenset[str] = frozenset()
    labels: Mapping[str, str] = field(default_factory=dict)
    fields: Mapping[str, tuple[tuple[str, str], ...]] = field(default_factory=dict)


NOTHING_STATED = StatedNames()


def stated_names(nodes: TextNodes) -> StatedNames:
    """What a page states, where its markup was kept."""
    if nodes.markup is None:
        return NOTHING_STATED
    known = [*_without_makers(list(json_ld_items(nodes.markup))), *_marked_items(nodes, nodes.markup)]
    people = {name for name in _names(known, _PERSON) if name_strength(name) >= GOOD}
    labels: dict[str, str] = {}
    fields: dict[str, tuple[tuple[str, str], ...]] = {}
    for item in known:
        if any(_is_of(item, kind) for kind in (_PERSON, _ORGANISATION, _PRODUCT, _EVENT)):
            for name in _keys(_names([item], _ANY)):
                fields.setdefault(name, tuple((label, text) for text, label in _labelled(item)))
            labels |= _labels(item)
    organisations, products, events = (
        _keys(_names(known, kind)) for kind in (_ORGANISATION, _PRODUCT, _EVENT)
    )
    return StatedNames(_keys(people), organisations, products, events, labels, fields)


def with_stated_labels(page: PageLines, stated: StatedNames) -> PageLines:
    """The lines of a page, those without a label under the one that is stated for their text."""
    if not stated.labels:
        return page
    lines = [
        replace(line, label=stated.labels.get(key_of("text", line.text), "")) if not line.label else line
        for line in page.lines
    ]
    return replace(page, lines=lines)


def _without_makers(items: list[Item]) -> list[Item]:
    """The items without those who made the page."""
    makers = [inner for item in items for key in _MAKERS for inner in _listed(item.get(key))]
    same = {id(maker) for maker in makers}
    called = {str(maker["@id"]) for maker in makers if isinstance(maker, dict) and "@id" in maker}
    return [item for item in items if id(item) not in same and str(item.get("@id", "")) not in called]


def _marked_items(nodes: TextNodes, markup: Markup) -> Iterator[Item]:
    """The items of microdata and hCard, in the form of JSON-LD: each element with a type, and the texts of
    the elements in it that have a property.
    """
    classes, properties = (_by_element(markup, name) for name in ("class", "itemprop"))
    types = {element: words[0] for element, words in _by_element(markup, "itemtype") if words}
    for element, words in classes:
        if card := next((_CARDS[word] for word in words if word in _CARDS), ""):
            types.setdefault(element, card)
    if not types:
        return
    # Blogs write the cards of those who wrote an article or a comment so.
    made = {element for element, words in properties if set(_MAKERS) & set(words)}
    made |= {element for element, words in classes if any("author" in word for word in words)}
    items: dict[int, dict[str, Any]] = {element: {"@type": kind} for element, kind in types.items()}
    for element, words in [*properties, *classes][:MOST_ELEMENTS]:
        scope = _around(nodes, element, types)
        text = "".join(nodes.texts[nodes.first[element] : nodes.end[element]]).strip()
        for word in map(str.lower, words if scope >= 0 and text else ()):
            if word in _NAMES or word in _known_properties():
                items[scope].setdefault("name" if word in _NAMES else word, text)
    yield from (item for element, item in items.items() if element not in made)


def _by_element(markup: Markup, attribute: str) -> list[tuple[int, list[str]]]:
    """The elements that have an attribute, with its words."""
    elements = {int(event): element for element, event in enumerate(markup.opened.tolist())}
    listed = markup.attributes.named(attribute)
    return [(elements[event], value.split()) for event, value in listed if event in elements]


def _around(nodes: TextNodes, element: int, types: Mapping[int, str]) -> int:
    """The nearest element with a type above an element; -1 for none."""
    above = int(nodes.parent[element])
    while above >= 0 and above not in types:
        above = int(nodes.parent[above])
    return above


@lru_cache(maxsize=1)
def _known_properties() -> Mapping[str, str]:
    """The label that each property of ``data/stated.txt`` stands for."""
    return {
        word: label
        for line in data_lines("stated.txt")
        for label, _, words in [line.partition(":")]
        for word in words.split()
    }


def _labels(item: Item) -> dict[str, str]:
    """The labels of the texts that an item states."""
    return {key: label for text, label in _labelled(item) if (key := key_of("text", text))}


def _labelled(item: Item) -> Iterator[tuple[str, str]]:
    """The texts that an item states, with their labels."""
    points = [point for name in _POINTS for point in _listed(item.get(name)) if isinstance(point, dict)]
    for name, value in (pair for part in (item, *points) for pair in part.items()):
        label = _known_properties().get(name.lower(), "")
        if label in _LABELS_OF_EVENTS and not _is_of(item, _EVENT):
            continue
        for inner in _listed(value) if label else ():
            text = _text_of(inner, label) if isinstance(inner, dict) else inner
            if isinstance(text, str) and 2 <= len(text) <= LONGEST_NAME:
                yield text, label


def _text_of(inner: Item, label: str) -> Any:
    """The text that stands for an inner item: the name of a venue, a price with its currency, an address."""
    if price := inner.get("price") or inner.get("lowPrice"):
        known = bool(number_in(str(price)))  # a price of nothing says that it is elsewhere
        return f"{price} {inner.get('priceCurrency', '')}".strip() if known else None
    texts = [_address(inner), inner.get("name")]
    return next(filter(None, reversed(texts) if label in _LABELS_OF_EVENTS else texts), None)


def _address(item: Item) -> str:
    """The parts of a postal address one after the other; "" for another item, or one without a street."""
    parts = [item.get(name) for name in _ADDRESS_PARTS]
    return ", ".join(part.strip() for part in parts if isinstance(part, str) and part.strip() if parts[0])


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def _is_of(item: Item, types: re.Pattern[str]) -> bool:
    return any(isinstance(kind, str) and types.search(kind) for kind in _listed(item.get("@type")))


def _names(items: Iterable[Item], types: re.Pattern[str]) -> Iterator[str]:
    """The names of the items of these types."""
    for item in items:
        name = item.get("name")
        if isinstance(name, str) and len(name) <= LONGEST_NAME and _is_of(item, types):
            yield unescape(name)


def _keys(names: Iterable[str]) -> frozenset[str]:
    return frozenset(key_of("name", name) for name in names) - {""}


def with_stated_fields(records: Iterable[Record], stated: StatedNames, schema: Schema) -> Iterator[Record]:
    """The records with what the page states of their names and does not show."""
    for record in records:
        added = _ADDED if record.kind in (PERSON, ORGANISATION) else _ADDED_TO_THINGS
        told = {one.concept for one in record.fields if one.origin == OWN}
        more = [
            Field(label, concept, schema.kind_of(concept), shown(text))
            for label, text in stated.fields.get(key_of("name", record.title), ())
            if (concept := schema.concept_of(label)) in added and concept not in told
        ]
        kept = [one for one in record.fields if one.concept not in {new.concept for new in more}]
        yield replace(record, fields=(*kept, *more)) if more else record
