"""The one walk over a parsed page: a loop that only notes what it meets, and arrays that say what that means.

The loop is the hot path of the toolkit. It writes one number an event (a tag opens, text, a tag ends), so a page becomes a short array;
which element encloses what, where blocks begin, what lies inside a link is then arithmetic on that array.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt
from selectolax.lexbor import LexborHTMLParser, LexborNode

from features import elements

# Events. A number that is none of these is the parser's number of an element that opens.
END = 0
SPACE = 1  # white space only
NEW_LINE_SPACE = 3  # the same, with a line end in it
TEXT = elements.TEXT
COMMENT = elements.COMMENT
LAST_NO_ELEMENT = 5  # the parser numbers text, comments and document types below all elements
NO_ELEMENT = -1

# Attributes whose words say what an element is for, and the word for one that is not shown at first.
NAMING = frozenset(("class", "id", "role", "itemprop", "aria-label"))
HIDING = frozenset(("hidden", "aria-hidden", "style"))
HIDDEN_NAME = "hidden-at-first"

EventArray = npt.NDArray[np.uint8]
IntArray = npt.NDArray[np.int32]
BoolArray = npt.NDArray[np.bool_]


# What an element means for the text around it, as bits.
BLOCK, LINE, PRE, NOSCRIPT = 1, 2, 4, 8


@dataclass(frozen=True, slots=True, eq=False)
class Steps:
    """What the walk met in one page, in order: a number an event, and what belongs to some of them."""

    events: bytearray
    texts: Sequence[str]
    customs: Mapping[int, str]  # event → name of an element that the parser knows by name only
    anchor_events: Sequence[int]
    hrefs: Sequence[str]
    marks: Sequence[tuple[int, str]]
    title: str
    base: str
    hidden: Mapping[str, int]
    names: Sequence[tuple[int, str]] | None  # event → what the attributes of the element call it; None where nobody looked


@dataclass(frozen=True, slots=True, eq=False)
class Trace:
    """What the order of events means, for several pages at once: arrays cost by the call, so pages share the calls.

    Of an element (in the order they open): the events at which it opens and closes, its name, its parent. Of a text: its event and
    the element right above it. ``meaning`` has the bits above for each event, of an element both where it opens and where it closes.
    ``page_ends`` are the events at which each page ends.
    """

    events: EventArray
    page_ends: IntArray
    meaning: npt.NDArray[np.uint8]
    opened: IntArray
    closed: IntArray
    parent: IntArray
    tags: Sequence[str]
    text_at: IntArray
    text_element: IntArray
    anchors: IntArray  # elements
    named: IntArray  # elements

    def texts_inside(self, bit: int) -> BoolArray:
        """Whether each text is inside an element of that meaning."""
        which = (self.meaning[self.opened] & bit) > 0
        return self._innermost(self.opened[which], self.closed[which]) >= 0

    def line_ends_shown(self) -> BoolArray:
        """Events of white space with a line end where white space is shown as it stands."""
        preformatted = (self.meaning[self.opened] & PRE) > 0
        steps = np.zeros(len(self.events), dtype=np.int32)
        steps[self.opened[preformatted]] = 1
        steps[self.closed[preformatted]] = -1
        shown: BoolArray = (self.events == NEW_LINE_SPACE) & (steps.cumsum() > 0)
        return shown

    def text_anchors(self) -> IntArray:
        """For each text, which of the anchors is the innermost around it, or -1."""
        return self._innermost(self.opened[self.anchors], self.closed[self.anchors])

    def _innermost(self, start: IntArray, end: IntArray) -> IntArray:
        """For each text, the number of the last of these stretches (in order of their starts) that it lies in, or -1."""
        if not len(start):
            return np.full(len(self.text_at), -1, dtype=np.int32)
        last = np.searchsorted(start, self.text_at).astype(np.int32) - 1
        found = np.where((last >= 0) & (self.text_at < end[last]), last, np.int32(-1))
        if (end[:-1] > start[1:]).any():  # links and the like hardly ever nest, but tables and objects allow it
            for number, (first, final) in enumerate(zip(start.tolist(), end.tolist(), strict=True)):
                found[np.searchsorted(self.text_at, first) : np.searchsorted(self.text_at, final)] = number
        return found


@lru_cache(maxsize=1)
def _meanings() -> npt.NDArray[np.uint8]:
    """The bits of each element number."""
    table = np.zeros(elements.CUSTOM_NUMBER + 1, dtype=np.uint8)
    for names, bit in (
        (elements.BLOCK, BLOCK),
        (elements.LINE_BREAK, LINE),
        (elements.PREFORMATTED, PRE),
        (frozenset(("noscript",)), NOSCRIPT),
    ):
        table[list(elements.numbered(names))] |= bit
    return table


@lru_cache(maxsize=1)
def _names() -> npt.NDArray[np.object_]:
    """The name of each element number."""
    table = np.full(elements.CUSTOM_NUMBER + 1, "", dtype=np.object_)
    for number, name in elements.names().items():
        table[number] = name
    return table


@lru_cache(maxsize=2)
def _ordinary_numbers(named: bool) -> frozenset[int]:
    """Elements that the loop passes without a look: all but those not shown, links, the base address and unknown ones."""
    special = elements.numbered(elements.NOT_SHOWN | {"a", "base"} | (elements.NAMED if named else frozenset()))
    return frozenset(elements.numbers().values()) - special


def names_of(attributes: Mapping[str, str | None]) -> str:
    """What the attributes call an element: class, id and the like, with a word for not being shown at first."""
    found = ""
    for attribute, value in attributes.items():
        if attribute in NAMING:
            if value:
                found = f"{found} {value}" if found else value
        elif attribute in HIDING and _hides(attribute, value or ""):
            found = f"{found} {HIDDEN_NAME}" if found else HIDDEN_NAME
    return found


def _hides(attribute: str, value: str) -> bool:
    if attribute == "style":
        return "display:none" in value.replace(" ", "")
    return attribute == "hidden" or value == "true"


def walk(tree: LexborHTMLParser, named: bool = False) -> Steps:
    """The steps through a tree, in one pass without recursion: pages nest deeper than Python's stack.

    ``named`` also notes what classes, ids and roles call the elements, which costs a look at the attributes of each.
    """
    ordinary = _ordinary_numbers(named)
    anchor, base_number = elements.numbers()["a"], elements.numbers()["base"]
    title_number = elements.numbers()["title"]
    text_number, comment_number, end, space, new_line_space = TEXT, COMMENT, END, SPACE, NEW_LINE_SPACE
    hidden_numbers = elements.numbered(elements.NOT_SHOWN)
    events = bytearray()  # the parser's numbers of elements are below 256, and the array is there without a copy
    note = events.append
    texts: list[str] = []
    customs: dict[int, str] = {}
    anchor_events: list[int] = []
    hrefs: list[str] = []
    marks: list[tuple[int, str]] = []
    hidden: Counter[str] = Counter()
    title: str | None = None
    base = ""
    names: list[tuple[int, str]] = []
    looked_at = elements.numbered(elements.NAMED) if named else frozenset()
    stack: list[LexborNode] = []
    node = first_node(tree)
    while node is not None:
        number = node.tag_id
        if number == text_number:
            text = node.text_content
            if not text or text.isspace():
                note(new_line_space if text and "\n" in text else space)
            else:
                note(text_number)
                texts.append(text)
        elif number == comment_number:
            comment = node.comment_content
            if comment and "CONTENT" in comment:
                marks.append((len(texts), comment))
        else:
            child = node.first_child
            if number not in ordinary:
                if number in looked_at:
                    if child is not None and (attributes := node.attributes) and (name := names_of(attributes)):
                        names.append((len(events), name))
                elif number == anchor:
                    href = node.attributes.get("href")
                    if href is not None and child is not None:
                        anchor_events.append(len(events))
                        hrefs.append(href)
                elif number == base_number:
                    base = base or node.attributes.get("href") or ""
                elif number in hidden_numbers:
                    if number == title_number and title is None and all(above.tag != "svg" for above in stack):
                        title = node.text(deep=True)
                    elif size := _hidden_size(node, child):
                        hidden[node.tag or ""] += size
                    child = None
                elif not node.is_element_node:  # a document type, a processing instruction: nothing to note
                    number = COMMENT
                else:
                    number = elements.CUSTOM_NUMBER
                    customs[len(events)] = name = node.tag or ""
                    if child is not None and name in elements.NOT_SHOWN_IN_SVG and any(above.tag == "svg" for above in stack):
                        hidden[name] += len(node.text(deep=True))
                        child = None
            if child is not None:
                note(number)
                stack.append(node)
                node = child
                continue
            if number != comment_number:
                note(number)
                note(end)
        following = node.next
        while following is None and stack:
            note(end)
            node = stack.pop()
            following = node.next
        node = following
    return Steps(events, texts, customs, anchor_events, hrefs, marks, title or "", base, hidden, names if named else None)


def first_node(tree: LexborHTMLParser) -> LexborNode | None:
    """The first node of the document: comments and the document type may stand before the root."""
    node = tree.root
    while node is not None and node.prev is not None:
        node = node.prev
    return node


def _hidden_size(node: LexborNode, child: LexborNode | None) -> int:
    """How many characters an element that is not shown holds; markup counts where the parser keeps it as such."""
    if node.tag == "template":  # its content is a document of its own, not its children
        markup = node.html or ""
        return len(markup) - (markup.find(">") + 1) - len("</template>")
    if child is None:
        return 0
    if child.next is None and child.tag_id == TEXT:
        return len(child.text_content or "")
    return len(node.text(deep=True))


def trace(pages: Sequence[Steps]) -> Trace:
    """The structure of the steps: at each level, the n-th end belongs to the n-th element that opened there."""
    events = np.frombuffer(b"".join(page.events for page in pages), dtype=np.uint8)
    page_ends = np.cumsum([len(page.events) for page in pages], dtype=np.int32)
    opens, ends = events > LAST_NO_ELEMENT, events == END
    opened, closing = _positions(opens), _positions(ends)
    level = (opens.view(np.int8) - ends.view(np.int8)).cumsum(dtype=np.int32)
    if len(level) and level.max() < 1 << 15:
        level = level.astype(np.int16)  # which numpy sorts in linear time
    opened_level = level[opened].astype(np.int64)
    by_level = level[opened].argsort(kind="stable")
    closed = np.empty_like(opened)
    closed[by_level] = closing[level[closing].argsort(kind="stable")]

    # The element around an event is the last one that opened a level above it.
    text_at = _positions(events == TEXT)
    size = len(events) + 1
    keys = opened_level * size + opened
    inner = np.concatenate((level[text_at].astype(np.int64) * size + text_at, keys - size))
    around = by_level[keys[by_level].searchsorted(inner) - 1].astype(np.int32)
    text_element, parent = around[: len(text_at)], around[len(text_at) :]
    parent[opened_level == 1] = NO_ELEMENT

    meaning = _meanings()[events]
    meaning[closed] = meaning[opened]
    tags = _names()[events[opened]].tolist()
    starts = [0, *page_ends.tolist()]
    customs = [(start + event, name) for page, start in zip(pages, starts, strict=False) for event, name in page.customs.items()]
    for element, (_, name) in zip(opened.searchsorted([event for event, _ in customs]).tolist(), customs, strict=True):
        tags[element] = name
    anchor_events = [start + event for page, start in zip(pages, starts, strict=False) for event in page.anchor_events]
    anchors = opened.searchsorted(anchor_events).astype(np.int32)
    name_events = [start + event for page, start in zip(pages, starts, strict=False) for event, _ in page.names or ()]
    named = opened.searchsorted(name_events).astype(np.int32)
    return Trace(events, page_ends, meaning, opened, closed, parent, tags, text_at, text_element, anchors, named)


def _positions(mask: BoolArray) -> IntArray:
    return mask.nonzero()[0].astype(np.int32)
