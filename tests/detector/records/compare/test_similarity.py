"""Formula (1) of the paper on corresponding web content, and the edit distance beneath it against brute
force.
"""

from __future__ import annotations

from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ruiji.detector.records.compare.similarity import Tree, difference, tree_similarity, weight_of


def leaf(label: str) -> Tree:
    return Tree(label)


def test_section_3_1_1_the_worked_example_gives_0_53() -> None:
    """Figure 3: M has 9 nodes (4 leaves), N has 7 (3 leaves); three corresponding pairs with distances 0, 0
    and 2, the rest costs 5.
    """
    p_m, q_m, x_m = Tree("P", (leaf("a"),)), Tree("Q", (leaf("b"),)), Tree("X", (Tree("Y", (leaf("c"),)),))
    p_n, q_n, c_n = Tree("P", (leaf("a"),)), Tree("Q", (leaf("b"),)), leaf("c")
    m = Tree("M", (p_m, q_m, x_m, leaf("d")))
    n = Tree("N", (p_n, Tree("R", (q_n,)), c_n))
    pairs = [(p_m, p_n), (q_m, q_n), (x_m, c_n)]
    assert (weight_of(m), weight_of(n)) == (13, 10)
    assert [difference(*pair).distance for pair in pairs] == [0, 0, 2]
    assert sum(difference(*pair).matched for pair in pairs) == 8
    assert tree_similarity(m, n, pairs) == pytest.approx(1 - 7 / (13 + 10 - 8))
    assert round(tree_similarity(m, n, pairs), 2) == 0.53


def test_section_3_1_1_an_edit_of_a_leaf_costs_twice_that_of_another_node() -> None:
    assert difference(Tree("r", (leaf("a"),)), Tree("r", (leaf("b"),))).distance == 2
    assert (
        difference(Tree("r", (Tree("x", (leaf("a"),)),)), Tree("r", (Tree("y", (leaf("a"),)),))).distance == 1
    )
    assert difference(Tree("r", (leaf("a"), leaf("b"))), Tree("r", (leaf("a"),))).distance == 2


def test_a_node_whose_children_correspond_weighs_what_it_weighed() -> None:
    a, b = leaf("a"), leaf("a")
    one, other = Tree("r", (Tree("x", (a,)),)), Tree("r", (Tree("y", (b,)),))
    assert tree_similarity(one, other, [(a, b)]) == pytest.approx(1 - 1 / (4 + 4 - 3))


trees = st.recursive(
    st.sampled_from("abc").map(Tree),
    lambda below: st.builds(Tree, st.sampled_from("abc"), st.lists(below, min_size=1, max_size=3).map(tuple)),
    max_leaves=4,
)


@cache
def brute(one: tuple[Tree, ...], other: tuple[Tree, ...]) -> int:
    """The distance of two forests by the definition: take the last root away on one side, on the other, or
    turn one into the other.
    """
    if not one and not other:
        return 0
    ways = []
    if one:
        ways.append(brute((*one[:-1], *one[-1].children), other) + one[-1].weight)
    if other:
        ways.append(brute(one, (*other[:-1], *other[-1].children)) + other[-1].weight)
    if one and other:
        mine, theirs = one[-1], other[-1]
        replace = 0 if mine.label == theirs.label else max(mine.weight, theirs.weight)
        ways.append(brute(one[:-1], other[:-1]) + brute(_kept(mine), _kept(theirs)) + replace)
    return min(ways)


def _kept(tree: Tree) -> tuple[Tree, ...]:
    return tree.children


@given(trees, trees)
@settings(max_examples=60, deadline=None)
def test_the_distance_is_that_of_brute_force(one: Tree, other: Tree) -> None:
    assert difference(one, other).distance == brute((one,), (other,))


@given(trees, trees)
@settings(max_examples=60, deadline=None)
def test_similarity_lies_between_0_and_1_is_symmetric_and_1_for_equals(one: Tree, other: Tree) -> None:
    assert tree_similarity(one, one) == 1.0
    assert -1e-9 <= tree_similarity(one, other) <= 1.0
    assert difference(one, other).distance == difference(other, one).distance
