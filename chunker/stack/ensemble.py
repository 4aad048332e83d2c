"""Trees and a network that are asked together: what stands under the CRF of the feature set ``stacked``.

The odds are the weighted mean of both opinions, as log-odds; where to cut is decided by both of them
(``chunker.cutting``). In training the CRF must hear what is said of a page by judges that have not seen its
site: ``convened`` gives that beside the judges themselves.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from ruiji.chunker.decoding.expected_f import NOTHING, Opinions, joined
from ruiji.chunker.labels import LabelArray
from ruiji.chunker.stack.containers import moved
from ruiji.chunker.stack.headlines import ODDS, headlines, japanese
from ruiji.chunker.stack.network import BlockNetwork
from ruiji.chunker.stack.trees import (
    BATCH,
    BlockTrees,
    Table,
    TreeSettings,
    folds_of,
    grown,
    table_of,
    with_copies,
)
from ruiji.features.arrays import BoolArray, FloatArray
from ruiji.features.blocks.families import numbers
from ruiji.features.blocks.table import Blocks
from ruiji.features.nodes.forest import Forest, forest
from ruiji.features.page.textnodes import TextNodes

# What the trees' opinion counts for: with one half the wide web is as good, and Japanese sites are 0.004
# worse (our measurement, docs/decisions.md).
TREES = 0.65


@dataclass(frozen=True, slots=True)
class Committee:
    """The judges of a model."""

    trees: BlockTrees
    network: BlockNetwork

    def opinions(self, pages: Forest) -> Opinions:
        """What each says of each node: the logarithm of the odds that its block is content."""
        return self._heard(pages)[-1]

    def _heard(self, pages: Forest) -> tuple[Opinions, Opinions, Opinions]:
        """The opinions as such, with headlines, and with what containers change."""
        blocks = Blocks(pages)
        matrix = numbers(blocks)
        said = of_both(
            self.trees.of_rows(matrix)[pages.block], self.network.odds(blocks, matrix)[pages.block]
        )
        return said, *as_annotated(said, pages, headlines(pages, matrix))

    def reasons(self, pages: Forest, node: int) -> dict[str, float]:
        """What adds to the odds of a node's block: the trees number by number, the network as a whole, that
        it is a headline, and where it stands.
        """
        said, *changed = self._heard(pages)
        found = {f"trees {name}": pull * TREES for name, pull in self.trees.reasons(pages, node).items()}
        found["network"] = float(said.odds[1, node]) * (1 - TREES)
        odds = [float(opinions.together[node]) for opinions in (said, *changed)]
        return found | {
            name: pull
            for name, pull in zip(("headline", "container"), np.diff(odds).tolist(), strict=True)
            if pull
        }


def of_both(trees: FloatArray, network: FloatArray) -> Opinions:
    """The opinions of the committee."""
    return Opinions(np.stack((trees, network)), (TREES, 1 - TREES))


def with_headlines(said: Opinions, headline: BoolArray) -> Opinions:
    """The opinions with all judges as sure of headlines as annotators are."""
    return Opinions(np.where(headline, np.maximum(said.odds, ODDS), said.odds), said.shares)


def as_annotated(said: Opinions, pages: Forest, headline: BoolArray) -> tuple[Opinions, Opinions]:
    """The opinions by the conventions of those who annotate Japanese pages: with headlines, and then also
    with what containers change.

    Where nothing of a page is likely, nothing changes.
    """
    together = said.together
    some = np.array(
        [
            together[first:end].max(initial=-np.inf) >= NOTHING
            for first, end in pairwise(pages.page_start.tolist())
        ]
    )
    headline = headline & some[pages.page]
    raised = with_headlines(said, headline)
    return raised, Opinions(
        raised.odds + moved(pages, raised.together, headline, some & japanese(pages)), raised.shares
    )


def convened(
    X: Sequence[TextNodes],  # noqa: N803
    labels: Sequence[LabelArray],
    tree_settings: TreeSettings,
    epochs: int,
    watch: Callable[[], object] = lambda: None,
) -> tuple[Committee, list[Opinions]]:
    """Judges that have learned from all these pages, and for each page the opinions of judges that have not
    seen its domain.
    """
    from ruiji.chunker.stack.network_training import (
        NetworkSettings,
        lessons_of,
        taught,
    )  # only learning needs it

    table = table_of(X, labels)
    settings = NetworkSettings(epochs)
    lessons = lessons_of(table, X, settings)
    with_short = with_copies(table, X, labels)  # the network learns less well with them (docs/decisions.md)
    said = [of_both(np.zeros(len(page)), np.zeros(len(page))) for page in X]
    for train, test in folds_of(X, tree_settings.folds):
        trees = grown(with_short, tree_settings, train)
        watch()
        network = taught(lessons, settings, train)
        for page in test.tolist():
            rows = table.rows(page)
            if rows.stop > rows.start:
                block = table.block_of[page]
                said[page] = of_both(
                    trees.of_rows(table.matrix[rows])[block], lessons.odds(network, rows)[block]
                )
        watch()
    return Committee(grown(with_short, tree_settings), taught(lessons, settings)), _as_annotated(
        said, table, X
    )


def _as_annotated(said: Sequence[Opinions], table: Table, X: Sequence[TextNodes]) -> list[Opinions]:  # noqa: N803
    """The opinions on the pages of a table by the conventions of those who annotate."""
    found = []
    for start in range(0, len(X), BATCH):
        pages = forest(X[start : start + BATCH])
        rows = slice(*table.page.searchsorted((start, start + BATCH)).tolist())
        heard = as_annotated(
            joined(said[start : start + BATCH]), pages, headlines(pages, table.matrix[rows])
        )[-1]
        found += [Opinions(own, heard.shares) for own in np.split(heard.odds, pages.page_start[1:-1], axis=1)]
    return found
