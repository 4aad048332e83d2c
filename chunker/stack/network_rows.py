"""The rows of a table as the network sees them: scaled numbers, kinds, and the words of its vocabulary."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy import sparse

from ruiji.chunker.stack.network import SURE, VALUES, BlockNetwork, Kinds, Scale, one_thread
from ruiji.chunker.stack.network_pass import forward
from ruiji.chunker.stack.trees import BATCH, TrainingTable
from ruiji.features.arrays import IntArray, SingleArray, ranges
from ruiji.features.blocks.lexicon import Lexicon
from ruiji.features.blocks.table import Blocks
from ruiji.features.nodes.forest import forest
from ruiji.features.page.textnodes import TextNodes
from ruiji.features.text.characters import Characters, Words

# Columns whose values are kinds; of the rest, those with values of this size and more are taken as
# logarithms.
KINDS = frozenset(("first_kind", "last_kind", "word_hint", "nearest_hint"))


UNSEEN = frozenset(
    ("is_article",)
)  # of the trees' columns: without shortened copies it teaches that articles are long


LARGE, LARGE_AT = 3.0, 99  # and the percentile that must reach it


COMMON_VALUE = 0.001  # share of rows that a kind needs to be told from the others


@dataclass(frozen=True, slots=True, eq=False)
class TrainingRows:
    """The rows of a table as the network sees them."""

    table: TrainingTable
    scale: Scale
    kinds: Kinds
    lexicon: Lexicon
    inputs: SingleArray
    words: sparse.csr_matrix  # a column a row of Weights.words

    def odds(self, network: BlockNetwork, rows: slice) -> npt.NDArray[np.float64]:
        """The log-odds that a network trained on such rows gives those of a page."""
        with one_thread():
            words = np.asarray(self.words[rows] @ network.weights.words)
            odds = forward(network.weights, self.inputs[rows], words, np.zeros(1, dtype=np.intp)).odds
        return np.clip(odds.astype(np.float64), -SURE, SURE)


def is_kind(column: str) -> bool:
    """Whether the values of a column of the trees' table are kinds, not sizes."""
    return column in KINDS or column.endswith("_tag") or column.startswith("tag")


def training_rows(table: TrainingTable, X: Sequence[TextNodes], least_sites: int) -> TrainingRows:  # noqa: N803
    """What there is to learn from a table of these pages."""
    number_of = {name: number for number, name in enumerate(table.columns) if name not in UNSEEN}
    kinds = _kinds(
        table.matrix,
        np.array([number for name, number in number_of.items() if is_kind(name)], dtype=np.int32),
    )
    sizes = np.array([number for name, number in number_of.items() if not is_kind(name)], dtype=np.int32)
    scale = _scale(table.matrix, sizes, table.weight / table.weight.sum())
    lexicon = vocabulary(X, least_sites)
    first = int(kinds.rows.max(initial=-1)) + 1
    of_kinds = kinds.of(table.matrix)
    row, word = _word_sums(X, lexicon)
    rows = np.concatenate((np.repeat(np.arange(len(of_kinds), dtype=np.int32), of_kinds.shape[1]), row))
    columns = np.concatenate((of_kinds.ravel(), word + first))
    ones = np.ones(len(rows), dtype=np.float32)
    words = sparse.csr_matrix((ones, (rows, columns)), shape=(len(of_kinds), first + len(lexicon)))
    return TrainingRows(table, scale, kinds, lexicon, scale.inputs(table.matrix), words)


def _kinds(matrix: SingleArray, columns: IntArray) -> Kinds:
    """The values of the columns that are common enough to be told apart; the others of a column are one."""
    rows, at = np.zeros((len(columns), VALUES), dtype=np.int32), 0
    for line, column in zip(rows, columns.tolist(), strict=True):
        count = np.bincount(np.clip(matrix[:, column], 0, VALUES - 1).astype(np.int32), minlength=VALUES)
        common = np.flatnonzero(count > COMMON_VALUE * len(matrix))
        line[:] = at
        line[common] = at + 1 + np.arange(len(common))
        at += 1 + len(common)
    return Kinds(columns, rows)


def _scale(matrix: SingleArray, columns: IntArray, share: npt.NDArray[np.float64]) -> Scale:
    """Means and deviations of the columns, rows counting by their share."""
    numbers = matrix[:, columns]
    logarithmic = np.array(
        [_weighted_percentile(np.abs(column), share, LARGE_AT) > LARGE for column in numbers.T]
    )
    nothing = np.zeros(numbers.shape[1], dtype=np.float32)
    mean, deviation = nothing.copy(), nothing + 1
    for number, column in enumerate(numbers.T):
        own = column.astype(np.float64)
        if logarithmic[number]:
            own = np.copysign(np.log(np.abs(own) + 1), own)
        mean[number] = own @ share
        deviation[number] = max(np.sqrt((own - mean[number]) ** 2 @ share), 1e-3)
    return Scale(columns, logarithmic, mean, deviation)


def _weighted_percentile(values: SingleArray, share: npt.NDArray[np.float64], percent: float) -> float:
    order = values.argsort()
    return float(values[order[min(int(share[order].cumsum().searchsorted(percent / 100)), len(values) - 1)]])


def vocabulary(X: Sequence[TextNodes], least_sites: int) -> Lexicon:  # noqa: N803
    """The words of short texts and of names that stand on so many sites or more; pages without a host are a
    site each.
    """
    counts: tuple[dict[str, int], dict[str, int]] = ({}, {})
    sites: dict[str, list[TextNodes]] = {}
    for number, page in enumerate(X):
        sites.setdefault(page.host or f"page {number}", []).append(page)
    for pages in sites.values():
        whole = forest(pages)
        names, spelling = whole.words_of_names
        for words, spells, count in (
            (whole.words, whole.characters, counts[0]),
            (names, spelling, counts[1]),
        ):
            for word in _different(words, spells):
                count[word] = count.get(word, 0) + 1
    text, name = (
        tuple(sorted(word for word, sites in count.items() if sites >= least_sites)) for count in counts
    )
    return Lexicon(text, name)


def _different(words: Words, spelling: Characters) -> list[str]:
    _, first = np.unique(words.key, return_index=True)
    return spelling.spelled(words, first.tolist())


def _word_sums(X: Sequence[TextNodes], lexicon: Lexicon) -> tuple[IntArray, IntArray]:  # noqa: N803
    """Each row of the table of these pages with each word of the vocabulary that applies to it."""
    rows, words, before = [np.zeros(0, dtype=np.int32)], [np.zeros(0, dtype=np.int32)], 0
    for start in range(0, len(X), BATCH):
        blocks = Blocks(forest(X[start : start + BATCH]))
        if len(blocks):
            spans = lexicon.spans(blocks)
            length = spans.end - spans.first
            rows.append(ranges(spans.first, length) + np.int32(before))
            words.append(np.repeat(spans.word, length))
            before += len(blocks)
    return np.concatenate(rows), np.concatenate(words)
