"""Attributes and weights: what CRFsuite is given in training, and what its model file holds."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from ruiji.chunker.crf.model_file import CrfModel
from ruiji.chunker.labels import LABELS, LabelArray, O
from ruiji.features.arrays import FloatArray
from ruiji.features.nodes.attributes import Attributes, FeatureSet, Open, choose
from ruiji.features.nodes.forest import Forest, forest
from ruiji.features.page.textnodes import TextNodes

PagesLogOdds = Sequence[FloatArray] | None  # of the ensemble, for each page's nodes


BATCH = 32  # pages whose arrays are made together
# And texts, of some 1,300 bytes each: a page of 800 kB can have 200,000, and eight of them took 1.5 GB.
BATCH_TEXTS = 50_000


def chosen_attributes(
    features: FeatureSet,
    X: Sequence[TextNodes],  # noqa: N803
    labels: Sequence[LabelArray],
    given: PagesLogOdds = None,
) -> Attributes:
    """The attributes that these pages give."""
    pages = forest_with_odds(X, given)
    numbers = {host: number for number, host in enumerate(sorted({page.host for page in X}))}
    domains = np.array([numbers[page.host] for page in X], dtype=np.int32)[pages.page]
    return choose(features, pages, np.concatenate(labels) > O, domains)


def item_sequences(
    attributes: Attributes,
    X: Sequence[TextNodes],  # noqa: N803
    given: PagesLogOdds = None,
) -> Iterator[list[list[bytes]]]:
    """The attributes of each page's nodes by name, as CRFsuite takes them; one that counts twice stands there
    twice.
    """
    names = [name.encode() for name in attributes.names()]
    for start in range(0, len(X), BATCH):
        batch = slice(start, start + BATCH)
        pages = forest_with_odds(X[batch], None if given is None else given[batch])
        rows = attributes.columns(pages).rows()
        items = [[names[number] for number in row] for row in rows]
        for first, end in zip(pages.page_start[:-1].tolist(), pages.page_start[1:].tolist(), strict=True):
            yield items[first:end]


def forest_with_odds(X: Sequence[TextNodes], given: PagesLogOdds) -> Forest:  # noqa: N803
    pages = forest(X)
    return pages if given is None else pages.with_odds(np.concatenate(given))


def attributes_in(model: CrfModel, features: FeatureSet) -> Attributes:
    """The attributes that a model has weights for."""
    values: dict[str, list[str]] = {
        feature.name: [] for feature in features.features if isinstance(feature, Open)
    }
    for attribute in model.attributes:
        name, _, value = attribute.partition("=")
        if name in values:
            values[name].append(value)
    return Attributes(features, values)


def label_weights(model: CrfModel, attributes: Attributes) -> tuple[FloatArray, FloatArray]:
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
