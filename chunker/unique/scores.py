"""How sure it is that each block of a page is content, from what the collection has of it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ruiji.chunker.unique.context import between, surrounded
from ruiji.chunker.unique.template import OPEN, PURPOSE, UNKNOWN, KindArray, Places
from ruiji.chunker.unique.view import PageView, inherited_kinds
from ruiji.features.arrays import BoolArray, FloatArray

NEARLY_ALL = (
    0.9  # share at which even a heading among content, or a date, is part of the template; our measurement
)
RESCUED = 0.05  # added to the score of a repeated block that stays all the same: above 0.5, and never sure


@dataclass(frozen=True, slots=True, eq=False)
class ScoreRule:
    """What decides: the share of pages that makes a repetition, where shares decide at all, and the places of
    the template, None where they do not count.
    """

    share: float
    shares: bool
    places: Places | None

    def block_scores(self, view: PageView, repeated: BoolArray) -> FloatArray:
        """How sure it is that each block is content: above 0.5 it is."""
        page = view.blocks
        kind, fill = self.places_of(view)
        filled = kind > OPEN
        if self.shares:
            sure = np.where(
                view.share < self.share,
                1 - 0.5 * view.share / self.share,
                0.5 * (1 - view.share) / max(1 - self.share, 1e-9),
            )
        else:
            sure = np.where(repeated, 0.0, 1.0)
        sure = np.where((sure > 0.5) & ~repeated, 0.5 + (sure - 0.5) * (1 - fill / 2), np.minimum(sure, 0.5))
        sure = np.where(filled, np.minimum(sure, 0.5 * (1 - fill)), sure)
        if self.shares:
            content = ~repeated & ~filled
            content |= view.byline & ~filled & (view.share < NEARLY_ALL)
            content |= ~filled & (view.share < NEARLY_ALL) & surrounded(page, content)
            content |= between(page, view.keys.element, content)
            sure = np.where(content & (sure <= 0.5), 0.5 + 0.4 * (1 - view.share) + RESCUED, sure)
        score: FloatArray = sure
        return score

    def places_of(self, view: PageView) -> tuple[KindArray, FloatArray]:
        """Of each block what kind of place it stands in, and how much of that is links and repetition."""
        page = view.blocks
        if self.places is None:
            return np.full(len(page), UNKNOWN, dtype=np.int8), np.zeros(len(page))
        direct = self.places.beside_elements(view.keys)
        kind, fill = inherited_kinds(page, self.places.by_place(view.keys), direct)
        named, fill_named = inherited_kinds(page, self.places.by_name(view.keys), direct)
        new = (named > OPEN) & (kind <= OPEN)
        of_node = page.block
        listed = int(page.chars[new[of_node]].sum())
        rest = int((page.chars - view.place.filling)[~new[of_node]].sum())
        if listed < PURPOSE * (listed + rest) or page.contents[new[of_node]].any():
            return named, fill_named
        return kind, fill  # the page is there for what is called like a menu
