"""The body of a page: from text nodes and mask to blocks and footnotes."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from urllib.parse import urlsplit

from ruiji.chunker.document.blocks import blocks_of
from ruiji.chunker.document.formulas import shown_twice
from ruiji.chunker.document.inlines import Reading
from ruiji.chunker.document.model import (
    Block,
    Body,
    Heading,
    Note,
    Paragraph,
    Text,
    ThematicBreak,
    plain_text,
)
from ruiji.chunker.document.notes import NOTES_HEADINGS, find_notes
from ruiji.chunker.document.tree import Node, NodeInPython, content_tree
from ruiji.chunker.document.writing.markdown import markdown
from ruiji.corpora.c_modules import compiled
from ruiji.features.arrays import BoolArray
from ruiji.features.page.links import base_address
from ruiji.features.page.textnodes import TextNodes

_REFERENCES = frozenset(
    "references citations sources 出典 参考文献 einzelnachweise références referencias".split()
)
_CONTENTS_HEADINGS = frozenset(
    (
        "contents",
        "table of contents",
        "in this article",
        "on this page",
        "目次",
        "もくじ",
        "inhalt",
        "inhaltsverzeichnis",
        "sommaire",
        "índice",
        "indice",
        "inhoud",
        "spis treści",
        "содержание",
        "目录",
        "目錄",
        "목차",
    )
)
_TYPESET = re.compile(r"\\\(|\\\[|\$\$|\\(?:frac|sum|int|mathcal|alpha|sqrt|begin\{)")

# At the beginning of a note: its mark, or the point that was behind it.
_OWN_MARK = re.compile(r"\s*[\[(]?([^\W_]{1,4}|[*†‡§¶]{1,3})([.)\]:]?)\s+")
_BEHIND_MARK = re.compile(r"\s*(?:[.)\]]\s+|:\s*)")
_SHORTEST_NAME = 4  # letters of the name of a site: less may be a word of it
_LONGEST_DATE = 40  # characters: Wednesday, September 26th, 2025
_LONGEST_NAME_OF_A_DAY = 14  # characters with comma and brackets


@dataclass(frozen=True, slots=True)
class BodySettings:
    """What of a page goes into its body."""

    links: bool = True
    images: bool = True
    tables: bool = True
    ruby: bool = False


def body_of(
    nodes: TextNodes, content: BoolArray, url: str, title: str = "", settings: BodySettings | None = None
) -> Body:
    """The body of a page: what the mask says is content, without the headline that repeats the title."""
    return _body(nodes, _page_of(nodes, content, url, settings or BodySettings()), title)


def _body(nodes: TextNodes, page: _Page, title: str) -> Body:
    reading = page.reading
    definitions = frozenset(block.event for _, block in page.notes)
    main = replace(reading, left_out=reading.left_out | definitions)
    blocks = _trimmed(blocks_of(page.tree, main), _Headline(title, nodes.title))
    notes = [
        Note(label, tuple(_without_mark(blocks_of(block, reading), label))) for label, block in page.notes
    ]
    empty = NOTES_HEADINGS | _REFERENCES | _CONTENTS_HEADINGS if notes else _CONTENTS_HEADINGS
    return Body(tuple(_without_empty_parts(blocks, empty)), tuple(note for note in notes if note.blocks))


def markdown_of(
    nodes: TextNodes, content: BoolArray, url: str, title: str = "", settings: BodySettings | None = None
) -> str:
    """The body of a page as Markdown; without footnotes in C, where that was built, and no value is made."""
    page = _page_of(nodes, content, url, settings or BodySettings())
    in_c = None if Node is NodeInPython else compiled("ruiji.chunker.document._document")
    if in_c is None or page.notes:
        return markdown(_body(nodes, page, title))
    headline = _Headline(title, nodes.title)
    text: str = in_c.markdown(
        page.tree, page.reading, headline.is_repeated, lambda words: _is_called(words, _CONTENTS_HEADINGS)
    )
    return text


@dataclass(frozen=True, slots=True)
class _Page:
    """The tree of a page, how it is read, and the labels and blocks of its footnotes."""

    tree: Node
    reading: Reading
    notes: tuple[tuple[str, Node], ...]


def _page_of(nodes: TextNodes, content: BoolArray, url: str, wanted: BodySettings) -> _Page:
    tree = content_tree(nodes, content)
    base = base_address(url, nodes.base)
    scheme, host, *_ = urlsplit(base)
    found = find_notes(tree, url)
    formulas = shown_twice(tree) if _has_typeset_scripts(nodes) else frozenset()
    reading = Reading(
        base=base,
        origin=f"{scheme}://{host}" if scheme and host else "",
        links=wanted.links,
        images=wanted.images,
        tables=wanted.tables,
        ruby=wanted.ruby,
        with_formulas=_has_formulas(nodes.texts),
        references=found.references,
        left_out=found.left_out | formulas,
    )
    return _Page(tree, reading, found.definitions)


def _has_formulas(texts: Sequence[str]) -> bool:
    """Whether texts have formulas in TeX; most pages have none of its signs."""
    whole = "\n".join(texts)
    return ("\\" in whole or "$$" in whole) and _TYPESET.search(whole) is not None


def _has_typeset_scripts(nodes: TextNodes) -> bool:
    if nodes.markup is None:
        return False
    own = nodes.markup.attributes
    return any(own.get(event).get("type", "").startswith("math/") for event in nodes.markup.unseen)


def _without_mark(blocks: list[Block], label: str) -> list[Block]:
    """The blocks of a note without its own mark before the text, or the point behind it."""
    if not (blocks and isinstance(blocks[0], Paragraph) and isinstance(blocks[0].inlines[0], Text)):
        return blocks
    said, others = blocks[0].inlines[0].text, blocks[0].inlines[1:]
    own = _OWN_MARK.match(said)
    if own and own[1] == label and (own[2] or not label.isalnum()):  # a letter alone may be a word
        text = said[own.end() :]
    else:
        behind = _BEHIND_MARK.match(said)
        text = said[behind.end() :] if behind else said
    if not text and not others:
        return blocks
    return [Paragraph((*((Text(text),) if text else ()), *others)), *blocks[1:]]


def _without_empty_parts(blocks: list[Block], headings: frozenset[str]) -> list[Block]:
    """Blocks without these headings where nothing follows: notes stand elsewhere now, and lists of contents
    are left out.
    """
    return [
        block
        for place, block in enumerate(blocks)
        if not (
            isinstance(block, Heading | Paragraph)
            and (place + 1 == len(blocks) or isinstance(blocks[place + 1], Heading | ThematicBreak))
            and _is_called(plain_text(block.inlines), headings)
        )
    ]


def _is_called(text: str, headings: frozenset[str]) -> bool:
    return text.strip(" :：").lower() in headings


class _Headline:
    """What headings of a page repeat: its title, or the name of a site or a book that stands behind it in
    the title element, whose text is ``whole``.
    """

    def __init__(self, title: str, whole: str) -> None:
        self._title = _folded(title)
        self._around = _folded(whole).replace(self._title, "") if title else ""

    def is_repeated(self, text: str, is_first: bool) -> bool:
        """Whether a heading is to be left out; the title is once, a name and the day of an entry before all
        else.
        """
        words = _folded(text) if self._title or (is_first and self._around) else ""
        if is_first and self._around and len(words) >= _SHORTEST_NAME and words in self._around:
            return True
        if self._title and words == self._title:
            self._title = ""
            return True
        return is_first and _is_date(text)


def _trimmed(blocks: list[Block], headline: _Headline) -> list[Block]:
    """Blocks without the headline, and without lines at the ends or side by side."""
    kept: list[Block] = []
    for block in blocks:
        if isinstance(block, Heading) and headline.is_repeated(plain_text(block.inlines), not kept):
            continue
        if isinstance(block, ThematicBreak) and (not kept or isinstance(kept[-1], ThematicBreak)):
            continue
        kept.append(block)
    while kept and isinstance(kept[-1], ThematicBreak):
        kept.pop()
    return kept


def _folded(text: str) -> str:
    return "".join(text.casefold().split())


def _is_date(text: str) -> bool:
    """Whether a text is a day and nothing else, perhaps with its name."""
    if len(text) > _LONGEST_DATE or not any(map(str.isdigit, text)):
        return False
    from ruiji.features.text.dates import dates_in  # most pages do not begin with one

    days = [(start, end) for start, end, date in dates_in(text) if date.day]
    return len(days) == 1 and len(text) - (days[0][1] - days[0][0]) <= _LONGEST_NAME_OF_A_DAY
