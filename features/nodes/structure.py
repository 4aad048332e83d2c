"""Where text nodes stand in the tree: structural tags above them, and the tables, lists and blocks around
them.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from ruiji.features.arrays import FloatArray, IntArray
from ruiji.features.nodes.forest import NOWHERE, Forest, shared

# Tags that say how text looks, not where it stands (Nakamura 2007, table 3.2 and the list before it); and
# what today's parsers put between table and tr, where the paper has none (figure 4.7: table, tr, td).
NOT_STRUCTURAL = tuple("div font a span strong select option pre small kbd tbody".split())


# Elements that hold a part of a page together.
SECTIONS = tuple(
    "article aside body blockquote center details div dl fieldset figure footer form header li main "
    "nav ol section table td ul".split()
)
LISTS = ("ul", "ol", "dl", "menu", "select")
BRANCH_SHARE = 0.5  # of the page's characters (Kang 2009, section 5.1)
SECTION_LEVELS = 3


def structural(pages: Forest) -> npt.NDArray[np.bool_]:
    """Which elements are structural."""
    which = ~pages.named(*NOT_STRUCTURAL)
    which[0] = False
    return which


@shared
def structural_tags(pages: Forest, count: int) -> IntArray:
    """The numbers of the nearest structural tags above each node, a row for each of ``count``, nearest first;
    0 for none.
    """
    return climbed(pages, pages.nearest(structural(pages)), count)


def climbed(pages: Forest, nearest: IntArray, count: int) -> IntArray:
    """The numbers of the elements met above each node when each step goes to the nearest of a kind; a row a
    step, 0 for none.
    """
    above = nearest[pages.element]
    rows = []
    for _ in range(count):
        rows.append(pages.number[above].astype(np.int32))
        above = nearest[pages.parent[above]]
    return np.stack(rows)


@shared
def around(pages: Forest, *tags: str) -> IntArray:
    """The nearest element of these names around each node; 0 for none."""
    return pages.nearest(pages.named(*tags))[pages.element]


def average(pages: Forest, container: IntArray, inside: FloatArray) -> FloatArray:
    """For each node the average over the nodes inside its container, given the sum inside each element; 0
    without a container.
    """
    of_element = inside / np.maximum(pages.end - pages.first, 1)
    averages: FloatArray = np.where(container > 0, of_element[container], 0.0)
    return averages


def share(container: IntArray, part: FloatArray, whole: FloatArray) -> FloatArray:
    """For each node, how much of the one sum inside its container the other is; 0 without a container."""
    of_element = part / np.maximum(whole, 1e-9)
    shares: FloatArray = np.where(container > 0, of_element[container], 0.0)
    return shares


@shared
def sections(pages: Forest) -> tuple[IntArray, ...]:
    """For each node the section-like elements around it, innermost first; elements with the same nodes are
    one section.
    """
    of_kind = pages.named(*SECTIONS)
    same = (pages.first[pages.parent] == pages.first) & (pages.end[pages.parent] == pages.end)
    nearest = pages.nearest(of_kind & ~(same & of_kind[pages.parent]))
    levels = [nearest[pages.element]]
    for _ in range(SECTION_LEVELS - 1):
        levels.append(nearest[pages.parent[levels[-1]]])
    return tuple(levels)


@shared
def branch(pages: Forest) -> IntArray:
    """For each node the largest element around it that has less than half of the page's characters; 0 for
    none.

    What the page falls into (Kang 2009, section 5.1, before merging): a menu or a footer is one as a whole.
    """
    whole = np.concatenate(
        ([0.0], np.repeat(np.diff(pages.lengths_before[pages.page_start]), np.diff(pages.element_start)))
    )
    small = pages.lengths_inside < BRANCH_SHARE * whole
    small[NOWHERE] = False
    return pages.nearest(small & ~small[pages.parent])[pages.element]


@shared
def outer_list(pages: Forest) -> IntArray:
    """For each node the outermost list around it; 0 for none."""
    lists = pages.named(*LISTS)
    return pages.nearest(lists & (pages.nearest(lists)[pages.parent] == NOWHERE))[pages.element]
