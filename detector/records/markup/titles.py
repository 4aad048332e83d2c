"""A part of a page as a record: what it is called, what its fields are, and which element it is."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence

from ruiji.detector.records.fields.concepts import Schema, folded_label
from ruiji.detector.records.fields.posts import is_post
from ruiji.detector.records.fields.values import shown
from ruiji.detector.records.markup.parts import PagePieces, Part
from ruiji.detector.records.markup.pieces import (
    GENERIC,
    LONGEST_TITLE,
    ORGANISATION,
    SPACED_NAME,
    UPDATED,
    Piece,
    is_name,
    pieces_of,
)
from ruiji.detector.records.model import Field, Record

# Concepts that make a part of a page a record: without any of them it is prose with a colon.
TELLING = frozenset(
    (
        "post mail phone ext place address affiliation field price code hours closed established capital employees representative "
        "birth appointed fax size"
    ).split()
)


SHORTEST_NAME = 3  # characters; a heading of two, 相談, is rather a word


def finished(pieces: PagePieces, parts: Sequence[Part], schema: Schema) -> list[Record]:
    """The records of all parts that are some, in the order in which they stand."""
    ordered = sorted(parts, key=lambda part: (part.first, part.element))
    ends, starts = sorted(part.end for part in ordered), [part.first for part in ordered]
    finisher = _Finisher(pieces, schema)
    found = []
    for part in ordered:
        before, after = bisect_right(ends, part.first), bisect_left(starts, part.end)
        record = finisher.record(
            part,
            ends[before - 1] if before else 0,
            starts[after] if after < len(starts) else len(pieces.tree.element),
        )
        if record is not None:
            found.append(record)
    return found


class _Finisher:
    """What all parts of one page are finished with."""

    def __init__(self, pieces: PagePieces, schema: Schema) -> None:
        self.tree, self.schema, self.headings = pieces.tree, schema, pieces.headings

    def record(self, part: Part, before: int, after: int) -> Record | None:
        """The record of a part between the ends of its neighbours; None where it says too little."""
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
        concepts = {field.concept for field in fields if field.value} | set(
            empty if part.layout == "row" else ()
        )
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

    def _title(
        self, part: Part, pieces: list[Piece], before: int, after: int
    ) -> tuple[Piece | None, list[Piece], int]:
        """The name of a record, further pieces that its heading holds, and the element that has both."""
        tree = self.tree
        element = part.element
        names = [piece for piece in pieces if piece.concept == "name" and piece.value]
        strong = [piece for piece in names if piece.label] or [
            piece for piece in names if SPACED_NAME.fullmatch(piece.value)
        ]
        if part.layout == "row" and (strong or names):
            return (strong or names)[0], [], element
        inside = (
            [h for h in self.headings if part.first <= tree.first[h] < part.end]
            if part.layout != "row"
            else []
        )
        outside, nearest = self._heading_before(part, before) if part.layout != "row" else (-1, False)
        if strong:
            if outside >= 0 and nearest and not GENERIC.search(tree.text(outside)):
                element = self._widened(element, outside, part, before, after)
                inner = self._heading_pieces(outside)
                post = (
                    [piece for piece in inner if piece.concept == "post"]
                    if not any(p.concept == "post" for p in pieces)
                    else []
                )
                return strong[0], post, element
            return strong[0], [], element
        for heading in inside:
            if (headed := self._heading_name(heading)) is not None and _names_better(headed[0].value, names):
                return headed[0], [inner for inner in headed[1] if inner not in pieces], element
        if names and not (
            outside >= 0
            and nearest
            and is_name(tree.text(outside))
            and not GENERIC.search(tree.text(outside))
        ):
            first = pieces[0] if pieces[0].concept == "name" else names[0]
            if len(first.value) < SHORTEST_NAME:
                first = next((piece for piece in names if ORGANISATION.search(piece.value)), first)
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

    def _heading_before(self, part: Part, before: int) -> tuple[int, bool]:
        """The heading above a part that no other record stands between, and whether nothing else does; -1 for
        none.
        """
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
        """The name that a heading is, with the post or the reading it holds; None where it says what kind of
        thing follows.
        """
        text = self.tree.text(heading).replace("\n", " ")
        if (
            not text
            or len(text) > LONGEST_TITLE
            or GENERIC.search(text)
            or "。" in text
            or UPDATED.search(text)
        ):
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
        return [
            piece
            for run in tree.runs(tree.first[heading], tree.end[heading], self.schema)
            for piece in pieces_of(run, self.schema)
        ]

    def _widened(self, element: int, heading: int, part: Part, before: int, after: int) -> int:
        """The element that holds heading and record, where it holds no other record; else the record's
        own.
        """
        tree = self.tree
        if not part.own_element:
            return element
        both = tree.common(sorted((heading, element)))
        alone = (
            before <= tree.first[both]
            and tree.end[both] <= after
            and tree.tag[both] not in ("body", "html", "main")
        )
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


def _names_better(heading: str, names: Sequence[Piece]) -> bool:
    """Whether a heading is more likely the name of a record than what looks like one below it."""
    if not names:
        return True
    if not is_name(heading):
        return False
    return len(heading) >= SHORTEST_NAME or not any(
        ORGANISATION.search(piece.value) for piece in names if piece.value != heading
    )
