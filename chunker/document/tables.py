"""Tables: those that hold data told from those that only place things, and the rows of the former."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence

from ruiji.chunker.document.model import Cell, Inline, Table
from ruiji.chunker.document.tree import Node

# Places of a table beyond its cells that may stay empty; the largest of real pages have some thousand
MAX_GRID = 100_000
MAX_SPAN = 1000  # WHATWG HTML, 4.9.11: a larger colspan counts as 1000
_SECTIONS = frozenset(("thead", "tbody", "tfoot"))
# What does not stand in a cell of data: the cell places it.
_PLACED = frozenset("h1 h2 h3 h4 h5 h6 table pre article section form main nav blockquote hr".split())
_LARGE_WORDS = frozenset("h1 h2 h3 h4 h5 h6".split())
_FEWEST_ROWS, _MOST, _FEW_WORDS = 3, 0.8, 60  # rows, share of them, characters in the mean cell
_SAYS_LAYOUT = frozenset(("presentation", "none"))
_LONG = 600  # characters in the mean cell: prose in columns


def table_rows(node: Node) -> list[Node]:
    """The rows of a table, not those of tables in it."""
    rows: list[Node] = []
    for child in node.elements:
        if child.tag == "tr":
            rows.append(child)
        elif child.tag in _SECTIONS:
            rows += [row for row in child.elements if row.tag == "tr"] or ([child] if cells_of(child) else [])
    return rows


def cells_of(row: Node) -> list[Node]:
    """The cells of a row."""
    return [cell for cell in row.elements if cell.tag in ("td", "th")]


def is_data(node: Node) -> bool:
    """Whether a table holds data: at least two rows and columns of cells that are no pages of their own.

    Header cells and a caption say so, unless the cells hold what data never is (WHATWG HTML, 4.9.1, gives the
    same signs to browsers).
    """
    if node.get("role") in _SAYS_LAYOUT:
        return False
    rows = [cells_of(row) for row in table_rows(node)]
    cells = [cell for row in rows for cell in row]
    if not cells or max(len(row) for row in rows) < 2:
        return False
    placed = {child.tag for cell in cells for child in cell.descendants()} & _PLACED
    filled = [length for cell in cells if (length := len(cell.text()))]
    if placed and not (placed <= _LARGE_WORDS and _is_grid(rows, filled)):
        return False
    says = any(cell.tag == "th" for cell in cells) or any(
        child.tag in ("caption", "thead") for child in node.elements
    )
    if says:
        return True
    if len(rows) < 2 or len(filled) < 2:
        return False
    return sum(filled) / len(filled) < _LONG


def _is_grid(rows: list[list[Node]], filled: list[int]) -> bool:
    """Whether rows have as many cells each, and few words in them: their headings are words in large type."""
    columns = Counter(map(len, rows))
    return (
        len(rows) >= _FEWEST_ROWS
        and max(columns.values()) > _MOST * len(rows)
        and sum(filled) < _FEW_WORDS * max(1, len(filled))
    )


def _span(cell: Node, name: str) -> int:
    digits = re.match(r"\s*(\d{1,6})", cell.get(name))
    return min(max(1, int(digits.group(1))), MAX_SPAN) if digits else 1


def table_of(node: Node, cell_inlines: Callable[[Node], tuple[Inline, ...]]) -> Table:
    """The table; rows without any text are left out."""
    rows: list[tuple[Cell, ...]] = []
    header_rows = 0
    in_head = {id(row) for child in node.elements if child.tag == "thead" for row in (child, *child.elements)}
    for row in table_rows(node):
        cells = tuple(
            Cell(cell_inlines(cell), cell.tag == "th", _span(cell, "colspan"), _span(cell, "rowspan"))
            for cell in cells_of(row)
        )
        if any(cell.inlines for cell in cells):
            if len(rows) == header_rows and (id(row) in in_head or all(cell.is_header for cell in cells)):
                header_rows += 1
            rows.append(cells)
    caption = next((cell_inlines(child) for child in node.elements if child.tag == "caption"), ())
    return Table(tuple(rows), header_rows, caption)


def grid(table: Table) -> list[list[tuple[Inline, ...]]]:
    """The cells in rows and columns; of one that covers several, the others are empty.

    In a table that would be far larger so than its cells are, each covers one place, and rows stay as long as
    they are, but for the first.
    """
    rows = table.rows
    lines = _covered(rows, MAX_GRID + sum(map(len, rows)))
    if lines is None:
        lines = [[cell.inlines for cell in row] for row in rows]
    width = max(map(len, lines), default=0)
    padded = lines if width * len(lines) <= MAX_GRID else lines[:1]
    for line in padded:
        line += [()] * (width - len(line))
    return lines


def _covered(rows: Sequence[tuple[Cell, ...]], most: int) -> list[list[tuple[Inline, ...]]] | None:
    """The places that the cells of each row cover; None where that are more than so many."""
    lines: list[list[tuple[Inline, ...]]] = []
    below: dict[int, int] = {}  # column → rows that a cell from above still covers
    for row in rows:
        line: list[tuple[Inline, ...]] = []
        for cell in row:
            if len(line) > most:
                return None
            while below.get(len(line), 0) > 0:
                below[len(line)] -= 1
                line.append(())
            for number in range(cell.columns if cell.columns < MAX_SPAN else 1):
                if cell.rows > 1:
                    below[len(line)] = cell.rows - 1
                line.append(cell.inlines if number == 0 else ())
        while below.get(len(line), 0) > 0:
            below[len(line)] -= 1
            line.append(())
        lines.append(line)
        most -= len(line)
        if most < 0:
            return None
    return lines
