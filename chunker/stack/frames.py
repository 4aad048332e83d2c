"""What stands in a frame that its name calls comments or a dialog is no content beside the content.

A model that has learned from forums and from articles cannot tell posts from comments where both look alike,
and is at even odds. The page as a whole tells: where what is likeliest stands outside of all such frames, the
page is about that; where it stands in them, posts are what the page is for (docs/decisions).
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np

from ruiji.features.arrays import BoolArray, FloatArray
from ruiji.features.nodes.forest import Forest
from ruiji.features.page.textnodes import TextNodes

# Names of the frames that blogs, news sites and comment services put around comments. What only counts them,
# leads to them or asks for one is called so, too, and has names of its own.
COMMENTS = re.compile(
    r"(?:^|[\s_])(?:(?:reader|user|post|article|entry|dsq)[-_]?)?"
    r"(?:comments|comments?[-_]?(?:master[-_]?)?(?:list|area|section|wrapper|container|thread|block|body)"
    r"|comment[-_]?(?:content|text|entry|message|tpl))(?:-\d+)?(?=$|\s)",
    re.IGNORECASE,
)
# Windows over the page, by their role or by the names of a common toolkit: settings of cookies, forms to
# sign up.
DIALOGS = re.compile(r"(?:^|\s)(?:dialog|modal(?:-(?:content|dialog|body))?)(?=$|\s)", re.IGNORECASE)
FRAMES = ((COMMENTS, "omment"), (DIALOGS, "dialog"), (DIALOGS, "modal"))
OUT = -6.0  # log-odds of what stands in them, at most; -3 gives the same scores


def nodes_inside(nodes: TextNodes, pattern: re.Pattern[str], part: str) -> BoolArray:
    """Which text nodes stand in an element whose names match; ``part`` is in every name that does."""
    inside = np.zeros(len(nodes), dtype=np.bool_)
    if nodes.names is None:
        return inside
    of_element, reached = nodes.names.elements, 0
    for number in [number for number, names in enumerate(nodes.names.names) if part in names]:
        element = of_element[number]
        if nodes.end[element] > reached and pattern.search(nodes.names.names[number]):
            reached = int(nodes.end[element])  # what stands in it need not be asked
            inside[nodes.first[element] : reached] = True
    return inside


def out_of_place(pages: Forest, log_odds: FloatArray) -> BoolArray:
    """Which nodes stand in such a frame, while the likeliest of their page stands outside of all frames of
    that kind.
    """
    out = np.zeros(len(log_odds), dtype=np.bool_)
    said = "\0".join(pages.name_kinds[1])
    for pattern, part in FRAMES:
        inside = _inside(pages, pattern, _holding(said, part))
        for page in np.flatnonzero(np.bincount(pages.page[inside])).tolist():
            own = slice(*pages.page_start[page : page + 2].tolist())
            likeliest = log_odds[own][inside[own]].max()
            if likeliest < log_odds[own][~inside[own]].max(initial=-np.inf):
                out[own] |= inside[own]
    return out


def _inside(pages: Forest, pattern: re.Pattern[str], numbers: Iterator[int]) -> BoolArray:
    """``nodes_inside`` of all pages, by the names of these numbers: each name is asked once, however many
    elements have it.
    """
    kind, different = pages.name_kinds
    found = [number for number in numbers if pattern.search(different[number])]
    if not found:
        return np.zeros(len(pages), dtype=np.bool_)
    matches = np.zeros(len(different), dtype=np.bool_)
    matches[found] = True
    elements = pages.names[0][matches[kind]]
    size = len(pages) + 1
    entered = np.bincount(pages.first[elements], minlength=size)
    left = np.bincount(pages.end[elements], minlength=size)
    inside: BoolArray = np.cumsum(entered - left)[:-1] > 0
    return inside


def _holding(said: str, part: str) -> Iterator[int]:
    """The numbers of the names that ``part`` is in; few are, so they are looked for in all names at once,
    which a character that no name has parts.
    """
    number = end = 0
    while (at := said.find(part, end)) >= 0:
        number += said.count("\0", end, at)
        yield number
        end = said.find("\0", at)
        if end < 0:
            return
