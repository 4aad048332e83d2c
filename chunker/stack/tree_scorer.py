"""Trees as tables for the scorer in C (``_odds.c``): each question with the leaves that remain where the
answer is no.

QuickScorer (Lucchese et al., SIGIR 2015): the leaves of a tree are numbered from left to right; a row that
answers a question with no is in none of the leaves on its left; the first leaf that no question strikes out
is the row's. The sums are those of ``Trees`` to the last bit.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from types import ModuleType

import numpy as np
import numpy.typing as npt

from ruiji.features.arrays import FloatArray, IntArray, SingleArray

MOST_LEAVES = 16  # of a tree: the leaves that remain are 16 bits


@dataclass(frozen=True, slots=True, eq=False)
class TreeTables:
    """The questions of all trees by column, and the values of their leaves."""

    borders: SingleArray
    tree: IntArray
    remaining: npt.NDArray[np.uint16]
    starts: IntArray  # of each column its first question, and the end
    values: FloatArray  # a row a tree

    def sums(self, scorer: ModuleType, matrix: SingleArray) -> FloatArray:
        """For each row what the trees say together."""
        rows, columns = matrix.shape
        sums = np.empty(rows)
        scorer.tree_sums(
            np.ascontiguousarray(matrix.T), rows, columns,
            self.borders, self.tree, self.remaining, self.starts, len(self.values), self.values, sums,
        )  # fmt: skip
        return sums


def tree_tables(
    columns: int,
    asked: Sequence[Sequence[tuple[int, float]]],
    children: Sequence[Sequence[tuple[int, int]]],
    values: Sequence[Sequence[float]],
) -> TreeTables | None:
    """The tables of trees, given by the column and border that each node asks about, by its children (a leaf
    below 0, counted from -1 down), and by the values of leaves; None where a tree has too many leaves.
    """
    if max(map(len, values), default=0) > MOST_LEAVES:
        return None
    questions: list[tuple[int, float, int, int]] = []
    leaf_values = np.zeros((len(values), MOST_LEAVES))
    for tree, (own, below, leaves) in enumerate(zip(asked, children, values, strict=True)):
        order, left = _leaves_in_order(below)
        leaf_values[tree, : len(order)] = [leaves[leaf] for leaf in order]
        questions += [
            (column, border, tree, ~struck & 0xFFFF)
            for (column, border), struck in zip(own, left, strict=True)
        ]
    questions.sort()
    starts = np.searchsorted([question[0] for question in questions], np.arange(columns + 1))
    return TreeTables(
        np.array([border for _, border, _, _ in questions], dtype=np.float32),
        np.array([tree for _, _, tree, _ in questions], dtype=np.int32),
        np.array([remaining for *_, remaining in questions], dtype=np.uint16),
        starts.astype(np.int32),
        leaf_values,
    )


def _leaves_in_order(children: Sequence[tuple[int, int]]) -> tuple[list[int], list[int]]:
    """The leaves of a tree from left to right, and for each node those on its left, as bits."""
    if not children:
        return [0], []
    order: list[int] = []
    left = [0] * len(children)

    def visit(node: int) -> None:  # as deep as a tree of MOST_LEAVES can be
        if node < 0:
            order.append(~node)
            return
        before = 1 << len(order)
        visit(children[node][0])
        left[node] = (1 << len(order)) - before
        visit(children[node][1])

    visit(0)
    return order, left
