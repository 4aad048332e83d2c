"""What text nodes leave out of a page and a document is written from: the order of everything, some
attributes, white space in code, what is there without being shown.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from types import ModuleType

from ruiji.features.arrays import IntArray
from ruiji.features.page.steps import Steps

Attributes = dict[int, dict[str, str]]  # of each event
NamedAttributes = dict[str, list[tuple[int, str]]]  # event and value, of each name


@lru_cache(maxsize=1)
def compiled() -> ModuleType | None:
    """The loop in C, or None where it was not built."""
    try:
        from ruiji.features.page import _markup
    except ImportError:
        return None
    return _markup


def by_event_and_name(
    events: list[int], names: list[str], values: list[str]
) -> tuple[Attributes, NamedAttributes]:
    """The attributes of each event and those of each name: the reference for the loop in C."""
    attributes: Attributes = {}
    by_name: NamedAttributes = {}
    for event, name, value in zip(events, names, values, strict=True):
        attributes.setdefault(event, {})[name] = value
        by_name.setdefault(name, []).append((event, value))
    return attributes, by_name


@dataclass(frozen=True, slots=True, eq=False)
class Markup:
    """The events of a page in their order (see walk), those at which its elements open and close, and what
    belongs to some of them, by event.

    ``attributes`` are those of walk.DETAILS, ``blanks`` the white space from the first code on, ``unseen``
    texts that are not shown: readings of ruby, data and formulas in scripts. ``customs`` are the names of
    elements that the parser knows by name only, ``metas`` name and content of the head's meta elements.
    """

    events: bytes
    opened: IntArray
    closed: IntArray
    attributes: Mapping[int, Mapping[str, str]]
    blanks: Mapping[int, str]
    unseen: Mapping[int, str]
    customs: Mapping[int, str]
    metas: Sequence[tuple[str, str]]
    by_name: Mapping[str, Sequence[tuple[int, str]]]  # the attributes of a name, as event and value

    @classmethod
    def of(cls, steps: Steps, opened: IntArray, closed: IntArray) -> Markup:
        """The markup of a page that was walked in detail; its elements open and close at these events."""
        group = by_event_and_name if (in_c := compiled()) is None else in_c.by_event_and_name
        attributes, by_name = group(
            list(steps.attribute_events), list(steps.attribute_names), list(steps.attributes)
        )
        return cls(
            steps.events,
            opened,
            closed,
            attributes,
            dict(steps.blanks),
            dict(steps.unseen),
            steps.customs,
            steps.metas,
            by_name,
        )
