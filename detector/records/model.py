"""The values that everything about records works on."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Field:
    """A field of a record: label as written, concept (or the folded label), kind, value as written."""

    label: str
    concept: str
    kind: str
    value: str


@dataclass(frozen=True, slots=True)
class Record:
    """One record of one page: where it stands, what it is called, its fields, those it has and leaves empty,
    the list it belongs to.
    """

    path: str
    layout: str
    title: str
    fields: tuple[Field, ...]
    empty: tuple[str, ...] = ()
    group: str = ""
