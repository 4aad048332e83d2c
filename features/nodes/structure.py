"""Where text nodes stand in the tree: structural tags above them, and the tables, lists and blocks around
them.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from ruiji.features.arrays import FloatArray, IntArray
from ruiji.features.nodes.forest import Forest, shared

# Tags that say how text looks, not where it stands (Nakamura 2007, table 3.2 and the list before it); and
# what today's parsers put between table and tr, where the paper has none (figure 4.7: table, tr, td).
NOT_STRUCTURAL = tuple("div font a span strong select option pre small kbd tbody".split())


def structural(pages: Forest) -> npt.NDArray[np.bool_]:
    """Which elements are structural."""
    found = ~pages.named(*NOT_STRUCTURAL)
    found[0] = False
    return found


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
    found: FloatArray = np.where(container > 0, of_element[container], 0.0)
    return found


def share(container: IntArray, part: FloatArray, whole: FloatArray) -> FloatArray:
    """For each node, how much of the one sum inside its container the other is; 0 without a container."""
    of_element = part / np.maximum(whole, 1e-9)
    found: FloatArray = np.where(container > 0, of_element[container], 0.0)
    return found
