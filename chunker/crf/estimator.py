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
from typing import TYPE_CHECKING, Self

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted

from ruiji.chunker.conventions import AUTO, check_convention
from ruiji.chunker.crf.explanation import NodeExplanation, Reason
from ruiji.chunker.crf.labeller import Labeller, PageLabels, check_decoding, labeller_of, needs_ensemble
from ruiji.chunker.crf.sampling import (
    Labels,
    checked_labels,
    evenly_spaced,
    spread,
    spread_numbers,
    with_regions,
)
from ruiji.chunker.crf.training import train_crf
from ruiji.chunker.crf.weights import PagesLogOdds, chosen_attributes, item_sequences
from ruiji.chunker.labels import LABELS, LabelArray, as_names, as_numbers
from ruiji.chunker.mask import ContentMask
from ruiji.chunker.metrics import Counts, score_labels
from ruiji.features.arrays import FloatArray
from ruiji.features.nodes.attributes import FeatureSet
from ruiji.features.nodes.sets import feature_set
from ruiji.features.page.textnodes import TextNodes

if TYPE_CHECKING:
    from ruiji.chunker.stack.ensemble import Ensemble


PER_SITE = 15
MAX_PAGES = 800
SHARPNESS = 0.35  # of 0.25 to 1; our measurement, docs/decisions
TREE_ROUNDS = 100
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

    ``convention`` is the one by which an ensemble answers (chunker.conventions).
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
        convention: str = AUTO,
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
        self.convention = convention

    def feature_set(self) -> FeatureSet:
        """The features that the settings name."""
        return feature_set(self.features, self.without, self.keywords)

    def fit(
        self,
        X: Sequence[TextNodes],  # noqa: N803  scikit-learn's name
        y: Sequence[Labels],
        watch: Callable[[], object] = lambda: None,
        sample_weight: Sequence[float] | None = None,
        conventions: Sequence[str] | None = None,
    ) -> Self:
        """Learns from pages and their labels; keywords and other open values are chosen here, from these
        pages alone.

        Nodes labelled UNSURE (chunker.labels) are seen by the features of others and not learned from.

        ``watch`` is called after each round of training. ``sample_weight`` is what each page counts for in
        the ensemble; the CRF above it and the other feature sets count all pages alike. ``conventions`` are
        those of the pages' annotators, by which the CRF above an ensemble sees them (None: nobody knows).
        """
        self._check_settings()
        ensemble, shown_odds = None, None
        self.held_out_: dict[int, FloatArray] = {}
        labels: Sequence[LabelArray] = checked_labels(X, y)
        if self._stacked():
            # The ensemble needs all pages. The CRF over it has few weights and only parts regions: it learns
            # from pages whose annotation has some, since a plain text says nothing of where they part.
            numbers = self.pages_to_learn(X)
            X, labels = [X[number] for number in numbers], [labels[number] for number in numbers]  # noqa: N806
            weights = None if sample_weight is None else [sample_weight[number] for number in numbers]
            named = None if conventions is None else [conventions[number] for number in numbers]
            ensemble, log_odds = self._train_ensemble(X, labels, watch, weights, named)
            chosen = evenly_spaced(with_regions(X) or list(range(len(X))), self.max_pages)
            self.held_out_ = dict(zip(numbers, log_odds, strict=True))
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

    def pages_to_learn(self, X: Sequence[TextNodes]) -> list[int]:  # noqa: N803
        """The numbers of the pages that it learns from when it is given these; an ensemble learns from as
        many as there are, whatever ``max_pages``.
        """
        return spread_numbers(X, self.per_site, None if self._stacked() else self.max_pages)

    def _train_ensemble(
        self,
        X: Sequence[TextNodes],  # noqa: N803
        labels: Sequence[LabelArray],
        watch: Callable[[], object],
        sample_weight: Sequence[float] | None,
        conventions: Sequence[str] | None,
    ) -> tuple[Ensemble, list[FloatArray]]:
        """The ensemble, and for each page the log-odds by one that has not seen its site."""
        from ruiji.chunker.stack.ensemble import train_ensemble  # only this set needs it
        from ruiji.chunker.stack.trees import TreeSettings

        settings = TreeSettings(rounds=self.tree_rounds)
        return train_ensemble(X, labels, settings, self.epochs, watch, sample_weight, conventions)

    def _stacked(self) -> bool:
        """Whether the CRF stands on an ensemble."""
        return needs_ensemble(self.feature_set())

    def set_model(self, data: bytes, ensemble: Ensemble | None = None) -> Self:
        """Takes a CRFsuite model as what was learned, with the ensemble below it where the feature set needs
        one.
        """
        self._check_settings()
        labeller = labeller_of(data, self.feature_set(), ensemble, self.decoding, self.beta, self.sharpness)
        self.ensemble_ = ensemble
        self.model_ = data
        self.classes_ = np.array(LABELS)
        self.attributes_ = labeller.attributes
        self.weights_, self.transitions_ = labeller.weights, labeller.transitions
        self.unseen_ = labeller.unseen
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
        check_is_fitted(self)
        self._check_settings()
        return self.labeller().masks(X)

    def predict_held_out(self, X: Sequence[TextNodes]) -> dict[int, PageLabels]:  # noqa: N803
        """What is found of the training pages in ``held_out_``, given the same X as ``fit``: an honest look
        at what is called content. Where regions part is said by a CRF that was shown some of these pages.
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
        pages, _ = self.labeller().with_log_odds([nodes])
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
                Reason(name, 1, pull, 0.0, 0.0)
                for name, pull in self.ensemble_.reasons(pages, node, self.convention).items()
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
        return self.labeller().decoded(X, given)

    def labeller(self) -> Labeller:
        """What was learned, with the settings of decoding as they are now."""
        return Labeller(
            self.attributes_,
            self.weights_,
            self.transitions_,
            self.unseen_,
            self.ensemble_,
            self.decoding,
            self.beta,
            self.sharpness,
            self.convention,
        )

    def _check_settings(self) -> None:
        check_decoding(self.decoding, self.beta, self.sharpness)
        check_convention(self.convention)
        if not (0 <= self.c1 < np.inf and 0 <= self.c2 < np.inf):
            raise ValueError(f"c1 and c2 must be 0 or more, not {self.c1} and {self.c2}")
        for name, most in (("per_site", self.per_site), ("max_pages", self.max_pages)):
            if most is not None and not most >= 1:
                raise ValueError(f"{name} must be 1 or more, or None, not {most}")
        if not self.max_iterations >= 1:
            raise ValueError(f"max_iterations must be 1 or more, not {self.max_iterations}")
