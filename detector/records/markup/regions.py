"""Which pieces of a page belong together.

A record is the largest part of the page in which no label comes twice: two rooms are two people. Where the
parts of records stand side by side in one element, a heading, a name, a link or a label that comes again
begins the next.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

from ruiji.detector.records.fields.concepts import Schema
from ruiji.detector.records.fields.values import key_of
from ruiji.detector.records.markup.parts import PagePieces, Part, label_of
from ruiji.features.page.textnodes import NO_LINK

MAX_FIELDS = 60  # of one record; a part of the page with more is a list of something else


def regions(pieces: PagePieces, schema: Schema) -> list[Part]:
    """The parts of a page that its free pieces make."""
    return _Regions(pieces, schema).parts()


class _Regions:
    """The state of dividing one page."""

    def __init__(self, pieces: PagePieces, schema: Schema) -> None:
        self.tree, self.schema, self.pool = pieces.tree, schema, pieces.pool
        self.headings, self.heading_set = pieces.headings, frozenset(pieces.headings)
        self.heading_starts = [self.tree.first[heading] for heading in self.headings]
        self.rows = sorted(part.first for part in pieces.closed)
        self.at = [piece.node for piece in self.pool]

    def parts(self) -> list[Part]:
        if not self.pool:
            return []
        roots = [element for element, parent in enumerate(self.tree.parent) if parent < 0]
        found: list[Part] = []
        for root in roots:
            self._divide(root, found)
        return found

    def _inside(self, element: int) -> tuple[int, int]:
        """The pieces of the pool inside an element, as a range."""
        return bisect_left(self.at, self.tree.first[element]), bisect_left(self.at, self.tree.end[element])

    def _keys(self, low: int, high: int) -> Counter[str]:
        """How often each label that may come only once comes with different values."""
        seen: dict[str, set[str]] = {}
        for piece in self.pool[low:high]:
            if key := label_of(piece):
                seen.setdefault(key, set()).add(
                    key_of(self.schema.kind_of(piece.concept), piece.value) or piece.value
                )
        return Counter({key: len(values) for key, values in seen.items()})

    def _whole(self, element: int) -> bool:
        """Whether all pieces inside an element can be of one record."""
        low, high = self._inside(element)
        if high - low > MAX_FIELDS or self._holds_rows(element):
            return False
        if max(self._keys(low, high).values(), default=0) > 1:
            return False
        after = bisect_right(self.heading_starts, self.pool[low].node)
        before = bisect_left(self.heading_starts, self.tree.end[element])
        return not any(self._begins(heading) for heading in self.headings[after:before])

    def _holds_rows(self, element: int) -> bool:
        """Whether rows of tables that are records stand inside an element."""
        return bisect_left(self.rows, self.tree.first[element]) < bisect_left(
            self.rows, self.tree.end[element]
        )

    def _begins(self, heading: int) -> bool:
        """Whether a heading begins another part, and is not the label of a field."""
        return not self.schema.concept_of(self.tree.text(heading))

    def _divide(self, element: int, found: list[Part]) -> None:
        stack = [element]
        while stack:
            element = stack.pop()
            low, high = self._inside(element)
            if low == high:
                continue
            if self._whole(element):
                found.append(self._part(low, high, element, self.tree.parent[element], "block"))
                continue
            blocks = [child for child in self.tree.children[element] if self.tree.blockish[child]]
            cards = self._cards([block for block in blocks if not self._names_only(block)])
            if self._headed(blocks, cards):
                cards = []
            if cards:
                for card in cards:
                    inner = self._inside(card)
                    found.append(self._part(*inner, card, element, "card"))
                taken = set(cards)
                stack += [block for block in blocks if block not in taken]
            elif len(blocks) == 1 and self._inside(blocks[0]) == (low, high):
                stack.append(blocks[0])
            else:
                stack += self._sequence(element, blocks, low, high, found)

    def _cards(self, blocks: Sequence[int]) -> list[int]:
        """The children that look alike and each hold several pieces of their own: each is a record."""
        by_look: dict[tuple[str, str], list[int]] = {}
        for block in blocks:
            low, high = self._inside(block)
            if low < high:
                by_look.setdefault(
                    (self.tree.tag[block], _first_word(self.tree.names.get(block, ""))), []
                ).append(block)
        best: list[int] = []
        for alike in by_look.values():
            full = [
                block
                for block in alike
                if len({p.concept or p.label for p in self.pool[slice(*self._inside(block))]}) >= 2
            ]
            if len(full) < 2 or 2 * len(full) < len(alike):
                continue
            keys = Counter(key for block in full for key in self._keys(*self._inside(block)))
            if (
                max(keys.values(), default=0) >= 2
                and all(self._whole(block) or not self._holds_cards(block) for block in full)
                and len(full) > len(best)
            ):
                best = [block for block in alike if self._keys(*self._inside(block)) or block in full]
        return best

    def _headed(self, blocks: Sequence[int], cards: Sequence[int]) -> bool:
        """Whether headings stand between the cards, as the name of what follows each: then the card is not
        all of the record.
        """
        own = set(cards)
        kinds = [self._names_only(block) for block in blocks if block in own or self._names_only(block)]
        return 2 * sum(heading and not after for heading, after in pairwise(kinds)) >= max(4, len(cards))

    def _names_only(self, block: int) -> bool:
        """Whether a block is a heading, or holds nothing but what can be a name."""
        if block in self.heading_set:
            return self._begins(block)
        low, high = self._inside(block)
        pieces = self.pool[low:high]
        return 0 < len(pieces) <= 2 and not any(
            piece.label or piece.concept not in ("name", "reading", "") for piece in pieces
        )

    def _holds_cards(self, block: int) -> bool:
        """Whether labels come again so often inside a block that it is a list itself."""
        counts = self._keys(*self._inside(block))
        return (
            sum(count > 1 for count in counts.values()) >= 2
            or max(counts.values(), default=0) > 2
            or self._holds_rows(block)
        )

    def _sequence(
        self, element: int, blocks: Sequence[int], low: int, high: int, found: list[Part]
    ) -> list[int]:
        """Cuts what stands side by side into records; returns the children that must be divided
        themselves.
        """
        tree = self.tree
        units: list[tuple[int, int, int]] = []  # pieces from, to; element or -1 for a line of this element
        again: list[int] = []
        position = low
        spans = [(*self._inside(block), block) for block in blocks]
        for start, end, block in [*spans, (high, high, -1)]:
            while position < start:  # lines directly in the element
                line = tree.line[self.pool[position].node]
                stop = position + 1
                while stop < start and tree.line[self.pool[stop].node] == line:
                    stop += 1
                units.append((position, stop, -1))
                position = stop
            position = max(position, end)
            if block < 0:
                continue
            heading = self._heading_in(block)
            if start < end and (self._whole(block) or (end - start) == 1):
                units.append((start, end, block))
            elif start < end:
                again.append(block)
                units.append((0, 0, block))
            elif heading and self._begins(heading):
                units.append((0, 0, block))
        self._cut(element, units, found)
        return again

    def _cut(self, element: int, units: Sequence[tuple[int, int, int]], found: list[Part]) -> None:
        """Records of units that stand one after another; a unit without pieces is a border."""
        group: list[tuple[int, int, int]] = []
        seen: set[str] = set()
        lead: str | None = None  # how the unit looks that gave the group its name
        last_link = NO_LINK
        for unit in units:
            start, end, block = unit
            if start == end:
                self._close(element, group, found)
                group, seen, lead, last_link = [], set(), None, NO_LINK
                continue
            keys = set(self._keys(start, end))
            look = self.tree.tag[block] if block >= 0 else ""
            names = self._can_name(start, end)
            heading = block >= 0 and self._heading_in(block) and self._begins(self._heading_in(block))
            link = int(self.tree.nodes.link[self.pool[start].node]) if block < 0 else NO_LINK
            if group and (
                keys & seen
                or heading
                or (names and lead == look and seen)
                or self._other_link(link, last_link)
            ):
                carried = self._trailing_names(group) if keys & seen and not names else []
                self._close(element, group[: len(group) - len(carried)], found)
                group, seen, lead = carried, set(), None
                for before in carried:
                    seen |= set(self._keys(before[0], before[1]))
            if names and lead is None:
                lead = look
            last_link = link
            group.append(unit)
            seen |= keys
        self._close(element, group, found)

    def _trailing_names(self, group: Sequence[tuple[int, int, int]]) -> list[tuple[int, int, int]]:
        """The units at the end of a group that only name something: what follows them is theirs. One that is
        all of the group stays.
        """
        count = 0
        while count < len(group) - 1 and self._can_name(group[-1 - count][0], group[-1 - count][1]):
            count += 1
        return list(group[len(group) - count :]) if count and count < len(group) else []

    def _can_name(self, start: int, end: int) -> bool:
        """Whether these pieces can be the name of a record and nothing else, but for its reading and post."""
        pieces = self.pool[start:end]
        return len(pieces) <= 3 and not any(
            piece.label or piece.concept not in ("name", "reading", "post", "") for piece in pieces
        )

    def _close(self, element: int, group: Sequence[tuple[int, int, int]], found: list[Part]) -> None:
        """Makes a part of a group of units."""
        if not group:
            return
        elements = [unit[2] for unit in group if unit[2] >= 0]
        bodies = [unit[2] for unit in group if unit[2] not in self.heading_set]
        alone = len(elements) == 1 or (
            len(bodies) == 1 and bodies[0] >= 0
        )  # a heading and one block: the block is the record
        first = bodies[0] if alone and bodies else elements[0] if elements else element
        part = self._part(group[0][0], group[-1][1], first, element, "block" if alone else "section")
        found.append(Part(part.pieces, part.first, part.end, part.element, part.layout, element, "", alone))

    @staticmethod
    def _other_link(link: int, before: int) -> bool:
        """Whether two lines are two links: a card may be one link, and the next card the next."""
        return link not in (NO_LINK, before) and before != NO_LINK

    def _heading_in(self, block: int) -> int:
        """The first heading that an element is or holds; 0 for none."""
        place = bisect_left(self.headings, block)
        if (
            place < len(self.headings)
            and self.tree.first[block] <= self.tree.first[self.headings[place]] < self.tree.end[block]
        ):
            return self.headings[place]
        return 0

    def _part(self, low: int, high: int, element: int, group: int, layout: str) -> Part:
        pieces = tuple(self.pool[low:high])
        if layout == "block":
            telling = [
                piece
                for piece in pieces
                if (piece.label or piece.concept) and (piece.concept != "name" or label_of(piece))
            ]
            element = self.tree.common(sorted(self.tree.element[piece.node] for piece in telling or pieces))
            while not self.tree.blockish[element] or self.tree.tag[element] in ("tbody", "thead"):
                element = self.tree.parent[element]
        return Part(pieces, pieces[0].node, pieces[-1].node + 1, element, layout, group)


def _first_word(name: str) -> str:
    return name.split(" ", 1)[0]
