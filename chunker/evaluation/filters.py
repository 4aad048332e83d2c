"""Scores of one filter on annotated pages."""

from __future__ import annotations

from collections.abc import Sequence

from ruiji.chunker.annotation.examples import Example
from ruiji.chunker.evaluation.crossval import Scores, outcomes_of, scores_of
from ruiji.chunker.filters import Filter


def score_filter(filter_: Filter, examples: Sequence[Example]) -> Scores:
    """The scores of the filter's masks against the annotations, in all, by site and by page."""
    masks = filter_.masks([example.nodes for example in examples if example.nodes is not None])
    return scores_of(outcomes_of(examples, masks))
