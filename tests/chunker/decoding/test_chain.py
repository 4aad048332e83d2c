"""Decoding: every clever way has a plain one beside it that tries everything."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ruiji.chunker.decoding.chain import FORBIDDEN, best_regions, marginals, viterbi
from ruiji.chunker.labels import B, I, O
from ruiji.features.arrays import BoolArray, FloatArray
from tests.chunker.decoding.chains import pages_of, random_chain, seeds


def every_sequence(scores: FloatArray, transition: FloatArray) -> Iterator[tuple[tuple[int, ...], float]]:
    """Every way to label a page, with its score."""
    for labels in product(range(3), repeat=len(scores)):
        state = sum(float(scores[at, label]) for at, label in enumerate(labels))
        yield labels, state + sum(float(transition[before, after]) for before, after in pairwise(labels))


def marginals_by_enumeration(scores: FloatArray, transition: FloatArray) -> FloatArray:
    found = np.zeros_like(scores)
    for labels, score in every_sequence(scores, transition):
        found[np.arange(len(labels)), labels] += np.exp(score)
    return found / found.sum(axis=1, keepdims=True) if len(scores) else found


def marginals_by_logarithms(scores: FloatArray, transition: FloatArray) -> FloatArray:
    """Forward and backward, a node after the other, without any scaling."""
    size = len(scores)
    forward, backward = scores.copy(), np.zeros_like(scores)
    for at in range(1, size):
        forward[at] += np.logaddexp.reduce(forward[at - 1][:, None] + transition, axis=0)
    for at in range(size - 2, -1, -1):
        backward[at] = np.logaddexp.reduce(transition + (scores[at + 1] + backward[at + 1]), axis=1)
    joint = forward + backward
    return np.exp(joint - np.logaddexp.reduce(joint, axis=1, keepdims=True))


def score_of(labels: list[int], scores: FloatArray, transition: FloatArray) -> float:
    return float(scores[np.arange(len(labels)), labels].sum()) + sum(
        transition[pair] for pair in pairwise(labels)
    )


@given(seeds, st.lists(st.integers(0, 5), min_size=1, max_size=4))
def test_marginals_are_those_of_all_sequences(seed: int, lengths: list[int]) -> None:
    scores, transition, starts = random_chain(seed, lengths)
    expected = [marginals_by_enumeration(page, transition) for page in pages_of(scores, starts)]
    assert marginals(scores, transition, starts) == pytest.approx(np.concatenate(expected), abs=1e-12)


@given(seeds, st.lists(st.integers(0, 5), min_size=1, max_size=4))
def test_viterbi_finds_the_best_of_all_sequences(seed: int, lengths: list[int]) -> None:
    scores, transition, starts = random_chain(seed, lengths)
    expected = [
        max(every_sequence(page, transition), key=lambda one: one[1])[0] for page in pages_of(scores, starts)
    ]
    assert viterbi(scores, transition, starts).tolist() == [label for page in expected for label in page]


@given(seeds, st.integers(1, 5))
def test_among_equals_the_first_label_wins_from_the_end_backwards(seed: int, size: int) -> None:
    random = np.random.default_rng(seed)
    scores, transition = (
        random.integers(0, 2, (size, 3)).astype(float),
        random.integers(0, 2, (3, 3)).astype(float),
    )
    expected = min(every_sequence(scores, transition), key=lambda one: (-one[1], one[0][::-1]))[0]
    assert viterbi(scores, transition, np.zeros(1, dtype=np.int32)).tolist() == list(expected)


@pytest.mark.parametrize("scale", [0.1, 3.0, 50.0])
@pytest.mark.parametrize("size", [1, 2, 3, 63, 64, 65, 1000])
def test_longer_chains_have_the_marginals_of_the_slow_way(size: int, scale: float) -> None:
    scores, transition, starts = random_chain(size, [size, 3, 0, size + 1], scale)
    expected = np.concatenate(
        [marginals_by_logarithms(page, transition) for page in pages_of(scores, starts)]
    )
    assert np.abs(marginals(scores, transition, starts) - expected).max() < 1e-9


@pytest.mark.parametrize("extreme", [0.0, 700.0])
def test_twenty_thousand_nodes_neither_overflow_nor_vanish(extreme: float) -> None:
    scores, transition, starts = random_chain(7, [20_000], 1.0)
    scores += np.random.default_rng(8).choice([-extreme, 0.0, extreme], size=scores.shape)
    found = marginals(scores, transition, starts)
    assert np.isfinite(found).all()
    assert np.abs(found - marginals_by_logarithms(scores, transition)).max() < 1e-8
    labels = viterbi(scores, transition, starts).tolist()
    assert (
        score_of(labels, scores, transition)
        >= score_of(found.argmax(axis=1).tolist(), scores, transition) - 1e-6
    )


def test_scores_far_from_zero_are_as_good_as_near_it() -> None:
    scores, transition, starts = random_chain(3, [40, 5])
    for shift in (-1e6, -800.0, 800.0, 1e6):
        assert marginals(scores + shift, transition, starts) == pytest.approx(
            marginals(scores, transition, starts), abs=1e-8
        )
        assert (viterbi(scores + shift, transition, starts) == viterbi(scores, transition, starts)).all()
    assert marginals(scores, transition - 900.0, starts) == pytest.approx(
        marginals(scores, transition, starts), abs=1e-8
    )


@given(seeds, st.integers(0, 2))
def test_a_label_that_must_not_be_has_no_probability(seed: int, forbidden: int) -> None:
    scores, transition, starts = random_chain(seed, [5, 1, 0, 30])
    scores[:, forbidden] = -1e9
    found = marginals(scores, transition, starts)
    assert (found[:, forbidden] == 0).all()
    expected = [marginals_by_logarithms(page, transition) for page in pages_of(scores, starts)]
    assert found == pytest.approx(np.concatenate(expected), abs=1e-12)
    assert forbidden not in viterbi(scores, transition, starts).tolist()


@given(seeds, st.lists(st.integers(0, 9), min_size=1, max_size=5))
def test_extreme_pages_do_not_spoil_their_neighbours(seed: int, lengths: list[int]) -> None:
    scores, transition, starts = random_chain(seed, lengths)
    scores += np.random.default_rng(seed).choice([-700.0, 0.0, 700.0], size=scores.shape)
    found = marginals(scores, transition, starts)
    expected = [marginals_by_logarithms(page, transition) for page in pages_of(scores, starts)]
    assert found == pytest.approx(np.concatenate(expected), abs=1e-9)


@given(seeds, st.lists(st.integers(0, 9), min_size=1, max_size=5))
def test_a_page_is_decoded_alike_alone_and_among_others(seed: int, lengths: list[int]) -> None:
    scores, transition, starts = random_chain(seed, lengths)
    alone = np.zeros(1, dtype=np.int32)
    together = marginals(scores, transition, starts)
    one_by_one = [marginals(page, transition, alone) for page in pages_of(scores, starts)]
    assert together == pytest.approx(np.concatenate(one_by_one), abs=1e-12)
    labels = [viterbi(page, transition, alone) for page in pages_of(scores, starts)]
    assert viterbi(scores, transition, starts).tolist() == np.concatenate(labels).tolist()


def test_no_node_has_no_marginals() -> None:
    scores, transition, starts = random_chain(1, [0])
    assert marginals(scores, transition, starts).shape == (0, 3)
    assert viterbi(scores, transition, starts).tolist() == []


@given(seeds, st.lists(st.integers(0, 6), min_size=1, max_size=4))
def test_best_regions_keep_exactly_the_mask_and_part_it_as_well_as_any(seed: int, lengths: list[int]) -> None:
    scores, transition, starts = random_chain(seed, lengths)
    keep: BoolArray = np.random.default_rng(seed).random(len(scores)) < 0.5
    labels = best_regions(scores, transition, starts, keep)
    assert ((labels == O) == keep).all()
    for page, own, kept in zip(
        pages_of(scores, starts), pages_of(labels, starts), pages_of(keep, starts), strict=True
    ):
        fitting = [
            score
            for one, score in every_sequence(page, transition)
            if [label == O for label in one] == kept.tolist() and (O, I) not in pairwise([O, *one])
        ]
        assert (O, I) not in pairwise([O, *own.tolist()])
        assert score_of(own.tolist(), page, transition) == pytest.approx(max(fitting))


def test_best_regions_keep_the_mask_against_the_strongest_scores() -> None:
    scores, transition, starts = random_chain(2, [20_000])
    scores *= 1e4
    for keep in (np.zeros(20_000, dtype=bool), np.ones(20_000, dtype=bool), scores[:, O] < 0):
        labels = best_regions(scores, transition * 100, starts, keep)
        assert ((labels == O) == keep).all()
        assert (O, I) not in pairwise([O, *labels.tolist()])


def test_a_region_without_any_b_keeps_the_mask_all_the_same() -> None:
    scores, transition, starts = random_chain(4, [30, 0, 10])
    scores[:, B] = FORBIDDEN
    keep = np.random.default_rng(4).random(40) < 0.5
    labels = best_regions(scores, transition, starts, keep)
    assert ((labels == O) == keep).all()
    assert B not in labels.tolist()
