"""Annotation comments in a page as regions of its text nodes (Nakamura 2007, section 4.1); writing.py writes
them.

read_annotation(page, nodes)       # [(3, 7), (12, 15)], or AnnotationError with the line of every fault
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ruiji.chunker.annotation import markers
from ruiji.chunker.annotation.markers import BEGIN, END
from ruiji.chunker.annotation.source import MarkupSource, source_of
from ruiji.chunker.annotation.tokens import COMMENT, Token, tokens_of
from ruiji.chunker.labels import Region
from ruiji.chunker.mask import ContentMask
from ruiji.corpora.page import Page
from ruiji.features.page.parsing import text_nodes
from ruiji.features.page.textnodes import TextNodes

MOST_FAULTS = 20  # that one message names


class AnnotationError(ValueError):
    """Markers that do not make regions, or regions that no markers make; the message names each fault and its
    place.
    """


def annotated_mask(nodes: TextNodes) -> ContentMask:
    """The mask that the annotation comments of a page say. Raises AnnotationError where they are not
    balanced.
    """
    content: npt.NDArray[np.bool_] = np.ones(len(nodes), dtype=np.bool_)
    for start, end in annotated_regions(nodes):
        content[start:end] = False
    return ContentMask(content, content.astype(np.float32), "annotation")


def annotated_regions(nodes: TextNodes) -> list[Region]:
    """The regions that the annotation comments say, by the nodes alone: faults are named by the text they
    stand before.

    What the walk does not keep goes unnoticed here (a marker in a script, one in lower case); read_annotation
    names it.
    """
    regions, faults = _judged(
        nodes, [(position, markers.last_comment(comment), 0) for position, comment in nodes.marks]
    )
    if faults:
        raise AnnotationError("; ".join(text for _, text in faults))
    return regions


def read_annotation(page: Page, nodes: TextNodes) -> list[Region]:
    """The regions that the annotation comments of a page say; regions without text are left out.

    Raises AnnotationError with the line of everything that is not balanced, nested, misspelt, or not a
    comment for the parser.
    """
    source = source_of(page)
    tokens = list(tokens_of(source.utf8))
    comments = marker_comments(source, tokens)
    faults = _places_with_faults(source, tokens)
    marks = [(position, markers.last_comment(comment), 0) for position, comment in nodes.marks]
    read = sum(marker in (BEGIN, END) for _, marker, _ in marks)
    written = sum(comment.marker in (BEGIN, END) for comment in comments)
    regions, misread = _judged(nodes, marks)
    if not faults and not misread and read == written == len(comments):
        return regions
    seen = _in_tree_order(page, source, comments)
    unseen = set(range(len(comments))) - {number for _, number in seen}
    for number in unseen:
        comment = comments[number]
        faults.append(
            (
                source.line(comment.start),
                f"the marker {comment.marker!r} stands where the parser shows no text",
            )
        )
    marks = [
        (position, comments[number].marker, source.line(comments[number].start)) for position, number in seen
    ]
    if read > len(seen):  # markup that was not read as the parser reads it: its word counts
        faults, marks = (
            [],
            [(position, markers.last_comment(comment), 0) for position, comment in nodes.marks],
        )
    regions, misread = _judged(nodes, marks)
    faults += misread
    if faults:
        raise AnnotationError(_message(faults))
    return regions


@dataclass(frozen=True, slots=True)
class MarkerComment:
    """A comment that is, or was meant as, a marker. ``start`` is that of the marker; its comment may begin
    earlier, unclosed.
    """

    token: Token
    start: int
    marker: str

    @property
    def is_swallowed(self) -> bool:
        """Whether it is the end of a comment that somebody forgot to close."""
        return self.start > self.token.start


def marker_comments(source: MarkupSource, tokens: Iterable[Token]) -> list[MarkerComment]:
    """The comments of annotation, in the order of the source, misspelt ones too."""
    comments = []
    for token in tokens:
        if token.kind == COMMENT:
            text = markers.comment_text(source, token)
            marker = markers.last_comment(text)
            if marker in (BEGIN, END) or (markers.is_misspelt(marker) and not _is_unclosed(text)):
                inner = source.utf8.rfind(b"<!--", token.start, token.end)
                comments.append(MarkerComment(token, max(inner, token.start), marker))
    return comments


def _message(faults: Iterable[tuple[int, str]]) -> str:
    """The faults by line; of a page full of them, the first."""
    texts = [f"line {line}: {text}" if line else text for line, text in sorted(faults)]
    return "; ".join(
        texts[:MOST_FAULTS] + [f"and {len(texts) - MOST_FAULTS} more"] * (len(texts) > MOST_FAULTS)
    )


def _is_unclosed(text: str) -> bool:
    return any(True for _ in markers.unclosed_markers(text))


def _places_with_faults(source: MarkupSource, tokens: Sequence[Token]) -> list[tuple[int, str]]:
    """(line, fault) of the markers that no parser can read."""
    faults = [
        (source.line(place), f"a marker stands {situation}")
        for place, situation in markers.unread_markers(source, tokens)
    ]
    for token in tokens:
        if token.kind == COMMENT:
            text = markers.comment_text(source, token)
            for offset, spelling in markers.unclosed_markers(text):
                line = source.line(token.start + len(text[:offset].encode()) + len("<!--"))
                faults.append(
                    (line, f"the comment of the marker {spelling!r} is not closed and swallows what follows")
                )
    return faults


def _judged(
    nodes: TextNodes, marks: Iterable[tuple[int, str, int]]
) -> tuple[list[Region], list[tuple[int, str]]]:
    """The regions, and (line, fault) of what makes none; of each mark are given the nodes before it, the
    marker and the line.
    """
    regions, faults = [], []
    start: int | None = None
    begin_line = 0
    for position, marker, line in marks:
        before = repr(nodes.texts[position].strip()[:20]) if position < len(nodes) else "the end of the page"
        if marker == BEGIN:
            if start is not None:
                faults.append((line, f"a region begins inside another, before {before}"))
            start, begin_line = position, line
        elif marker == END:
            if start is None:
                faults.append((line, f"a region ends that never began, before {before}"))
            elif start < position:
                regions.append((start, position))
            start = None
        elif markers.is_misspelt(marker):
            faults.append((line, f"a misspelt marker {marker!r}, before {before}"))
    if start is not None:
        faults.append((begin_line, "the last region never ends"))
    return regions, faults


def _in_tree_order(
    page: Page, source: MarkupSource, comments: Sequence[MarkerComment]
) -> list[tuple[int, int]]:
    """(text nodes before it, number) of each of the comments that the walk meets, in its order."""
    return probed(
        page,
        source,
        {number: (comment.token.start, comment.token.start) for number, comment in enumerate(comments)},
    )[1]


def probed(
    page: Page, source: MarkupSource, spots: Mapping[int, tuple[int, int]]
) -> tuple[Sequence[str], list[tuple[int, int]]]:
    """The texts of the page with a numbered comment instead of each stretch, and (texts before it, number) of
    those that are comments.
    """
    sign = "CONTENT@"  # the walk keeps comments with this word
    while sign.encode() in source.utf8:
        sign += "@"
    pieces, position = [], 0
    for number, (start, end) in sorted(spots.items(), key=lambda item: item[1]):
        pieces += [source.utf8[position:start], f"<!--{sign}{number}-->".encode()]
        position = end
    pieces.append(source.utf8[position:])
    nodes = text_nodes(Page(page.id, page.url, b"".join(pieces).decode("utf-8")))
    counted = []
    for count, comment in nodes.marks:
        before, _, digits = comment.rpartition("<!--")[2].strip().rpartition(sign)
        if not before and digits.isdecimal():
            counted.append((count, int(digits)))
    return nodes.texts, counted
