"""The CRF chunker: text nodes in, IOB2 labels over non-content out (Nakamura 2007, with a CRF in place of the
SVM).

The set ``stacked`` has judges below (chunker.committee: gradient-boosted trees and a network), which learn in
``fit`` and are kept as ``below_``. Then they say which text is content, and the CRF over them where regions
begin and end.

Training is CRFsuite's. Tagging is ours: the weights are read from the trained model, every attribute is a
number, and a batch of pages is a few gathers and sums; CRFsuite's own tagger gives the same labels and
probabilities, only slower.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import compress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, NamedTuple, Self

import numpy as np
from pycrfsuite import Trainer
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted
from sklearn_crfsuite import CRF

from ruiji.chunker.crf.model_file import CrfModel, read_model
from ruiji.chunker.decoding.chain import FORBIDDEN, marginals, viterbi
from ruiji.chunker.decoding.expected_f import (
    DECODINGS,
    Opinions,
    best_cut,
    best_expected_f,
    expected_f_of,
    joined,
    node_weights,
    tempered,
)
from ruiji.chunker.labels import LABELS, UNSURE, B, I, LabelArray, O, as_names, as_numbers, repaired
from ruiji.chunker.mask import ContentMask
from ruiji.chunker.metrics import Counts, score_labels
from ruiji.features.arrays import FloatArray
from ruiji.features.nodes.attributes import Attributes, FeatureSet, Open, choose
from ruiji.features.nodes.forest import Forest, forest
from ruiji.features.nodes.sets import feature_set
from ruiji.features.nodes.stacked import odds
from ruiji.features.page.textnodes import TextNodes

if TYPE_CHECKING:
    from ruiji.chunker.stack.ensemble import Committee

Labels = Sequence[str] | LabelArray
Said = Sequence[Opinions] | None  # of the judges below, on each page's nodes

PER_SITE = 15
MAX_PAGES = 800
SHARPNESS = 0.35  # of 0.25 to 1; our measurement, docs/decisions.md
TREE_ROUNDS = 200
EPOCHS = 10
BATCH = 32  # pages whose arrays are made together


class CrfChunker(BaseEstimator):  # type: ignore[misc]
    """A scikit-learn estimator: X is a sequence of TextNodes, y their labels ("O", "B", "I", or the numbers
    of chunker.labels).

    ``features`` names a feature set, ``without`` leaves some of its features out, ``keywords`` is "selected"
    (by the rule, from the training pages) or "fixed" (the list by hand). ``c1`` and ``c2`` are the weights of
    the L1 and L2 penalties for a thousand training sites: pages of one site are alike, so it is sites that
    training has samples of. Of a site no more than ``per_site`` pages are learned from (None: all), so that a
    large one does not drown the others; of all pages no more than ``max_pages``, evenly spread: training
    takes as long as it has pages (docs/decisions.md).

    ``decoding``: "viterbi" gives the likeliest sequence; "f1" gives, page by page, that of the likeliest
    sequences at several odds of content whose content has the best expected F over its words. ``beta`` is the
    dial between precision and recall of the content. With "f1" it is the β of F: recall counts β times as
    much as precision. With "viterbi" it multiplies the odds of content at every node. ``sharpness`` says how
    far "f1" trusts the marginals: it multiplies their log-odds. Nodes of a page are right or wrong together,
    more than a chain can know, so the marginals are surer than they should be.
    """

    def __init__(
        self,
        features: str = "full",
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
    ) -> Self:
        """Learns from pages and their labels; keywords and other open values are chosen here, from these
        pages alone.

        Nodes labelled UNSURE (chunker.labels) are seen by the features of others and not learned from.

        ``watch`` is called after each round of training.
        """
        self._check_settings()
        below, said = None, None
        self.held_out_: dict[int, Opinions] = {}
        labels: Sequence[LabelArray] = checked_labels(X, y)
        if self._stacked():  # the judges want all pages, the CRF over them has few weights
            numbers = spread_numbers(X, self.per_site, None)
            X, labels = [X[number] for number in numbers], [labels[number] for number in numbers]  # noqa: N806
            below, opinions = self._convened(X, labels, watch)
            chosen = _evenly(list(range(len(X))), self.max_pages)
            shown = set(chosen)
            self.held_out_ = {
                numbers[place]: opinions[place] for place in range(len(X)) if place not in shown
            }
            X, labels = [X[place] for place in chosen], [labels[place] for place in chosen]  # noqa: N806
            said = [opinions[place] for place in chosen]
        else:
            X, labels = spread(X, labels, self.per_site, self.max_pages)  # noqa: N806
        attributes = chosen_attributes(self.feature_set(), X, labels, said)
        thousands = len({page.host for page in X if len(page)}) / 1000
        with TemporaryDirectory() as folder:  # CRFsuite writes to a path only
            path = Path(folder) / "model"
            crf = CRF(
                algorithm="lbfgs",
                c1=self.c1 * thousands,
                c2=self.c2 * thousands,
                max_iterations=self.max_iterations,
                all_possible_transitions=True,
                model_filename=str(path),
                trainer_cls=_watched(watch),
            )
            sure = [own != UNSURE for own in labels]
            items = (
                [*compress(own, known)]
                for own, known in zip(item_sequences(attributes, X, said), sure, strict=True)
                if known.any()
            )
            crf.fit(
                items, [as_names(own[known]) for own, known in zip(labels, sure, strict=True) if known.any()]
            )
            data = path.read_bytes()
        return self.set_model(data, below)

    def _convened(
        self,
        X: Sequence[TextNodes],  # noqa: N803
        labels: Sequence[LabelArray],
        watch: Callable[[], object],
    ) -> tuple[Committee, list[Opinions]]:
        """The judges, and for each page the opinions of such as have not seen its site."""
        from ruiji.chunker.stack.ensemble import convened  # only this set wants them
        from ruiji.chunker.stack.trees import TreeSettings

        return convened(X, labels, TreeSettings(rounds=self.tree_rounds), self.epochs, watch)

    def _stacked(self) -> bool:
        """Whether judges stand below the CRF."""
        return any(feature.name == odds.__name__ for feature in self.feature_set().features)

    def _heard(self, X: Sequence[TextNodes], said: Said = None) -> tuple[Forest, Opinions | None]:  # noqa: N803
        """The pages, with what the judges say of them, or what others have said."""
        pages = forest(X)
        if self.below_ is None:
            return pages, None
        opinions = self.below_.opinions(pages) if said is None else joined(said)
        return pages.with_odds(opinions.together), opinions

    def set_model(self, data: bytes, below: Committee | None = None) -> Self:
        """Takes a CRFsuite model as what was learned, with the judges below it where the feature set wants
        them.
        """
        self._check_settings()
        if self._stacked() != (below is not None):
            raise ValueError(
                f"the feature set {self.features} "
                + ("needs judges below it" if below is None else "has no judges below it")
            )
        self.below_ = below
        model = read_model(data)
        self.model_ = data
        self.classes_ = np.array(LABELS)
        self.attributes_ = _attributes_in(model, self.feature_set())
        self.weights_, self.transitions_ = _weights(model, self.attributes_)
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

    def predict_held_out(self, X: Sequence[TextNodes]) -> dict[int, Decoded]:  # noqa: N803
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
        return sum((score_labels(as_numbers(true), found) for true, found in pairs), Counts()).B_F

    def explain(self, nodes: TextNodes, node: int) -> Explanation:
        """Which attributes and transitions decided the label of a node."""
        if not 0 <= node < len(nodes):
            raise IndexError(
                f"the page has {len(nodes)} text nodes, numbered from 0; there is no node {node}"
            )
        ((labels, probability, _),) = self.decoded([nodes])
        pages, _ = self._heard([nodes])
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
        if self.below_ is not None:  # they say what is content, the CRF only where regions part
            of_judges = [
                Reason(name, 1, pull, 0.0, 0.0) for name, pull in self.below_.reasons(pages, node).items()
            ]
            shown = sorted(of_judges, key=lambda reason: -reason.pull) + shown
        return Explanation(
            nodes.texts[node],
            LABELS[labels[node]],
            dict(zip(LABELS, probability[node].tolist(), strict=True)),
            shown,
        )

    def decoded(self, X: Sequence[TextNodes], said: Said = None) -> Iterator[Decoded]:  # noqa: N803
        """What is found of each page."""
        check_is_fitted(self)
        self._check_settings()
        for start in range(0, len(X), BATCH):
            pages, opinions = self._heard(
                X[start : start + BATCH], None if said is None else said[start : start + BATCH]
            )
            scores = self.attributes_.columns(pages).scores(self.weights_)
            scores[:, self.unseen_] = FORBIDDEN
            starts, ends = pages.page_start[:-1], pages.page_start[1:]
            probability = (
                _by_judges(scores, pages.odds)
                if pages.odds is not None
                else marginals(scores, self.transitions_, starts)
            )
            weight = node_weights(pages)
            expected: Sequence[float] | None = None
            if self.decoding == "viterbi":
                labels = viterbi(scores + np.array([np.log(self.beta), 0.0, 0.0]), self.transitions_, starts)
            elif opinions is not None:
                labels, expected = best_cut(
                    scores, self.transitions_, starts, opinions, weight, self.beta, pages.text_number
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
                yield Decoded(labels[page], probability[page], own)

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


class Decoded(NamedTuple):
    """The labels of a page, the probability of each label at each node, and how good the content is expected
    to be.
    """

    labels: LabelArray
    probability: FloatArray
    expected_f1: float


class Reason(NamedTuple):
    """An attribute, how often the node has it, and what it adds to the scores of O, B and I."""

    attribute: str
    times: int
    content: float
    begins: float
    inside: float

    @property
    def pull(self) -> float:
        """How far it pulls content and non-content apart."""
        return abs(self.content - max(self.begins, self.inside))


@dataclass(frozen=True, slots=True)
class Explanation:
    """Why a node has its label: the strongest reasons first."""

    text: str
    label: str
    probability: Mapping[str, float]
    reasons: Sequence[Reason]

    def __str__(self) -> str:
        lines = [
            f"{self.text.strip()[:60]!r}: {self.label}, "
            + ", ".join(f"{name} {value:.3f}" for name, value in self.probability.items())
        ]
        lines += [f"  {name:40} O {o:+.2f}  B {b:+.2f}  I {i:+.2f}" for name, _, o, b, i in self.reasons]
        return "\n".join(lines)


def _watched(watch: Callable[[], object]) -> type[Trainer]:
    """CRFsuite's trainer, which calls somebody after each round."""

    class Watched(Trainer):  # type: ignore[misc]
        def message(self, message: str) -> None:
            if self.logparser.feed(message) == "iteration":
                watch()

    return Watched


def _by_judges(scores: FloatArray, odds: FloatArray) -> FloatArray:
    """The judges' probability of content, with what is left shared out between B and I by the CRF's scores of
    the node.

    The CRF counts nodes alike and the judges count words: with the CRF's own probabilities the text is worse
    (docs/decisions.md).
    """
    content = 1 / (1 + np.exp(-odds))
    begins = 1 / (1 + np.exp(np.clip(scores[:, I] - scores[:, B], -500, 500)))
    return np.column_stack((content, (1 - content) * begins, (1 - content) * (1 - begins)))


def checked_labels(X: Sequence[TextNodes], y: Sequence[Labels]) -> list[LabelArray]:  # noqa: N803
    """The labels as numbers. Raises ValueError where they do not fit the pages."""
    labels = [as_numbers(own) for own in y]
    if len(labels) != len(X):
        raise ValueError(f"{len(X)} pages, but labels of {len(labels)}")
    for page, own in zip(X, labels, strict=True):
        if len(page) != len(own):
            raise ValueError(
                f"a page of {page.host or 'no host'} has {len(page)} text nodes, but {len(own)} labels"
            )
    if not any((own != UNSURE).any() for own in labels):
        raise ValueError("no text node to learn from")
    return labels


def spread(
    X: Sequence[TextNodes],  # noqa: N803
    labels: Sequence[LabelArray],
    per_site: int | None,
    max_pages: int | None,
) -> tuple[Sequence[TextNodes], Sequence[LabelArray]]:
    """The pages to learn from: of each site at most so many, evenly spaced among its own, and so many of what
    is left.
    """
    chosen = spread_numbers(X, per_site, max_pages)
    return [X[number] for number in chosen], [labels[number] for number in chosen]


def spread_numbers(X: Sequence[TextNodes], per_site: int | None, max_pages: int | None) -> list[int]:  # noqa: N803
    """The same as numbers of the pages."""
    of_site: dict[str, list[int]] = {}
    for number, page in enumerate(X):
        of_site.setdefault(page.host, []).append(number)
    chosen = []
    for host, own in of_site.items():
        chosen += _evenly(own, per_site if host else None)  # without a host nobody knows the site
    return _evenly(sorted(chosen), max_pages)


def _evenly(numbers: list[int], most: int | None) -> list[int]:
    """At most so many of the numbers, evenly spaced."""
    if most is None or len(numbers) <= most:
        return numbers
    return [numbers[place * len(numbers) // most] for place in range(most)]


def chosen_attributes(
    features: FeatureSet,
    X: Sequence[TextNodes],  # noqa: N803
    labels: Sequence[LabelArray],
    said: Said = None,
) -> Attributes:
    """The attributes that these pages give."""
    pages = _forest_of(X, said)
    numbers = {host: number for number, host in enumerate(sorted({page.host for page in X}))}
    domains = np.array([numbers[page.host] for page in X], dtype=np.int32)[pages.page]
    return choose(features, pages, np.concatenate(labels) > O, domains)


def item_sequences(
    attributes: Attributes,
    X: Sequence[TextNodes],  # noqa: N803
    said: Said = None,
) -> Iterator[list[list[bytes]]]:
    """The attributes of each page's nodes by name, as CRFsuite takes them; one that counts twice stands there
    twice.
    """
    names = [name.encode() for name in attributes.names()]
    for start in range(0, len(X), BATCH):
        batch = slice(start, start + BATCH)
        pages = _forest_of(X[batch], None if said is None else said[batch])
        rows = attributes.columns(pages).rows()
        items = [[names[number] for number in row] for row in rows]
        for first, end in zip(pages.page_start[:-1].tolist(), pages.page_start[1:].tolist(), strict=True):
            yield items[first:end]


def _forest_of(X: Sequence[TextNodes], said: Said) -> Forest:  # noqa: N803
    pages = forest(X)
    return pages if said is None else pages.with_odds(joined(said).together)


def _attributes_in(model: CrfModel, features: FeatureSet) -> Attributes:
    """The attributes that a model has weights for."""
    values: dict[str, list[str]] = {
        feature.name: [] for feature in features.features if isinstance(feature, Open)
    }
    for attribute in model.attributes:
        name, _, value = attribute.partition("=")
        if name in values:
            values[name].append(value)
    return Attributes(features, values)


def _weights(model: CrfModel, attributes: Attributes) -> tuple[FloatArray, FloatArray]:
    """The weights of attributes and transitions, with labels in our order; 0 for what the model does not
    have.
    """
    place = {name: number for number, name in enumerate(model.attributes)}
    order = [model.labels.index(label) if label in model.labels else -1 for label in LABELS]
    known = [number for number in order if number >= 0]
    own = [label for label, number in enumerate(order) if number >= 0]
    weights = np.zeros((len(attributes.names()), len(LABELS)))
    for number, name in enumerate(attributes.names()):
        if name in place:
            weights[number, own] = model.state[place[name], known]
    transitions = np.zeros((len(LABELS), len(LABELS)))
    transitions[np.ix_(own, own)] = model.transition[np.ix_(known, known)]
    return weights, transitions
