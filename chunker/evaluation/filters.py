"""Scores of one filter on annotated pages."""

from __future__ import annotations

from collections.abc import Sequence

from ruiji.chunker.annotation.examples import Example
from ruiji.chunker.evaluation.crossval import Scores, collected, score_example
from ruiji.chunker.filters import Filter
from ruiji.chunker.labels import labels_of_mask


def score_filter(filter_: Filter, examples: Sequence[Example]) -> Scores:
    """The scores of the filter's masks against the annotations, in all and by site."""
    masks = filter_.masks([example.nodes for example in examples if example.nodes is not None])
    pages = [
        (
            example.site,
            score_example(example, labels_of_mask(mask.content) if mask.labels is None else mask.labels),
        )
        for example, mask in zip(examples, masks, strict=True)
    ]
    return collected(pages, [len(pages)])
