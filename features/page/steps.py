"""What the walk over a parsed page notes: a number an event, and what belongs to some of them.

A page becomes a short array; which element encloses what, where blocks begin, what lies inside a link is
then arithmetic on it (``trace.py``).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from ruiji.features.page import elements

# Events. A number that is none of these is the parser's number of an element that opens.
END = 0
SPACE = 1  # white space only
NEW_LINE_SPACE = 3  # the same, with a line end in it
TEXT = elements.TEXT
COMMENT = elements.COMMENT
LAST_NO_ELEMENT = 5  # the parser numbers text, comments and document types below all elements

# Attributes whose words say what an element is for, and the word for one that is not shown at first.
NAMING = frozenset(("class", "id", "role", "itemprop", "aria-label"))
HIDING = frozenset(("hidden", "aria-hidden", "style"))
HIDDEN_NAME = "hidden-at-first"
# Attributes whose text says what an element shows or is (Yoshida and Yamamoto 2009, section 3.2.3).
DESCRIBING = ("alt", "title")

# Attributes that a document is written from: where links and images lead, what a cell spans, the language of
# code, the formula of an image, and what the page says of itself. The most frequent come first: they are
# tried in this order.
DETAILS = tuple(
    (
        "class href id rel src type title alt width height role name content srcset itemprop alttext "
        "aria-level colspan data-lang data-language data-lazy data-lazy-src data-original data-src "
        "data-srcset data-type datetime display encoding itemtype lang rowspan start"
    ).split()
)
# Types of scripts that are data: what the page says of itself, and formulas.
DATA_SCRIPTS = ("application/ld+json", "math/tex", "math/asciimath", "math/mml")


@dataclass(frozen=True, slots=True, eq=False)
class Steps:
    """What the walk met in one page, in order: a number an event, and what belongs to some of them."""

    events: bytes  # the parser's numbers of elements are below 256
    texts: Sequence[str]
    customs: Mapping[int, str]  # event → name of an element that the parser knows by name only
    anchor_events: Sequence[int]
    hrefs: Sequence[str]
    marks: Sequence[tuple[int, str]]
    title: str
    base: str
    hidden: Mapping[str, int]
    name_events: Sequence[int]
    names: Sequence[str]
    # Event → alternative text and title of an element, where names are looked at.
    described: Sequence[tuple[int, str]]
    metas: Sequence[tuple[str, str]]  # name and content of what the head tells search engines and others
    # Of each attribute of DETAILS, where somebody asked for them, four numbers of 32 bits: its event, the
    # number of its name, where its value begins and ends among all of them, which are UTF-8.
    attribute_rows: bytes
    attribute_values: bytes
    blanks: Sequence[tuple[int, str]]  # event → white space as it stands, from the first code or <pre> on
    unseen: Sequence[tuple[int, str]]  # event → text of readings (ruby), data and formulas that is not shown
    named: bool  # whether somebody looked what attributes call the elements, and at the head
    detailed: bool  # whether somebody looked at all that a document is written from


class ElementNumbers(NamedTuple):
    """The parser's numbers of the elements that the loop tells apart."""

    ordinary: frozenset[int]  # passed without a look: most of those that may hold others
    childless: frozenset[int]
    looked_at: frozenset[int]  # for their names
    preformatted: frozenset[int]
    hidden: frozenset[int]
    anchor: int
    base: int
    title: int
    template: int
    meta: int
    readings: frozenset[int]  # of ruby


@lru_cache(maxsize=2)
def element_numbers(named: bool) -> ElementNumbers:
    """The numbers of the elements that the loop tells apart, where names are looked at or not."""
    number, numbered = elements.numbers(), elements.numbered
    looked_at = elements.NAMED if named else frozenset()
    childless = elements.ALWAYS_VOID - {"meta"} if named else elements.ALWAYS_VOID
    special = (
        elements.NOT_SHOWN
        | elements.ALWAYS_VOID
        | elements.PREFORMATTED
        | elements.READINGS
        | {"a", "base"}
        | looked_at
    )
    return ElementNumbers(
        ordinary=frozenset(number.values()) - numbered(special),
        childless=numbered(childless),
        looked_at=numbered(looked_at),
        preformatted=numbered(elements.PREFORMATTED),
        hidden=numbered(elements.NOT_SHOWN),
        anchor=number["a"],
        base=number["base"],
        title=number["title"],
        template=number["template"],
        meta=number["meta"],
        readings=numbered(elements.READINGS),
    )
