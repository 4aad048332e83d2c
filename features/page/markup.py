"""What text nodes leave out of a page and a document is written from: the order of everything, some
attributes, white space in code, what is there without being shown.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ruiji.corpora.c_modules import compiled
from ruiji.features.arrays import IntArray
from ruiji.features.page.steps import Steps

if TYPE_CHECKING:
    from ruiji.features.page import _markup

_NONE: Mapping[str, str] = {}


class Attributes:
    """The attributes of a page's elements, which stand in the order of the page: made into a mapping for the
    elements that somebody asks about, and only then. The reference for the class in C.
    """

    def __init__(self, events: list[int], names: list[str], values: list[str]) -> None:
        if not len(events) == len(names) == len(values):
            raise ValueError("events, names and values of attributes are not as many")
        self._events, self._names, self._values = events, names, values

    def get(self, event: int, default: Mapping[str, str] = _NONE) -> Mapping[str, str]:
        """The attributes of the element that opens at an event, or the default where it has none."""
        first, end = bisect_left(self._events, event), bisect_right(self._events, event)
        return dict(zip(self._names[first:end], self._values[first:end], strict=True)) or default

    def named(self, name: str, part: str = "") -> list[tuple[int, str]]:
        """Event and value of the attributes of a name, or of those that have a part in their value."""
        rows = zip(self._events, self._names, self._values, strict=True)
        return [(event, value) for event, own, value in rows if own == name and part in value]


def attributes_of(events: list[int], names: list[str], values: list[str]) -> Attributes | _markup.Attributes:
    """The attributes, by the class in C where there is one."""
    in_c = compiled("ruiji.features.page._markup")
    return (Attributes if in_c is None else in_c.Attributes)(events, names, values)


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
    attributes: Attributes | _markup.Attributes
    blanks: Mapping[int, str]
    unseen: Mapping[int, str]
    customs: Mapping[int, str]
    metas: Sequence[tuple[str, str]]

    @classmethod
    def of(cls, steps: Steps, opened: IntArray, closed: IntArray) -> Markup:
        """The markup of a page that was walked in detail; its elements open and close at these events."""
        return cls(
            steps.events,
            opened,
            closed,
            attributes_of(list(steps.attribute_events), list(steps.attribute_names), list(steps.attributes)),
            dict(steps.blanks),
            dict(steps.unseen),
            steps.customs,
            steps.metas,
        )
