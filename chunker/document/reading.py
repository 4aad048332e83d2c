"""The body of a page: from text nodes and mask to blocks and footnotes."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from urllib.parse import urljoin, urlsplit

from ruiji.chunker.document.blocks import blocks_of
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
from ruiji.chunker.document.tree import content_tree
from ruiji.features.arrays import BoolArray
from ruiji.features.page.textnodes import TextNodes

_TYPESET = re.compile(r"\\\(|\\\[|\$\$|\\(?:frac|sum|int|mathcal|alpha|sqrt|begin\{)")


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
    wanted = settings or BodySettings()
    tree = content_tree(nodes, content)
    base = urljoin(url, nodes.base) if nodes.base else url
    scheme, host, *_ = urlsplit(base)
    reading = Reading(
        base=base,
        origin=f"{scheme}://{host}" if scheme and host else "",
        links=wanted.links,
        images=wanted.images,
        tables=wanted.tables,
        ruby=wanted.ruby,
        with_formulas=any(_TYPESET.search(text) for text in nodes.texts if "\\" in text or "$$" in text),
    )
    found = find_notes(tree, url)
    definitions = frozenset(block.event for _, block in found.definitions)
    reading = replace(reading, references=found.references, left_out=found.left_out | definitions)
    blocks = _trimmed(blocks_of(tree, reading), title)
    inner = replace(reading, left_out=found.left_out)
    notes = [Note(label, tuple(_without_mark(blocks_of(block, inner)))) for label, block in found.definitions]
    return Body(
        tuple(_without_empty_notes(blocks) if notes else blocks), tuple(note for note in notes if note.blocks)
    )


def _without_mark(blocks: list[Block]) -> list[Block]:
    """The blocks of a note without the point behind its mark."""
    if blocks and isinstance(blocks[0], Paragraph) and isinstance(blocks[0].inlines[0], Text):
        text = re.sub(r"^\s*[.:)\]]\s+", "", blocks[0].inlines[0].text)
        return [Paragraph((Text(text), *blocks[0].inlines[1:])), *blocks[1:]]
    return blocks


def _without_empty_notes(blocks: list[Block]) -> list[Block]:
    """Blocks without the heading of notes that stand elsewhere now."""
    return [
        block
        for place, block in enumerate(blocks)
        if not (
            isinstance(block, Heading | Paragraph)
            and plain_text(block.inlines).strip(" :：").lower() in NOTES_HEADINGS
            and (place + 1 == len(blocks) or isinstance(blocks[place + 1], Heading))
        )
    ]


def _trimmed(blocks: list[Block], title: str) -> list[Block]:
    """Blocks without the title, and without lines at the ends or side by side."""
    kept: list[Block] = []
    folded = _folded(title)
    for block in blocks:
        if folded and isinstance(block, Heading) and _folded(plain_text(block.inlines)) == folded:
            folded = ""
            continue
        if isinstance(block, ThematicBreak) and (not kept or isinstance(kept[-1], ThematicBreak)):
            continue
        kept.append(block)
    while kept and isinstance(kept[-1], ThematicBreak):
        kept.pop()
    return kept


def _folded(text: str) -> str:
    return "".join(text.casefold().split())
