r"""Foreign text for a terminal: what a terminal would obey is made visible instead.

>>> printable("title\x1b]0;owned\x07")
'title\\x1b]0;owned\\x07'
"""

from __future__ import annotations

from typing import TextIO

_LINE_BREAKS = frozenset("\n\t")
# C0 and C1 control characters start escape sequences (ECMA-48); the others end a line or turn the
# direction of writing, so that an address looks like another one (Unicode UAX 9, explicit directional
# formatting).
_OBEYED = frozenset(
    chr(code)
    for codes in (
        range(0x20),
        range(0x7F, 0xA0),
        (0x61C,),
        range(0x200E, 0x2010),
        range(0x2028, 0x202F),
        range(0x2066, 0x206A),
    )
    for code in codes
)
_VISIBLE_IN_LINE = {ord(character): ascii(character)[1:-1] for character in _OBEYED}
_VISIBLE_IN_TEXT = {code: shown for code, shown in _VISIBLE_IN_LINE.items() if chr(code) not in _LINE_BREAKS}


def printable(text: str) -> str:
    """The text on one line: an address, a title, a name of a file."""
    return text.translate(_VISIBLE_IN_LINE)


def printable_text(text: str) -> str:
    """The text with its line breaks and tabs."""
    return text.translate(_VISIBLE_IN_TEXT)


def text_for(stream: TextIO, text: str) -> str:
    """The text as it is written to a stream: made printable where a person looks, unchanged in a pipe or a
    file, where it is data.
    """
    return printable_text(text) if stream.isatty() else text
