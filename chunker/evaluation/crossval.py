"""Cross-validation with folds grouped by site, and scores of masks against annotations (Nakamura 2007,
sections 4.2 to 4.4).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
import numpy.typing as npt
from joblib import Parallel, delayed
from sklearn.base import clone
from sklearn.model_selection import GroupKFold, KFold

from ruiji.chunker.annotation.examples import Example, families
from ruiji.chunker.labels import LabelArray, O, labels_of_mask
from ruiji.chunker.mask import ContentMask
from ruiji.chunker.metrics import Counts, score_blocks, score_labels, score_words
from ruiji.corpora import InputError
from ruiji.features.page.textnodes import TextNodes

if TYPE_CHECKING:
    import pandas as pd

RANDOM_SPLIT = 2007  # the seed of random folds


class Chunker(Protocol):
    """What is cross-validated: CrfChunker, SvmChunker, AllContent."""

    def fit(self, X: Sequence[TextNodes], y: Sequence[Any]) -> Any: ...  # noqa: N803

    def predict_masks(self, X: Sequence[TextNodes]) -> list[ContentMask]: ...  # noqa: N803


class TooFewPages(InputError):
    """A single example: nothing is left to learn from."""


class TooFewSites(InputError):
    """Examples of a single site, or none: no split could be honest."""


@dataclass(frozen=True, slots=True, eq=False)
class PageOutcome:
    """What was said of one page by a chunker or filter that was judged by it."""

    example: Example
    fold: int  # numbered from 0
    labels: LabelArray
    score: npt.NDArray[np.float32]  # of each node the probability of being content
    counts: Counts

    def as_dict(self) -> dict[str, Any]:
        """As JSON has it."""
        return {
            "id": self.example.id,
            "site": self.example.site,
            "fold": self.fold,
            **self.counts.as_dict(),
        }


@dataclass(frozen=True, slots=True)
class Scores:
    """The counts of all pages, by fold and by site; ``pages`` has each page with what was said of it."""

    total: Counts
    folds: Sequence[Counts]
    by_site: Mapping[str, Counts]
    pages: Sequence[PageOutcome] = field(default=(), compare=False)

    def as_dict(self) -> dict[str, Any]:
        """As JSON has it."""
        return {
            "metrics": self.total.as_dict(),
            "folds": [fold.as_dict() for fold in self.folds],
            "by_site": {site: counts.as_dict() for site, counts in self.by_site.items()},
            **({"pages": [page.as_dict() for page in self.pages]} if self.pages else {}),
        }

    def to_frame(self, table: str = "pages") -> pd.DataFrame:
        """A pandas frame with a row for each of the "pages", "nodes", "folds" or "kinds" of regions."""
        from ruiji.chunker.evaluation.frames import score_frame

        return score_frame(self, table)


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


def random_folds(examples: Sequence[Example], count: int) -> list[Fold]:
    """Folds of single pages at random, as in Nakamura 2007, section 4.3: pages of one site are on both sides,
    so a chunker is asked about sites that it has learned from. Raises TooFewPages.
    """
    if len(examples) < 2:
        raise TooFewPages(f"cross-validation needs two pages or more; there is {len(examples)}")
    splits = KFold(min(count, len(examples)), shuffle=True, random_state=RANDOM_SPLIT).split(examples)
    return [Fold(train.tolist(), test.tolist()) for train, test in splits]


def cross_validated(
    chunker: Chunker,
    examples: Sequence[Example],
    folds: Sequence[Fold],
    jobs: int = 1,
    done: Callable[[], object] = lambda: None,
) -> Scores:
    """The scores of a chunker that learns each fold anew. ``done`` is called after each fold."""
    work = (delayed(_fold_masks)(clone(chunker), examples, fold) for fold in folds)
    outcomes: list[PageOutcome] = []
    for number, masks in enumerate(Parallel(n_jobs=jobs, return_as="generator")(work)):
        test = [examples[place] for place in folds[number].test]
        outcomes += outcomes_of(test, masks, number)
        done()
    return scores_of(outcomes)


def outcomes_of(
    examples: Sequence[Example], masks: Sequence[ContentMask], fold: int = 0
) -> list[PageOutcome]:
    """What masks say of annotated pages."""
    outcomes = []
    for example, mask in zip(examples, masks, strict=True):
        labels = labels_of_mask(mask.content) if mask.labels is None else mask.labels
        outcomes.append(PageOutcome(example, fold, labels, mask.score, score_example(example, labels)))
    return outcomes


def scores_of(outcomes: Sequence[PageOutcome]) -> Scores:
    """The scores of pages, which stand fold after fold."""
    sizes = np.bincount([page.fold for page in outcomes]).tolist() if outcomes else []
    scores = collected([(page.example.site, page.counts) for page in outcomes], sizes)
    return replace(scores, pages=outcomes)


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


def _fold_masks(chunker: Chunker, examples: Sequence[Example], fold: Fold) -> list[ContentMask]:
    train = [examples[number] for number in fold.train]
    chunker.fit([_nodes(example) for example in train], [example.labels for example in train])
    return chunker.predict_masks([_nodes(examples[number]) for number in fold.test])


def _nodes(example: Example) -> TextNodes:
    assert example.nodes is not None
    return example.nodes
