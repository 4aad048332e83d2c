"""Text nodes that a process keeps from one reading of some pages to the next, so that none is parsed twice: a
worker reads pages of a site first to compare them, and again to extract them.
"""

from __future__ import annotations

from collections.abc import Sequence

from ruiji.corpora.page import Page
from ruiji.features.page.parser_input import PageFailed
from ruiji.features.page.parsing import text_nodes_of
from ruiji.features.page.textnodes import TextNodes

KEPT_BYTES = 16 << 20  # of markup: a page with its text nodes takes up to fifteen times as much


class KeptPages:
    """Pages with their text nodes, up to so many bytes of markup; each is taken once."""

    def __init__(self, most: int = KEPT_BYTES) -> None:
        self._left = most
        self._kept: dict[tuple[str, int], tuple[Page, TextNodes | PageFailed]] = {}

    def keep(self, page: Page, nodes: TextNodes | PageFailed) -> None:
        """Keeps a page, where there is room and no other of its address and size is kept."""
        place = page.url, page.size
        if page.size <= self._left and place not in self._kept:
            self._left -= page.size
            self._kept[place] = page, nodes

    def take(self, page: Page) -> TextNodes | PageFailed | None:
        """The text nodes of a page that is the same in everything; None where none is kept."""
        found = self._kept.get((page.url, page.size)) if self._kept else None
        if found is None or found[0] != page:
            return None
        del self._kept[page.url, page.size]
        self._left += page.size
        return found[1]


_KEPT = KeptPages()


def text_nodes_kept(pages: Sequence[Page]) -> list[TextNodes | PageFailed]:
    """The text nodes of each page, with what calls the elements; they are kept for ``text_nodes_again``."""
    results = text_nodes_of(pages)
    for page, nodes in zip(pages, results, strict=True):
        _KEPT.keep(page, nodes)
    return results


def text_nodes_again(pages: Sequence[Page]) -> list[TextNodes | PageFailed]:
    """The same, of pages some of which may have been kept."""
    found = [_KEPT.take(page) for page in pages]
    read = iter(text_nodes_of([page for page, nodes in zip(pages, found, strict=True) if nodes is None]))
    return [next(read) if nodes is None else nodes for nodes in found]
