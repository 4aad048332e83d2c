"""The SVM chunker: labels from left to right, the label before as a feature (Nakamura 2007, section 3.2.1).

The paper used YamCha, whose kernel is a polynomial one; this is scikit-learn's linear SVM, one against the
rest. It is here to be compared with: same pages, same features, same folds.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

import numpy as np
from scipy.sparse import csr_matrix, hstack
from sklearn.base import BaseEstimator
from sklearn.svm import LinearSVC
from sklearn.utils.validation import check_is_fitted

from ruiji.chunker.crf.estimator import MAX_PAGES, PER_SITE
from ruiji.chunker.crf.sampling import Labels, checked_labels, spread
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


class SvmChunker(BaseEstimator):  # type: ignore[misc]
    """A scikit-learn estimator over the same X and y as CrfChunker; ``C`` is LinearSVC's."""

    def __init__(
        self,
        features: str | FeatureSet = "nakamura",
        without: Sequence[str] = (),
        keywords: str = "selected",
        C: float = 0.1,  # noqa: N803  scikit-learn's name
        max_iterations: int = 1000,
        per_site: int | None = PER_SITE,
        max_pages: int | None = MAX_PAGES,
    ) -> None:
        self.features = features
        self.without = without
        self.keywords = keywords
        self.C = C
        self.max_iterations = max_iterations
        self.per_site = per_site
        self.max_pages = max_pages

    def feature_set(self) -> FeatureSet:
        """The features that the settings name."""
        return feature_set(self.features, self.without, self.keywords)

    def fit(self, X: Sequence[TextNodes], y: Sequence[Labels]) -> Self:  # noqa: N803
        """Learns from pages and their labels; the label before each node is the true one."""
        X, labels = spread(X, checked_labels(X, y), self.per_site, self.max_pages)  # noqa: N806
        self.attributes_ = chosen_attributes(self.feature_set(), X, labels)
        pages = forest(X)
        truth = np.concatenate(labels)
        matrix = hstack(
            (attribute_matrix(self.attributes_, pages), _labels_before(truth, pages)), format="csr"
        )
        if (truth == truth[0]).all():  # nothing to tell apart, which LinearSVC refuses
            self.weights_ = np.zeros((matrix.shape[1], len(LABELS)))
            self.intercept_ = np.where(np.arange(len(LABELS)) == truth[0], 0.0, FORBIDDEN)
        else:
            svm = LinearSVC(C=self.C, max_iter=self.max_iterations, random_state=0).fit(matrix, truth)
            self.weights_, self.intercept_ = _for_all_labels(svm)
        self.classes_ = np.array(LABELS)
        return self

    def predict(self, X: Sequence[TextNodes]) -> list[list[str]]:  # noqa: N803
        """The labels of each page."""
        return [as_names(labels) for labels in self.predict_labels(X)]

    def predict_labels(self, X: Sequence[TextNodes]) -> list[LabelArray]:  # noqa: N803
        """The labels of each page as numbers, each chosen after the one before it."""
        check_is_fitted(self)
        size = len(self.attributes_.names())
        before = self.weights_[size:].tolist()
        predicted = []
        for start in range(0, len(X), BATCH):
            pages = forest(X[start : start + BATCH])
            scores = self.attributes_.columns(pages).scores(self.weights_[:size]) + self.intercept_
            for first, end in zip(pages.page_start[:-1].tolist(), pages.page_start[1:].tolist(), strict=True):
                label, labels = len(LABELS), []
                for row in scores[first:end].tolist():
                    added = [score + weight for score, weight in zip(row, before[label], strict=True)]
                    label = added.index(max(added))
                    labels.append(label)
                predicted.append(repaired(np.array(labels, dtype=np.int8), np.zeros(1, dtype=np.int32)))
        return predicted

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
