"""How much of a page is kept: the best cut beside all cuts, and what is said twice or not at all."""

from __future__ import annotations

from itertools import pairwise, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ruiji.chunker.decoding.chain import FORBIDDEN, marginals, viterbi
from ruiji.chunker.decoding.expected_f import (
    CHANCES,
    COMMON_ERROR,
    ERRORS,
    FEW_WORDS,
    NOTHING,
    ODDS,
    PHRASE_WORDS,
    REPEATED_WORDS,
    TOLERATED_LOSS,
    best_cut,
    best_expected_f,
    best_kept_nodes,
    chance_of_nothing,
    expected_f,
    expected_f_of,
    kept_at,
    mean_f,
    repeated_passages,
    spread_uncertainty,
    tempered,
)
from ruiji.chunker.labels import B, I, O
from ruiji.features.arrays import FloatArray
from tests.chunker.decoding.chains import pages_of, random_chain, seeds

probabilities = st.lists(st.integers(0, 20).map(lambda twentieths: twentieths / 20), max_size=12)


def test_errors_and_chances_are_those_of_gauss_and_hermite() -> None:
    errors, chances = np.polynomial.hermite_e.hermegauss(len(ERRORS))
    assert errors == pytest.approx(ERRORS, abs=1e-14)
    assert chances == pytest.approx(CHANCES, abs=1e-14)


def f_by_hand(kept: list[int], content: list[float], weight: list[float], beta: float) -> float:
    hit = sum(content[node] * weight[node] for node in kept)
    wanted = sum(one * size for one, size in zip(content, weight, strict=True))
    return (1 + beta**2) * hit / (beta**2 * wanted + sum(weight[node] for node in kept))


def true_expectation(kept: list[int], content: list[float], weight: list[float], beta: float) -> float:
    """The mean F over everything that may be true of a page whose nodes are independent; F of nothing in
    nothing is 1.
    """
    total = 0.0
    for truth in product((False, True), repeat=len(content)):
        likely = float(np.prod([one if true else 1 - one for one, true in zip(content, truth, strict=True)]))
        wanted = sum(size for size, true in zip(weight, truth, strict=True) if true)
        hit = sum(weight[node] for node in kept if truth[node])
        size = sum(weight[node] for node in kept)
        total += likely * ((1 + beta**2) * hit / (beta**2 * wanted + size) if wanted + size else 1.0)
    return total


@given(probabilities, seeds, st.sampled_from([0.1, 0.5, 1.0, 1.5, 4.0]))
def test_expected_f_is_the_best_of_all_beginnings_in_the_order_of_probability(
    content: list[float], seed: int, beta: float
) -> None:
    weight = np.random.default_rng(seed).integers(1, 40, len(content)).astype(float).tolist()
    keep, value = expected_f(np.array(content), np.array(weight), beta)
    order = sorted(range(len(content)), key=lambda node: -content[node])
    if not any(content):
        assert not keep.any()
        assert value == 1.0
        return
    best = max(f_by_hand(order[:size], content, weight, beta) for size in range(1, len(order) + 1))
    kept = np.flatnonzero(keep).tolist()
    assert kept == sorted(order[: len(kept)])
    assert value == pytest.approx(best)
    assert f_by_hand(kept, content, weight, beta) == pytest.approx(best)


def test_no_other_choice_of_nodes_has_a_better_expected_f() -> None:
    random = np.random.default_rng(5)
    for beta in (0.5, 1.0, 2.0):
        content, weight = (
            random.uniform(0.01, 1, 9).tolist(),
            random.integers(1, 30, 9).astype(float).tolist(),
        )
        _, value = expected_f(np.array(content), np.array(weight), beta)
        subsets = ([node for node in range(9) if bits >> node & 1] for bits in range(1, 1 << 9))
        assert value == pytest.approx(max(f_by_hand(kept, content, weight, beta) for kept in subsets))


@pytest.mark.parametrize("beta", [0.5, 1.0, 2.0])
def test_what_is_kept_is_nearly_the_best_by_the_true_expectation(beta: float) -> None:
    random = np.random.default_rng(11)
    lost, wrong = [], []
    for _ in range(12):
        content, weight = random.beta(0.7, 0.7, 7).tolist(), random.integers(1, 30, 7).astype(float).tolist()
        keep, value = expected_f(np.array(content), np.array(weight), beta)
        ours = true_expectation(np.flatnonzero(keep).tolist(), content, weight, beta)
        order = sorted(range(7), key=lambda node: -content[node])
        lost.append(max(true_expectation(order[:size], content, weight, beta) for size in range(8)) - ours)
        wrong.append(abs(value - ours))
    assert np.mean(lost) < 0.02
    assert np.mean(wrong) < 0.1


@given(probabilities.filter(any), seeds)
def test_a_larger_beta_never_keeps_less(content: list[float], seed: int) -> None:
    weight = np.random.default_rng(seed).integers(1, 40, len(content)).astype(float)
    kept = [
        expected_f(np.array(content), weight, beta)[0]
        for beta in (1e-200, 1e-3, 0.3, 0.7, 1.0, 1.6, 3.0, 50.0, 1e9, 1e200)
    ]
    for fewer, more in pairwise(kept):
        assert (fewer <= more).all()
    assert (kept[0] <= (np.array(content) == max(content))).all()
    assert (kept[-1] == (np.array(content) > 0)).all()


def score_of_mask(keep: tuple[bool, ...], scores: FloatArray, transition: FloatArray) -> float:
    """What a mask is worth when a region is entered and gone on with by the better of B and I and left by I.

    Entering one gains no more over content than going on with one does.
    """
    total = float(scores[0, O] if keep[0] else scores[0, B:].max())
    for at, (before, kept) in enumerate(pairwise(keep), start=1):
        going_on = max(scores[at, label] + transition[I, label] for label in (B, I))
        entering = max(scores[at, label] + transition[O, label] for label in (B, I))
        if kept:
            total += scores[at, O] + transition[O if before else I, O]
        else:
            total += min(entering, going_on + transition[O, O] - transition[I, O]) if before else going_on
    return total


@given(seeds, st.integers(1, 8), st.lists(st.sampled_from([1e-3, 0.5, 1.0, 1.5, 20.0, 1e60]), max_size=3))
def test_kept_at_some_odds_is_the_best_of_all_masks(seed: int, size: int, odds: list[float]) -> None:
    scores, transition, _ = random_chain(seed, [size])
    for times, found in zip(odds, kept_at(odds, scores, transition), strict=True):
        raised = scores + np.array([np.log(times), 0.0, 0.0])
        best = max(score_of_mask(keep, raised, transition) for keep in product((False, True), repeat=size))
        assert score_of_mask(tuple(found.tolist()), raised, transition) == pytest.approx(best)


@given(seeds, st.integers(1, 40))
def test_higher_odds_keep_at_least_as_much(seed: int, size: int) -> None:
    scores, transition, _ = random_chain(seed, [size])
    for fewer, more in pairwise(kept_at((1e-3, 0.01, 0.3, 1.0, *ODDS, 1e4, 1e100), scores, transition)):
        assert (fewer <= more).all()
    assert more.all()


def test_all_odds_keep_what_only_content_can_be_and_nothing_of_what_cannot() -> None:
    scores, transition, _ = random_chain(6, [9])
    for forbidden, kept in (([O], False), ([B, I], True)):
        own = scores.copy()
        own[:, forbidden] = FORBIDDEN
        assert all((keep == kept).all() for keep in kept_at((1e-3, 1.0, 50.0), own, transition))


@given(seeds, st.lists(st.integers(0, 7), min_size=1, max_size=4), st.sampled_from([0.5, 1.0, 2.0]))
def test_best_expected_f_is_the_likeliest_sequence_or_the_best_of_those_at_other_odds(
    seed: int, lengths: list[int], beta: float
) -> None:
    scores, transition, starts = random_chain(seed, lengths)
    content = tempered(marginals(scores, transition, starts)[:, O], 0.35)
    weight = np.random.default_rng(seed).integers(1, 40, len(scores)).astype(float)
    labels = best_expected_f(scores, transition, starts, content, weight, beta)
    columns = (pages_of(column, starts) for column in (scores, labels, content, weight))
    for page, own, likely, size in zip(*columns, strict=True):
        plain = viterbi(page, transition, np.zeros(1, dtype=np.int32))
        if (
            not len(page)
            or expected_f(likely, size, beta)[1] - expected_f_of(plain == O, likely, size, beta)
            <= TOLERATED_LOSS
        ):
            assert own.tolist() == plain.tolist()
            continue
        masks = [
            keep
            for keep in (plain == O, *kept_at([beta**2 * times for times in ODDS], page, transition))
            if keep.any()
        ]
        masks = masks or [expected_f(likely, size, beta)[0]]
        reached = [expected_f_of(keep, likely, size, beta) for keep in masks]
        assert any(((own == O) == keep).all() for keep in masks)
        assert expected_f_of(own == O, likely, size, beta) == max(reached)
        assert (O, I) not in pairwise([O, *own.tolist()])


def test_tempered_probabilities_keep_their_order_and_come_nearer_to_one_half() -> None:
    given = np.array([0.0, 1e-12, 0.02, 0.3, 0.5, 0.9, 1.0])
    found = tempered(given, 0.4)
    assert (np.diff(found) >= 0).all()
    assert found[4] == 0.5
    assert (np.abs(found - 0.5) <= np.abs(given - 0.5)).all()
    np.testing.assert_allclose(tempered(given, 1.0), given, atol=1e-8)
    np.testing.assert_allclose(np.log(found[3] / (1 - found[3])), 0.4 * np.log(0.3 / 0.7))


@given(probabilities, st.sampled_from((0.5, 1.0, 2.0)))
def test_without_doubt_the_cut_is_that_of_independent_nodes(content: list[float], beta: float) -> None:
    sure = np.clip(np.array(content, dtype=np.float64), 0.01, 0.99)
    weight = np.arange(1.0, len(content) + 1)
    odds = np.log(sure / (1 - sure))
    keep = best_kept_nodes(odds, spread_uncertainty(odds, 0.0), weight, beta)
    best, value = expected_f(sure, weight, beta)
    if len(content):
        hit, precision = (sure * weight), 1 / (1 + beta * beta)
        own = hit[keep].sum() / ((1 - precision) * hit.sum() + precision * weight[keep].sum())
        assert own == pytest.approx(value)
    else:
        assert keep.tolist() == best.tolist() == []


def test_in_doubt_the_cut_is_the_best_of_all_by_sampling() -> None:
    random = np.random.default_rng(5)
    for _ in range(5):
        odds, weight = random.normal(scale=2.0, size=8), random.uniform(0.5, 30.0, size=8)
        uncertainty = 2.0
        shifted = odds * np.sqrt(1 + np.pi / 8 * uncertainty**2) + uncertainty * random.normal(
            size=(20_000, 1)
        )
        hit = weight / (1 + np.exp(-shifted))
        order = np.argsort(-odds)
        means = [
            float(
                (2 * hit[:, order[:kept]].sum(axis=1) / (hit.sum(axis=1) + weight[order[:kept]].sum())).mean()
            )
            for kept in range(1, 9)
        ]
        keep = best_kept_nodes(odds, spread_uncertainty(odds, uncertainty), weight)
        assert means[int(keep.sum()) - 1] == pytest.approx(max(means), abs=0.005)
        assert keep[order[: int(keep.sum())]].all()


def test_an_article_is_not_drowned_by_a_list_at_even_odds() -> None:
    odds = np.array(
        [4.0] * 4 + [0.0] * 40
    )  # an article of four paragraphs, forty headlines that may all be content or none
    weight = np.array([25.0] * 4 + [10.0] * 40)
    assert expected_f(1 / (1 + np.exp(-odds)), weight)[0].all()
    lower = odds - 0.5 * (odds == 0)
    assert np.flatnonzero(best_kept_nodes(lower, spread_uncertainty(lower), weight)).tolist() == [
        0,
        1,
        2,
        3,
    ]


def test_what_is_said_again_is_found_page_by_page() -> None:
    text = np.array([1, 2, 3, 1, 2, 4, 1, 7, 8, 7, 8], dtype=np.int32)  # the last four are of another page
    weight = np.array([20.0, 20.0, 5.0, 20.0, 20.0, 5.0, 20.0, 30.0, 30.0, 30.0, 30.0])
    starts = np.array([0, 7], dtype=np.int32)
    keep = np.ones(len(text), dtype=bool)
    assert np.flatnonzero(repeated_passages(keep, text, weight, starts)).tolist() == [
        3,
        4,
        9,
        10,
    ]  # the sixth is too short alone
    keep[0] = False  # what was not kept before is not said again
    assert np.flatnonzero(repeated_passages(keep, text, weight, starts)).tolist() == [9, 10]
    assert not repeated_passages(np.zeros(len(text), dtype=bool), text, weight, starts).any()


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 30), st.booleans()), max_size=30))
def test_what_is_said_again_is_what_a_loop_finds(nodes: list[tuple[int, int, bool]]) -> None:
    text = np.array([number for number, _, _ in nodes], dtype=np.int32)
    weight = np.array([float(size) for _, size, _ in nodes])
    keep = np.array([own for _, _, own in nodes], dtype=bool)
    seen: set[int] = set()
    rows: list[list[int]] = [[]]
    for at in np.flatnonzero(keep).tolist():
        if text[at] in seen and weight[at] >= PHRASE_WORDS:
            rows[-1].append(at)
        else:
            rows.append([])
        seen.add(int(text[at]))
    expected = sorted(at for row in rows if row and weight[row].sum() >= REPEATED_WORDS for at in row)
    assert (
        np.flatnonzero(repeated_passages(keep, text, weight, np.zeros(1, dtype=np.int32))).tolist()
        == expected
    )


def test_probabilities_keep_their_means_in_doubt() -> None:
    odds = np.linspace(-6, 6, 25)
    uncertainty = spread_uncertainty(odds, COMMON_ERROR)
    means = uncertainty.chances @ uncertainty.likely
    assert np.abs(means - 1 / (1 + np.exp(-odds))).max() < 0.02


def test_the_mean_f_of_a_page() -> None:
    weight = np.array([10.0, 30.0])
    none, both = np.zeros(2, dtype=bool), np.ones(2, dtype=bool)
    sure = spread_uncertainty(np.array([40.0, -40.0]))
    assert mean_f(np.array([True, False]), sure, weight) == pytest.approx(1.0)
    assert mean_f(both, sure, weight) == pytest.approx(2 * 10 / (10 + 40))
    assert mean_f(none, sure, weight) == pytest.approx(0.0)
    assert mean_f(np.zeros(0, dtype=bool), spread_uncertainty(np.zeros(0)), np.zeros(0)) == pytest.approx(1.0)


def cut(odds: FloatArray, weight: FloatArray, lengths: list[int]) -> tuple[list[bool], list[float]]:
    """Which nodes of pages of these lengths the best cut keeps, and its expected F."""
    scores, transition, starts = (
        np.zeros((len(odds), 3)),
        np.zeros((3, 3)),
        np.cumsum([0, *lengths[:-1]]).astype(np.int32),
    )
    labels, expected = best_cut(
        scores, transition, starts, odds, weight, 1.0, np.arange(len(odds), dtype=np.int32)
    )
    return (labels == O).tolist(), expected


def test_of_a_page_where_nothing_is_likely_nothing_is_kept() -> None:
    odds = np.array([NOTHING - 0.1, -4.0, NOTHING, -4.0])
    kept, expected = cut(odds, np.full(4, FEW_WORDS), [2, 2])
    assert kept == [False, False, True, False]
    assert expected[0] == pytest.approx(2 / 3, abs=0.05)  # the chance that its likeliest node is no content
    assert expected[1] < 0.5


def test_of_a_piece_of_a_page_something_is_kept() -> None:
    odds = np.array([-3.0, -4.0])
    assert cut(odds, np.array([FEW_WORDS / 2 - 1, FEW_WORDS / 2]), [2])[0] == [True, False]
    assert cut(odds, np.array([FEW_WORDS / 2, FEW_WORDS / 2]), [2])[0] == [False, False]


def test_the_surer_that_there_is_nothing_the_better_it_is_expected_to_be() -> None:
    chances = [
        chance_of_nothing(spread_uncertainty(np.array([odds, -9.0]))) for odds in (-1.0, -2.0, -4.0, -8.0)
    ]
    assert chances == sorted(chances)
    assert chances[-1] > 0.99
    assert chance_of_nothing(spread_uncertainty(np.zeros(0))) == pytest.approx(1.0)
