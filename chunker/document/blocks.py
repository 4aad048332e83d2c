"""Blocks of a document: from the tree of content to headings, paragraphs, lists, tables and so on."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any

from ruiji.chunker.document.callouts import (
    CALLOUT_SIGNS,
    callout_kind,
    callout_parts,
    may_be_callout,
)
from ruiji.chunker.document.flattening import cell_line, figure_of
from ruiji.chunker.document.formulas import is_formula
from ruiji.chunker.document.inlines import (
    PERMALINKS,
    STYLES,
    Reading,
    inlines_of,
    pieces_of,
    text_with_formulas,
)
from ruiji.chunker.document.listings import (
    DRAWN_SIGNS,
    code_of,
    drawn_code,
    drawn_lines,
    is_code,
    is_label,
    may_be_drawn,
    stands_alone,
    without_labels,
)
from ruiji.chunker.document.model import (
    Block,
    Callout,
    CodeBlock,
    Definitions,
    DisplayFormula,
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
from ruiji.chunker.document.paragraphs import (
    HEADINGS,
    heading_of,
    is_contents,
    is_editing,
    kept_of_link,
    leads_into_page,
    paragraphs_of,
)
from ruiji.chunker.document.roles import (
    ALONE,
    CODES,
    FORMS,
    FRAMES,
    IN_LINE,
    ITEMS,
    LISTS,
    STYLE_NAMES,
    tables_by_number,
)
from ruiji.chunker.document.tables import is_data, table_of
from ruiji.chunker.document.tidying import tidy
from ruiji.chunker.document.tree import BLOCKS, Node, NodeInPython
from ruiji.corpora.c_modules import compiled

_MAY_BE_BLOCK = frozenset(("code", "hr"))


def blocks_of(node: Node, reading: Reading, above: list[Node] | None = None) -> list[Block]:
    """The blocks inside an element; ``above`` are the elements around it, the nearest last."""
    blocks: list[Block] | None = None if _in_c is None else _in_c.blocks_of(node, reading, above)
    return blocks_in_python(node, reading, above) if blocks is None else blocks


def blocks_in_python(node: Node, reading: Reading, above: list[Node] | None = None) -> list[Block]:
    """The blocks inside an element: the reference for the loop in C."""
    children = node.children
    if not children:
        return []
    if not node.has_block and not _may_be_more(children, reading):
        return _line_blocks(children, reading)
    path = [*(above or ()), node]
    blocks: list[Block] = []
    run: list[Node | str] = []
    kind = IN_LINE  # of the run
    has_code = False
    for child in children:
        if isinstance(child, str):
            if (not run or kind != IN_LINE) and child.isspace():
                continue
            own = IN_LINE
        elif child.event in reading.left_out and child.event not in reading.references:
            continue
        else:
            own = _kind(child)
        if run and (own != kind or own == ALONE):
            blocks += _together(kind, run, reading, path)
            run = []
        kind = own
        run.append(child)
        has_code = has_code or own == CODES
    if run:
        blocks += _together(kind, run, reading, path)
    return without_labels(blocks) if has_code else blocks


def _may_be_more(children: list[Node | str], reading: Reading) -> bool:
    """Whether a child of an element without blocks may be one, or is left out."""
    for child in children:
        if not isinstance(child, str) and (child.tag in _MAY_BE_BLOCK or child.event in reading.left_out):
            return True
    return False


def _kind(child: Node) -> int:
    """What an element is among its neighbours: a block alone, an item, a piece of code, or part of a line."""
    tag = child.tag
    if tag == "li":  # without a list around it, which a browser shows as an item all the same
        return ITEMS
    if tag in FRAMES:
        return ALONE
    if not _is_block(child):
        return IN_LINE
    return CODES if is_code(child) else ALONE


def _together(kind: int, run: list[Any], reading: Reading, path: list[Node]) -> list[Block]:
    """The blocks of children of one kind."""
    if kind == ALONE:
        return _block(run[0], reading, path)
    if kind == IN_LINE:
        return _line_blocks(run, reading)
    return code_of(run, path) if kind == CODES else _list(Node("ul", -1, {}, run, True), reading, path)


def _line_blocks(line: Sequence[Node | str], reading: Reading) -> list[Block]:
    """The blocks of a line: mostly one paragraph."""
    first, last = 0, len(line)
    while first < last and isinstance(piece := line[first], str) and piece.isspace():
        first += 1
    while first < last and isinstance(piece := line[last - 1], str) and piece.isspace():
        last -= 1
    return _parted(inlines_of(line[first:last], reading))


def _parted(inlines: tuple[Inline, ...]) -> list[Block]:
    """The blocks that the pieces of a line are."""
    if len(inlines) == 1 and isinstance(inlines[0], Text):
        return [Paragraph(inlines)]
    return [] if is_contents(inlines) else list(paragraphs_of(inlines))


def _is_block(node: Node) -> bool:
    if node.tag in BLOCKS or node.tag == "hr":
        return True
    if node.tag == "code":
        return node.has_block or stands_alone(node)
    return node.has_block and not is_formula(node)


def _block(node: Node, reading: Reading, path: list[Node]) -> list[Block]:
    tag = node.tag
    if tag in FRAMES and (not node.attributes or _is_plain(node.get("class"), node.get("role"))):
        return blocks_of(node, reading, path)  # most are
    if tag in HEADINGS or node.get("role") == "heading":
        return heading_of(node, reading)
    if is_code(node):
        return code_of([node], path)
    if tag in LISTS:
        return _list(node, reading, path)
    if tag == "dl":
        return _definitions(node, reading, path)
    if tag == "table":
        return _table(node, reading, path)
    if tag == "blockquote":
        inside = blocks_of(node, reading, path)
        return [Quote(tuple(inside))] if inside else []
    if tag == "figure":
        return figure_of(node, reading, path, blocks_of)
    if tag == "hr":
        return [ThematicBreak()]
    if lines := drawn_lines(node):
        return [drawn_code(node, lines, path)]
    if kind := callout_kind(node):
        title, rest = callout_parts(node)
        inside = blocks_of(rest, reading, path)
        said = kind.capitalize() if title in ("", kind) else title
        return [Callout(kind, said, tuple(inside))] if inside or title else []
    if tag in FORMS:
        return []
    if (
        tag == "a"
        and (target := reading.target(node.get("href")))
        and not target.startswith("#")
        and reading.links
    ):
        return [
            _around_line(block, lambda line: Link(target, line))
            if not any(isinstance(inline, Link) for inline in getattr(block, "inlines", ()))
            else block
            for block in blocks_of(node, reading, path)
        ]
    if tag in STYLES:
        style = STYLES[tag]
        return [
            _around_line(block, lambda line: Styled(style, line)) for block in blocks_of(node, reading, path)
        ]
    return blocks_of(node, reading, path)


@lru_cache(maxsize=4096)  # elements share their names
def _is_plain(names: str, role: str) -> bool:
    """Whether an element of these names is a frame that says nothing of what is in it."""
    return role != "heading" and not may_be_drawn(names) and not may_be_callout(names)


def _around_line(block: Block, piece: Callable[[tuple[Inline, ...]], Inline]) -> Block:
    """A block inside a link or a style, which is put around its line."""
    if isinstance(block, Heading | Paragraph):
        return replace(block, inlines=tidy((piece(block.inlines),)))
    return block


def _list(node: Node, reading: Reading, path: list[Node]) -> list[Block]:
    items: list[tuple[Block, ...]] = []
    inner = [*path, node]
    for child in node.children:
        if isinstance(child, str):
            if child.strip():
                items.append((Paragraph(inlines_of([child], reading)),))
        elif child.event in reading.left_out:
            continue
        elif child.tag in LISTS and items:  # a list that its page put beside the item it belongs to
            items[-1] = (*items[-1], *_list(child, reading, inner))
        else:
            item = (
                blocks_of(child, reading, inner)
                if child.tag == "li" or (child.has_block and child.tag not in LISTS)
                else _block_or_line(child, reading, inner)
            )
            if item:
                items.append(tuple(item))
    if not items:
        return []
    if len(items) == 1 and _is_only_structure(items[0]):
        return list(items[0])
    if all(map(leads_into_page, items)):  # a table of contents, or what the mask left of one
        return []
    start = None
    if node.tag == "ol":
        digits = re.fullmatch(r"\d{1,9}", node.get("start"))
        start = int(digits.group()) if digits else 1
    return [ListBlock(tuple(items), start)]


def _is_only_structure(item: tuple[Block, ...]) -> bool:
    """Whether an item is no item but a list used as a frame around parts of the page, or around a list."""
    if len(item) == 1 and isinstance(item[0], ListBlock):
        return True
    return any(isinstance(block, Heading | Table | Quote) for block in item) and len(item) > 1


def _block_or_line(node: Node, reading: Reading, path: list[Node]) -> list[Block]:
    if _is_block(node):
        return _block(node, reading, path)
    line = inlines_of([node], reading)
    return [Paragraph(line)] if line else []


def _definitions(node: Node, reading: Reading, path: list[Node]) -> list[Block]:
    entries: list[tuple[tuple[Inline, ...], tuple[Block, ...]]] = []
    inner = [*path, node]
    parts = [part for child in node.elements for part in (child.elements if child.tag == "div" else [child])]
    for part in parts:
        if part.event in reading.left_out:
            continue
        if part.tag == "dt" and not part.has_block:
            entries.append((inlines_of(part.children, reading), ()))
        else:
            blocks = blocks_of(part, reading, inner)
            term, before = entries.pop() if entries else ((), ())
            entries.append((term, (*before, *blocks)))
    entries = [(term, blocks) for term, blocks in entries if term or blocks]
    if not any(term for term, _ in entries):
        return [block for _, blocks in entries for block in blocks]
    return [Definitions(tuple(entries))]


def _table(node: Node, reading: Reading, path: list[Node]) -> list[Block]:
    if not is_data(node):
        return [block for child in node.elements for block in _placed(child, reading, [*path, node])]
    if not reading.tables:
        return []
    table = table_of(node, lambda cell: cell_line(cell, reading, [*path, node], blocks_of))
    return [table] if table.rows else []


def _placed(node: Node, reading: Reading, path: list[Node]) -> list[Block]:
    """The blocks of a layout table's part, cell by cell; a formula alone in its table stands on its own
    line.
    """
    if node.event in reading.left_out:
        return []
    if node.tag in ("td", "th", "caption"):
        blocks = blocks_of(node, reading, path)
        if len(blocks) == 1 and isinstance(blocks[0], Paragraph) and len(blocks[0].inlines) == 1:
            inline = blocks[0].inlines[0]
            if isinstance(inline, Formula):
                return [DisplayFormula(inline.tex)]
        return blocks
    return [block for child in node.elements for block in _placed(child, reading, [*path, node])]


_in_c = None if Node is NodeInPython else compiled("ruiji.chunker.document._document")
if _in_c is not None:
    _in_c.connect_reading(
        (
            Text, Styled, InlineCode, Link, Image, Formula, LineBreak, NoteReference,
            Heading, Paragraph, ListBlock, Quote, ThematicBreak, DisplayFormula, CodeBlock, Table,
        ),
        STYLE_NAMES, *tables_by_number(),
        PERMALINKS, tuple(sign.encode() for sign in (*CALLOUT_SIGNS, *DRAWN_SIGNS)),
        frozenset(("mjx-container",)),
        (
            pieces_of, text_with_formulas, _kind, code_of, _is_plain, _block, is_label, is_editing,
            kept_of_link,
        ),
    )  # fmt: skip
