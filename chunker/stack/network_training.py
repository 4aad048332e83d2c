"""How the network under the CRF learns: gradients by hand, Adam, pages in random order, parts of what it sees
left out at random.

What it is to get right is the F of each page's words, not the single block: so it learns whether a page's
list is content as a whole.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ruiji.chunker.stack.network import BlockNetwork, NetworkWeights, one_thread
from ruiji.chunker.stack.network_gradients import gradients, slopes
from ruiji.chunker.stack.network_pass import forward
from ruiji.chunker.stack.network_rows import TrainingRows
from ruiji.features.arrays import IntArray, SingleArray

LONGEST = 2048  # rows that are learned from at once: a page with more is learned in pieces
WORD_RATE = 0.3  # how fast words are learned beside numbers: most are rare
FIRST_MEAN, SECOND_MEAN, LEAST_STEP = 0.9, 0.999, 1e-8  # of Adam (Kingma & Ba 2015)
WARM_UP = 0.1  # share of the steps in which the rate rises
# Its log-odds times this: a network that learns F is too sure; so they fit what is true of other sites
# (our measurement)
CALM = 0.4


@dataclass(frozen=True, slots=True)
class NetworkSettings:
    """How the network learns. Chosen on the development sets (docs/decisions)."""

    epochs: int
    width: int = 32
    rate: float = 2e-3
    decay: float = 0.05
    rows: int = 3000  # of a step
    least_steps: int = 600  # few pages are seen more often
    without_columns: float = 0.1  # share of the numbers that a page is shown without
    without_words: float = 0.5  # share of the vocabulary that a step does without
    without_mixed: float = 0.2
    least_sites: int = 12  # that a word must stand on
    seed: int = 1


def train_network(
    training: TrainingRows, settings: NetworkSettings, pages: IntArray | None = None
) -> BlockNetwork:
    """A network that has learned from some pages of the lessons, or from all; always the same one."""
    random = np.random.default_rng(settings.seed)
    table = training.table
    spans = _pieces(table.page, pages)
    rows = sum(end - first for first, end in spans)
    weights = _initial_weights(training.inputs.shape[1], training.words.shape[1], settings.width, random)
    rates = {
        name: np.full((len(value),) + (1,) * (value.ndim - 1), settings.rate, dtype=np.float32)
        for name, value in weights.items()
    }
    rates["words"][len(rates["words"]) - len(training.lexicon) :] *= np.float32(WORD_RATE)
    adam = _Adam(
        weights, rates, settings.decay, max(settings.epochs * rows // settings.rows, settings.least_steps)
    )
    with one_thread():
        while spans and adam.step < adam.steps:
            for batch in _batches(spans, settings.rows, random):
                adam.follow(_gradients(training, weights, batch, settings, random))
    for name in ("out", "out_bias"):
        weights[name] *= np.float32(CALM)
    known = NetworkWeights(
        **{name: value.astype(np.float16).astype(np.float32) for name, value in weights.items()}
    )  # as they are kept
    return BlockNetwork(tuple(table.columns), training.scale, training.kinds, training.lexicon, known)


def _pieces(page: IntArray, pages: IntArray | None) -> list[tuple[int, int]]:
    """The rows to learn from, page by page, in pieces of bearable length."""
    starts = np.flatnonzero(np.append(True, page[1:] != page[:-1])).tolist() if len(page) else []
    chosen = None if pages is None else set(pages.tolist())
    pieces = []
    for first, end in zip(starts, [*starts[1:], len(page)], strict=True):
        if chosen is None or int(page[first]) in chosen:
            pieces += [(at, min(at + LONGEST, end)) for at in range(first, end, LONGEST)]
    return pieces


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


def _initial_weights(
    numbers: int, words: int, width: int, random: np.random.Generator
) -> dict[str, SingleArray]:
    """Weights before anything is learned."""

    def drawn(*shape: int, share: float = 1.0) -> SingleArray:
        weights: SingleArray = (random.standard_normal(shape) * share / np.sqrt(shape[0])).astype(np.float32)
        return weights

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
    training: TrainingRows,
    weights: Mapping[str, SingleArray],
    batch: Sequence[tuple[int, int]],
    settings: NetworkSettings,
    random: np.random.Generator,
) -> dict[str, SingleArray]:
    """How the loss of some pieces changes with each weight."""
    rows = np.concatenate([np.arange(first, end) for first, end in batch])
    length = np.array([end - first for first, end in batch])
    starts = length.cumsum() - length
    inputs = training.inputs[rows]
    shown = (random.random((len(batch), inputs.shape[1])) >= settings.without_columns).astype(np.float32)
    inputs *= np.repeat(shown, length, axis=0)
    words = training.words[rows]
    shown_words = np.ones(words.shape[1], dtype=np.float32)
    vocabulary_at = words.shape[1] - len(training.lexicon)
    shown_words[vocabulary_at:] = random.random(len(training.lexicon)) >= settings.without_words
    words.data *= shown_words[words.indices]
    left = 1 - settings.without_mixed
    kept = ((random.random((len(rows), settings.width)) < left) / left).astype(np.float32)
    known = NetworkWeights(**weights)
    way = forward(known, inputs, np.asarray(words @ known.words), starts, kept)
    wrong = slopes(way.odds, training.table.content[rows], training.table.weight[rows], starts)
    return gradients(known, inputs, words, starts, kept, way, wrong)


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
