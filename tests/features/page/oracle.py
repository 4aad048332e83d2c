"""The text nodes of a tree by plain recursion: slow, and independent of the arrays of features.walk."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from selectolax.lexbor import LexborHTMLParser

from ruiji.features.page.elements import BLOCK_LEVEL, NOT_SHOWN

TEXT, COMMENT = 2, 4


@dataclass
class Oracle:
    """What TextNodes should say, one entry a text node."""

    texts: list[str] = field(default_factory=list)
    paths: list[str] = field(default_factory=list)
    ancestors: list[list[str]] = field(default_factory=list)
    block: list[int] = field(default_factory=list)
    line: list[int] = field(default_factory=list)
    href: list[str | None] = field(default_factory=list)
    space: list[bool] = field(default_factory=list)
    noscript: list[bool] = field(default_factory=list)
    preformatted: list[bool] = field(default_factory=list)
    hidden: dict[str, bool] = field(default_factory=dict)
    _block_border: bool = False
    _line_border: bool = False
    _space: bool = False

    def visit(self, node: Any, path: str, above: list[str], href: str | None) -> None:
        if node.tag_id == TEXT:
            self._text(node.text_content or "", path, above, href)
        elif node.tag_id != COMMENT:
            self._element(node, path, above, href)

    def _text(self, text: str, path: str, above: list[str], href: str | None) -> None:
        if not text.strip():
            self._space = True
            return
        first = not self.texts
        self.block.append(0 if first else self.block[-1] + self._block_border)
        self.line.append(0 if first else self.line[-1] + self._line_border)
        self.space.append(not first and self._space and not self._line_border)
        self._block_border = self._line_border = self._space = False
        self.texts.append(text)
        self.paths.append(path)
        self.ancestors.append(above)
        self.href.append(href)
        self.noscript.append("noscript" in above)
        self.preformatted.append(bool({"pre", "textarea", "xmp", "listing", "plaintext"} & set(above)))

    def _element(self, node: Any, path: str, above: list[str], href: str | None) -> None:
        self._border(node.tag)
        if node.tag not in NOT_SHOWN:
            if node.tag == "a" and node.attributes.get("href") is not None:
                href = node.attributes["href"]
            children = _children(node)
            names = [child.tag for child in children]
            for position, child in enumerate(children):
                several = names.count(child.tag) > 1
                step = (
                    f"/{child.tag}[{names[: position + 1].count(child.tag)}]" if several else f"/{child.tag}"
                )
                self.visit(child, path if child.tag_id == TEXT else path + step, [*above, node.tag], href)
        self._border(node.tag)

    def _border(self, tag: str) -> None:
        self._block_border |= tag in BLOCK_LEVEL
        self._line_border |= tag in BLOCK_LEVEL or tag in ("br", "hr")


def _children(node: Any) -> list[Any]:
    children, child = [], node.first_child
    while child is not None:
        children.append(child)
        child = child.next
    return children


def recursive_walk(html: str) -> Oracle:
    """The text nodes of a small page."""
    oracle = Oracle()
    oracle.visit(LexborHTMLParser(html.encode()).root, "/html", [], None)
    return oracle


@dataclass
class Tree:
    """A page by plain recursion: its elements in the order they open, and its texts."""

    tags: list[str] = field(default_factory=list)
    attributes: list[dict[str, str | None]] = field(default_factory=list)
    chains: list[list[int]] = field(
        default_factory=list
    )  # of each element: those above it from the root down, and itself
    first: list[int] = field(default_factory=list)
    end: list[int] = field(default_factory=list)
    childless: list[bool] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)
    homes: list[int] = field(default_factory=list)  # of each text: the element right above

    def above(self, text: int) -> list[int]:
        """The elements above a text, from the root down."""
        return self.chains[self.homes[text]]

    def parent(self, element: int) -> int | None:
        return self.chains[element][-2] if len(self.chains[element]) > 1 else None

    def nearest(self, element: int | None, *tags: str) -> int | None:
        """The element itself or the nearest above it that has one of these names."""
        chain = [] if element is None else self.chains[element]
        return next((one for one in reversed(chain) if self.tags[one] in tags), None)

    def inside(self, element: int) -> list[int]:
        """The texts inside an element."""
        return [text for text in range(len(self.texts)) if element in self.above(text)]

    def href(self, text: int) -> str | None:
        """Where the innermost link around a text leads."""
        hrefs = [
            self.attributes[one]["href"]
            for one in self.above(text)
            if self.tags[one] == "a" and "href" in self.attributes[one]
        ]
        return hrefs[-1] if hrefs else None

    def common(self, one: int, other: int) -> list[int]:
        """The elements above both texts."""
        return [element for element in self.above(one) if element in self.above(other)]

    def visit(self, node: Any, chain: list[int]) -> None:
        if node.tag_id == TEXT:
            if (node.text_content or "").strip():
                self.texts.append(node.text_content)
                self.homes.append(chain[-1])
        elif node.tag_id != COMMENT:
            own = len(self.tags)
            children = [] if node.tag in NOT_SHOWN else _children(node)
            self.tags.append(node.tag)
            self.attributes.append(dict(node.attributes))
            self.chains.append([*chain, own])
            self.childless.append(not children)
            self.first.append(len(self.texts))
            self.end.append(-1)
            for child in children:
                self.visit(child, [*chain, own])
            self.end[own] = len(self.texts)


def planted(html: str) -> Tree:
    """The tree of a small page."""
    tree = Tree()
    tree.visit(LexborHTMLParser(html.encode()).root, [])
    return tree
