"""Groups of identical pages with one to keep. A page belongs to a group only when it is identical with the
page that is kept, and nearly all of its text, short lines too, stands in that page.

Chains do not make groups: that B is like A, and C like B, says nothing of A and C. So the pages are taken in
the order in which one would keep them, and each that is not in a group yet gathers the pages identical with
it that are not in one either.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, order=True)
class Preference:
    """Which page to keep: the one with the most content, then the oldest, then that of the shortest address,
    then by the alphabet.
    """

    fewer_chars: int  # minus the characters of its long sentences
    changed: str
    url_length: int
    url: str


def preference(url: str, long_chars: int, changed: str) -> Preference:
    return Preference(-long_chars, changed, len(url), url)


KEPT_SHARE = 0.95  # of a page's content, by characters, must be in the page that is kept for it to be dropped

Losses = Mapping[tuple[int, int], tuple[int, int]]  # (page, other) → what the other lacks of it, all of it


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
    by_kept: dict[int, dict[int, tuple[int, int]]] = defaultdict(dict)
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
        for page, (lost, _) in by_kept[kept].items():
            for twin in twins[page]:
                if twin not in candidates and twin != kept and (twin, page) in losses:
                    own, whole = losses[twin, page]
                    candidates[twin] = (own + lost, whole)
        dropped = {
            page: lost
            for page, (lost, whole) in candidates.items()
            if page not in grouped and lost <= (1 - kept_share) * whole
        }
        if dropped:
            grouped.update((kept, *dropped))
            others = sorted(dropped.items(), key=lambda item: preferences[item[0]].url)
            groups.append([(kept, 0), *others])
    return sorted(groups, key=lambda group: preferences[group[0][0]].url)
