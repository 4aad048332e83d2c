"""What kinds of HTML element there are, by name, and the numbers the parser gives them."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from selectolax.lexbor import LexborHTMLParser

from ruiji.features.arrays import BoolArray

# Elements that begin and end a block: the block-level elements of HTML 4.01 with those that may hold them
# (list items, table parts), today's sectioning elements, and BODY for text directly in it (Yoshida and
# Yamamoto 2009, section 3.2.2).
BLOCK_LEVEL = frozenset(
    (
        "address article aside blockquote body caption center dd details dialog dir div dl dt fieldset "
        "figcaption figure "
        "footer form frameset h1 h2 h3 h4 h5 h6 header hgroup html isindex legend li listing main menu nav "
        "noframes noscript "
        "ol optgroup option p plaintext pre search section select summary table tbody td textarea tfoot th "
        "thead tr ul xmp"
    ).split()
)

# Elements whose text a browser does not show (WHATWG HTML, 15.3.1, and fallback content that is never
# rendered). Each is counted by its name. The title has a field of its own; <noscript> is kept, see textnodes.
NOT_SHOWN = frozenset(
    "audio canvas datalist iframe noembed noframes rp script style template title video".split()
)

# Likewise inside SVG only; elsewhere a browser shows them as it shows any unknown element.
NOT_SHOWN_IN_SVG = frozenset(("desc", "metadata"))

# The readings of ruby, which stand beside the text that they tell how to read: not part of it (JIS X 4051).
READINGS = frozenset(("rt", "rtc"))

VOID = frozenset(
    "area base basefont bgsound br col embed frame hr image img input keygen link meta param source "
    "track wbr".split()
)

# Of those, the ones that are never children of SVG or MathML, where elements of any name may hold others: the
# parser closes the drawing when it meets one (WHATWG HTML, 13.2.6.5).
ALWAYS_VOID = frozenset("br embed hr img meta".split())

# Elements whose end tag the parser supplies when the next one starts: unclosed, they do not nest.
IMPLIED_END = frozenset("body colgroup dd dt head html li option p tbody td tfoot th thead tr".split())

# White space in these is shown as it stands.
PREFORMATTED = frozenset("listing plaintext pre textarea xmp".split())

# Elements that break the line without being a block of text.
LINE_BREAK = frozenset(("br", "hr"))

_OTHERS = (
    "a abbr acronym applet b base bdi bdo big blink button cite code col colgroup data del dfn em embed "
    "font frame head i img "
    "input ins kbd label link map mark marquee math meta meter nobr object output picture progress q rb rt "
    "rtc ruby s samp "
    "slot small source span strike strong sub sup svg time tt u var area track wbr param basefont bgsound "
    "keygen br hr"
).split()

# Elements whose class and id are looked at: the blocks. Names of inline elements brought nothing.
NAMED = BLOCK_LEVEL - NOT_SHOWN - frozenset("html option".split())

# Every element name that is told apart; the place in this list stands for it in features.
NAMES = tuple(sorted(BLOCK_LEVEL | NOT_SHOWN | VOID | frozenset(_OTHERS)))

TEXT = 2  # lexbor's numbers for what is no element
COMMENT = 4
CUSTOM_NUMBER = (
    255  # ours for all elements that the parser knows by name only; its own numbers of those are addresses
)


@lru_cache(maxsize=1)
def numbers() -> dict[str, int]:
    """The parser's number of each element name that it knows; asked from the parser, so that an upgrade
    cannot break it.
    """
    parser = LexborHTMLParser("")
    known = {}
    for name in NAMES:
        number = parser.create_node(name).tag_id
        if number < CUSTOM_NUMBER:
            known[name] = number
    return known


@lru_cache(maxsize=1)
def names() -> dict[int, str]:
    """The element name of each number."""
    return {number: name for name, number in numbers().items()}


@lru_cache(maxsize=16)
def is_one_of(elements: frozenset[str]) -> BoolArray:
    """For each number of an element whether its name is in a set: a column of numbers is looked up in it."""
    table = np.zeros(CUSTOM_NUMBER + 1, dtype=np.bool_)
    table[list(numbered(elements))] = True
    return table


@lru_cache(maxsize=16)
def numbered(elements: frozenset[str]) -> frozenset[int]:
    """The numbers of a set of names."""
    return frozenset(number for name, number in numbers().items() if name in elements)
