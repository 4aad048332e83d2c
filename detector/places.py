"""Where on a site a sentence stands: what pages of one site have at the same place is their template rather than their content.

Yoshida and Yamamoto 2009 call content what one page only has. Here that is asked of pairs: a mask may leave an advertisement, a by-line
or a link to another article in the content, and then every two pages of the site that show it would be a pair. So a sentence does
not count for a pair of pages of one site when it stands at the same place of both, and either the whole paragraph is the same or
several pages of the site have it there. Pages that are copies of each other are found none the less: what they share is much of
them (detector/pairing.py).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
import xxhash

from detector.sentences import SentenceTable
from features.elements import BLOCK
from features.textnodes import GIVEN_SENTENCE, TextNodes

IntArray = npt.NDArray[np.int64]


def sentence_places(pages: Sequence[TextNodes], table: SentenceTable, wanted: npt.NDArray[np.bool_]) -> tuple[IntArray, IntArray]:
    """(place, paragraph) of each wanted sentence, as numbers; 0 for the others.

    Places are the same where the site and the block-level elements above the sentence are; paragraphs where the text of the whole
    paragraph is the same too.
    """
    places, paragraphs = np.zeros((2, len(table.texts)), dtype=np.int64)
    new = np.ones(len(table.texts), dtype=np.bool_)
    new[1:] = (table.paragraph[1:] != table.paragraph[:-1]) | (table.page[1:] != table.page[:-1])
    starts = np.append(np.flatnonzero(new), len(new)).tolist()
    paths: dict[tuple[int, int], str] = {}
    for number in np.unique(np.cumsum(new)[wanted] - 1).tolist():
        start, end = starts[number], starts[number + 1]
        page = int(table.page[start])
        nodes = pages[page]
        node = int(table.first_node[start])
        if nodes.flags[node] & GIVEN_SENTENCE:  # the standard format does not say where a sentence stood: each page is a place of its own
            path = paths.get((page, -1)) or paths.setdefault((page, -1), str(_number("\n".join(nodes.texts))))
        else:
            path = _path(nodes, page, int(nodes.element[node]), paths)
        place = f"{nodes.host}\n{path}"
        places[start:end] = _number(place)
        paragraphs[start:end] = _number("\n".join((place, *table.texts[start:end])))
    return places * wanted, paragraphs * wanted


def _path(nodes: TextNodes, page: int, element: int, paths: dict[tuple[int, int], str]) -> str:
    """The names of the block-level elements from the root down to an element; positions and classes differ within a template."""
    known = paths.get((page, element))
    if known is None:
        above = _path(nodes, page, int(nodes.parent[element]), paths) if nodes.parent[element] >= 0 else ""
        known = paths[page, element] = f"{above}/{nodes.tag[element]}" if nodes.tag[element] in BLOCK else above
    return known


def _number(text: str) -> int:
    return xxhash.xxh3_64_intdigest(text.encode("utf-8", "surrogatepass")) - (1 << 63)
