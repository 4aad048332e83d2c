"""One decision for all blocks at the same place of a site's template."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ruiji.chunker.labels import B, I, LabelArray, O
from ruiji.features.page.template_paths import template_paths
from ruiji.features.page.textnodes import TextNodes


@dataclass(frozen=True, slots=True)
class SiteRule:
    """What was decided for all blocks at a place of a site; ``path`` is that of
    ``features.templatepaths``.
    """

    site: str
    path: str
    content: bool


def ruled(labels: LabelArray, nodes: TextNodes, rules: Sequence[SiteRule]) -> LabelArray:
    """The labels of a page after the rules of its site, in their order: each block at a rule's place is
    content, or one region.
    """
    decided = labels.copy()
    paths = template_paths(nodes) if rules else []
    for rule in rules:
        for element, path in enumerate(paths):
            if path == rule.path:
                decide(decided, int(nodes.first[element]), int(nodes.end[element]), rule.content)
    return decided


def decide(labels: LabelArray, start: int, end: int, content: bool) -> None:
    """Makes the nodes of a block content, or one region, in place; a region that reaches beyond its end
    begins anew there.
    """
    if end <= start:
        return
    labels[start:end] = O if content else I
    if not content:
        labels[start] = B
    if end < len(labels) and labels[end] == I:
        labels[end] = B
