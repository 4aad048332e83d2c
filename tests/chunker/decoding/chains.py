"""Chains of scores that the tests of decoding and of cutting share."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import numpy as np
from hypothesis import strategies as st

from ruiji.features.arrays import FloatArray, IntArray

Chain = tuple[FloatArray, FloatArray, IntArray]
seeds = st.integers(0, 1 << 32)


def random_chain(seed: int, lengths: list[int], scale: float = 2.0) -> Chain:
    """Scores of pages of these lengths, transitions, and where pages start."""
    random = np.random.default_rng(seed)
    starts = np.cumsum([0, *lengths[:-1]]).astype(np.int32)
    return random.normal(scale=scale, size=(sum(lengths), 3)), random.normal(scale=2.0, size=(3, 3)), starts


def pages_of(scores: FloatArray, starts: IntArray) -> Iterator[FloatArray]:
    """The scores of each page."""
    for start, end in pairwise([*starts.tolist(), len(scores)]):
        yield scores[start:end]
