"""The headline of a Japanese page counts as content.

Whether a headline belongs to the content is a convention. Who annotated the wide web mostly left it out, and
a model that learned from there leaves it out everywhere; who annotated Japanese pages took it in, on nearly
all sites (docs/decisions). A page does not tell which of the two its reader means, but its script does.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from ruiji.features.arrays import BoolArray
from ruiji.features.blocks.families import column_names
from ruiji.features.nodes.forest import Forest, shared
from ruiji.features.text.kinds import Kind

# Share of the characters of a Japanese page: the rest may be code, numbers and names in Latin letters
KANA = 0.05
# Share of the title that a headline says, or of the headline that is the title's (0.25 to 0.4 give the same
# scores)
SAID = 0.3
LINKED = 0.5  # share of its characters from which on a heading is a link
HALF = 0.5  # share of the title that the name of its site does not reach
# Log-odds of being content, 0.95: as many of the annotated Japanese pages have it in, sites counting alike
# (docs/decisions)
ODDS = 3.0


def headlines(pages: Forest, matrix: npt.NDArray[np.float32], which: BoolArray | None = None) -> BoolArray:
    """Which nodes are the headlines of pages, of those among ``which`` (None: of Japanese pages); ``matrix``
    are the numbers of the blocks.

    A page has one at most: of the headings that say its title the highest, and of these the one that says
    most of it. A link that says less than half of the title comes last: it is the name of a blog, and leads
    to its first page.
    """
    columns = column_names()
    title, level, linked = (matrix[:, columns.index(name)] for name in ("title", "heading_level", "linked"))
    page = pages.page[pages.block_start[:-1]]
    asked = japanese(pages) if which is None else which
    able = np.flatnonzero((title >= SAID) & (level > 0) & asked[page])
    of_site = (linked > LINKED) & (title < HALF)
    order = able[np.lexsort((-title[able], level[able], of_site[able], page[able]))]
    first = order[np.append(True, page[order][1:] != page[order][:-1])] if len(order) else order
    is_headline = np.zeros(len(matrix), dtype=bool)
    is_headline[first] = True
    return is_headline[pages.block]


@shared
def japanese(pages: Forest) -> BoolArray:
    """Which pages are written in Japanese: no other language has kana."""
    counts = pages.characters.counts
    kana = counts[:, Kind.HIRAGANA : Kind.KATAKANA + 1].sum(axis=1)
    total = np.concatenate(
        (np.zeros((2, 1)), np.stack((kana, counts.sum(axis=1))).cumsum(axis=1, dtype=np.float64)), axis=1
    )
    of_page = np.diff(total[:, pages.page_start])
    is_japanese: BoolArray = of_page[0] > KANA * of_page[1]
    return is_japanese
