"""Intervals by resampling sites, against a plain loop; learning curves."""

from __future__ import annotations

from dataclasses import fields, replace
from itertools import pairwise
from typing import Any, Self

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.base import BaseEstimator

from ruiji.chunker.crf.estimator import CrfChunker
from ruiji.chunker.crf.svm import AllContent
from ruiji.chunker.evaluation.crossval import Fold, Scores, collected, cross_validated, grouped_folds
from ruiji.chunker.evaluation.statistics import (
    SEED,
    Interval,
    difference,
    doubling_sizes,
    interval,
    learned_folds,
    learning_curve,
    verdict,
)
from ruiji.chunker.mask import ContentMask, everything
from ruiji.chunker.metrics import Counts
from ruiji.features.page.textnodes import TextNodes
from tests.factories import annotated_examples

EXAMPLES = annotated_examples()
SITES = ["a.example", "b.example", "c.example", "d.example"]

numbers = st.integers(0, 20)
counts = st.builds(
    lambda common, missed, invented, content, f1: Counts(
        nodes=common + missed + content,
        same_labels=common + content,
        content_nodes=content,
        true_nodes=common + missed,
        predicted_nodes=common + invented,
        common_nodes=common,
        word_pages=1,
        word_f1s=f1,
    ),
    numbers.filter(bool),
    numbers,
    numbers,
    numbers.filter(bool),
    st.floats(0, 1),
)
pages = st.lists(st.tuples(st.sampled_from(SITES), counts), min_size=4, max_size=12)


def brute_force(scores: Scores, metric: str, resamples: int) -> list[float]:
    """The metric of each resample, site by site."""
    sites = sorted(scores.by_site)
    draws = np.random.default_rng(SEED).multinomial(len(sites), [1 / len(sites)] * len(sites), size=resamples)
    values = []
    for times in draws.tolist():
        total = Counts()
        for site, count in zip(sites, times, strict=True):
            for _ in range(count):
                total += scores.by_site[site]
        values.append(getattr(total, metric))
    return values


@given(pages, st.sampled_from(["B_F", "L_nc", "word_F1", "FP_c"]))
def test_an_interval_is_that_of_a_plain_loop_over_sites(pages: list[tuple[str, Counts]], metric: str) -> None:
    scores = collected(pages)
    ours = interval(scores, metric, resamples=60)
    low, high = np.quantile(brute_force(scores, metric, 60), [0.025, 0.975])
    assert (ours.low, ours.high) == (pytest.approx(low), pytest.approx(high))
    assert ours.value == getattr(scores.total, metric)
    assert ours.low <= ours.high


@given(pages)
def test_a_chunker_is_not_ahead_of_itself(pages: list[tuple[str, Counts]]) -> None:
    scores = collected(pages)
    for metric in ("B_F", "word_F1"):
        ahead = difference(scores, scores, metric, resamples=50)
        assert (ahead.value, ahead.low, ahead.high) == (0, 0, 0)
        assert not ahead.sure


@given(pages)
def test_a_difference_turns_its_sign_with_the_sides(pages: list[tuple[str, Counts]]) -> None:
    first = collected(pages)
    theirs = {site: replace(counts, word_f1s=counts.word_f1s / 2) for site, counts in first.by_site.items()}
    second = replace(first, total=sum(theirs.values(), Counts()), by_site=theirs)
    there, back = (
        difference(*sides, "word_F1", resamples=50) for sides in ((first, second), (second, first))
    )
    assert (there.low, there.high) == (pytest.approx(-back.high), pytest.approx(-back.low))
    assert there.low >= 0


def test_a_pair_of_resamples_draws_the_same_sites() -> None:
    """One easy and one hard site: each chunker alone varies much, their difference not at all."""
    easy, hard = Counts(word_pages=1, word_f1s=1.0), Counts(word_pages=1, word_f1s=0.2)
    first = collected([("easy.example", easy), ("hard.example", hard)])
    second = collected(
        [("easy.example", replace(easy, word_f1s=0.9)), ("hard.example", replace(hard, word_f1s=0.1))]
    )
    alone = interval(first, "word_F1")
    assert alone.high - alone.low > 0.7
    ahead = difference(first, second, "word_F1")
    assert (ahead.value, ahead.low, ahead.high) == (pytest.approx(0.1),) * 3
    assert ahead.sure


def test_other_pages_cannot_be_compared() -> None:
    first = collected([("a.example", Counts(nodes=3))])
    with pytest.raises(ValueError, match="judged on the same pages"):
        difference(first, collected([("b.example", Counts(nodes=3))]), "L_nc")
    with pytest.raises(ValueError, match="judged on the same pages"):
        difference(first, collected([("a.example", Counts(nodes=4))]), "L_nc")


def test_a_difference_is_said_in_a_sentence() -> None:
    assert verdict("a", "b", "B_F", Interval(0.1, 0.05, 0.15, 9, signed=True)) == (
        "a is ahead of b by 0.100 in B_F (+0.100 [+0.050, +0.150])"
    )
    assert verdict("a", "b", "B_F", Interval(-0.1, -0.15, -0.05, 9, signed=True)).startswith("a is behind b")
    assert "no difference in B_F that 9 sites" in verdict("a", "b", "B_F", Interval(0.1, -0.1, 0.2, 9, True))


def test_one_site_has_no_interval() -> None:
    ahead = Interval(0.1, 0.1, 0.1, 1, signed=True)
    assert str(ahead) == "+0.100"
    assert not ahead.sure
    assert verdict("a", "b", "B_F", ahead) == "a and b: one site cannot show a difference in B_F (+0.100)"


class Recorder(BaseEstimator):  # type: ignore[misc]
    """A chunker that writes down how many pages of how many sites it learned from."""

    def __init__(self, seen: Any = None) -> None:
        self.seen = seen

    def __sklearn_clone__(self) -> Recorder:
        return Recorder(self.seen)

    def fit(self, X: list[TextNodes], y: list[Any]) -> Self:  # noqa: N803
        self.seen.append(frozenset(map(id, X)))
        return self

    def predict_masks(self, X: list[TextNodes]) -> list[ContentMask]:  # noqa: N803
        return [everything(page) for page in X]


def _sites(fold: Fold) -> int:
    return len({EXAMPLES[number].site for number in fold.train})


@pytest.mark.parametrize("by", ["pages", "sites"])
def test_a_smaller_training_set_is_part_of_a_larger_one(by: str) -> None:
    folds = grouped_folds(EXAMPLES, 3)
    seen: list[frozenset[int]] = []
    points = learning_curve(Recorder(seen), EXAMPLES, folds, [1, 2, 3, 10_000], by)
    assert [len(folds)] * len(points) == [len(point.scores.folds) for point in points]
    of_fold = [seen[number :: len(folds)] for number in range(len(folds))]
    for own in of_fold:
        for smaller, larger in pairwise(own):
            assert smaller < larger
    assert [len(own[-1]) for own in of_fold] == [len(fold.train) for fold in folds]
    sizes = [point.pages if by == "pages" else point.sites for point in points]
    most = min(len(own[-1]) for own in of_fold) if by == "pages" else min(_sites(fold) for fold in folds)
    assert sizes[:-1] == [size for size in (1, 2, 3) if size < most]


def test_sizes_double_up_to_all_that_every_fold_has() -> None:
    folds = grouped_folds(EXAMPLES, 3)
    sizes = doubling_sizes(EXAMPLES, folds)
    assert sizes[-1] == min(len(fold.train) for fold in folds)
    assert all(larger // 2 == smaller for smaller, larger in pairwise(sizes))


def test_a_curve_by_sites_begins_with_one_however_few_there_are() -> None:
    folds = grouped_folds(EXAMPLES, 3)
    most = min(_sites(fold) for fold in folds)
    assert doubling_sizes(EXAMPLES, folds, "sites") == [1, most]


def test_a_curve_counts_the_pages_that_are_learned_from() -> None:
    folds = grouped_folds(EXAMPLES, 3)
    chunker = CrfChunker(features="nakamura", per_site=1, max_iterations=2)
    learned = learned_folds(chunker, EXAMPLES, folds)
    assert [len(fold.train) for fold in learned] == [_sites(fold) for fold in folds]
    assert [fold.test for fold in learned] == [fold.test for fold in folds]
    last = learning_curve(chunker, EXAMPLES, folds, doubling_sizes(EXAMPLES, learned))[-1]
    assert last.pages == last.sites == np.mean([_sites(fold) for fold in folds])
    assert last.scores.total == cross_validated(chunker, EXAMPLES, folds).total
    stacked = CrfChunker(features="stacked", max_pages=1)  # its ensemble learns from all the same
    assert [len(fold.train) for fold in learned_folds(stacked, EXAMPLES, folds)] == [
        len(fold.train) for fold in folds
    ]


def test_a_curve_goes_by_pages_or_sites() -> None:
    with pytest.raises(ValueError, match="by pages or by sites"):
        learning_curve(AllContent(), EXAMPLES, grouped_folds(EXAMPLES, 2), [1], by="nodes")


def test_intervals_of_real_scores_hold_the_score() -> None:
    scores = cross_validated(AllContent(), EXAMPLES, grouped_folds(EXAMPLES, 3))
    for metric in ("L_nc", "word_F1", "block_F"):
        own = interval(scores, metric)
        assert own.low <= own.value <= own.high
    assert {field.name for field in fields(Interval)} >= {"value", "low", "high", "sites"}
