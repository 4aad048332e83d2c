"""The ensemble below the CRF of the feature set ``stacked``: trees and a network.

Their log-odds are averaged: that is the one opinion by which pages are cut (``decoding.expected_f``). In
training the CRF must get log-odds of models that have not seen the page's site: ``train_ensemble`` returns
those beside the ensemble itself.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from ruiji.chunker.conventions import AUTO, with_element, with_headline
from ruiji.chunker.decoding.expected_f import NOTHING
from ruiji.chunker.labels import LabelArray
from ruiji.chunker.stack.containers import container_shift
from ruiji.chunker.stack.frames import OUT, out_of_place
from ruiji.chunker.stack.headlines import ODDS, headlines, japanese
from ruiji.chunker.stack.network import BlockNetwork
from ruiji.chunker.stack.trees import (
    BATCH,
    BlockTrees,
    TrainingTable,
    TreeSettings,
    folds_of,
    table_of,
    train_trees,
    with_copies,
)
from ruiji.features.arrays import BoolArray, FloatArray
from ruiji.features.blocks.families import numbers
from ruiji.features.blocks.table import Blocks
from ruiji.features.nodes.forest import Forest, forest
from ruiji.features.page.textnodes import TextNodes

# The share of the trees in the mean: with one half lists and shops are expected to be much too good (our
# measurement, docs/decisions).
TREES = 0.65


@dataclass(frozen=True, slots=True)
class Ensemble:
    """Trees and network of a model."""

    trees: BlockTrees
    network: BlockNetwork

    def log_odds(self, pages: Forest, convention: str = AUTO) -> FloatArray:
        """The log-odds that the block of each node is content, by both models and by convention."""
        return self._with_log_odds(pages, convention)[-1]

    def _with_log_odds(self, pages: Forest, convention: str) -> tuple[FloatArray, ...]:
        """The log-odds of the network, those of both models, without what stands in frames, with headlines,
        and with what containers change.
        """
        blocks = Blocks(pages)
        matrix = numbers(blocks)
        network = self.network.odds(blocks, matrix)[pages.block]
        learned = ensemble_odds(self.trees.of_rows(matrix)[pages.block], network)
        return network, learned, *by_conventions(learned, pages, matrix, [convention] * len(pages.pages))

    def reasons(self, pages: Forest, node: int, convention: str = AUTO) -> dict[str, float]:
        """What adds to the odds of a node's block: the trees number by number, the network as a whole, that
        it stands in a frame of comments or a dialog, that it is a headline, and where it stands.
        """
        network, *steps = self._with_log_odds(pages, convention)
        pulls = {f"trees {name}": pull * TREES for name, pull in self.trees.reasons(pages, node).items()}
        pulls["network"] = float(network[node]) * (1 - TREES)
        odds = [float(log_odds[node]) for log_odds in steps]
        return pulls | {
            name: pull
            for name, pull in zip(("frame", "headline", "container"), np.diff(odds).tolist(), strict=True)
            if pull
        }


def ensemble_odds(trees: FloatArray, network: FloatArray) -> FloatArray:
    """The weighted mean of the log-odds of both models."""
    mean: FloatArray = TREES * trees + (1 - TREES) * network
    return mean


def with_headlines(log_odds: FloatArray, headline: BoolArray) -> FloatArray:
    """The log-odds, as sure of headlines as annotators are."""
    return np.where(headline, np.maximum(log_odds, ODDS), log_odds)


def without_frames(log_odds: FloatArray, pages: Forest) -> FloatArray:
    """The log-odds with comments of readers and dialogs not taken for content."""
    return np.where(out_of_place(pages, log_odds), np.minimum(log_odds, OUT), log_odds)


def by_conventions(
    log_odds: FloatArray,
    pages: Forest,
    matrix: npt.NDArray[np.float32],
    conventions: Sequence[str],
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """The log-odds by the convention of each page; ``matrix`` are the numbers of the blocks."""
    in_japanese = japanese(pages)
    headline = headlines(pages, matrix, with_headline(conventions, in_japanese))
    return apply_conventions(log_odds, pages, headline, with_element(conventions, in_japanese))


def apply_conventions(
    log_odds: FloatArray, pages: Forest, headline: BoolArray, whole: BoolArray
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """The log-odds by convention: without what stands in frames; then also with headlines; then, on the pages
    that count elements as a whole, also with what containers change.

    Where nothing of a page is likely, there is no headline and no container.
    """
    log_odds = without_frames(log_odds, pages)
    some = np.array(
        [
            log_odds[first:end].max(initial=-np.inf) >= NOTHING
            for first, end in pairwise(pages.page_start.tolist())
        ]
    )
    headline = headline & some[pages.page]
    raised = with_headlines(log_odds, headline)
    return log_odds, raised, raised + container_shift(pages, raised, headline, some & whole)


def train_ensemble(
    X: Sequence[TextNodes],  # noqa: N803
    labels: Sequence[LabelArray],
    tree_settings: TreeSettings,
    epochs: int,
    watch: Callable[[], object] = lambda: None,
    sample_weight: Sequence[float] | None = None,
    conventions: Sequence[str] | None = None,
) -> tuple[Ensemble, list[FloatArray]]:
    """An ensemble trained on all these pages, and for each page the log-odds of one that has not seen its
    domain, by the convention of its annotators.
    """
    from ruiji.chunker.stack.network_rows import training_rows
    from ruiji.chunker.stack.network_training import NetworkSettings, train_network

    table = table_of(X, labels, sample_weight)
    settings = NetworkSettings(epochs)
    training = training_rows(table, X, settings.least_sites)
    with_short = with_copies(table, X, labels)  # the network learns less well with them (docs/decisions)
    held_out: list[FloatArray] = [np.zeros(len(page)) for page in X]
    for train, test in folds_of(X, tree_settings.folds):
        trees = train_trees(with_short, tree_settings, train)
        watch()
        network = train_network(training, settings, train)
        for page in test.tolist():
            rows = table.rows(page)
            if rows.stop > rows.start:
                block = table.block_of[page]
                held_out[page] = ensemble_odds(
                    trees.of_rows(table.matrix[rows])[block], training.odds(network, rows)[block]
                )
        watch()
    return Ensemble(
        train_trees(with_short, tree_settings), train_network(training, settings)
    ), conventions_of_rows(held_out, table, X, conventions)


def conventions_of_rows(
    log_odds: Sequence[FloatArray],
    table: TrainingTable,
    X: Sequence[TextNodes],  # noqa: N803
    conventions: Sequence[str] | None = None,
) -> list[FloatArray]:
    """The log-odds of the pages of a table by the conventions of annotators (None: nobody knows them)."""
    of_pages: list[FloatArray] = []
    named = conventions or [AUTO] * len(X)
    for start in range(0, len(X), BATCH):
        pages = forest(X[start : start + BATCH])
        rows = slice(*table.page.searchsorted((start, start + BATCH)).tolist())
        shifted = by_conventions(
            np.concatenate(log_odds[start : start + BATCH]),
            pages,
            table.matrix[rows],
            named[start : start + BATCH],
        )[-1]
        of_pages += np.split(shifted, pages.page_start[1:-1])
    return of_pages
