"""The elements of a page as a tree to walk in: children, blocks, lines, and the shown text of each.

Records are looked for in the content and in facts that a mask made for prose leaves out: a table of names and
numbers has few sentences, and rules and models that look for sentences drop it, its head or its names. What
is no link and stands in no frame of the page (menu, site header and footer, form) is read all the same.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from ruiji.detector.records.markup.announced import announced_nodes
from ruiji.features.page import elements
from ruiji.features.page.textnodes import SPACE_BEFORE, TextNodes

FRAMES = frozenset(("nav", "header", "footer", "aside", "form", "select", "button"))
OWN_FRAMES = frozenset(("header", "footer"))  # of a page, or of an article in it
CARD_NODES = 3  # text nodes in one link
CARD_LINES = 2  # or lines
SOME_NODES = 4  # fewer say nothing about what they stand in
# Of the nodes of a menu that are links, at least; a list of names that lead to pages has other facts beside
# them
MENU_SHARE = 0.6
MOST_PARTS = 8  # elements of one group; more are a list
REPEATED = 3  # groups from which it is a template
SAME_SHARE = 0.75  # of the groups of one path that have the same number of parts
_NO_GROUP = frozenset(("table", "tbody", "thead", "tr", "dl", "html", "body", "main"))


@dataclass(frozen=True, slots=True, eq=False)
class PageTree:
    """Plain lists of what the finder of records asks again and again; ``kept`` says of each text node whether
    it is content.
    """

    nodes: TextNodes
    kept: Sequence[bool]
    content: Sequence[bool]
    tag: Sequence[str]
    parent: Sequence[int]
    children: Sequence[Sequence[int]]
    first: Sequence[int]
    end: Sequence[int]
    element: Sequence[int]
    line: Sequence[int]
    spaced: Sequence[bool]
    blockish: Sequence[bool]
    names: Mapping[int, str]
    spans: Mapping[int, tuple[int, int]]
    cards: frozenset[int]  # links around several lines
    paths: Sequence[str] = field(repr=False)

    def text(self, element: int) -> str:
        """The shown text of an element, content or not (a mask may leave out the head of a table), lines
        parted by line ends.
        """
        lines: list[str] = []
        line = -1
        for node in range(self.first[element], self.end[element]):
            text = self.nodes.texts[node]
            if self.line[node] != line or not lines:
                lines.append(text)
                line = self.line[node]
            else:
                lines[-1] += (" " if self.spaced[node] else "") + text
        return "\n".join(
            " ".join(part for part in text.replace("\n", " ").replace("\t", " ").split(" ") if part)
            for text in lines
        )

    def common(self, elements_: Sequence[int]) -> int:
        """The lowest element that contains all of these."""
        lowest = elements_[0]
        for element in elements_[1:]:
            while not (
                self.first[lowest] <= self.first[element]
                and self.end[element] <= self.end[lowest]
                and lowest <= element
            ):
                lowest = self.parent[lowest]
        return lowest


def page_tree(
    nodes: TextNodes, content: npt.NDArray[np.bool_], spans: Mapping[int, tuple[int, int]]
) -> PageTree:
    """The tree of a page; ``content`` is the mask."""
    frame = _frames(nodes)
    content = content | (announced_nodes(nodes, content) & ~frame)
    parent: list[int] = nodes.parent.tolist()
    children: list[list[int]] = [[] for _ in parent]
    blockish = [tag in elements.BLOCK_LEVEL for tag in nodes.tag]
    for element in range(len(parent) - 1, 0, -1):
        above = parent[element]
        if above >= 0:
            children[above].append(element)
            if blockish[element]:
                blockish[above] = True
    for own in children:
        own.reverse()
    return PageTree(
        nodes=nodes,
        kept=(content | ~(frame | _menus(nodes))).tolist(),
        content=content.tolist(),
        tag=nodes.tag,
        parent=parent,
        children=children,
        first=nodes.first.tolist(),
        end=nodes.end.tolist(),
        element=nodes.element.tolist(),
        line=_lines(nodes),
        spaced=((nodes.flags & SPACE_BEFORE) > 0).tolist(),
        blockish=blockish,
        names=dict(nodes.names or ()),
        spans=spans,
        cards=frozenset(np.flatnonzero(_cards(nodes)).tolist()),
        paths=nodes.element_paths(),
    )


def _lines(nodes: TextNodes) -> list[int]:
    """The line of each node; two links side by side are two lines, for a card may be one link and its
    neighbour the next.
    """
    change = np.zeros(len(nodes), dtype=bool)
    link = nodes.link
    change[1:] = (nodes.line[1:] != nodes.line[:-1]) | (
        (link[1:] != link[:-1]) & (link[1:] >= 0) & (link[:-1] >= 0)
    )
    found: list[int] = np.cumsum(change).tolist()
    return found


def _frames(nodes: TextNodes) -> npt.NDArray[np.bool_]:
    """The nodes in a frame of the page: its menus, header and footer, forms."""
    frame = np.zeros(len(nodes), dtype=bool)
    for element, tag in enumerate(nodes.tag):
        if tag in FRAMES and (tag not in OWN_FRAMES or not _inside_a_part(nodes, element)):
            frame[nodes.first[element] : nodes.end[element]] = True
    return frame


def _cards(nodes: TextNodes) -> npt.NDArray[np.bool_]:
    """The links around several lines: each is a card, not an item of a menu."""
    has_link = nodes.link >= 0
    lines = np.unique(np.column_stack((nodes.link, nodes.line))[has_link], axis=0)[:, 0]
    most = len(nodes.hrefs)
    cards: npt.NDArray[np.bool_] = (np.bincount(nodes.link[has_link], minlength=most) >= CARD_NODES) | (
        np.bincount(lines, minlength=most) >= CARD_LINES
    )
    return cards


def _menus(nodes: TextNodes) -> npt.NDArray[np.bool_]:
    """The nodes that are links among links: the smallest element around each that holds a few nodes is mostly
    linked.
    """
    leads = np.array(
        [not href.lstrip().lower().startswith(("mailto:", "tel:")) for href in nodes.hrefs], dtype=bool
    )
    linked = np.zeros(len(nodes), dtype=bool)
    has_link = nodes.link >= 0
    linked[has_link] = (leads & ~_cards(nodes))[nodes.link[has_link]]
    total = np.concatenate(([0], np.cumsum(linked)))
    size, inside = nodes.end - nodes.first, total[nodes.end] - total[nodes.first]
    found = linked.copy()
    for node in np.flatnonzero(linked).tolist():
        element = int(nodes.element[node])
        while size[element] < SOME_NODES and nodes.parent[element] >= 0:
            element = int(nodes.parent[element])
        found[node] = inside[element] >= MENU_SHARE * size[element]
    return found


def _inside_a_part(nodes: TextNodes, element: int) -> bool:
    """Whether a header or footer belongs to a part of the page and not to the page."""
    above = int(nodes.parent[element])
    while above >= 0:
        if nodes.tag[above] in ("article", "section", "li", "td", "main"):
            return True
        above = int(nodes.parent[above])
    return False


def slots(tree: PageTree, paths: Sequence[str]) -> dict[int, int]:
    """The place of each element of a group that the page repeats (a card, a row), counted from 1.

    ``paths`` are the tags down to each element. Sites without classes, and rows that are no table, tell
    title, name and post apart by nothing else.
    """
    groups: dict[str, list[tuple[int, list[int]]]] = defaultdict(list)
    for element, children in enumerate(tree.children):
        if tree.tag[element] in _NO_GROUP:
            continue
        parts = [child for child in children if tree.blockish[child] and tree.end[child] > tree.first[child]]
        if 2 <= len(parts) <= MOST_PARTS and len({tree.tag[part] for part in parts}) == 1:
            groups[paths[element]].append((element, parts))
    found: dict[int, int] = {}
    for listed in groups.values():
        size, count = Counter(len(parts) for _, parts in listed).most_common(1)[0]
        if count >= max(REPEATED, SAME_SHARE * len(listed)):
            for _, parts in listed:
                if len(parts) == size:
                    found |= {part: place for place, part in enumerate(parts, 1)}
    return found
