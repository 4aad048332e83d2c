"""Blocks where there is place for lines only: in cells of tables and captions of figures."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import TypeAlias

from ruiji.chunker.document.inlines import Reading, inlines_of
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
    LineBreak,
    Link,
    ListBlock,
    Paragraph,
    Quote,
    plain_text,
)
from ruiji.chunker.document.tidying import tidy
from ruiji.chunker.document.tree import Node

# The blocks inside an element; the last are the elements around it
BlocksOf: TypeAlias = Callable[[Node, Reading, list[Node]], list[Block]]


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


def cell_line(cell: Node, reading: Reading, path: list[Node], blocks_of: BlocksOf) -> tuple[Inline, ...]:
    """What a cell says in one line: blocks in it are parted by line breaks."""
    if not cell.has_block:
        return inlines_of(cell.children, reading)
    lines = [line for block in blocks_of(cell, reading, path) for line in lines_of(block)]
    joined: list[Inline] = []
    for line in lines:
        joined += [*([LineBreak()] if joined else []), *line]
    return tidy(joined)


def figure_of(node: Node, reading: Reading, path: list[Node], blocks_of: BlocksOf) -> list[Block]:
    """The figure that an element is: its images with their caption; its blocks where it says more."""
    inner = [other for child in node.descendants() if child.tag == "figure" for other in child.descendants()]
    captions = [child for child in node.descendants() if child.tag == "figcaption" and child not in inner]
    left_out = reading.left_out | {caption.event for caption in captions}
    blocks = blocks_of(node, replace(reading, left_out=left_out), path)
    caption = tidy(
        [
            piece
            for other in captions
            for line in map(lines_of, blocks_of(other, reading, path))
            for piece in next(line, ())
        ]
    )
    images = tuple(images_of(blocks))
    if (
        images
        and len(blocks) == sum(isinstance(block, Paragraph) for block in blocks)
        and not any(plain_text(block.inlines).strip() for block in blocks if isinstance(block, Paragraph))
    ):
        return [Figure(images, caption)]
    return [*blocks, *([Paragraph(caption)] if caption else [])]
