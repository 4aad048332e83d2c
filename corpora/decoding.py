"""Which encoding a page is in, and its text as UTF-8: what a browser does, and repair where the label is
wrong.

Order of evidence: byte-order mark, HTTP header, ``meta`` or XML declaration, the bytes themselves. A label
counts only when the bytes fit it: a page that says EUC-JP and is Shift_JIS is read as Shift_JIS, and the
evidence says so.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from resiliparse.parse.encoding import detect_encoding

from ruiji.corpora import encodings
from ruiji.corpora.page import Page
from ruiji.corpora.sniffing import refuse_other_formats

PRESCAN_BYTES = 1024  # WHATWG HTML, 13.2.3.2: where a browser looks before it parses
DETECTION_BYTES = 65536  # enough for a sure answer where they have text; see _sample
# Share of undecodable places among non-ASCII characters up to which a label is believed: a page cut off
# within a character or with one pasted line of another encoding stays below, a wrong label is far above
# (measured: 0.2 and more).
BELIEVABLE_ERRORS = 0.05
# What makes bytes Japanese beyond doubt, against a label that says otherwise: so many kana, of so many kinds,
# and such a share of the non-ASCII characters (prose has 0.4 to 0.7; text in other encodings, read so, has
# few of one kind).
MIN_KANA, MIN_KINDS_OF_KANA, KANA_SHARE = 8, 4, 0.3
# Without a label less will do: a share of kana and common kanji (JIS level 1) that no other text has by
# chance.
COMMON_SHARE = 0.8
# The commonest syllables of Korean: endings and particles, from general knowledge. Nine Korean pages of the
# wide web have shares of 0.14 and more; none of 600 Japanese pages in EUC-JP is taken for Korean.
KOREAN_SYLLABLES = "이다는의에을가고하지한은로를기사도인서"
MIN_SYLLABLES, SYLLABLE_SHARE = 8, 0.1
PIECE, FEW_PIECES = 8192, 8  # characters; on pages of the wide web a sixth less time than in one piece

_BOMS = ((b"\xef\xbb\xbf", "utf-8"), (b"\xff\xfe", "utf-16le"), (b"\xfe\xff", "utf-16be"))
_JAPANESE = {
    "shift_jis": "cp932",
    "euc-jp": "euc_jp",
}  # and Python's codecs, exact enough and fast for a guess

_CHARSET_PARAMETER = re.compile(
    r"""charset[\t\n\f\r ]*+=[\t\n\f\r ]*+["']?+[\t\n\f\r ]*+([^\t\n\f\r "';>]+)""", re.IGNORECASE
)
# Comments and elements whose text is no markup, and meta; each to its end or to the end of the page, so that
# time stays linear.
_META = re.compile(
    rb"""<!--.*?(?:-->|\Z)|<(script|style|title|textarea|xmp)[\s/>].*?(?:</\1(?=[\s/>])|\Z)"""
    rb"""|<meta[\s/](?:[^>"']|"[^"]*(?:"|\Z)|'[^']*(?:'|\Z))*+(?:>|\Z)""",
    re.IGNORECASE | re.DOTALL,
)
_ATTRIBUTE = re.compile(rb"""(?<![^\s"'>/=])([^\s"'>/=]++)\s*+=\s*("[^"]*"|'[^']*'|[^\s>]*)""")
_XML_DECLARATION = re.compile(rb"""\A\s*+<\?xml\s[^>]*?encoding\s*=\s*["']([^"']+)["']""")
_THREE_BYTE_UTF8 = re.compile(rb"[\xe0-\xef][\x80-\xbf]{2}|(?:[\xc2-\xdf][\x80-\xbf][^\x80-\xff]*){4}")
_ISO_2022_JP_ESCAPE = re.compile(rb"\x1b(?:\$[@B]|\([JI])")
_EIGHT_BIT = re.compile(rb"[\x80-\xff]")
_KANA = re.compile("[\u3041-\u3093\u30a1-\u30f6]+")
_HALF_WIDTH_KANA = re.compile("[\uff61-\uff9f]+")
_EUC_JP_AS_SHIFT_JIS = re.compile("[\uff64\uff65]")  # the lead bytes of kana in EUC-JP, read as Shift_JIS
_NON_ASCII = re.compile("[^\x00-\x7f]+")


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
    if isinstance(page.html, str):
        return _decode_given_text(page)
    refuse_other_formats(
        page.html, page.content_type, is_wide=utf16_without_bom(page.html[:4096]) is not None
    )
    return decode_bytes(page.html, page.content_type)


def _decode_given_text(page: Page) -> Decoded:
    declared = encodings.lookup(str(page.extra.get("encoding") or "")) or "utf-8"
    name = encodings.display_name(declared)
    assert isinstance(page.html, str)
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
    declared = _declared(body, content_type)
    complaints: list[str] = []
    for encoding, source in declared:
        if encoding == "utf-8" and _is_clean_utf8(body):
            return Decoded(body, "UTF-8", "; ".join([*complaints, source]))
        problem = _misfit(body, encoding)
        if not problem:
            return _finish(body, encoding, "; ".join([*complaints, source]))
        complaints.append(f"{source} says {encodings.display_name(encoding)}, but {problem}")
    encoding, reason = _from_bytes(body, [encoding for encoding, _ in declared])
    return _finish(body, encoding, "; ".join([*complaints, reason]))


def _finish(body: bytes, encoding: str, evidence: str) -> Decoded:
    text, undecodable = encodings.decode(body, encoding)
    return Decoded(text.encode("utf-8", "replace"), encodings.display_name(encoding), evidence, undecodable)


def _is_clean_utf8(body: bytes) -> bool:
    """Whether all bytes are UTF-8, with no escape sequences of ISO-2022-JP among pure ASCII."""
    try:
        body.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return not (body.isascii() and _ISO_2022_JP_ESCAPE.search(body))


def _declared(body: bytes, content_type: str) -> list[tuple[str, str]]:
    """(encoding, who says so) of each label that the standard knows, most authoritative first."""
    labels: list[tuple[str, str]] = []
    if parameter := _CHARSET_PARAMETER.search(content_type):
        labels.append((parameter.group(1), "HTTP header"))
    label, late = _meta_label(body)
    if label:
        labels.append((label, "late meta" if late else "meta"))
    elif xml := _XML_DECLARATION.match(body[:PRESCAN_BYTES]):
        labels.append((xml.group(1).decode("latin-1"), "XML declaration"))
    declared = []
    for text, source in labels:
        encoding = encodings.lookup(text)
        if (
            source != "HTTP header"
        ):  # WHATWG HTML, 13.2.3.2: a page that can be read as ASCII is not what these say
            encoding = {"utf-16le": "utf-8", "utf-16be": "utf-8", "x-user-defined": "windows-1252"}.get(
                encoding or "", encoding
            )
        if encoding is not None:
            declared.append((encoding, source))
    return declared


def _meta_label(body: bytes) -> tuple[str, bool]:
    """The label of the first ``meta`` that names one, and whether it stands beyond the browser's prescan.

    A browser that meets a meta later starts over with it, so the whole page is searched. Comments do not
    count.
    """
    lowered = body if b"charset" in body else body.lower()
    if b"charset" not in lowered:
        return "", False
    for match in _META.finditer(body):
        tag = match.group()
        if tag[:5].lower() != b"<meta":
            continue
        attributes = {
            name.lower(): value.strip(b"\"'").decode("latin-1")
            for name, value in reversed(_ATTRIBUTE.findall(tag[5:]))
        }
        label = attributes.get(b"charset", "")
        if not label and attributes.get(b"http-equiv", "").strip().lower() == "content-type":
            parameter = _CHARSET_PARAMETER.search(attributes.get(b"content", ""))
            label = parameter.group(1) if parameter else ""
        if label and encodings.lookup(label) is not None:
            return label, match.start() >= PRESCAN_BYTES
    return "", False


def _misfit(body: bytes, encoding: str) -> str:
    """Why the bytes cannot be what the label says, or "" where they can."""
    if encoding == "replacement":
        return "no browser reads that encoding"
    if encoding.startswith("utf-16"):
        return "" if _is_utf16(body, encoding) else "the bytes are not"
    if encoding == "iso-2022-jp" and not _ISO_2022_JP_ESCAPE.search(body) and not body.isascii():
        return "there are no escape sequences and 8-bit bytes"
    if encoding != "iso-2022-jp" and body.isascii():
        return "the bytes are ISO-2022-JP" if _ISO_2022_JP_ESCAPE.search(body) else ""
    if encoding != "utf-8" and _is_utf8(body):
        return "the bytes are UTF-8"
    if not encodings.is_multibyte(encoding):
        guess = _surely_japanese(body)
        return f"the bytes are {encodings.display_name(guess)}" if guess else ""
    text, errors = encodings.decode(body, encoding)
    if (
        encoding == "shift_jis"
        and _EUC_JP_AS_SHIFT_JIS.search(text)
        and _kana_share(text) < 0
        and _surely_japanese(body) == "euc-jp"
    ):
        return "the bytes are EUC-JP"
    if not errors:
        return ""
    return "" if errors <= BELIEVABLE_ERRORS * _size(_NON_ASCII, text) + 1 else f"{errors} places do not fit"


def _size(pattern: re.Pattern[str], text: str) -> int:
    """How many characters of the text are in runs of the pattern."""
    return sum(map(len, pattern.findall(text)))


def _is_utf8(body: bytes) -> bool:
    """Whether the bytes are UTF-8 beyond chance: valid throughout, with more than a stray two-byte
    sequence.
    """
    if not _THREE_BYTE_UTF8.search(body):
        return False
    try:
        body.decode("utf-8")
    except UnicodeDecodeError as error:
        return error.start >= len(body) - 3 and error.reason == "unexpected end of data"
    return True


def _surely_japanese(body: bytes) -> str:
    """Shift_JIS or EUC-JP where the bytes, read so, are Japanese prose whatever a label says; else ""."""
    readings = {encoding: _reading(body, codec) for encoding, codec in _JAPANESE.items()}
    best = max(readings, key=lambda encoding: _kana_share(readings[encoding]))
    kana = "".join(_KANA.findall(readings[best]))
    sure = (
        len(kana) >= MIN_KANA
        and len(set(kana)) >= MIN_KINDS_OF_KANA
        and _kana_share(readings[best]) >= KANA_SHARE
    )
    return best if sure else ""


def _probably_japanese(body: bytes) -> str:
    """Shift_JIS or EUC-JP where nearly all characters, read so, are kana or common kanji; else ""."""
    best, best_share = "", COMMON_SHARE
    for encoding, codec in _JAPANESE.items():
        text = _reading(body, codec)
        common = sum(_is_common(char) for char in text if char > "\x7f")
        if text and (share := common / max(1, _size(_NON_ASCII, text))) >= best_share:
            best, best_share = encoding, share
    return best


def _surely_korean(body: bytes) -> bool:
    """Whether the bytes, read as EUC-KR, are Korean prose: in other texts its commonest syllables are rare.

    The syllables of EUC-KR have the codes of common kanji in EUC-JP.
    """
    text = _reading(body, "euc_kr")
    syllables = sum(text.count(syllable) for syllable in KOREAN_SYLLABLES)
    return syllables >= MIN_SYLLABLES and syllables >= SYLLABLE_SHARE * _size(_NON_ASCII, text)


def _reading(body: bytes, codec: str) -> str:
    """A sample of the bytes read by Python's codec, "" where they do not fit; the sample's last character may
    be cut.
    """
    sample = _sample(body)
    text = sample.decode(codec, "replace")
    errors = text.count(encodings.REPLACEMENT)
    cut = text.endswith(encodings.REPLACEMENT)
    return text if errors - cut <= BELIEVABLE_ERRORS * _size(_NON_ASCII, text) else ""


def _kana_share(text: str) -> float:
    return (_size(_KANA, text) - _size(_HALF_WIDTH_KANA, text)) / max(1, _size(_NON_ASCII, text))


def _is_common(char: str) -> bool:
    """Whether a character is kana, Japanese punctuation or a kanji of JIS level 1."""
    try:
        code = char.encode("euc_jp")
    except UnicodeEncodeError:
        return False
    return len(code) == 2 and (code[0] in (0xA1, 0xA3, 0xA4, 0xA5) or 0xB0 <= code[0] <= 0xCF)


def _sample(body: bytes) -> bytes:
    """A stretch from the first byte that is not ASCII on, where the evidence is."""
    first = _EIGHT_BIT.search(body)
    start = first.start() if first else 0
    return body[start : start + DETECTION_BYTES]


def _from_bytes(body: bytes, refused: list[str]) -> tuple[str, str]:
    """(encoding, reason) by the bytes alone; a refused label is the last resort."""
    if wide := utf16_without_bom(body[:4096]):
        return wide, "zero bytes of UTF-16"
    if body.isascii():
        return (
            ("iso-2022-jp", "escape sequences")
            if _ISO_2022_JP_ESCAPE.search(body)
            else ("utf-8", "ASCII only")
        )
    if _is_utf8(body) or not encodings.decode(body, "utf-8")[1]:
        return "utf-8", "valid UTF-8"
    detected = encodings.lookup(detect_encoding(_sample(body)) or "")
    if guess := _surely_japanese(body):
        return guess, "Japanese in the bytes"
    if _surely_korean(body):
        return "euc-kr", "Korean in the bytes"
    if detected != "euc-kr" and (guess := _probably_japanese(body)):
        return guess, "Japanese in the bytes"
    candidates = [detected, *refused, "utf-8", *_JAPANESE, "windows-1252"]
    return min(
        (
            (encoding, "statistics of the bytes")
            for encoding in candidates
            if encoding and encoding != "replacement"
        ),
        key=lambda choice: 0 if not encodings.is_multibyte(choice[0]) else _error_share(body, choice[0]),
    )


def _error_share(body: bytes, encoding: str) -> float:
    """Undecodable places per non-ASCII character beyond what is believable in a page of that encoding."""
    text, errors = encodings.decode(body, encoding)
    return max(0.0, errors / max(1, _size(_NON_ASCII, text)) - BELIEVABLE_ERRORS)


def _is_utf16(body: bytes, encoding: str) -> bool:
    """Whether the bytes can be UTF-16 of that order: nearly no errors, and as many tags as there are bytes
    that look like one.
    """
    text, errors = encodings.decode(body, encoding)
    other_order = utf16_without_bom(body[:4096]) not in (None, encoding)
    return (
        errors <= BELIEVABLE_ERRORS * len(text) + 1
        and text.count("<") >= body.count(b"<") / 2
        and not other_order
    )


def utf16_without_bom(head: bytes) -> str | None:
    """UTF-16 by its zero bytes: nearly every second byte of markup is one."""
    pairs = len(head) // 2
    if pairs < 4:
        return None
    for encoding, zeros in (("utf-16le", head[1::2]), ("utf-16be", head[0::2])):
        others = head[0::2] if encoding == "utf-16le" else head[1::2]
        if zeros.count(0) > 0.4 * pairs and others.count(0) < 0.05 * pairs:
            return encoding
    return None
