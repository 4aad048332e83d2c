"""The CRF chunker: text nodes in, IOB2 labels over non-content out (Nakamura 2007, with a CRF in place of the
SVM).

The set ``stacked`` has an ensemble below the CRF (chunker.stack: gradient-boosted trees and a network), which
learns in ``fit`` and is kept as ``ensemble_``. The ensemble decides which text is content, the CRF where
regions begin and end.

Training is CRFsuite's. Tagging is ours: the weights are read from the trained model, every attribute is a
number, and a batch of pages is a few gathers and sums; CRFsuite's own tagger gives the same labels and
probabilities, only slower.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple, Self

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted

from ruiji.chunker.crf.explanation import NodeExplanation, Reason
from ruiji.chunker.crf.model_file import read_model
from ruiji.chunker.crf.sampling import Labels, checked_labels, evenly_spaced, spread, spread_numbers
from ruiji.chunker.crf.training import train_crf
from ruiji.chunker.crf.weights import (
    BATCH,
    PagesLogOdds,
    attributes_in,
    chosen_attributes,
    item_sequences,
    label_weights,
)
from ruiji.chunker.decoding.chain import FORBIDDEN, marginals, viterbi
from ruiji.chunker.decoding.expected_f import (
    DECODINGS,
    LogOdds,
    best_cut,
    best_expected_f,
    expected_f_of,
    joined,
    node_weights,
    tempered,
)
from ruiji.chunker.labels import LABELS, B, I, LabelArray, O, as_names, as_numbers, repaired
from ruiji.chunker.mask import ContentMask
from ruiji.chunker.metrics import Counts, score_labels
from ruiji.features.arrays import FloatArray
from ruiji.features.nodes.attributes import FeatureSet
from ruiji.features.nodes.forest import Forest, forest
from ruiji.features.nodes.sets import feature_set, set_name
from ruiji.features.nodes.stacked import odds
from ruiji.features.page.textnodes import TextNodes

if TYPE_CHECKING:
    from ruiji.chunker.stack.ensemble import Ensemble


PER_SITE = 15
MAX_PAGES = 800
SHARPNESS = 0.35  # of 0.25 to 1; our measurement, docs/decisions
TREE_ROUNDS = 200
EPOCHS = 10


class CrfChunker(BaseEstimator):  # type: ignore[misc]
    """A scikit-learn estimator: X is a sequence of TextNodes, y their labels ("O", "B", "I", or the numbers
    of chunker.labels).

    ``features`` is a feature set or the name of one (features.nodes.sets), ``without`` leaves some of its
    features out, ``keywords`` is "selected" (by the rule, from the training pages) or "fixed" (the list by
    hand). ``c1`` and ``c2`` are the weights of the L1 and L2 penalties for a thousand training sites: pages
    of one site are alike, so it is sites that training has samples of. Of a site no more than ``per_site``
    pages are learned from (None: all), so that a large one does not drown the others; of all pages no more
    than ``max_pages``, evenly spread: training takes as long as it has pages (docs/decisions).

    ``decoding``: "viterbi" gives the likeliest sequence; "f1" gives, page by page, that of the likeliest
    sequences at several odds of content whose content has the best expected F over its words. ``beta`` is the
    dial between precision and recall of the content. With "f1" it is the β of F: recall counts β times as
    much as precision. With "viterbi" it multiplies the odds of content at every node. ``sharpness`` says how
    far "f1" trusts the marginals: it multiplies their log-odds. Nodes of a page are right or wrong together,
    more than a chain can know, so the marginals are surer than they should be.
    """

    def __init__(
        self,
        features: str | FeatureSet = "full",
        without: Sequence[str] = (),
        keywords: str = "selected",
        c1: float = 0.0,
        c2: float = 12.0,
        max_iterations: int = 60,
        per_site: int | None = PER_SITE,
        max_pages: int | None = MAX_PAGES,
        decoding: str = "f1",
        beta: float = 1.0,
        sharpness: float = SHARPNESS,
        tree_rounds: int = TREE_ROUNDS,
        epochs: int = EPOCHS,
    ) -> None:
        self.features = features
        self.without = without
        self.keywords = keywords
        self.c1 = c1
        self.c2 = c2
        self.max_iterations = max_iterations
        self.per_site = per_site
        self.max_pages = max_pages
        self.decoding = decoding
        self.beta = beta
        self.sharpness = sharpness
        self.tree_rounds = tree_rounds
        self.epochs = epochs

    def feature_set(self) -> FeatureSet:
        """The features that the settings name."""
        return feature_set(self.features, self.without, self.keywords)

    def fit(
        self,
        X: Sequence[TextNodes],  # noqa: N803  scikit-learn's name
        y: Sequence[Labels],
        watch: Callable[[], object] = lambda: None,
        sample_weight: Sequence[float] | None = None,
    ) -> Self:
        """Learns from pages and their labels; keywords and other open values are chosen here, from these
        pages alone.

        Nodes labelled UNSURE (chunker.labels) are seen by the features of others and not learned from.

        ``watch`` is called after each round of training. ``sample_weight`` is what each page counts for in
        the ensemble; the CRF above it and the other feature sets count all pages alike.
        """
        self._check_settings()
        ensemble, shown_odds = None, None
        self.held_out_: dict[int, LogOdds] = {}
        labels: Sequence[LabelArray] = checked_labels(X, y)
        if self._stacked():  # the ensemble needs all pages, the CRF over it has few weights
            numbers = spread_numbers(X, self.per_site, None)
            X, labels = [X[number] for number in numbers], [labels[number] for number in numbers]  # noqa: N806
            weights = None if sample_weight is None else [sample_weight[number] for number in numbers]
            ensemble, log_odds = self._train_ensemble(X, labels, watch, weights)
            chosen = evenly_spaced(list(range(len(X))), self.max_pages)
            shown = set(chosen)
            self.held_out_ = {
                numbers[place]: log_odds[place] for place in range(len(X)) if place not in shown
            }
            X, labels = [X[place] for place in chosen], [labels[place] for place in chosen]  # noqa: N806
            shown_odds = [log_odds[place] for place in chosen]
        else:
            X, labels = spread(X, labels, self.per_site, self.max_pages)  # noqa: N806
        attributes = chosen_attributes(self.feature_set(), X, labels, shown_odds)
        thousands = len({page.host for page in X if len(page)}) / 1000
        data = train_crf(
            item_sequences(attributes, X, shown_odds),
            labels,
            self.c1 * thousands,
            self.c2 * thousands,
            self.max_iterations,
            watch,
        )
        return self.set_model(data, ensemble)

    def _train_ensemble(
        self,
        X: Sequence[TextNodes],  # noqa: N803
        labels: Sequence[LabelArray],
        watch: Callable[[], object],
        sample_weight: Sequence[float] | None,
    ) -> tuple[Ensemble, list[LogOdds]]:
        """The ensemble, and for each page the log-odds by one that has not seen its site."""
        from ruiji.chunker.stack.ensemble import train_ensemble  # only this set needs it
        from ruiji.chunker.stack.trees import TreeSettings

        settings = TreeSettings(rounds=self.tree_rounds)
        return train_ensemble(X, labels, settings, self.epochs, watch, sample_weight)

    def _stacked(self) -> bool:
        """Whether the CRF stands on an ensemble."""
        return any(feature.name == odds.__name__ for feature in self.feature_set().features)

    def _with_log_odds(
        self,
        X: Sequence[TextNodes],  # noqa: N803
        given: PagesLogOdds = None,
    ) -> tuple[Forest, LogOdds | None]:
        """The pages with the ensemble's log-odds, or with those that are given."""
        pages = forest(X)
        if self.ensemble_ is None:
            return pages, None
        log_odds = self.ensemble_.log_odds(pages) if given is None else joined(given)
        return pages.with_odds(log_odds.combined), log_odds

    def set_model(self, data: bytes, ensemble: Ensemble | None = None) -> Self:
        """Takes a CRFsuite model as what was learned, with the ensemble below it where the feature set needs
        one.
        """
        self._check_settings()
        if self._stacked() != (ensemble is not None):
            raise ValueError(
                f"the feature set {set_name(self.features)} "
                + ("needs an ensemble below it" if ensemble is None else "has no ensemble below it")
            )
        self.ensemble_ = ensemble
        model = read_model(data)
        self.model_ = data
        self.classes_ = np.array(LABELS)
        self.attributes_ = attributes_in(model, self.feature_set())
        self.weights_, self.transitions_ = label_weights(model, self.attributes_)
        self.unseen_ = [number for number, label in enumerate(LABELS) if label not in model.labels]
        return self

    def predict(self, X: Sequence[TextNodes]) -> list[list[str]]:  # noqa: N803
        """The labels of each page."""
        return [as_names(page.labels) for page in self.decoded(X)]

    def predict_marginals(self, X: Sequence[TextNodes]) -> list[FloatArray]:  # noqa: N803
        """The probabilities of each page's nodes: a row a node, a column a label in the order of
        ``classes_``.
        """
        return [page.probability for page in self.decoded(X)]

    def predict_masks(self, X: Sequence[TextNodes]) -> list[ContentMask]:  # noqa: N803
        """The content mask of each page."""
        return [
            ContentMask(
                page.labels == O,
                page.probability[:, O].astype(np.float32),
                "crf",
                page.labels,
                page.expected_f1,
            )
            for page in self.decoded(X)
        ]

    def predict_held_out(self, X: Sequence[TextNodes]) -> dict[int, PageLabels]:  # noqa: N803
        """What is found of the training pages in ``held_out_``, given the same X as ``fit``: an honest look
        at the stack.
        """
        numbers = sorted(self.held_out_)
        pages = self.decoded(
            [X[number] for number in numbers], [self.held_out_[number] for number in numbers]
        )
        return dict(zip(numbers, pages, strict=True))

    def predict_labels(self, X: Sequence[TextNodes]) -> list[LabelArray]:  # noqa: N803
        """The labels of each page as numbers."""
        return [page.labels for page in self.decoded(X)]

    def score(self, X: Sequence[TextNodes], y: Sequence[Labels]) -> float:  # noqa: N803
        """B_F, the F over non-content nodes (formula 4.9)."""
        pairs = zip(y, self.predict_labels(X), strict=True)
        return sum((score_labels(as_numbers(true), predicted) for true, predicted in pairs), Counts()).B_F

    def explain(self, nodes: TextNodes, node: int) -> NodeExplanation:
        """Which attributes and transitions decided the label of a node."""
        if not 0 <= node < len(nodes):
            raise IndexError(
                f"the page has {len(nodes)} text nodes, numbered from 0; there is no node {node}"
            )
        ((labels, probability, _),) = self.decoded([nodes])
        pages, _ = self._with_log_odds([nodes])
        columns = self.attributes_.columns(pages)
        names = self.attributes_.names()
        reasons = [
            Reason(names[number], count, *(count * self.weights_[number]).tolist())
            for number, count in columns.at(node).items()
        ]
        before, after = (int(labels[at]) if 0 <= at < len(labels) else None for at in (node - 1, node + 1))
        if before is not None:
            reasons.append(Reason(f"after {LABELS[before]}", 1, *self.transitions_[before].tolist()))
        if after is not None:
            reasons.append(Reason(f"before {LABELS[after]}", 1, *self.transitions_[:, after].tolist()))
        shown = sorted((reason for reason in reasons if any(reason[2:])), key=lambda reason: -reason.pull)
        if (
            self.ensemble_ is not None
        ):  # the ensemble decides what is content, the CRF only where regions part
            of_ensemble = [
                Reason(name, 1, pull, 0.0, 0.0) for name, pull in self.ensemble_.reasons(pages, node).items()
            ]
            shown = sorted(of_ensemble, key=lambda reason: -reason.pull) + shown
        return NodeExplanation(
            nodes.texts[node],
            LABELS[labels[node]],
            dict(zip(LABELS, probability[node].tolist(), strict=True)),
            shown,
        )

    def decoded(self, X: Sequence[TextNodes], given: PagesLogOdds = None) -> Iterator[PageLabels]:  # noqa: N803
        """What is found of each page."""
        check_is_fitted(self)
        self._check_settings()
        for start in range(0, len(X), BATCH):
            pages, log_odds = self._with_log_odds(
                X[start : start + BATCH], None if given is None else given[start : start + BATCH]
            )
            scores = self.attributes_.columns(pages).scores(self.weights_)
            scores[:, self.unseen_] = FORBIDDEN
            starts, ends = pages.page_start[:-1], pages.page_start[1:]
            probability = (
                _ensemble_probability(scores, pages.odds)
                if pages.odds is not None
                else marginals(scores, self.transitions_, starts)
            )
            weight = node_weights(pages)
            expected: Sequence[float] | None = None
            if self.decoding == "viterbi":
                labels = viterbi(scores + np.array([np.log(self.beta), 0.0, 0.0]), self.transitions_, starts)
            elif log_odds is not None:
                labels, expected = best_cut(
                    scores, self.transitions_, starts, log_odds, weight, self.beta, pages.text_number
                )
            else:
                content = tempered(probability[:, O], self.sharpness)
                labels = best_expected_f(scores, self.transitions_, starts, content, weight, self.beta)
            labels = repaired(labels, starts)
            for number, (first, end) in enumerate(zip(starts.tolist(), ends.tolist(), strict=True)):
                page = slice(first, end)
                own = (
                    expected[number]
                    if expected
                    else expected_f_of(labels[page] == O, probability[page, O], weight[page])
                )
                yield PageLabels(labels[page], probability[page], own)

    def _check_settings(self) -> None:
        if self.decoding not in DECODINGS:
            raise ValueError(f"decoding is one of {', '.join(DECODINGS)}, not {self.decoding!r}")
        if not self.beta > 0:
            raise ValueError(f"beta must be above 0, not {self.beta}")
        if not self.sharpness > 0:
            raise ValueError(f"sharpness must be above 0, not {self.sharpness}")
        if not (0 <= self.c1 < np.inf and 0 <= self.c2 < np.inf):
            raise ValueError(f"c1 and c2 must be 0 or more, not {self.c1} and {self.c2}")
        for name, most in (("per_site", self.per_site), ("max_pages", self.max_pages)):
            if most is not None and not most >= 1:
                raise ValueError(f"{name} must be 1 or more, or None, not {most}")
        if not self.max_iterations >= 1:
            raise ValueError(f"max_iterations must be 1 or more, not {self.max_iterations}")


class PageLabels(NamedTuple):
    """The labels of a page, the probability of each label at each node, and how good the content is expected
    to be.
    """

    labels: LabelArray
    probability: FloatArray
    expected_f1: float


def _ensemble_probability(scores: FloatArray, odds: FloatArray) -> FloatArray:
    """The ensemble's probability of content; the rest is shared between B and I by the CRF's scores of the
    node.

    The CRF weighs all nodes alike, the ensemble by words: with the CRF's own probabilities the text is worse
    (docs/decisions).
    """
    content = 1 / (1 + np.exp(-odds))
    begins = 1 / (1 + np.exp(np.clip(scores[:, I] - scores[:, B], -500, 500)))
    return np.column_stack((content, (1 - content) * begins, (1 - content) * (1 - begins)))
