"""What a page gives before it gives records: its pieces, and the parts that each become one record."""

from __future__ import annotations

from dataclasses import dataclass, field

from ruiji.detector.records.fields.concepts import folded_label
from ruiji.detector.records.markup.pieces import SPACED_NAME, Piece
from ruiji.detector.records.markup.tree import PageTree

# Concepts that may come twice in one record.
SEVERAL = frozenset(
    ("url", "reading", "contact", "note", "field", "duty", "fax", "mobile", "zip", "degree", "")
)


@dataclass(frozen=True, slots=True)
class Part:
    """A record before it is one: its pieces, the nodes from ``first`` to before ``end``, its element, how it
    is laid out.

    ``group`` is the element of the list it belongs to, ``heading`` the row of a table that heads it.
    ``own_element`` says that the element holds this record and no other.
    """

    pieces: tuple[Piece, ...]
    first: int
    end: int
    element: int
    layout: str
    group: int
    heading: str = ""
    own_element: bool = True


@dataclass(slots=True)
class PagePieces:
    """The pieces of a page in the order of their nodes, the parts that are records already (rows of tables),
    and the headings.
    """

    tree: PageTree
    pool: list[Piece] = field(default_factory=list)
    closed: list[Part] = field(default_factory=list)
    headings: list[int] = field(default_factory=list)


def label_of(piece: Piece) -> str:
    """What stands for the label of a piece that may come only once in a record; "" for one that may come
    again.
    """
    if piece.concept == "name":
        return "name" if piece.label or SPACED_NAME.fullmatch(piece.value) else ""
    if piece.concept in SEVERAL:
        return "" if piece.concept or not piece.label else folded_label(piece.label)
    return piece.concept
