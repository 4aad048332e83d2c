"""Blocks where there is place for lines only: in cells of tables and captions."""

from __future__ import annotations

from collections.abc import Iterator

from ruiji.chunker.document.model import (
    Block,
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
    Link,
    ListBlock,
    Paragraph,
    Quote,
)


def lines_of(block: Block) -> Iterator[tuple[Inline, ...]]:
    """The lines of a block, for where there is no place for blocks."""
    if isinstance(block, Heading | Paragraph):
        yield block.inlines
    elif isinstance(block, ListBlock):
        for item in block.items:
            for inner in item:
                yield from lines_of(inner)
    elif isinstance(block, Definitions):
        for term, blocks in block.entries:
            yield term
            for inner in blocks:
                yield from lines_of(inner)
    elif isinstance(block, Quote | Callout):
        for inner in block.blocks:
            yield from lines_of(inner)
    elif isinstance(block, Figure):
        yield (*block.images,)
        if block.caption:
            yield block.caption
    elif isinstance(block, CodeBlock):
        for text in block.text.split("\n"):
            yield (InlineCode(text),) if text.strip() else ()
    elif isinstance(block, DisplayFormula):
        yield (Formula(block.tex),)


def images_of(blocks: list[Block]) -> Iterator[Image]:
    """The images of paragraphs, also those in links."""
    for block in blocks:
        if isinstance(block, Paragraph):
            for inline in block.inlines:
                for piece in inline.inlines if isinstance(inline, Link) else (inline,):
                    if isinstance(piece, Image):
                        yield piece
