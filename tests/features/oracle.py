"""The text nodes of a tree by plain recursion: slow, and independent of the arrays of features.walk."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from selectolax.lexbor import LexborHTMLParser

from features.elements import BLOCK, NOT_SHOWN

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
                step = f"/{child.tag}[{names[: position + 1].count(child.tag)}]" if several else f"/{child.tag}"
                self.visit(child, path if child.tag_id == TEXT else path + step, [*above, node.tag], href)
        self._border(node.tag)

    def _border(self, tag: str) -> None:
        self._block_border |= tag in BLOCK
        self._line_border |= tag in BLOCK or tag in ("br", "hr")


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
