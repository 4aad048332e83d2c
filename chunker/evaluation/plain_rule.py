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
from ruiji.chunker.unique.image_blocks import image_blocks, unique_images, with_images
from ruiji.features.page.textnodes import TextNodes

THRESHOLDS = tuple(number / 20 for number in range(10, 21))  # the axis of figure 8


@dataclass(frozen=True, slots=True)
class SitesAndMixed:
    """What the plain rule reaches on each site alone, and on all sites as one collection."""

    alone: Scores  # by site; the total is the paper's micro average
    mixed: Scores
    alone_images: Counts  # the totals with blocks of images alone counted too, as the paper does
    mixed_images: Counts


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
    alone_images = Counts()
    for site in sites:
        own = unique_scores(
            [example for example in examples if example.site == site], **PLAIN, threshold=threshold
        )
        pages += own.pages
        alone_images += images_counted(own, threshold)
        done()
    mixed = unique_scores(examples, **PLAIN, threshold=threshold)
    done()
    return SitesAndMixed(scores_of(pages), mixed, alone_images, images_counted(mixed, threshold))


def images_counted(scores: Scores, threshold: float) -> Counts:
    """The counts of all pages, blocks of images alone among them, which the plain rule compares like any
    other.
    """
    blocks = [[] if page.example.nodes is None else image_blocks(page.example.nodes) for page in scores.pages]
    total = Counts()
    for page, own, unique in zip(scores.pages, blocks, unique_images(blocks, threshold), strict=True):
        total += with_images(page.counts, page.example.labels, own, unique)
    return total


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
