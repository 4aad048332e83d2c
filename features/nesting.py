"""A cap on nesting, before the parser sees the page: its time grows with the square of the depth.

Beyond the cap the tags are taken out and the text stays, as browsers do it at their own cap of 512: nothing a reader sees is lost.
"""

from __future__ import annotations

import re

import numpy as np

from features.elements import IMPLIED_END, VOID

MAX_DEPTH = 4096  # 0.05 to 0.1 s in the parser; 30,000 levels take seconds. No page of ours is deeper than 200

_MARKUP = re.compile(
    rb"<!--.*?(?:--!?>|\Z)"
    rb"|<(?P<raw>script|style|textarea|title|xmp|iframe|noembed|noframes)\b.*?(?:</(?P=raw)\b[^>]*>|\Z)"
    rb"|<plaintext.*\Z"
    rb"""|<(?P<close>/?)(?P<name>[a-zA-Z][^\s/>]*)(?:[^>"']|"[^"]*"|'[^']*')*>""",
    re.DOTALL | re.IGNORECASE,
)
_TRANSPARENT = frozenset(name.encode() for name in VOID | IMPLIED_END)


def may_be_deeper(markup: bytes, depth: int = MAX_DEPTH) -> bool:
    """Whether open tags, less closing ones, ever pile up beyond a depth: a bound by bytes alone, microseconds a page."""
    data = np.frombuffer(markup, dtype=np.uint8)
    starts = data[:-1] == ord("<")
    if np.count_nonzero(starts) <= depth:
        return False
    after = data[np.flatnonzero(starts) + 1]
    letter = after | 0x20
    step = ((letter >= ord("a")) & (letter <= ord("z"))).astype(np.int32) - (after == ord("/"))
    level = np.cumsum(step)
    return bool(level.size) and int((level - np.minimum.accumulate(np.minimum(level, 0))).max()) > depth


def cap_depth(markup: bytes, depth: int = MAX_DEPTH) -> tuple[bytes, int]:
    """The markup without the tags below a depth, and how many bytes of tags were taken out."""
    if not may_be_deeper(markup, depth):
        return markup, 0
    kept, position, removed = [], 0, 0
    open_elements: list[bytes] = []
    for match in _MARKUP.finditer(markup):
        name = (match.group("name") or b"").lower()
        if not name or name in _TRANSPARENT:
            continue
        if not match.group("close"):
            open_elements.append(name)
            below = len(open_elements) > depth
        elif name in open_elements[-64:]:  # stray end tags close nothing; a far mismatch is one
            below = len(open_elements) > depth
            while open_elements.pop() != name:
                pass
        else:
            below = len(open_elements) > depth
        if below:
            kept.append(markup[position : match.start()])
            position = match.end()
            removed += match.end() - match.start()
    kept.append(markup[position:])
    return b"".join(kept), removed
