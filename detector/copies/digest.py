"""A text as the ordered fingerprints of its segments (the paper's sections 4.1 and 5.1), robust to moved line
breaks.

A segment is a sentence, and a line end closes one too. Letters are folded (``detector.folding``), and
segments of fewer than 5 letters are left out. That alone loses lists and hard-wrapped lines whose breaks a
copier moved (section 6.3, error B). So where lines follow each other without the end of a sentence between
them,

- a source is also cut into chunks whose borders depend on the letters alone, wherever the lines end;
- a query looks for such chunks everywhere, and for every join of neighbouring pieces of its own broken lines.

All of it is done for many texts at once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from ruiji.detector.copies import folding
from ruiji.detector.copies.chunks import chunk_starts, chunks_between
from ruiji.detector.copies.fingerprints import BORDER, CHUNK_MARK, Fingerprint, HashArray, rabin
from ruiji.detector.copies.folding import Folded, fold
from ruiji.features.arrays import BoolArray, IntArray

MIN_LETTERS = 5  # section 6: segments of fewer characters are cut off
LIST_LINES = 3  # so many lines without the end of a sentence are a list or a wrapped paragraph
WRAPPED_LETTERS = 20  # a line of so many that stops short of an end may be wrapped; headings are shorter
JOINED_PIECES = 8  # a source sentence is looked for in so many neighbouring pieces of broken lines
JOINED_LETTERS = 160  # and in so many letters; longer sentences are rare
CLOSERS = 4  # closing brackets after the end of a sentence that belong to it

SENTENCE, JOIN, CHUNK = range(3)  # what a segment is


@dataclass(frozen=True, slots=True, eq=False)
class Digest:
    """Segments of many texts: fingerprint, first letter, letter after the last, the text and the kind of
    each.

    ``ended`` says whether a mark ends the sentence, ``follows`` whether a segment stands right after the one
    before it. ``first`` has the first segment of each text, and one more. Letters and their places are in
    ``folded``.
    """

    folded: Folded
    fingerprint: HashArray
    start: IntArray
    end: IntArray
    text: IntArray
    kind: npt.NDArray[np.uint8]
    ended: BoolArray
    follows: BoolArray
    first: IntArray

    def __len__(self) -> int:
        return len(self.fingerprint)

    def sentences(self, text: int) -> slice:
        """The segments of a text that are its sentences in order; they come first."""
        first, last = int(self.first[text]), int(self.first[text + 1])
        return slice(first, first + int(np.searchsorted(self.kind[first:last], SENTENCE, side="right")))

    def positions(self) -> npt.NDArray[np.int64]:
        """Where each segment stands when a border closes every stretch of segments that follow each other."""
        return np.arange(len(self)) + np.cumsum(~self.follows) - 1

    def marks(self) -> npt.NDArray[np.uint8]:
        """What an index compares of a segment beside its fingerprint: the length modulo 32, and whether it is
        a chunk.
        """
        return (
            (self.end - self.start) & (CHUNK_MARK - 1) | np.where(self.kind == CHUNK, CHUNK_MARK, 0)
        ).astype(np.uint8)

    def with_borders(self) -> tuple[HashArray, npt.NDArray[np.uint8], npt.NDArray[np.int64]]:
        """The fingerprints in order with BORDER after each stretch, their marks, and where each text
        begins.
        """
        at = self.positions()
        count = len(self) + int((~self.follows).sum())
        digest = np.full(count, BORDER, dtype=np.uint32)
        marks = np.zeros(count, dtype=np.uint8)
        digest[at] = self.fingerprint
        marks[at] = self.marks()
        return digest, marks, np.append(at, count)[self.first]


@dataclass(frozen=True, slots=True, eq=False)
class _Pieces:
    """The text between two borders, in letters: ``ended`` by a mark, ``open`` where the next line may go on
    with it, ``unfinished`` where it plainly does: after a comma, or with small letters on both sides."""

    start: IntArray
    end: IntArray
    ended: BoolArray
    open: BoolArray
    unfinished: BoolArray
    text: IntArray

    def lines(self) -> tuple[IntArray, IntArray]:
        """First piece and number of pieces of each stretch that no sentence end divides."""
        closed = np.flatnonzero(~self.open)
        first = np.concatenate(([0], closed[:-1] + 1)) if len(closed) else closed
        return first.astype(np.int32), (closed + 1 - first).astype(np.int32)


def source_digest(texts: Sequence[str], fingerprint: Fingerprint = rabin) -> Digest:
    """What an index keeps of texts: the segments in order, then joined and chunked lines, each stretch by
    itself.
    """
    folded = fold(texts)
    pieces = _pieces(folded)
    first, count = pieces.lines()
    wrapped = (count == 2) & (
        (pieces.end[first] - pieces.start[first] >= WRAPPED_LETTERS) | pieces.unfinished[first]
    )
    joined = first[wrapped]
    lists = count >= LIST_LINES
    list_start, list_end = pieces.start[first[lists]], pieces.end[first[lists] + count[lists] - 1]
    cuts = chunk_starts(folded) if lists.any() else np.zeros(0, dtype=np.int32)
    chunks = chunks_between(cuts, list_start, list_end)
    return _assembled(
        folded,
        fingerprint,
        pieces.ended,
        [
            (SENTENCE, pieces.start, pieces.end, _after_previous(pieces.text)),
            (JOIN, pieces.start[joined], pieces.end[joined + 1], np.zeros(len(joined), dtype=bool)),
            (CHUNK, *chunks),
        ],
    )


def query_digest(texts: Sequence[str], fingerprint: Fingerprint = rabin) -> Digest:
    """What texts are looked up by: the segments in order, then joins of broken lines, then chunks of all of
    the text.
    """
    folded = fold(texts)
    pieces = _pieces(folded)
    cuts = chunk_starts(folded)
    ends = folded.rank[folded.text_start]
    return _assembled(
        folded,
        fingerprint,
        pieces.ended,
        [
            (SENTENCE, pieces.start, pieces.end, _after_previous(pieces.text)),
            (JOIN, *_joins(folded, pieces)),
            (CHUNK, *chunks_between(cuts, ends[:-1], ends[1:])),
        ],
    )


def _after_previous(text: npt.NDArray[Any]) -> BoolArray:
    """Whether each is of the same text, or stretch, as the one before."""
    follows = np.zeros(len(text), dtype=bool)
    follows[1:] = text[1:] == text[:-1]
    return follows


def _pieces(folded: Folded) -> _Pieces:
    """The pieces between ends of sentences and line ends, in order."""
    kinds, rank = folded.kinds, folded.rank
    sentence = _sentence_ends(folded)
    lines = np.flatnonzero(kinds == folding.NEW_LINE).astype(np.int32)
    last = kinds[np.maximum(lines - 1, 0)]
    following = kinds[np.minimum(lines + 1, len(kinds) - 1)]
    ends_text = np.zeros(len(kinds) + 1, dtype=bool)
    ends_text[folded.text_start[1:]] = True
    closed = (last == folding.NEW_LINE) | ends_text[lines + 1]
    goes_on = (last == folding.COMMA) | ((last == folding.LOWER) & (following == folding.LOWER))
    at = np.concatenate((sentence, lines + 1))
    open_ = np.concatenate((np.zeros(len(sentence), dtype=bool), ~closed))
    unfinished = np.concatenate((np.zeros(len(sentence), dtype=bool), goes_on))
    order = np.argsort(at, kind="stable")  # an end of a sentence right before a line end comes first
    at, open_, unfinished, ended = at[order], open_[order], unfinished[order], order < len(sentence)
    border = rank[at]
    start = np.concatenate(([0], border[:-1])).astype(np.int32)
    text = (np.searchsorted(folded.text_start, at, side="left") - 1).astype(np.int32)
    kept = (start != border) | ~open_  # a line end after the end of a sentence closes nothing
    return _Pieces(
        start[kept], border[kept].astype(np.int32), ended[kept], open_[kept], unfinished[kept], text[kept]
    )


def _sentence_ends(folded: Folded) -> IntArray:
    """The characters after which a sentence has ended, closing brackets included."""
    kinds, last = folded.kinds, len(folded.kinds) - 1
    found = np.flatnonzero((kinds == folding.END) | (kinds == folding.FULL_STOP)).astype(np.int32)
    if not len(found):
        return found
    after = np.minimum(found + 1, last)
    for _ in range(CLOSERS):
        kind = kinds[after]
        after += (kind == folding.CLOSING) | (kind == folding.END)
        np.minimum(after, last, out=after)
    stop = kinds[found] == folding.FULL_STOP
    next_kind = kinds[after]
    beyond = kinds[np.minimum(after + 1, last)]
    space = (next_kind == folding.SPACE) | (next_kind == folding.NEW_LINE)
    upper = (
        (beyond == folding.CAPITAL)
        | (beyond == folding.DIGIT)
        | (beyond == folding.JAPANESE)
        | (beyond == folding.CLOSING)
    )
    before = kinds[np.maximum(found - 1, 0)]
    ends_latin = space & (upper | (next_kind == folding.NEW_LINE)) & (before != folding.CAPITAL)
    ends_japanese = (before == folding.JAPANESE) & (next_kind != folding.DIGIT)
    ended = ~stop | ends_latin | ends_japanese
    return np.unique(after[ended & ~_goes_on(folded, after)])


def _goes_on(folded: Folded, after: IntArray) -> BoolArray:
    """Whether what follows shows that the sentence has not ended: と or っ (Kang 2009, section 4.1), or a
    comma.
    """
    kind = folded.kinds[after]
    codes = np.append(folded.letters, np.uint32(0))[folded.rank[after]]
    found: BoolArray = ((kind == folding.JAPANESE) & ((codes == ord("と")) | (codes == ord("っ")))) | (
        kind == folding.COMMA
    )
    return found


def _joins(folded: Folded, pieces: _Pieces) -> tuple[IntArray, IntArray, BoolArray]:
    """Every run of neighbouring pieces, cut also at commas and bullets, of sentences that are broken over
    lines.
    """
    first, count = pieces.lines()
    broken = count >= 2
    if not broken.any():
        nothing = np.zeros(0, dtype=np.int32)
        return nothing, nothing, np.zeros(0, dtype=bool)
    stretch_start, stretch_end = pieces.start[first[broken]], pieces.end[first[broken] + count[broken] - 1]
    marks = folded.rank[np.flatnonzero((folded.kinds == folding.SEPARATOR) | (folded.kinds == folding.COMMA))]
    places = np.unique(np.concatenate((marks, pieces.start, pieces.end)))
    stretch = stretch_end.searchsorted(
        places, side="left"
    )  # a place at an end belongs to the stretch before it
    inside = (stretch < len(stretch_end)) & (
        stretch_start[np.minimum(stretch, len(stretch_end) - 1)] <= places
    )
    starts, ends = [], []
    for width in range(1, min(JOINED_PIECES, len(places) - 1) + 1):
        a, b = places[:-width], places[width:]
        within = (
            inside[width:]
            & (stretch_start[np.minimum(stretch[width:], len(stretch_start) - 1)] <= a)
            & (b - a <= JOINED_LETTERS)
        )
        starts.append(a[within])
        ends.append(b[within])
    start, end = np.concatenate(starts), np.concatenate(ends)
    return start, end, np.zeros(len(start), dtype=bool)


def _assembled(
    folded: Folded,
    fingerprint: Fingerprint,
    ended: BoolArray,
    parts: Sequence[tuple[int, IntArray, IntArray, BoolArray]],
) -> Digest:
    """The segments of all parts, of which the first are the sentences, text by text.

    Those that are too short are left out, and what follows them follows what was before.
    """
    letters_before = folded.rank[folded.text_start]
    columns = []
    for kind, start, end, follows in parts:
        long = end - start >= MIN_LETTERS
        stretch = np.cumsum(~follows)[long]
        start, end = start[long], end[long]
        follows = _after_previous(stretch)
        text = letters_before.searchsorted(start, side="right") - 1
        marked = ended[long] if kind == SENTENCE else np.zeros(len(start), dtype=bool)
        columns.append((start, end, follows, marked, text, np.full(len(start), kind, dtype=np.uint8)))
    start, end, follows, marked, text, kinds = (
        np.concatenate(column) for column in zip(*columns, strict=True)
    )
    order = np.argsort((text * len(parts) + kinds).astype(np.int32), kind="stable")
    start, end, follows, marked, text, kinds = (
        start[order],
        end[order],
        follows[order],
        marked[order],
        text[order],
        kinds[order],
    )
    if len(follows):
        follows[0] = False
        follows[1:] &= (text[1:] == text[:-1]) & (kinds[1:] == kinds[:-1])
    first = text.searchsorted(np.arange(len(folded.text_start))).astype(np.int32)
    return Digest(
        folded,
        fingerprint(folded.letters, start, end),
        start,
        end,
        text.astype(np.int32),
        kinds,
        marked,
        follows,
        first,
    )
