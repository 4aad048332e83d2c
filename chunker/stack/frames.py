"""What stands in a frame that its name calls comments or a dialog is no content beside the content.

A model that has learned from forums and from articles cannot tell posts from comments where both look alike,
and is at even odds. The page as a whole tells: where what is likeliest stands outside of all such frames, the
page is about that; where it stands in them, posts are what the page is for (docs/decisions).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

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
    for nodes, (first, end) in zip(pages.pages, pairwise(pages.page_start.tolist()), strict=True):
        own = log_odds[first:end]
        for inside in _inside_each(nodes):
            if own[inside].max() < own[~inside].max(initial=-np.inf):
                out[first:end] |= inside
    return out


def _inside_each(nodes: TextNodes) -> Iterator[BoolArray]:
    """For each kind of frame that holds some nodes of the page which they are."""
    said = "" if nodes.names is None else "\0".join(nodes.names.names)
    for pattern, part in FRAMES:
        if part in said and (inside := nodes_inside(nodes, pattern, part)).any():
            yield inside
