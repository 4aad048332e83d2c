"""Records of a page, found without a schema: rows of tables, definition lists, cards, lists, headings with lines below them.

Every line gives pieces (detector/pieces.py). A record is the largest part of the page in which no label comes twice: two rooms are two
people. Where the parts of a record stand side by side in one element, a heading, a name or a label that comes again begins the next.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from detector.fieldnames import Schema, folded_label
from detector.grids import cell_pieces, table_facts
from detector.pagetree import HEADINGS, PageTree, page_tree
from detector.pieces import (
    LONGEST_TITLE,
    ORGANISATION,
    SPACED_NAME,
    UPDATED,
    Piece,
    Run,
    is_name,
    labelled,
    pieces_of,
)  # fmt: skip
from detector.posts import is_post
from detector.values import key_of, shown
from features.textnodes import NO_LINK, TextNodes

MAX_FIELDS = 60  # of one record; a part of the page with more is a list of something else
KEPT_SHARE = 0.5  # of a record's nodes that must be content

# Concepts that may come twice in one record.
SEVERAL = frozenset(("url", "reading", "contact", "note", "field", "duty", "fax", "mobile", "zip", "degree", ""))
# Concepts that make a part of a page a record: without any of them it is prose with a colon.
TELLING = frozenset(
    (
        "post mail phone ext place address affiliation field price code hours closed established capital employees representative "
        "birth appointed fax size"
    ).split()
)
GENERIC = re.compile(
    r"問い?合わ?せ|連絡先|概要|アクセス|プロフィール|基本情報|案内|一覧|紹介|メンバー|スタッフ|^教職?員$|構成員|お知らせ|トップ|ホーム|会社情報|仕様|スペック|詳細|特定商取引|販売|商品情報|"
    r"について|contact|profile|about|overview|members?$|^people$|staff|faculty|directory|information|details|specifications?|access|welcome|home$|list$|team$",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Field:
    """A field of a record: label as written, concept (or the folded label), kind, value as written."""

    label: str
    concept: str
    kind: str
    value: str


@dataclass(frozen=True, slots=True)
class Record:
    """One record of one page: where it stands, what it is called, its fields, those it has and leaves empty, the list it belongs to."""

    path: str
    layout: str
    title: str
    fields: tuple[Field, ...]
    empty: tuple[str, ...] = ()
    group: str = ""

    def values(self, concept: str) -> list[str]:
        return [field.value for field in self.fields if field.concept == concept]


def records_of(
    nodes: TextNodes, kept: npt.NDArray[np.bool_], schema: Schema, spans: Mapping[int, tuple[int, int]] | None = None
) -> list[Record]:
    """The records of a page in the order in which they stand; ``kept`` is the content mask, ``spans`` comes from features.tables."""
    if not len(nodes) or not kept.any():
        return []
    return _Finder(page_tree(nodes, kept, spans or {}), schema).records()


@dataclass(frozen=True, slots=True)
class _Part:
    """A record before it is one: its pieces, the nodes from ``first`` to before ``end``, its element, how it is laid out."""

    pieces: tuple[Piece, ...]
    first: int
    end: int
    element: int
    layout: str
    group: int
    heading: str = ""
    own_element: bool = True


class _Finder:
    """The state of finding the records of one page."""

    def __init__(self, tree: PageTree, schema: Schema) -> None:
        self.tree, self.schema = tree, schema
        self.closed: list[_Part] = []
        self.pool: list[Piece] = []
        self.rows_of: list[tuple[int, int]] = []  # node spans of closed rows
        self.headings = [element for element, tag in enumerate(tree.tag) if tag in HEADINGS and tree.first[element] < tree.end[element]]

    def records(self) -> list[Record]:
        self._read()
        parts = [*self.closed, *self._regions()]
        parts.sort(key=lambda part: (part.first, part.element))
        found = []
        for number, part in enumerate(parts):
            before = max((other.end for other in parts[:number] if other.end <= part.first), default=0)
            after = min((other.first for other in parts[number + 1 :] if other.first >= part.end), default=len(self.tree.element))
            if record := self._record(part, before, after, sum(not p.heading or p.layout != "row" for p in parts)):
                found.append(record)
        return found

    # Reading: every content node gives its pieces once.

    def _read(self) -> None:
        tree = self.tree
        claimed = [False] * len(tree.element)
        for element, tag in enumerate(tree.tag):
            if tree.first[element] >= tree.end[element] or claimed[tree.first[element]]:
                continue
            if tag == "table":
                self._read_table(element, claimed)
            elif tag == "dl":
                self._read_definitions(element, claimed)
        free = [kept and not taken for kept, taken in zip(tree.kept, claimed, strict=True)]
        self._read_lines(free)
        self.pool.sort(key=lambda piece: piece.node)

    def _read_table(self, table: int, claimed: list[bool]) -> None:
        facts = table_facts(self.tree, table, self.schema)
        if facts is None:
            return
        for row in facts.rows:
            first, end = self.tree.first[row.element], self.tree.end[row.element]
            if row.pieces and self._is_content(first, end):
                self.closed.append(_Part(row.pieces, first, end, row.element, "row", table, row.heading))
                self.rows_of.append((first, end))
        self.pool += facts.pieces
        captions = [child for child in self.tree.children[table] if self.tree.tag[child] == "caption"]
        kept_free = {node for caption in captions for node in range(self.tree.first[caption], self.tree.end[caption])}
        for node in range(self.tree.first[table], self.tree.end[table]):
            claimed[node] = node not in kept_free

    def _is_content(self, first: int, end: int) -> bool:
        return sum(self.tree.kept[first:end]) >= KEPT_SHARE * (end - first) and first < end

    def _read_definitions(self, element: int, claimed: list[bool]) -> None:
        """A list in which the terms are labels; one in which they are names is read line by line."""
        tree = self.tree
        items = [
            item for child in tree.children[element] for item in ([child] if tree.tag[child] in ("dt", "dd") else tree.children[child])
        ]
        terms = [item for item in items if tree.tag[item] == "dt"]
        known = sum(bool(self.schema.concept_of(tree.text(term))) and not is_post(tree.text(term)) for term in terms)
        if (
            not terms
            or 2 * known < len(terms)
            or any(tree.tag[inner] in ("table", "dl") for item in items for inner in tree.children[item])
        ):
            return
        label = ""
        for item in items:
            if tree.tag[item] == "dt":
                label = tree.text(item).replace("\n", "")
            elif tree.tag[item] == "dd" and label and self._is_content(tree.first[item], tree.end[item]):
                self.pool += cell_pieces(tree, item, tree.text(item), label, self.schema)
            elif tree.tag[item] == "dd" and label and tree.first[item] == tree.end[item]:
                node = min(tree.first[item], len(tree.element) - 1)
                self.pool += labelled(label, self.schema.concept_of(label), "", node, self.schema)
        for node in range(tree.first[element], tree.end[element]):
            claimed[node] = True

    def _read_lines(self, free: Sequence[bool]) -> None:
        """Pieces of all lines outside tables; a line that is a label alone takes the line below as its value."""
        tree = self.tree
        lines: list[list[Run]] = []
        start = 0
        size = len(free)
        while start < size:
            if not free[start]:
                start += 1
                continue
            end = start + 1
            while end < size and free[end]:
                end += 1
            lines += tree.runs(start, end, self.schema)
            start = end
        waiting = ""
        for line in lines:
            text = "".join(run.text for run in line).strip()
            alone = text.strip(" 　:：【】[]■●◆・")
            concept = self.schema.concept_of(alone) if len(alone) <= LONGEST_TITLE and len(line) <= 2 else ""
            if waiting and not concept:
                found = (
                    labelled(waiting, self.schema.concept_of(waiting), text, line[0].node, self.schema)
                    if len(text) <= 4 * LONGEST_TITLE
                    else []
                )
                self.pool += found
                waiting = ""
                if found:
                    continue
            waiting = ""
            own = [piece for piece in pieces_of(line, self.schema) if piece.concept in ("mail", "phone")] if concept else []
            if concept not in ("", "contact", "note", "url", "access", "name", "duty") and not is_post(alone) and not own:
                waiting = alone
                continue
            if UPDATED.search(text) and len(text) < LONGEST_TITLE:
                continue
            self.pool += pieces_of(line, self.schema)

    # Regions: which pieces belong together.

    def _regions(self) -> list[_Part]:
        if not self.pool:
            return []
        self.at = [piece.node for piece in self.pool]
        roots = [element for element, parent in enumerate(self.tree.parent) if parent < 0]
        found: list[_Part] = []
        for root in roots:
            self._divide(root, found)
        return found

    def _inside(self, element: int) -> tuple[int, int]:
        """The pieces of the pool inside an element, as a range."""
        from bisect import bisect_left

        return bisect_left(self.at, self.tree.first[element]), bisect_left(self.at, self.tree.end[element])

    def _keys(self, low: int, high: int) -> Counter[str]:
        """How often each label that may come only once comes with different values."""
        seen: dict[str, set[str]] = {}
        for piece in self.pool[low:high]:
            if key := self._key(piece):
                seen.setdefault(key, set()).add(key_of(self.schema.kind_of(piece.concept), piece.value) or piece.value)
        return Counter({key: len(values) for key, values in seen.items()})

    def _key(self, piece: Piece) -> str:
        if piece.concept == "name":
            return "name" if piece.label or SPACED_NAME.fullmatch(piece.value) else ""
        if piece.concept in SEVERAL:
            return "" if piece.concept or not piece.label else folded_label(piece.label)
        return piece.concept

    def _whole(self, element: int) -> bool:
        """Whether all pieces inside an element can be of one record."""
        tree = self.tree
        low, high = self._inside(element)
        first, end = tree.first[element], tree.end[element]
        if high - low > MAX_FIELDS or any(first <= row[0] < end for row in self.rows_of):
            return False
        if max(self._keys(low, high).values(), default=0) > 1:
            return False
        start = self.pool[low].node
        return not any(
            start < tree.first[heading] < end and first <= tree.first[heading] and self._begins(heading)
            for heading in self.headings
            if tree.first[heading] > start
        )

    def _begins(self, heading: int) -> bool:
        """Whether a heading begins another part, and is not the label of a field."""
        return not self.schema.concept_of(self.tree.text(heading))

    def _divide(self, element: int, found: list[_Part]) -> None:
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
            cards = self._cards(blocks)
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
                by_look.setdefault((self.tree.tag[block], _first_word(self.tree.names.get(block, ""))), []).append(block)
        best: list[int] = []
        for alike in by_look.values():
            full = [block for block in alike if len({p.concept or p.label for p in self.pool[slice(*self._inside(block))]}) >= 2]
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

    def _holds_cards(self, block: int) -> bool:
        """Whether labels come again so often inside a block that it is a list itself."""
        counts = self._keys(*self._inside(block))
        return (
            sum(count > 1 for count in counts.values()) >= 2
            or max(counts.values(), default=0) > 2
            or any(self.tree.first[block] <= row[0] < self.tree.end[block] for row in self.rows_of)
        )

    def _sequence(self, element: int, blocks: Sequence[int], low: int, high: int, found: list[_Part]) -> list[int]:
        """Cuts what stands side by side into records; returns the children that must be divided themselves."""
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
        group: list[tuple[int, int, int]] = []
        seen: set[str] = set()
        look: tuple[str, bool] | None = None
        last_link = NO_LINK

        def close() -> None:
            full = [unit for unit in group if unit[0] < unit[1]]
            if full:
                first_element = next((unit[2] for unit in full if unit[2] >= 0), element)
                elements = [unit[2] for unit in full if unit[2] >= 0]
                bodies = [unit[2] for unit in full if unit[2] not in self.headings]
                alone = len(elements) == 1 or (len(bodies) == 1 and bodies[0] >= 0)  # a heading and one block: the block is the record
                part = self._part(
                    full[0][0], full[-1][1], bodies[0] if alone and bodies else first_element, element, "block" if alone else "section"
                )
                found.append(_Part(part.pieces, part.first, part.end, part.element, part.layout, element, "", alone))
            group.clear()
            seen.clear()

        for unit in units:
            start, end, block = unit
            if start == end:
                close()
                look = None
                continue
            keys = set(self._keys(start, end))
            own_look = (tree.tag[block] if block >= 0 else "", tree.tag[tree.element[self.pool[start].node]] in HEADINGS)
            leads = self._leads(start, end, block)
            heading = block >= 0 and self._heading_in(block) and self._begins(self._heading_in(block))
            link = int(tree.nodes.link[self.pool[start].node]) if block < 0 else NO_LINK
            if group and (
                keys & seen or heading or (leads and look == own_look and len(seen) >= 1 and self._led) or self._other_link(link, last_link)
            ):
                close()
            last_link = link
            if not group:
                look = own_look
                self._led = leads
            group.append(unit)
            seen |= keys
        close()
        return again

    _led = False

    def _leads(self, start: int, end: int, block: int) -> bool:
        """Whether a unit begins with something that can be the name of a record."""
        piece = self.pool[start]
        return piece.concept == "name" and end - start <= 3

    @staticmethod
    def _other_link(link: int, before: int) -> bool:
        """Whether two lines are two links: a card may be one link, and the next card the next."""
        return link not in (NO_LINK, before) and before != NO_LINK

    def _heading_in(self, block: int) -> int:
        """The first heading that an element is or holds; 0 for none."""
        from bisect import bisect_left

        place = bisect_left(self.headings, block)
        if place < len(self.headings) and self.tree.first[block] <= self.tree.first[self.headings[place]] < self.tree.end[block]:
            return self.headings[place]
        return 0

    def _part(self, low: int, high: int, element: int, group: int, layout: str) -> _Part:
        pieces = tuple(self.pool[low:high])
        if layout == "block":
            telling = [piece for piece in pieces if (piece.label or piece.concept) and (piece.concept != "name" or self._key(piece))]
            element = self.tree.common(sorted(self.tree.element[piece.node] for piece in telling or pieces))
            while not self.tree.blockish[element] or self.tree.tag[element] in ("tbody", "thead"):
                element = self.tree.parent[element]
        return _Part(pieces, pieces[0].node, pieces[-1].node + 1, element, layout, group)

    # Finishing: a title, fields, a path.

    def _record(self, part: _Part, before: int, after: int, parts: int) -> Record | None:
        tree = self.tree
        pieces = list(part.pieces)
        title, inner, element = self._title(part, pieces, before, after)
        fields: list[Field] = []
        empty: list[str] = []
        if title is not None:
            fields.append(Field(title.label, "name", "name", title.value))
        for piece in [*pieces, *inner]:
            concept = piece.concept or folded_label(piece.label)
            if not piece.value:
                if concept:
                    empty.append(concept)
                continue
            if title is not None and piece.concept == "name":
                if piece.value == title.value:
                    continue
                concept = folded_label(piece.label) if piece.label and piece.label != title.label else ""
            field = Field(piece.label, concept, self.schema.kind_of(piece.concept), shown(piece.value))
            if field not in fields:
                fields.append(field)
        if part.heading and not any(field.concept == "post" for field in fields) and is_post(part.heading):
            fields.append(Field("", "post", "post", part.heading))
        concepts = {field.concept for field in fields if field.value}
        if not concepts & TELLING or (title is None and len(concepts & TELLING) < 2):
            return None
        return Record(
            path=tree.paths[element],
            layout=part.layout,
            title=title.value if title is not None else "",
            fields=tuple(fields),
            empty=tuple(dict.fromkeys(empty)),
            group=tree.paths[part.group] if part.group >= 0 else "",
        )

    def _title(self, part: _Part, pieces: list[Piece], before: int, after: int) -> tuple[Piece | None, list[Piece], int]:
        """The name of a record, further pieces that its heading holds, and the element that has both."""
        tree = self.tree
        element = part.element
        names = [piece for piece in pieces if piece.concept == "name" and piece.value]
        strong = [piece for piece in names if piece.label] or [piece for piece in names if SPACED_NAME.fullmatch(piece.value)]
        if part.layout == "row" and (strong or names):
            return (strong or names)[0], [], element
        inside = [h for h in self.headings if part.first <= tree.first[h] < part.end] if part.layout != "row" else []
        outside, nearest = self._heading_before(part, before) if part.layout != "row" else (-1, False)
        if strong:
            if outside >= 0 and nearest and not GENERIC.search(tree.text(outside)):
                element = self._widened(element, outside, part, before, after)
                inner = self._heading_pieces(outside)
                post = [piece for piece in inner if piece.concept == "post"] if not any(p.concept == "post" for p in pieces) else []
                return strong[0], post, element
            return strong[0], [], element
        for heading in inside:
            if (headed := self._heading_name(heading)) is not None and (not names or is_name(headed[0].value)):
                return headed[0], [inner for inner in headed[1] if inner not in pieces], element
        if names and not (outside >= 0 and nearest and is_name(tree.text(outside)) and not GENERIC.search(tree.text(outside))):
            first = pieces[0] if pieces[0].concept == "name" else names[0]
            return first, [], element
        if outside >= 0 and (headed := self._heading_name(outside)) is not None:
            return headed[0], headed[1], self._widened(element, outside, part, before, after)
        if names:
            return names[0], [], element
        for place, piece in enumerate(pieces[:-1]):
            if piece.label or piece.concept:
                break
            if len(piece.value) <= LONGEST_TITLE and not GENERIC.search(piece.value):
                del pieces[place]
                return Piece("", "name", piece.value, piece.node), [], element
        if part.layout == "block" and len({piece.concept for piece in pieces} & TELLING) > 1:
            return self._page_name(), [], element
        return None, [], element

    def _heading_before(self, part: _Part, before: int) -> tuple[int, bool]:
        """The heading above a part that no other record stands between, and whether nothing else does; -1 for none."""
        tree = self.tree
        level = ""
        for heading in reversed(self.headings):
            if tree.end[heading] > part.first or tree.tag[heading] in ("caption", "legend"):
                continue
            if tree.first[heading] < before:
                return -1, False
            tag = tree.tag[heading]
            if level and tag >= level:
                continue
            if not GENERIC.search(tree.text(heading)):
                return heading, not level
            level = tag
        return -1, False

    def _heading_name(self, heading: int) -> tuple[Piece, list[Piece]] | None:
        """The name that a heading is, with the post or the reading it holds; None where it says what kind of thing follows."""
        text = self.tree.text(heading).replace("\n", " ")
        if not text or len(text) > LONGEST_TITLE or GENERIC.search(text) or "。" in text or UPDATED.search(text):
            return None
        inner = self._heading_pieces(heading)
        names = [piece for piece in inner if piece.concept == "name"]
        rest = [piece for piece in inner if piece.concept in ("post", "reading", "mail", "phone")]
        if names:
            return names[0], rest
        if is_post(text):
            return None
        return Piece("", "name", text, self.tree.first[heading]), rest

    def _heading_pieces(self, heading: int) -> list[Piece]:
        tree = self.tree
        return [piece for run in tree.runs(tree.first[heading], tree.end[heading], self.schema) for piece in pieces_of(run, self.schema)]

    def _widened(self, element: int, heading: int, part: _Part, before: int, after: int) -> int:
        """The element that holds heading and record, where it holds no other record; else the record's own."""
        tree = self.tree
        if not part.own_element:
            return element
        both = tree.common(sorted((heading, element)))
        alone = before <= tree.first[both] and tree.end[both] <= after and tree.tag[both] not in ("body", "html", "main")
        return both if alone else element

    def _page_name(self) -> Piece | None:
        """What the page is about, by its title."""
        for segment in re.split(r"\s*[|｜\-–—:：>＞»/／]\s*", self.tree.nodes.title):
            if (
                segment
                and len(segment) <= LONGEST_TITLE
                and not GENERIC.search(segment)
                and (is_name(segment) or ORGANISATION.search(segment))
            ):
                return Piece("", "name", segment, 0)
        return None


def _first_word(name: str) -> str:
    return name.split(" ", 1)[0]
