"""Tables as grids of cells, and what a grid says: rows that are records, columns that are records, or labels
with their values.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ruiji.detector.records.fields.concepts import Schema, folded_label
from ruiji.detector.records.fields.posts import is_post
from ruiji.detector.records.fields.values import MAIL, PHONE
from ruiji.detector.records.markup.pieces import (
    GENERIC,
    LONGEST_TITLE,
    PROSE,
    Piece,
    Run,
    labelled,
    pieces_of,
)
from ruiji.detector.records.markup.tree import PageTree

MAX_CELLS = 200_000  # a grid of more is no table of facts, whatever its spans say
COUNTERS = frozenset(("no", "番号", "連番", "#", "nr", "順"))  # labels of columns that only count the rows
LABEL_SHARE = 0.5  # of the cells of a header without <th> that must be known labels

Grid = list[list[int]]  # cell elements; -1 where there is none


@dataclass(frozen=True, slots=True)
class Row:
    """One record of a table: its element, its pieces (with empty values where a cell is empty), the heading
    row it stands under.
    """

    element: int
    pieces: tuple[Piece, ...]
    heading: str


@dataclass(frozen=True, slots=True)
class TableFacts:
    """What a table says: rows that are records, or pieces that belong to one record (or to several in a
    row).
    """

    element: int
    rows: tuple[Row, ...] = ()
    pieces: tuple[Piece, ...] = ()


def table_facts(tree: PageTree, table: int, schema: Schema) -> TableFacts | None:
    """The facts of a data table; None for a table that only arranges the page, or that has no labels."""
    trs = _rows(tree, table)
    if not trs or any(tree.tag[inner] == "table" for inner in _below(tree, table)):
        return None
    grid = _grid(tree, trs)
    if not grid or max(map(len, grid)) < 2:
        return None
    texts = [["" if cell < 0 else tree.text(cell) for cell in row] for row in grid]
    blank = 0  # columns of pictures or space at the left
    while blank < max(map(len, texts)) - 2 and not any(row[blank] for row in texts if blank < len(row)):
        blank += 1
    grid, texts = [row[blank:] for row in grid], [row[blank:] for row in texts]
    header = _header_rows(tree, trs, grid, texts, schema)
    if header and _labels_stand_left(texts, schema):
        header = 0
    if header and len(grid) > header:
        labels = _column_labels(texts, header)
        if sum(bool(schema.concept_of(label)) for label in labels) >= 1 or len(labels) > 2:
            return TableFacts(table, rows=tuple(_row_records(tree, trs, grid, texts, header, labels, schema)))
    columns = _label_columns(tree, grid, texts, schema)
    if columns == (0,) and max(map(len, grid)) > 2 and len(grid) > 1:
        return TableFacts(table, rows=tuple(_column_records(tree, grid, texts, schema)))
    if columns:
        return TableFacts(table, pieces=tuple(_labelled_cells(tree, grid, texts, columns, schema)))
    return None


def _labels_stand_left(texts: Sequence[Sequence[str]], schema: Schema) -> bool:
    """Whether the first column holds labels rather than the first row: each in its own column or row."""
    left = [row[0] for row in texts if row and row[0]]
    top = [word for word in texts[0] if word]
    known_left = sum(bool(schema.concept_of(word)) and not is_post(word) for word in left)
    known_top = sum(bool(schema.concept_of(word)) and not is_post(word) for word in top)
    return 2 * known_left > len(left) and known_left * len(top) > known_top * len(left)


def _rows(tree: PageTree, table: int) -> list[int]:
    found = []
    for child in tree.children[table]:
        if tree.tag[child] == "tr":
            found.append(child)
        elif tree.tag[child] in ("thead", "tbody", "tfoot"):
            found += [row for row in tree.children[child] if tree.tag[row] == "tr"]
    return found


def _below(tree: PageTree, element: int) -> list[int]:
    found, stack = [], list(tree.children[element])
    while stack:
        inner = stack.pop()
        found.append(inner)
        stack += tree.children[inner]
    return found


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
    tree: PageTree, trs: Sequence[int], grid: Grid, texts: Sequence[Sequence[str]], schema: Schema
) -> int:
    """How many rows at the top hold the labels of the columns."""
    count = 0
    for tr, row, words in zip(trs, grid, texts, strict=True):
        cells = [cell for cell in row if cell >= 0]
        if len(set(cells)) < 2 and count == 0:
            return 0
        all_heads = bool(cells) and all(tree.tag[cell] == "th" for cell in cells)
        in_head = tree.tag[tree.parent[tr]] == "thead"
        if not (all_heads or in_head):
            break
        if len(set(cells)) < 2 and not in_head:
            break
        del words
        count += 1
    if count:
        return count if len(grid) > count else 0
    words = [word for word in texts[0] if word]
    known = sum(bool(schema.concept_of(word)) and not is_post(word) for word in words)
    data = any(MAIL.search(word) or PHONE.search(word) or len(word) > PROSE for word in words)
    if len(words) >= 2 and not data and len(grid) > 1:
        if len(words) == 2 and all(schema.concept_of(row[0]) for row in texts if row):
            return 0  # two columns of which the first holds the labels
        if known >= max(2, LABEL_SHARE * len(words)):
            return 1
    return 0


def _column_labels(texts: Sequence[Sequence[str]], header: int) -> list[str]:
    """The label of each column: the lowest one above it."""
    width = max(len(row) for row in texts[:header])
    labels = []
    for column in range(width):
        above = [row[column].replace("\n", "") for row in texts[:header] if column < len(row) and row[column]]
        labels.append(above[-1] if above else "")
    return labels


def _row_records(
    tree: PageTree,
    trs: Sequence[int],
    grid: Grid,
    texts: Sequence[Sequence[str]],
    header: int,
    labels: Sequence[str],
    schema: Schema,
) -> list[Row]:
    found = []
    heading = ""
    for tr, row, words in zip(trs[header:], grid[header:], texts[header:], strict=True):
        cells = {cell for cell in row if cell >= 0}
        if len(cells) == 1 and len(labels) > 1:  # a row that heads those below it
            heading = next((word for word in words if word), heading)
            continue
        if all(word == labels[place] for place, word in enumerate(words) if place < len(labels)):
            continue  # the header again
        pieces: list[Piece] = []
        for place, (cell, word) in enumerate(zip(row, words, strict=True)):
            if (
                cell < 0
                or (place and row[place - 1] == cell)
                or (place < len(labels) and folded_label(labels[place]) in COUNTERS)
            ):
                continue
            pieces += cell_pieces(tree, cell, word, labels[place] if place < len(labels) else "", schema)
        found.append(Row(tr, tuple(pieces), heading))
    return found


def cell_pieces(tree: PageTree, cell: int, text: str, label: str, schema: Schema) -> list[Piece]:
    """The pieces of a cell under a label."""
    concept = schema.concept_of(label)
    node = max(0, min(tree.first[cell], len(tree.element) - 1))
    if not label:
        return [
            piece
            for run in tree.runs(tree.first[cell], tree.end[cell], schema, everything=True)
            for piece in pieces_of(run, schema)
        ]
    value = text.replace("\n", " " if concept in ("name", "place", "address", "post") else "、")
    if concept in ("contact", "") and value:
        inner = [
            piece
            for run in tree.runs(tree.first[cell], tree.end[cell], schema, everything=True)
            for piece in pieces_of(run, schema)
        ]
        useful = [
            piece for piece in inner if piece.concept in ("mail", "phone", "ext", "fax", "url", "mobile")
        ]
        if useful:
            return useful
    found = labelled(label, concept, value, node, schema)
    if concept == "mail" and not any("@" in piece.value or MAIL.search(piece.value) for piece in found):
        for run in tree.runs(
            tree.first[cell], tree.end[cell], schema, everything=True
        ):  # a link that only says Mail
            if linked := [piece for piece in pieces_of(run, schema) if piece.concept == "mail"]:
                return [Piece(label, "mail", linked[0].value, node)]
    return found


def _label_columns(
    tree: PageTree, grid: Grid, texts: Sequence[Sequence[str]], schema: Schema
) -> tuple[int, ...]:
    """The columns that hold labels: the first, or every second one; none where the first column does not look
    like labels.
    """
    width = max(map(len, grid))
    firsts = [(row[0], words[0]) for row, words in zip(grid, texts, strict=True) if len(set(row)) > 1]
    if not firsts:
        return ()
    heads = sum(tree.tag[cell] == "th" for cell, _ in firsts if cell >= 0)
    known = sum(bool(schema.concept_of(word)) and not is_post(word) for _, word in firsts)
    if heads < LABEL_SHARE * len(firsts) and known < LABEL_SHARE * len(firsts):
        return ()
    if width == 4:
        thirds = [
            (row[2], words[2])
            for row, words in zip(grid, texts, strict=True)
            if len(row) > 3 and len(set(row)) > 2
        ]
        if thirds and sum(
            (tree.tag[cell] == "th" if cell >= 0 else False) or bool(schema.concept_of(word))
            for cell, word in thirds
        ) >= LABEL_SHARE * len(thirds):
            return (0, 2)
    return (0,) if width >= 2 else ()


def _labelled_cells(
    tree: PageTree, grid: Grid, texts: Sequence[Sequence[str]], columns: Sequence[int], schema: Schema
) -> list[Piece]:
    found: list[Piece] = []
    for row, words in zip(grid, texts, strict=True):
        if len(set(row)) < 2:
            if (
                row
                and row[0] >= 0
                and 0 < len(words[0]) <= LONGEST_TITLE
                and not GENERIC.search(words[0])
                and "\n" not in words[0]
            ):
                pieces = pieces_of(
                    [Run(words[0], tree.first[row[0]], "", True)], schema
                )  # a row for the name alone
                named = any(piece.concept == "name" or piece.label for piece in pieces)
                found += pieces if named else [Piece("", "name", words[0], tree.first[row[0]])]
            continue
        for column in columns:
            if column + 1 < len(row) and row[column] >= 0 and row[column + 1] >= 0 and words[column]:
                found += cell_pieces(
                    tree, row[column + 1], words[column + 1], words[column].replace("\n", ""), schema
                )
    return found


def _column_records(tree: PageTree, grid: Grid, texts: Sequence[Sequence[str]], schema: Schema) -> list[Row]:
    """A record a column, where the first column holds the labels and the first row perhaps the names."""
    found = []
    width = max(map(len, grid))
    for column in range(1, width):
        pieces: list[Piece] = []
        element = -1
        for row, words in zip(grid, texts, strict=True):
            if column >= len(row) or row[column] < 0 or row[column] == row[0]:
                continue
            label = words[0].replace("\n", "") or ("氏名" if row is grid[0] else "")
            element = row[column] if element < 0 else element
            pieces += cell_pieces(tree, row[column], words[column], label, schema)
        if element >= 0:
            found.append(Row(element, tuple(pieces), ""))
    return found
