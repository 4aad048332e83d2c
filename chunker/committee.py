"""Trees and a network that are asked together: what stands under the CRF of the feature set ``stacked``.

The odds are the weighted mean of both opinions, as log-odds. In training the CRF must hear what is said of a page by judges that have not
seen its site: ``convened`` gives that beside the judges themselves.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from chunker.labels import LabelArray
from chunker.network import BlockNetwork
from chunker.trees import BlockTrees, TreeSettings, folds_of, grown, table_of
from features.blocks import Blocks
from features.forest import Forest
from features.numbers import numbers
from features.textnodes import TextNodes

FloatArray = npt.NDArray[np.float64]

# What the trees' opinion counts for. With one half the wide web is 0.0015 better, with this the Japanese sites 0.003 and the pairs of the
# mini-web are all found (our measurement, docs/decisions.md).
TREES = 0.75


@dataclass(frozen=True, slots=True)
class Committee:
    """The judges of a model."""

    trees: BlockTrees
    network: BlockNetwork

    def odds(self, pages: Forest) -> FloatArray:
        """For each node the logarithm of the odds that its block is content."""
        blocks = Blocks(pages)
        if not len(blocks):
            return np.zeros(0)
        matrix = numbers(blocks)
        return together(self.trees.of_rows(matrix), self.network.odds(blocks, matrix))[pages.block]

    def reasons(self, pages: Forest, node: int) -> dict[str, float]:
        """What adds to the odds of a node's block: the trees number by number, the network as a whole."""
        blocks = Blocks(pages)
        found = {f"trees {name}": pull * TREES for name, pull in self.trees.reasons(pages, node).items()}
        return found | {"network": float(self.network.odds(blocks, numbers(blocks))[pages.block[node]]) * (1 - TREES)}


def together(trees: FloatArray, network: FloatArray) -> FloatArray:
    """The opinion of the committee."""
    return TREES * trees + (1 - TREES) * network


def convened(
    X: Sequence[TextNodes],  # noqa: N803
    labels: Sequence[LabelArray],
    tree_settings: TreeSettings,
    epochs: int,
    watch: Callable[[], object] = lambda: None,
) -> tuple[Committee, list[FloatArray]]:
    """Judges that have learned from all these pages, and for each page the odds of its nodes by judges that have not seen its domain."""
    from chunker.network_fitting import NetworkSettings, lessons_of, taught  # only learning needs it

    table = table_of(X, labels)
    settings = NetworkSettings(epochs)
    lessons = lessons_of(table, X, settings)
    said = [np.zeros(len(page)) for page in X]
    for train, test in folds_of(X, tree_settings.folds):
        trees = grown(table, tree_settings, train)
        watch()
        network = taught(lessons, settings, train)
        for page in test.tolist():
            rows = table.rows(page)
            if rows.stop > rows.start:
                odds = together(trees.of_rows(table.matrix[rows]), lessons.odds(network, rows))
                said[page] = odds[table.block_of[page]]
        watch()
    return Committee(grown(table, tree_settings), taught(lessons, settings)), said
