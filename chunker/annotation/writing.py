"""Regions of text nodes as annotation comments in the source of a page, with nothing else changed.

annotate(page, [(3, 7), (12, 15)]) # the page as it came, byte for byte, with the comments that say so

The parser does not tell where in the source a node was. Writing therefore asks it: numbered comments at every
border of markup show, in one parse, how many text nodes stand before each, whatever the parser rearranges;
and the result is read back before it is returned.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from ruiji.chunker.annotation import markers
from ruiji.chunker.annotation.markers import BEGIN, END, Edit, Source, Token
from ruiji.chunker.annotation.reading import AnnotationError, marker_comments, probed, read_annotation
from ruiji.chunker.labels import Region
from ruiji.corpora.page import Page
from ruiji.features.page.elements import VOID
from ruiji.features.page.parsing import text_nodes
from ruiji.features.page.textnodes import TextNodes

# Parses. A page with white space between tags that close nothing needs a second one; tag soup gets a few
# more, and then half of the places in question are given up each time, so that twenty are enough for any
# page.
PATIENCE, MAX_PROBES = 4, 20
_NEVER_INSIDE = frozenset(("html", "body"))  # no region is written around these
_DROPPING_LINE_END = (b"pre", b"listing")  # of a line end right after their start tag, not after a comment
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
        source = markers.source_of(page)
        tokens = list(markers.tokens_of(source.utf8))
        places = _surveyed(page, source, tokens, nodes, {border for region in regions for border in region})
        written = _written(source, _chooser(tokens, nodes, places), regions)
        output = source.edited(sorted(_edits(places, written) + _unread(source, tokens, places)))
        removed = [
            place.before for number, place in enumerate(places) if place.marker and number not in written
        ]
        _verify(replace(page, html=output), nodes, regions, removed)
    except (AnnotationError, markers.NoPlace) as fault:
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


class _Place(NamedTuple):
    """Where a comment may stand, or where a marker does: then ``marker`` says which. ``before`` it are so
    many text nodes.
    """

    start: int
    end: int
    marker: str = ""
    is_swallowed: bool = False
    before: int = -1


def _candidates(source: Source, tokens: Sequence[Token]) -> list[_Place]:
    """The borders of markup at which a comment is one and changes nothing, and the markers, in the order of
    the source.
    """
    borders = {0, *_borders(source, tokens)}
    if source.ends_in_ascii and all(token.whole for token in tokens[-1:]):
        borders.add(len(source.utf8))
    places = []
    for comment in marker_comments(source, tokens):
        if comment.marker in (BEGIN, END):
            places.append(_Place(comment.start, comment.token.end, comment.marker, comment.is_swallowed))
            borders -= {comment.start, comment.token.end}
    return sorted(places + [_Place(border, border) for border in borders])


def _borders(source: Source, tokens: Sequence[Token]) -> Iterator[int]:
    """Where tokens begin and end, but not at raw text, which has no comments."""
    raw = {place for token in tokens if token.kind == markers.RAW for place in (token.start, token.end)}
    for token in tokens:
        if token.start not in raw:
            yield token.start
        if token.whole and token.end not in raw:
            if token.kind != markers.START_TAG or token.name not in _DROPPING_LINE_END:
                yield token.end
            elif not source.utf8.startswith(b"&", token.end):  # which may be a line end, too
                yield markers.after_line_end(source.utf8, token.end)


def _text_starts(source: Source, tokens: Iterable[Token]) -> list[int]:
    """Where text between tokens begins."""
    starts, position = [], 0
    for token in tokens:
        if token.start > position or token.kind == markers.RAW:
            starts.append(position)
        position = token.end
    return [*starts, position] if position < len(source.utf8) else starts


def _surveyed(
    page: Page, source: Source, tokens: Sequence[Token], nodes: TextNodes, wanted: set[int]
) -> list[_Place]:
    """The markers, and the places with a wanted number of nodes before them that leave every node whole, in
    the order of the tree.
    """
    candidates = dict(enumerate(_candidates(source, tokens)))
    for probe in range(MAX_PROBES):
        texts, found = probed(
            page, source, {number: (place.start, place.end) for number, place in candidates.items()}
        )
        aligned = _aligned(nodes.texts, texts)
        if aligned is None:  # a comment that is none where it stands has become text
            unseen = candidates.keys() - {number for _, number in found}
            if not unseen:
                break
            candidates = {number: place for number, place in candidates.items() if number not in unseen}
            continue
        inside, at_edges = _spoiling(
            aligned, found, candidates, _text_starts(source, tokens), give_up=probe >= PATIENCE
        )
        if not at_edges:
            counted = [
                (aligned.node_at(count), candidates[number])
                for count, number in found
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
class _Alignment:
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


def _aligned(wholes: Sequence[str], pieces: Sequence[str]) -> _Alignment | None:
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
    return _Alignment(owners, len(wholes), frozenset(cut_before), frozenset(cut_after)) if complete else None


def _spoiling(
    aligned: _Alignment,
    found: Sequence[tuple[int, int]],
    places: Mapping[int, _Place],
    texts: Sequence[int],
    give_up: bool,
) -> tuple[set[int], set[int]]:
    """The comments that cut a text node in two, and those that cut white space off its end; ``texts`` begin
    there in the source.
    """
    owners = aligned.owners
    inside, at_edges = set(), set()
    gaps: dict[int, list[int]] = defaultdict(list)
    for count, number in found:
        if 0 < count < len(owners) and owners[count - 1] == owners[count]:
            inside.add(number)
        else:
            gaps[count].append(number)
    for count, gap in gaps.items():
        if count and owners[count - 1] in aligned.cut_after:
            at_edges |= _next_to_text(gap, places, texts, give_up)
        if count < len(owners) and owners[count] in aligned.cut_before:
            at_edges |= _next_to_text(gap[::-1], places, texts, give_up)
    return inside, {number for number in at_edges if not places[number].marker}


def _next_to_text(
    gap: Sequence[int], places: Mapping[int, _Place], texts: Sequence[int], give_up: bool
) -> set[int]:
    """Of the comments in a gap, given from its text on, those up to the next text in the source; or the
    nearer half, to give up.
    """
    if give_up:
        return set(gap[: (len(gap) + 1) // 2])
    stretch = bisect_left(texts, places[gap[0]].start)
    return {number for number in gap if bisect_left(texts, places[number].start) == stretch}


def _written(source: Source, chooser: _Chooser, regions: Sequence[Region]) -> dict[int, list[str]]:
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
                    f"line {line}: the marker here ends a comment that is not closed before it; close that first"
                )
            written[number] += [BEGIN, END]
    return written


def _unread(source: Source, tokens: Sequence[Token], places: Iterable[_Place]) -> list[Edit]:
    """The removal of markers that stand where there is no text, as in a template."""
    seen = {place.start for place in places}
    return [
        Edit(comment.start, comment.token.end, "")
        for comment in marker_comments(source, tokens)
        if comment.marker in (BEGIN, END) and comment.start not in seen and not comment.is_swallowed
    ]


def _edits(places: Sequence[_Place], written: Mapping[int, Sequence[str]]) -> list[Edit]:
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
    places: Sequence[_Place]
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
            if token.kind == markers.END_TAG:
                closed.append(token.name)
            elif token.kind == markers.START_TAG and token.name in closed:
                del closed[closed.index(token.name) :]
            elif token.kind == markers.START_TAG and token.name not in _VOID:
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
            if token.kind == markers.START_TAG and token.name not in _VOID:
                opened.append(token.name)
            elif token.kind == markers.END_TAG and token.name in opened:
                del opened[len(opened) - 1 - opened[::-1].index(token.name) :]
            elif token.kind == markers.END_TAG:
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


def _chooser(tokens: Sequence[Token], nodes: TextNodes, places: Sequence[_Place]) -> _Chooser:
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
    aligned = _aligned(now.texts, nodes.texts)
    if aligned is None or not _joined(aligned, len(nodes)) <= set(removed):
        raise AnnotationError("with the comments in it, its text is read otherwise")
    owners = np.array(aligned.owners, dtype=np.int64)
    same_tree = list(now.tag) == list(nodes.tag) and np.array_equal(now.parent, nodes.parent)
    if not same_tree or not np.array_equal(now.element[owners], nodes.element):
        raise AnnotationError("with the comments in it, its elements are read otherwise")
    expected = [(aligned.owners[start], aligned.owners[end - 1] + 1) for start, end in regions]
    if read_annotation(page, now) != expected:
        raise AnnotationError("the comments in it do not say the regions that were asked for")


def _joined(aligned: _Alignment, size: int) -> set[int]:
    """The gaps between old nodes that are none any more, or that white space has left."""
    owners = aligned.owners
    joined = {gap for gap in range(1, size) if owners[gap - 1] == owners[gap]}
    joined |= {bisect_left(owners, node) for node in aligned.cut_before}
    return joined | {bisect_right(owners, node) for node in aligned.cut_after}
