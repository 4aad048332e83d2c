"""Trees and a network that are asked together: what stands under the CRF of the feature set ``stacked``.

The odds are the weighted mean of both opinions, as log-odds; where to cut is decided by both of them (``chunker.cutting``). In training the
CRF must hear what is said of a page by judges that have not seen its site: ``convened`` gives that beside the judges themselves.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from chunker.cutting import NOTHING, Opinions
from chunker.headlines import ODDS, headlines
from chunker.labels import LabelArray
from chunker.network import BlockNetwork
from chunker.trees import BATCH, BlockTrees, Table, TreeSettings, folds_of, grown, table_of, with_copies
from features.blocks import Blocks
from features.forest import Forest, forest
from features.numbers import numbers
from features.textnodes import TextNodes

BoolArray = npt.NDArray[np.bool_]
FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int32]

# What the trees' opinion counts for: with one half the wide web is as good, and Japanese sites are 0.004 worse (our measurement,
# docs/decisions.md).
TREES = 0.65


@dataclass(frozen=True, slots=True)
class Committee:
    """The judges of a model."""

    trees: BlockTrees
    network: BlockNetwork

    def opinions(self, pages: Forest) -> Opinions:
        """What each says of each node: the logarithm of the odds that its block is content."""
        return self._heard(pages)[1]

    def _heard(self, pages: Forest) -> tuple[Opinions, Opinions]:
        """The opinions as such, and with headlines."""
        blocks = Blocks(pages)
        matrix = numbers(blocks)
        said = of_both(self.trees.of_rows(matrix)[pages.block], self.network.odds(blocks, matrix)[pages.block])
        return said, with_headlines(said, headlines(pages, matrix), pages.page_start)

    def reasons(self, pages: Forest, node: int) -> dict[str, float]:
        """What adds to the odds of a node's block: the trees number by number, the network as a whole, and that it is a headline."""
        said, with_headline = self._heard(pages)
        found = {f"trees {name}": pull * TREES for name, pull in self.trees.reasons(pages, node).items()}
        found["network"] = float(said.odds[1, node]) * (1 - TREES)
        raised = float(with_headline.together[node] - said.together[node])
        return found | ({"headline": raised} if raised else {})


def of_both(trees: FloatArray, network: FloatArray) -> Opinions:
    """The opinions of the committee."""
    return Opinions(np.stack((trees, network)), (TREES, 1 - TREES))


def with_headlines(said: Opinions, headline: BoolArray, starts: IntArray) -> Opinions:
    """The opinions with all judges as sure of headlines as annotators are, where pages have content beside; ``starts`` has one more."""
    odds, together = said.odds.copy(), said.together
    for first, end in pairwise(starts.tolist()):
        own = first + np.flatnonzero(headline[first:end])
        if len(own) and together[first:end].max() >= NOTHING:
            odds[:, own] = np.maximum(odds[:, own], ODDS)
    return Opinions(odds, said.shares)


def convened(
    X: Sequence[TextNodes],  # noqa: N803
    labels: Sequence[LabelArray],
    tree_settings: TreeSettings,
    epochs: int,
    watch: Callable[[], object] = lambda: None,
) -> tuple[Committee, list[Opinions]]:
    """Judges that have learned from all these pages, and for each page the opinions of judges that have not seen its domain."""
    from chunker.network_fitting import NetworkSettings, lessons_of, taught  # only learning needs it

    table = table_of(X, labels)
    settings = NetworkSettings(epochs)
    lessons = lessons_of(table, X, settings)
    with_short = with_copies(table, X, labels)  # the network learns less well with them (docs/decisions.md)
    said = [of_both(np.zeros(len(page)), np.zeros(len(page))) for page in X]
    headline = _headlines(table, X)
    for train, test in folds_of(X, tree_settings.folds):
        trees = grown(with_short, tree_settings, train)
        watch()
        network = taught(lessons, settings, train)
        for page in test.tolist():
            rows = table.rows(page)
            if rows.stop > rows.start:
                block = table.block_of[page]
                own = of_both(trees.of_rows(table.matrix[rows])[block], lessons.odds(network, rows)[block])
                said[page] = with_headlines(own, headline[page], np.array((0, len(block))))
        watch()
    return Committee(grown(with_short, tree_settings), taught(lessons, settings)), said


def _headlines(table: Table, X: Sequence[TextNodes]) -> list[BoolArray]:  # noqa: N803
    """For each page of a table which of its nodes are headlines."""
    found = []
    for start in range(0, len(X), BATCH):
        pages = forest(X[start : start + BATCH])
        rows = slice(*table.page.searchsorted((start, start + BATCH)).tolist())
        found += np.split(headlines(pages, table.matrix[rows]), pages.page_start[1:-1])
    return found
