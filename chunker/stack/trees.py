"""Gradient-boosted trees over the numbers of blocks: the classifier under the CRF, in LightGBM's own text
format.

Trees see a block by numbers of many scales at once and give the log-odds that it is content; the CRF sees
sequences and parts regions. In training the CRF must get log-odds of trees that have not seen the page's
site: ``folds_of``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ruiji.chunker.decoding.expected_f import node_weights
from ruiji.chunker.labels import UNSURE, LabelArray, O
from ruiji.chunker.stack.tree_file import read_trees
from ruiji.features.arrays import FloatArray, IntArray
from ruiji.features.blocks.families import column_names, numbers
from ruiji.features.blocks.table import Blocks
from ruiji.features.nodes.forest import Forest, forest
from ruiji.features.page.textnodes import TextNodes

BATCH = 32  # pages whose arrays are made together
WORDLESS = 0.5  # words that a block counts for beside its own: one of digits alone is something too
# The weight of a truncated copy beside its page (our measurement, docs/decisions)
COPY_WEIGHT, COPIES_SEED = 0.5, 1
SURE = 1e-4  # trees are never surer than that, so that odds stay in bounds


@dataclass(frozen=True, slots=True)
class TreeSettings:
    """How trees are trained. Chosen on the development sets (docs/evaluation)."""

    rounds: int
    rate: float = 0.15
    leaves: int = 15
    least_in_leaf: int = 100  # rows, or a fiftieth of them where there are few
    columns: float = 0.3  # of all columns, tried by each tree
    rows: float = 0.7  # of all rows, seen by each tree
    l2: float = 5.0
    bins: int = 63
    sampled: int = (
        400_000  # rows to learn from: pages have many blocks of a word or two, and rows count by their words
    )
    folds: int = 3
    seed: int = 1

    def parameters(self) -> dict[str, object]:
        """As LightGBM names them; one thread, so that sums are always made in the same order."""
        return {
            "objective": "binary", "learning_rate": self.rate, "num_leaves": self.leaves,
            "feature_fraction": self.columns, "bagging_fraction": self.rows, "bagging_freq": 1,
            "lambda_l2": self.l2, "max_bin": self.bins, "seed": self.seed,
            "deterministic": True, "force_row_wise": True, "num_threads": 1, "verbose": -1,
        }  # fmt: skip


class BlockTrees:
    """Trees that give the log-odds of each block, read from a model file. Raises NotTrees."""

    def __init__(self, text: bytes) -> None:
        self.trees = read_trees(text)
        self.text = text
        self.columns = self.trees.columns

    def reasons(self, pages: Forest, node: int) -> dict[str, float]:
        """What each number adds to the odds of a node's block (Shapley values, as LightGBM gives them),
        without those that add nothing.
        """
        from lightgbm import Booster  # which takes a second to load

        row = numbers(Blocks(pages))[pages.block[node]][None]
        booster = Booster(model_str=self.text.decode("ascii"))
        pulls = booster.predict(row, pred_contrib=True, num_threads=1)[0][
            :-1
        ].tolist()  # the last is the mean of all
        columns = zip(self.columns, pulls, row[0].tolist(), strict=True)
        return {f"{name}={value:g}": pull for name, pull, value in columns if pull}

    def of_rows(self, matrix: npt.NDArray[np.float32]) -> FloatArray:
        """For each row of the table the logarithm of the odds that its block is content."""
        limit = np.log((1 - SURE) / SURE)
        return np.clip(self.trees.sums(matrix), -limit, limit)


@dataclass(frozen=True, slots=True, eq=False)
class TrainingTable:
    """The blocks of pages as rows: numbers, whether each is content, how much it counts, and its page."""

    columns: Sequence[str]
    matrix: npt.NDArray[np.float32]
    content: npt.NDArray[np.bool_]
    weight: FloatArray
    page: IntArray
    block_of: Sequence[IntArray]  # of each page, the row of each node among the page's rows

    def rows(self, page: int) -> slice:
        """The rows of a page."""
        first, end = self.page.searchsorted((page, page + 1)).tolist()
        return slice(first, end)


def table_of(
    X: Sequence[TextNodes],  # noqa: N803
    labels: Sequence[LabelArray],
    sample_weight: Sequence[float] | None = None,
) -> TrainingTable:
    """The rows of these pages; a block counts by its share of the page's words, a page by its weight and by
    how many there are of its site.

    With n pages of a site each counts 1/√n: more pages of a template teach more, but not as much as so many
    templates would. Pages with a weight below 1 (copies, and pages that have one) are so much less than a
    page.
    """
    matrices, contents, weights, page_numbers, block_of = [], [], [], [], []
    for start in range(0, len(X), BATCH):
        pages = forest(X[start : start + BATCH])
        blocks = Blocks(pages)
        for first, end in zip(pages.page_start[:-1], pages.page_start[1:], strict=True):
            block_of.append(pages.block[first:end] - (pages.block[first] if end > first else 0))
        if not len(blocks):
            continue
        given = np.concatenate(labels[start : start + BATCH])
        sure = given != UNSURE
        matrices.append(numbers(blocks))
        contents.append(
            2 * blocks.sums((given == O) * blocks.node_chars) > blocks.sums(sure * blocks.node_chars)
        )
        weights.append(blocks.sums(node_weights(pages) * sure) + WORDLESS * (blocks.sums(sure) > 0))
        page_numbers.append(blocks.page + start)
    page = np.concatenate(page_numbers).astype(np.int32)
    weight = np.concatenate(weights)
    each = np.ones(len(X)) if sample_weight is None else np.asarray(sample_weight, dtype=np.float64)
    sites: dict[str, float] = {}
    for own, page_weight in zip(X, each.tolist(), strict=True):
        sites[own.host] = sites.get(own.host, 0.0) + page_weight
    of_page = each * [1 / np.sqrt(max(sites[own.host], 1.0)) if own.host else 1.0 for own in X]
    weight *= (of_page / np.maximum(np.bincount(page, weight, len(X)), WORDLESS))[page]
    return TrainingTable(
        column_names(), np.concatenate(matrices), np.concatenate(contents), weight, page, block_of
    )


def with_copies(table: TrainingTable, X: Sequence[TextNodes], labels: Sequence[LabelArray]) -> TrainingTable:  # noqa: N803
    """The table with shortened copies of the articles among these pages, for growing trees: the rows of a
    copy are its page's too, stand behind all others and count for less.
    """
    from ruiji.chunker.stack.augmentation import truncated_articles

    copied, copies, given = truncated_articles(X, labels, COPIES_SEED)
    if not copies:
        return table
    more, of_copy = table_of(copies, given), np.array(copied, dtype=np.int32)
    weight_of_copy = (
        COPY_WEIGHT
        * np.bincount(table.page, table.weight, len(X))[of_copy]
        / np.bincount(more.page, more.weight, len(copies))
    )
    return TrainingTable(
        table.columns,
        np.concatenate((table.matrix, more.matrix)),
        np.concatenate((table.content, more.content)),
        np.concatenate((table.weight, more.weight * weight_of_copy[more.page])),
        np.concatenate((table.page, of_copy[more.page])),
        table.block_of,
    )


def train_trees(table: TrainingTable, settings: TreeSettings, pages: IntArray | None = None) -> BlockTrees:
    """Trees trained on some pages of the table, or on all."""
    import lightgbm  # which takes a second to load, and only training needs it

    chosen = np.arange(len(table.page)) if pages is None else np.flatnonzero(np.isin(table.page, pages))
    rows, weight = sampled(chosen, table.weight[chosen], settings)
    parameters = settings.parameters() | {
        "min_data_in_leaf": max(min(settings.least_in_leaf, len(rows) // 50), 1)
    }
    data = lightgbm.Dataset(
        table.matrix[rows],
        table.content[rows],
        weight=weight * (len(weight) / weight.sum()),
        feature_name=list(table.columns),
        params=parameters,
    )
    booster = lightgbm.train(parameters, data, settings.rounds)
    return BlockTrees(booster.model_to_string().encode("ascii"))


def sampled(
    rows: npt.NDArray[np.int64], weight: FloatArray, settings: TreeSettings
) -> tuple[npt.NDArray[np.int64], FloatArray]:
    """Rows to learn from and their weights: heavy ones surely, light ones by chance, then counting for those
    left out.
    """
    chance = np.sqrt(weight)
    for _ in range(3):  # chances are cut at 1; what that takes away goes to the others
        chance = np.minimum(chance * (settings.sampled / chance.sum()), 1.0)
    picked = np.random.default_rng(settings.seed).random(len(rows)) < chance
    return rows[picked], weight[picked] / chance[picked]


def folds_of(X: Sequence[TextNodes], folds: int) -> list[tuple[IntArray, IntArray]]:  # noqa: N803
    """Pages to learn from and pages to be asked about, by domain, so many times; all and all where there is
    but one domain.
    """
    from ruiji.chunker.annotation.examples import domain_of

    groups = np.array([domain_of(page.host) or f"page {number}" for number, page in enumerate(X)])
    different = len(set(groups.tolist()))
    if different < 2:
        every = np.arange(len(X), dtype=np.int32)
        return [(every, every)]
    from sklearn.model_selection import GroupKFold  # for training only: it takes a second to import

    splits = GroupKFold(min(folds, different)).split(groups, groups=groups)
    return [(train.astype(np.int32), test.astype(np.int32)) for train, test in splits]
