"""What the parser is given of a page: its markup as UTF-8, within the caps on size and nesting."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace

from ruiji.corpora.decoding import decode
from ruiji.corpora.page import Page
from ruiji.features.page.frames import close_frames
from ruiji.features.page.nesting import cap_depth

# Bytes of UTF-8: 64 MB of half-width katakana in Shift_JIS; the parser's tree takes several times as much.
MAX_BYTES = 192 << 20


class PageFailed(ValueError):
    """A page that gives no text nodes; the message is what its record carries as error."""


@dataclass(frozen=True, slots=True, eq=False)
class ParserInput:
    """The markup for the parser, the page's encoding with the evidence for it, and how many characters the
    caps left out, by reason.
    """

    utf8: bytes
    encoding: str
    evidence: str
    dropped: Counter[str]

    def with_frames_closed(self) -> ParserInput:
        """The markup with an end tag for each frame that its ``<noscript>`` leaves open; itself where there
        is none.
        """
        closed = close_frames(self.utf8)
        return self if closed is self.utf8 else replace(self, utf8=closed)


def parser_input(page: Page) -> ParserInput:
    """The markup of a page. Raises PageFailed with the reason where there is none."""
    if page.error:
        raise PageFailed(page.error)
    if not page.html:
        raise PageFailed("the page is empty (0 bytes)")
    try:
        decoded = decode(page)
    except ValueError as error:
        raise PageFailed(str(error)) from error
    dropped: Counter[str] = Counter()
    markup = decoded.utf8
    if len(markup) > MAX_BYTES:
        kept = markup[:MAX_BYTES].decode("utf-8", "ignore")
        dropped["size"] = len(markup.decode("utf-8")) - len(kept)
        markup = kept.encode("utf-8")
    markup, flattened = cap_depth(markup)
    if flattened:
        dropped["nesting"] = flattened
    if decoded.undecodable:
        dropped["undecodable"] = decoded.undecodable
    return ParserInput(markup, decoded.encoding, decoded.evidence, dropped)
