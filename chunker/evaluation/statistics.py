"""Whether a difference is one: intervals by resampling sites, and learning curves.

Pages of one site are right or wrong together, so it is sites that are drawn again, with all of their pages
(a paired bootstrap by clusters): both chunkers are judged on the same draws, and what is left is how the
difference would have been with other sites of this kind.

    print(difference(scores["crf full"], scores["svm full"], "word_F1"))   # +0.171 [+0.120, +0.223]
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import astuple, dataclass

import numpy as np

from ruiji.chunker.annotation.examples import Example
from ruiji.chunker.crf.estimator import CrfChunker
from ruiji.chunker.crf.svm import SvmChunker
from ruiji.chunker.evaluation.crossval import Chunker, Fold, Scores, cross_validated
from ruiji.chunker.metrics import Counts
from ruiji.features.arrays import FloatArray

RESAMPLES = 2000  # percentiles of 2.5 and 97.5 then rest on 50 draws each (Efron and Tibshirani 1993, ch. 13)
LEVEL = 0.95
FEW_SITES = 8  # below that so few different draws matter that an interval is narrower than it should be
CURVE_POINTS = 6  # of a learning curve at most: each is a training in every fold
SEED = 2007


@dataclass(frozen=True, slots=True)
class Interval:
    """A metric, or the difference of two, and between which values it lies for 95 of 100 draws of sites."""

    value: float
    low: float
    high: float
    sites: int
    signed: bool = False

    @property
    def sure(self) -> bool:
        """Whether 0 lies outside; of one site nobody knows."""
        return self.sites > 1 and (self.low > 0 or self.high < 0)

    def __str__(self) -> str:
        form = "+.3f" if self.signed else ".3f"
        if self.sites < 2:  # all draws are the same
            return f"{self.value:{form}}"
        return f"{self.value:{form}} [{self.low:{form}}, {self.high:{form}}]"


def interval(scores: Scores, metric: str, resamples: int = RESAMPLES) -> Interval:
    """The metric of a chunker with its interval."""
    sites = sorted(scores.by_site)
    drawn = _drawn(_by_site(scores, sites), metric, _draws(len(sites), resamples))
    return Interval(getattr(scores.total, metric), *_limits(drawn), len(sites))


def difference(first: Scores, second: Scores, metric: str, resamples: int = RESAMPLES) -> Interval:
    """How far the first chunker is ahead of the second on the same pages. Raises ValueError where the pages
    are not the same.
    """
    sites = sorted(first.by_site)
    if sites != sorted(second.by_site) or first.total.nodes != second.total.nodes:
        raise ValueError("only chunkers that were judged on the same pages can be compared")
    draws = _draws(len(sites), resamples)
    ours, theirs = (_drawn(_by_site(scores, sites), metric, draws) for scores in (first, second))
    value = getattr(first.total, metric) - getattr(second.total, metric)
    return Interval(value, *_limits(ours - theirs), len(sites), signed=True)


def drawn_means(values: FloatArray, sites: Sequence[str], resamples: int = RESAMPLES) -> Interval:
    """The mean of some values, each of a site, with its interval."""
    names, place = np.unique(np.array(sites), return_inverse=True)
    sums, sizes = np.bincount(place, weights=values), np.bincount(place).astype(np.float64)
    draws = _draws(len(names), resamples)
    return Interval(float(values.mean()), *_limits((draws @ sums) / (draws @ sizes)), len(names), signed=True)


def verdict(first: str, second: str, metric: str, ahead: Interval) -> str:
    """The difference as a sentence."""
    if ahead.sites < 2:
        return f"{first} and {second}: one site cannot show a difference in {metric} ({ahead})"
    if not ahead.sure:
        return (
            f"{first} and {second}: no difference in {metric} that {ahead.sites} sites could show ({ahead})"
        )
    behind = "ahead of" if ahead.value > 0 else "behind"
    return f"{first} is {behind} {second} by {abs(ahead.value):.3f} in {metric} ({ahead})"


@dataclass(frozen=True, slots=True)
class CurvePoint:
    """What was reached with so many pages of so many sites learned from, in the mean of the folds."""

    pages: float
    sites: float
    scores: Scores


def learning_curve(
    chunker: Chunker,
    examples: Sequence[Example],
    folds: Sequence[Fold],
    sizes: Sequence[int],
    by: str = "pages",
    jobs: int = 1,
    done: Callable[[], object] = lambda: None,
) -> list[CurvePoint]:
    """The scores with training sets of several sizes, counted in "pages" or in "sites".

    The test pages of a fold are always the same, and a smaller training set is part of each larger one. Sizes
    beyond what a fold has are left out, and all of it comes last. Pages that the chunker would not learn from
    (more than its ``per_site``) are not counted.
    """
    if by not in ("pages", "sites"):
        raise ValueError(f"a learning curve goes by pages or by sites, not by {by!r}")
    folds = learned_folds(chunker, examples, folds)
    most = min(_size(examples, fold.train, by) for fold in folds)
    points = []
    for size in [*(size for size in sorted(set(sizes)) if size < most), None]:
        part = [Fold(_subset(examples, fold.train, size, by), fold.test) for fold in folds]
        scores = cross_validated(chunker, examples, part, jobs, done)
        pages = float(np.mean([len(fold.train) for fold in part]))
        sites = float(np.mean([_size(examples, fold.train, "sites") for fold in part]))
        points.append(CurvePoint(pages, sites, scores))
    return points


def learned_folds(chunker: Chunker, examples: Sequence[Example], folds: Sequence[Fold]) -> list[Fold]:
    """The folds without the training pages that the chunker would pass over."""
    if not isinstance(chunker, (CrfChunker, SvmChunker)):
        return list(folds)
    learned = []
    for fold in folds:
        known = [(number, nodes) for number in fold.train if (nodes := examples[number].nodes) is not None]
        chosen = chunker.pages_to_learn([nodes for _, nodes in known])
        learned.append(Fold([known[place][0] for place in chosen], fold.test))
    return learned


def doubling_sizes(examples: Sequence[Example], folds: Sequence[Fold], by: str = "pages") -> list[int]:
    """Sizes of training sets from a few pages, or one site, to all, each twice the one before."""
    least = 1 if by == "sites" else 2
    sizes = [min(_size(examples, fold.train, by) for fold in folds)]
    while sizes[0] >= 2 * least and len(sizes) < CURVE_POINTS:
        sizes.insert(0, sizes[0] // 2)
    return sizes


def _subset(examples: Sequence[Example], train: Sequence[int], size: int | None, by: str) -> list[int]:
    """The first so many of the training pages, or all pages of the first so many sites, in a fixed random
    order.
    """
    if size is None:
        return list(train)
    shuffled = np.random.default_rng(SEED).permutation(np.array(train)).tolist()
    if by == "pages":
        return sorted(shuffled[:size])
    sites = list(dict.fromkeys(examples[number].site for number in shuffled))[:size]
    return [number for number in train if examples[number].site in sites]


def _size(examples: Sequence[Example], numbers: Sequence[int], by: str) -> int:
    return len(numbers) if by == "pages" else len({examples[number].site for number in numbers})


def _by_site(scores: Scores, sites: Sequence[str]) -> FloatArray:
    """The counts of each site: a row a site."""
    return np.array([astuple(scores.by_site[site]) for site in sites], dtype=np.float64)


def _draws(sites: int, resamples: int) -> FloatArray:
    """How often each site is drawn in each resample: a row a resample."""
    random = np.random.default_rng(SEED)
    return random.multinomial(sites, np.full(sites, 1 / sites), size=resamples).astype(np.float64)


def _drawn(counts: FloatArray, metric: str, draws: FloatArray) -> FloatArray:
    """The metric in each resample."""
    return np.array([getattr(Counts(*row), metric) for row in (draws @ counts).tolist()])


def _limits(values: FloatArray) -> tuple[float, float]:
    low, high = np.nanquantile(values, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    return float(low), float(high)
