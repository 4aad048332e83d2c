"""How the loss of the network changes with its odds and with each weight, by hand.

What it is to get right is the F of each page's words, not the single block: so it learns whether a page's
list is content as a whole.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from scipy import sparse

from ruiji.chunker.stack.network import NetworkWeights
from ruiji.chunker.stack.network_pass import ForwardPass, logistic
from ruiji.features.arrays import SingleArray

# What the F of pages counts for in the loss; the rest is the likelihood of blocks (our measurement,
# docs/decisions)
F_SHARE = 0.95


NO_CONTENT = 1e-3  # share of a page's words: keeps F from being divided by nothing


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
        page_sum: npt.NDArray[np.float64] = np.repeat(np.add.reduceat(values, starts), length)
        return page_sum

    share = weight / max(weight.sum(), 1e-12)
    page = of_page(share)
    part = share / np.maximum(page, 1e-12)  # of the page's words
    likely = logistic(odds).astype(np.float64)
    hit, whole = of_page(part * likely * content), of_page(part * (likely + content)) + NO_CONTENT
    f_slope = 2 * part * (content * whole - hit) / (whole * whole) * likely * (1 - likely)
    slope: SingleArray = ((1 - F_SHARE) * share * (likely - content) - F_SHARE * 2 * page * f_slope).astype(
        np.float32
    )
    return slope


def gradients(
    weights: NetworkWeights,
    inputs: SingleArray,
    words: sparse.csr_matrix,
    starts: npt.NDArray[np.intp],
    kept: SingleArray | None,
    way: ForwardPass,
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
        "words": np.asarray(words.T @ sums),
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
    slope: SingleArray = scale * (
        change - change.mean(axis=1, keepdims=True) - normed * (change * normed).mean(axis=1, keepdims=True)
    )
    return slope
