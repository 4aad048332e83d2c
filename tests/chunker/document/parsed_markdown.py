"""Markdown back to the values of the model, by markdown-it-py: the oracle of the writer's tests."""

from __future__ import annotations

import re
from collections.abc import Sequence

from markdown_it import MarkdownIt
from markdown_it.token import Token
from mdit_py_plugins.dollarmath import dollarmath_plugin
from mdit_py_plugins.footnote import footnote_plugin

from ruiji.chunker.document.model import (
    Block,
    Body,
    Cell,
    CodeBlock,
    DisplayFormula,
    Formula,
    Heading,
    Image,
    Inline,
    InlineCode,
    LineBreak,
    Link,
    ListBlock,
    Note,
    NoteReference,
    Paragraph,
    Quote,
    Style,
    Styled,
    Table,
    Text,
    ThematicBreak,
    plain_text,
)

PARSER = (
    MarkdownIt("commonmark")
    .enable(["table", "strikethrough"])
    .use(footnote_plugin)
    .use(dollarmath_plugin, allow_space=False, allow_digits=False)
)
STYLES: dict[str, Style] = {
    "strong": "strong", "em": "emphasis", "s": "strike", "sub": "subscript", "sup": "superscript",
}  # fmt: skip


def body_from(markdown: str) -> Body:
    """The body that a parser reads in a Markdown text."""
    tokens = PARSER.parse(markdown)
    notes = []
    if any(token.type == "footnote_block_open" for token in tokens):
        start = next(place for place, token in enumerate(tokens) if token.type == "footnote_block_open")
        notes = _notes(tokens[start + 1 : -1])
        tokens = tokens[:start]
    return Body(tuple(_blocks(tokens)), tuple(notes))


def _notes(tokens: Sequence[Token]) -> list[Note]:
    return [
        Note(
            opened.meta["label"],
            tuple(_blocks([token for token in inner if token.type != "footnote_anchor"])),
        )
        for opened, inner in _groups(tokens)
    ]


def _groups(tokens: Sequence[Token]) -> list[tuple[Token, Sequence[Token]]]:
    """The tokens of one level: each with what it encloses."""
    groups = []
    place = 0
    while place < len(tokens):
        token, end = tokens[place], place + 1
        if token.nesting == 1:
            depth = 1
            while depth:
                depth += tokens[end].nesting
                end += 1
        groups.append((token, tokens[place + 1 : end - 1]))
        place = end
    return groups


def _blocks(tokens: Sequence[Token]) -> list[Block]:
    return [_block(token, inner) for token, inner in _groups(tokens)]


def _block(token: Token, inner: Sequence[Token]) -> Block:
    kind = token.type
    if kind == "heading_open":
        return Heading(int(token.tag[1]), _inlines(inner[0].children or []))
    if kind == "paragraph_open":
        return Paragraph(_inlines(inner[0].children or []))
    if kind in ("bullet_list_open", "ordered_list_open"):
        items = tuple(tuple(_blocks(item)) for _, item in _groups(inner))
        return ListBlock(items, int(token.attrGet("start") or 1) if kind == "ordered_list_open" else None)
    if kind == "blockquote_open":
        return Quote(tuple(_blocks(inner)))
    if kind == "fence":
        return CodeBlock(token.content.removesuffix("\n"), token.info)
    if kind == "math_block":
        return DisplayFormula(token.content.strip())
    if kind == "table_open":
        rows = [row for _, section in _groups(inner) for _, row in _groups(section)]
        cells = [tuple(Cell(_inlines(cell[0].children or [])) for _, cell in _groups(row)) for row in rows]
        return Table(tuple(cells), 1)
    if kind == "hr":
        return ThematicBreak()
    raise AssertionError(f"{kind}: {token.content!r} was not written by the model")


def _inlines(tokens: Sequence[Token]) -> tuple[Inline, ...]:
    stack: list[tuple[Token | None, list[Inline]]] = [(None, [])]
    for token in tokens:
        kind, pieces = token.type, stack[-1][1]
        tag = (
            re.fullmatch(r"<(/?)(strong|em|s|sub|sup|br)>", token.content) if kind == "html_inline" else None
        )
        if kind == "text":
            if token.content:
                pieces.append(Text(token.content))
        elif kind == "code_inline":
            pieces.append(InlineCode(token.content))
        elif kind == "hardbreak" or (tag and tag.group(2) == "br"):
            pieces.append(LineBreak())
        elif kind == "math_inline":
            pieces.append(Formula(token.content))
        elif kind == "image":
            pieces.append(
                Image(
                    str(token.attrGet("src")),
                    plain_text(_inlines(token.children or [])),
                    str(token.attrGet("title") or ""),
                )
            )
        elif kind == "footnote_ref":
            pieces.append(NoteReference(token.meta["label"]))
        elif kind.endswith("_open") or (tag and not tag.group(1)):
            stack.append((token, []))
        elif kind.endswith("_close") or tag:
            opened, inner = stack.pop()
            assert opened is not None
            if opened.type == "link_open":
                stack[-1][1].append(
                    Link(
                        str(opened.attrGet("href")), tuple(_joined(inner)), str(opened.attrGet("title") or "")
                    )
                )
            else:
                name = opened.tag or re.sub("[<>]", "", opened.content)
                stack[-1][1].append(Styled(STYLES[name], tuple(_joined(inner))))
        else:
            raise AssertionError(f"{kind}: {token.content!r} was not written by the model")
    return tuple(_joined(stack[0][1]))


def _joined(inlines: list[Inline]) -> list[Inline]:
    joined: list[Inline] = []
    for inline in inlines:
        if joined and isinstance(inline, Text) and isinstance(joined[-1], Text):
            joined[-1] = Text(joined[-1].text + inline.text)
        else:
            joined.append(inline)
    return joined
