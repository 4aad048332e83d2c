"""The experiments of Yoshida and Yamamoto 2009 on annotated pages: each site alone against all sites mixed
(table 1), and the threshold (figure 8). The rule is the plain one, as published.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ruiji.chunker.annotation.examples import Example
from ruiji.chunker.evaluation.crossval import PageOutcome, Scores, outcomes_of, scores_of
from ruiji.chunker.labels import O
from ruiji.chunker.metrics import Counts, score_blocks
from ruiji.chunker.unique.estimator import PLAIN, THRESHOLD, UniquenessExtractor
from ruiji.chunker.unique.image_blocks import image_blocks, unique_images, with_images
from ruiji.chunker.unique.page_blocks import block_numbers
from ruiji.features.page.textnodes import TextNodes

THRESHOLDS = tuple(number / 20 for number in range(10, 21))  # the axis of figure 8


@dataclass(frozen=True, slots=True)
class SitesAndMixed:
    """What the plain rule reaches on each site alone, and on all sites as one collection; blocks are counted
    as published.
    """

    alone: Scores  # by site; the total is the paper's micro average
    mixed: Scores


def unique_scores(examples: Sequence[Example], **settings: Any) -> Scores:
    """The scores of block uniqueness with these settings, learned from the very pages."""
    nodes = [_nodes_of(example) for example in examples]
    return scores_of(outcomes_of(examples, UniquenessExtractor(**settings).fit(nodes).predict_masks(nodes)))


def sites_and_mixed(
    examples: Sequence[Example], threshold: float = THRESHOLD, done: Callable[[], object] = lambda: None
) -> SitesAndMixed:
    """The plain rule on each site alone and on all together. ``done`` is called after each collection."""
    pages: list[PageOutcome] = []
    for site in sorted({example.site for example in examples}):
        own = [example for example in examples if example.site == site]
        pages += as_published(unique_scores(own, **PLAIN, threshold=threshold), threshold).pages
        done()
    mixed = as_published(unique_scores(examples, **PLAIN, threshold=threshold), threshold)
    done()
    return SitesAndMixed(scores_of(pages), mixed)


def as_published(scores: Scores, threshold: float) -> Scores:
    """The scores with blocks as the paper counts them: rules part blocks (section 3.2.2), and an image alone
    is one (section 3.1), which the plain rule compares like any other.
    """
    blocks = [image_blocks(_nodes_of(page.example)) for page in scores.pages]
    pages = []
    for page, own, unique in zip(scores.pages, blocks, unique_images(blocks, threshold), strict=True):
        nodes, truth = _nodes_of(page.example), page.example.labels
        counted = score_blocks(truth == O, page.labels == O, block_numbers(nodes), nodes.texts)
        counts = page.counts.with_blocks_of(with_images(counted, truth, own, unique))
        pages.append(replace(page, counts=counts))
    return scores_of(pages)


def by_threshold(
    examples: Sequence[Example],
    thresholds: Sequence[float] = THRESHOLDS,
    done: Callable[[], object] = lambda: None,
) -> dict[float, Counts]:
    """What the plain rule reaches with each threshold on all pages as one collection. ``done`` is called
    after each.
    """
    nodes = [_nodes_of(example) for example in examples]
    extractor = UniquenessExtractor().set_params(**PLAIN).fit(nodes)
    reached = {}
    for threshold in thresholds:
        masks = extractor.set_params(threshold=threshold).predict_masks(nodes)
        reached[threshold] = as_published(scores_of(outcomes_of(examples, masks)), threshold).total
        done()
    return reached


def _nodes_of(example: Example) -> TextNodes:
    assert example.nodes is not None
    return example.nodes
