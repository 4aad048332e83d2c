"""Inline pieces as they are read: white space folded and moved out of styles and links, pieces joined."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from ruiji.chunker.document.model import (
    Formula,
    Inline,
    InlineCode,
    LineBreak,
    Link,
    Style,
    Styled,
    Text,
)
from ruiji.corpora.c_modules import compiled

AT_ENDS = " \u00a0\u3000"  # says nothing at the ends of a line: what fills it, or indents it
_SPACE = re.compile("[ \t\n\r\f]+")
_WIDE = "\u3000-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff01-\uff60"
_BREAK_OF_WIDE = re.compile(f"(?<=[{_WIDE}])[ \t\r\f]*\n[ \t\n\r\f]*(?=[{_WIDE}])")


def tidy(inlines: Sequence[Inline]) -> tuple[Inline, ...]:
    """Inline pieces as they are read: white space folded, none at the ends and around line breaks, none at
    the ends of styles and links, like styles side by side joined, empty ones gone.
    """
    line: tuple[Inline, ...] | None = None if _in_c is None else _in_c.tidy(inlines)
    return tidy_in_python(inlines) if line is None else line


def tidy_in_python(inlines: Sequence[Inline]) -> tuple[Inline, ...]:
    """Inline pieces as they are read: the reference for the function in C."""
    flat = _folded(_hoisted(inlines))
    while flat and _is_blank(flat[0]):
        flat.pop(0)
    while flat and _is_blank(flat[-1]):
        flat.pop()
    if flat and isinstance(flat[0], Text):
        flat[0] = Text(flat[0].text.lstrip(AT_ENDS))
    if flat and isinstance(flat[-1], Text):
        flat[-1] = Text(flat[-1].text.rstrip(AT_ENDS))
    return tuple(flat)


def _is_blank(inline: Inline) -> bool:
    return isinstance(inline, LineBreak) or (isinstance(inline, Text) and not inline.text.strip(AT_ENDS))


def _hoisted(inlines: Iterable[Inline], around: frozenset[Style] = frozenset()) -> list[Inline]:
    """The pieces with the white space at the ends of styles and links before and behind these; ``around`` are
    the styles that the pieces are in already.
    """
    pieces: list[Inline] = []
    for inline in inlines:
        if isinstance(inline, Text):
            folded = fold_space(inline.text)
            pieces.append(inline if folded is inline.text else Text(folded))
        elif isinstance(inline, Styled) and inline.style in around:
            pieces += _hoisted(inline.inlines, around)
        elif isinstance(inline, Styled):
            pieces += _hoisted_group(inline, around | {inline.style})
        elif isinstance(inline, Link):
            pieces += _hoisted_group(inline, around)
        else:
            pieces.append(inline)
    return pieces


def _hoisted_group(group: Styled | Link, around: frozenset[Style]) -> Sequence[Inline]:
    if len(group.inlines) == 1 and isinstance(only := group.inlines[0], Text):  # most are
        text = fold_space(only.text)
        if text and not (text[0] in AT_ENDS or text[-1] in AT_ENDS):
            return (_with_inlines(group, (only if text is only.text else Text(text),)),)
    inside = _single_breaks(_folded(_hoisted(group.inlines, around)))
    before: list[Inline] = []
    behind: list[Inline] = []
    while inside and _is_blank(inside[0]):
        before.append(inside.pop(0))
    while inside and _is_blank(inside[-1]):
        behind.insert(0, inside.pop())
    if inside and isinstance(first := inside[0], Text):
        words = first.text.lstrip(AT_ENDS)
        before.append(Text(first.text[: len(first.text) - len(words)]))
        inside[0] = Text(words)
    if inside and isinstance(last := inside[-1], Text):
        words = last.text.rstrip(AT_ENDS)
        behind.insert(0, Text(last.text[len(words) :]))
        inside[-1] = Text(words)
    return [*before, *([_with_inlines(group, tuple(inside))] if inside else ()), *behind]


def _with_inlines(group: Styled | Link, inlines: tuple[Inline, ...]) -> Styled | Link:
    if isinstance(group, Styled):
        return Styled(group.style, inlines)
    return Link(group.target, inlines, group.title)


def _single_breaks(inlines: list[Inline]) -> list[Inline]:
    """The pieces with one line break where there are several: a style or a link is within one paragraph."""
    return [
        inline
        for place, inline in enumerate(inlines)
        if not (place and isinstance(inline, LineBreak) and isinstance(inlines[place - 1], LineBreak))
    ]


def _folded(inlines: Iterable[Inline]) -> list[Inline]:
    """Pieces of one kind side by side joined, with single spaces and none beside a line break."""
    flat: list[Inline] = []
    for inline in inlines:
        if not flat:
            if not isinstance(inline, Text) or inline.text:
                flat.append(inline)
        elif isinstance(inline, Text):
            _append_text(flat, inline)
        elif isinstance(last := flat[-1], Text):
            _append_behind_text(flat, inline, last.text)
        elif isinstance(inline, InlineCode) and isinstance(last, InlineCode):
            flat[-1] = InlineCode(last.text + inline.text)
        elif isinstance(inline, Formula) and isinstance(last, Formula):
            flat[-1] = Formula(f"{last.tex} {inline.tex}", last.display and inline.display)
        elif isinstance(inline, Styled) and isinstance(last, Styled) and inline.style == last.style:
            flat[-1] = Styled(inline.style, tuple(_folded((*last.inlines, *inline.inlines))))
        else:
            flat.append(inline)
    return flat


def _append_text(flat: list[Inline], inline: Text) -> None:
    last = flat[-1]
    if isinstance(last, Text):
        flat[-1] = Text(last.text + (inline.text.lstrip(" ") if last.text.endswith(" ") else inline.text))
    elif isinstance(last, LineBreak):
        if text := inline.text.lstrip(" "):
            flat.append(Text(text))
    elif isinstance(last, Formula) and inline.text[:1].isdigit():  # or the two would be read as one
        flat.append(Text(f" {inline.text}"))
    elif inline.text:
        flat.append(inline)


def _append_behind_text(flat: list[Inline], inline: Inline, before: str) -> None:
    if isinstance(inline, LineBreak) and before.endswith(" "):
        if text := before.rstrip(" "):
            flat[-1] = Text(text)
        else:
            flat.pop()
    elif isinstance(inline, Formula) and before[-1:].isdigit():
        flat[-1] = Text(f"{before} ")
    flat.append(inline)


def fold_space(text: str) -> str:
    """The text with one space for each run of HTML's white space, and none for a line that ends between two
    letters of a script that is written without spaces (CSS Text 3, 4.1.3, as browsers do).
    """
    if "\n" in text or "  " in text or "\t" in text or "\r" in text or "\f" in text:
        if "\n" in text and not text.isascii():
            text = _BREAK_OF_WIDE.sub("", text)
        return _SPACE.sub(" ", text)
    return text


_in_c = compiled("ruiji.chunker.document._document")
