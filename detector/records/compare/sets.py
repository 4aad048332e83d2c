"""Sets of corresponding records in which every pair corresponds (section 3.2 of the paper).

The surest pairs come first. Two records of one page that have different names never come into one set. What
two pairs imply belongs to the set too: 田中 克己 of one page and Katsumi Tanaka of another, by a third that
has both.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations

LARGEST_CLOSED = (
    64  # records of a set that is completed; of larger ones only the pairs that were found are told
)


@dataclass(slots=True)
class CorrespondenceSets:
    """Sets of records, grown pair by pair."""

    pages: Sequence[int]
    titles: Sequence[int]  # a number for each different name
    kanji: Sequence[int]  # the same of full names in kanji; 0 for other names
    parent: dict[int, int] = field(default_factory=dict)
    members: dict[int, list[int]] = field(default_factory=dict)
    closed: bool = True
    weakest: dict[int, float] = field(default_factory=dict)

    def root(self, record: int) -> int:
        path = []
        while (above := self.parent.get(record, record)) != record:
            path.append(record)
            record = above
        for below in path:
            self.parent[below] = record
        return record

    def join(self, x: int, y: int, score: float, misspelt: bool = False) -> bool:
        """Whether two records are in one set now; the kanji of a misspelt name may differ."""
        one, other = self.root(x), self.root(y)
        if one == other:
            return True
        mine, theirs = self.members.get(one, [one]), self.members.get(other, [other])
        if self._clash(mine, theirs, misspelt):
            return False
        if len(mine) < len(theirs):
            one, other, mine, theirs = other, one, theirs, mine
        self.parent[other] = one
        self.members[one] = [*mine, *theirs] if one not in self.members else mine
        if self.members[one] is mine:
            mine.extend(theirs)
        self.members.pop(other, None)
        self.weakest[one] = min(score, self.weakest.get(one, score), self.weakest.pop(other, score))
        return True

    def _clash(self, mine: Sequence[int], theirs: Sequence[int], misspelt: bool) -> bool:
        """Whether one page has a record in each of two sets under different names, or they differ in their
        kanji.
        """
        written = {self.kanji[record] for record in (*mine, *theirs)} - {0}
        if len(written) > 1 and not misspelt:
            return True  # 克己 and 勝美 are both read Katsumi
        smaller, larger = sorted((mine, theirs), key=len)
        pages: dict[int, set[int]] = {}
        for record in smaller:
            pages.setdefault(self.pages[record], set()).add(self.titles[record])
        return any(
            self.titles[record] not in pages[self.pages[record]]
            for record in larger
            if self.pages[record] in pages
        )

    def implied(self) -> Iterator[tuple[int, int, float]]:
        """All pairs of records of different pages in one set, with the score of its weakest pair."""
        for root, members in sorted(self.members.items()) if self.closed else ():
            if 1 < len(members) <= LARGEST_CLOSED:
                for x, y in combinations(sorted(members), 2):
                    if self.pages[x] != self.pages[y]:
                        yield x, y, self.weakest[root]


def correspondence_sets(
    pairs: Iterable[tuple[int, int, float, bool]],
    pages: Sequence[int],
    titles: Sequence[int],
    kanji: Sequence[int],
    closed: bool = True,
) -> CorrespondenceSets:
    """The sets of pairs (records, score, whether the name is misspelt) that come with the surest first;
    ``closed`` sets hold what their pairs imply, too.
    """
    sets = CorrespondenceSets(pages, titles, kanji, closed=closed)
    for x, y, score, misspelt in pairs:
        sets.join(x, y, score, misspelt)
    return sets
