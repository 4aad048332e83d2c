"""What the events of a walk mean, by array arithmetic: which element encloses what, where blocks and lines
begin.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from ruiji.corpora.c_modules import compiled
from ruiji.features.arrays import BoolArray, ByteArray, IntArray, smallest_unsigned
from ruiji.features.page import elements
from ruiji.features.page.steps import END, LAST_NO_ELEMENT, NEW_LINE_SPACE, SPACE, TEXT, Steps
from ruiji.features.page.textnodes import NO_LINK, NOSCRIPT, PREFORMATTED, SPACE_BEFORE

NO_ELEMENT = -1

# What an element means for the text around it, as bits; the last is what white space means.
BLOCK_BORDER, LINE_BORDER, SPACE_SHOWN, IN_NOSCRIPT, BLANK = 1, 2, 4, 8, 16


@dataclass(frozen=True, slots=True, eq=False)
class Trace:
    """What the order of events means, for several pages at once: arrays cost by the call, so pages share the
    calls.

    Of an element (in the order they open): the events at which it opens and closes, its name, its parent, the
    texts inside it (from ``first`` to before ``end``). Of a text: its event and the element right above it.
    ``meaning`` has the bits above for each event, of an element both where it opens and where it closes.
    ``page_ends`` are the events at which each page ends.
    """

    events: ByteArray
    page_ends: IntArray
    meaning: ByteArray
    opened: IntArray
    closed: IntArray
    parent: IntArray
    first: IntArray
    end: IntArray
    text_at: IntArray
    text_element: IntArray
    anchors: IntArray  # elements
    named: IntArray  # elements
    described: IntArray  # elements

    def has(self, bit: int) -> bool:
        """Whether any element has that meaning."""
        return bool((self.meaning & bit).any())

    def texts_inside(self, bit: int) -> BoolArray:
        """Whether each text is inside an element of that meaning."""
        which = (self.meaning[self.opened] & bit) > 0
        return self._innermost(self.opened[which], self.closed[which]) >= 0

    def borders(self) -> ByteArray:
        """What lies between each text and the one before it, as bits: BLOCK_BORDER, LINE_BORDER, BLANK;
        nothing before the first.
        """
        code = self.meaning | _blanks()[self.events]
        if self.has(SPACE_SHOWN):
            code[self._line_ends_shown()] |= LINE_BORDER
        borders = np.zeros(len(self.text_at), dtype=np.uint8)
        if len(borders) > 1:
            borders[1:] = np.bitwise_or.reduceat(code, self.text_at)[:-1]
        return borders

    def _line_ends_shown(self) -> BoolArray:
        """Events of white space with a line end where white space is shown as it stands."""
        preformatted = (self.meaning[self.opened] & SPACE_SHOWN) > 0
        steps = np.zeros(len(self.events), dtype=np.int32)
        steps[self.opened[preformatted]] = 1
        steps[self.closed[preformatted]] = -1
        shown: BoolArray = (self.events == NEW_LINE_SPACE) & (steps.cumsum() > 0)
        return shown

    def text_anchors(self) -> IntArray:
        """For each text, which of the anchors is the innermost around it, or -1."""
        return self._innermost(self.opened[self.anchors], self.closed[self.anchors])

    def _innermost(self, start: IntArray, end: IntArray) -> IntArray:
        """For each text, the number of the last of these stretches (in order of their starts) that it lies
        in, or -1.
        """
        if not len(start):
            return np.full(len(self.text_at), -1, dtype=np.int32)
        last = np.searchsorted(start, self.text_at).astype(np.int32) - 1
        innermost = np.where((last >= 0) & (self.text_at < end[last]), last, np.int32(-1))
        if (
            end[:-1] > start[1:]
        ).any():  # links and the like hardly ever nest, but tables and objects allow it
            for number, (first, final) in enumerate(zip(start.tolist(), end.tolist(), strict=True)):
                innermost[np.searchsorted(self.text_at, first) : np.searchsorted(self.text_at, final)] = (
                    number
                )
        return innermost


class PageColumns(NamedTuple):
    """What the events of one page mean. Of an element: its number, its parent (-1 for the root), the texts
    inside it (from ``first`` to before ``end``), the events at which it opens and closes. Of a text: the
    element right above it, its line, its block, its link (-1 for none), its flags. Then the elements of
    anchors, names and descriptions.
    """

    number: ByteArray
    parent: IntArray
    first: IntArray
    end: IntArray
    opened: IntArray
    closed: IntArray
    element: IntArray
    line: IntArray
    block: IntArray
    link: IntArray
    flags: ByteArray
    anchors: IntArray
    named: IntArray
    described: IntArray


_TYPES = (
    np.uint8, np.int32, np.int32, np.int32, np.int32, np.int32, np.int32, np.int32, np.int32, np.int32,
    np.uint8, np.int32, np.int32, np.int32,
)  # fmt: skip


def page_columns(pages: Sequence[Steps]) -> Iterator[PageColumns]:
    """The columns of each page: by the pass in C where there is one, else by arithmetic on all pages."""
    in_c = compiled("ruiji.features.page._trace")
    if in_c is None:
        yield from columns_by_arrays(pages)
        return
    for page in pages:
        columns = in_c.columns(page.events, _meanings(), page.anchor_events, page.name_events, page.described)
        yield PageColumns(*map(np.frombuffer, columns, _TYPES))


def columns_by_arrays(pages: Sequence[Steps]) -> Iterator[PageColumns]:
    """The reference for the pass in C."""
    if not pages:
        return
    whole = trace(pages)
    block, line, flags = _surroundings(whole)
    link = whole.text_anchors()
    number = whole.events[whole.opened]
    text_ends = whole.text_at.searchsorted(whole.page_ends).tolist()
    element_ends = whole.opened.searchsorted(whole.page_ends).tolist()
    text = element = anchor = name = description = event = 0
    for page, text_end, element_end in zip(pages, text_ends, element_ends, strict=True):
        texts, own = slice(text, text_end), slice(element, element_end)
        anchor_end, name_end = anchor + len(page.hrefs), name + len(page.names)
        description_end = description + len(page.described)
        own_link = link[texts]
        parent = whole.parent[own] - element
        parent[:1] = NO_ELEMENT
        yield PageColumns(
            number=number[own],
            parent=parent,
            first=whole.first[own] - text,
            end=whole.end[own] - text,
            opened=whole.opened[own] - event,
            closed=whole.closed[own] - event,
            element=whole.text_element[texts] - element,
            line=line[texts] - line[text : text + 1],
            block=block[texts] - block[text : text + 1],
            link=np.where(own_link < 0, NO_LINK, own_link - anchor).astype(np.int32),
            flags=flags[texts],
            anchors=whole.anchors[anchor:anchor_end] - element,
            named=whole.named[name:name_end] - element,
            described=whole.described[description:description_end] - element,
        )
        text, element, anchor, name = text_end, element_end, anchor_end, name_end
        description, event = description_end, event + len(page.events)


def _surroundings(whole: Trace) -> tuple[IntArray, IntArray, ByteArray]:
    """Block, line and flags of each text."""
    borders = whole.borders()
    new_block, new_line = (borders & BLOCK_BORDER) > 0, (borders & (BLOCK_BORDER | LINE_BORDER)) > 0
    flags = np.where(((borders & BLANK) > 0) & ~new_line, np.uint8(SPACE_BEFORE), np.uint8(0))
    for bit, flag in ((SPACE_SHOWN, PREFORMATTED), (IN_NOSCRIPT, NOSCRIPT)):
        if whole.has(bit):
            flags[whole.texts_inside(bit)] |= flag
    return new_block.cumsum(dtype=np.int32), new_line.cumsum(dtype=np.int32), flags


@lru_cache(maxsize=1)
def _meanings() -> ByteArray:
    """The bits of each element number."""
    table = np.zeros(elements.CUSTOM_NUMBER + 1, dtype=np.uint8)
    for names, bit in (
        (elements.BLOCK_LEVEL, BLOCK_BORDER),
        (elements.LINE_BREAK, LINE_BORDER),
        (elements.PREFORMATTED, SPACE_SHOWN),
        (frozenset(("noscript",)), IN_NOSCRIPT),
    ):
        table[list(elements.numbered(names))] |= bit
    return table


@lru_cache(maxsize=1)
def _blanks() -> ByteArray:
    """The bit of white space for the events that are such."""
    table = np.zeros(elements.CUSTOM_NUMBER + 1, dtype=np.uint8)
    table[[SPACE, NEW_LINE_SPACE]] = BLANK
    return table


def trace(pages: Sequence[Steps]) -> Trace:
    """The structure of the steps."""
    events = np.frombuffer(b"".join(page.events for page in pages), dtype=np.uint8)
    page_ends = np.cumsum([len(page.events) for page in pages], dtype=np.int32)
    opens = events > LAST_NO_ELEMENT
    opened, text_at = _positions(opens), _positions(events == TEXT)
    closing, around = _structure(events, opens)
    closed = closing[opened]
    text_count = (events == TEXT).cumsum(dtype=np.int32)
    meaning = _meanings()[events]
    meaning[closed] = meaning[opened]
    starts = [0, *page_ends.tolist()]
    anchors = [
        start + event for page, start in zip(pages, starts, strict=False) for event in page.anchor_events
    ]
    named = [start + event for page, start in zip(pages, starts, strict=False) for event in page.name_events]
    described = [
        start + event for page, start in zip(pages, starts, strict=False) for event, _ in page.described
    ]
    return Trace(
        events=events,
        page_ends=page_ends,
        meaning=meaning,
        opened=opened,
        closed=closed,
        parent=around[opened],
        first=text_count[opened],
        end=text_count[closed],
        text_at=text_at,
        text_element=around[text_at],
        anchors=opened.searchsorted(anchors).astype(np.int32),
        named=opened.searchsorted(named).astype(np.int32),
        described=opened.searchsorted(described).astype(np.int32),
    )


def _structure(events: ByteArray, opens: BoolArray) -> tuple[IntArray, IntArray]:
    """For each event where an element opens, the event that closes it; for each event, the element around it
    or NO_ELEMENT.

    Sorted by depth, the events of one depth stand in the order of the page: an element's end right behind its
    start, siblings side by side, and the first of them is the one that follows the start of their parent.
    """
    ends = events == END
    level = (opens.view(np.int8) - ends.view(np.int8)).cumsum(dtype=np.int32)
    own = level + ~opens  # the depth at which an element, its end, or a text stands
    order = (
        own.astype(smallest_unsigned(int(own.max(initial=0)))).argsort(kind="stable").astype(np.int32)
    )  # which is linear for 16 bits
    closing, around = np.zeros_like(order), np.full_like(order, NO_ELEMENT)
    starts = opens[order].nonzero()[0]
    closing[order[starts]] = order[starts + 1]
    follows = np.zeros(len(events), dtype=bool)
    follows[1:] = opens[:-1]
    firstborn = (follows & ~ends)[order].nonzero()[0]
    if len(firstborn):
        element = opens.cumsum(dtype=np.int32) - 1
        parents = element[order[firstborn] - 1]
        around[order[firstborn[0] :]] = np.repeat(parents, np.diff(firstborn, append=len(order)))
    return closing, around


def _positions(mask: BoolArray) -> IntArray:
    return mask.nonzero()[0].astype(np.int32)
