"""The markup of a page as its parser's tokenizer sees it: tags, comments, raw text."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from ruiji.features.page.frames import missing_ends

START_TAG, END_TAG, COMMENT, RAW, OTHER = (
    "start tag",
    "end tag",
    "comment",
    "raw text",
    "other",
)  # kinds of token


# Elements whose content is text up to their end tag, outside of SVG and MathML (WHATWG HTML, 13.2.5.2 to
# 13.2.5.5).
_RAW_ELEMENTS = frozenset(
    (b"script", b"style", b"textarea", b"title", b"xmp", b"iframe", b"noembed", b"noframes", b"plaintext")
)


_FOREIGN = frozenset((b"svg", b"math"))


_INTEGRATION = frozenset(
    (b"foreignobject", b"desc", b"title", b"mi", b"mo", b"mn", b"ms", b"mtext", b"annotation-xml")
)  # HTML again


# Start tags that end SVG and MathML (WHATWG HTML, 13.2.6.5).
_BREAKOUT = frozenset(
    b"b big blockquote body br center code dd div dl dt em embed h1 h2 h3 h4 h5 h6 head hr i img li listing "
    b"menu meta nobr ol p pre ruby s small span strong strike sub sup table tt u ul var".split()
)


_SPACE = rb"[ \t\n\r\f]"


_ATTRIBUTE = (
    rb"[^ \t\n\r\f/>][^ \t\n\r\f/>=]*+(?:" + _SPACE + rb"*+=" + _SPACE + rb"*+"
    rb"""(?:"[^"]*+(?:"|\Z)|'[^']*+(?:'|\Z)|(?!["'])[^ \t\n\r\f>]*+))?+"""
)  # fmt: skip


_MARKUP = re.compile(
    rb"<(?:(?P<comment>!--)|(?P<cdata>!\[CDATA\[)|(?P<bogus>[!?]|/(?:[^a-zA-Z>]|\Z))"
    rb"|(?P<close>/?)(?P<name>[a-zA-Z][^ \t\n\r\f/>]*+)(?:[ \t\n\r\f/]++|" + _ATTRIBUTE + rb")*+(?P<end>>?))"
)  # fmt: skip


_COMMENT_END = re.compile(rb"--!?>")


_CDATA_END = re.compile(rb"\]\]>")


_SCRIPT = re.compile(rb"(?P<open><!--)|(?P<shut>-->)|<(?P<close>/?)script(?=[ \t\n\r\f/>])", re.IGNORECASE)


class Token(NamedTuple):
    """A stretch of markup: a tag, a comment, raw text. What lies between tokens is text. ``name`` is in lower
    case.
    """

    kind: str
    start: int
    end: int
    name: bytes = b""
    whole: bool = True  # it ends before the page does


def tokens_of(markup: bytes) -> Iterator[Token]:
    """The tokens of UTF-8 markup, as the parser's tokenizer finds them (WHATWG HTML, 13.2.5), in time linear
    in the size.

    Where SVG and MathML begin and end is the tree builder's business; it is followed here as far as real
    pages go. Frames that are left open in ``<noscript>`` end with it, as the parser is told
    (features.frames).
    """
    position = 0
    foreign: list[bytes] = []  # open elements that change what is HTML
    closed_for_them = missing_ends(markup)
    while match := _MARKUP.search(markup, position):
        start, position = match.span()
        in_foreign = bool(foreign) and foreign[-1] in _FOREIGN
        if match["name"] is None:
            kind, position = _other_end(markup, match, in_foreign)
            yield Token(kind, start, position or len(markup), whole=position > 0)
        else:
            name, closes = match["name"].lower(), bool(match["close"])
            if not match["end"]:
                yield Token(OTHER, start, len(markup), whole=False)
                return
            yield Token(END_TAG if closes else START_TAG, start, position, name)
            if not closes and not in_foreign and name in _RAW_ELEMENTS:
                end = _raw_end(markup, position, name)
                if name == b"iframe":
                    end = min((end, *closed_for_them[bisect_left(closed_for_them, position) :][:1]))
                yield Token(RAW, position, end, name, whole=end < len(markup))
                position = end
            else:
                _follow(foreign, name, closes, self_closing=match.group().endswith(b"/>"))
        if not position:
            return


def _other_end(markup: bytes, match: re.Match[bytes], in_foreign: bool) -> tuple[str, int]:
    """The kind of a token that is no tag, and where it ends; 0 for one that does not."""
    position = match.end()
    if match["comment"]:
        for abrupt in (b">", b"->"):
            if markup.startswith(abrupt, position):
                return COMMENT, position + len(abrupt)
        ending = _COMMENT_END.search(markup, position)
        return COMMENT, ending.end() if ending else 0
    if match["cdata"] and in_foreign:
        ending = _CDATA_END.search(markup, position)
        return OTHER, ending.end() if ending else 0
    is_doctype = markup[match.start() + 2 : match.start() + 9].lower() == b"doctype"
    return OTHER if is_doctype else COMMENT, markup.find(b">", match.start() + 2) + 1


def _raw_end(markup: bytes, position: int, name: bytes) -> int:
    """Where the raw text of an element ends that begins at a position."""
    if name == b"plaintext":
        return len(markup)
    if name == b"script":
        return _script_end(markup, position)
    ending = _end_tag(name).search(markup, position)
    return ending.start() if ending else len(markup)


@lru_cache(maxsize=len(_RAW_ELEMENTS))
def _end_tag(name: bytes) -> re.Pattern[bytes]:
    return re.compile(rb"</" + name + rb"(?=[ \t\n\r\f/>])", re.IGNORECASE)


def _script_end(markup: bytes, position: int) -> int:
    """Where a script ends: in a comment inside it, a script inside that has an end tag of its own."""
    in_comment = in_script = False
    for match in _SCRIPT.finditer(markup, position):
        if match["open"]:
            in_comment = True
        elif match["shut"]:
            in_comment = in_script = False
        elif not match["close"]:
            in_script = in_comment
        elif in_script:
            in_script = False
        else:
            return match.start()
    return len(markup)


def _follow(foreign: list[bytes], name: bytes, closes: bool, self_closing: bool) -> None:
    """Keeps the list of open elements that begin and end SVG and MathML."""
    if closes:
        if name in foreign:
            while foreign.pop() != name:
                pass
    elif name in _FOREIGN:
        if not self_closing:
            foreign.append(name)
    elif foreign and foreign[-1] in _FOREIGN:
        if name in _INTEGRATION and not self_closing:
            foreign.append(name)
        elif name in _BREAKOUT:
            while foreign and foreign[-1] in _FOREIGN:
                foreign.pop()
