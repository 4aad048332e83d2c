"""Lines of Markdown: inline pieces as text, in which characters that a parser would take for markup are
escaped where they stand, and only there.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

from ruiji.chunker.document.model import (
    Formula,
    Image,
    Inline,
    InlineCode,
    LineBreak,
    Link,
    NoteReference,
    Styled,
    Text,
)

_BREAK = "  \n"
DELIMITERS = {"strong": ("**", "__"), "emphasis": ("*", "_"), "strike": ("~~",)}
TAGS = {"strong": "strong", "emphasis": "em", "strike": "s", "subscript": "sub", "superscript": "sup"}
_ALWAYS = re.compile(r"[\\`*\[]|(?<![^\W_])_|_(?![^\W_])|~(?=~)|(?<=~)~|<(?=[A-Za-z/!?])|&(?=#?\w+;)")
_SUSPECT = re.compile(r"[\\`*\[_~<&]")
_LINE_START = re.compile(r"^([#>+-]|=+\s*$|\d{1,9}[.)](?=\s|$)|:?-+)", re.MULTILINE)
_STARTS = frozenset("#>+-=:~")  # with digits, the first characters of what the two expressions match
_FENCE_START = re.compile(r"^(~~~)", re.MULTILINE)
_ENTITY = re.compile(r"&(?=#?\w+;)")
_IN_ADDRESS = re.compile(r"[\s<>\\\x00-\x1f]")


def paragraph(inlines: tuple[Inline, ...]) -> str:
    """A paragraph: its lines cannot be taken for the beginning of another block."""
    return _line_starts(line(inlines))


def cell(inlines: tuple[Inline, ...]) -> str:
    """The cell of a table: line breaks are elements, bars escaped."""
    return line(inlines).replace(_BREAK, "<br>").replace("\n", " ").replace("|", "\\|")


def one_line(inlines: tuple[Inline, ...]) -> str:
    """The line of a heading."""
    text = line(inlines).replace(_BREAK, " ").replace("\n", " ")
    if not text.endswith("#"):
        return text
    return re.sub(r"(?<!#)(#+)$", r"\\\1", text)  # or it would end the heading


def _line_starts(text: str) -> str:
    """A paragraph whose lines cannot be taken for the beginning of another block."""
    if "\n" not in text and text[:1] not in _STARTS and not text[:1].isdecimal():
        return text
    text = _FENCE_START.sub(r"\\\1", text)
    return _LINE_START.sub(_escaped_start, text)


def _escaped_start(match: re.Match[str]) -> str:
    start = match.group(1)
    return f"{start[:-1]}\\{start[-1]}" if start[0].isdigit() else f"\\{start}"


def escaped(text: str, more: str = "") -> str:
    """The text with markup characters escaped."""
    if _SUSPECT.search(text):
        text = _ALWAYS.sub(r"\\\g<0>", text)
    for char in more:
        text = text.replace(char, f"\\{char}")
    return text


def line(inlines: tuple[Inline, ...]) -> str:
    """The inline pieces of a whole line."""
    written = _inlines(inlines, "")
    if written.count("$") > 1 and _may_be_math(inlines):
        return _inlines(inlines, "$")
    return written


def _inlines(inlines: tuple[Inline, ...], more: str) -> str:
    """Inline pieces; ``more`` are further characters to escape in texts."""
    written = ""
    last = len(inlines) - 1
    for place, inline in enumerate(inlines):
        if isinstance(inline, Text):
            written += escaped(inline.text, more)
            continue
        behind = _first_character(inlines[place + 1]) if place < last else ""
        if written.endswith(("!", "^")) and isinstance(inline, (Link, Image, NoteReference)):
            written = f"{written[:-1]}\\{written[-1]}"  # or it would be an image, or a note in the line
        written += _inline(inline, written[-1:], behind, more)
    return written


def _may_be_math(inlines: Sequence[Inline]) -> bool:
    """Whether dollars in a line could be taken for the ends of a formula."""
    return _dollars(inlines) > 1


def _dollars(inlines: Sequence[Inline]) -> int:
    count = 0
    for inline in inlines:
        if isinstance(inline, (Text, InlineCode)):
            count += inline.text.count("$")
        elif isinstance(inline, Styled):
            count += _dollars(inline.inlines)
        elif isinstance(inline, Link):
            count += _dollars(inline.inlines) + f"{inline.target}{inline.title}".count("$")
        elif isinstance(inline, Image):
            count += f"{inline.target}{inline.title}{inline.alt}".count("$")
        elif isinstance(inline, Formula):
            count += 2
    return count


def _first_character(inline: Inline) -> str:
    if isinstance(inline, Text):
        return inline.text[:1]
    return {LineBreak: "\n", InlineCode: "`", Formula: "$", Image: "!"}.get(
        type(inline), "*" if isinstance(inline, Styled) else "["
    )


def _inline(inline: Inline, before: str, behind: str, more: str) -> str:
    if isinstance(inline, Styled):
        return _styled(inline, before, behind, more)
    if isinstance(inline, InlineCode):
        return _inline_code(inline.text)
    if isinstance(inline, Link):
        words = _inlines(inline.inlines, more.replace("]", "") + "]")
        words = f"\\{words}" if words.startswith("^") else words  # "[^" would begin a footnote
        return f"[{words}]({_address(inline.target)}{_title(inline.title)})"
    if isinstance(inline, Image):
        return image_link(inline, more)
    if isinstance(inline, Formula):
        return f"${inline.tex}$"
    if isinstance(inline, NoteReference):
        return f"[^{inline.label}]"
    return _BREAK


def _styled(inline: Styled, before: str, behind: str, more: str) -> str:
    """A piece that stands out: between stars or lines where a parser would read them so, else between
    tags.
    """
    inside = _inlines(inline.inlines, more)
    for delimiter in DELIMITERS.get(inline.style, ()) if inside else ():
        sign = delimiter[0]
        if sign in (before, behind, inside[0], inside[-1]) or (sign == "~" and "~" in inside):
            continue
        if sign == "_" and ("_" in inside or before.isalnum() or behind.isalnum()):
            continue
        if _opens(before, inside[:1]) and _opens(behind, inside[-1:]):
            return f"{delimiter}{inside}{delimiter}"
    tag = TAGS[inline.style]
    return f"<{tag}>{inside}</{tag}>"


def _opens(outside: str, inside: str) -> bool:
    """Whether a delimiter between these characters is one on this side (CommonMark 0.31, 6.2: flanking)."""
    if not inside or inside.isspace():
        return False
    return not _is_punctuation(inside) or not outside or outside.isspace() or _is_punctuation(outside)


def _is_punctuation(char: str) -> bool:
    return unicodedata.category(char)[0] in "PS"


def _inline_code(text: str) -> str:
    fence = "`" * (1 + max((len(run) for run in re.findall("`+", text)), default=0))
    space = " " if text[:1] in ("`", " ") or text[-1:] in ("`", " ") else ""
    return f"{fence}{space}{text}{space}{fence}"


def image_link(image: Image, more: str = "") -> str:
    """An image: its alternative text and its address."""
    words = escaped(image.alt, more.replace("]", "") + "]")
    return f"![{words}]({_address(image.target)}{_title(image.title)})"


def _address(address: str) -> str:
    """An address as the target of a link: spaces as a browser would send them, brackets escaped."""
    if _IN_ADDRESS.search(address):
        address = _IN_ADDRESS.sub(_percent_encoded, address)
    if "(" in address or ")" in address or "&" in address:
        address = re.sub(r"[()]", r"\\\g<0>", _ENTITY.sub("&amp;", address))
    return address


def _percent_encoded(match: re.Match[str]) -> str:
    return "".join(f"%{byte:02X}" for byte in match.group().encode("utf-8", "replace"))


def _title(title: str) -> str:
    escaped = _ENTITY.sub("&amp;", title.replace("\\", "\\\\").replace('"', '\\"'))
    return f' "{escaped}"' if title else ""
