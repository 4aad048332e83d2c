"""Trees in C say what NumPy says to the last bit, the network within rounding, and neither takes what does
not fit.
"""

from __future__ import annotations

from types import ModuleType

import numpy as np
import pytest

from ruiji.chunker.crf.folder import load_labeller
from ruiji.chunker.stack import network as network_module
from ruiji.chunker.stack.ensemble import Ensemble
from ruiji.chunker.stack.tree_scorer import MOST_LEAVES, tree_tables
from ruiji.corpora.c_modules import compiled
from ruiji.corpora.miniweb import MINIWEB
from ruiji.corpora.reading import read_pages
from ruiji.features.arrays import SingleArray
from ruiji.features.blocks.families import numbers
from ruiji.features.blocks.table import Blocks
from ruiji.features.nodes.forest import forest
from ruiji.features.page.parser_input import PageFailed
from ruiji.features.page.parsing import text_nodes_of

NEAR = 1e-4  # log-odds by which the two may differ


@pytest.fixture(scope="module")
def ensemble() -> Ensemble:
    ensemble = load_labeller("default").ensemble
    assert ensemble is not None
    return ensemble


@pytest.fixture(scope="module")
def in_c() -> ModuleType:
    module = compiled("ruiji.chunker.stack._odds")
    if module is None:
        pytest.skip("the sums in C were not built")
    return module


@pytest.fixture(scope="module")
def tables() -> list[tuple[Blocks, SingleArray]]:
    nodes = [
        nodes for nodes in text_nodes_of(list(read_pages([MINIWEB]))) if not isinstance(nodes, PageFailed)
    ]
    batches = [Blocks(forest(nodes[start : start + 16])) for start in range(0, len(nodes), 16)]
    return [(blocks, numbers(blocks)) for blocks in batches]


def test_trees_say_the_same_to_the_last_bit(
    ensemble: Ensemble, in_c: ModuleType, tables: list[tuple[Blocks, SingleArray]]
) -> None:
    trees = ensemble.trees.trees
    for _, matrix in tables:
        assert trees.sums(matrix).tolist() == trees.arranged.sums(matrix).tolist()


def test_the_network_says_the_same(
    ensemble: Ensemble,
    in_c: ModuleType,
    tables: list[tuple[Blocks, SingleArray]],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert compiled("ruiji.chunker.stack._network") is not None
    by_loops = [ensemble.network.odds(blocks, matrix) for blocks, matrix in tables]
    monkeypatch.setattr(network_module, "compiled", lambda name: None)
    by_arrays = [ensemble.network.odds(blocks, matrix) for blocks, matrix in tables]
    assert all(np.abs(own - other).max() < NEAR for own, other in zip(by_loops, by_arrays, strict=True))


def test_a_tree_of_too_many_leaves_has_no_tables() -> None:
    leaves = MOST_LEAVES + 1
    chain = [(node + 1 if node < leaves - 2 else -leaves, -node - 1) for node in range(leaves - 1)]
    asked = [(0, float(node)) for node in range(leaves - 1)]
    assert tree_tables(1, [asked], [chain], [[0.0] * leaves]) is None
    assert tree_tables(1, [asked[:1]], [[(-1, -2)]], [[0.0, 1.0]]) is not None


def test_a_lone_leaf_is_the_answer_to_everything(in_c: ModuleType) -> None:
    tables = tree_tables(2, [[], [(1, 0.5)]], [[], [(-1, -2)]], [[3.0], [10.0, 20.0]])
    assert tables is not None
    matrix = np.asfortranarray(np.array([[9, 0], [9, 0.5], [9, 0.6]], dtype=np.float32))
    assert tables.sums(in_c, matrix).tolist() == [13.0, 13.0, 23.0]


def test_buffers_that_do_not_fit_are_refused(in_c: ModuleType) -> None:
    tables = tree_tables(2, [[(1, 0.5)]], [[(-1, -2)]], [[10.0, 20.0]])
    assert tables is not None
    with pytest.raises(ValueError, match="not as long"):
        in_c.tree_sums(
            np.zeros((2, 3), np.float32), 4, 2, tables.borders, tables.tree, tables.remaining, tables.starts,
            1, tables.values, np.zeros(4),
        )  # fmt: skip
