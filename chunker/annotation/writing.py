"""Regions of text nodes as annotation comments in the source of a page, with nothing else changed.

annotate(page, [(3, 7), (12, 15)]) # the page as it came, byte for byte, with the comments that say so

Where comments may stand is found by a probe (comment_places.py), and the result is read back before it is
returned.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from ruiji.chunker.annotation.comment_places import CommentPlace, TextPieces, match_pieces, survey_places
from ruiji.chunker.annotation.markers import BEGIN, END
from ruiji.chunker.annotation.reading import AnnotationError, marker_comments, read_annotation
from ruiji.chunker.annotation.source import Edit, MarkupSource, NoPlace, source_of
from ruiji.chunker.annotation.tokens import END_TAG, START_TAG, Token, tokens_of
from ruiji.chunker.labels import Region
from ruiji.corpora.page import Page
from ruiji.features.page.elements import VOID
from ruiji.features.page.parsing import text_nodes
from ruiji.features.page.textnodes import TextNodes

_NEVER_INSIDE = frozenset(("html", "body"))  # no region is written around these
_VOID = frozenset(name.encode() for name in VOID)
_IMPLIED = frozenset(
    "html head body tbody tr colgroup".split()
)  # elements that the parser adds without a tag


def annotate(page: Page, regions: Sequence[Region]) -> bytes | str:
    """The page's source with the comments that say these regions of its text nodes, instead of those that are
    in it.

    Nothing else changes: without comments of annotation, input and output are the same. A comment that is in
    its place already stays as it is. Where an old one inside a run of text goes, the two nodes on its sides
    become one. One that ends a comment which somebody forgot to close before it cannot go: outside of all
    regions, a region without text is left there.

    Raises AnnotationError where there is no place for a comment, as after text that lasts to the end of the
    page (``<plaintext>``); and where the page has misspelt markers, which would be read as faults.
    """
    nodes = text_nodes(page)
    _check(regions, len(nodes))
    try:
        source = source_of(page)
        tokens = list(tokens_of(source.utf8))
        places = survey_places(
            page, source, tokens, nodes, {border for region in regions for border in region}
        )
        written = _written(source, _chooser(tokens, nodes, places), regions)
        output = source.edited(sorted(_edits(places, written) + _unread(source, tokens, places)))
        removed = [
            place.before for number, place in enumerate(places) if place.marker and number not in written
        ]
        _verify(replace(page, html=output), nodes, regions, removed)
    except (AnnotationError, NoPlace) as fault:
        raise AnnotationError(f"page {page.id}: {fault}") from fault
    return output


def _check(regions: Sequence[Region], size: int) -> None:
    """Raises ValueError for what are no regions."""
    for start, end in regions:
        if not 0 <= start < end <= size:
            raise ValueError(f"({start}, {end}) is no region of a page with {size} text nodes")
    for (_, end), (start, _) in pairwise(regions):
        if start < end:
            raise ValueError(
                f"regions overlap or are not in order: one ends at {end}, the next begins at {start}"
            )


def _written(source: MarkupSource, chooser: _Chooser, regions: Sequence[Region]) -> dict[int, list[str]]:
    """The markers of each place, by its number in the order of the tree. Raises AnnotationError where one has
    no place.
    """
    written: dict[int, list[str]] = defaultdict(list)
    last = 0
    for region in regions:
        for marker in (BEGIN, END):
            last = chooser.choose(region, marker, last)
            written[last].append(marker)
    for number, place in enumerate(chooser.places):
        if place.is_swallowed and number not in written:  # without it, the comment would swallow text
            if any(start <= place.before <= end for start, end in regions):
                line = source.line(place.start)
                raise AnnotationError(
                    f"line {line}: the marker here ends a comment that is not closed before it; "
                    "close that first"
                )
            written[number] += [BEGIN, END]
    return written


def _unread(source: MarkupSource, tokens: Sequence[Token], places: Iterable[CommentPlace]) -> list[Edit]:
    """The removal of markers that stand where there is no text, as in a template."""
    seen = {place.start for place in places}
    return [
        Edit(comment.start, comment.token.end, "")
        for comment in marker_comments(source, tokens)
        if comment.marker in (BEGIN, END) and comment.start not in seen and not comment.is_swallowed
    ]


def _edits(places: Sequence[CommentPlace], written: Mapping[int, Sequence[str]]) -> list[Edit]:
    """The changes that the markers are; one that stands there already is none."""
    edits = []
    for number, place in enumerate(places):
        new = written.get(number, ())
        if list(new) != [place.marker] and (new or place.marker):
            edits.append(Edit(place.start, place.end, "".join(f"<!-- {marker} -->" for marker in new)))
    return edits


@dataclass(frozen=True, slots=True, eq=False)
class _Chooser:
    """The places of a page, and what is known of its elements, to put comments where a person would."""

    tokens: Sequence[Token]
    nodes: TextNodes
    places: Sequence[CommentPlace]
    gaps: Mapping[int, Sequence[int]]  # places by the number of nodes before them
    first: Sequence[int]  # node in an element
    end: Sequence[int]  # and the one after its last

    def choose(self, region: Region, marker: str, last: int) -> int:
        """The place for the marker of a region, not before the last one: where one stands already, or around
        whole elements.
        """
        count = region[marker == END]
        gap = [number for number in self.gaps.get(count, ()) if number >= last]
        if not gap:
            raise AnnotationError(f"no comment can stand {self._between(count)}")
        same = [number for number in gap if self.places[number].marker == marker]
        swallowed = [number for number in gap if self.places[number].is_swallowed]
        if same or swallowed:
            return (same or swallowed)[-1 if marker == BEGIN else 0]
        return self._before_elements(region, gap) if marker == BEGIN else self._after_elements(region, gap)

    def _between(self, count: int) -> str:
        texts = [repr(text.strip()[:20]) for text in self.nodes.texts[max(0, count - 1) : count + 1]]
        if 0 < count < len(self.nodes):
            return f"between {texts[0]} and {texts[1]} (text nodes {count - 1} and {count})"
        return f"after {texts[-1]}, the last text" if count else f"before {texts[0]}, the first text"

    def _is_inside(self, element: int, region: Region) -> bool:
        whole = region[0] <= self.first[element] and self.end[element] <= region[1]
        return whole and self.nodes.tag[element] not in _NEVER_INSIDE

    def _before_elements(self, region: Region, gap: Sequence[int]) -> int:
        """The place before the outermost start tag whose element is inside the region, else the one next to
        the text.
        """
        best, by_end = gap[-1], {self.places[number].end: number for number in gap}
        path = self.nodes.ancestors(region[0])
        closed: list[bytes] = []
        for index in range(bisect_left(self.tokens, self.places[best].start, key=_start) - 1, -1, -1):
            token = self.tokens[index]
            if token.start < min(by_end):
                break
            if token.kind == END_TAG:
                closed.append(token.name)
            elif token.kind == START_TAG and token.name in closed:
                del closed[closed.index(token.name) :]
            elif token.kind == START_TAG and token.name not in _VOID:
                while path and not self._is(path[-1], token) and self.nodes.tag[path[-1]] in _IMPLIED:
                    path.pop()
                if not path or not self._is(path[-1], token) or not self._is_inside(path.pop(), region):
                    break
                best = by_end.get(token.start, best)
        return best

    def _after_elements(self, region: Region, gap: Sequence[int]) -> int:
        """The place after the outermost end tag whose element is inside the region, else the one next to the
        text.
        """
        best, by_start = gap[0], {self.places[number].start: number for number in gap}
        path = self.nodes.ancestors(region[1] - 1)
        opened: list[bytes] = []
        for index in range(bisect_left(self.tokens, self.places[best].start, key=_start), len(self.tokens)):
            token = self.tokens[index]
            if token.end > max(by_start):
                break
            if token.kind == START_TAG and token.name not in _VOID:
                opened.append(token.name)
            elif token.kind == END_TAG and token.name in opened:
                del opened[len(opened) - 1 - opened[::-1].index(token.name) :]
            elif token.kind == END_TAG:
                level = next(
                    (level for level in range(len(path) - 1, -1, -1) if self._is(path[level], token)), None
                )
                if level is None:
                    continue
                if not self._is_inside(path[level], region):
                    break
                del path[level:]
                best = by_start.get(token.end, best)
        return best

    def _is(self, element: int, token: Token) -> bool:
        return self.nodes.tag[element].lower().encode() == token.name


def _start(token: Token) -> int:
    return token.start


def _chooser(tokens: Sequence[Token], nodes: TextNodes, places: Sequence[CommentPlace]) -> _Chooser:
    """The places by gap, and the nodes inside each element."""
    gaps: dict[int, list[int]] = defaultdict(list)
    for number, place in enumerate(places):
        gaps[place.before].append(number)
    first, end = [len(nodes)] * len(nodes.tag), [0] * len(nodes.tag)
    for node, element in enumerate(nodes.element.tolist()):
        first[element], end[element] = min(first[element], node), node + 1
    for element, parent in reversed(list(enumerate(nodes.parent.tolist()))):
        if parent >= 0:
            first[parent], end[parent] = min(first[parent], first[element]), max(end[parent], end[element])
    return _Chooser(tokens, nodes, places, gaps, first, end)


def _verify(page: Page, nodes: TextNodes, regions: Sequence[Region], removed: Iterable[int]) -> None:
    """Raises AnnotationError unless the page has these text nodes and regions; nodes may only join where a
    marker was removed.
    """
    if not page.html and not len(nodes):  # it had nothing but markers
        return
    now = text_nodes(page)
    if now.encoding != nodes.encoding:
        raise AnnotationError(
            f"with the comments in it, its bytes look like {now.encoding}, not {nodes.encoding}; label it"
        )
    pieces_of = match_pieces(now.texts, nodes.texts)
    if pieces_of is None or not _joined(pieces_of, len(nodes)) <= set(removed):
        raise AnnotationError("with the comments in it, its text is read otherwise")
    owners = np.array(pieces_of.owners, dtype=np.int64)
    same_tree = list(now.tag) == list(nodes.tag) and np.array_equal(now.parent, nodes.parent)
    if not same_tree or not np.array_equal(now.element[owners], nodes.element):
        raise AnnotationError("with the comments in it, its elements are read otherwise")
    expected = [(pieces_of.owners[start], pieces_of.owners[end - 1] + 1) for start, end in regions]
    if read_annotation(page, now) != expected:
        raise AnnotationError("the comments in it do not say the regions that were asked for")


def _joined(pieces_of: TextPieces, size: int) -> set[int]:
    """The gaps between old nodes that are none any more, or that white space has left."""
    owners = pieces_of.owners
    joined = {gap for gap in range(1, size) if owners[gap - 1] == owners[gap]}
    joined |= {bisect_left(owners, node) for node in pieces_of.cut_before}
    return joined | {bisect_right(owners, node) for node in pieces_of.cut_after}
