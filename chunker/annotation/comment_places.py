"""Where annotation comments may stand in the source of a page without changing how it is read.

The parser does not tell where in the source a node was. So it is asked: numbered comments at every border of
markup show, in one parse, how many text nodes stand before each, whatever the parser rearranges.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from ruiji.chunker.annotation.markers import BEGIN, END
from ruiji.chunker.annotation.reading import AnnotationError, marker_comments, probed
from ruiji.chunker.annotation.source import MarkupSource, after_line_end
from ruiji.chunker.annotation.tokens import RAW, START_TAG, Token
from ruiji.corpora.page import Page
from ruiji.features.page.textnodes import TextNodes

# Parses. A page with white space between tags that close nothing needs a second one; tag soup gets a few
# more, and then half of the places in question are given up each time, so that twenty are enough for any
# page.
PATIENCE, MAX_PROBES = 4, 20


_DROPPING_LINE_END = (b"pre", b"listing")  # of a line end right after their start tag, not after a comment


class CommentPlace(NamedTuple):
    """Where a comment may stand, or where a marker does: then ``marker`` says which. ``before`` it are so
    many text nodes.
    """

    start: int
    end: int
    marker: str = ""
    is_swallowed: bool = False
    before: int = -1


def _candidates(source: MarkupSource, tokens: Sequence[Token]) -> list[CommentPlace]:
    """The borders of markup at which a comment is one and changes nothing, and the markers, in the order of
    the source.
    """
    borders = {0, *_borders(source, tokens)}
    if source.ends_in_ascii and all(token.whole for token in tokens[-1:]):
        borders.add(len(source.utf8))
    places = []
    for comment in marker_comments(source, tokens):
        if comment.marker in (BEGIN, END):
            places.append(
                CommentPlace(comment.start, comment.token.end, comment.marker, comment.is_swallowed)
            )
            borders -= {comment.start, comment.token.end}
    return sorted(places + [CommentPlace(border, border) for border in borders])


def _borders(source: MarkupSource, tokens: Sequence[Token]) -> Iterator[int]:
    """Where tokens begin and end, but not at raw text, which has no comments."""
    raw = {place for token in tokens if token.kind == RAW for place in (token.start, token.end)}
    for token in tokens:
        if token.start not in raw:
            yield token.start
        if token.whole and token.end not in raw:
            if token.kind != START_TAG or token.name not in _DROPPING_LINE_END:
                yield token.end
            elif not source.utf8.startswith(b"&", token.end):  # which may be a line end, too
                yield after_line_end(source.utf8, token.end)


def _text_starts(source: MarkupSource, tokens: Iterable[Token]) -> list[int]:
    """Where text between tokens begins."""
    starts, position = [], 0
    for token in tokens:
        if token.start > position or token.kind == RAW:
            starts.append(position)
        position = token.end
    return [*starts, position] if position < len(source.utf8) else starts


def survey_places(
    page: Page, source: MarkupSource, tokens: Sequence[Token], nodes: TextNodes, wanted: set[int]
) -> list[CommentPlace]:
    """The markers, and the places with a wanted number of nodes before them that leave every node whole, in
    the order of the tree.
    """
    candidates = dict(enumerate(_candidates(source, tokens)))
    for probe in range(MAX_PROBES):
        texts, probes = probed(
            page, source, {number: (place.start, place.end) for number, place in candidates.items()}
        )
        pieces_of = match_pieces(nodes.texts, texts)
        if pieces_of is None:  # a comment that is none where it stands has become text
            unseen = candidates.keys() - {number for _, number in probes}
            if not unseen:
                break
            candidates = {number: place for number, place in candidates.items() if number not in unseen}
            continue
        inside, at_edges = _spoiling(
            pieces_of, probes, candidates, _text_starts(source, tokens), give_up=probe >= PATIENCE
        )
        if not at_edges:
            counted = [
                (pieces_of.node_at(count), candidates[number])
                for count, number in probes
                if number not in inside
            ]
            return [
                place._replace(before=count) for count, place in counted if count in wanted or place.marker
            ]
        candidates = {
            number: place
            for number, place in candidates.items()
            if number not in inside and number not in at_edges
        }
    raise AnnotationError("comments between its tags change how the parser reads it")


@dataclass(frozen=True, slots=True)
class TextPieces:
    """Texts as pieces of whole texts: which piece belongs to which, and which of the wholes lost white space
    at their ends.
    """

    owners: Sequence[int]
    size: int
    cut_before: frozenset[int]
    cut_after: frozenset[int]

    def node_at(self, count: int) -> int:
        """How many wholes stand before the piece of that number."""
        return self.owners[count] if count < len(self.owners) else self.size


def match_pieces(wholes: Sequence[str], pieces: Sequence[str]) -> TextPieces | None:
    """How the pieces make up the wholes, but for pieces of white space, which the walk leaves out; None where
    they do not.
    """
    owners: list[int] = []
    cut_before, cut_after = set(), set()
    for number, whole in enumerate(wholes):
        position, at = 0, len(owners)
        if at < len(pieces) and pieces[at] == whole:
            owners.append(number)
            continue
        while rest := whole[position:].lstrip():
            if len(owners) == len(pieces):
                return None
            piece = pieces[len(owners)]
            start = len(whole) - len(rest) - (len(piece) - len(piece.lstrip()))
            if start < position or not whole.startswith(piece, start):
                return None
            if start > 0 and position == 0:
                cut_before.add(number)
            position = start + len(piece)
            owners.append(number)
        if position < len(whole):
            cut_after.add(number)
    complete = len(owners) == len(pieces)
    return TextPieces(owners, len(wholes), frozenset(cut_before), frozenset(cut_after)) if complete else None


def _spoiling(
    pieces_of: TextPieces,
    probes: Sequence[tuple[int, int]],
    places: Mapping[int, CommentPlace],
    texts: Sequence[int],
    give_up: bool,
) -> tuple[set[int], set[int]]:
    """The comments that cut a text node in two, and those that cut white space off its end; ``texts`` begin
    there in the source.
    """
    owners = pieces_of.owners
    inside, at_edges = set(), set()
    gaps: dict[int, list[int]] = defaultdict(list)
    for count, number in probes:
        if 0 < count < len(owners) and owners[count - 1] == owners[count]:
            inside.add(number)
        else:
            gaps[count].append(number)
    for count, gap in gaps.items():
        if count and owners[count - 1] in pieces_of.cut_after:
            at_edges |= _next_to_text(gap, places, texts, give_up)
        if count < len(owners) and owners[count] in pieces_of.cut_before:
            at_edges |= _next_to_text(gap[::-1], places, texts, give_up)
    return inside, {number for number in at_edges if not places[number].marker}


def _next_to_text(
    gap: Sequence[int], places: Mapping[int, CommentPlace], texts: Sequence[int], give_up: bool
) -> set[int]:
    """Of the comments in a gap, given from its text on, those up to the next text in the source; or the
    nearer half, to give up.
    """
    if give_up:
        return set(gap[: (len(gap) + 1) // 2])
    stretch = bisect_left(texts, places[gap[0]].start)
    return {number for number in gap if bisect_left(texts, places[number].start) == stretch}
