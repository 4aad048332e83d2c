"""The part of a page's tree that is content: elements with kept text in them, and what belongs to these
without having text (images, formulas, line breaks).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

import numpy as np

from ruiji.chunker.document.deciding import decide
from ruiji.features.arrays import BoolArray
from ruiji.features.page import elements
from ruiji.features.page.markup import Markup
from ruiji.features.page.steps import END, NEW_LINE_SPACE, SPACE, TEXT
from ruiji.features.page.textnodes import TextNodes

# Elements open inside one another; deeper ones are taken as one. Real pages stay below 200 with all of their
# wrappers, and each level costs the reading of a document three calls.
MAX_DEPTH = 200
BLOCKS = elements.BLOCK_LEVEL - {"noscript"}  # which may stand in a line, with an image
_NO_ATTRIBUTES: Mapping[str, str] = {}
_WITHOUT_TEXT = frozenset(("br", "hr"))
_CELLS = frozenset(("td", "th"))  # an empty one still has its column
_BLANK_EVENTS = frozenset((SPACE, NEW_LINE_SPACE))
_NEAR = 4  # levels up to which an element around another is near it
_SHORT = 64  # events of an element that is looked into for white space


@dataclass(slots=True, eq=False)
class Node:
    """An element with its kept children: texts, white space and elements."""

    tag: str
    event: int = -1
    attributes: Mapping[str, str] = field(default_factory=lambda: _NO_ATTRIBUTES)
    children: list[Node | str] = field(default_factory=list)
    has_block: bool = False  # a block-level element is inside

    def get(self, name: str) -> str:
        """The value of an attribute, or an empty text."""
        return self.attributes.get(name, "")

    @property
    def elements(self) -> list[Node]:
        """The children that are elements."""
        return [child for child in self.children if child.__class__ is not str]  # type: ignore[misc]

    def texts(self) -> list[str]:
        """All texts inside, in order."""
        texts: list[str] = []
        stack: list[Node | str] = [self]
        while stack:
            node = stack.pop()
            if isinstance(node, str):
                texts.append(node)
            else:
                stack.extend(reversed(node.children))
        return texts

    def text(self) -> str:
        """The text inside, white space folded."""
        return " ".join("".join(self.texts()).split())

    def descendants(self) -> list[Node]:
        """All elements inside, in order."""
        inside: list[Node] = []
        stack: list[Node] = [self]
        while stack:
            node = stack.pop()
            inside.append(node)
            if node.children:
                stack += node.elements[::-1]
        return inside[1:]


class TreeOrder:
    """The elements of a tree in order, with their parents, and those that have names."""

    def __init__(self, root: Node) -> None:
        self.nodes: list[Node] = []
        self.parent: dict[int, Node] = {}
        self.place: dict[int, int] = {}
        self.named: dict[str, Node] = {}
        stack = [root]
        while stack:
            node = stack.pop()
            self.place[id(node)] = len(self.nodes)
            self.nodes.append(node)
            for name in (node.get("id"), node.get("name") if node.tag == "a" else ""):
                if name:
                    self.named.setdefault(name, node)
            for child in reversed(node.elements):
                self.parent[id(child)] = node
                stack.append(child)

    def above(self, node: Node) -> Iterator[Node]:
        """The elements around one, the nearest first."""
        while (parent := self.parent.get(id(node))) is not None:
            yield parent
            node = parent

    def near(self, node: Node) -> list[Node]:
        """An element and the nearest ones around it."""
        return [node, *(other for other, _ in zip(self.above(node), range(_NEAR), strict=False))]

    def is_inside(self, node: Node, other: Node) -> bool:
        """Whether an element is inside another."""
        return any(above is other for above in self.above(node))


def content_tree(nodes: TextNodes, content: BoolArray) -> Node:
    """The tree of what is content, by the mask; the page must have been walked in detail."""
    markup = nodes.markup
    if markup is None:
        raise ValueError(
            "a document is written from a page that was walked in detail: text_nodes(page, detailed=True)"
        )
    texts, kept = decide(nodes, markup, content)
    return _grow(nodes, markup, texts, kept)


def _grow(nodes: TextNodes, markup: Markup, keep: BoolArray, kept: BoolArray) -> Node:
    """The tree, by going once through the events; what is not kept is stepped over."""
    events, names, customs = markup.events, elements.names(), markup.customs
    marks = np.zeros(len(events), dtype=np.uint8)
    marks[markup.opened[kept]] = 1
    closing = np.zeros(len(events), dtype=np.int32)
    closing[markup.opened] = markup.closed
    is_text = np.frombuffer(events, dtype=np.uint8) == TEXT
    texts_before = is_text.cumsum(dtype=np.int32) - is_text
    # Views, not lists: most events are stepped over.
    flags, ends, number_of, shown = marks.tobytes(), closing.data, texts_before.data, keep.tobytes()
    attributes, blanks, unseen, texts = markup.attributes, markup.blanks, markup.unseen, nodes.texts
    anchor, custom = elements.numbers()["a"], elements.CUSTOM_NUMBER
    root = Node("body")
    stack = [root]
    at, last = 0, len(events)
    while at < last:
        event = events[at]
        if event == TEXT:
            if shown[number_of[at]]:
                stack[-1].children.append(texts[number_of[at]])
        elif event in _BLANK_EVENTS:
            stack[-1].children.append(blanks.get(at, " "))
        elif event == END:
            if len(stack) > 1:
                stack.pop()
        else:
            tag = customs[at] if event == custom else names[event]
            own = attributes.get(at, _NO_ATTRIBUTES)
            if flags[at]:
                node = stack[-1]
                if len(stack) < MAX_DEPTH:
                    node = Node(tag, at, own, [unseen[at]] if at in unseen else [])
                    stack[-1].children.append(node)
                    if tag in BLOCKS:
                        _mark_block(stack)
                stack.append(node)
            else:
                if tag in elements.READINGS:
                    stack[-1].children.append(Node(tag, at, own, [unseen.get(at, "")]))
                elif (
                    tag in _WITHOUT_TEXT
                    or tag in _CELLS
                    or (event == anchor and ("id" in own or "name" in own))
                ):
                    stack[-1].children.append(Node(tag, at, own))
                elif number_of[at] == number_of[ends[at]] and tag not in BLOCKS and ends[at] - at < _SHORT:
                    stack[-1].children.extend(
                        blanks.get(place, " ")
                        for place in range(at, ends[at])
                        if events[place] in _BLANK_EVENTS
                    )
                elif tag in BLOCKS:  # left out, and still a border between what stands before and behind it
                    stack[-1].children.append(Node("div", at))
                    _mark_block(stack)
                at = ends[at]
        at += 1
    return root


def _mark_block(stack: list[Node]) -> None:
    for node in reversed(stack):
        if node.has_block:
            break
        node.has_block = True
