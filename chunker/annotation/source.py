"""The source of a page, as it came and as UTF-8, and edits of it.

Places are offsets in the UTF-8 text, which is what the parser reads. A place there is one in the bytes as
they came, too: markup characters are never part of another character in the decoded text, so the n-th ``<``
of one is the n-th ``<`` of the other.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ruiji.corpora.encoding.decoding import decode
from ruiji.corpora.page import Page

_LINE_END = re.compile(rb"\r\n|[\r\n]")


_LINE_END_BEFORE = re.compile(rb"(?:\r\n|[\r\n])\Z")


_ISO_2022_JP_ESCAPE = re.compile(rb"\x1b(?:\(([BJI])|\$[@B])")


_BOMS = (b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff")


class NoPlace(ValueError):
    """Bytes in which the places of the decoded text cannot be found."""


class Edit(NamedTuple):
    """What stands from start to end is replaced by an ASCII text."""

    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True, eq=False)
class MarkupSource:
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
        originals = []
        for place in places:
            line_end = _LINE_END_BEFORE.search(self.utf8, max(0, place - 2), place)
            past = (
                len(line_end.group()) if line_end else 0
            )  # only where a line end belongs to the tag before it
            if self.utf8.startswith(b"<", place):
                own, original = sides["<"]
                originals.append(int(original[own.searchsorted(place)]) * width)
            elif self.utf8.endswith(b">", 0, place - past) and place < len(here):
                own, original = sides[">"]
                originals.append((int(original[own.searchsorted(place - past - 1)]) + 1 + past) * width)
            else:
                originals.append(len(self.html) if place else self._start())
        return originals

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


def source_of(page: Page) -> MarkupSource:
    """The page's markup, decoded as ``features`` decodes it."""
    decoded = decode(page)
    return MarkupSource(page.html, decoded.utf8, decoded.encoding)


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
    line_end = _LINE_END.match(markup, place)
    return line_end.end() if line_end else place
