"""The SVM chunker: labels from left to right, the label before as a feature (Nakamura 2007, section 3.2.1).

The paper used YamCha (Kudo and Matsumoto 2001) and tells no settings, so YamCha's own hold: a kernel of
(x·y + 1)², C = 1, a machine for every two labels, each of which has a vote. ``kernel="quadratic"`` is that:
scikit-learn's ``SVC`` over rows in which every attribute and every pair of attributes has a weight
(``quadratic_map``). ``kernel="linear"``, for large sets, is ``LinearSVC``: one label against the rest, with a
squared loss. It is here to be compared with: same pages, same features, same folds.

From left to right ("greedy", as published) a first mistake is the label before of all that follows, which
training, where that label is always the true one, never prepares for. "viterbi" takes the sequence of labels
with the highest sum of the same scores.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from itertools import combinations
from typing import Self

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_matrix, hstack
from sklearn.base import BaseEstimator
from sklearn.exceptions import ConvergenceWarning
from sklearn.svm import SVC, LinearSVC
from sklearn.utils.validation import check_is_fitted

from ruiji.chunker.crf.estimator import MAX_PAGES, PER_SITE
from ruiji.chunker.crf.sampling import Labels, checked_labels, spread, spread_numbers
from ruiji.chunker.crf.weights import BATCH, chosen_attributes
from ruiji.chunker.decoding.chain import FORBIDDEN
from ruiji.chunker.labels import LABELS, LabelArray, O, as_names, as_numbers, repaired
from ruiji.chunker.mask import ContentMask
from ruiji.chunker.metrics import Counts, score_labels
from ruiji.features.arrays import FloatArray
from ruiji.features.nodes.attributes import Attributes, FeatureSet
from ruiji.features.nodes.forest import Forest, forest
from ruiji.features.nodes.sets import feature_set
from ruiji.features.page.textnodes import TextNodes

IntKeys = npt.NDArray[np.int64]
Duels = tuple[tuple[int, int], ...]  # of two labels each: a machine is above 0 for the first

KERNELS = ("linear", "quadratic", "auto")
DECODINGS = ("greedy", "viterbi")
MOST_ATTRIBUTES = 60  # of a node with a quadratic kernel: a set such as full has some 200, and 20,000 pairs
TOLERANCE = 1e-3  # a tenth of LinearSVC's precision: the same labels in a third of the time (mini-web)
CACHE = 500  # megabytes for products of rows while a quadratic kernel learns
PRICES = {"quadratic": 1.0, "linear": 0.1}  # C of YamCha, and of ours
SINGLE, PAIR = 3**0.5, 2**0.5  # of x and xx' in (x·y + 1)², where a node has an attribute or not


class SvmChunker(BaseEstimator):  # type: ignore[misc]
    """A scikit-learn estimator over the same X and y as CrfChunker.

    ``C`` is the price of a mistake (None: that of PRICES); ``max_iterations`` are for a linear kernel, a
    quadratic one stops when it is done.

    ``kernel`` is "linear", as in the paper "quadratic", or "auto": quadratic where no text node has more than
    MOST_ATTRIBUTES attributes; ``kernel_`` says which it became. ``decoding`` is "greedy", as in the paper,
    or "viterbi".
    """

    def __init__(
        self,
        features: str | FeatureSet = "nakamura",
        without: Sequence[str] = (),
        keywords: str = "selected",
        C: float | None = None,  # noqa: N803  scikit-learn's name
        max_iterations: int = 1000,
        per_site: int | None = PER_SITE,
        max_pages: int | None = MAX_PAGES,
        kernel: str = "auto",
        decoding: str = "greedy",
    ) -> None:
        self.features = features
        self.without = without
        self.keywords = keywords
        self.C = C
        self.max_iterations = max_iterations
        self.per_site = per_site
        self.max_pages = max_pages
        self.kernel = kernel
        self.decoding = decoding

    def feature_set(self) -> FeatureSet:
        """The features that the settings name."""
        return feature_set(self.features, self.without, self.keywords)

    def fit(self, X: Sequence[TextNodes], y: Sequence[Labels]) -> Self:  # noqa: N803
        """Learns from pages and their labels; the label before each node is the true one."""
        self._check_settings()
        X, labels = spread(X, checked_labels(X, y), self.per_site, self.max_pages)  # noqa: N806
        self.attributes_ = chosen_attributes(self.feature_set(), X, labels)
        pages = forest(X)
        truth = np.concatenate(labels)
        rows = hstack((attribute_matrix(self.attributes_, pages), _labels_before(truth, pages)), format="csr")
        size = rows.shape[1]
        self.pairs_ = np.zeros(0, dtype=np.int64)
        small = int(np.diff(rows.indptr).max(initial=0)) <= MOST_ATTRIBUTES
        self.kernel_ = self.kernel if self.kernel != "auto" else "quadratic" if small else "linear"
        if self.kernel_ == "quadratic":
            self.pairs_ = known_pairs(rows)
            rows = quadratic_map(rows, self.pairs_)
        price = PRICES[self.kernel_] if self.C is None else self.C
        self.duels_: Duels = ()
        if (truth == truth[0]).all():  # nothing to tell apart, which scikit-learn refuses
            weights = np.zeros((rows.shape[1], len(LABELS)))
            self.intercept_ = np.where(np.arange(len(LABELS)) == truth[0], 0.0, FORBIDDEN)
        elif self.kernel_ == "quadratic":
            weights, self.intercept_, self.duels_ = _duels(rows, truth, price)
        else:
            svm = LinearSVC(C=price, dual=True, tol=TOLERANCE, max_iter=self.max_iterations, random_state=0)
            with warnings.catch_warnings():  # a comparison may stop early; ``max_iterations`` says when
                warnings.simplefilter("ignore", ConvergenceWarning)
                svm.fit(rows, truth)
            weights, self.intercept_ = _for_all_labels(svm)
        self.weights_, self.pair_weights_ = weights[:size], weights[size:]
        self.classes_ = np.array(LABELS)
        return self

    def pages_to_learn(self, X: Sequence[TextNodes]) -> list[int]:  # noqa: N803
        """The numbers of the pages that it learns from when it is given these."""
        return spread_numbers(X, self.per_site, self.max_pages)

    def _check_settings(self) -> None:
        if self.kernel not in KERNELS:
            raise ValueError(f"the kernel is {' or '.join(KERNELS)}, not {self.kernel!r}")
        if self.decoding not in DECODINGS:
            raise ValueError(f"an SVM decodes {' or '.join(DECODINGS)}, not {self.decoding!r}")

    def predict(self, X: Sequence[TextNodes]) -> list[list[str]]:  # noqa: N803
        """The labels of each page."""
        return [as_names(labels) for labels in self.predict_labels(X)]

    def predict_labels(self, X: Sequence[TextNodes]) -> list[LabelArray]:  # noqa: N803
        """The labels of each page as numbers."""
        check_is_fitted(self)
        self._check_settings()
        decode = greedy if self.decoding == "greedy" else viterbi
        labels = []
        for start in range(0, len(X), BATCH):
            pages = forest(X[start : start + BATCH])
            scores = self.scores(pages)
            for first, end in zip(pages.page_start[:-1].tolist(), pages.page_start[1:].tolist(), strict=True):
                labels.append(
                    repaired(
                        np.array(decode(scores[first:end].tolist()), dtype=np.int8),
                        np.zeros(1, dtype=np.int32),
                    )
                )
        return labels

    def scores(self, pages: Forest) -> FloatArray:
        """The score of each label at each node after each label before it: nodes × before × labels, where the
        last before is the beginning of a page.
        """
        size = len(self.attributes_.names())
        if self.kernel_ == "linear":
            own = self.attributes_.columns(pages).scores(self.weights_[:size]) + self.intercept_
            after: FloatArray = own[:, None, :] + self.weights_[None, size:, :]
            return after
        rows = attribute_matrix(self.attributes_, pages)
        steps = [
            quadratic_map(hstack((rows, _always_before(before, rows.shape[0])), format="csr"), self.pairs_)
            @ np.concatenate((self.weights_, self.pair_weights_))
            for before in range(len(LABELS) + 1)
        ]
        margins: FloatArray = np.stack(steps, axis=1) + self.intercept_
        return votes(margins, self.duels_) if self.duels_ else margins

    def predict_masks(self, X: Sequence[TextNodes]) -> list[ContentMask]:  # noqa: N803
        """The content mask of each page; an SVM has no probabilities, so the score is the decision."""
        return [
            ContentMask(labels == O, (labels == O).astype(np.float32), "svm", labels)
            for labels in self.predict_labels(X)
        ]

    def score(self, X: Sequence[TextNodes], y: Sequence[Labels]) -> float:  # noqa: N803
        """B_F, the F over non-content nodes (formula 4.9)."""
        pairs = zip(y, self.predict_labels(X), strict=True)
        return sum((score_labels(as_numbers(true), predicted) for true, predicted in pairs), Counts()).B_F


class AllContent(BaseEstimator):  # type: ignore[misc]
    """The baseline: everything is content (L_bl)."""

    def fit(self, X: Sequence[TextNodes], y: Sequence[Labels]) -> Self:  # noqa: N803
        """Learns nothing."""
        self.classes_ = np.array(LABELS)
        return self

    def predict(self, X: Sequence[TextNodes]) -> list[list[str]]:  # noqa: N803
        """O everywhere."""
        return [as_names(labels) for labels in self.predict_labels(X)]

    def predict_labels(self, X: Sequence[TextNodes]) -> list[LabelArray]:  # noqa: N803
        """O everywhere, as numbers."""
        return [np.zeros(len(page), dtype=np.int8) for page in X]

    def predict_masks(self, X: Sequence[TextNodes]) -> list[ContentMask]:  # noqa: N803
        """Content everywhere."""
        return [
            ContentMask(labels == O, np.ones(len(labels), dtype=np.float32), "all content", labels)
            for labels in self.predict_labels(X)
        ]


def greedy(scores: Sequence[Sequence[Sequence[float]]]) -> list[int]:
    """Each label chosen after the one before it, from left to right (YamCha's way)."""
    label, labels = len(LABELS), []
    for after in scores:
        label = after[label].index(max(after[label]))
        labels.append(label)
    return labels


def viterbi(scores: Sequence[Sequence[Sequence[float]]]) -> list[int]:
    """The sequence with the highest sum of scores; of equal ones that of the first labels."""
    if not scores:
        return []
    best = list(scores[0][len(LABELS)])
    back: list[list[int]] = []
    for after in scores[1:]:
        chosen = []
        reached = []
        for label in range(len(LABELS)):
            sums = [best[before] + after[before][label] for before in range(len(LABELS))]
            chosen.append(sums.index(max(sums)))
            reached.append(max(sums))
        best = reached
        back.append(chosen)
    labels = [best.index(max(best))]
    for chosen in reversed(back):
        labels.append(chosen[labels[-1]])
    return labels[::-1]


def known_pairs(rows: csr_matrix) -> IntKeys:
    """The pairs of columns that stand together in a row, each as a number: smaller · width + larger. Raises
    ValueError where that would be too many.
    """
    most = int(np.diff(rows.indptr).max(initial=0))
    if most > MOST_ATTRIBUTES:
        raise ValueError(
            f"a quadratic kernel is for small feature sets: a text node here has {most} attributes, and "
            f"{MOST_ATTRIBUTES} are the most; take kernel='linear' or the features nakamura"
        )
    return np.unique(_pairs(rows)[1])


def quadratic_map(rows: csr_matrix, pairs: IntKeys) -> csr_matrix:
    """Rows of which the product of two, with 1 added, is (x·y + 1)² of the given ones, as far as the pairs
    are known; a column counts once, however often a row has it.
    """
    row, code = _pairs(rows)
    place = np.minimum(np.searchsorted(pairs, code), max(len(pairs) - 1, 0))
    known = pairs[place] == code if len(pairs) else np.zeros(len(code), dtype=bool)
    shape = (rows.shape[0], len(pairs))
    products = csr_matrix((np.full(int(known.sum()), PAIR), (row[known], place[known])), shape=shape)
    singles = rows.copy()
    singles.data[:] = SINGLE
    return hstack((singles, products), format="csr")


def _pairs(rows: csr_matrix) -> tuple[IntKeys, IntKeys]:
    """Of every two columns of a row the row and the number of the pair."""
    width = rows.shape[1]
    sizes = np.diff(rows.indptr)
    of_row, codes = [np.zeros(0, dtype=np.int64)], [np.zeros(0, dtype=np.int64)]
    rows.sort_indices()
    for size in np.unique(sizes[sizes > 1]).tolist():  # rows of one size at a time
        which = np.flatnonzero(sizes == size)
        columns = rows.indices[rows.indptr[which][:, None] + np.arange(size)].astype(np.int64)
        first, second = np.triu_indices(size, 1)
        codes.append((columns[:, first] * width + columns[:, second]).ravel())
        of_row.append(np.repeat(which, len(first)))
    return np.concatenate(of_row), np.concatenate(codes)


def _always_before(before: int, size: int) -> csr_matrix:
    """The same label before every node, as columns."""
    columns = np.full(size, before, dtype=np.int32)
    return csr_matrix((np.ones(size), columns, np.arange(size + 1)), shape=(size, len(LABELS) + 1))


def attribute_matrix(attributes: Attributes, pages: Forest) -> csr_matrix:
    """The attributes as a matrix: a row a node, a column an attribute."""
    rows = attributes.columns(pages).rows()
    borders = np.cumsum([0, *(len(row) for row in rows)])
    columns = np.fromiter((number for row in rows for number in row), dtype=np.int32, count=int(borders[-1]))
    matrix = csr_matrix((np.ones(len(columns)), columns, borders), shape=(len(rows), len(attributes.names())))
    matrix.sum_duplicates()
    return matrix


def _labels_before(truth: LabelArray, pages: Forest) -> csr_matrix:
    """The label before each node as columns; the last column is for the first node of a page."""
    before = np.concatenate(([0], truth[:-1])).astype(np.int32)
    before[pages.page_start[:-1][np.diff(pages.page_start) > 0]] = len(LABELS)
    size = len(truth)
    return csr_matrix((np.ones(size), before, np.arange(size + 1)), shape=(size, len(LABELS) + 1))


def _duels(rows: csr_matrix, truth: LabelArray, price: float) -> tuple[FloatArray, FloatArray, Duels]:
    """Weights and intercepts with a column for each two labels, and which two these are. Equal rows of a
    label are one that costs as much as all of them, which changes nothing but the time.
    """
    rows.sort_indices()
    of_row: dict[tuple[int, bytes], int] = {}
    first: list[int] = []
    times: list[int] = []
    for row, label in enumerate(truth.tolist()):
        columns = rows.indices[rows.indptr[row] : rows.indptr[row + 1]].tobytes()
        if (place := of_row.setdefault((label, columns), len(first))) == len(first):
            first.append(row)
            times.append(0)
        times[place] += 1
    svm = SVC(kernel="linear", C=price, cache_size=CACHE).fit(rows[first], truth[first], sample_weight=times)
    weights: FloatArray = svm.coef_.toarray().T
    duels = tuple(combinations(svm.classes_.tolist(), 2))
    # Of two labels alone scikit-learn has the second above 0
    return (-weights, -svm.intercept_, duels) if len(duels) == 1 else (weights, svm.intercept_, duels)


def votes(margins: FloatArray, duels: Duels) -> FloatArray:
    """The score of each label: its votes, and between labels with as many the sum of its margins, which is
    kept below half a vote; a label in no duel cannot win.
    """
    won = np.zeros((*margins.shape[:-1], len(LABELS)))
    by = np.zeros_like(won)
    for number, (first, second) in enumerate(duels):
        margin = margins[..., number]
        won[..., first] += margin > 0
        won[..., second] += margin <= 0
        by[..., first] += margin
        by[..., second] -= margin
    scores: FloatArray = won + by / (3 * (np.abs(by) + 1))
    known = {label for duel in duels for label in duel}
    scores[..., [label for label in range(len(LABELS)) if label not in known]] = FORBIDDEN
    return scores


def _for_all_labels(svm: LinearSVC) -> tuple[FloatArray, FloatArray]:
    """Weights and intercepts with a column for each label; one that training never saw cannot win."""
    classes = svm.classes_.tolist()
    weights = np.zeros((svm.coef_.shape[1], len(LABELS)))
    intercept = np.full(len(LABELS), FORBIDDEN)
    if len(classes) == 2:  # one row, for the second of the two
        weights[:, classes[1]], weights[:, classes[0]] = svm.coef_[0], -svm.coef_[0]
        intercept[classes[1]], intercept[classes[0]] = svm.intercept_[0], -svm.intercept_[0]
    else:
        weights[:, classes], intercept[classes] = svm.coef_.T, svm.intercept_
    return weights, intercept
