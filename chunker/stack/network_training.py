"""How the network under the CRF learns: gradients by hand, Adam, pages in random order, parts of what it sees
left out at random.

What it is to get right is the F of each page's words, not the single block: so it learns whether a page's
list is content as a whole.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy import sparse

from ruiji.chunker.stack.network import (
    SURE,
    VALUES,
    BlockNetwork,
    Kinds,
    Pass,
    Scale,
    Weights,
    forward,
    logistic,
    one_thread,
)
from ruiji.chunker.stack.trees import BATCH, Table
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
LONGEST = 2048  # rows that are learned from at once: a page with more is learned in pieces
WORD_RATE = 0.3  # how fast words are learned beside numbers: most are rare
FIRST_MEAN, SECOND_MEAN, LEAST_STEP = 0.9, 0.999, 1e-8  # of Adam (Kingma & Ba 2015)
WARM_UP = 0.1  # share of the steps in which the rate rises
# What the F of pages counts for in the loss; the rest is the likelihood of blocks (our measurement,
# docs/decisions.md)
F_SHARE = 0.95
# Times what it says: who learns F is surer than right; with this the odds fit what is true of other sites
# (our measurement)
CALM = 0.4
NO_CONTENT = 1e-3  # share of a page's words: keeps F from being divided by nothing


@dataclass(frozen=True, slots=True)
class NetworkSettings:
    """How the network learns. Chosen on the development sets (docs/decisions.md)."""

    epochs: int
    width: int = 48
    rate: float = 2e-3
    decay: float = 0.05
    rows: int = 3000  # of a step
    least_steps: int = 600  # few pages are seen more often
    without_columns: float = 0.1  # share of the numbers that a page is shown without
    without_words: float = 0.5  # share of the vocabulary that a step does without
    without_mixed: float = 0.2
    least_sites: int = 12  # that a word must stand on
    seed: int = 1


@dataclass(frozen=True, slots=True, eq=False)
class Lessons:
    """The rows of a table as the network sees them."""

    table: Table
    scale: Scale
    kinds: Kinds
    lexicon: Lexicon
    inputs: SingleArray
    words: sparse.csr_matrix  # a column a row of Weights.words

    def odds(self, network: BlockNetwork, rows: slice) -> npt.NDArray[np.float64]:
        """What a network that was taught by them says of the rows of a page."""
        with one_thread():
            words = np.asarray(self.words[rows] @ network.weights.words)
            found = forward(network.weights, self.inputs[rows], words, np.zeros(1, dtype=np.intp)).odds
        return np.clip(found.astype(np.float64), -SURE, SURE)


def is_kind(column: str) -> bool:
    """Whether the values of a column of the trees' table are kinds, not sizes."""
    return column in KINDS or column.endswith("_tag") or column.startswith("tag")


def lessons_of(table: Table, X: Sequence[TextNodes], settings: NetworkSettings) -> Lessons:  # noqa: N803
    """What there is to learn from a table of these pages."""
    number_of = {name: number for number, name in enumerate(table.columns) if name not in UNSEEN}
    kinds = _kinds(
        table.matrix,
        np.array([number for name, number in number_of.items() if is_kind(name)], dtype=np.int32),
    )
    sizes = np.array([number for name, number in number_of.items() if not is_kind(name)], dtype=np.int32)
    scale = _scale(table.matrix, sizes, table.weight / table.weight.sum())
    lexicon = vocabulary(X, settings.least_sites)
    first = int(kinds.rows.max(initial=-1)) + 1
    of_kinds = kinds.of(table.matrix)
    row, word = _said(X, lexicon)
    rows = np.concatenate((np.repeat(np.arange(len(of_kinds), dtype=np.int32), of_kinds.shape[1]), row))
    columns = np.concatenate((of_kinds.ravel(), word + first))
    ones = np.ones(len(rows), dtype=np.float32)
    words = sparse.csr_matrix((ones, (rows, columns)), shape=(len(of_kinds), first + len(lexicon)))
    return Lessons(table, scale, kinds, lexicon, scale.inputs(table.matrix), words)


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


def _said(X: Sequence[TextNodes], lexicon: Lexicon) -> tuple[IntArray, IntArray]:  # noqa: N803
    """Each row of the table of these pages with each word of the vocabulary that is said of it."""
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


def taught(lessons: Lessons, settings: NetworkSettings, pages: IntArray | None = None) -> BlockNetwork:
    """A network that has learned from some pages of the lessons, or from all; always the same one."""
    random = np.random.default_rng(settings.seed)
    table = lessons.table
    spans = _pieces(table.page, pages)
    rows = sum(end - first for first, end in spans)
    weights = _begun(lessons.inputs.shape[1], lessons.words.shape[1], settings.width, random)
    rates = {
        name: np.full((len(value),) + (1,) * (value.ndim - 1), settings.rate, dtype=np.float32)
        for name, value in weights.items()
    }
    rates["words"][len(rates["words"]) - len(lessons.lexicon) :] *= np.float32(WORD_RATE)
    adam = _Adam(
        weights, rates, settings.decay, max(settings.epochs * rows // settings.rows, settings.least_steps)
    )
    with one_thread():
        while spans and adam.step < adam.steps:
            for batch in _batches(spans, settings.rows, random):
                adam.follow(_gradients(lessons, weights, batch, settings, random))
    for name in ("out", "out_bias"):
        weights[name] *= np.float32(CALM)
    known = Weights(
        **{name: value.astype(np.float16).astype(np.float32) for name, value in weights.items()}
    )  # as they are kept
    return BlockNetwork(tuple(table.columns), lessons.scale, lessons.kinds, lessons.lexicon, known)


def _pieces(page: IntArray, pages: IntArray | None) -> list[tuple[int, int]]:
    """The rows to learn from, page by page, in pieces of bearable length."""
    starts = np.flatnonzero(np.append(True, page[1:] != page[:-1])).tolist() if len(page) else []
    chosen = None if pages is None else set(pages.tolist())
    found = []
    for first, end in zip(starts, [*starts[1:], len(page)], strict=True):
        if chosen is None or int(page[first]) in chosen:
            found += [(at, min(at + LONGEST, end)) for at in range(first, end, LONGEST)]
    return found


def _batches(
    spans: Sequence[tuple[int, int]], rows: int, random: np.random.Generator
) -> Iterator[list[tuple[int, int]]]:
    """All pieces in random order, so many rows or a little more at a time."""
    batch: list[tuple[int, int]] = []
    size = 0
    for number in random.permutation(len(spans)).tolist():
        batch.append(spans[number])
        size += spans[number][1] - spans[number][0]
        if size >= rows:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


def _begun(numbers: int, words: int, width: int, random: np.random.Generator) -> dict[str, SingleArray]:
    """Weights before anything is learned."""

    def drawn(*shape: int, share: float = 1.0) -> SingleArray:
        found: SingleArray = (random.standard_normal(shape) * share / np.sqrt(shape[0])).astype(np.float32)
        return found

    def nothing(size: int) -> SingleArray:
        return np.zeros(size, dtype=np.float32)

    return {
        "numbers": drawn(numbers, width),
        "words": (random.standard_normal((words, width)) * 0.01).astype(np.float32),
        "block_bias": nothing(width),
        "attention": drawn(width),
        "own": drawn(width, 2 * width, share=0.5),
        "before": drawn(width, 2 * width, share=0.5),
        "after": drawn(width, 2 * width, share=0.5),
        "page": drawn(width, 2 * width, share=0.5),
        "gate_bias": nothing(2 * width),
        "mixed": drawn(width, width, share=0.5),
        "last": drawn(width, width),
        "last_bias": nothing(width),
        "out": drawn(width, share=0.3),
        "out_bias": nothing(1),
    }


def _gradients(
    lessons: Lessons,
    weights: Mapping[str, SingleArray],
    batch: Sequence[tuple[int, int]],
    settings: NetworkSettings,
    random: np.random.Generator,
) -> dict[str, SingleArray]:
    """How the loss of some pieces changes with each weight."""
    rows = np.concatenate([np.arange(first, end) for first, end in batch])
    length = np.array([end - first for first, end in batch])
    starts = length.cumsum() - length
    inputs = lessons.inputs[rows]
    shown = (random.random((len(batch), inputs.shape[1])) >= settings.without_columns).astype(np.float32)
    inputs *= np.repeat(shown, length, axis=0)
    said = lessons.words[rows]
    heard = np.ones(said.shape[1], dtype=np.float32)
    vocabulary_at = said.shape[1] - len(lessons.lexicon)
    heard[vocabulary_at:] = random.random(len(lessons.lexicon)) >= settings.without_words
    said.data *= heard[said.indices]
    left = 1 - settings.without_mixed
    kept = ((random.random((len(rows), settings.width)) < left) / left).astype(np.float32)
    known = Weights(**weights)
    way = forward(known, inputs, np.asarray(said @ known.words), starts, kept)
    wrong = slopes(way.odds, lessons.table.content[rows], lessons.table.weight[rows], starts)
    return gradients(known, inputs, said, starts, kept, way, wrong)


def slopes(
    odds: SingleArray,
    content: npt.NDArray[np.bool_],
    weight: npt.NDArray[np.float64],
    starts: npt.NDArray[np.intp],
) -> SingleArray:
    """How the loss changes with the odds of each row of some pages.

    Rows and pages count by their weight. The loss of a page is twice what its F lacks of 1, where rows are
    kept as far as they are likely, and to a small part the mean surprise at its rows.
    """
    length = np.diff(np.append(starts, len(odds)))

    def of_page(values: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        found: npt.NDArray[np.float64] = np.repeat(np.add.reduceat(values, starts), length)
        return found

    share = weight / max(weight.sum(), 1e-12)
    page = of_page(share)
    part = share / np.maximum(page, 1e-12)  # of the page's words
    likely = logistic(odds).astype(np.float64)
    hit, whole = of_page(part * likely * content), of_page(part * (likely + content)) + NO_CONTENT
    f_slope = 2 * part * (content * whole - hit) / (whole * whole) * likely * (1 - likely)
    found: SingleArray = ((1 - F_SHARE) * share * (likely - content) - F_SHARE * 2 * page * f_slope).astype(
        np.float32
    )
    return found


def gradients(
    weights: Weights,
    inputs: SingleArray,
    said: sparse.csr_matrix,
    starts: npt.NDArray[np.intp],
    kept: SingleArray | None,
    way: Pass,
    wrong: SingleArray,
) -> dict[str, SingleArray]:
    """The way of ``forward`` back: how each weight changes the loss, given how the odds of each row do
    (``wrong``).
    """
    hidden: SingleArray = wrong[:, None] * weights.out * (way.hidden > 0)
    final = _through_norm(hidden @ weights.last.T, way.final, way.final_scale)
    passed: SingleArray = final @ weights.mixed.T
    if kept is not None:
        passed = passed * kept
    mixed = np.concatenate(
        (passed * way.gate * (1 - way.value * way.value), passed * way.value * way.gate * (1 - way.gate)),
        axis=1,
    )
    of_pages = np.add.reduceat(mixed, starts)
    block = mixed @ weights.own.T
    before, after = mixed @ weights.before.T, mixed @ weights.after.T
    before[starts], after[way.last_rows] = 0, 0
    block[:-1] += before[1:]
    block[1:] += after[:-1]
    whole = (of_pages @ weights.page.T)[way.page]
    block += way.attention[:, None] * whole
    heed = (way.block * whole).sum(axis=1)
    score = way.attention * (heed - np.add.reduceat(way.attention * heed, starts)[way.page])
    block += score[:, None] * weights.attention
    sums: SingleArray = (final + _through_norm(block, way.block, way.block_scale)) * (way.sums > 0)
    return {
        "numbers": inputs.T @ sums,
        "words": np.asarray(said.T @ sums),
        "block_bias": sums.sum(axis=0),
        "attention": way.block.T @ score,
        "own": way.block.T @ mixed,
        "before": way.before.T @ mixed,
        "after": way.after.T @ mixed,
        "page": way.whole.T @ of_pages,
        "gate_bias": mixed.sum(axis=0),
        "mixed": way.passed.T @ final,
        "last": way.final.T @ hidden,
        "last_bias": hidden.sum(axis=0),
        "out": way.hidden.T @ wrong,
        "out_bias": wrong.sum(keepdims=True),
    }


def _through_norm(change: SingleArray, normed: SingleArray, scale: SingleArray) -> SingleArray:
    found: SingleArray = scale * (
        change - change.mean(axis=1, keepdims=True) - normed * (change * normed).mean(axis=1, keepdims=True)
    )
    return found


class _Adam:
    """Steps against the gradient, by its running mean and size, with weights drawn to 0 beside (Loshchilov &
    Hutter 2019).
    """

    def __init__(
        self, weights: dict[str, SingleArray], rates: Mapping[str, SingleArray], decay: float, steps: int
    ) -> None:
        self.weights, self.rates, self.decay, self.steps, self.step = weights, rates, decay, steps, 0
        self._mean = {name: np.zeros_like(value) for name, value in weights.items()}
        self._size = {name: np.zeros_like(value) for name, value in weights.items()}

    def follow(self, gradient: Mapping[str, SingleArray]) -> None:
        """One step; the rate rises at first and falls to nothing in the end."""
        self.step += 1
        done = min(self.step / self.steps, 1.0)
        pace = np.float32(min(1.0, done / WARM_UP) * 0.5 * (1 + np.cos(np.pi * done)))
        for name, weights in self.weights.items():
            mean, size, change = self._mean[name], self._size[name], gradient[name]
            mean += np.float32(1 - FIRST_MEAN) * (change - mean)
            size += np.float32(1 - SECOND_MEAN) * (change * change - size)
            unbiased = mean / np.float32(1 - FIRST_MEAN**self.step)
            spread = np.sqrt(size / np.float32(1 - SECOND_MEAN**self.step)) + np.float32(LEAST_STEP)
            weights -= pace * self.rates[name] * (unbiased / spread + np.float32(self.decay) * weights)
