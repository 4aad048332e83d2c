"""Cross-validation: honest folds, scores that add up, the same for any number of jobs."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, Self

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.base import BaseEstimator
from sklearn.model_selection import GroupKFold, cross_validate

from ruiji.chunker.annotation.examples import Example, domain_of, families
from ruiji.chunker.crf.estimator import CrfChunker
from ruiji.chunker.crf.svm import AllContent
from ruiji.chunker.evaluation.crossval import (
    Fold,
    Scores,
    TooFewSites,
    collected,
    cross_validated,
    grouped_folds,
    score_example,
)
from ruiji.chunker.labels import LabelArray, O
from ruiji.chunker.mask import ContentMask, everything
from ruiji.chunker.metrics import NAMES, Counts, score_blocks, score_labels, score_words
from ruiji.corpora import InputError
from ruiji.features.page.textnodes import TextNodes
from tests.factories import annotated_examples, labels_in, nodes_of

EXAMPLES = annotated_examples()
SITES = sorted({example.site for example in EXAMPLES})


def bare(site: str) -> Example:
    """An example of which only the site matters."""
    return Example(site, site, None, np.zeros(0, dtype=np.int8), "", True)


sites = st.lists(
    st.sampled_from(["a.example", "b.example", "c.example", "sub.c.example", "d", "e", "f"]),
    min_size=2,
    max_size=40,
)
patterns = st.lists(st.sampled_from(["*c.example", "d,e", "?", "a*,f"]), max_size=2)


# Folds


@given(sites, st.integers(2, 9), patterns)
def test_no_site_and_no_family_is_on_both_sides(names: list[str], count: int, together: list[str]) -> None:
    examples = [bare(name) for name in names]
    group_of = families(names, together)
    different = len(set(group_of.values()))
    if different < 2:
        with pytest.raises(TooFewSites):
            grouped_folds(examples, count, together)
        return
    folds = grouped_folds(examples, count, together)
    assert len(folds) == min(count, different)
    for fold in folds:
        assert fold.train
        assert fold.test
        assert sorted([*fold.train, *fold.test]) == list(range(len(names)))
        trained, tested = ({group_of[names[number]] for number in side} for side in (fold.train, fold.test))
        assert not trained & tested
    assert sorted(number for fold in folds for number in fold.test) == list(range(len(names)))


@given(sites.filter(lambda names: len({domain_of(name) for name in names}) > 3))
def test_folds_are_those_of_scikit_learn_s_group_k_fold(names: list[str]) -> None:
    folds = grouped_folds([bare(name) for name in names], 3)
    expected = GroupKFold(min(3, len({domain_of(name) for name in names}))).split(
        names, groups=[domain_of(name) for name in names]
    )
    assert [(list(fold.train), list(fold.test)) for fold in folds] == [
        (train.tolist(), test.tolist()) for train, test in expected
    ]


def test_folds_are_about_equal_in_size() -> None:
    examples = [bare(f"{number % 20}.example") for number in range(100)]
    assert [len(fold.test) for fold in grouped_folds(examples, 5)] == [20] * 5


@pytest.mark.parametrize("names", [[], ["a"], ["a", "a", "a"]])
def test_one_site_cannot_be_split(names: list[str]) -> None:
    with pytest.raises(TooFewSites, match="needs pages of two sites or more"):
        grouped_folds([bare(name) for name in names], 5)
    assert issubclass(TooFewSites, InputError)  # which the command line says in one sentence


def test_a_family_of_everything_cannot_be_split() -> None:
    with pytest.raises(TooFewSites):
        grouped_folds([bare("a"), bare("b")], 2, ["*"])


def test_a_single_fold_is_no_validation() -> None:
    with pytest.raises(ValueError, match="n_splits"):
        grouped_folds([bare("a"), bare("b")], 1)


# Scores


@dataclass
class Recorder:
    """Which sites a chunker has learned from and was asked about."""

    learned: list[set[str]] = field(default_factory=list)
    asked: list[set[str]] = field(default_factory=list)


class Spy(BaseEstimator):  # type: ignore[misc]
    """A chunker that only writes down what it is given; a clone shares the recorder."""

    def __init__(self, recorder: Any = None) -> None:
        self.recorder = recorder

    def __sklearn_clone__(self) -> Spy:
        return Spy(self.recorder)

    def fit(self, X: list[TextNodes], y: list[LabelArray]) -> Self:  # noqa: N803
        assert [len(page) for page in X] == [len(labels) for labels in y]
        self.recorder.learned.append({page.host for page in X})
        return self

    def predict_masks(self, X: list[TextNodes]) -> list[ContentMask]:  # noqa: N803
        self.recorder.asked.append({page.host for page in X})
        return [everything(page) for page in X]


def test_a_chunker_is_asked_only_about_sites_it_has_not_seen() -> None:
    recorder = Recorder()
    cross_validated(Spy(recorder), EXAMPLES, grouped_folds(EXAMPLES, 3))
    assert len(recorder.learned) == 3
    for learned, asked in zip(recorder.learned, recorder.asked, strict=True):
        assert not learned & asked
        assert learned | asked == set(SITES)


def check_sums(scores: Scores, examples: tuple[Example, ...]) -> None:
    """Folds and sites are two ways to part the same pages."""
    assert sum(scores.folds, Counts()).as_dict() == pytest.approx(scores.total.as_dict())
    assert sum(scores.by_site.values(), Counts()).as_dict() == pytest.approx(scores.total.as_dict())
    assert list(scores.by_site) == SITES
    assert scores.total.word_pages == scores.total.block_pages == len(examples)
    assert scores.total.nodes == sum(len(example.labels) for example in examples)
    pages = Counter(example.site for example in examples)
    assert {site: counts.word_pages for site, counts in scores.by_site.items()} == pages


def test_scores_of_folds_and_of_sites_add_up() -> None:
    done = []
    scores = cross_validated(
        CrfChunker("nakamura", c1=0.5, c2=0.5, max_iterations=5),
        EXAMPLES,
        grouped_folds(EXAMPLES, 3),
        done=lambda: done.append(1),
    )
    check_sums(scores, EXAMPLES)
    assert len(scores.folds) == len(done) == 3
    as_json = scores.as_dict()
    assert list(as_json) == ["metrics", "folds", "by_site", "pages"]
    assert [page["id"] for page in as_json["pages"]] == [page.example.id for page in scores.pages]
    assert sum((page.counts for page in scores.pages), Counts()).as_dict() == pytest.approx(
        scores.total.as_dict()
    )
    for page in scores.pages:
        assert len(page.labels) == len(page.score) == len(page.example.labels)
    assert list(as_json["metrics"]) == list(NAMES)
    assert as_json["by_site"][SITES[0]] == scores.by_site[SITES[0]].as_dict()
    assert 0.5 < scores.total.B_F <= 1


def test_the_baseline_has_the_accuracy_of_calling_all_content() -> None:
    scores = cross_validated(AllContent(), EXAMPLES, grouped_folds(EXAMPLES, 5))
    assert scores.total.L_nc == scores.total.L_bl
    assert scores.total.FP_c == scores.total.B_r == 0
    assert scores.total.word_R == pytest.approx(1)
    assert "B_p" not in scores.as_dict()["metrics"]


def test_two_jobs_say_what_one_says() -> None:
    folds = grouped_folds(EXAMPLES, 2)
    chunker = CrfChunker("nakamura", c1=0.5, c2=0.5, max_iterations=4)
    one, two = (cross_validated(chunker, EXAMPLES, folds, jobs=jobs) for jobs in (1, 2))
    assert one == two


def test_scores_are_those_of_scikit_learn_s_cross_validation() -> None:
    chunker = CrfChunker("nakamura", c1=0.5, c2=0.5, max_iterations=4)
    ours = cross_validated(chunker, EXAMPLES, grouped_folds(EXAMPLES, 2))
    groups = [example.site for example in EXAMPLES]
    theirs = cross_validate(chunker, nodes_of(EXAMPLES), labels_in(EXAMPLES), groups=groups, cv=GroupKFold(2))
    assert [fold.B_F for fold in ours.folds] == pytest.approx(theirs["test_score"].tolist())


def test_the_chunker_that_is_validated_stays_unfitted() -> None:
    chunker = CrfChunker("nakamura", c1=0.5, c2=0.5, max_iterations=1)
    cross_validated(chunker, EXAMPLES[:6], [Fold([0, 1, 2], [3, 4, 5])])
    assert not hasattr(chunker, "model_")


def test_an_example_is_scored_by_labels_blocks_and_words() -> None:
    example = EXAMPLES[0]
    assert example.nodes is not None
    perfect = score_example(example, example.labels)
    assert {name: value for name, value in perfect.as_dict().items() if name != "L_bl"} == pytest.approx(
        dict.fromkeys([name for name in NAMES if name != "L_bl"], 1.0) | {"FP_c": 0.0}
    )
    nothing = np.zeros_like(example.labels)
    expected = score_labels(example.labels, nothing) + score_words(example.text, example.nodes.shown_text())
    expected += score_blocks(example.labels == O, nothing == O, example.nodes.block, example.nodes.texts)
    assert score_example(example, nothing) == expected


@given(st.lists(st.tuples(st.sampled_from("abc"), st.integers(0, 9)), max_size=12), st.data())
def test_collected_scores_are_sums_over_pages(pages: list[tuple[str, int]], data: st.DataObject) -> None:
    counted = [(site, Counts(nodes=nodes, word_pages=1)) for site, nodes in pages]
    borders = sorted(data.draw(st.lists(st.integers(0, len(pages)), max_size=3)))
    sizes = [end - start for start, end in pairwise([0, *borders, len(pages)])]
    scores = collected(counted, sizes)
    assert scores.total == Counts(nodes=sum(nodes for _, nodes in pages), word_pages=len(pages))
    assert [fold.word_pages for fold in scores.folds] == sizes
    assert list(scores.by_site) == sorted({site for site, _ in pages})
    assert sum(scores.folds, Counts()) == scores.total
