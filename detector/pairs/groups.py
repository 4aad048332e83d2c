"""Groups of identical pages with one to keep. A page belongs to a group only when it is identical with the
page that is kept, nearly all of its text, short lines too, stands in that page, and what does not says too
little to be missed.

A mask may keep a ticker with the article, or in its place. So a share of the characters is not enough, and
what the mask has dropped is asked too (``Loss``).

Chains do not make groups: that B is like A, and C like B, says nothing of A and C. So the pages are taken in
the order in which one would keep them, and each that is not in a group yet gathers the pages identical with
it that are not in one either.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, replace

from ruiji.detector.pairs.relations import KEPT_SHARE, MIN_BITS
from ruiji.detector.sites import is_number
from ruiji.detector.urls import host_and_path


@dataclass(frozen=True, slots=True, order=True)
class Preference:
    """Which page to keep: the one with the most content, then one whose host has a name, then the oldest,
    then that of the shortest address, then by the alphabet.
    """

    fewer_chars: int  # minus the characters of its long sentences
    numbered: bool
    changed: str
    url_length: int
    url: str


def preference(url: str, long_chars: int, changed: str) -> Preference:
    return Preference(-long_chars, is_number(host_and_path(url)[0]), changed, len(url), url)


# Sentences outside of the content that a page of the same frame may have for itself: releases of a manual and
# mirrors have up to two, pages that differ in an article which the mask took for furniture from four on.
LINES_OF_A_FRAME = 2


@dataclass(frozen=True, slots=True)
class Loss:
    """What would be lost of a page if it were dropped for another."""

    chars: int  # of its content, that the other lacks
    of: int  # characters of its content
    bits: int = 0  # that its long sentences say which the other has in no wording
    sentences: int = 1  # long ones in its content
    asides: int = 0  # long sentences outside of its content
    lost_asides: int = 0  # of them, that stand nowhere in the other

    def is_slight(self, kept_share: float) -> bool:
        """Whether nothing worth a pair is lost: little text, no sentence, and outside of the content none
        that may be an article which the mask took for furniture.
        """
        return (
            self.chars <= (1 - kept_share) * self.of and self.bits < MIN_BITS and not self._of_another_article
        )

    @property
    def _of_another_article(self) -> bool:
        """Pages that have most of their furniture in common differ in what is their own, and in a line or two
        of a list. Frames differ anyway, so there only more sentences outside of a page's content than inside
        speak against its mask.
        """
        one_frame = 2 * self.lost_asides < self.asides
        return self.lost_asides > (LINES_OF_A_FRAME if one_frame else self.sentences)

    def after(self, first: Loss) -> Loss:
        """What is lost at most of a page that another stands for, which itself loses this."""
        return replace(
            first,
            chars=first.chars + self.chars,
            bits=first.bits + self.bits,
            lost_asides=first.lost_asides + self.lost_asides,
        )


Losses = Mapping[tuple[int, int], Loss]  # by page and other


def groups_of(
    losses: Losses,
    collapsed: Mapping[int, int],
    preferences: Mapping[int, Preference],
    kept_share: float = KEPT_SHARE,
) -> list[list[tuple[int, int]]]:
    """The groups, (page, lost characters) with the kept page first, the others by their addresses; groups by
    the address of the kept page.

    ``losses`` are those of the pages of identical pairs, both ways; ``collapsed`` tells which page stands for
    a page that has the very same long sentences. Where such a page was not compared with the kept one itself,
    it loses at most what the page that stands for it lacks of it, and what the kept one lacks of that.
    """
    by_kept: dict[int, dict[int, Loss]] = defaultdict(dict)
    for (page, other), loss in losses.items():
        by_kept[other][page] = loss
    twins: dict[int, list[int]] = defaultdict(list)
    for page, kept in collapsed.items():
        twins[kept].append(page)
    groups = []
    grouped: set[int] = set()
    for kept in sorted(by_kept, key=preferences.__getitem__):
        if kept in grouped:
            continue
        candidates = dict(by_kept[kept])
        for page, loss in by_kept[kept].items():
            for twin in twins[page]:
                if twin not in candidates and twin != kept and (twin, page) in losses:
                    candidates[twin] = loss.after(losses[twin, page])
        dropped = {
            page: loss.chars
            for page, loss in candidates.items()
            if page not in grouped and loss.is_slight(kept_share)
        }
        if dropped:
            grouped.update((kept, *dropped))
            others = sorted(dropped.items(), key=lambda item: preferences[item[0]].url)
            groups.append([(kept, 0), *others])
    return sorted(groups, key=lambda group: preferences[group[0][0]].url)
