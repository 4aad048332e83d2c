"""Better steps for the numbers of Nakamura 2007, a wish of its section 5.2: tables 3.1, 3.4 and 3.5 chosen
from training pages.

A step is as good as it tells content from the rest: of all ways to cut a number into as many steps as the
paper has, the one whose steps have the most information about the labels is found by dynamic programming
(Fisher 1958). Borders are chosen in ``fit``, so that a cross-validation never sees its test pages.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Self

import numpy as np
import numpy.typing as npt
from sklearn.base import BaseEstimator, clone

from ruiji.chunker.crf.estimator import CrfChunker
from ruiji.chunker.crf.sampling import Labels, checked_labels
from ruiji.chunker.crf.svm import SvmChunker
from ruiji.chunker.labels import O
from ruiji.chunker.mask import ContentMask
from ruiji.features.arrays import BoolArray, FloatArray
from ruiji.features.nodes.attributes import Closed, FeatureSet
from ruiji.features.nodes.buckets import bucket
from ruiji.features.nodes.forest import Forest, forest
from ruiji.features.nodes.structure import around, average
from ruiji.features.page.textnodes import TextNodes

MOST_BORDERS = 100  # candidates: quantiles of the number; lengths of texts have more different values
Borders = Mapping[str, Sequence[float]]


def _text_length(pages: Forest) -> FloatArray:
    return pages.lengths.astype(np.float64)


def _table_text_length(pages: Forest) -> FloatArray:
    return average(pages, around(pages, "table"), pages.lengths_inside)


def _table_link_ratio(pages: Forest) -> FloatArray:
    return average(pages, around(pages, "table"), pages.linked_inside)


# The number under each feature that has steps, and the paper's borders: a step begins at each.
NUMBERS: Mapping[str, Callable[[Forest], FloatArray]] = MappingProxyType(
    {
        "text_length": _text_length,
        "table_text_length": _table_text_length,
        "table_link_ratio": _table_link_ratio,
    }
)
PUBLISHED: Borders = MappingProxyType(
    {
        "text_length": (2, 3, 6, 9, 16),  # table 3.1
        "table_text_length": (1e-9, 1 + 1e-9, 4),  # table 3.4: 0, up to 1, up to 4, more
        "table_link_ratio": (1e-9, 0.4, 0.6, 1),  # table 3.5
    }
)


class BucketChunker(BaseEstimator):  # type: ignore[misc]
    """A chunker whose numbers have steps that were chosen from the pages it learns from."""

    def __init__(self, chunker: CrfChunker | SvmChunker) -> None:
        self.chunker = chunker

    def fit(self, X: Sequence[TextNodes], y: Sequence[Labels]) -> Self:  # noqa: N803
        """Chooses the borders, then learns."""
        self.borders_ = best_borders(X, checked_labels(X, y))
        features = with_borders(self.chunker.feature_set(), self.borders_)
        self.chunker_ = clone(self.chunker).set_params(features=features, without=(), keywords="selected")
        self.chunker_.fit(X, y)
        return self

    def predict_masks(self, X: Sequence[TextNodes]) -> list[ContentMask]:  # noqa: N803
        """The content mask of each page."""
        masks: list[ContentMask] = self.chunker_.predict_masks(X)
        return masks


def best_borders(pages: Sequence[TextNodes], labels: Sequence[npt.NDArray[np.int8]]) -> Borders:
    """For each number as many borders as the paper has, where steps tell most about the labels."""
    together = forest(pages)
    content = np.concatenate(labels) == O
    return {
        name: informative_borders(number(together), content, len(PUBLISHED[name]))
        for name, number in NUMBERS.items()
    }


def informative_borders(values: FloatArray, content: BoolArray, count: int) -> tuple[float, ...]:
    """At most ``count`` borders between values, such that the steps have the most information about content;
    fewer where there are not so many different values.
    """
    candidates = np.unique(values)[1:]
    if len(candidates) > MOST_BORDERS:
        candidates = np.unique(
            np.quantile(values, np.linspace(0, 1, MOST_BORDERS + 2)[1:-1], method="higher")
        )
        candidates = candidates[candidates > values.min()]
    if not len(candidates):
        return ()
    step = bucket(values, candidates.tolist())
    size = len(candidates) + 1
    tallies = np.stack([np.bincount(step[which], minlength=size) for which in (content, ~content)])
    before: FloatArray = np.concatenate(
        (np.zeros((2, 1)), np.cumsum(tallies, axis=1, dtype=np.float64)), axis=1
    )
    # cost[i, j] is the entropy, in bits of all nodes, of one step made of the fine steps from i to before j.
    inside: FloatArray = before[:, None, :] - before[:, :, None]
    cost = np.where(inside.sum(axis=0) >= 0, _entropy(inside), np.inf)
    least = cost[0].copy()
    least[0] = np.inf
    last: list[npt.NDArray[np.intp]] = []
    for _ in range(min(count, len(candidates))):
        total = least[:, None] + cost
        total[np.tril_indices(size + 1)] = np.inf  # a step is never empty
        last.append(total.argmin(axis=0))
        least = total.min(axis=0)
    ends = [size]
    for chosen in reversed(last):
        ends.append(int(chosen[ends[-1]]))
    return tuple(float(candidates[end - 1]) for end in sorted(ends[1:]))


def information(values: FloatArray, content: BoolArray, borders: Sequence[float]) -> float:
    """How many bits the step of a node says about whether it is content."""
    step = bucket(values, borders)
    tallies = np.stack(
        [np.bincount(step[which], minlength=len(borders) + 1) for which in (content, ~content)]
    ).astype(np.float64)
    whole = _entropy(tallies.sum(axis=1, keepdims=True)).sum()
    return float((whole - _entropy(tallies).sum()) / max(len(values), 1))


def with_borders(features: FeatureSet, borders: Borders) -> FeatureSet:
    """The set with other steps."""
    changed = tuple(
        _with_steps(feature, borders[feature.name])
        if isinstance(feature, Closed) and feature.name in borders
        else feature
        for feature in features.features
    )
    return FeatureSet(f"{features.name}, steps chosen", changed, features.version)


def _with_steps(feature: Closed, borders: Sequence[float]) -> Closed:
    return replace(feature, function=_stepped(feature.name, borders), values=_names(borders))


def _stepped(name: str, borders: Sequence[float]) -> Callable[[Forest], npt.NDArray[np.integer]]:
    def stepped(pages: Forest) -> npt.NDArray[np.integer]:
        return bucket(NUMBERS[name](pages), borders)

    stepped.__name__ = name
    return stepped


def _names(borders: Sequence[float]) -> tuple[str, ...]:
    return ("least", *(f"from {border:g}" for border in borders))


def _entropy(tallies: FloatArray) -> FloatArray:
    """The entropy of content and the rest, in bits times nodes; the first axis has the two."""
    whole = tallies.sum(axis=0)
    parts = np.where(tallies > 0, tallies, 1.0)
    of_whole = whole * np.log2(np.where(whole > 0, whole, 1.0))
    bits: FloatArray = of_whole - (tallies * np.log2(parts)).sum(axis=0)
    return bits
