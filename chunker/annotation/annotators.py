"""How far two annotators of the same pages agree (Nakamura 2007, section 4.1.1)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ruiji.chunker.annotation.examples import Example
from ruiji.chunker.labels import on_common_nodes
from ruiji.chunker.metrics import Counts, score_labels


@dataclass(frozen=True, slots=True)
class Agreement:
    """The counts of each page that both have, and the pages whose texts are not the same."""

    by_page: Mapping[str, Counts]
    different: tuple[str, ...]

    @property
    def total(self) -> Counts:
        """The counts of all pages together."""
        return sum(self.by_page.values(), Counts())


def agreement(ours: Mapping[str, Example], theirs: Mapping[str, Example]) -> Agreement:
    """The agreement on the pages of the same name."""
    by_page, different = {}, []
    for name in sorted(ours.keys() & theirs.keys()):
        first, other = ours[name], theirs[name]
        if first.nodes is None or other.nodes is None:
            continue
        try:
            by_page[name] = score_labels(
                *on_common_nodes(first.nodes.texts, first.labels, other.nodes.texts, other.labels)
            )
        except ValueError:
            different.append(name)
    return Agreement(by_page, tuple(different))
