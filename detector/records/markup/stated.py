"""The names that a page states for machines: people, organisations and offices of its JSON-LD.

They are a witness: a text of the page that is stated so is a name, however it looks. Who wrote or published
the page is left out, for that is said of every article.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ruiji.chunker.document.metadata.sources import json_ld_items
from ruiji.detector.records.fields.names import GOOD, name_strength
from ruiji.detector.records.fields.values import key_of
from ruiji.features.page.markup import Markup

LONGEST_NAME = 100  # characters
_PERSON = re.compile(r"(?:^|/)(?:Person|Patient|Physician)$")
_ORGANISATION = re.compile(
    r"(?:Organization|Business|Store|Corporation|Hospital|School|University|Library|Office|Hotel|Restaurant)$"
)
_MAKERS = tuple(
    "author creator publisher editor contributor reviewedBy copyrightHolder accountablePerson".split()
)


@dataclass(frozen=True, slots=True)
class StatedNames:
    """The keys of the names of people and of organisations."""

    people: frozenset[str] = frozenset()
    organisations: frozenset[str] = frozenset()


NOTHING_STATED = StatedNames()


def stated_names(markup: Markup | None) -> StatedNames:
    """The names that the JSON-LD of a page states."""
    items = list(json_ld_items(markup)) if markup is not None else []
    makers = [inner for item in items for key in _MAKERS for inner in _listed(item.get(key))]
    same = {id(maker) for maker in makers}
    called = {str(maker["@id"]) for maker in makers if isinstance(maker, dict) and "@id" in maker}
    known = [item for item in items if id(item) not in same and str(item.get("@id", "")) not in called]
    people = {name for name in _names(known, _PERSON) if name_strength(name) >= GOOD}
    return StatedNames(_keys(people), _keys(_names(known, _ORGANISATION)))


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def _names(items: Sequence[Mapping[str, Any]], types: re.Pattern[str]) -> Iterator[str]:
    """The names of the items of these types."""
    for item in items:
        name = item.get("name")
        kinds = [kind for kind in _listed(item.get("@type")) if isinstance(kind, str)]
        if isinstance(name, str) and len(name) <= LONGEST_NAME and any(map(types.search, kinds)):
            yield name


def _keys(names: Iterable[str]) -> frozenset[str]:
    return frozenset(key_of("name", name) for name in names) - {""}
