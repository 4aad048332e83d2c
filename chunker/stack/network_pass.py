"""A pass through the network: from the inputs of blocks to the odds of content, with what learning needs."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import numpy.typing as npt

from ruiji.features.arrays import SingleArray

if TYPE_CHECKING:
    from ruiji.chunker.stack.network import NetworkWeights

SMALL = 1e-5  # keeps a vector without differences from being divided by nothing


class ForwardPass(NamedTuple):
    """What a pass through the network leaves: the odds, and all that learning needs of the way there."""

    odds: SingleArray
    page: npt.NDArray[np.intp]  # of each row
    last_rows: npt.NDArray[np.intp]
    sums: SingleArray
    block: SingleArray
    block_scale: SingleArray
    attention: SingleArray
    whole: SingleArray
    before: SingleArray
    after: SingleArray
    value: SingleArray
    gate: SingleArray
    passed: SingleArray
    final: SingleArray
    final_scale: SingleArray
    hidden: SingleArray


def forward(
    weights: NetworkWeights,
    inputs: SingleArray,
    words: SingleArray,
    starts: npt.NDArray[np.intp],
    kept: SingleArray | None = None,
) -> ForwardPass:
    """A pass over the rows of pages that begin at ``starts`` (each has a row at least). ``kept`` is for
    learning: what is not left out.
    """
    width, count = len(weights.block_bias), len(inputs)
    ends = np.append(starts[1:], count)
    page = np.repeat(np.arange(len(starts)), ends - starts)
    sums = inputs @ weights.numbers + words + weights.block_bias
    first = np.maximum(sums, 0)
    block, block_scale = normed(first)
    score = block @ weights.attention
    raised = np.exp(score - np.maximum.reduceat(score, starts)[page])
    attention = raised / np.add.reduceat(raised, starts)[page]
    whole = np.add.reduceat(attention[:, None] * block, starts)
    before, after = np.zeros_like(block), np.zeros_like(block)
    before[1:], after[:-1] = block[:-1], block[1:]
    before[starts], after[ends - 1] = 0, 0
    mixed = (
        block @ weights.own
        + before @ weights.before
        + after @ weights.after
        + (whole @ weights.page + weights.gate_bias)[page]
    )
    value, gate = np.tanh(mixed[:, :width]), logistic(mixed[:, width:])
    passed = value * gate if kept is None else value * gate * kept
    final, final_scale = normed(first + passed @ weights.mixed)
    hidden = np.maximum(final @ weights.last + weights.last_bias, 0)
    odds = hidden @ weights.out + weights.out_bias[0]
    return ForwardPass(
        odds,
        page,
        ends - 1,
        sums,
        block,
        block_scale,
        attention,
        whole,
        before,
        after,
        value,
        gate,
        passed,
        final,
        final_scale,
        hidden,
    )


def normed(rows: SingleArray) -> tuple[SingleArray, SingleArray]:
    """Rows with mean 0 and deviation 1, and what each was multiplied by."""
    centred = rows - rows.mean(axis=1, keepdims=True)
    scale = np.reciprocal(np.sqrt((centred * centred).mean(axis=1, keepdims=True) + np.float32(SMALL)))
    return centred * scale, scale


def logistic(odds: SingleArray) -> SingleArray:
    probability: SingleArray = np.reciprocal(1 + np.exp(-odds))
    return probability
