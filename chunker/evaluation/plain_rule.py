"""The experiments of Yoshida and Yamamoto 2009 on annotated pages: each site alone against all sites mixed
(table 1), and the threshold (figure 8). The rule is the plain one, as published.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from ruiji.chunker.annotation.examples import Example
from ruiji.chunker.evaluation.crossval import PageOutcome, Scores, outcomes_of, scores_of
from ruiji.chunker.metrics import Counts
from ruiji.chunker.unique.estimator import PLAIN, THRESHOLD, UniquenessExtractor
from ruiji.features.page.textnodes import TextNodes

THRESHOLDS = tuple(number / 20 for number in range(10, 21))  # the axis of figure 8


@dataclass(frozen=True, slots=True)
class SitesAndMixed:
    """What the plain rule reaches on each site alone, and on all sites as one collection."""

    alone: Scores  # by site; the total is the paper's micro average
    mixed: Scores


def unique_scores(examples: Sequence[Example], **settings: Any) -> Scores:
    """The scores of block uniqueness with these settings, learned from the very pages."""
    nodes = _nodes(examples)
    return scores_of(outcomes_of(examples, UniquenessExtractor(**settings).fit(nodes).predict_masks(nodes)))


def sites_and_mixed(
    examples: Sequence[Example], threshold: float = THRESHOLD, done: Callable[[], object] = lambda: None
) -> SitesAndMixed:
    """The plain rule on each site alone and on all together. ``done`` is called after each collection."""
    sites = sorted({example.site for example in examples})
    pages: list[PageOutcome] = []
    for site in sites:
        own = [example for example in examples if example.site == site]
        pages += unique_scores(own, **PLAIN, threshold=threshold).pages
        done()
    mixed = unique_scores(examples, **PLAIN, threshold=threshold)
    done()
    return SitesAndMixed(scores_of(pages), mixed)


def by_threshold(
    examples: Sequence[Example],
    thresholds: Sequence[float] = THRESHOLDS,
    done: Callable[[], object] = lambda: None,
) -> dict[float, Counts]:
    """What the plain rule reaches with each threshold on all pages as one collection. ``done`` is called
    after each.
    """
    nodes = _nodes(examples)
    extractor = UniquenessExtractor().set_params(**PLAIN).fit(nodes)
    reached = {}
    for threshold in thresholds:
        masks = extractor.set_params(threshold=threshold).predict_masks(nodes)
        reached[threshold] = scores_of(outcomes_of(examples, masks)).total
        done()
    return reached


def _nodes(examples: Sequence[Example]) -> list[TextNodes]:
    return [example.nodes for example in examples if example.nodes is not None]
