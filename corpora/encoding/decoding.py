"""Which encoding a page is in, and its text as UTF-8: what a browser does, and repair where the label is
wrong.

Order of evidence: byte-order mark, HTTP header, ``meta`` or XML declaration, the bytes themselves. A label
counts only when the bytes fit it: a page that says EUC-JP and is Shift_JIS is read as Shift_JIS, and the
evidence says so.
"""

from __future__ import annotations

from dataclasses import dataclass

from ruiji.corpora.encoding import encodings
from ruiji.corpora.encoding.declared import declared_encodings
from ruiji.corpora.encoding.evidence import encoding_by_bytes, is_clean_utf8, misfit, utf16_without_bom
from ruiji.corpora.encoding.sniffing import refuse_other_formats
from ruiji.corpora.page import Page

PIECE, FEW_PIECES = 8192, 8  # characters; on pages of the wide web a sixth less time than in one piece

_BOMS = ((b"\xef\xbb\xbf", "utf-8"), (b"\xff\xfe", "utf-16le"), (b"\xfe\xff", "utf-16be"))


@dataclass(frozen=True, slots=True)
class Decoded:
    """A page's markup as UTF-8, the encoding it came in and why we believe that; ``undecodable`` counts its
    U+FFFD.
    """

    utf8: bytes
    encoding: str
    evidence: str
    undecodable: int = 0

    @property
    def text(self) -> str:
        return self.utf8.decode("utf-8")


def decode(page: Page) -> Decoded:
    """The page's markup as UTF-8. Raises NotHtml for bytes that are no text page."""
    if isinstance(page.html, str) or page.is_text:
        return _decode_given_text(page)
    refuse_other_formats(
        page.html, page.content_type, is_wide=utf16_without_bom(page.html[:4096]) is not None
    )
    return decode_bytes(page.html, page.content_type)


def _decode_given_text(page: Page) -> Decoded:
    declared = encodings.lookup(str(page.extra.get("encoding") or "")) or "utf-8"
    name = encodings.display_name(declared)
    if isinstance(page.html, bytes):
        return Decoded(page.html, name, "given as text")
    try:
        return Decoded(_utf8(page.html), name, "given as text")
    except UnicodeEncodeError:  # lone surrogates, as JSON may carry them; pairs come together here
        text = page.html.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
        lost = text.count(encodings.REPLACEMENT) - page.html.count(encodings.REPLACEMENT)
        return Decoded(text.encode("utf-8"), name, "given as text", lost)


def _utf8(text: str) -> bytes:
    """The text as UTF-8. Python encodes a long text character by character once it has anything beyond ASCII,
    but copies pieces without.
    """
    if len(text) < FEW_PIECES * PIECE:
        return text.encode("utf-8")
    return b"".join([text[start : start + PIECE].encode("utf-8") for start in range(0, len(text), PIECE)])


def decode_bytes(body: bytes, content_type: str = "") -> Decoded:
    """UTF-8 markup of bytes, by the order of evidence given above."""
    for bom, encoding in _BOMS:
        if body.startswith(bom):
            return _finish(body[len(bom) :], encoding, "byte-order mark")
    declared = declared_encodings(body, content_type)
    complaints: list[str] = []
    for encoding, source in declared:
        if encoding == "utf-8" and is_clean_utf8(body):
            return Decoded(body, "UTF-8", "; ".join([*complaints, source]))
        problem = misfit(body, encoding)
        if not problem:
            return _finish(body, encoding, "; ".join([*complaints, source]))
        complaints.append(f"{source} says {encodings.display_name(encoding)}, but {problem}")
    encoding, reason = encoding_by_bytes(body, [encoding for encoding, _ in declared])
    return _finish(body, encoding, "; ".join([*complaints, reason]))


def _finish(body: bytes, encoding: str, evidence: str) -> Decoded:
    text, undecodable = encodings.decode(body, encoding)
    return Decoded(text.encode("utf-8", "replace"), encodings.display_name(encoding), evidence, undecodable)
