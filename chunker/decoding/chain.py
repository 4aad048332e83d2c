"""From scores to labels: marginals by forward and backward, the best sequence by Viterbi, with or without a
mask to keep to.

All work on a batch of pages as one long chain. The first node of a page forgets what came before it, so the
borders need no care.
"""

from __future__ import annotations

import numpy as np

from ruiji.chunker.labels import B, I, LabelArray, O
from ruiji.features.arrays import BoolArray, FloatArray, IntArray

FORBIDDEN = -1e9  # the score of a label that must not be
# What a B at the beginning of a region is ahead of an I: far above any sum of weights, far below what is
# forbidden
IOB2 = 1e6
SAFE_SHRINKING = 300.0  # half of what a double can shrink by, as a power of e, before it is 0


def marginals(scores: FloatArray, transition: FloatArray, starts: IntArray) -> FloatArray:
    """The probability of each label at each node. ``starts`` are the first nodes of pages."""
    size, labels = scores.shape
    if not size:
        return np.zeros((0, labels))
    emission = np.exp(scores - scores.max(axis=1, keepdims=True))
    step = np.exp(transition - transition.max())
    first = np.zeros(size, dtype=bool)
    first[starts[starts < size]] = True
    shrink = float(transition.max() - transition.min())
    forward = _chained(np.where(first[:, None, None], 1.0, step) * emission[:, None, :], shrink)
    # Backward is the same chain read from the end: from a node to the one before it, with the emission of the
    # later one.
    last = np.append(first[1:], True)
    following = np.concatenate((emission[1:], np.ones((1, labels))))
    back = np.where(last[:, None, None], 1.0, (step * following[:, None, :]).transpose(0, 2, 1))
    backward = _chained(back[::-1], shrink)[::-1]
    joint = forward * backward
    probability: FloatArray = joint / joint.sum(axis=1, keepdims=True)
    return probability


def _chained(matrices: FloatArray, shrink: float) -> FloatArray:
    """For each place the vector that the product of all matrices up to it makes, each to a scale of its own.

    A chain of n matrices is cut into about √n pieces, and all pieces are gone through side by side, twice:
    first for the product of each piece, which says with what vector the next one begins, then for the
    vectors. A step makes the numbers at most e^shrink times smaller, so they are brought back to 1 before
    they could vanish.
    """
    size, labels, _ = matrices.shape
    length = max(1, int(size**0.5))
    pieces = -(-size // length)
    padding = np.broadcast_to(np.eye(labels), (pieces * length - size, labels, labels))
    by_place = (
        np.concatenate((matrices, padding))
        .reshape(pieces, length, labels, labels)
        .transpose(1, 0, 2, 3)
        .copy()
    )
    rarely = max(1, int(SAFE_SHRINKING / max(shrink, 1.0)))
    product = by_place[0]
    for number, place in enumerate(by_place[1:], start=1):
        product = np.matmul(product, place)
        if not number % rarely:
            product /= product.max(axis=(1, 2), keepdims=True)
    product /= product.max(axis=(1, 2), keepdims=True)
    begins = np.empty((pieces, 1, labels))
    vector = np.full((1, labels), 1 / labels)
    for piece in range(pieces):
        begins[piece] = vector
        vector = vector @ product[piece]
        vector /= vector.sum()
    vectors = np.empty((length, pieces, 1, labels))
    current = begins
    for number, place in enumerate(by_place):
        current = np.matmul(current, place, out=vectors[number])
        if not (number + 1) % rarely:
            current /= current.sum(axis=2, keepdims=True)
    by_node: FloatArray = vectors.transpose(1, 0, 2, 3).reshape(-1, labels)[:size]
    return by_node


def page_slices(starts: IntArray, size: int) -> list[slice]:
    """The nodes of each page, of so many in all."""
    return [
        slice(start, end)
        for start, end in zip(starts.tolist(), np.append(starts[1:], size).tolist(), strict=True)
    ]


def viterbi(scores: FloatArray, transition: FloatArray, starts: IntArray) -> LabelArray:
    """The labels of the best sequence of each page."""
    (oo, ob, oi), (bo, bb, bi), (io, ib, ii) = transition.tolist()
    best = np.zeros(len(scores), dtype=np.int8)
    for page in page_slices(starts, len(scores)):
        rows = scores[page].tolist()
        if not rows:
            continue
        o, b, i = rows[0]
        came: list[tuple[int, int, int]] = []
        for emit_o, emit_b, emit_i in rows[1:]:
            # The best label before each; the first wins where they are equal.
            from_o, best_o, other, last = O, o + oo, b + bo, i + io
            if other > best_o:
                from_o, best_o = B, other
            if last > best_o:
                from_o, best_o = I, last
            from_b, best_b, other, last = O, o + ob, b + bb, i + ib
            if other > best_b:
                from_b, best_b = B, other
            if last > best_b:
                from_b, best_b = I, last
            from_i, best_i, other, last = O, o + oi, b + bi, i + ii
            if other > best_i:
                from_i, best_i = B, other
            if last > best_i:
                from_i, best_i = I, last
            came.append((from_o, from_b, from_i))
            o, b, i = best_o + emit_o, best_b + emit_b, best_i + emit_i
        label = O if o >= b and o >= i else (B if b >= i else I)
        labels = [label]
        for before in reversed(came):
            label = before[label]
            labels.append(label)
        best[page] = labels[::-1]
    return best


def best_regions(scores: FloatArray, transition: FloatArray, starts: IntArray, keep: BoolArray) -> LabelArray:
    """The labels of the best sequence among those that keep exactly these nodes: it says where regions side
    by side are parted.

    Every region begins with B, as IOB2 wants it; few training pages do not teach that firmly.
    """
    labels = np.where(keep, np.int8(O), np.int8(I))
    out = np.flatnonzero(~keep)
    if not len(out):
        return labels
    page_ends = np.zeros(len(scores) + 1, dtype=bool)
    page_ends[starts] = page_ends[-1] = True
    begins = page_ends[out] | keep[out - 1]
    ends_page = page_ends[out + 1]
    ends = ends_page | keep[np.minimum(out + 1, len(keep) - 1)]
    # Between two kept nodes only B and I are left, so Viterbi needs no more than how far B is ahead of I at
    # each node.
    (_, _, _), (bo, bb, bi), (io, ib, ii) = transition.tolist()
    if_b, if_i = ib - bb, ii - bi  # how far ahead B must be to stand before a B, and before an I
    lower, upper = min(if_b, if_i), max(if_b, if_i)
    change = (scores[out, B] - scores[out, I] + IOB2 * begins).tolist()
    ahead, leads = 0.0, []
    for step in change:
        if ahead >= upper:
            ahead = bb - bi
        elif ahead < lower:
            ahead = ib - ii
        else:
            ahead = ahead + bb - ii if if_b < if_i else ib - bi - ahead
        ahead += step
        leads.append(ahead)
    lead = np.array(leads)
    # Far enough ahead or behind a node has its label whatever follows it; else it has that of the next node,
    # or the other one.
    is_b = lead >= np.where(ends_page, 0.0, np.where(ends, io - bo, upper))
    sure = ends | is_b | (lead < lower)
    place = np.arange(len(out))
    next_sure = np.minimum.accumulate(np.where(sure, place, len(out))[::-1])[::-1]
    is_b = is_b[next_sure]
    if if_b > if_i:
        is_b ^= (next_sure - place) % 2 > 0
    labels[out[is_b]] = B
    return labels
