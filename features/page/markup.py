"""What text nodes leave out of a page and a document is written from: the order of everything, some
attributes, white space in code, what is there without being shown.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ruiji.features.arrays import IntArray
from ruiji.features.page.steps import Steps


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
        attributes: dict[int, dict[str, str]] = {}
        by_name: dict[str, list[tuple[int, str]]] = {}
        own: dict[str, str] = {}
        last = -1  # event: the attributes of an element follow each other
        for event, name, value in zip(
            steps.attribute_events, steps.attribute_names, steps.attributes, strict=True
        ):
            if event != last:
                own, last = attributes.setdefault(event, {}), event
            own[name] = value
            if name in by_name:
                by_name[name].append((event, value))
            else:
                by_name[name] = [(event, value)]
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
