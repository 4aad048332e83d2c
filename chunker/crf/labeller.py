"""What a trained CRF makes of pages: labels, probabilities and masks, with no training library.

``CrfChunker`` learns and explains with it as a scikit-learn estimator; a filter loads it alone, because
importing scikit-learn takes longer than labelling a hundred pages.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ruiji.chunker.conventions import AUTO
from ruiji.chunker.crf.model_file import read_model
from ruiji.chunker.crf.weights import BATCH, BATCH_TEXTS, PagesLogOdds, attributes_in, label_weights
from ruiji.chunker.decoding.chain import FORBIDDEN, marginals, page_slices, viterbi
from ruiji.chunker.decoding.expected_f import (
    DECODINGS,
    best_cut,
    best_expected_f,
    best_kept,
    expected_f_of,
    node_weights,
    tempered,
)
from ruiji.chunker.labels import LABELS, B, I, LabelArray, O, repaired
from ruiji.chunker.mask import ContentMask
from ruiji.features.arrays import FloatArray
from ruiji.features.nodes.attributes import Attributes, FeatureSet
from ruiji.features.nodes.forest import Forest, forest
from ruiji.features.nodes.stacked import odds
from ruiji.features.page.textnodes import TextNodes

if TYPE_CHECKING:
    from ruiji.chunker.stack.ensemble import Ensemble


# What is known of pages beside what is in them: log-odds to be added to each node; None where nothing is.
Shift = Callable[[Forest], FloatArray | None]


class PageLabels(NamedTuple):
    """The labels of a page, the probability of each label at each node, and how good the content is expected
    to be.
    """

    labels: LabelArray
    probability: FloatArray
    expected_f1: float


@dataclass(frozen=True, slots=True, eq=False)
class Labeller:
    """Weights of attributes and transitions, the ensemble below them, and how labels are chosen.

    ``unseen`` are the labels that no training page had. The rest is described at ``CrfChunker``.
    """

    attributes: Attributes
    weights: FloatArray
    transitions: FloatArray
    unseen: Sequence[int]
    ensemble: Ensemble | None
    decoding: str
    beta: float
    sharpness: float
    convention: str = AUTO

    def masks(
        self,
        X: Sequence[TextNodes],  # noqa: N803
        regions: bool = True,
        shift: Shift | None = None,
    ) -> list[ContentMask]:
        """The content mask of each page; ``regions`` with labels that say where regions begin. Where an
        ensemble decides what is content, the CRF has nothing to do without them, and ``shift`` may have
        something to add to its log-odds.
        """
        if not regions and self.ensemble is not None and self.decoding != "viterbi":
            return [
                mask for batch in _in_batches(X) for mask in self._content_masks(batch, self.ensemble, shift)
            ]
        return [
            ContentMask(
                page.labels == O,
                page.probability[:, O].astype(np.float32),
                "crf",
                page.labels,
                page.expected_f1,
            )
            for page in self.decoded(X, shift=shift)
        ]

    def _content_masks(
        self,
        X: Sequence[TextNodes],  # noqa: N803
        ensemble: Ensemble,
        shift: Shift | None,
    ) -> Iterator[ContentMask]:
        """The masks by the ensemble alone."""
        pages = forest(X)
        log_odds = _shifted(ensemble.log_odds(pages, self.convention), pages, shift)
        starts = pages.page_start[:-1]
        keep, expected = best_kept(starts, log_odds, node_weights(pages), self.beta, pages.text_number)
        score = _content_probability(log_odds).astype(np.float32)
        for page, own in zip(page_slices(starts, len(keep)), expected, strict=True):
            yield ContentMask(keep[page], score[page], "crf", None, own)

    def with_log_odds(
        self,
        X: Sequence[TextNodes],  # noqa: N803
        given: PagesLogOdds = None,
    ) -> tuple[Forest, FloatArray | None]:
        """The pages with the ensemble's log-odds, or with those that are given."""
        pages = forest(X)
        if self.ensemble is None:
            return pages, None
        log_odds = self.ensemble.log_odds(pages, self.convention) if given is None else np.concatenate(given)
        return pages.with_odds(log_odds), log_odds

    def decoded(
        self,
        X: Sequence[TextNodes],  # noqa: N803
        given: PagesLogOdds = None,
        shift: Shift | None = None,
    ) -> Iterator[PageLabels]:
        """What is found of each page."""
        start = 0
        for batch in _in_batches(X):
            own_odds = None if given is None else given[start : start + len(batch)]
            start += len(batch)
            pages, log_odds = self.with_log_odds(batch, own_odds)
            # Where regions part is seen by the page itself, as it was learned; what is content is not.
            scores = self.attributes.columns(pages).scores(self.weights)
            scores[:, self.unseen] = FORBIDDEN
            starts, ends = pages.page_start[:-1], pages.page_start[1:]
            log_odds = None if log_odds is None else _shifted(log_odds, pages, shift)
            probability = (
                _ensemble_probability(scores, log_odds)
                if log_odds is not None
                else marginals(scores, self.transitions, starts)
            )
            weight = node_weights(pages)
            expected: Sequence[float] | None = None
            if self.decoding == "viterbi":
                labels = viterbi(scores + np.array([np.log(self.beta), 0.0, 0.0]), self.transitions, starts)
            elif log_odds is not None:
                labels, expected = best_cut(
                    scores, self.transitions, starts, log_odds, weight, self.beta, pages.text_number
                )
            else:
                content = tempered(probability[:, O], self.sharpness)
                labels = best_expected_f(scores, self.transitions, starts, content, weight, self.beta)
            labels = repaired(labels, starts)
            for number, (first, end) in enumerate(zip(starts.tolist(), ends.tolist(), strict=True)):
                page = slice(first, end)
                own = (
                    expected[number]
                    if expected
                    else expected_f_of(labels[page] == O, probability[page, O], weight[page])
                )
                yield PageLabels(labels[page], probability[page], own)


def labeller_of(
    data: bytes,
    features: FeatureSet,
    ensemble: Ensemble | None,
    decoding: str,
    beta: float,
    sharpness: float,
) -> Labeller:
    """What a CRFsuite model makes of pages, with the ensemble below it.

    Raises NotAModel, and ValueError where they do not go together.
    """
    check_decoding(decoding, beta, sharpness)
    if needs_ensemble(features) != (ensemble is not None):
        raise ValueError(
            f"the feature set {features.name} "
            + ("needs an ensemble below it" if ensemble is None else "has no ensemble below it")
        )
    model = read_model(data)
    attributes = attributes_in(model, features)
    unseen = [number for number, label in enumerate(LABELS) if label not in model.labels]
    return Labeller(
        attributes, *label_weights(model, attributes), unseen, ensemble, decoding, beta, sharpness
    )


def needs_ensemble(features: FeatureSet) -> bool:
    """Whether a CRF with these features stands on an ensemble."""
    return any(feature.name == odds.__name__ for feature in features.features)


def check_decoding(decoding: str, beta: float, sharpness: float) -> None:
    """Raises ValueError where labels cannot be chosen that way."""
    if decoding not in DECODINGS:
        raise ValueError(f"decoding is one of {', '.join(DECODINGS)}, not {decoding!r}")
    if not beta > 0:
        raise ValueError(f"beta must be above 0, not {beta}")
    if not sharpness > 0:
        raise ValueError(f"sharpness must be above 0, not {sharpness}")


def _in_batches(X: Sequence[TextNodes]) -> list[Sequence[TextNodes]]:  # noqa: N803
    """The pages in turn, as many together as both bounds admit; one is never parted."""
    batches: list[Sequence[TextNodes]] = []
    start = texts = 0
    for number, page in enumerate(X):
        if number > start and (number - start >= BATCH or texts + len(page) > BATCH_TEXTS):
            batches.append(X[start:number])
            start, texts = number, 0
        texts += len(page)
    return [*batches, X[start:]] if len(X) else []


def _shifted(log_odds: FloatArray, pages: Forest, shift: Shift | None) -> FloatArray:
    """The log-odds with what is known of the pages beside."""
    added = None if shift is None else shift(pages)
    return log_odds if added is None else log_odds + added


def _content_probability(log_odds: FloatArray) -> FloatArray:
    probability: FloatArray = 1 / (1 + np.exp(-log_odds))
    return probability


def _ensemble_probability(scores: FloatArray, log_odds: FloatArray) -> FloatArray:
    """The ensemble's probability of content; the rest is shared between B and I by the CRF's scores of the
    node.

    The CRF weighs all nodes alike, the ensemble by words: with the CRF's own probabilities the text is worse
    (docs/decisions).
    """
    content = _content_probability(log_odds)
    begins = 1 / (1 + np.exp(np.clip(scores[:, I] - scores[:, B], -500, 500)))
    return np.column_stack((content, (1 - content) * begins, (1 - content) * (1 - begins)))
