"""How many rows and columns a table cell spans: the one thing of tables that text nodes do not carry."""

from __future__ import annotations

import re
from collections.abc import Mapping

from ruiji.corpora.page import Page
from ruiji.features.page.parser_input import parser_input
from ruiji.features.page.textnodes import TextNodes
from ruiji.features.page.walk import tree_of

MAX_SPAN = 1000  # WHATWG HTML, 4.9.11: a larger colspan counts as 1000
_CELLS = ("td", "th")
_HAS_SPAN = re.compile(rb"(?:row|col)span", re.IGNORECASE)


def cell_spans(page: Page, nodes: TextNodes) -> Mapping[int, tuple[int, int]]:
    """The rows and columns that each spanning cell covers, by the cell's element; cells of one row and column
    are left out.

    A page without spans costs a look at its bytes; only one that has some is parsed again.
    """
    raw = page.html.encode("utf-8", "replace") if isinstance(page.html, str) else page.html
    cells = [element for element, tag in enumerate(nodes.tag) if tag in _CELLS]
    if not cells or (not _HAS_SPAN.search(raw) and b"\x00" not in raw):
        return {}
    parsed_cells = tree_of(parser_input(page).with_frames_closed().utf8).css("td, th")
    if len(parsed_cells) != len(cells):  # cells in something that is not shown: nobody can say which is which
        return {}
    spans = {}
    for element, cell in zip(cells, parsed_cells, strict=True):
        span = _span(cell.attributes.get("rowspan")), _span(cell.attributes.get("colspan"))
        if span != (1, 1):
            spans[element] = span
    return spans


def _span(value: str | None) -> int:
    digits = re.match(r"\s*(\d{1,6})", value or "")
    return min(max(1, int(digits.group(1))), MAX_SPAN) if digits else 1
