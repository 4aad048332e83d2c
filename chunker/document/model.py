"""What a document is made of: inline pieces, blocks of them, and the whole. Plain values; writers turn them
into text.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, TypeAlias

Style = Literal["strong", "emphasis", "strike", "subscript", "superscript"]


@dataclass(frozen=True, slots=True)
class Text:
    """Characters as they are read, with single spaces."""

    text: str


@dataclass(frozen=True, slots=True)
class Styled:
    """Inline pieces that stand out."""

    style: Style
    inlines: tuple[Inline, ...]


@dataclass(frozen=True, slots=True)
class InlineCode:
    """Code in a line of prose."""

    text: str


@dataclass(frozen=True, slots=True)
class Link:
    """A link to an absolute address, or to a place in the page (``#…``)."""

    target: str
    inlines: tuple[Inline, ...]
    title: str = ""


@dataclass(frozen=True, slots=True)
class Image:
    """An image with its alternative text."""

    target: str
    alt: str
    title: str = ""


@dataclass(frozen=True, slots=True)
class Formula:
    """Mathematics as TeX, in a line or on one of its own."""

    tex: str
    display: bool = False


@dataclass(frozen=True, slots=True)
class LineBreak:
    """The line ends here."""


@dataclass(frozen=True, slots=True)
class NoteReference:
    """Where a footnote is referred to."""

    label: str


Inline: TypeAlias = Text | Styled | InlineCode | Link | Image | Formula | LineBreak | NoteReference


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading; level 1 is the title of the document, which is not among its blocks."""

    level: int
    inlines: tuple[Inline, ...]


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A paragraph."""

    inlines: tuple[Inline, ...]


@dataclass(frozen=True, slots=True)
class ListBlock:
    """A list; ``start`` is the first number of an ordered one, None without order."""

    items: tuple[tuple[Block, ...], ...]
    start: int | None = None


@dataclass(frozen=True, slots=True)
class Definitions:
    """A list of terms with what is said of each."""

    entries: tuple[tuple[tuple[Inline, ...], tuple[Block, ...]], ...]


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell of a table, with how many columns and rows it covers."""

    inlines: tuple[Inline, ...]
    is_header: bool = False
    columns: int = 1
    rows: int = 1


@dataclass(frozen=True, slots=True)
class Table:
    """A table of data; the first ``header_rows`` rows name the columns."""

    rows: tuple[tuple[Cell, ...], ...]
    header_rows: int
    caption: tuple[Inline, ...] = ()


@dataclass(frozen=True, slots=True)
class CodeBlock:
    """Code, its white space as it stands, and the language where the page says it."""

    text: str
    language: str = ""


@dataclass(frozen=True, slots=True)
class Quote:
    """What somebody else said."""

    blocks: tuple[Block, ...]


@dataclass(frozen=True, slots=True)
class Callout:
    """A box beside the text: a note, a warning, a tip."""

    kind: str
    title: str
    blocks: tuple[Block, ...]


@dataclass(frozen=True, slots=True)
class Figure:
    """Images with a caption."""

    images: tuple[Image, ...]
    caption: tuple[Inline, ...]


@dataclass(frozen=True, slots=True)
class DisplayFormula:
    """Mathematics on lines of its own, as TeX."""

    tex: str


@dataclass(frozen=True, slots=True)
class ThematicBreak:
    """A line between two parts."""


Block: TypeAlias = (
    Heading
    | Paragraph
    | ListBlock
    | Definitions
    | Table
    | CodeBlock
    | Quote
    | Callout
    | Figure
    | DisplayFormula
    | ThematicBreak
)


@dataclass(frozen=True, slots=True)
class Note:
    """A footnote: the label that references carry, and what it says."""

    label: str
    blocks: tuple[Block, ...]


@dataclass(frozen=True, slots=True)
class Body:
    """The content of a page: its blocks in reading order, and its footnotes."""

    blocks: tuple[Block, ...]
    notes: tuple[Note, ...] = ()


def plain_text(inlines: tuple[Inline, ...]) -> str:
    """The characters of inline pieces, without any markup."""
    return "".join(_characters(inlines))


def _characters(inlines: tuple[Inline, ...]) -> Iterator[str]:
    for inline in inlines:
        if isinstance(inline, (Text, InlineCode)):
            yield inline.text
        elif isinstance(inline, (Styled, Link)):
            yield from _characters(inline.inlines)
        elif isinstance(inline, Formula):
            yield inline.tex
        elif isinstance(inline, LineBreak):
            yield "\n"
