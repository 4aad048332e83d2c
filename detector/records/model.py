"""The values that everything about records works on."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

PERSON, ORGANISATION, THING = "person", "organisation", "other"
PRODUCT, EVENT = "product", "event"
OWN, SECTION = "own", "section"  # who states a field: the record itself, or the heading over its list
ADDRESS = "address"  # where the time of a page comes from: the year that its address names


@dataclass(frozen=True, slots=True)
class Field:
    """A field of a record: label as written, concept (or the folded label), kind, value as written, who
    states it.
    """

    label: str
    concept: str
    kind: str
    value: str
    origin: str = OWN


@dataclass(frozen=True, slots=True)
class Record:
    """One record of one page: where it stands, what it is called, its fields, those it has and leaves empty,
    the list it belongs to, what it is about, and what stands over it: the term or heading of its list.
    """

    path: str
    layout: str
    title: str
    fields: tuple[Field, ...]
    empty: tuple[str, ...] = ()
    group: str = ""
    kind: str = THING
    heading: str = ""


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
    digest: str = ""  # of the content: two crawls with the same one found the page unchanged
