"""Text that a heading announces as a list of people or of organisations, whatever a mask makes of it.

A list of names that all lead to their pages looks like a menu; under "Members" or "スポンサー" it is none.
"""

from __future__ import annotations

import re
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from ruiji.detector.records.fields.posts import is_role
from ruiji.features.page.textnodes import TextNodes

LONGEST_HEADING = 40  # characters; a longer heading mentions people and does not announce them
MOST_ANNOUNCED = 400  # text nodes under one heading: more are the rest of a page
HEADINGS = frozenset(("h1", "h2", "h3", "h4", "h5", "h6"))
SPONSOR = re.compile(
    r"スポンサー|協賛|後援|賛助|参加企業|出展|会員企業|関連団体|共催|sponsor|supporter|partner|exhibitor|patron|supporting",
    re.IGNORECASE,
)
# Headings of links that lead on from a page: they name people of other pages.
LEADS_ON = re.compile(
    r"同じ|(?<!その)他の|関連|新着|人気|最近|(?<![a-z])(?:related|similar|more|recent|popular|latest|top)(?![a-z])",
    re.IGNORECASE,
)


def announced_nodes(nodes: TextNodes, content: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
    """The text nodes from each heading that announces people or organisations to the next heading.

    ``content`` is the mask: sponsors also stand in the margin of every page, where nothing is content.
    """
    announced = np.zeros(len(nodes), dtype=bool)
    before = np.concatenate(([0], np.cumsum(content)))
    headings = [element for element, tag in enumerate(nodes.tag) if tag in HEADINGS and _text(nodes, element)]
    starts = sorted({int(nodes.first[element]) for element in headings})
    following = dict(pairwise([*starts, len(nodes)]))
    for element in headings:
        first, end = int(nodes.first[element]), int(nodes.end[element])
        around = max(int(nodes.parent[element]), 0)
        among_content = before[nodes.end[around]] > before[nodes.first[around]]
        if _announces(_text(nodes, element), bool(among_content)):
            announced[end : min(following[first], end + MOST_ANNOUNCED)] = True
    return announced


def _text(nodes: TextNodes, element: int) -> str:
    """The text of a heading; "" for a picture with nothing but a sign that links to it."""
    return "".join(nodes.texts[nodes.first[element] : nodes.end[element]]).strip(" 　¶#\n\t")


def _announces(heading: str, sponsors: bool) -> bool:
    plain = heading.strip()
    if len(plain) > LONGEST_HEADING or LEADS_ON.search(plain):
        return False
    return is_role(plain) or (sponsors and bool(SPONSOR.search(plain)))
