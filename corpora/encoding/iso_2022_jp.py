"""ISO-2022-JP byte by byte, as the WHATWG Encoding Standard (12.2.1) has it: what browsers make of wrong
sequences.
"""

from __future__ import annotations

from collections.abc import Callable

REPLACEMENT = "\ufffd"
ESCAPE = 0x1B
_ASCII, _ROMAN, _KATAKANA, _DOUBLE = "ASCII", "Roman", "katakana", "double-byte"
_DESIGNATIONS = {b"(B": _ASCII, b"(J": _ROMAN, b"(I": _KATAKANA, b"$@": _DOUBLE, b"$B": _DOUBLE}
_SHIFTS = (0x0E, 0x0F)  # SO and SI, which no browser reads
_JIS_ROMAN = {0x5C: "\u00a5", 0x7E: "\u203e"}
_FIRST_KATAKANA = 0xFF61


def decode_bytes(body: bytes, character: Callable[[int, int], str]) -> str:
    """The text of the bytes; ``character`` gives that of a lead and a trail byte of JIS X 0208, or U+FFFD."""
    text: list[str] = []
    mode, escaped, position, size = _ASCII, False, 0, len(body)
    while position < size:
        byte = body[position]
        position += 1
        if byte == ESCAPE:
            designated = _DESIGNATIONS.get(body[position : position + 2])
            if designated is None:  # what follows is read as if there had been no escape
                text.append(REPLACEMENT)
                escaped = False
                continue
            if escaped:  # an escape right after another hides what a reader of the bytes would see
                text.append(REPLACEMENT)
            mode, escaped = designated, True
            position += 2
            continue
        escaped = False
        if mode != _DOUBLE:
            text.append(_single(byte, mode))
        elif not 0x21 <= byte <= 0x7E or position == size:
            text.append(REPLACEMENT)
        else:
            trail = body[position]
            if trail == ESCAPE:  # the escape counts, the lead byte is lost
                text.append(REPLACEMENT)
            else:
                position += 1
                text.append(character(byte, trail) if 0x21 <= trail <= 0x7E else REPLACEMENT)
    return "".join(text)


def _single(byte: int, mode: str) -> str:
    """The character of a byte outside of double-byte runs."""
    if mode == _KATAKANA:
        return chr(_FIRST_KATAKANA - 0x21 + byte) if 0x21 <= byte <= 0x5F else REPLACEMENT
    if byte > 0x7F or byte in _SHIFTS:
        return REPLACEMENT
    if mode == _ROMAN:
        return _JIS_ROMAN.get(byte) or chr(byte)
    return chr(byte)
