"""A small neural network over the blocks of a page: the second model beside the trees, from plain arrays in a
file.

It sees the same numbers as the trees and, beyond them, words: those in the names of elements and those of
short texts, as far as its vocabulary has them. A block is a vector of what is known of it; then it looks once
at the block before, the block after and the page as a whole (a mean in which blocks count by what they say of
the page), and says how likely the block is content. Trees ask about one number at a time, the network adds
all of them up; where they are wrong they are wrong on different pages (docs/decisions).
"""

from __future__ import annotations

import io
from contextlib import AbstractContextManager
from dataclasses import dataclass, fields
from functools import cached_property, lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import numpy.typing as npt

from ruiji.chunker.stack.array_file import NotArrays, read_arrays
from ruiji.chunker.stack.network_pass import forward
from ruiji.chunker.stack.network_tables import network_tables, odds_in_c
from ruiji.corpora.c_modules import compiled
from ruiji.features.arrays import IntArray, SingleArray
from ruiji.features.blocks.lexicon import Lexicon
from ruiji.features.blocks.table import Blocks

if TYPE_CHECKING:
    from threadpoolctl import ThreadpoolController

FORMAT = 2
FARTHEST = 4.0  # standard deviations that a number may be from its mean
VALUES = 256  # that a column of kinds can have: numbers of elements and of kinds of characters
SURE = 9.2  # log-odds are cut here; about as far as the trees go
# The arrays of a file beside the weights, and the weights that are no matrices: kind and dimensions.
ARRAYS = {
    "format": "i0", "columns": "U1", "number_columns": "i1", "logarithmic": "b1", "mean": "f1",
    "deviation": "f1", "kind_columns": "i1", "kind_rows": "i2", "text_words": "U1", "name_words": "U1",
}  # fmt: skip
WEIGHT_DIMENSIONS = dict.fromkeys(("block_bias", "attention", "gate_bias", "last_bias", "out", "out_bias"), 1)


class NotANetwork(ValueError):
    """Bytes that are no network of this version; the message says why."""


@dataclass(frozen=True, slots=True)
class NetworkWeights:
    """What is learned. Rows of ``words`` are the values of the columns of kinds, then the vocabulary."""

    numbers: SingleArray
    words: SingleArray
    block_bias: SingleArray
    attention: SingleArray
    own: SingleArray
    before: SingleArray
    after: SingleArray
    page: SingleArray
    gate_bias: SingleArray
    mixed: SingleArray
    last: SingleArray
    last_bias: SingleArray
    out: SingleArray
    out_bias: SingleArray


class Scale(NamedTuple):
    """Columns that are inputs as numbers: some as logarithms, all as distances from their mean in standard
    deviations.
    """

    columns: IntArray
    logarithmic: npt.NDArray[np.bool_]
    mean: SingleArray
    deviation: SingleArray

    def inputs(self, matrix: SingleArray) -> SingleArray:
        """The inputs of rows of the table, a line a row."""
        scaled = matrix.T[self.columns]
        for number in np.flatnonzero(self.logarithmic).tolist():
            line = scaled[number]
            np.copysign(np.log(np.abs(line) + np.float32(1)), line, out=line)
        scaled -= self.mean[:, None]
        scaled /= self.deviation[:, None]
        return np.clip(scaled, -FARTHEST, FARTHEST, out=scaled).T


class Kinds(NamedTuple):
    """Columns whose values are kinds, not sizes: for each value the row of ``words`` that stands for it."""

    columns: IntArray
    rows: IntArray  # a line a column, VALUES wide

    def of(self, matrix: SingleArray) -> IntArray:
        """The rows of ``words`` for rows of the table: as many to each as there are columns of kinds."""
        values = np.clip(matrix[:, self.columns], 0, VALUES - 1).astype(np.int32)
        word_rows: IntArray = self.rows[np.arange(len(self.columns)), values]
        return word_rows


@dataclass(frozen=True, eq=False)
class BlockNetwork:
    """The network of a model: its weights, how numbers are scaled, its columns and its vocabulary."""

    columns: tuple[str, ...]
    scale: Scale
    kinds: Kinds
    lexicon: Lexicon
    weights: NetworkWeights

    def odds(self, blocks: Blocks, matrix: SingleArray) -> npt.NDArray[np.float64]:
        """For each block the logarithm of the odds that it is content; ``matrix`` are its numbers.

        Page by page and with one thread: so a page's odds never depend on what it was read with.
        """
        in_c = compiled("ruiji.chunker.stack._network")
        odds = (
            self.odds_by_arrays(blocks, matrix)
            if in_c is None
            else odds_in_c(in_c, self._tables, blocks, matrix)
        )
        return np.clip(odds, -SURE, SURE)

    @cached_property
    def _tables(self) -> dict[str, object]:
        return network_tables(self, FARTHEST)

    def odds_by_arrays(self, blocks: Blocks, matrix: SingleArray) -> npt.NDArray[np.float64]:
        """The same by array arithmetic, the reference."""
        odds = np.empty(len(blocks))
        inputs, words = self.scale.inputs(matrix), self.words(blocks, matrix)
        starts = np.zeros(1, dtype=np.intp)
        with one_thread():
            for first, end in pairwise(blocks.page_start.tolist()):
                if end > first:
                    rows = inputs[first:end]
                    if (
                        end == first + 1
                    ):  # a single row is summed in another order where it does not lie in one piece
                        rows = np.ascontiguousarray(rows)
                    odds[first:end] = forward(self.weights, rows, words[first:end], starts).odds
        return odds

    def words(self, blocks: Blocks, matrix: SingleArray) -> SingleArray:
        """What the words and kinds of each block add up to: what the words that begin with each block add,
        less those that have ended, summed up over a page.
        """
        spans, kinds = self.lexicon.spans(blocks), self.kinds.of(matrix)
        page_end = blocks.page_start[1:][blocks.page[spans.first]]
        ends = spans.end < page_end  # what is said to the end of the page need not be taken back
        row = np.concatenate((spans.first, spans.end[ends]))
        word = np.concatenate((spans.word, spans.word[ends])) + (len(self.weights.words) - len(self.lexicon))
        sign = np.concatenate(
            (np.ones(len(spans.first), np.float32), np.full(int(ends.sum()), -1, np.float32))
        )
        steps = np.ascontiguousarray(_sums_of_words(row, word, sign, len(blocks), self.weights.words).T)
        sums = kind_sums(kinds, self.weights.words)
        for first, end in pairwise(blocks.page_start.tolist()):  # along lines, page by page
            sums[first:end] += steps[:, first:end].cumsum(axis=1, dtype=np.float64).astype(np.float32).T
        return sums

    def to_bytes(self) -> bytes:
        """As a file of arrays (NumPy's npz); the same network gives the same bytes."""
        stream = io.BytesIO()
        np.savez(
            stream,
            format=np.array(FORMAT),
            columns=np.array(self.columns, dtype=np.str_),
            number_columns=self.scale.columns,
            logarithmic=self.scale.logarithmic,
            mean=self.scale.mean,
            deviation=self.scale.deviation,
            kind_columns=self.kinds.columns,
            kind_rows=self.kinds.rows,
            text_words=np.array(self.lexicon.text_words, dtype=np.str_),
            name_words=np.array(self.lexicon.name_words, dtype=np.str_),
            **{
                field.name: getattr(self.weights, field.name).astype(np.float16)
                for field in fields(NetworkWeights)
            },
        )
        return stream.getvalue()


def read_network(data: bytes) -> BlockNetwork:
    """The network of a file. Raises NotANetwork."""
    weights = {field.name: f"f{WEIGHT_DIMENSIONS.get(field.name, 2)}" for field in fields(NetworkWeights)}
    try:
        file = read_arrays(data, {**ARRAYS, **weights})
    except NotArrays as error:
        raise NotANetwork(f"not a file of arrays as a network has them: {error}") from error
    if int(file["format"]) != FORMAT:
        raise NotANetwork(f"a network of format {int(file['format'])}, this version reads format {FORMAT}")
    network = BlockNetwork(
        tuple(file["columns"].tolist()),
        Scale(file["number_columns"], file["logarithmic"], file["mean"], file["deviation"]),
        Kinds(file["kind_columns"], file["kind_rows"]),
        Lexicon(tuple(file["text_words"].tolist()), tuple(file["name_words"].tolist())),
        NetworkWeights(**{name: file[name].astype(np.float32) for name in weights}),
    )
    _check(network)
    return network


def _check(network: BlockNetwork) -> None:
    """Raises NotANetwork where the arrays do not fit each other."""
    weights, width = network.weights, len(network.weights.block_bias)
    sizes = len(network.scale.columns)
    wanted = {
        "numbers": (sizes, width), "words": (len(weights.words), width), "attention": (width,),
        "own": (width, 2 * width), "before": (width, 2 * width), "after": (width, 2 * width),
        "page": (width, 2 * width), "gate_bias": (2 * width,), "mixed": (width, width),
        "last": (width, width), "last_bias": (width,), "out": (width,), "out_bias": (1,),
    }  # fmt: skip
    for name, shape in wanted.items():
        if getattr(weights, name).shape != shape:
            raise NotANetwork(f"its array {name} has the shape {getattr(weights, name).shape}, not {shape}")
    used = np.concatenate((network.scale.columns, network.kinds.columns))
    if (
        network.kinds.rows.shape != (len(network.kinds.columns), VALUES)
        or {len(own) for own in network.scale} != {sizes}
        or not (network.scale.deviation > 0).all()
        or not 0 <= used.min(initial=0) <= used.max(initial=0) < len(network.columns)
    ):
        raise NotANetwork("its columns do not fit its weights")
    rows = network.kinds.rows
    if not (rows.min(initial=0) >= 0 and rows.max(initial=-1) < len(weights.words) - len(network.lexicon)):
        raise NotANetwork("its vocabulary does not fit its weights")


def kind_sums(kinds: IntArray, words: SingleArray) -> SingleArray:
    """The sum of the rows of ``words`` that stand for each block's kinds."""
    sums = np.zeros((len(kinds), words.shape[1]), dtype=np.float32)
    for column in kinds.T:
        sums += words[column]
    return sums


def _sums_of_words(
    row: IntArray, word: IntArray, sign: SingleArray, count: int, words: SingleArray
) -> SingleArray:
    """For each of ``count`` rows the sum of its words, each with its sign, in the order of the words."""
    sums = np.zeros((count, words.shape[1]), dtype=np.float32)
    keys, place = np.unique(row.astype(np.int64) * len(words) + word, return_inverse=True)
    if not len(keys):
        return sums
    rows, known = np.divmod(keys, len(words))
    terms = np.bincount(place, sign).astype(np.float32)[:, None] * words[known]
    first = np.flatnonzero(np.append(True, rows[1:] != rows[:-1]))
    sums[rows[first]] = np.add.reduceat(terms, first, axis=0)
    return sums


@lru_cache(maxsize=1)
def _controller() -> ThreadpoolController:
    """Who can hold back the threads of NumPy's products; looked up once, since that takes a while."""
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()


def one_thread() -> AbstractContextManager[object]:
    """Products of matrices by one thread as long as it lasts: always summed in the same order, and other
    workers have the other cores.
    """
    limited: AbstractContextManager[object] = _controller().limit(limits=1, user_api="blas")
    return limited
