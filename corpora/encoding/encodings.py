"""Decoders that read bytes as a browser reads them (WHATWG Encoding Standard).

Python's codecs are the tables; this module mends the places where they differ from the standard.
``shift_jis`` there means windows-31j (①, ㈱, 髙), EUC-JP and ISO-2022-JP carry the same extensions, and
undefined bytes become U+FFFD one by one instead of ending the text. The differences were found by decoding
every one- and two-byte sequence in Chromium; ``tests/corpora/test_encodings.py`` keeps digests of that. Some
characters of Big5-HKSCS and GB 18030 that Python does not have remain different.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Callable
from functools import lru_cache

import webencodings

from ruiji.corpora.encoding import iso_2022_jp

REPLACEMENT = "\ufffd"
ASCII_SPACE = "\t\n\f\r "  # what may stand around a label (WHATWG Encoding, 4.2)

# Display names of the standard (document.characterSet), where lower case is not the name itself.
_NAMES = {
    "utf-8": "UTF-8", "utf-16le": "UTF-16LE", "utf-16be": "UTF-16BE", "shift_jis": "Shift_JIS",
    "euc-jp": "EUC-JP",
    "iso-2022-jp": "ISO-2022-JP", "euc-kr": "EUC-KR", "big5": "Big5", "gbk": "GBK", "ibm866": "IBM866",
    "koi8-r": "KOI8-R", "koi8-u": "KOI8-U",
}  # fmt: skip

# Multi-byte encodings of the standard and the Python codec that comes nearest.
_MULTIBYTE = {"shift_jis": "cp932", "euc-jp": "euc_jp", "euc-kr": "cp949", "big5": "big5hkscs",
              "gbk": "gb18030", "gb18030": "gb18030"}  # fmt: skip

# Bytes that the standard defines and Python's table of the same name does not, or otherwise.
_SINGLE_BYTE_PATCHES = {
    "koi8-u": {0xAE: "\u045e", 0xBE: "\u040e"},
    "windows-1255": {0xCA: "\u05ba"},
}

# JIS X 0208 characters that the standard maps as windows-31j does and Python's euc_jp as Unicode's old table
# did.
_EUC_JP_AS_WINDOWS = tuple(
    zip("\u301c\u2016\u2212\u00a2\u00a3\u00ac", "\uff5e\u2225\uff0d\uffe0\uffe1\uffe2", strict=True)
)
_WINDOWS_NOT_IN_STANDARD = tuple((char, REPLACEMENT) for char in "\uf8f0\uf8f1\uf8f2\uf8f3")
_CORRECTIONS = {"euc-jp": _EUC_JP_AS_WINDOWS, "shift_jis": _WINDOWS_NOT_IN_STANDARD}

# Four bytes without a character, and what the end of a body leaves of four, are one error (10.2.1).
_WRONG_GB18030 = re.compile(rb"[\x81-\xfe][0-9](?:[\x81-\xfe](?:[0-9]|\Z)|\Z)")
_GB18030_REPLACEMENT = b"\x84\x31\xa4\x37"  # the one legacy encoding in which a page can say U+FFFD

# ISO-2022-JP in which nothing is wrong: double-byte characters between ESC $ B and ESC ( B, and ASCII, at
# least a letter of it between two such runs (WHATWG Encoding, 12.2: an escape right after another is an
# error).
_WELL_FORMED_JIS = re.compile(
    rb"[\x00-\x0d\x10-\x1a\x1c-\x7f]*+"
    rb"(?:\x1b\$[@B](?:[\x21-\x7e]{2})++\x1b\(B[\x00-\x0d\x10-\x1a\x1c-\x7f]++)*+"
    rb"(?:\x1b\$[@B](?:[\x21-\x7e]{2})++(?:\x1b\(B)?+)?+"
)


def lookup(label: str) -> str | None:
    """The standard's encoding for a label such as ``x-sjis`` (in lower case), or None for an unknown
    label.
    """
    if not label.isascii():  # none of them; and a lone surrogate of JSON cannot be looked up
        return None
    encoding = webencodings.lookup(label.strip(ASCII_SPACE))
    return None if encoding is None else str(encoding.name)


def display_name(encoding: str) -> str:
    """The name a browser shows: ``Shift_JIS`` for ``shift_jis``."""
    return _NAMES.get(encoding, encoding.upper() if encoding.startswith("iso-") else encoding)


def is_multibyte(encoding: str) -> bool:
    """Whether wrong bytes show as errors, as they do not in single-byte encodings."""
    return encoding in _MULTIBYTE or encoding == "iso-2022-jp" or encoding.startswith("utf-")


def decode(body: bytes, encoding: str) -> tuple[str, int]:
    """The text and the number of undecodable places, each of which stands as U+FFFD in the text."""
    if encoding == "utf-8":
        return _counted(body, lambda b, errors: b.decode("utf-8", errors))
    if encoding in ("utf-16le", "utf-16be"):
        return _counted(body, lambda b, errors: b.decode(encoding, errors))
    if encoding == "iso-2022-jp":
        text = _decode_iso_2022_jp(body)
    elif encoding in _MULTIBYTE:
        text = _decode_multibyte(body, encoding)
    elif encoding == "replacement":
        text = REPLACEMENT if body else ""
    else:
        text = codecs.charmap_decode(body, "strict", _single_byte_table(encoding))[0]
    own = body.count(_GB18030_REPLACEMENT) if encoding in ("gbk", "gb18030") else 0
    return text, text.count(REPLACEMENT) - own


def _counted(body: bytes, decoder: Callable[[bytes, str], str]) -> tuple[str, int]:
    """Decoded text of an encoding in which a page may also contain U+FFFD of its own, which is no error."""
    try:
        return decoder(body, "strict"), 0
    except UnicodeDecodeError:
        text = decoder(body, "replace")
        return text, text.count(REPLACEMENT) - decoder(body, "ignore").count(REPLACEMENT)


def _decode_multibyte(body: bytes, encoding: str) -> str:
    _register_error_handlers()
    text = body.decode(_MULTIBYTE[encoding], f"ruiji.{encoding}")
    return _corrected(text, encoding)


def _corrected(text: str, encoding: str) -> str:
    for char, standard in _CORRECTIONS.get(encoding, ()):  # replace() is a memory scan, translate() a loop
        text = text.replace(char, standard)
    return text


@lru_cache(maxsize=1)
def _register_error_handlers() -> None:
    for encoding in _MULTIBYTE:
        codecs.register_error(f"ruiji.{encoding}", _handler(encoding))


def _handler(encoding: str) -> Callable[[UnicodeError], tuple[str, int]]:
    """What a browser shows where Python's table has nothing: an extension character or one U+FFFD."""

    def handle(error: UnicodeError) -> tuple[str, int]:
        if not isinstance(error, UnicodeDecodeError):
            raise error
        body, start = error.object, error.start
        lead = body[start]
        trail = body[start + 1] if start + 1 < len(body) else 0
        if encoding == "euc-jp" and lead == 0x8F and 0xA1 <= trail <= 0xFE and start + 2 < len(body):
            return REPLACEMENT, start + (3 if body[start + 2] >= 0x80 else 2)
        if encoding == "euc-jp" and 0xA1 <= lead <= 0xFE and 0xA1 <= trail <= 0xFE:
            return _jis_extension(lead, trail), start + 2
        if encoding in ("gbk", "gb18030") and lead == 0x80:
            return "\u20ac", start + 1
        if encoding in ("gbk", "gb18030") and (wrong := _WRONG_GB18030.match(body, start)):
            return REPLACEMENT, wrong.end()
        # A lead byte takes its trail byte with it into the error, unless the trail is ASCII: markup survives.
        takes_trail = (
            0x81 <= lead <= 0xFE and trail >= 0x80 and not (encoding == "shift_jis" and 0xA0 <= lead <= 0xDF)
        )
        if encoding == "euc-jp" and lead not in (0x8E, 0x8F) and not 0xA1 <= lead <= 0xFE:
            takes_trail = False
        return REPLACEMENT, start + (2 if takes_trail else 1)

    return handle


@lru_cache(maxsize=1024)
def _jis_extension(lead: int, trail: int) -> str:
    """The character of a JIS X 0208 cell by the table of windows-31j (NEC row 13, IBM extensions), or
    U+FFFD.
    """
    row, cell = lead - 0xA1, trail - 0xA1
    first = (row >> 1) + (0x81 if row < 62 else 0xC1)
    second = cell + (0x9F if row % 2 else 0x40 + (cell >= 63))
    return bytes((first, second)).decode("cp932", "replace").replace("\ufffd\ufffd", REPLACEMENT)[:1]


def _decode_iso_2022_jp(body: bytes) -> str:
    """ISO-2022-JP with half-width katakana and the extension rows, wrong sequences as browsers show them."""
    if _WELL_FORMED_JIS.fullmatch(body):
        try:
            return _corrected(body.decode("iso2022_jp"), "euc-jp")
        except UnicodeDecodeError:  # a character beyond JIS X 0208
            pass
    return iso_2022_jp.decode_bytes(body, _jis_character)


@lru_cache(maxsize=94 * 94)
def _jis_character(lead: int, trail: int) -> str:
    """The character of two bytes of ISO-2022-JP, or U+FFFD."""
    return _decode_multibyte(bytes((lead | 0x80, trail | 0x80)), "euc-jp")


@lru_cache(maxsize=64)
def _single_byte_table(encoding: str) -> str:
    """256 characters: Python's table, with C1 controls where it has nothing, as the standard has them."""
    if encoding == "x-user-defined":
        return "".join(chr(code if code < 0x80 else 0xF700 + code) for code in range(256))
    codec = webencodings.lookup(encoding).codec_info
    patches = _SINGLE_BYTE_PATCHES.get(encoding, {})
    table = []
    for code in range(256):
        char = patches.get(code) or codec.decode(bytes((code,)), "replace")[0]
        table.append(chr(code) if char == REPLACEMENT and 0x80 <= code <= 0x9F else char)
    return "".join(table)
