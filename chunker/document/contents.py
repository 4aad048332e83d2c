"""Tables of contents: lists and lines of links to places in the page, which no document needs."""

from __future__ import annotations

import re

from ruiji.chunker.document.model import Block, Inline, LineBreak, Link, ListBlock, Paragraph, Text

_FEWEST_CONTENTS = 3  # entries of a table of contents that is no list


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
