"""TEI XML of documents, for corpora: a header with what is known of each, and its blocks (TEI P5)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from xml.etree.ElementTree import Element, SubElement, tostring

from ruiji.chunker.document.metadata import Metadata
from ruiji.chunker.document.model import (
    Block,
    Body,
    Callout,
    CodeBlock,
    Definitions,
    DisplayFormula,
    Figure,
    Formula,
    Heading,
    Image,
    Inline,
    InlineCode,
    LineBreak,
    Link,
    ListBlock,
    NoteReference,
    Paragraph,
    Quote,
    Styled,
    Table,
    Text,
    ThematicBreak,
)

NAMESPACE = "http://www.tei-c.org/ns/1.0"
_RENDERED = {
    "strong": "bold",
    "emphasis": "italic",
    "strike": "strikethrough",
    "subscript": "subscript",
    "superscript": "superscript",
}
_FORBIDDEN = re.compile(
    "[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]"
)  # characters that XML does not know


def tei(body: Body, metadata: Metadata, url: str) -> str:
    """One document as a TEI element."""
    root = Element("TEI", {"xmlns": NAMESPACE})
    _header(root, metadata, url)
    text = SubElement(root, "text", {"xml:lang": metadata.language} if metadata.language else {})
    _blocks(SubElement(text, "body"), body.blocks)
    if body.notes:
        back = SubElement(SubElement(text, "back"), "div", {"type": "notes"})
        for note in body.notes:
            _blocks(SubElement(back, "note", {"n": note.label}), note.blocks)
    return tostring(root, encoding="unicode")


def _header(root: Element, metadata: Metadata, url: str) -> None:
    description = SubElement(SubElement(root, "teiHeader"), "fileDesc")
    statement = SubElement(description, "titleStmt")
    SubElement(statement, "title").text = _allowed(metadata.title)
    for name in filter(None, metadata.author.split(", ")):
        SubElement(statement, "author").text = _allowed(name)
    publication = SubElement(description, "publicationStmt")
    SubElement(publication, "publisher").text = _allowed(metadata.site)
    if metadata.license:
        SubElement(SubElement(publication, "availability"), "licence").text = _allowed(metadata.license)
    if metadata.published:
        SubElement(publication, "date", {"when": metadata.published}).text = metadata.published
    SubElement(SubElement(SubElement(description, "sourceDesc"), "bibl"), "ref", {"target": _allowed(url)})


def _allowed(text: str) -> str:
    return _FORBIDDEN.sub("", text)


def _blocks(parent: Element, blocks: Sequence[Block]) -> None:
    for block in blocks:
        _block(parent, block)


def _block(parent: Element, block: Block) -> None:
    if isinstance(block, Heading):
        _inlines(SubElement(parent, "ab", {"type": "head", "n": str(block.level)}), block.inlines)
    elif isinstance(block, Paragraph):
        _inlines(SubElement(parent, "p"), block.inlines)
    elif isinstance(block, ListBlock):
        items = SubElement(parent, "list", {"rend": "bulleted" if block.start is None else "numbered"})
        for item in block.items:
            _blocks(SubElement(items, "item"), item)
    elif isinstance(block, Definitions):
        items = SubElement(parent, "list", {"type": "gloss"})
        for term, blocks in block.entries:
            _inlines(SubElement(items, "label"), term)
            _blocks(SubElement(items, "item"), blocks)
    elif isinstance(block, Table):
        _table(parent, block)
    elif isinstance(block, CodeBlock):
        SubElement(parent, "code", {"lang": block.language} if block.language else {}).text = _allowed(
            block.text
        )
    elif isinstance(block, Quote):
        _blocks(SubElement(parent, "quote"), block.blocks)
    elif isinstance(block, Callout):
        frame = SubElement(parent, "note", {"type": block.kind})
        SubElement(frame, "label").text = _allowed(block.title)
        _blocks(frame, block.blocks)
    elif isinstance(block, Figure):
        figure = SubElement(parent, "figure")
        for image in block.images:
            _image(figure, image)
        if block.caption:
            _inlines(SubElement(figure, "figDesc"), block.caption)
    elif isinstance(block, DisplayFormula):
        SubElement(parent, "formula", {"notation": "TeX", "rend": "display"}).text = _allowed(block.tex)
    elif isinstance(block, ThematicBreak):
        SubElement(parent, "milestone", {"unit": "section"})


def _table(parent: Element, block: Table) -> None:
    table = SubElement(parent, "table")
    if block.caption:
        _inlines(SubElement(table, "head"), block.caption)
    for place, row in enumerate(block.rows):
        line = SubElement(table, "row", {"role": "label"} if place < block.header_rows else {})
        for cell in row:
            spans = {"cols": str(cell.columns)} if cell.columns > 1 else {}
            spans |= {"rows": str(cell.rows)} if cell.rows > 1 else {}
            _inlines(
                SubElement(line, "cell", {**spans, **({"role": "label"} if cell.is_header else {})}),
                cell.inlines,
            )


def _image(parent: Element, image: Image) -> Element:
    graphic = SubElement(parent, "graphic", {"url": _allowed(image.target)})
    if image.alt:
        SubElement(graphic, "desc").text = _allowed(image.alt)
    return graphic


def _inlines(parent: Element, inlines: Sequence[Inline]) -> None:
    last: Element | None = None
    for inline in inlines:
        if isinstance(inline, Text):
            text = _allowed(inline.text)
            if last is None:
                parent.text = (parent.text or "") + text
            else:
                last.tail = (last.tail or "") + text
        else:
            last = _inline(parent, inline)


def _inline(parent: Element, inline: Inline) -> Element:
    if isinstance(inline, Styled):
        element = SubElement(parent, "hi", {"rend": _RENDERED[inline.style]})
        _inlines(element, inline.inlines)
    elif isinstance(inline, Link):
        element = SubElement(parent, "ref", {"target": _allowed(inline.target)})
        _inlines(element, inline.inlines)
    elif isinstance(inline, Image):
        element = _image(parent, inline)
    elif isinstance(inline, InlineCode):
        element = SubElement(parent, "code")
        element.text = _allowed(inline.text)
    elif isinstance(inline, Formula):
        element = SubElement(parent, "formula", {"notation": "TeX"})
        element.text = _allowed(inline.tex)
    elif isinstance(inline, NoteReference):
        element = SubElement(parent, "ref", {"type": "note", "n": inline.label})
    else:
        assert isinstance(inline, LineBreak | Text)
        element = SubElement(parent, "lb")
    return element
