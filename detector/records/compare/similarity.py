"""How similar two data trees are: the weighted edit distance and formula (1) of the paper on corresponding
web content, section 3.1.1.

Leaves weigh 2, other nodes 1. The distance is Zhang and Shasha's (1989), exact for ordered trees. Parts that
are known to correspond already are not compared again: their distances are added to that of the rest.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

LEAF_WEIGHT = 2  # section 3.1.1: an edit of a leaf costs twice that of another node
NODE_WEIGHT = 1
_SCALE = 1 << 24  # a cost outweighs any number of matched nodes; both are added up in one integer


@dataclass(frozen=True, slots=True)
class Tree:
    """A node of a data tree with what is below it; ``label`` is what is compared.

    ``own_weight`` is given for a node whose children were taken away: it weighs what it weighed before.
    """

    label: str
    children: tuple[Tree, ...] = ()
    own_weight: int = 0

    @property
    def weight(self) -> int:
        """The weight of this node alone."""
        return self.own_weight or (NODE_WEIGHT if self.children else LEAF_WEIGHT)

    def nodes(self) -> Iterator[Tree]:
        """This node and all below it, children before their parents."""
        for child in self.children:
            yield from child.nodes()
        yield self


def weight_of(tree: Tree) -> int:
    """Nodes(T) of formula (1): the number of nodes, leaves counted by their weight."""
    return sum(node.weight for node in tree.nodes())


@dataclass(frozen=True, slots=True)
class Difference:
    """What an edit costs, and the weight of the nodes that it leaves as they are."""

    distance: int
    matched: int


def difference(one: Tree, other: Tree) -> Difference:
    """The least edit from one tree to the other, and of those the one that keeps most. Zhang and Shasha
    1989.
    """
    first, second = _Postorder(one), _Postorder(other)
    table = [[0] * len(second.nodes) for _ in first.nodes]
    for low in first.key_roots:
        for high in second.key_roots:
            _fill(first, second, low, high, table)
    total = table[-1][-1]
    distance = -(-total // _SCALE)
    return Difference(distance, distance * _SCALE - total)


@dataclass(slots=True)
class _Postorder:
    """A tree as lists in postorder: nodes, the leftmost leaf below each, the key roots."""

    nodes: list[Tree]
    left: list[int]
    key_roots: list[int]

    def __init__(self, tree: Tree) -> None:
        self.nodes, self.left = [], []
        self._add(tree)
        last: dict[int, int] = {left: number for number, left in enumerate(self.left)}
        self.key_roots = sorted(last.values())

    def _add(self, tree: Tree) -> int:
        starts = [self._add(child) for child in tree.children]
        self.nodes.append(tree)
        self.left.append(starts[0] if starts else len(self.nodes) - 1)
        return self.left[-1]


def _fill(first: _Postorder, second: _Postorder, low: int, high: int, table: list[list[int]]) -> None:
    """The distances of the forests below two key roots."""
    rows, columns = first.left[low], second.left[high]
    forest = [[0] * (high - columns + 2) for _ in range(low - rows + 2)]
    for row in range(rows, low + 1):
        forest[row - rows + 1][0] = forest[row - rows][0] + first.nodes[row].weight * _SCALE
    for column in range(columns, high + 1):
        forest[0][column - columns + 1] = forest[0][column - columns] + second.nodes[column].weight * _SCALE
    for row in range(rows, low + 1):
        one = first.nodes[row]
        for column in range(columns, high + 1):
            other = second.nodes[column]
            above, beside = forest[row - rows][column - columns + 1], forest[row - rows + 1][column - columns]
            best = min(above + one.weight * _SCALE, beside + other.weight * _SCALE)
            if first.left[row] == rows and second.left[column] == columns:
                best = min(best, forest[row - rows][column - columns] + _replace(one, other))
                table[row][column] = best
            else:
                best = min(
                    best, forest[first.left[row] - rows][second.left[column] - columns] + table[row][column]
                )
            forest[row - rows + 1][column - columns + 1] = best


def _replace(one: Tree, other: Tree) -> int:
    """The cost of turning a node into another; equal ones cost nothing and count as kept."""
    if one.label == other.label:
        return -min(one.weight, other.weight)
    return max(one.weight, other.weight) * _SCALE


def similarity(one_weight: int, other_weight: int, distance: int, matched: int) -> float:
    """TreeSimilarity of formula (1)."""
    whole = one_weight + other_weight - matched
    return 1.0 - distance / whole if whole else 1.0


def tree_similarity(one: Tree, other: Tree, corresponding: Sequence[tuple[Tree, Tree]] = ()) -> float:
    """TreeSimilarity of two trees, some parts of which are known to correspond; those must be nodes of the
    trees, each once.

    Where the rest has no node in common, deleting all of it is its distance (section 3.1.1).
    """
    parts = [difference(mine, theirs) for mine, theirs in corresponding]
    distance, matched = sum(part.distance for part in parts), sum(part.matched for part in parts)
    mine, theirs = (
        _rest(one, [pair[0] for pair in corresponding]),
        _rest(other, [pair[1] for pair in corresponding]),
    )
    if (
        mine is None
        or theirs is None
        or not {node.label for node in mine.nodes()} & {node.label for node in theirs.nodes()}
    ):
        removed = (
            sum(weight_of(pair[0]) for pair in corresponding),
            sum(weight_of(pair[1]) for pair in corresponding),
        )
        distance += weight_of(one) - removed[0] + weight_of(other) - removed[1]
    else:
        rest = difference(mine, theirs)
        distance, matched = distance + rest.distance, matched + rest.matched
    return similarity(weight_of(one), weight_of(other), distance, matched)


def _rest(tree: Tree, removed: Sequence[Tree]) -> Tree | None:
    """The tree without some of its parts; None where nothing is left."""
    if any(tree is part for part in removed):
        return None
    children = (_rest(child, removed) for child in tree.children)
    return Tree(tree.label, tuple(child for child in children if child is not None), tree.weight)
