"""Cross-validation with folds grouped by site, and scores of masks against annotations (Nakamura 2007,
sections 4.2 to 4.4).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Protocol

import numpy as np
from joblib import Parallel, delayed
from sklearn.base import clone
from sklearn.model_selection import GroupKFold

from ruiji.chunker.annotation.examples import Example, families
from ruiji.chunker.labels import LabelArray, O
from ruiji.chunker.metrics import Counts, score_blocks, score_labels, score_words
from ruiji.corpora import InputError
from ruiji.features.page.textnodes import TextNodes


class Chunker(Protocol):
    """What is cross-validated: CrfChunker, SvmChunker, AllContent."""

    def fit(self, X: Sequence[TextNodes], y: Sequence[Any]) -> Any: ...  # noqa: N803

    def predict_labels(self, X: Sequence[TextNodes]) -> list[LabelArray]: ...  # noqa: N803


class TooFewSites(InputError):
    """Examples of a single site, or none: no split could be honest."""


@dataclass(frozen=True, slots=True)
class Scores:
    """The counts of all pages, by fold and by site."""

    total: Counts
    folds: Sequence[Counts]
    by_site: Mapping[str, Counts]

    def as_dict(self) -> dict[str, Any]:
        """As JSON has it."""
        return {
            "metrics": self.total.as_dict(),
            "folds": [fold.as_dict() for fold in self.folds],
            "by_site": {site: counts.as_dict() for site, counts in self.by_site.items()},
        }


@dataclass(frozen=True, slots=True)
class Fold:
    """Numbers of the examples to learn from and of those to be judged by."""

    train: Sequence[int]
    test: Sequence[int]


def grouped_folds(examples: Sequence[Example], count: int, together: Sequence[str] = ()) -> list[Fold]:
    """Folds of about equal size in which no site, and no family of sites, is on both sides. Raises
    TooFewSites.
    """
    group_of = families(sorted({example.site for example in examples}), together)
    groups = [group_of[example.site] for example in examples]
    different = len(set(groups))
    if different < 2:
        raise TooFewSites(f"cross-validation needs pages of two sites or more; these are of {different}")
    splits = GroupKFold(min(count, different)).split(examples, groups=groups)
    return [Fold(train.tolist(), test.tolist()) for train, test in splits]


def cross_validated(
    chunker: Chunker,
    examples: Sequence[Example],
    folds: Sequence[Fold],
    jobs: int = 1,
    done: Callable[[], object] = lambda: None,
) -> Scores:
    """The scores of a chunker that learns each fold anew. ``done`` is called after each fold."""
    work = (delayed(_fold_scores)(clone(chunker), examples, fold) for fold in folds)
    results = []
    for result in Parallel(n_jobs=jobs, return_as="generator")(work):
        results.append(result)
        done()
    return collected(
        [
            (examples[number].site, counts)
            for fold, own in zip(folds, results, strict=True)
            for number, counts in zip(fold.test, own, strict=True)
        ],
        [len(fold.test) for fold in folds],
    )


def collected(pages: Sequence[tuple[str, Counts]], fold_sizes: Sequence[int] = ()) -> Scores:
    """The scores from those of single pages, each with its site, fold after fold."""
    by_site: dict[str, Counts] = {}
    for site, counts in pages:
        by_site[site] = by_site.get(site, Counts()) + counts
    borders = np.cumsum([0, *fold_sizes]).tolist()
    folds = [sum((counts for _, counts in pages[start:end]), Counts()) for start, end in pairwise(borders)]
    return Scores(sum(by_site.values(), Counts()), folds, dict(sorted(by_site.items())))


def score_example(example: Example, labels: LabelArray) -> Counts:
    """Every metric of one page."""
    nodes = example.nodes
    assert nodes is not None
    counts = score_labels(example.labels, labels)
    counts += score_blocks(example.labels == O, labels == O, nodes.block, nodes.texts)
    return counts + score_words(example.text, nodes.shown_text(labels == O))


def _fold_scores(chunker: Chunker, examples: Sequence[Example], fold: Fold) -> list[Counts]:
    train = [examples[number] for number in fold.train]
    chunker.fit([_nodes(example) for example in train], [example.labels for example in train])
    test = [examples[number] for number in fold.test]
    predicted = chunker.predict_labels([_nodes(example) for example in test])
    return [score_example(example, labels) for example, labels in zip(test, predicted, strict=True)]


def _nodes(example: Example) -> TextNodes:
    assert example.nodes is not None
    return example.nodes
