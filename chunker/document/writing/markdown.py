"""Markdown of a document: CommonMark with GitHub's tables and strikethrough, footnotes, and TeX between
dollars.

What is text stays text: characters that a parser would take for markup are escaped where they stand, and only
there. Parsing what is written gives the same blocks and pieces; tests hold it against markdown-it-py.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from typing import Any, get_args

from ruiji.chunker.document.model import (
    Block,
    Body,
    Callout,
    CodeBlock,
    Definitions,
    DisplayFormula,
    Figure,
    Heading,
    ListBlock,
    Paragraph,
    Quote,
    Style,
    Table,
    ThematicBreak,
)
from ruiji.chunker.document.tables import grid
from ruiji.chunker.document.writing.lines import (
    DELIMITERS,
    TAGS,
    cell,
    escaped,
    image_link,
    one_line,
    paragraph,
)
from ruiji.corpora.c_modules import compiled


def markdown(body: Body) -> str:
    """The document as Markdown."""
    parts = [_written(body.blocks)]
    for note in body.notes:
        text = _written(note.blocks)
        first, _, rest = text.partition("\n")
        lines = [f"    {line}" if line else "" for line in rest.split("\n")] if rest else []
        parts.append("\n".join([f"[^{note.label}]: {first}", *lines]).rstrip())
    return _joined(parts)


def _written(blocks: Sequence[Block]) -> str:
    """The blocks as one text."""
    text: str | None = None if _in_c is None else _in_c.written(blocks)
    return _joined(_blocks(blocks)) if text is None else text


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
    return f"{'#' * block.level} {one_line(block.inlines)}"


def _paragraph(block: Paragraph) -> str:
    return paragraph(block.inlines)


def _definitions(block: Definitions) -> str:
    return _joined(part for term, inner in block.entries for part in (paragraph(term), *_blocks(inner)))


def _code_block(block: CodeBlock) -> str:
    fence = "`" * max(3, 1 + max((len(run) for run in re.findall("`+", block.text)), default=0))
    return f"{fence}{block.language}\n{block.text}\n{fence}"


def _quote(block: Quote) -> str:
    return _quoted(_written(block.blocks))


def _callout(block: Callout) -> str:
    inside = _written(block.blocks)
    starts_line = not block.blocks or isinstance(block.blocks[0], Paragraph)
    head = f"[!{block.kind}] {escaped(block.title)}"
    return _quoted(head + ("\n" if starts_line else "\n\n") + inside)


def _figure(block: Figure) -> str:
    images = " ".join(image_link(image, "$") for image in block.images)
    return _joined((images, paragraph(block.caption)))


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
    rows = [[cell(inlines) for inlines in line] for line in grid(block)]
    lines = [f"| {' | '.join(row)} |" for row in rows]
    lines.insert(1, f"|{' --- |' * len(rows[0])}")
    caption = paragraph(block.caption)
    return _joined((caption, "\n".join(lines)))


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
_in_c = compiled("ruiji.chunker.document._document")
if _in_c is not None:
    _styles: tuple[Style, ...] = get_args(Style)
    _in_c.connect_writing(
        tuple(DELIMITERS.get(style, ()) for style in _styles),
        tuple(TAGS[style] for style in _styles),
        (_block, unicodedata.category),
    )
