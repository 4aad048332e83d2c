"""The part of a page's tree that is content: elements with kept text in them, and what belongs to these
without having text (images, formulas, line breaks). In C where that was built.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from ruiji.chunker.document.deciding import decide
from ruiji.corpora.c_modules import compiled
from ruiji.features.arrays import BoolArray
from ruiji.features.page import elements
from ruiji.features.page.markup import Markup
from ruiji.features.page.steps import END, NEW_LINE_SPACE, SPACE, TEXT
from ruiji.features.page.textnodes import TextNodes

# Elements open inside one another; deeper ones are taken as one. Real pages stay below 200 with all of their
# wrappers, and each level costs the reading of a document three calls.
MAX_DEPTH = 200
BLOCKS = elements.BLOCK_LEVEL - {"noscript"}  # which may stand in a line, with an image
_WITHOUT_TEXT = frozenset(("br", "hr"))
_CELLS = frozenset(("td", "th"))  # an empty one still has its column
_BLANK_EVENTS = frozenset((SPACE, NEW_LINE_SPACE))
_NEAR = 4  # levels up to which an element around another is near it
_SHORT = 64  # events of an element that is looked into for white space
# What the loop in C tells elements by.
_BLOCK, _EMPTY_TOO, _ANCHOR, _READING = 1, 2, 4, 8


@dataclass(slots=True, eq=False)
class NodeInPython:
    """An element with its kept children: texts, white space and elements."""

    tag: str
    event: int = -1
    attributes: dict[str, str] = field(default_factory=dict)
    children: list[NodeInPython | str] = field(default_factory=list)
    has_block: bool = False  # a block-level element is inside

    def get(self, name: str) -> str:
        """The value of an attribute, or an empty text."""
        return self.attributes.get(name, "")

    @property
    def elements(self) -> list[NodeInPython]:
        """The children that are elements."""
        return [child for child in self.children if child.__class__ is not str]  # type: ignore[misc]

    def texts(self) -> list[str]:
        """All texts inside, in order."""
        texts: list[str] = []
        stack: list[NodeInPython | str] = [self]
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

    def descendants(self) -> list[NodeInPython]:
        """All elements inside, in order."""
        inside: list[NodeInPython] = []
        stack: list[NodeInPython] = [self]
        while stack:
            node = stack.pop()
            inside.append(node)
            if node.children:
                stack += node.elements[::-1]
        return inside[1:]

    def of_tags(self, tags: frozenset[str]) -> list[NodeInPython]:
        """The elements inside that have one of these tags, in order."""
        return [node for node in self.descendants() if node.tag in tags]


if TYPE_CHECKING:
    Node = NodeInPython
else:
    _in_c = compiled("ruiji.chunker.document._document")
    Node = NodeInPython if _in_c is None else _in_c.Node


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
    keep, kept = decide(nodes, markup, content)
    in_c = compiled("ruiji.chunker.document._document")
    if in_c is None or not isinstance(nodes.texts, list):
        return grown_in_python(nodes, markup, keep, kept)
    names, kinds = _tables()
    tree: Node = in_c.grow(
        markup.events,
        markup.opened,
        markup.closed,
        kept,
        keep,
        nodes.texts,
        markup.attributes,
        markup.blanks,
        markup.unseen,
        markup.customs,
        names,
        kinds,
        MAX_DEPTH,
    )
    return tree


@lru_cache(maxsize=1)
def _tables() -> tuple[tuple[str | None, ...], bytes]:
    """The name and the kind of each number of an element."""
    known = elements.names()
    names = tuple(known.get(number) for number in range(elements.CUSTOM_NUMBER + 1))
    kinds = bytearray(len(names))
    for bit, of_kind in (
        (_BLOCK, BLOCKS),
        (_EMPTY_TOO, _WITHOUT_TEXT | _CELLS),
        (_ANCHOR, frozenset(("a",))),
        (_READING, elements.READINGS),
    ):
        for number in elements.numbered(of_kind):
            kinds[number] |= bit
    return names, bytes(kinds)


def grown_in_python(nodes: TextNodes, markup: Markup, keep: BoolArray, kept: BoolArray) -> Node:
    """The tree, by going once through the events; what is not kept is stepped over. The reference for the
    loop in C.
    """
    events, names, customs = markup.events, elements.names(), markup.customs
    marks = np.zeros(len(events), dtype=np.uint8)
    marks[markup.opened[kept]] = 1
    closing = np.zeros(len(events), dtype=np.int32)
    closing[markup.opened] = markup.closed
    is_text = np.frombuffer(events, dtype=np.uint8) == TEXT
    texts_before = is_text.cumsum(dtype=np.int32) - is_text
    # Views, not lists: most events are stepped over.
    flags, ends, number_of, shown = marks.tobytes(), closing.data, texts_before.data, keep.tobytes()
    blanks, unseen, texts = markup.blanks, markup.unseen, nodes.texts
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
            _add_space(stack[-1], blanks.get(at))
        elif event == END:
            if len(stack) > 1:
                stack.pop()
        else:
            tag = customs[at] if event == custom else names[event]
            own = dict(markup.attributes.get(at))
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
                    for place in range(at, ends[at]):
                        if events[place] in _BLANK_EVENTS:
                            _add_space(stack[-1], blanks.get(place))
                elif tag in BLOCKS:
                    _add_border(stack, at)
                at = ends[at]
        at += 1
    return root


def _add_space(node: Node, noted: str | None) -> None:
    """White space as it stands; a space where nobody noted it, one for several."""
    if noted is not None:
        node.children.append(noted)
    elif not node.children or node.children[-1] != " ":
        node.children.append(" ")


def _add_border(stack: list[Node], event: int) -> None:
    """A border where a block was left out, between what stands before and behind it; one for several."""
    last = [child for child in stack[-1].children[-2:] if child != " "][-1:]
    if last and not isinstance(last[0], str) and _is_border(last[0]):
        return
    stack[-1].children.append(Node("div", event))
    _mark_block(stack)


def _is_border(node: Node) -> bool:
    return node.tag == "div" and not node.attributes and not node.children


def _mark_block(stack: list[Node]) -> None:
    for node in reversed(stack):
        if node.has_block:
            break
        node.has_block = True
