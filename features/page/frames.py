"""Frames that are left open in ``<noscript>``, closed.

The parser reads the inside of ``<noscript>`` as markup, so that its text is kept; a browser that runs scripts
takes it as it stands. An ``<iframe …/>`` in there (a tag manager's, written as if HTML knew such an end) is
no matter for the browser, and for the parser the beginning of raw text that takes in the whole rest of the
page. Tags are looked for in lower case only: such pages are made by programs, and a search in any case takes
ten times as long.
"""

from __future__ import annotations

from itertools import pairwise

FRAME = "iframe"  # has text only where it is left open


def missing_ends(markup: bytes) -> list[int]:
    """The places where the end tag of a frame is missing: before the end of its ``<noscript>``."""
    places = []
    start = markup.find(b"<noscript")
    while start >= 0 and (end := markup.find(b"</noscript", start)) >= 0:
        if markup.rfind(b"<iframe", start, end) > markup.rfind(b"</iframe", start, end):
            places.append(end)
        start = markup.find(b"<noscript", end)
    return places


def close_frames(markup: bytes) -> bytes:
    """The markup, with an end tag for a frame that its ``<noscript>`` leaves open."""
    ends = missing_ends(markup)
    return (
        b"</iframe>".join(markup[start:end] for start, end in pairwise((0, *ends, len(markup))))
        if ends
        else markup
    )
