"""Inline pieces of a line of prose: from the tree to the model, with white space put where it is read."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import get_args
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
from ruiji.chunker.document.nodes import Node, NodeInPython
from ruiji.corpora.c_modules import compiled
from ruiji.features.page.elements import READINGS

STYLES: dict[str, Style] = {
    "b": "strong", "strong": "strong", "i": "emphasis", "em": "emphasis",
    "s": "strike", "strike": "strike", "del": "strike", "sub": "subscript", "sup": "superscript",
}  # fmt: skip
_CODE = frozenset("code kbd samp tt".split())
_AT_ENDS = " \u00a0\u3000"  # says nothing at the ends of a line: what fills it, or indents it
_SPACE = re.compile("[ \t\n\r\f]+")
_WIDE = "\u3000-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff01-\uff60"
_BREAK_OF_WIDE = re.compile(f"(?<=[{_WIDE}])[ \t\r\f]*\n[ \t\n\r\f]*(?=[{_WIDE}])")
_TEX = re.compile(
    r"\\begin\{(?P<environment>(?:equation|align|gather|multline|eqnarray|alignat|flalign)\*?)\}|\\[(\[]|\$\$(?P<double>[^$]+?)\$\$|(?<![\w\\$])\$(?P<single>(?!\s)[^$\n]*?[^\s$\\])\$(?![\w$])"
)
_TEX_END = {r"\(": r"\)", r"\[": r"\]"}
_LOOKS_LIKE_TEX = re.compile(r"[\\^_=<>]|^\w$|^[a-zA-Z]\(|[a-zA-Z]\s*[+*/-]\s*[a-zA-Z\d]")
_PERMALINKS = frozenset("¶ # § 🔗 ⚓".split())  # the whole text of links to where they stand
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
    if _in_c is None or reading.with_formulas or reading.ruby:
        return inlines_in_python(children, reading)
    line: tuple[Inline, ...] = _in_c.inlines_of(children, reading)
    return line


def inlines_in_python(children: Sequence[Node | str], reading: Reading) -> tuple[Inline, ...]:
    """The inline pieces of children: the reference for the function in C, and for what that leaves out."""
    if len(children) == 1 and isinstance(children[0], str) and not reading.with_formulas:
        text = fold_space(children[0]).strip(_AT_ENDS)  # most lines are one text
        return (Text(text),) if text else ()
    return tidy_in_python(_pieces(children, reading))


def fold_space(text: str) -> str:
    """The text with one space for each run of HTML's white space, and none for a line that ends between two
    letters of a script that is written without spaces (CSS Text 3, 4.1.3, as browsers do).
    """
    if "\n" in text or "  " in text or "\t" in text or "\r" in text or "\f" in text:
        if "\n" in text and not text.isascii():
            text = _BREAK_OF_WIDE.sub("", text)
        return _SPACE.sub(" ", text)
    return text


def _pieces(children: Iterable[Node | str], reading: Reading) -> list[Inline]:
    """The inline pieces of children, white space as it stands."""
    pieces: list[Inline] = []
    for child in children:
        if isinstance(child, str):
            if reading.with_formulas:
                pieces += _text(child)
            else:
                pieces.append(Text(child))
        elif child.event in reading.references:
            pieces.append(NoteReference(reading.references[child.event]))
        elif child.event not in reading.left_out:
            pieces += _element(child, reading)
    return pieces


def _text(text: str) -> Iterator[Inline]:
    """A text and the formulas in it."""
    position = 0
    for start, end, formula in _formulas(text):
        yield Text(text[position:start])
        yield formula
        position = end
    yield Text(text[position:])


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


def _element(node: Node, reading: Reading) -> Sequence[Inline]:
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
    if tag in _CODE:
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
    if href.startswith("#") and node.text() in _PERMALINKS:
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


def tidy(inlines: Sequence[Inline]) -> tuple[Inline, ...]:
    """Inline pieces as they are read: white space folded, none at the ends and around line breaks, none at
    the ends of styles and links, like styles side by side joined, empty ones gone.
    """
    if _in_c is None:
        return tidy_in_python(inlines)
    line: tuple[Inline, ...] = _in_c.tidy(inlines)
    return line


def tidy_in_python(inlines: Sequence[Inline]) -> tuple[Inline, ...]:
    """Inline pieces as they are read: the reference for the function in C."""
    flat = _folded(_hoisted(inlines))
    while flat and _is_blank(flat[0]):
        flat.pop(0)
    while flat and _is_blank(flat[-1]):
        flat.pop()
    if flat and isinstance(flat[0], Text):
        flat[0] = Text(flat[0].text.lstrip(_AT_ENDS))
    if flat and isinstance(flat[-1], Text):
        flat[-1] = Text(flat[-1].text.rstrip(_AT_ENDS))
    return tuple(flat)


def _is_blank(inline: Inline) -> bool:
    return isinstance(inline, LineBreak) or (isinstance(inline, Text) and not inline.text.strip(_AT_ENDS))


def _hoisted(inlines: Iterable[Inline], around: frozenset[Style] = frozenset()) -> list[Inline]:
    """The pieces with the white space at the ends of styles and links before and behind these; ``around`` are
    the styles that the pieces are in already.
    """
    pieces: list[Inline] = []
    for inline in inlines:
        if isinstance(inline, Text):
            folded = fold_space(inline.text)
            pieces.append(inline if folded is inline.text else Text(folded))
        elif isinstance(inline, Styled) and inline.style in around:
            pieces += _hoisted(inline.inlines, around)
        elif isinstance(inline, Styled):
            pieces += _hoisted_group(inline, around | {inline.style})
        elif isinstance(inline, Link):
            pieces += _hoisted_group(inline, around)
        else:
            pieces.append(inline)
    return pieces


def _hoisted_group(group: Styled | Link, around: frozenset[Style]) -> Sequence[Inline]:
    if len(group.inlines) == 1 and isinstance(only := group.inlines[0], Text):  # most are
        text = fold_space(only.text)
        if text and not (text[0] in _AT_ENDS or text[-1] in _AT_ENDS):
            return (_with_inlines(group, (only if text is only.text else Text(text),)),)
    inside = _single_breaks(_folded(_hoisted(group.inlines, around)))
    before: list[Inline] = []
    behind: list[Inline] = []
    while inside and _is_blank(inside[0]):
        before.append(inside.pop(0))
    while inside and _is_blank(inside[-1]):
        behind.insert(0, inside.pop())
    if inside and isinstance(first := inside[0], Text):
        words = first.text.lstrip(_AT_ENDS)
        before.append(Text(first.text[: len(first.text) - len(words)]))
        inside[0] = Text(words)
    if inside and isinstance(last := inside[-1], Text):
        words = last.text.rstrip(_AT_ENDS)
        behind.insert(0, Text(last.text[len(words) :]))
        inside[-1] = Text(words)
    return [*before, *([_with_inlines(group, tuple(inside))] if inside else ()), *behind]


def _with_inlines(group: Styled | Link, inlines: tuple[Inline, ...]) -> Styled | Link:
    if isinstance(group, Styled):
        return Styled(group.style, inlines)
    return Link(group.target, inlines, group.title)


def _single_breaks(inlines: list[Inline]) -> list[Inline]:
    """The pieces with one line break where there are several: a style or a link is within one paragraph."""
    return [
        inline
        for place, inline in enumerate(inlines)
        if not (place and isinstance(inline, LineBreak) and isinstance(inlines[place - 1], LineBreak))
    ]


def _folded(inlines: Iterable[Inline]) -> list[Inline]:
    """Pieces of one kind side by side joined, with single spaces and none beside a line break."""
    flat: list[Inline] = []
    for inline in inlines:
        if not flat:
            if not isinstance(inline, Text) or inline.text:
                flat.append(inline)
        elif isinstance(inline, Text):
            _append_text(flat, inline)
        elif isinstance(last := flat[-1], Text):
            _append_behind_text(flat, inline, last.text)
        elif isinstance(inline, InlineCode) and isinstance(last, InlineCode):
            flat[-1] = InlineCode(last.text + inline.text)
        elif isinstance(inline, Formula) and isinstance(last, Formula):
            flat[-1] = Formula(f"{last.tex} {inline.tex}", last.display and inline.display)
        elif isinstance(inline, Styled) and isinstance(last, Styled) and inline.style == last.style:
            flat[-1] = Styled(inline.style, tuple(_folded((*last.inlines, *inline.inlines))))
        else:
            flat.append(inline)
    return flat


def _append_text(flat: list[Inline], inline: Text) -> None:
    last = flat[-1]
    if isinstance(last, Text):
        flat[-1] = Text(last.text + (inline.text.lstrip(" ") if last.text.endswith(" ") else inline.text))
    elif isinstance(last, LineBreak):
        if text := inline.text.lstrip(" "):
            flat.append(Text(text))
    elif isinstance(last, Formula) and inline.text[:1].isdigit():  # or the two would be read as one
        flat.append(Text(f" {inline.text}"))
    elif inline.text:
        flat.append(inline)


def _append_behind_text(flat: list[Inline], inline: Inline, before: str) -> None:
    if isinstance(inline, LineBreak) and before.endswith(" "):
        if text := before.rstrip(" "):
            flat[-1] = Text(text)
        else:
            flat.pop()
    elif isinstance(inline, Formula) and before[-1:].isdigit():
        flat[-1] = Text(f"{before} ")
    flat.append(inline)


# What an element does in a line, as the module in C tells them apart; what is not here is what its children say.
_LINK, _BREAK, _NOTHING, _READ = 1, 2, 3, 4
_ACTIONS: dict[str, int | Style] = {
    "a": _LINK,
    "br": _BREAK,
    **dict.fromkeys(("svg", "hr", *READINGS), _NOTHING),
    **dict.fromkeys(("math", "mjx-container", "script", "img", "button", *_CODE), _READ),
    **STYLES,
}
_in_c = None if Node is NodeInPython else compiled("ruiji.chunker.document._inlines")
if _in_c is not None:
    _classes = (Text, Styled, InlineCode, Link, Formula, LineBreak, NoteReference)
    _in_c.connect(_classes, Node, _ACTIONS, _element, _PERMALINKS, get_args(Style))
