"""What text nodes leave out of a page and a document is written from: the order of everything, some
attributes, white space in code, what is there without being shown.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ruiji.corpora.c_modules import compiled
from ruiji.features.arrays import IntArray
from ruiji.features.page.steps import DETAILS, Steps

if TYPE_CHECKING:
    from ruiji.features.page import _markup

_NONE: Mapping[str, str] = {}
_ROW = 16  # bytes


class Attributes:
    """The attributes of a page's elements, which stand in the order of the page: made into a mapping for the
    elements that somebody asks about, and only then. The reference for the class in C.

    ``rows`` and ``values`` are those of steps.Steps, ``names`` what attributes are called, by number.
    """

    def __init__(self, rows: bytes, values: bytes, names: tuple[str, ...]) -> None:
        if len(rows) % _ROW:
            raise ValueError("a row of an attribute has four numbers")
        self.rows, self.values, self.names = rows, values, names
        self._rows = np.frombuffer(rows, dtype=np.int32).reshape(-1, 4)
        self._events: list[int] = self._rows[:, 0].tolist()
        numbers, starts, ends = self._rows[:, 1:].T
        named = (numbers >= 0) & (numbers < len(names))
        fits = named & (starts >= 0) & (starts <= ends) & (ends <= len(values))
        if not fits.all() or (np.diff(self._rows[:, 0]) < 0).any():
            raise ValueError("rows of attributes are in order, with names and values that exist")

    def get(self, event: int, default: Mapping[str, str] = _NONE) -> Mapping[str, str]:
        """The attributes of the element that opens at an event, or the default where it has none."""
        names = self.names
        first, end = bisect_left(self._events, event), bisect_right(self._events, event)
        return {names[row[1]]: self._value(row) for row in self._rows[first:end].tolist()} or default

    def named(self, name: str, part: str = "") -> list[tuple[int, str]]:
        """Event and value of the attributes of a name, or of those that have a part in their value."""
        rows = ((row[0], self._value(row)) for row in self._rows.tolist() if self.names[row[1]] == name)
        return [(event, value) for event, value in rows if part in value]

    def mention(self, part: str) -> bool:
        """Whether a value may hold a part; False where none does."""
        return part.encode() in self.values

    def _value(self, row: Sequence[int]) -> str:
        return self.values[row[2] : row[3]].decode("utf-8", "replace")


def attributes_of(steps: Steps) -> Attributes | _markup.Attributes:
    """The attributes that a walk noted, by the class in C where there is one."""
    in_c = compiled("ruiji.features.page._markup")
    made = Attributes if in_c is None else in_c.Attributes
    return made(steps.attribute_rows, steps.attribute_values, DETAILS)


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
            attributes_of(steps),
            dict(steps.blanks),
            dict(steps.unseen),
            steps.customs,
            steps.metas,
        )
