"""A cap on nesting, before the parser sees the page: its time grows with the square of the depth.

Beyond the cap the tags are taken out and the text stays, as browsers do it at their own cap of 512: nothing a
reader sees is lost.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import numpy as np

from ruiji.features.page.elements import BLOCK_LEVEL, IMPLIED_END, VOID

MAX_DEPTH = 512  # as in browsers; real pages stay below 200
# Open tags that pile up before the page is looked at tag by tag: 4,096 levels take the parser 0.1 s, 30,000
# seconds, and elements that need no end tag count here, so that many honest pages have some hundred.
SUSPICIOUS_DEPTH = 4096
# Open tags; a page with more is worth the second's fraction that reading its tags one by one takes
HONEST_TAGS = 20_000

# Elements whose content is text up to their end tag, outside of SVG and MathML (WHATWG HTML, 13.2.5.2 to
# 13.2.5.5).
_RAW = frozenset((b"script", b"style", b"textarea", b"title", b"xmp", b"iframe", b"noembed", b"noframes"))
_RAW_ENDS = {name: re.compile(rb"</" + name + rb"(?=[\s/>])", re.IGNORECASE) for name in _RAW}
_FOREIGN = frozenset((b"svg", b"math"))
_HTML_INSIDE = frozenset(b"foreignobject desc title mi mo mn ms mtext".split())
_HTML_ENCODING = re.compile(rb"encoding\s*=\s*[\"']?(?:text/html|application/xhtml\+xml)", re.IGNORECASE)
# List items close their own kind only, and only up to the next special element, to which those of the other
# kind belong: by turns they nest (WHATWG HTML, 13.2.6.4.7).
_ITEMS = {b"li": (b"li",), b"dd": (b"dd", b"dt"), b"dt": (b"dd", b"dt")}
_ENDING_ITEMS = frozenset(name.encode() for name in BLOCK_LEVEL - {"address", "div", "p"}) | {
    b"applet", b"button", b"iframe", b"marquee", b"object", b"select", b"template", *_FOREIGN,
}  # fmt: skip
_TRANSPARENT = frozenset(name.encode() for name in VOID | IMPLIED_END) - _ITEMS.keys()
# The end of one leaves open what it holds (WHATWG HTML, 13.2.6.4.7, the adoption agency algorithm).
_FORMATTING = frozenset(b"a b big code em font i nobr s small strike strong tt u".split())
# These close one another only inside the element named; elsewhere the parser nests them.
_TRANSPARENT_INSIDE = {
    b"rt": b"ruby",
    b"rp": b"ruby",
    b"rb": b"ruby",
    b"rtc": b"ruby",
    b"optgroup": b"select",
}

# Elements that end SVG and MathML around them (WHATWG HTML, 13.2.6.5); all others nest in there.
_LEAVING = frozenset(
    b"b big blockquote body br center code dd div dl dt em embed h1 h2 h3 h4 h5 h6 head hr i img li "
    b"listing menu "
    b"meta nobr ol p pre ruby s small span strong strike sub sup table tt u ul var".split()
)
_LOOKS = re.compile(rb"[\s/](?:color|face|size)\b", re.IGNORECASE)  # with these a font element leaves too
_CHARACTER_DATA = b"[CDATA["

_MARKUP = re.compile(rb"<(?:(!--)|([!?]|/[^a-zA-Z>])|(/?)([a-zA-Z][^\s/>]*))")
_COMMENT_END = re.compile(rb"--!?>")
_VALUE_OR_END = re.compile(rb"[>=]")
_SPACE = re.compile(rb"\s*")
_UNQUOTED = re.compile(rb"[^\s>]*")
_FAR = 64  # an end tag that matches nothing among so many open elements closes nothing


def may_be_deeper(markup: bytes, depth: int = SUSPICIOUS_DEPTH) -> bool:
    """Whether open tags, less closing ones, ever pile up beyond a depth: by bytes alone, microseconds a page.

    End tags that match nothing could hide depth, so where there are more open tags than any honest page has,
    the answer is yes.
    """
    if len(markup) <= depth * len("<b>"):
        return False
    data = np.frombuffer(markup, dtype=np.uint8)
    starts = data[:-1] == ord("<")
    if np.count_nonzero(starts) <= depth:
        return False
    after = data[np.flatnonzero(starts) + 1]
    letter = after | 0x20
    opens = (letter >= ord("a")) & (letter <= ord("z"))
    if np.count_nonzero(opens) > HONEST_TAGS:
        return True
    level = np.cumsum(opens.astype(np.int32) - (after == ord("/")))
    return int((level - np.minimum.accumulate(np.minimum(level, 0))).max()) > depth


def cap_depth(markup: bytes, depth: int = MAX_DEPTH) -> tuple[bytes, int]:
    """The markup without the tags below a depth, and how many bytes of tags were taken out."""
    if not may_be_deeper(markup, depth):
        return markup, 0
    kept, position, removed = [], 0, 0
    levels = _Levels()
    for start, end, name, closes in _tags(markup, levels):
        if levels.foreign and (name in _LEAVING or (name == b"font" and _LOOKS.search(markup, start, end))):
            levels.leave_foreign()
        ends_itself = levels.foreign and not closes and markup[end - 2 : end - 1] == b"/"
        if ends_itself or not levels.counts(name):
            continue
        if closes:
            below = len(levels.open) > depth
            levels.close(name)
        else:
            levels.open_element(name, _holds_html(name, markup[start:end]))
            below = len(levels.open) > depth
        if below:
            kept.append(markup[position:start])
            position = end
            removed += end - start
    kept.append(markup[position:])
    return b"".join(kept), removed


def _holds_html(name: bytes, tag: bytes) -> bool:
    """Whether HTML begins anew in an element of SVG or MathML (WHATWG HTML, 13.2.6: integration points)."""
    return name in _HTML_INSIDE or (name == b"annotation-xml" and _HTML_ENCODING.search(tag) is not None)


class _Levels:
    """The open elements, as far as they nest."""

    def __init__(self) -> None:
        self.open: list[bytes] = []
        # Places in ``open`` of the elements at which SVG or MathML begins, or HTML in it, and whether it is
        # the first.
        self._borders: list[tuple[int, bool]] = []
        self._around = dict.fromkeys(_TRANSPARENT_INSIDE.values(), 0)

    @property
    def foreign(self) -> bool:
        """Whether we are in SVG or MathML, and not in HTML in there."""
        return bool(self._borders) and self._borders[-1][1]

    def counts(self, name: bytes) -> bool:
        """Whether an element of the name adds to the depth here."""
        if self.foreign:
            return True
        inside = _TRANSPARENT_INSIDE.get(name)
        return not self._around[inside] if inside else name not in _TRANSPARENT

    def open_element(self, name: bytes, holds_html: bool) -> None:
        if name == b"a":  # a link ends where the next one starts
            self.close(name)
        elif name in _ITEMS and not self.foreign:
            self._end_item(_ITEMS[name])
        if name in _FOREIGN or (holds_html and self.foreign):
            self._borders.append((len(self.open), name in _FOREIGN))
        self.open.append(name)
        if name in self._around:
            self._around[name] += 1

    def close(self, name: bytes) -> None:
        if name in _ITEMS and not self.foreign:
            self._end_item((name,))
            return
        place = next((place for place in self._nearest() if self.open[place] == name), -1)
        if place >= 0 and name in _FORMATTING:
            del self.open[place]
            self._close_up(place)
        elif place >= 0:
            self._shorten(place)

    def _close_up(self, place: int) -> None:
        """Moves the borders behind a place down by one: they are among the nearest elements."""
        number = len(self._borders) - 1
        while number >= 0 and self._borders[number][0] > place:
            border, foreign = self._borders[number]
            self._borders[number] = border - 1, foreign
            number -= 1

    def _end_item(self, names: Sequence[bytes]) -> None:
        """Ends the open list item that has one of the names, unless another element holds it open."""
        for place in self._nearest():
            name = self.open[place]
            if name in names:
                self._shorten(place)
            if name in _ENDING_ITEMS:  # items themselves among them
                return

    def _nearest(self) -> range:
        """Places of open elements, from the innermost outwards."""
        return range(len(self.open) - 1, max(-1, len(self.open) - 1 - _FAR), -1)

    def leave_foreign(self) -> None:
        """Ends SVG and MathML up to the HTML around them."""
        while self.foreign:
            self._shorten(self._borders[-1][0])

    def _shorten(self, length: int) -> None:
        for name in self.open[length:]:
            if name in self._around:
                self._around[name] -= 1
        del self.open[length:]
        while self._borders and self._borders[-1][0] >= length:
            self._borders.pop()


def _tags(markup: bytes, levels: _Levels) -> Iterator[tuple[int, int, bytes, bool]]:
    """(start, end, name, whether it closes) of each tag, as the parser's tokenizer sees them; in time linear
    in the size.
    """
    position = 0
    while match := _MARKUP.search(markup, position):
        start, position = match.span()
        name = match.group(4)
        if match.group(1):
            position = _after_comment(markup, position)
        elif match.group(2):
            in_section = levels.foreign and markup.startswith(_CHARACTER_DATA, position)
            end = b"]]>" if in_section else b">"
            place = markup.find(end, position - 1)
            position = place + len(end) if place >= 0 else 0
        else:
            position = after_tag(markup, position)
            if position:
                name, foreign = name.lower(), levels.foreign
                yield start, position, name, bool(match.group(3))
                if name in _RAW and not match.group(3) and not foreign:
                    ending = _RAW_ENDS[name].search(markup, position)
                    position = ending.start() if ending else 0
        if not position:  # the rest is one unfinished comment, tag or script
            return


def _after_comment(markup: bytes, position: int) -> int:
    """Where a comment ends, 0 if it does not; ``<!-->`` and ``<!--->`` are whole."""
    for abrupt in (b">", b"->"):
        if markup.startswith(abrupt, position):
            return position + len(abrupt)
    ending = _COMMENT_END.search(markup, position)
    return ending.end() if ending else 0


def after_tag(markup: bytes, position: int) -> int:
    """Where a tag ends, 0 if it does not; > counts unless it is in a quoted value."""
    while match := _VALUE_OR_END.search(markup, position):
        position = match.end()
        if match.group() == b">":
            return position
        position = _SPACE.match(markup, position).end()  # type: ignore[union-attr]
        quote = markup[position : position + 1]
        if quote in (b'"', b"'"):
            position = markup.find(quote, position + 1) + 1
            if not position:
                return 0
        else:
            position = _UNQUOTED.match(markup, position).end()  # type: ignore[union-attr]
    return 0
