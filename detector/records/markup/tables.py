"""Where the cells of tables stand: column, row, the label that heads them, the stub of their row."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ruiji.detector.records.fields.concepts import Schema, built_in
from ruiji.detector.records.fields.posts import is_post
from ruiji.detector.records.fields.values import MAIL, PHONE
from ruiji.detector.records.markup.tree import PageTree

MAX_CELLS = 200_000  # a grid of more is no table of facts, whatever its spans say
LABEL_SHARE = 0.5  # of the cells of a header without <th> that must be known labels
LONGEST_LABEL = 24  # characters
LONGEST_STUB = 60

Grid = list[list[int]]  # cell elements; -1 where there is none


@dataclass(frozen=True, slots=True)
class CellPlace:
    """A cell: its table and row (elements), column, the label of its column or row, the stub of its row.

    ``is_label``: the cell is itself a label of others.
    """

    table: int
    row: int
    column: int
    label: str
    stub: str
    is_label: bool = False


def cell_places(tree: PageTree, schema: Schema | None = None) -> dict[int, CellPlace]:
    """The place of every cell of every table of a page."""
    known = schema or built_in()
    places: dict[int, CellPlace] = {}
    for table, tag in enumerate(tree.tag):
        if tag == "table":
            rows = _rows(tree, table)
            grid = _grid(tree, rows)
            if grid:
                _place(tree, table, rows, grid, known, places)
    return places


def _place(
    tree: PageTree, table: int, rows: Sequence[int], grid: Grid, schema: Schema, places: dict[int, CellPlace]
) -> None:
    texts = [["" if cell < 0 else tree.text(cell) for cell in row] for row in grid]
    header = _header_rows(tree, rows, grid, texts, schema)
    labels = _column_labels(texts, header) if header else []
    left = not header and _labels_stand_left(grid, texts, tree, schema)
    stub = ""
    for number, (row, words) in enumerate(zip(grid, texts, strict=True)):
        several = len(set(row)) > 1
        if row and row[0] >= 0 and several:
            first = words[0].replace("\n", " ").strip()
            if first and (first != stub or tree.tag[row[0]] == "th"):
                stub = first
        for column, cell in enumerate(row):
            if cell < 0 or cell in places:
                continue
            label = labels[column] if column < len(labels) and number >= header else ""
            if left and column % 2 == 1 and not label:
                label = words[column - 1].replace("\n", "")
            is_label = number < header or (left and column % 2 == 0 and bool(words[column]))
            own = stub if column and len(stub) <= LONGEST_STUB and several else ""
            places[cell] = CellPlace(
                table, rows[number], column, label if len(label) <= LONGEST_LABEL else "", own, is_label
            )


def _rows(tree: PageTree, table: int) -> list[int]:
    rows = []
    for child in tree.children[table]:
        if tree.tag[child] == "tr":
            rows.append(child)
        elif tree.tag[child] in ("thead", "tbody", "tfoot"):
            rows += [row for row in tree.children[child] if tree.tag[row] == "tr"]
    return rows


def _grid(tree: PageTree, rows: Sequence[int]) -> Grid:
    """The cell at every place, a spanning cell at all of its places (WHATWG HTML, 4.9.12)."""
    grid: Grid = [[] for _ in rows]
    taken: dict[tuple[int, int], int] = {}
    for number, row in enumerate(rows):
        column = 0
        for cell in tree.children[row]:
            if tree.tag[cell] not in ("td", "th"):
                continue
            while (number, column) in taken:
                column += 1
            down, across = tree.spans.get(cell, (1, 1))
            for below in range(min(down, len(rows) - number)):
                for beside in range(across):
                    taken.setdefault((number + below, column + beside), cell)
            column += across
            if len(taken) > MAX_CELLS:
                return []
    for (number, column), cell in taken.items():
        line = grid[number]
        line.extend([-1] * (column + 1 - len(line)))
        line[column] = cell
    return grid


def _header_rows(
    tree: PageTree, rows: Sequence[int], grid: Grid, texts: Sequence[Sequence[str]], schema: Schema
) -> int:
    """How many rows at the top hold the labels of the columns."""
    count = 0
    for tr, row in zip(rows, grid, strict=True):
        cells = {cell for cell in row if cell >= 0}
        in_head = tree.tag[tree.parent[tr]] == "thead"
        if len(cells) < 2 and not (in_head and count):
            break
        if not in_head and not all(tree.tag[cell] == "th" for cell in cells):
            break
        count += 1
    if count:
        return count if len(grid) > count else 0
    words = [word for word in texts[0] if word]
    known = sum(bool(schema.concept_of(word)) and not is_post(word) for word in words)
    data = any(MAIL.search(word) or PHONE.search(word) or len(word) > LONGEST_STUB for word in words)
    if len(words) < 2 or data or len(grid) < 2:
        return 0
    if len(words) == 2 and all(schema.concept_of(row[0]) for row in texts if row):
        return 0  # two columns of which the first holds the labels
    return int(known >= max(2, LABEL_SHARE * len(words)))


def _column_labels(texts: Sequence[Sequence[str]], header: int) -> list[str]:
    """The label of each column: the lowest one above it."""
    width = max(len(row) for row in texts[:header])
    labels = []
    for column in range(width):
        above = [row[column].replace("\n", "") for row in texts[:header] if column < len(row) and row[column]]
        labels.append(above[-1] if above else "")
    return labels


def _labels_stand_left(grid: Grid, texts: Sequence[Sequence[str]], tree: PageTree, schema: Schema) -> bool:
    """Whether the first column holds known labels of what stands beside them."""
    firsts = [words[0] for row, words in zip(grid, texts, strict=True) if len(set(row)) > 1 and words[0]]
    known = sum(bool(schema.concept_of(word)) and not is_post(word) for word in firsts)
    del tree
    return bool(firsts) and known >= LABEL_SHARE * len(firsts)
