"""Sentences of pages, each with its place and the text nodes it came from (Kang 2009, section 4.1).

A paragraph is what stands between block tags or line breaks, across inline markup. It is normalised and split
into sentences, for a batch of pages at once: a table has a column for everything that is known of a sentence.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from xxhash import xxh3_64_intdigest

from ruiji.chunker.mask import ContentMask
from ruiji.detector.sentences.anchors import CompoundCounts, separate_anchors
from ruiji.detector.sentences.character_tables import Class, ClassArray
from ruiji.detector.sentences.normalise import NOTHING, PARAGRAPH, SPACE, normalised
from ruiji.detector.sentences.splitting import sentence_spans
from ruiji.features.arrays import IntArray, KeyArray, ranges
from ruiji.features.page.textnodes import GIVEN_SENTENCE, PREFORMATTED, SPACE_BEFORE, TextNodes

_PARTICLES = re.compile("[がをにはので]")  # section 4.1, step 1
JAPANESE_PARTICLE_SHARE = 0.005  # section 4.1, step 1

# A line of prose that cannot end a sentence: it ends in a comma, a particle, a conjunction (as in figure 7).
# Of our own choice.
_UNFINISHED = re.compile(r"\S{7}(?:[、，をがはにへとてでのもやば]|から|ので|けど|たら|なら|ながら)\Z")
_LINE_END = 16  # characters that are looked at
_GOING_ON = re.compile(r"\s*[「『（(]?[ぁ-ゖァ-ヺ一-鿿々]")

# A letter of an alphabet counts half: without repeated lines, bzip2 packs the text of WCXB's English pages
# into 2.5 bits a character, that of our Japanese sites into 4.4. So a threshold of 20 means 20 characters of
# Japanese or 39 of English.
LETTERS_PER_CHARACTER = 2


@dataclass(frozen=True, slots=True, eq=False)
class SentenceTable:
    """The sentences of a batch of pages in document order, a column for each thing that is known of them.

    ``page`` is the page's number in the batch, ``paragraph`` the running number in the page, ``offset`` the
    place in the page's normalised text (its paragraphs with a line break between them), ``length`` what
    thresholds mean: the number of characters where kana, kanji or hangul are among them, else half of it.
    ``key`` is the xxh3_64 of the UTF-8 text. ``pieces`` are the characters of each sentence in each of its
    nodes, from first_node to last_node, one sentence after another.
    """

    texts: list[str]
    page: IntArray
    paragraph: IntArray
    offset: IntArray
    first_node: IntArray
    last_node: IntArray
    length: IntArray
    key: KeyArray
    pieces: IntArray

    def __len__(self) -> int:
        return len(self.texts)


@dataclass(frozen=True, slots=True, eq=False)
class SplitTexts:
    """The sentences of plain texts: normalised, with the number of the text and their place in it as it was
    given.
    """

    texts: list[str]
    text: IntArray
    start: IntArray
    end: IntArray
    length: IntArray


@dataclass(frozen=True, slots=True)
class PlacedSentence:
    """A normalised sentence; ``offset`` is its place in the page's normalised text, its nodes are first_node
    to last_node.
    """

    text: str
    offset: int
    first_node: int
    last_node: int


def sentence_table(pages: Sequence[TextNodes], compounds: CompoundCounts | None = None) -> SentenceTable:
    """The sentences of all pages.

    ``compounds`` are the compounds of the collection: where links stand side by side, those that make a
    frequent one are one sentence. Without, each such link is a sentence of its own.
    """
    sizes = np.fromiter(map(len, pages), dtype=np.int32, count=len(pages))
    texts = [text for page in pages for text in page.texts]
    flags = np.concatenate([page.flags for page in pages]) if pages else np.zeros(0, dtype=np.uint8)
    nodes_before = (sizes.cumsum() - sizes).astype(np.int32)  # of each page
    between = _between(pages, texts, flags, nodes_before, compounds)
    joined = normalised(texts, between.tolist(), (flags & PREFORMATTED) != 0)
    start, end = sentence_spans(joined.text, joined.classes, _whole(joined.starts, flags))
    first = joined.starts[:-1].searchsorted(start, side="right").astype(np.int32) - 1
    last = joined.starts[:-1].searchsorted(end - 1, side="right").astype(np.int32) - 1
    nodes = last - first + 1
    within = ranges(first, nodes)
    pieces = np.minimum(joined.starts[within + 1], np.repeat(end, nodes)) - np.maximum(
        joined.starts[within], np.repeat(start, nodes)
    )
    page = np.repeat(np.arange(len(pages), dtype=np.int32), sizes)[first]
    breaks = np.flatnonzero((joined.classes & Class.PARAGRAPH) != 0).astype(np.int32)
    page_start = joined.starts[nodes_before]
    cut = _cut(joined.text, start, end)
    return SentenceTable(
        texts=cut,
        page=page,
        paragraph=(breaks.searchsorted(start) - breaks.searchsorted(page_start)[page]).astype(np.int32),
        offset=start - page_start[page],
        first_node=first - nodes_before[page],
        last_node=last - nodes_before[page],
        length=_lengths(joined.classes, start, end),
        key=keys(cut),
        pieces=pieces,
    )


def _whole(starts: IntArray, flags: npt.NDArray[np.uint8]) -> IntArray | None:
    """Begin and end, in turn, of the texts that are not to be split."""
    given = np.flatnonzero(flags & GIVEN_SENTENCE)
    return np.stack((starts[given], starts[given + 1]), axis=1).ravel() if len(given) else None


def _between(
    pages: Sequence[TextNodes],
    texts: Sequence[str],
    flags: npt.NDArray[np.uint8],
    nodes_before: IntArray,
    compounds: CompoundCounts | None,
) -> npt.NDArray[np.uint8]:
    """What stands before each node."""
    found = np.where(flags & SPACE_BEFORE, np.uint8(SPACE), np.uint8(NOTHING))
    if len(found):
        begins = np.zeros(len(found), dtype=np.bool_)  # a line
        begins[nodes_before[nodes_before < len(found)]] = True
        line, block = (np.concatenate([getattr(page, name) for page in pages]) for name in ("line", "block"))
        broken = ~begins[1:] & (line[1:] != line[:-1]) & (block[1:] == block[:-1])  # by <br>
        begins[1:] |= line[1:] != line[:-1]
        begins[
            [
                node
                for node in (np.flatnonzero(broken) + 1).tolist()
                if _is_layout(texts[node - 1], texts[node])
            ]
        ] = False
        link = np.concatenate([page.link for page in pages])
        begins[separate_anchors(texts, link, begins.cumsum(dtype=np.int32), compounds)] = True
        found[begins] = PARAGRAPH
    return found


def _is_layout(line: str, following: str) -> bool:
    """Whether a line break stands within a sentence, to shape the page: the line before it is Japanese and
    unfinished.
    """
    return (
        _UNFINISHED.search(line.rstrip()[-_LINE_END:]) is not None and _GOING_ON.match(following) is not None
    )


def content_shares(table: SentenceTable, masks: Sequence[ContentMask]) -> npt.NDArray[np.float32]:
    """The share of each sentence's characters that lie in content nodes; a mask for each page of the
    table.
    """
    if not len(table):
        return np.zeros(0, dtype=np.float32)
    content = np.concatenate([mask.content for mask in masks])
    sizes = np.array([len(mask.content) for mask in masks], dtype=np.int32)
    count = table.last_node - table.first_node + 1
    nodes = ranges((sizes.cumsum() - sizes).astype(np.int32)[table.page] + table.first_node, count)
    heads = count.cumsum() - count
    inside, whole = (
        np.add.reduceat(table.pieces * content[nodes], heads),
        np.add.reduceat(table.pieces, heads),
    )
    return (inside / whole).astype(np.float32)


def placed_sentences(nodes: TextNodes) -> list[PlacedSentence]:
    """The sentences of a page in document order."""
    table = sentence_table([nodes])
    columns = (table.offset.tolist(), table.first_node.tolist(), table.last_node.tolist())
    return [PlacedSentence(*row) for row in zip(table.texts, *columns, strict=True)]


def split_texts(texts: Sequence[str], lines: bool = True) -> SplitTexts:
    """The sentences of each text. ``lines``: a line break ends a paragraph; without, it is white space like
    any other.
    """
    joined = normalised(texts, PARAGRAPH, breaks=lines)
    start, end = sentence_spans(joined.text, joined.classes)
    number = joined.starts[:-1].searchsorted(start, side="right").astype(np.int32) - 1
    return SplitTexts(
        texts=_cut(joined.text, start, end),
        text=number,
        start=joined.given(start, number),
        end=joined.given(end - 1, number, ends=True),
        length=_lengths(joined.classes, start, end),
    )


def split(text: str) -> list[str]:
    """The sentences of one paragraph of plain text."""
    return split_texts([text], lines=False).texts


def keys(texts: Sequence[str]) -> KeyArray:
    """The xxh3_64 of each text in UTF-8."""
    try:
        return np.fromiter(map(xxh3_64_intdigest, map(str.encode, texts)), dtype=np.uint64, count=len(texts))
    except UnicodeEncodeError:  # half of a surrogate pair
        found = (xxh3_64_intdigest(text.encode("utf-8", "surrogatepass")) for text in texts)
        return np.fromiter(found, dtype=np.uint64, count=len(texts))


def is_japanese(text: str) -> bool:
    """Whether the particles が を に は の で make up at least 0.5 % of the characters (section 4.1, step
    1).
    """
    return bool(text) and len(_PARTICLES.findall(text)) >= JAPANESE_PARTICLE_SHARE * len(text)


def _cut(text: str, start: IntArray, end: IntArray) -> list[str]:
    return [text[a:b] for a, b in zip(start.tolist(), end.tolist(), strict=True)]


def _lengths(classes: ClassArray, start: IntArray, end: IntArray) -> IntArray:
    """The length of each sentence as thresholds mean it."""
    if not len(start):
        return np.zeros(0, dtype=np.int32)
    borders = np.stack(
        (start, end), axis=1
    ).ravel()  # in turn the characters of a sentence and those up to the next
    inside = np.bitwise_or.reduceat(np.append(classes, np.uint16(0)), borders)[::2]
    size = end - start
    return np.where(inside & Class.WIDE, size, (size + 1) // LETTERS_PER_CHARACTER).astype(np.int32)
