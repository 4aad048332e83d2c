"""Inline pieces of a line of prose: from the tree to the model, with white space put where it is read."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from urllib.parse import urljoin, urlsplit

from ruiji.chunker.document.formulas import is_display, is_formula, tex_of
from ruiji.chunker.document.images import address_of, is_decoration
from ruiji.chunker.document.listings import code_text, copies_code
from ruiji.chunker.document.model import (
    Formula,
    Image,
    Inline,
    InlineCode,
    LineBreak,
    Link,
    NoteReference,
    Style,
    Styled,
    Text,
)
from ruiji.chunker.document.tidying import AT_ENDS, fold_space, tidy_in_python
from ruiji.chunker.document.tree import Node, NodeInPython
from ruiji.corpora.c_modules import compiled
from ruiji.features.page.elements import READINGS

STYLES: dict[str, Style] = {
    "b": "strong", "strong": "strong", "i": "emphasis", "em": "emphasis",
    "s": "strike", "strike": "strike", "del": "strike", "sub": "subscript", "sup": "superscript",
}  # fmt: skip
CODE = frozenset("code kbd samp tt".split())
_TEX = re.compile(
    r"\\begin\{(?P<environment>(?:equation|align|gather|multline|eqnarray|alignat|flalign)\*?)\}|\\[(\[]|\$\$(?P<double>[^$]+?)\$\$|(?<![\w\\$])\$(?P<single>(?!\s)[^$\n]*?[^\s$\\])\$(?![\w$])"
)
_TEX_END = {r"\(": r"\)", r"\[": r"\]"}
_LOOKS_LIKE_TEX = re.compile(r"[\\^_=<>]|^\w$|^[a-zA-Z]\(|[a-zA-Z]\s*[+*/-]\s*[a-zA-Z\d]")
PERMALINKS = frozenset("¶ # § 🔗 ⚓".split())  # the whole text of links to where they stand
# Schemes that lead somewhere for a reader.
_SCHEMES = frozenset(("http", "https", "ftp", "mailto", "tel", "file", ""))


@dataclass(frozen=True, slots=True)
class Reading:
    """What is read of a page besides its text: where it is, what to leave out, how its references are
    called.
    """

    base: str = ""
    origin: str = ""  # scheme and host of the base
    links: bool = True
    images: bool = True
    tables: bool = True
    ruby: bool = False  # readings are written behind their text
    with_formulas: bool = False  # the page has formulas in TeX, which scripts would typeset
    references: dict[int, str] = field(default_factory=dict)  # event of an element → label of its footnote
    left_out: frozenset[int] = frozenset()  # events of elements that are part of another piece

    def target(self, address: str) -> str:
        """The absolute address of a link or an image; empty where it leads nowhere."""
        address = "".join(address.split())
        if address.startswith("#"):
            return address if len(address) > 1 else ""
        if address.startswith(("http://", "https://")):  # most are, or lead to another page of the host
            return address
        if address.startswith("/") and not address.startswith("//") and self.origin:
            return self.origin + address
        try:
            target = urljoin(self.base, address)
            return target if address and urlsplit(target).scheme in _SCHEMES else ""
        except ValueError:
            return ""


def inlines_of(children: Sequence[Node | str], reading: Reading) -> tuple[Inline, ...]:
    """The inline pieces of children, white space folded and none at the ends."""
    line: tuple[Inline, ...] | None = None if _in_c is None else _in_c.inlines_of(children, reading)
    return inlines_in_python(children, reading) if line is None else line


def inlines_in_python(children: Sequence[Node | str], reading: Reading) -> tuple[Inline, ...]:
    """The inline pieces of children: the reference for the function in C, and for what that leaves out."""
    if len(children) == 1 and isinstance(children[0], str) and not reading.with_formulas:
        text = fold_space(children[0]).strip(AT_ENDS)  # most lines are one text
        return (Text(text),) if text else ()
    return tidy_in_python(_pieces(children, reading))


def _pieces(children: Iterable[Node | str], reading: Reading) -> list[Inline]:
    """The inline pieces of children, white space as it stands."""
    pieces: list[Inline] = []
    for child in children:
        if isinstance(child, str):
            if reading.with_formulas:
                pieces += text_with_formulas(child)
            else:
                pieces.append(Text(child))
        elif child.event in reading.references:
            pieces.append(NoteReference(reading.references[child.event]))
        elif child.event not in reading.left_out:
            pieces += pieces_of(child, reading)
    return pieces


def text_with_formulas(text: str) -> list[Inline]:
    """A text and the formulas in it."""
    pieces: list[Inline] = []
    position = 0
    for start, end, formula in _formulas(text):
        pieces += (Text(text[position:start]), formula)
        position = end
    return [*pieces, Text(text[position:])]


def _formulas(text: str) -> Iterator[tuple[int, int, Formula]]:
    """The formulas between TeX's signs, with where they begin and end."""
    last_end = {sign: text.rfind(sign) for sign in _TEX_END.values()}
    position = 0
    while match := _TEX.search(text, position):
        position = match.end()
        tex, display = match["double"] or match["single"], match["double"] is not None
        if tex is None:
            environment = match["environment"]
            sign = f"\\end{{{environment}}}" if environment else _TEX_END[match[0]]
            if (
                last_end.setdefault(sign, text.rfind(sign)) <= position
            ):  # nothing closes it, or nothing is in it
                continue
            end = text.index(sign, position + 1)
            tex, display = text[position:end], sign != r"\)"
            position = end + len(sign)
            if environment:
                tex = text[match.start() : position]
        if match["single"] is None or _LOOKS_LIKE_TEX.search(tex.strip()):
            yield match.start(), position, Formula(" ".join(tex.split()), display)


def pieces_of(node: Node, reading: Reading) -> Sequence[Inline]:
    """The pieces that an element is, white space as it stands."""
    tag = node.tag
    if tag == "a":
        return _link(node, reading)
    if tag == "br":
        return (LineBreak(),)
    if is_formula(node):
        if tex := tex_of(node):
            return (Formula(tex, is_display(node)),)
        if tag == "mjx-container":
            return ()
    if tag in STYLES:
        return (Styled(STYLES[tag], tuple(_pieces(node.children, reading))),)
    if tag == "img":
        return _image(node, reading)
    if tag in ("svg", "hr"):
        return ()
    if tag in CODE:
        return _inline_code(node, reading)
    if tag in READINGS or (tag == "button" and copies_code(node)):
        return ()
    if tag == "ruby" and reading.ruby:
        return _ruby(node, reading)
    return () if _is_fallback(node) else _pieces(node.children, reading)


def _inline_code(node: Node, reading: Reading) -> Sequence[Inline]:
    """Code in a line; in a link where all of it is one."""
    text = " ".join(code_text(node).split())
    if not text:
        return ()
    only = node.elements[0] if len(node.elements) == 1 else None
    if only is not None and only.tag == "a" and reading.links and only.text() == text:
        target = reading.target(only.get("href"))
        if target and not target.startswith("#"):
            return (Link(target, (InlineCode(text),), " ".join(only.get("title").split())),)
    return (InlineCode(text),)


def _is_fallback(node: Node) -> bool:
    """Whether an element shows a formula once more, as MathJax 2 does beside its script."""
    return "MathJax_Preview" in node.get("class")


def _image(node: Node, reading: Reading) -> Sequence[Inline]:
    if not reading.images or is_decoration(node.attributes):
        return ()
    if target := reading.target(address_of(node.attributes)):
        return (Image(target, " ".join(node.get("alt").split()), " ".join(node.get("title").split())),)
    return ()


def _link(node: Node, reading: Reading) -> Sequence[Inline]:
    href = node.get("href")
    if href.startswith("#") and node.text() in PERMALINKS:
        return ()
    inside = _pieces(node.children, reading)
    target = reading.target(href) if reading.links and href else ""
    if target and not any(isinstance(inline, Link) for inline in inside):
        return (Link(target, tuple(inside), " ".join(node.get("title").split())),)
    return inside


def _ruby(node: Node, reading: Reading) -> Sequence[Inline]:
    """A text with its reading behind it, as Aozora Bunko writes it: 漢字《かんじ》."""
    pieces = _pieces(node.children, reading)
    reading_text = "".join(
        "".join(child.texts()).strip() for child in node.descendants() if child.tag in READINGS
    )
    return [*pieces, Text(f"《{reading_text}》")] if reading_text else pieces


_in_c = None if Node is NodeInPython else compiled("ruiji.chunker.document._document")
