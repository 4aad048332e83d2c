"""Markdown of a document: CommonMark with GitHub's tables and strikethrough, footnotes, and TeX between
dollars.

What is text stays text: characters that a parser would take for markup are escaped where they stand, and only
there. Parsing what is written gives the same blocks and pieces; tests hold it against markdown-it-py.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from ruiji.chunker.document.model import (
    Block,
    Body,
    Callout,
    CodeBlock,
    Definitions,
    DisplayFormula,
    Figure,
    Formula,
    Heading,
    Image,
    Inline,
    InlineCode,
    LineBreak,
    Link,
    ListBlock,
    NoteReference,
    Paragraph,
    Quote,
    Styled,
    Table,
    Text,
    ThematicBreak,
)
from ruiji.chunker.document.tables import grid
from ruiji.corpora.c_modules import compiled

_BREAK = "  \n"
_DELIMITERS = {"strong": ("**", "__"), "emphasis": ("*", "_"), "strike": ("~~",)}
_TAGS = {"strong": "strong", "emphasis": "em", "strike": "s", "subscript": "sub", "superscript": "sup"}
_ALWAYS = re.compile(r"[\\`*\[]|(?<![^\W_])_|_(?![^\W_])|~(?=~)|(?<=~)~|<(?=[A-Za-z/!?])|&(?=#?\w+;)")
_SUSPECT = re.compile(r"[\\`*\[_~<&]")
_LINE_START = re.compile(r"^([#>+-]|=+\s*$|\d{1,9}[.)](?=\s|$)|:?-+)", re.MULTILINE)
_STARTS = frozenset("#>+-=:~")  # with digits, the first characters of what the two expressions match
_FENCE_START = re.compile(r"^(~~~)", re.MULTILINE)
_ENTITY = re.compile(r"&(?=#?\w+;)")
_IN_ADDRESS = re.compile(r"[\s<>\\\x00-\x1f]")


def markdown(body: Body) -> str:
    """The document as Markdown."""
    parts = _blocks(body.blocks)
    for note in body.notes:
        text = _joined(_blocks(note.blocks))
        first, _, rest = text.partition("\n")
        lines = [f"    {line}" if line else "" for line in rest.split("\n")] if rest else []
        parts.append("\n".join([f"[^{note.label}]: {first}", *lines]).rstrip())
    return _joined(parts)


def _joined(parts: Iterable[str]) -> str:
    return "\n\n".join(part for part in parts if part)


def _blocks(blocks: Sequence[Block]) -> list[str]:
    """The blocks, each as text; lists side by side get different marks, or they would be one."""
    written: list[str] = []
    alternate = False
    for place, block in enumerate(blocks):
        if isinstance(block, ListBlock):
            before = blocks[place - 1] if place else None
            beside = isinstance(before, ListBlock) and (block.start is None) == (before.start is None)
            alternate = not alternate if beside else False
        else:
            alternate = False
        if text := _block(block, alternate):
            written.append(text)
    return written


def _block(block: Block, alternate: bool = False) -> str:
    return _list(block, alternate) if isinstance(block, ListBlock) else _WRITERS[type(block)](block)


def _heading(block: Heading) -> str:
    return f"{'#' * block.level} {_one_line(block.inlines)}"


def _paragraph(block: Paragraph) -> str:
    if _in_c is not None:
        text: str | None = _in_c.paragraph(block.inlines)
        if text is not None:
            return text
    return _line_starts(_line(block.inlines))


def _definitions(block: Definitions) -> str:
    return _joined(
        part for term, inner in block.entries for part in (_line_starts(_line(term)), *_blocks(inner))
    )


def _code_block(block: CodeBlock) -> str:
    fence = "`" * max(3, 1 + max((len(run) for run in re.findall("`+", block.text)), default=0))
    return f"{fence}{block.language}\n{block.text}\n{fence}"


def _quote(block: Quote) -> str:
    return _quoted(_joined(_blocks(block.blocks)))


def _callout(block: Callout) -> str:
    inside = _joined(_blocks(block.blocks))
    starts_line = not block.blocks or isinstance(block.blocks[0], Paragraph)
    head = f"[!{block.kind}] {_escaped(block.title)}"
    return _quoted(head + ("\n" if starts_line else "\n\n") + inside)


def _figure(block: Figure) -> str:
    images = " ".join(_image(image, "$") for image in block.images)
    return _joined((images, _line_starts(_line(block.caption))))


def _display_formula(block: DisplayFormula) -> str:
    return f"$$\n{block.tex}\n$$"


def _thematic_break(_: ThematicBreak) -> str:
    return "---"


def _quoted(text: str) -> str:
    return "\n".join(f"> {line}" if line else ">" for line in text.split("\n"))


def _list(block: ListBlock, alternate: bool) -> str:
    """A list; tight where each item is one line and perhaps lists."""
    tight = all(
        isinstance(item[0], Paragraph) and all(map(_may_follow_a_line, item[1:])) for item in block.items
    )
    written = []
    for number, item in enumerate(block.items):
        mark = (
            ("*" if alternate else "-")
            if block.start is None
            else f"{block.start + number}{')' if alternate else '.'}"
        )
        text = ("\n" if tight else "\n\n").join(_blocks(item))
        if isinstance(item[0], ThematicBreak):  # "- ---" would be one line across the page
            text = text.replace("---", "___", 1)
        indent = " " * (len(mark) + 1)
        lines = [f"{indent}{line}" if line else "" for line in text.split("\n")]
        written.append((mark + " " + "\n".join(lines)[len(indent) :]).rstrip(" "))
    return ("\n" if tight else "\n\n").join(written)


def _may_follow_a_line(block: Block) -> bool:
    """Whether a block is a list that is read as one without an empty line before it: numbers other than 1 go
    on with the line (CommonMark 0.31, 5.2).
    """
    return isinstance(block, ListBlock) and block.start in (None, 1)


def _table(block: Table) -> str:
    """A table; GitHub's have exactly one row that names the columns, so the first does."""
    rows = [[_cell(cell) for cell in line] for line in grid(block)]
    lines = [f"| {' | '.join(row)} |" for row in rows]
    lines.insert(1, f"|{' --- |' * len(rows[0])}")
    caption = _line_starts(_line(block.caption))
    return _joined((caption, "\n".join(lines)))


def _cell(inlines: tuple[Inline, ...]) -> str:
    return _line(inlines).replace(_BREAK, "<br>").replace("\n", " ").replace("|", "\\|")


def _one_line(inlines: tuple[Inline, ...]) -> str:
    text = _line(inlines).replace(_BREAK, " ").replace("\n", " ")
    if not text.endswith("#"):
        return text
    return re.sub(r"(?<!#)(#+)$", r"\\\1", text)  # or it would end the heading


def _line_starts(text: str) -> str:
    """A paragraph whose lines cannot be taken for the beginning of another block."""
    if "\n" not in text and text[:1] not in _STARTS and not text[:1].isdecimal():
        return text
    text = _FENCE_START.sub(r"\\\1", text)
    return _LINE_START.sub(_escaped_start, text)


def _escaped_start(match: re.Match[str]) -> str:
    start = match.group(1)
    return f"{start[:-1]}\\{start[-1]}" if start[0].isdigit() else f"\\{start}"


def _escaped(text: str, more: str = "") -> str:
    """The text with markup characters escaped."""
    if _SUSPECT.search(text):
        text = _ALWAYS.sub(r"\\\g<0>", text)
    for char in more:
        text = text.replace(char, f"\\{char}")
    return text


def _line(inlines: tuple[Inline, ...]) -> str:
    """The inline pieces of a whole line."""
    written = _inlines(inlines, "")
    if written.count("$") > 1 and _may_be_math(inlines):
        return _inlines(inlines, "$")
    return written


def _inlines(inlines: tuple[Inline, ...], more: str) -> str:
    """Inline pieces; ``more`` are further characters to escape in texts."""
    if _in_c is None:
        return inlines_in_python(inlines, more)
    text: str = _in_c.line_of(inlines, more)
    return text


def inlines_in_python(inlines: tuple[Inline, ...], more: str) -> str:
    """Inline pieces: the reference for the function in C."""
    written = ""
    last = len(inlines) - 1
    for place, inline in enumerate(inlines):
        if isinstance(inline, Text):
            written += _escaped(inline.text, more)
            continue
        behind = _first_character(inlines[place + 1]) if place < last else ""
        if written.endswith(("!", "^")) and isinstance(inline, (Link, Image, NoteReference)):
            written = f"{written[:-1]}\\{written[-1]}"  # or it would be an image, or a note in the line
        written += _inline(inline, written[-1:], behind, more)
    return written


def _may_be_math(inlines: Sequence[Inline]) -> bool:
    """Whether dollars in a line could be taken for the ends of a formula."""
    return _dollars(inlines) > 1


def _dollars(inlines: Sequence[Inline]) -> int:
    count = 0
    for inline in inlines:
        if isinstance(inline, (Text, InlineCode)):
            count += inline.text.count("$")
        elif isinstance(inline, Styled):
            count += _dollars(inline.inlines)
        elif isinstance(inline, Link):
            count += _dollars(inline.inlines) + f"{inline.target}{inline.title}".count("$")
        elif isinstance(inline, Image):
            count += f"{inline.target}{inline.title}{inline.alt}".count("$")
        elif isinstance(inline, Formula):
            count += 2
    return count


def _first_character(inline: Inline) -> str:
    if isinstance(inline, Text):
        return inline.text[:1]
    return {LineBreak: "\n", InlineCode: "`", Formula: "$", Image: "!"}.get(
        type(inline), "*" if isinstance(inline, Styled) else "["
    )


def _inline(inline: Inline, before: str, behind: str, more: str) -> str:
    if isinstance(inline, Styled):
        return _styled(inline, before, behind, more)
    if isinstance(inline, InlineCode):
        return _inline_code(inline.text)
    if isinstance(inline, Link):
        words = inlines_in_python(inline.inlines, more.replace("]", "") + "]")
        words = f"\\{words}" if words.startswith("^") else words  # "[^" would begin a footnote
        return f"[{words}]({_address(inline.target)}{_title(inline.title)})"
    if isinstance(inline, Image):
        return _image(inline, more)
    if isinstance(inline, Formula):
        return f"${inline.tex}$"
    if isinstance(inline, NoteReference):
        return f"[^{inline.label}]"
    return _BREAK


def _styled(inline: Styled, before: str, behind: str, more: str) -> str:
    """A piece that stands out: between stars or lines where a parser would read them so, else between
    tags.
    """
    inside = inlines_in_python(inline.inlines, more)
    for delimiter in _DELIMITERS.get(inline.style, ()) if inside else ():
        sign = delimiter[0]
        if sign in (before, behind, inside[0], inside[-1]) or (sign == "~" and "~" in inside):
            continue
        if sign == "_" and ("_" in inside or before.isalnum() or behind.isalnum()):
            continue
        if _opens(before, inside[:1]) and _opens(behind, inside[-1:]):
            return f"{delimiter}{inside}{delimiter}"
    tag = _TAGS[inline.style]
    return f"<{tag}>{inside}</{tag}>"


def _opens(outside: str, inside: str) -> bool:
    """Whether a delimiter between these characters is one on this side (CommonMark 0.31, 6.2: flanking)."""
    if not inside or inside.isspace():
        return False
    return not _is_punctuation(inside) or not outside or outside.isspace() or _is_punctuation(outside)


def _is_punctuation(char: str) -> bool:
    return unicodedata.category(char)[0] in "PS"


def _inline_code(text: str) -> str:
    fence = "`" * (1 + max((len(run) for run in re.findall("`+", text)), default=0))
    space = " " if text[:1] in ("`", " ") or text[-1:] in ("`", " ") else ""
    return f"{fence}{space}{text}{space}{fence}"


def _image(image: Image, more: str = "") -> str:
    words = _escaped(image.alt, more.replace("]", "") + "]")
    return f"![{words}]({_address(image.target)}{_title(image.title)})"


def _address(address: str) -> str:
    """An address as the target of a link: spaces as a browser would send them, brackets escaped."""
    if _IN_ADDRESS.search(address):
        address = _IN_ADDRESS.sub(_percent_encoded, address)
    if "(" in address or ")" in address or "&" in address:
        address = re.sub(r"[()]", r"\\\g<0>", _ENTITY.sub("&amp;", address))
    return address


def _percent_encoded(match: re.Match[str]) -> str:
    return "".join(f"%{byte:02X}" for byte in match.group().encode("utf-8", "replace"))


def _title(title: str) -> str:
    escaped = _ENTITY.sub("&amp;", title.replace("\\", "\\\\").replace('"', '\\"'))
    return f' "{escaped}"' if title else ""


_WRITERS: dict[type, Callable[[Any], str]] = {
    Heading: _heading,
    Paragraph: _paragraph,
    Definitions: _definitions,
    Table: _table,
    CodeBlock: _code_block,
    Quote: _quote,
    Callout: _callout,
    Figure: _figure,
    DisplayFormula: _display_formula,
    ThematicBreak: _thematic_break,
}

_in_c = compiled("ruiji.chunker.document.writing._lines")
if _in_c is not None:
    _classes = (Text, Styled, InlineCode, Link, Image, Formula, LineBreak, NoteReference)
    _in_c.connect(_classes, _inline_code, _address, _title, unicodedata.category, _DELIMITERS, _TAGS)
