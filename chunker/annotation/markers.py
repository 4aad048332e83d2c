"""The markup of a page as its parser's tokenizer sees it, and the annotation comments in it: where they
stand, how they are spelt.

Everything here works on the page as UTF-8, which is what the parser reads. A place there is one in the bytes
as they came, too: markup characters are never part of another character in the decoded text, so the n-th
``<`` of one is the n-th ``<`` of the other.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import lru_cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ruiji.corpora.decoding import decode
from ruiji.corpora.page import Page
from ruiji.features.page.frames import missing_ends

BEGIN = "(((BEGIN NOT CONTENT"
END = ")))END NOT CONTENT"
LONGEST_MISSPELLING = 60  # a comment that is longer only speaks of content
LIKENESS = (
    0.8  # of letters, from which on a comment with parentheses is one of ours: (((BEGN NOT CONTENT has 0.97
)

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
    b"b big blockquote body br center code dd div dl dt em embed h1 h2 h3 h4 h5 h6 head hr i img li listing menu meta nobr ol p pre "
    b"ruby s small span strong strike sub sup table tt u ul var".split()
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
_LINE_END = re.compile(rb"\r\n|[\r\n]")
_LINE_END_BEFORE = re.compile(rb"(?:\r\n|[\r\n])\Z")
_COMMENT_END = re.compile(rb"--!?>")
_CDATA_END = re.compile(rb"\]\]>")
_SCRIPT = re.compile(rb"(?P<open><!--)|(?P<shut>-->)|<(?P<close>/?)script(?=[ \t\n\r\f/>])", re.IGNORECASE)
_ISO_2022_JP_ESCAPE = re.compile(rb"\x1b(?:\(([BJI])|\$[@B])")
_BOMS = (b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff")

_LIKE_MARKER = re.compile(rb"(?:[()]\s*+|--\s*+)(?:BEGIN|END)\s++NOT\s++CONTENT", re.IGNORECASE)
_LIKE_MARKER_START = re.compile(r"[\s\-!(){}\[\]<>（）]*(?:BEGIN|END)\s+NOT\s*CONTENT", re.IGNORECASE)
_NAMED_SO = re.compile(r"(?:BEGIN|END)\W*NO[NT]\W*CONTENT")
_PARENTHESES = re.compile(r"^\W*[()]{2}")
_NO_LETTERS = re.compile(r"[^A-Z]+")


class NoPlace(ValueError):
    """Bytes in which the places of the decoded text cannot be found."""


class Token(NamedTuple):
    """A stretch of markup: a tag, a comment, raw text. What lies between tokens is text. ``name`` is in lower
    case.
    """

    kind: str
    start: int
    end: int
    name: bytes = b""
    whole: bool = True  # it ends before the page does


class Edit(NamedTuple):
    """What stands from start to end is replaced by an ASCII text."""

    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True, eq=False)
class Source:
    """A page's markup twice: as it came, and as UTF-8. Places are offsets in the latter."""

    html: bytes | str
    utf8: bytes
    encoding: str

    def line(self, place: int) -> int:
        """The number of the line, from 1, by any of the three kinds of line end."""
        before = self.utf8[:place]
        return 1 + before.count(b"\n") + before.count(b"\r") - before.count(b"\r\n")

    def edited(self, edits: Sequence[Edit]) -> bytes | str:
        """The page as it came, with the edits, which are sorted and do not overlap; each begins and ends at a
        border of markup.
        """
        places = [place for edit in edits for place in edit[:2]]
        original = iter(self._original_places(places))
        pieces = []
        position = 0
        for edit, start, end in zip(edits, original, original, strict=True):
            pieces += [self.html[position:start], self._encoded(edit.text)]
            position = end
        pieces.append(self.html[position:])
        return "".join(pieces) if isinstance(self.html, str) else b"".join(pieces)  # type: ignore[arg-type]

    def _encoded(self, text: str) -> bytes | str:
        if isinstance(self.html, str):
            return text
        return text.encode(self.encoding if self._is_wide else "ascii")

    @property
    def _is_wide(self) -> bool:
        return isinstance(self.html, bytes) and self.encoding.startswith("UTF-16")

    def _original_places(self, places: Iterable[int]) -> list[int]:
        """Where places of the UTF-8 text are in the page as it came."""
        units, width = self._units(), 2 if self._is_wide else 1
        here = np.frombuffer(self.utf8, dtype=np.uint8)
        sides = {}
        for sign in "<>":
            own, original = np.flatnonzero(here == ord(sign)), np.flatnonzero(units == ord(sign))
            if len(own) != len(original):
                raise NoPlace(f"the encoding {self.encoding} does not let one find a place in the page")
            sides[sign] = (own, original)
        found = []
        for place in places:
            line_end = _LINE_END_BEFORE.search(self.utf8, max(0, place - 2), place)
            past = (
                len(line_end.group()) if line_end else 0
            )  # only where a line end belongs to the tag before it
            if self.utf8.startswith(b"<", place):
                own, original = sides["<"]
                found.append(int(original[own.searchsorted(place)]) * width)
            elif self.utf8.endswith(b">", 0, place - past) and place < len(here):
                own, original = sides[">"]
                found.append((int(original[own.searchsorted(place - past - 1)]) + 1 + past) * width)
            else:
                found.append(len(self.html) if place else self._start())
        return found

    def _start(self) -> int:
        if isinstance(self.html, str):
            return 0
        return next((len(bom) for bom in _BOMS if self.html.startswith(bom)), 0)

    def _units(self) -> npt.NDArray[np.integer]:
        """The code units of the page as it came; one that is no ASCII character is never the number of
        one.
        """
        if isinstance(self.html, str):
            return np.frombuffer(self.html.encode("utf-32-le", "surrogatepass"), dtype="<u4")
        if self._is_wide:
            return np.frombuffer(
                self.html[: len(self.html) // 2 * 2], dtype="<u2" if self.encoding.endswith("LE") else ">u2"
            )
        return np.frombuffer(
            _only_ascii(self.html) if self.encoding == "ISO-2022-JP" else self.html, dtype=np.uint8
        )

    @property
    def ends_in_ascii(self) -> bool:
        """Whether an ASCII text may be added to the page as it came."""
        if isinstance(self.html, str):
            return True
        if self._is_wide:
            return len(self.html) % 2 == 0
        return self.encoding != "ISO-2022-JP" or _only_ascii(self.html + b"<").endswith(b"<")


def source_of(page: Page) -> Source:
    """The page's markup, decoded as ``features`` decodes it."""
    decoded = decode(page)
    return Source(page.html, decoded.utf8, decoded.encoding)


def _only_ascii(body: bytes) -> bytes:
    """ISO-2022-JP of the same length, with 0xFF for all bytes that are part of a Japanese character."""
    pieces, position, ascii_state = [], 0, True
    for escape in _ISO_2022_JP_ESCAPE.finditer(body):
        run = body[position : escape.start()]
        pieces += [run if ascii_state else b"\xff" * len(run), escape.group()]
        ascii_state, position = escape.group(1) in (b"B", b"J"), escape.end()
    rest = body[position:]
    return b"".join([*pieces, rest if ascii_state else b"\xff" * len(rest)])


def after_line_end(markup: bytes, place: int) -> int:
    """The place after the line end that stands at a place, which itself where there is none."""
    found = _LINE_END.match(markup, place)
    return found.end() if found else place


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


def comment_text(source: Source, token: Token) -> str:
    """What a comment says."""
    text = source.utf8[token.start : token.end].decode("utf-8")
    if text.startswith("<!--"):
        return re.sub("--!?>$", "", text[4:])
    return text[1 if text.startswith("<?") else 2 :].removesuffix(">")


def last_comment(text: str) -> str:
    """The last comment in a comment: one that somebody forgot to close swallows what follows, up to the end
    of our marker.
    """
    return " ".join(text.rpartition("<!--")[2].split())


def is_misspelt(marker: str) -> bool:
    """Whether a comment that is no marker was meant as one."""
    if marker in (BEGIN, END) or len(marker) >= LONGEST_MISSPELLING:
        return False
    plain = unicodedata.normalize("NFKC", marker).upper()
    if "NOT CONTENT" in plain or _NAMED_SO.search(plain):
        return True
    letters = _NO_LETTERS.sub("", plain)
    return (
        bool(_PARENTHESES.match(plain))
        and max(_likeness(letters, BEGIN), _likeness(letters, END)) >= LIKENESS
    )


def _likeness(letters: str, marker: str) -> float:
    return SequenceMatcher(None, letters, _NO_LETTERS.sub("", marker), autojunk=False).ratio()


def unclosed_markers(text: str) -> Iterator[tuple[int, str]]:
    """Offset and spelling of markers in a comment that goes on after them: nobody closed it where they
    end.
    """
    start = 0
    *swallowed, last = text.split("<!--")
    for part in swallowed:
        if found := _LIKE_MARKER_START.match(part):
            yield start, _spelling(found)
        start += len(part) + len("<!--")
    if found := _LIKE_MARKER_START.match(last):
        rest = last[found.end() :].strip()
        if len(rest) >= LONGEST_MISSPELLING or "<" in rest or ">" in rest:
            yield start, _spelling(found)


def _spelling(found: re.Match[str]) -> str:
    return " ".join(found.group().split())


def unread_markers(source: Source, tokens: Sequence[Token]) -> Iterator[tuple[int, str]]:
    """Place and situation of what looks like a marker and is no comment: in raw text, inside a tag, in
    text.
    """
    starts = [token.start for token in tokens]
    for found in _LIKE_MARKER.finditer(source.utf8):
        place = found.start()
        index = bisect_right(starts, place) - 1
        token = tokens[index] if index >= 0 and place < tokens[index].end else None
        if token is None:
            if _is_meant(source.utf8, found):
                yield place, "as text, not as a comment"
        elif token.kind == RAW:
            yield place, f"inside <{token.name.decode()}>, where there are no comments"
        elif token.kind in (START_TAG, END_TAG):
            yield place, f"inside the tag <{'/' * (token.kind == END_TAG)}{token.name.decode('utf-8')}>"
        elif token.kind == OTHER:
            yield place, "inside other markup" if token.whole else "inside a tag that is not closed"


def _is_meant(markup: bytes, found: re.Match[bytes]) -> bool:
    """Whether a marker in text was meant as one: a page about annotation writes &lt; for the brackets."""
    before, after = (
        markup[max(0, found.start() - 12) : found.start() + 2],
        markup[found.end() : found.end() + 8],
    )
    return b"&lt;" not in before.lower() and b"&gt;" not in after.lower()
