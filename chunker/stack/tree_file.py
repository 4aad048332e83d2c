"""What a LightGBM model file holds, and what its trees say of many rows at once.

The format is LightGBM's own text (version 4, ``tree.cpp``). Its library goes row by row down each tree; here
every question of the trees ("is this column at most 0.3?") is asked once of a whole column, and the answers
are kept as bits, 64 rows in a number. A node is reached where its parent is and the answer fits: two
operations on bits. Sums are made in the order of the trees, so they are LightGBM's to the last bit (a test),
in a quarter of its time on batches of pages and the same on one page. Where the scorer in C was built
(``tree_scorer``), it gives the same sums in a third of that.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import isfinite
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ruiji.chunker.stack.tree_scorer import TreeTables, tree_tables
from ruiji.corpora.c_modules import compiled
from ruiji.features.arrays import FloatArray, LongArray, SingleArray

BitArray = npt.NDArray[np.uint64]

ROWS = 8192  # that are looked at together: the bits of all nodes then stay in the processor's cache
MOST_LEAVES = 256  # of a tree: the number of a leaf is a byte
_CATEGORICAL, _MISSING = (
    1,
    0b1100,
)  # bits of decision_type: a split by category, and what stands for a missing value
_EVERY, _NONE = 0, 1  # rows of bits: reached by all rows of the matrix, and by none


class NotTrees(ValueError):
    """Bytes that are no tree model of this version."""


class _Questions(NamedTuple):
    """The questions about one column, and their places among all."""

    column: int
    borders: npt.NDArray[np.float32]
    places: slice


class _Level(NamedTuple):
    """Nodes of one depth: the bits of where each is reached, its question, and where the bits of left and
    right children go.
    """

    reached: LongArray
    question: LongArray
    left: slice
    right: slice


class _Tree(NamedTuple):
    """A tree of the file; a child below 0 is a leaf, counted from -1 down."""

    columns: list[int]
    borders: list[float]
    children: list[tuple[int, int]]
    values: list[float]


@dataclass(frozen=True, eq=False)
class Trees:
    """Boosted trees of one output. ``columns`` are the names of what they ask for."""

    columns: Sequence[str]
    _trees: Sequence[_Tree]

    def sums(self, matrix: SingleArray) -> FloatArray:
        """For each row what the trees say together, as LightGBM's raw score. All numbers must be finite."""
        scorer = compiled("ruiji.chunker.stack._odds")
        if scorer is not None and self._tables is not None:
            return self._tables.sums(scorer, matrix)
        return self.arranged.sums(matrix)

    @cached_property
    def _tables(self) -> TreeTables | None:
        return tree_tables(
            len(self.columns),
            _questions(self._trees),
            [tree.children for tree in self._trees],
            [tree.values for tree in self._trees],
        )

    @cached_property
    def arranged(self) -> ArrangedTrees:
        """The trees side by side, for NumPy."""
        return _arranged(self._trees)


@dataclass(frozen=True, slots=True, eq=False)
class ArrangedTrees:
    """Trees side by side: nodes by their depth, equal questions once."""

    _questions: Sequence[_Questions]
    _levels: Sequence[_Level]
    _nodes: int
    _leaves: Sequence[LongArray]  # the bits that make up each bit of each tree's leaf number, some at a time
    _values: FloatArray  # a row a tree, by the number of the leaf

    def sums(self, matrix: SingleArray) -> FloatArray:
        """For each row what the trees say together."""
        parts = [self._sums(matrix[start : start + ROWS]) for start in range(0, len(matrix), ROWS)]
        return np.concatenate(parts) if parts else np.zeros(0)

    def _sums(self, matrix: npt.NDArray[np.float32]) -> FloatArray:
        rows, trees = len(matrix), len(self._values)
        reached = self._reached(self._answers(matrix))
        bits = np.zeros((len(self._leaves[0]), reached.shape[1]), dtype=np.uint64)
        for some in self._leaves:
            bits |= reached.take(some, axis=0)
        digits = np.unpackbits(bits.view(np.uint8), axis=1, count=rows).reshape(-1, trees, rows)
        leaf = digits[0]
        for place, digit in enumerate(digits[1:], start=1):
            leaf |= digit << place
        total = np.zeros(rows)
        for values, own in zip(self._values, leaf, strict=True):
            total += values.take(own)
        return total

    def _answers(self, matrix: npt.NDArray[np.float32]) -> BitArray:
        """For each question the rows whose answer is yes, as bits."""
        count = self._questions[-1].places.stop if self._questions else 0
        answers = np.zeros((count, -(-len(matrix) // 64) * 8), dtype=np.uint8)
        width = -(-len(matrix) // 8)
        for column, borders, places in self._questions:
            answers[places, :width] = np.packbits(matrix[:, column] <= borders[:, None], axis=1)
        return answers.view(np.uint64)

    def _reached(self, answers: BitArray) -> BitArray:
        """For each node and leaf the rows that reach it, as bits."""
        reached = np.empty((self._nodes, answers.shape[1]), dtype=np.uint64)
        reached[_EVERY], reached[_NONE] = ~np.uint64(0), np.uint64(0)
        for level in self._levels:
            here = reached.take(level.reached, axis=0)
            left = np.bitwise_and(here, answers.take(level.question, axis=0), out=reached[level.left])
            np.bitwise_xor(here, left, out=reached[level.right])
        return reached


def read_trees(data: bytes) -> Trees:
    """The trees in the bytes of a file. Raises NotTrees."""
    try:
        head, *sections = data.decode("ascii").split("\nTree=")
        fields = _fields(head)
        if (
            not head.startswith("tree\n")
            or fields["num_class"] != "1"
            or "average_output" in head.split("\n")
        ):
            raise NotTrees("not a tree model (boosted trees of one output are wanted)")
        columns = fields["feature_names"].split()
        trees = [_tree(section.partition("\n\n")[0], len(columns)) for section in sections]
        if not trees or len(trees) != len(fields["tree_sizes"].split()):
            raise NotTrees("not a tree model (trees are missing)")
    except (UnicodeDecodeError, KeyError, ValueError) as error:
        raise (
            error
            if isinstance(error, NotTrees)
            else NotTrees(f"not a tree model ({type(error).__name__}: {error})")
        ) from error
    return Trees(columns, trees)


def _fields(section: str) -> dict[str, str]:
    return {
        name: value for name, equals, value in (line.partition("=") for line in section.split("\n")) if equals
    }


def _tree(section: str, columns: int) -> _Tree:
    fields = _fields(section)
    values = [*map(float, fields["leaf_value"].split())]
    splits = len(values) - 1
    if (
        not 0 <= splits < MOST_LEAVES
        or int(fields["num_leaves"]) != len(values)
        or fields.get("is_linear", "0") != "0"
    ):
        raise NotTrees("not a tree model (a tree has a form that nobody knows here)")
    if not splits:
        return _Tree([], [], [], values)
    asked = [*map(int, fields["split_feature"].split())]
    borders = [*map(float, fields["threshold"].split())]
    left, right = ([*map(int, fields[name].split())] for name in ("left_child", "right_child"))
    kinds = fields["decision_type"].split()
    if (
        {len(asked), len(borders), len(left), len(right), len(kinds)} != {splits}
        or min(asked) < 0
        or max(asked) >= columns
    ):
        raise NotTrees("not a tree model (a tree is damaged)")
    unknown = any(int(kind) & (_CATEGORICAL | _MISSING) for kind in set(kinds))
    if unknown or not all(map(isfinite, values)) or not all(map(isfinite, borders)):
        raise NotTrees("not a tree model (a tree asks what nobody answers here)")
    if sorted((*left, *right)) != [
        *range(-len(values), 0),
        *range(1, splits),
    ]:  # each node and leaf below one other
        raise NotTrees("not a tree model (a tree is damaged)")
    return _Tree(asked, borders, list(zip(left, right, strict=True)), values)


def _arranged(trees: Sequence[_Tree]) -> ArrangedTrees:
    asked = _questions(trees)
    questions = {
        question: number
        for number, question in enumerate(sorted({question for own in asked for question in own}))
    }
    leaves = [[_NONE] * len(tree.values) for tree in trees]
    levels: list[_Level] = []
    nodes = 2
    here = [(tree, 0, _EVERY) for tree, own in enumerate(trees) if own.children]
    while here:
        count = len(here)
        below = []
        for side in (0, 1):
            for place, (tree, node, _) in enumerate(here):
                child, bits = trees[tree].children[node][side], nodes + side * count + place
                if child < 0:
                    leaves[tree][~child] = bits
                else:
                    below.append((tree, child, bits))
        levels.append(
            _Level(
                np.array([bits for *_, bits in here]),
                np.array([questions[asked[tree][node]] for tree, node, _ in here]),
                slice(nodes, nodes + count),
                slice(nodes + count, nodes + 2 * count),
            )
        )
        nodes += 2 * count
        here = below
    digits = max(1, *((len(own) - 1).bit_length() for own in leaves))
    values = np.zeros((len(trees), 1 << digits))
    for row, own in zip(values, trees, strict=True):
        row[: len(own.values)] = own.values
    return ArrangedTrees(
        list(_by_column(list(questions))), levels, nodes, _leaf_digits(leaves, digits), values
    )


def _questions(trees: Sequence[_Tree]) -> list[list[tuple[int, float]]]:
    """The column and the border that each node of each tree asks about; the borders of all at once."""
    borders = iter(_as_single([border for tree in trees for border in tree.borders]).tolist())
    return [list(zip(tree.columns, borders, strict=False)) for tree in trees]


def _as_single(borders: Sequence[float]) -> npt.NDArray[np.float32]:
    """The largest single-precision numbers that are not above the borders: single-precision values are on the
    same side of both.
    """
    single = np.asarray(borders, dtype=np.float64).astype(np.float32)
    return np.where(single > np.asarray(borders), np.nextafter(single, np.float32(-np.inf)), single)


def _by_column(questions: Sequence[tuple[int, float]]) -> Iterator[_Questions]:
    columns = np.array([column for column, _ in questions], dtype=np.int64)
    borders = np.array([border for _, border in questions], dtype=np.float32)
    for column in np.unique(columns).tolist():
        first, end = columns.searchsorted((column, column + 1)).tolist()
        yield _Questions(column, borders[first:end], slice(first, end))


def _leaf_digits(leaves: Sequence[Sequence[int]], digits: int) -> list[LongArray]:
    """The rows of bits whose union is each binary digit (and in it each tree) of the leaf number: the first
    of each union, the second …
    """
    unions = [
        [bits for number, bits in enumerate(own) if number >> digit & 1]
        for digit in range(digits)
        for own in leaves
    ]
    longest = max(1, *map(len, unions))
    return [
        np.array([union[place] if place < len(union) else _NONE for union in unions])
        for place in range(longest)
    ]
