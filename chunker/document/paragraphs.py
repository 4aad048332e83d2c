"""Lines of inlines as blocks: paragraphs, formulas on lines of their own, headings; and tables of contents,
lists and lines of links to places in the page, which no document needs.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from ruiji.chunker.document.inlines import Reading, inlines_of
from ruiji.chunker.document.model import (
    Block,
    DisplayFormula,
    Formula,
    Heading,
    Image,
    Inline,
    LineBreak,
    Link,
    ListBlock,
    Paragraph,
    Styled,
    Text,
    plain_text,
)
from ruiji.chunker.document.tidying import tidy
from ruiji.chunker.document.tree import Node

HEADINGS = {f"h{level}": max(2, level) for level in range(1, 7)}  # level 1 is the title's
EMPTY_BRACKETS = ("[]", "［］", "[ ]", "()")  # what is left of a link to edit a section
ALL, WORDS, NOTHING = range(3)  # of a link in a heading; the numbers are those of the module in C
_FEWEST_CONTENTS = 3  # entries of a table of contents that is no list
_PARTING: frozenset[type] = frozenset((LineBreak, Formula))  # may stand between paragraphs
_EDITING = re.compile(
    r"(?:^|[\s_-])(?:editsection|headerlink|header-?anchor|anchor-?link|permalink|heading-?link)(?=$|[\s_-])",
    re.IGNORECASE,
)
_SIGNS_OF_ANCHORS = frozenset(("#", "¶", "§", "🔗", "⚓", "link", "permalink"))
_SIGNS_OF_EDITING = frozenset("edit [edit] 編集 [編集] bearbeiten modifier".split())


def paragraphs_of(inlines: tuple[Inline, ...]) -> Iterator[Block]:
    """The paragraph of a line; formulas on lines of their own, and an empty line inside, part it."""
    if _PARTING.isdisjoint(map(type, inlines)):
        if inlines:
            yield Paragraph(inlines)
        return
    part: list[Inline] = []
    alone = len(inlines) == 1
    for place, inline in enumerate(inlines):
        if isinstance(inline, Formula) and inline.display and (alone or _between_breaks(inlines, place)):
            yield from _paragraph(part)
            part = []
            yield DisplayFormula(inline.tex)
        elif isinstance(inline, LineBreak) and part and isinstance(part[-1], LineBreak):
            yield from _paragraph(part)
            part = []
        else:
            part.append(inline)
    yield from _paragraph(part)


def _between_breaks(inlines: tuple[Inline, ...], place: int) -> bool:
    neighbours = inlines[max(0, place - 1) : place] + inlines[place + 1 : place + 2]
    return len(neighbours) < 2 or any(isinstance(inline, LineBreak) for inline in neighbours)


def _paragraph(inlines: list[Inline]) -> Iterator[Block]:
    if line := tidy(inlines):
        yield Paragraph(line)


def heading_of(node: Node, reading: Reading) -> list[Block]:
    """The heading that an element is, without what edits or links to it; its images where it has no text."""
    level = HEADINGS.get(node.tag, 0)
    if not level:
        digits = re.fullmatch(r"[1-6]", node.get("aria-level"))
        level = max(2, int(digits.group())) if digits else 2
    if not node.elements:  # most have none
        line = _without_brackets(inlines_of(node.children, reading))
        return [Heading(level, line)] if plain_text(line).strip() else []
    aside = frozenset(
        child.event
        for child in node.descendants()
        if is_editing(child.get("class")) and len(child.text()) < len(node.text())
    )
    shown = replace(reading, left_out=reading.left_out | aside) if aside else reading
    inlines = inlines_of(node.children, shown)
    if not (len(inlines) == 1 and isinstance(inlines[0], Text)):
        inlines = tidy([part for inline in _without_breaks(inlines) for part in _heading_piece(inline)])
    inlines = _without_brackets(inlines)
    blocks: list[Block] = [Heading(level, inlines)] if plain_text(inlines).strip() else []
    images = [inline for inline in inlines if isinstance(inline, Image)]
    return blocks or [Paragraph((image,)) for image in images]


def is_editing(names: str) -> bool:
    """Whether an element in a heading is called what edits it or links to it."""
    return _EDITING.search(names) is not None


def _without_brackets(inlines: tuple[Inline, ...]) -> tuple[Inline, ...]:
    """A heading without the empty brackets that a link to edit it leaves."""
    last = inlines[-1] if inlines else None
    if isinstance(last, Text):
        for brackets in EMPTY_BRACKETS:
            if last.text.endswith(brackets):
                return tidy((*inlines[:-1], Text(last.text.removesuffix(brackets).rstrip())))
    return inlines


def _without_breaks(inlines: tuple[Inline, ...]) -> list[Inline]:
    return [Text(" ") if isinstance(inline, LineBreak) else inline for inline in inlines]


def _heading_piece(inline: Inline) -> list[Inline]:
    """A piece of a heading: bold says nothing there, and links to the heading itself are not read."""
    if isinstance(inline, Styled) and inline.style == "strong":
        return [part for piece in _without_breaks(inline.inlines) for part in _heading_piece(piece)]
    if isinstance(inline, Link):
        kept = kept_of_link(plain_text(inline.inlines), inline.target)
        return [] if kept == NOTHING else list(inline.inlines) if kept == WORDS else [inline]
    return [inline]


def kept_of_link(words: str, target: str) -> int:
    """What is kept of a link in a heading: all of it, its words where it leads into the page, or nothing of a
    sign that edits the heading or links to it.
    """
    text, into_page = words.strip().lower(), target.startswith("#")
    if text in _SIGNS_OF_EDITING or (text in _SIGNS_OF_ANCHORS and into_page):
        return NOTHING
    return WORDS if into_page else ALL


def leads_into_page(item: tuple[Block, ...]) -> bool:
    """Whether an item is a link to a place in the page, as in a table of contents, with more of these
    below.
    """
    return all(
        (isinstance(block, ListBlock) and all(map(leads_into_page, block.items)))
        or (isinstance(block, Paragraph) and all(map(_is_place, block.inlines)))
        for block in item
    )


def is_contents(inlines: tuple[Inline, ...]) -> bool:
    """Whether a line is a table of contents: links to places in the page, one below the other."""
    links = sum(isinstance(inline, Link) for inline in inlines)
    return links >= _FEWEST_CONTENTS and all(
        isinstance(inline, LineBreak) or _is_place(inline) for inline in inlines
    )


def _is_place(inline: Inline) -> bool:
    if isinstance(inline, Text):
        return not re.search(r"[^\W\d]", inline.text)  # the number of the entry
    return isinstance(inline, Link) and inline.target.startswith("#")
