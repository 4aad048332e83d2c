"""The nodes of a tree of content: elements with what is kept in them. In C where that was built."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ruiji.corpora.c_modules import compiled


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
