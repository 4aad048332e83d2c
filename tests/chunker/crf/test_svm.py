"""The SVM chunker: a plain loop over scikit-learn's own decisions as the oracle; and the baseline that keeps
everything.
"""

from __future__ import annotations

import pickle
from collections import Counter
from collections.abc import Sequence
from itertools import combinations, product
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_matrix, hstack
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import GridSearchCV, GroupKFold, cross_validate
from sklearn.svm import SVC, LinearSVC

from ruiji.chunker.crf import svm
from ruiji.chunker.crf.svm import PRICES, TOLERANCE, AllContent, SvmChunker
from ruiji.chunker.crf.weights import item_sequences
from ruiji.chunker.labels import LABELS, LabelArray, O, as_names, as_numbers
from ruiji.chunker.metrics import Counts, score_labels
from ruiji.features.nodes.forest import forest
from ruiji.features.nodes.sets import ALONE
from ruiji.features.page.textnodes import TextNodes
from tests.factories import PROSE, annotated_examples, labels_in, make_nodes, nodes_of, with_regions_begun

TRAINING = annotated_examples()[::2]
X, Y = nodes_of(TRAINING), labels_in(TRAINING)
EMPTY = make_nodes("<script>x</script>")
NEW = [
    EMPTY,
    *nodes_of(annotated_examples()[1::2])[:5],
    EMPTY,
    make_nodes("<p>one"),
    make_nodes("<a href=/>目次</a><p>" + PROSE),
]


@pytest.fixture(scope="module", params=ALONE)
def fitted(request: pytest.FixtureRequest) -> SvmChunker:
    return SvmChunker(features=request.param, kernel="linear").fit(X, Y)


@pytest.fixture(scope="module")
def nakamura() -> SvmChunker:
    return SvmChunker(kernel="linear").fit(X, Y)


def vectors(chunker: SvmChunker, page: TextNodes) -> list[list[float]]:
    """How often each node has each attribute, written out."""
    (items,) = item_sequences(chunker.attributes_, [page])
    counts = [Counter(name.decode() for name in item) for item in items]
    return [[float(count[name]) for name in chunker.attributes_.names()] for count in counts]


def before(label: str) -> list[float]:
    """The label before as a vector; "" is the beginning of a page."""
    return [float(label == known) for known in (*LABELS, "")]


def by_a_plain_loop(chunker: SvmChunker, labels: list[list[str]], pages: list[TextNodes]) -> list[list[str]]:
    """Learns from explicit vectors, and asks scikit-learn for one node after the other."""
    rows, targets = [], []
    for page, own in zip(X, labels, strict=True):
        for vector, label, label_before in zip(vectors(chunker, page), own, ["", *own], strict=False):
            rows.append(vector + before(label_before))
            targets.append(label)
    # Numbers, as the chunker has them: liblinear's weights hang by a hair on the order of classes.
    machine = LinearSVC(
        C=PRICES["linear"], dual=True, tol=TOLERANCE, max_iter=chunker.max_iterations, random_state=0
    ).fit(rows, as_numbers(targets))
    found = []
    for page in pages:
        label, own = "", []
        for vector in vectors(chunker, page):
            decision = machine.decision_function([vector + before(label)])[0]
            best = int(decision > 0) if np.ndim(decision) == 0 else int(np.argmax(decision))
            label = LABELS[machine.classes_[best]]
            own.append(label)
        found.append(own)
    return found


def test_decoding_is_the_plain_loop_from_left_to_right(fitted: SvmChunker) -> None:
    plain = by_a_plain_loop(fitted, [as_names(page) for page in Y], NEW)
    assert fitted.predict(NEW) == [with_regions_begun(page) for page in plain]


@pytest.mark.parametrize("seen", ["OB", "OI", "BI", "IO"])
def test_two_labels_are_decided_as_scikit_learn_decides_them(seen: str) -> None:
    labels = [["O" if label == "O" else "B" for label in as_names(page)] for page in Y]
    renamed = [[seen[label == "B"] for label in page] for page in labels]
    chunker = SvmChunker(features="nakamura", kernel="linear").fit(X, renamed)
    found = chunker.predict(NEW)
    assert {label for page in found for label in page} == set(seen) | ({"B"} if "I" in seen else set())
    assert found == [with_regions_begun(page) for page in by_a_plain_loop(chunker, renamed, NEW)]


@pytest.mark.parametrize("only", LABELS)
def test_a_single_label_is_always_given(only: str) -> None:
    chunker = SvmChunker().fit(X, [[only] * len(page) for page in X])
    assert chunker.predict(NEW) == [with_regions_begun([only] * len(page)) for page in NEW]


def test_the_label_before_is_a_feature(nakamura: SvmChunker) -> None:
    size = len(nakamura.attributes_.names())
    assert nakamura.weights_.shape == (size + len(LABELS) + 1, len(LABELS))
    after_content, after_b = (
        nakamura.weights_[size + LABELS.index("O")],
        nakamura.weights_[size + LABELS.index("B")],
    )
    assert after_b[LABELS.index("I")] > after_content[LABELS.index("I")]
    assert not any(page[0] == "I" for page in nakamura.predict([*X, *NEW]) if page)


@pytest.mark.parametrize("size", [1, 3])
def test_predictions_do_not_depend_on_batches(
    fitted: SvmChunker, size: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = fitted.predict(X + NEW)
    order = Random(1).sample(range(len(X + NEW)), len(X + NEW))
    assert fitted.predict([(X + NEW)[at] for at in order]) == [expected[at] for at in order]
    monkeypatch.setattr(svm, "BATCH", size)
    assert fitted.predict(X + NEW) == expected


def test_all_ways_to_predict_say_the_same(fitted: SvmChunker) -> None:
    for names, labels, mask in zip(
        fitted.predict(NEW), fitted.predict_labels(NEW), fitted.predict_masks(NEW), strict=True
    ):
        assert as_names(labels) == names
        assert labels.dtype == np.int8
        assert mask.content.tolist() == mask.score.tolist() == [name == "O" for name in names]
        assert mask.decided_by == "svm"
    assert fitted.predict([]) == []
    assert fitted.classes_.tolist() == list(LABELS)


def test_training_twice_gives_the_same_weights(fitted: SvmChunker) -> None:
    again = clone(fitted).fit([EMPTY, *X, EMPTY], [[], *([as_names(page) for page in Y]), []])
    assert (again.weights_ == fitted.weights_).all()
    assert (again.intercept_ == fitted.intercept_).all()


def test_it_learns_and_scores_the_f_of_non_content(fitted: SvmChunker) -> None:
    pairs = zip(Y, fitted.predict_labels(X), strict=True)
    assert fitted.score(X, Y) == sum((score_labels(*pair) for pair in pairs), Counts()).B_F > 0.7


def test_it_can_be_cloned_sent_and_searched() -> None:
    chunker = SvmChunker(without=("link",), C=0.5, max_iterations=3000)
    assert clone(chunker).get_params() == chunker.get_params()
    sites = [example.site for example in TRAINING]
    search = GridSearchCV(SvmChunker(), {"C": [0.01, 0.1]}, cv=GroupKFold(2)).fit(X, Y, groups=sites)
    assert search.best_score_ == max(search.cv_results_["mean_test_score"]) > 0.4
    assert (cross_validate(SvmChunker(), X, Y, groups=sites, cv=GroupKFold(2))["test_score"] > 0.4).all()
    fitted = search.best_estimator_
    assert pickle.loads(pickle.dumps(fitted)).predict(NEW) == fitted.predict(NEW)


@pytest.mark.parametrize(
    ("pages", "labels", "message"),
    [
        (X[:2], Y[:1], "2 pages, but labels of 1"),
        (X[:1], [Y[0][1:]], "text nodes, but"),
        ([EMPTY], [[]], "no text node to learn from"),
    ],
)
def test_labels_that_do_not_fit_are_refused(
    pages: list[TextNodes], labels: list[LabelArray], message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        SvmChunker().fit(pages, labels)


def test_who_has_not_learned_cannot_predict() -> None:
    with pytest.raises(NotFittedError):
        SvmChunker().predict(X)


def test_the_baseline_calls_everything_content() -> None:
    baseline = clone(AllContent()).fit(X, Y)
    assert baseline.predict(NEW) == [["O"] * len(page) for page in NEW]
    assert all((labels == O).all() and labels.dtype == np.int8 for labels in baseline.predict_labels(NEW))
    counts = sum((score_labels(*pair) for pair in zip(Y, baseline.predict_labels(X), strict=True)), Counts())
    assert counts.L_nc == counts.L_bl
    assert baseline.get_params() == {}


# The quadratic kernel of YamCha (Kudo and Matsumoto 2001), and Viterbi over the scores

rows_of_attributes = st.lists(st.sets(st.integers(0, 9), max_size=6), min_size=1, max_size=6)


@given(rows_of_attributes)
def test_the_quadratic_map_is_the_kernel(rows: list[set[int]]) -> None:
    """Of every two rows: the product of what they are mapped to, and 1, is (x·y + 1)²."""
    plain = np.array([[float(column in row) for column in range(10)] for row in rows])
    mapped = svm.quadratic_map(csr_matrix(plain), svm.known_pairs(csr_matrix(plain)))
    assert (mapped @ mapped.T).toarray() + 1 == pytest.approx((plain @ plain.T + 1) ** 2)


@given(rows_of_attributes, rows_of_attributes)
def test_pairs_that_training_never_saw_count_nothing(seen: list[set[int]], new: list[set[int]]) -> None:
    learned, asked = (
        csr_matrix(np.array([[float(column in row) for column in range(10)] for row in rows]))
        for rows in (seen, new)
    )
    pairs = svm.known_pairs(learned)
    mapped = svm.quadratic_map(asked, pairs).toarray()
    together = {(low, high) for row in seen for low in row for high in row if low < high}
    assert len(pairs) == len(together)
    for row, own in zip(mapped, new, strict=True):
        expected = sum((low, high) in together for low in own for high in own if low < high)
        assert np.count_nonzero(row[10:]) == expected


def asked_after(chunker: SvmChunker, pages: list[TextNodes], before: int) -> csr_matrix:
    """The attributes of the nodes of pages, each after the same label."""
    rows = svm.attribute_matrix(chunker.attributes_, forest(pages))
    columns = np.zeros((rows.shape[0], len(LABELS) + 1))
    columns[:, before] = 1
    return csr_matrix(hstack((rows, columns)))


@pytest.mark.parametrize("seen", ["OBI", "OB", "BI"])
def test_a_quadratic_chunker_votes_as_machines_with_the_kernel_do(seen: str) -> None:
    """Section 3.2.1, YamCha: (x·y + 1)², C = 1, one label against another; every row on its own, by libsvm's
    own polynomial kernel.
    """
    labels = [[label if label in seen else seen[-1] for label in as_names(page)] for page in Y[:12]]
    chunker = SvmChunker(kernel="quadratic").fit(X[:12], labels)
    befores = [-1 if at == 0 else as_numbers(page)[at - 1] for page in labels for at in range(len(page))]
    rows = svm.attribute_matrix(chunker.attributes_, forest(X[:12])).toarray()
    columns = np.eye(len(LABELS) + 1)[befores]
    machine = SVC(kernel="poly", degree=2, gamma=1, coef0=1, C=1, decision_function_shape="ovo")
    machine.fit(np.hstack((rows > 0, columns)), np.concatenate([as_numbers(page) for page in labels]))
    scores = chunker.scores(forest(NEW))
    for before in range(len(LABELS) + 1):
        asked = asked_after(chunker, NEW, before).toarray() > 0
        decisions = machine.decision_function(asked).reshape(len(asked), -1)
        margins = -decisions if len(seen) == 2 else decisions  # of two labels the second is above 0 there
        expected = svm.votes(margins, tuple(combinations(machine.classes_.tolist(), 2)))
        clear = np.abs(margins).min(axis=1) > 0.01  # what is nearer hangs on the last rounds of a machine
        assert clear.mean() > 0.5
        assert scores[clear, before] == pytest.approx(expected[clear], abs=0.01)


def test_a_vote_counts_more_than_any_margin() -> None:
    duels = ((0, 1), (0, 2), (1, 2))
    scores = svm.votes(np.array([[0.1, 0.1, 90.0], [0.5, -0.2, 0.1], [-1.0, -1.0, -1.0]]), duels)
    assert scores.argmax(axis=1).tolist() == [0, 0, 2]  # two votes; one each, by the sum; two votes
    assert (svm.votes(np.array([[-2.0]]), ((0, 2),)).argsort(axis=1) == [[1, 0, 2]]).all()


def test_the_kernel_is_quadratic_where_the_set_is_small_enough() -> None:
    assert SvmChunker("nakamura").fit(X[:4], Y[:4]).kernel_ == "quadratic"
    assert SvmChunker("full").fit(X[:4], Y[:4]).kernel_ == "linear"


def test_a_quadratic_kernel_is_for_small_sets() -> None:
    with pytest.raises(ValueError, match="a quadratic kernel is for small feature sets"):
        SvmChunker("full", kernel="quadratic").fit(X[:2], Y[:2])


chains = st.lists(
    st.lists(st.lists(st.integers(-5, 5).map(float), min_size=3, max_size=3), min_size=4, max_size=4),
    max_size=5,
)


@given(chains)
def test_viterbi_has_the_highest_sum_of_all_sequences(scores: list[list[list[float]]]) -> None:
    def total(labels: Sequence[int]) -> float:
        return sum(
            after[before][label]
            for after, before, label in zip(scores, (len(LABELS), *labels), labels, strict=False)
        )

    best = max(map(total, product(range(len(LABELS)), repeat=len(scores))))
    assert total(svm.viterbi(scores)) == best
    assert total(svm.greedy(scores)) <= best


def test_viterbi_goes_back_on_a_first_mistake() -> None:
    """A label that keeps itself and a first node that is wrong by a little: greedy never comes back."""
    keeps = [[2.0, 0.0, 0.0], [0.0, 2.0, 0.0], [0.0, 0.0, 2.0]]
    content = [[row[0] + 1.5, row[1], row[2]] for row in [*keeps, [0.0, 0.0, 0.0]]]
    first = [[0.0, 0.5, 0.0]] * 4
    scores = [first, *[content] * 4]
    assert svm.greedy(scores) == [1, 1, 1, 1, 1]
    assert svm.viterbi(scores) == [0, 0, 0, 0, 0]


@pytest.mark.parametrize(("setting", "value"), [("kernel", "cubic"), ("decoding", "f1")])
def test_settings_that_there_are_not_are_refused(setting: str, value: str) -> None:
    with pytest.raises(ValueError, match=f"not '{value}'"):
        SvmChunker(**{setting: value}).fit(X[:2], Y[:2])
