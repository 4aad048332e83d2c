"""Where a chunker or filter is wrong: the worst pages, the runs of text nodes that decide it, and regions by
kind.

scores = cross_validated(chunker, examples, folds)
for page in worst_pages(scores.pages, 10):
    for run in runs_of(page): ...
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from ruiji.chunker.evaluation.crossval import PageOutcome
from ruiji.chunker.evaluation.region_kinds import KINDS, region_kinds
from ruiji.chunker.labels import O, regions_of

RIGHT, LOST, SURPLUS = "right", "lost", "surplus"


@dataclass(frozen=True, slots=True)
class NodeRun:
    """Neighbouring text nodes of which truth and label say the same: kept or left out rightly, content that
    was lost, or surplus that was kept.
    """

    start: int
    end: int
    true_content: bool
    said_content: bool

    @property
    def outcome(self) -> str:
        if self.true_content == self.said_content:
            return RIGHT
        return LOST if self.true_content else SURPLUS


@dataclass(frozen=True, slots=True)
class KindScores:
    """How regions of one kind fared."""

    regions: int = 0
    same_regions: int = 0  # with exactly the same extent
    nodes: int = 0
    marked_nodes: int = 0  # called non-content, rightly
    wrongly_marked_nodes: int = 0  # called non-content in regions that look like this kind, and content

    def __add__(self, other: KindScores) -> KindScores:
        return KindScores(
            self.regions + other.regions,
            self.same_regions + other.same_regions,
            self.nodes + other.nodes,
            self.marked_nodes + other.marked_nodes,
            self.wrongly_marked_nodes + other.wrongly_marked_nodes,
        )


def worst_pages(pages: Iterable[PageOutcome], size: int | None = None) -> list[PageOutcome]:
    """The pages with a wrong label, those with the lowest word F1 first; of equal ones that with the most
    wrong text nodes.
    """
    ranked = sorted(
        (page for page in pages if page.counts.same_labels < page.counts.nodes),
        key=lambda page: (page.counts.word_F1, page.counts.same_labels - page.counts.nodes, page.example.id),
    )
    return ranked[:size]


def runs_of(page: PageOutcome) -> list[NodeRun]:
    """The runs of a page, in order; together they are the page."""
    true, said = page.example.labels == O, page.labels == O
    code = true * 2 + said
    borders = np.flatnonzero(np.diff(code)) + 1
    edges = [0, *borders.tolist(), len(code)] if len(code) else [0]
    return [NodeRun(start, end, bool(true[start]), bool(said[start])) for start, end in pairwise(edges)]


def scores_by_kind(pages: Sequence[PageOutcome]) -> dict[str, KindScores]:
    """How true regions of each kind fared, and what was called such a region and is content."""
    by_kind = dict.fromkeys(KINDS, KindScores())
    for page in pages:
        nodes, true = page.example.nodes, page.example.labels
        if nodes is None:
            continue
        marked = page.labels != O
        said = set(regions_of(page.labels))
        for start, end, kind in region_kinds(nodes, true):
            by_kind[kind] += KindScores(
                1, int((start, end) in said), end - start, int(marked[start:end].sum())
            )
        for start, end, kind in region_kinds(nodes, page.labels):
            by_kind[kind] += KindScores(wrongly_marked_nodes=int((true[start:end] == O).sum()))
    return {kind: scores for kind, scores in by_kind.items() if scores != KindScores()}


def node_kinds(page: PageOutcome) -> list[str]:
    """Of each text node the kind of the true region that it stands in, else of the region that it was said to
    stand in, else "".
    """
    kinds = [""] * len(page.labels)
    if page.example.nodes is not None:
        for labels in (page.labels, page.example.labels):
            for start, end, kind in region_kinds(page.example.nodes, labels):
                kinds[start:end] = [kind] * (end - start)
    return kinds
