"""Blocks are found in the copy from their first text: no element of it carries a number."""

from __future__ import annotations

from selectolax.lexbor import LexborHTMLParser, LexborNode

from ruiji.corpora import MINIWEB, read_pages
from ruiji.features.page.parsing import text_nodes_and_markup
from ruiji.web.annotate.blocks import blocks_of
from ruiji.web.foreign.copy import OWN_PREFIX, cleaned_copy


def climbed(node: LexborNode | None, steps: int) -> LexborNode:
    for _ in range(steps):
        assert node is not None
        node = node.parent
    assert node is not None
    return node


def test_every_block_of_the_mini_web_is_found_from_its_first_text() -> None:
    for page in read_pages([MINIWEB]):
        nodes, markup = text_nodes_and_markup(page)
        blocks = blocks_of(nodes)
        tree = LexborHTMLParser(cleaned_copy(markup))  # nodes end with their tree
        texts = tree.css("ruiji-t, tspan[data-n]")
        columns = (blocks[name] for name in ("element", "first", "end", "above"))
        for element, first, end, above in zip(*columns, strict=True):
            found = climbed(texts[first].parent, above)
            assert (found.tag or "").removeprefix(OWN_PREFIX) == nodes.tag[element], page.id
            inside = [text.attributes["data-n"] for text in found.css("ruiji-t, tspan[data-n]")]
            assert inside == [str(number) for number in range(first, end)], page.id
