"""Frames that are left open in ``<noscript>``, closed.

The parser reads the inside of ``<noscript>`` as markup, so that its text is kept; a browser that runs scripts takes it as it stands. An
``<iframe …/>`` in there (a tag manager's, written as if HTML knew such an end) is no matter for the browser, and for the parser the
beginning of raw text that takes in the whole rest of the page. Tags are looked for in lower case only: such pages are made by programs,
and a search in any case takes ten times as long.
"""

from __future__ import annotations

FRAME = "iframe"  # has text only where it is left open


def close_frames(markup: bytes) -> bytes:
    """The markup, with an end tag for a frame that its ``<noscript>`` leaves open."""
    parts: list[bytes] = []
    done = 0
    start = markup.find(b"<noscript")
    while start >= 0 and (end := markup.find(b"</noscript", start)) >= 0:
        if markup.rfind(b"<iframe", start, end) > markup.rfind(b"</iframe", start, end):
            parts += (markup[done:end], b"</iframe>")
            done = end
        start = markup.find(b"<noscript", end)
    return b"".join((*parts, markup[done:])) if parts else markup
