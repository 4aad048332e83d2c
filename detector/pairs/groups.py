"""Groups of identical pages with one to keep. A page belongs to a group only when it is identical with the
page that is kept.

Chains do not make groups: that B is like A, and C like B, says nothing of A and C. So the pages are taken in
the order in which one would keep them, and each that is not in a group yet gathers the pages identical with
it that are not in one either.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
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


def groups_of(
    identical: Iterable[tuple[int, int]], collapsed: Mapping[int, int], preferences: Mapping[int, Preference]
) -> list[list[int]]:
    """The groups, each with the kept page first, the others by their addresses; groups by the address of the
    kept page.

    ``identical`` are pairs of identical pages; ``collapsed`` tells which page stands for a page that has the
    very same content.
    """
    neighbours: dict[int, set[int]] = defaultdict(set)
    for one, other in identical:
        one, other = collapsed.get(one, one), collapsed.get(other, other)
        if one != other:
            neighbours[one].add(other)
            neighbours[other].add(one)
    members: dict[int, list[int]] = defaultdict(list)
    for page, kept in collapsed.items():
        members[kept].append(page)
    groups = []
    grouped: set[int] = set()
    for page in sorted(neighbours.keys() | members.keys(), key=preferences.__getitem__):
        if page in grouped:
            continue
        gathered = [page, *(other for other in neighbours[page] if other not in grouped)]
        grouped.update(gathered)
        whole = [*gathered, *(twin for one in gathered for twin in members[one])]
        if len(whole) > 1:
            groups.append(_in_order(whole, preferences))
    return sorted(groups, key=lambda group: preferences[group[0]].url)


def _in_order(pages: Sequence[int], preferences: Mapping[int, Preference]) -> list[int]:
    kept = min(pages, key=preferences.__getitem__)
    return [kept, *sorted((page for page in pages if page != kept), key=lambda page: preferences[page].url)]
