"""A cap on the attributes of an element, before the parser sees the page: it compares each with all before
it.
"""

from __future__ import annotations

import re
from itertools import islice

import numpy as np

from ruiji.features.page.nesting import after_tag

MAX_ATTRIBUTES = 1000  # a millisecond in the parser; 100,000 take it 20 s. Real elements have dozens
LONG_TAG = 4 * MAX_ATTRIBUTES  # bytes up to the first >: a tag with more attributes is longer

# Start tags of html and body with attributes: the parser gives those of each to the first, after a comparison
# with all that it has. Real pages have one of each, several where pages were put behind each other.
MAX_ROOTS = 16
_ROOT = re.compile(rb"<(?:html|body)(?=[\s/])", re.IGNORECASE)
_TAG_NAME = re.compile(rb"</?[a-zA-Z][^\s/>]*+")
_BETWEEN = re.compile(rb"[\s/]*+")
_ATTRIBUTE = re.compile(
    rb"""(?<![\s/])[\s/]*+[^\s/>][^\s/>=]*+(?:\s*+=\s*+(?:"[^"]*+"|'[^']*+'|[^\s>"'][^\s>]*+)?)?+"""
)


def cap_attributes(markup: bytes) -> tuple[bytes, int]:
    """The markup without the attributes beyond the cap, and how many bytes of them were taken out."""
    kept, position, read = [], 0, 0
    for start in _long_tags(markup):
        if start < read:  # in a value of the tag before
            continue
        read = _behind_attributes(markup, start)
        if markup[read : read + 1] == b">":
            continue
        end = after_tag(markup, read)
        if not end:  # the rest of the page is a tag without end: the parser leaves it out
            break
        kept.append(markup[position:read])
        position = read = end - 1
    kept.append(markup[position:])
    return b"".join(kept), len(markup) - sum(map(len, kept))


def bare_roots(markup: bytes) -> tuple[bytes, int]:
    """The markup with the attributes of html and body taken out of all tags but the first ones, and how many
    bytes of them there were.
    """
    kept, position, endless = [], 0, 0
    for root in islice(_ROOT.finditer(markup), MAX_ROOTS, None):
        if root.start() < position:  # in a value of the tag before
            continue
        end = after_tag(markup, root.end())
        if end:
            kept.append(markup[position : root.end()])
            position = end - 1
        elif (endless := endless + 1) > MAX_ROOTS:  # each look for the end goes through the whole page
            break
    kept.append(markup[position:])
    return b"".join(kept), len(markup) - sum(map(len, kept))


def _long_tags(markup: bytes) -> list[int]:
    """Where tags begin whose first > is far: by bytes alone, microseconds a page."""
    if len(markup) <= LONG_TAG:
        return []
    data = np.frombuffer(markup, dtype=np.uint8)
    starts = np.flatnonzero(data[:-1] == ord("<"))
    first = data[starts + 1]
    closing = (first == ord("/")) & (starts + 2 < len(data))
    letter = np.where(closing, data[np.minimum(starts + 2, len(data) - 1)], first) | 0x20
    starts = starts[(letter >= ord("a")) & (letter <= ord("z"))]
    ends = np.append(np.flatnonzero(data == ord(">")), len(data))
    return [int(start) for start in starts[ends[ends.searchsorted(starts)] - starts > LONG_TAG]]


def _behind_attributes(markup: bytes, start: int) -> int:
    """Where the attributes of a tag end, or where those up to the cap do."""
    name = _TAG_NAME.match(markup, start)
    position = name.end() if name else start
    for _ in range(MAX_ATTRIBUTES):
        attribute = _ATTRIBUTE.match(markup, position)
        if attribute is None:
            break
        position = attribute.end()
    return _BETWEEN.match(markup, position).end()  # type: ignore[union-attr]
