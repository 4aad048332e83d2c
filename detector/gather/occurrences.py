"""The sentences of a page as the join wants them: which count, each different one once, and what the page
amounts to.

All of this is done while pages are read, page by page, so that the join has only integers left to do; that
halves its time.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import compress, pairwise
from typing import Any

import numpy as np
import numpy.typing as npt
import xxhash

from ruiji.chunker.mask import ContentMask
from ruiji.detector.gather.sentence_places import sentence_places
from ruiji.detector.gather.text_places import NOWHERE
from ruiji.detector.sentences.information import PROSE, sentence_bits
from ruiji.detector.sentences.loose import loose_forms, without_openers
from ruiji.detector.sentences.shapes import shapes
from ruiji.detector.sentences.table import SentenceTable, content_shares, keys, sentence_table
from ruiji.detector.sentences.topic import topic_fit
from ruiji.features.arrays import long_ranges
from ruiji.features.page.textnodes import TextNodes

MATCHES = ("loose", "exact", "skeleton")
OFTEN = 3  # times in one page; a head line stands in the article and once more in a list of related ones
TITLE_SHARE = 0.1  # of the bits of a sentence that is the title of its page: lists and links repeat it
CONTENT_SHARE = 0.5  # of its characters must lie in content nodes for a sentence to be content
# A mask that leaves so little of a page's long sentences has failed where the others are prose, at least so
# many characters of it: of 1,300 transplanted pages two are so, both articles, of 599 of manuals none.
FAILED_SHARE, FAILED_CHARS = 0.05, 1000
# In the midst of the content: so many sentences at most that a mask leaves out in one place, so much of them
# by length prose. Of 14 transplanted quotations that the mask of one page left out, seven stand so, with 1 to
# 10 sentences; of some 50 other pairs of pages with prose that one mask only left out one stands so.
GAP_SENTENCES, GAP_PROSE = 12, 0.6

# What is known of a sentence beside its text.
COLUMNS = np.dtype([
    ("key", np.int64), ("length", np.int32), ("content", np.bool_), ("paragraph", np.int32),
    ("first_node", np.int32),
    ("last_node", np.int32), ("place", np.int64), ("paragraph_key", np.int64), ("bits", np.int32),
    ("fit", np.int32), ("text_start", np.int32), ("text_end", np.int32), ("text_key", np.int64),
    ("names", np.int32),
])  # fmt: skip


@dataclass(frozen=True, slots=True)
class Usable:
    """Which sentences may make a pair (Kang 2009, section 4.2): long ones, in few pages."""

    min_length: int = 20  # characters, as the length of a sentence counts them
    max_pages: int = 10  # pages with different content that may have it
    # By what sentences are the same: letters without openers; the whole text, as in the paper; or content
    # words' lemmas in order, so that changed particles and inflections still match
    match: str = "loose"

    @property
    def by_form(self) -> bool:
        """Whether sentences are matched by something else than their text."""
        return self.match != "exact"


@dataclass(frozen=True, slots=True, eq=False)
class PageSentences:
    """The sentences of a page: texts and columns for all; ``chosen`` are those that count, each different one
    once.

    ``asides`` are the long ones that are no content. ``skeletons`` stand beside the texts where sentences are
    matched by them, "" for those that are too short. ``digest`` is equal for pages with the same chosen
    texts, "" where there are none.
    """

    texts: list[str]
    columns: npt.NDArray[Any]
    skeletons: list[str] | None
    chosen: list[int]
    asides: list[int]
    digest: str

    @property
    def matched(self) -> list[str]:
        """What is compared of each chosen sentence: its skeleton where it has one, else its text."""
        if self.skeletons is None:
            return [self.texts[number] for number in self.chosen]
        return [self.skeletons[number] or self.texts[number] for number in self.chosen]

    @property
    def inside(self) -> Iterator[str]:
        """All sentences that are content."""
        return compress(self.texts, self.columns["content"].tolist())

    @property
    def outside(self) -> Iterator[str]:
        """All that are none."""
        return compress(self.texts, (~self.columns["content"]).tolist())

    @property
    def long_chars(self) -> int:
        """The length of all chosen sentences: |S(p)| of section 6.1.1."""
        return int(self.columns["length"][self.chosen].sum())


def page_sentences(
    pages: Sequence[TextNodes], masks: Sequence[ContentMask], usable: Usable
) -> list[PageSentences]:
    """The sentences of each page of a batch, under its mask."""
    table = sentence_table(pages)
    columns = np.empty(len(table.texts), dtype=COLUMNS)
    columns["key"] = columns["text_key"] = table.key.view(np.int64)
    columns["content"] = content_shares(table, masks) >= CONTENT_SHARE
    columns["content"] &= ~_furniture(table.page, columns["key"], columns["content"])
    for name in ("length", "paragraph", "first_node", "last_node"):
        columns[name] = getattr(table, name)
    long = columns["length"] >= usable.min_length
    columns["content"] |= _prose_of_failed_masks(table, columns["content"], long)
    in_gaps = _prose_in_gaps(pages, table, columns["content"], long)
    columns["content"] |= in_gaps
    counts = columns["content"] & long
    columns["bits"] = 0
    numbers = np.flatnonzero(counts)
    found_shapes = shapes([table.texts[number] for number in numbers.tolist()])
    columns["bits"][numbers] = sentence_bits(found_shapes, table.length[numbers])
    prose = np.zeros(len(table), dtype=np.bool_)
    prose[numbers] = [found_shape == PROSE for found_shape in found_shapes]
    # What two pages of a site have in such a gap at the same place is no prose of theirs: a notice, an offer.
    prose &= ~in_gaps
    columns["place"], columns["paragraph_key"] = sentence_places(pages, table, counts, prose)
    skeletons = _skeletons(table.texts, columns, long, usable.match) if usable.by_form else None
    columns["fit"] = columns["names"] = 0
    columns["text_start"] = columns["text_end"] = NOWHERE
    borders = np.searchsorted(table.page, np.arange(len(masks) + 1)).tolist()
    found: list[PageSentences] = []
    for start, end in pairwise(borders):
        texts = table.texts[start:end]
        counted = np.flatnonzero(counts[start:end])
        columns["fit"][start + counted] = topic_fit(texts, counted.tolist())
        own = skeletons[start:end] if skeletons is not None else None
        titles = start + _of_title(pages[len(found)].title, texts, own, counted.tolist())
        columns["bits"][titles] = columns["bits"][titles] * TITLE_SHARE
        chosen = _different(
            texts, own, columns["length"][start:end].tolist(), np.flatnonzero(counts[start:end]).tolist()
        )
        found.append(
            PageSentences(
                texts,
                columns[start:end],
                own,
                chosen,
                np.flatnonzero((long & ~counts)[start:end]).tolist(),
                content_digest([texts[number] for number in chosen]),
            )
        )
    return found


def _of_title(
    title: str, texts: Sequence[str], forms: Sequence[str] | None, numbers: Sequence[int]
) -> npt.NDArray[np.int64]:
    """Those of the sentences that are the page's title or a part of it: who repeats it names the page."""
    (form,) = loose_forms([title])
    found = [
        number
        for number in numbers
        if texts[number] in title or (forms is not None and forms[number] and forms[number] in form)
    ]
    return np.array(found, dtype=np.int64)


def _prose_of_failed_masks(
    table: SentenceTable, content: npt.NDArray[np.bool_], long: npt.NDArray[np.bool_]
) -> npt.NDArray[np.bool_]:
    """The long sentences of prose in pages of which the mask leaves next to nothing."""
    length = np.where(long, table.length, 0)
    pages = int(table.page.max(initial=-1)) + 1
    inside = np.bincount(table.page, length * content, pages)
    outside = np.bincount(table.page, length * ~content, pages)
    failed = (outside >= FAILED_CHARS) & (inside < FAILED_SHARE * outside)
    prose = np.zeros(len(table), dtype=np.bool_)
    if failed.any():
        numbers = np.flatnonzero(failed[table.page] & long & ~content)
        prose[numbers] = [
            found == PROSE for found in shapes([table.texts[number] for number in numbers.tolist()])
        ]
        chars = np.bincount(table.page, length * prose, pages)
        prose &= (chars >= FAILED_CHARS)[table.page]
    return prose


def _prose_in_gaps(
    pages: Sequence[TextNodes],
    table: SentenceTable,
    content: npt.NDArray[np.bool_],
    long: npt.NDArray[np.bool_],
) -> npt.NDArray[np.bool_]:
    """The long sentences of prose that a mask leaves out in the midst of the content, where they are most of
    what it leaves out there: quotations. Neither links nor what the page says twice: those are teasers and
    notices.
    """
    inside = np.flatnonzero(content)
    size = np.diff(inside) - 1
    gaps = (size > 0) & (size <= GAP_SENTENCES) & (table.page[inside[1:]] == table.page[inside[:-1]])
    first, size = inside[:-1][gaps] + 1, size[gaps]
    out = long_ranges(first, size)
    once = _times(table.page, table.key)[1] == 1
    asked = out[(long & once)[out]]
    kinds = shapes([table.texts[number] for number in asked.tolist()])
    nodes = zip(table.page[asked].tolist(), table.first_node[asked].tolist(), strict=True)
    found = np.zeros(len(table), dtype=np.bool_)
    found[asked] = [
        kind == PROSE and pages[page].link[node] < 0 for kind, (page, node) in zip(kinds, nodes, strict=True)
    ]
    gap, length = np.repeat(np.arange(len(size)), size), table.length[out].astype(np.int64)
    prose, whole = (np.bincount(gap, weights, len(size)) for weights in (length * found[out], length))
    found[out] &= (prose >= GAP_PROSE * whole)[gap]
    return found


def _times(
    page: npt.NDArray[np.int32], key: npt.NDArray[Any]
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """A number for the sentence and page of each, and how often they come."""
    _, sentence = np.unique(key, return_inverse=True)
    _, kind = np.unique(sentence * (np.int64(page.max(initial=0)) + 1) + page, return_inverse=True)
    return kind, np.bincount(kind)[kind]


def _furniture(
    page: npt.NDArray[np.int32], key: npt.NDArray[np.int64], content: npt.NDArray[np.bool_]
) -> npt.NDArray[np.bool_]:
    """Which sentences stand often in their page and mostly outside its content: signatures and notices that a
    mask lets through once.
    """
    kind, times = _times(page, key)
    inside = np.bincount(kind, content)[kind]
    return np.asarray((times >= OFTEN) & (2 * inside < times))


def _forms(texts: Sequence[str], match: str) -> list[str]:
    """What the texts are matched by; "" for those that are matched by themselves."""
    if match == "loose":
        return loose_forms(texts)
    from ruiji.detector.sentences.skeleton import skeletons  # brings the morphological dictionary along

    return skeletons([without_openers(text) for text in texts])


def _skeletons(
    texts: Sequence[str], columns: npt.NDArray[Any], long: npt.NDArray[np.bool_], match: str
) -> list[str]:
    """The forms of the long sentences; their keys take the place of the texts' keys."""
    numbers = np.flatnonzero(long).tolist()
    found = [""] * len(texts)
    for number, skeleton in zip(numbers, _forms([texts[number] for number in numbers], match), strict=True):
        found[number] = skeleton
    with_form = [number for number in numbers if found[number]]
    columns["key"][with_form] = keys([found[number] for number in with_form]).view(np.int64)
    return found


def _different(
    texts: Sequence[str], skeletons: Sequence[str] | None, lengths: Sequence[int], numbers: Sequence[int]
) -> list[int]:
    """The numbers without repetitions of what is compared; of sentences with the same skeleton the longest,
    the first of equals.
    """
    best: dict[str, int] = {}
    for number in numbers:
        matched = (skeletons[number] if skeletons is not None else "") or texts[number]
        before = best.setdefault(matched, number)
        if lengths[number] > lengths[before]:
            best[matched] = number
    return sorted(best.values())


def content_digest(texts: Sequence[str]) -> str:
    """128 bits that stand for a set of texts; pages that have the same are compared text by text before it is
    believed.
    """
    if not texts:
        return ""
    return xxhash.xxh3_128_hexdigest("\n".join(sorted(texts)).encode("utf-8", "surrogatepass"))
