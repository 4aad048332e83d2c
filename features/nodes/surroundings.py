"""Features of what is around a node: its block, lists, tables and sections, and its place in the page."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from ruiji.features.arrays import FloatArray, IntArray
from ruiji.features.nodes.buckets import (
    MEAN_BORDERS,
    SHARE_BORDERS,
    SHARES,
    SIZE_BORDERS,
    SIZES,
    Codes,
    bucket,
)
from ruiji.features.nodes.forest import Forest, shared
from ruiji.features.nodes.nakamura import TAGS
from ruiji.features.nodes.structure import LISTS, around, average, branch, outer_list, sections, share
from ruiji.features.nodes.tags import FRAGMENT, block_tag, target

PART_BORDERS = (0.01, 0.03, 0.1, 0.25, 0.5, 0.8, 0.95)
PARTS = ("0-.01", ".01-.03", ".03-.1", ".1-.25", ".25-.5", ".5-.8", ".8-.95", ".95-1")
BEFORE_BORDERS = (0.01, 0.03, 0.1, 0.2, 0.35, 0.5, 0.65, 0.8, 0.9, 0.97, 0.99)
BEFORE = (
    "0-.01",
    ".01-.03",
    ".03-.1",
    ".1-.2",
    ".2-.35",
    ".35-.5",
    ".5-.65",
    ".65-.8",
    ".8-.9",
    ".9-.97",
    ".97-.99",
    ".99-1",
)
STEP_BORDERS = (1, 2, 4, 8, 16, 32, 64)
STEPS = ("0", "1", "2-3", "4-7", "8-15", "16-31", "32-63", "64+")
PLACES = tuple(str(tenth) for tenth in range(10))
LONG_TEXT = 80  # characters: a paragraph, not a menu entry
LONG_BORDERS = (1, 2, 4, 9, 25, 1 << 20)
LONG_SIDES = tuple(
    f"-{back},+{ahead}"
    for back in ("0", "1", "3", "8", "24", "far", "none")
    for ahead in ("0", "1", "3", "8", "24", "far", "none")
)
HEADING_BORDERS = (1, 2, 4, 16, 1 << 20)
HEADING_BACK = ("0", "1", "3", "15", "far", "none")
BLOCK_AND_LINKS = tuple(f"{length},{ratio}" for length in SIZES for ratio in SHARES)
TAG_AND_SIZE = tuple(f"{tag},{length}" for tag in TAGS for length in SIZES)


def block_place(pages: Forest) -> Codes:
    """Whether the node is the only one of its block, the first, the last or between."""
    first = np.zeros(len(pages), dtype=bool)
    first[pages.block_start[:-1]] = True
    last = np.append(first[1:], True) if len(first) else first
    return np.where(first & last, 0, np.where(first, 1, np.where(last, 2, 3)))


@shared
def block_size(pages: Forest) -> Codes:
    """The number of characters of the block."""
    return bucket(np.diff(pages.lengths_before[pages.block_start]), SIZE_BORDERS)[pages.block]


def block_links(pages: Forest) -> Codes:
    """The share of the block's characters that are links."""
    whole, part = (
        np.diff(total[pages.block_start]) for total in (pages.lengths_before, pages.linked_lengths_before)
    )
    return bucket(part / np.maximum(whole, 1), SHARE_BORDERS)[pages.block]


def block_and_links(pages: Forest) -> Codes:
    """Size and link share of the block together."""
    return block_size(pages) * len(SHARES) + block_links(pages)


def tag_and_size(pages: Forest) -> Codes:
    """The enclosing block-level element and the size of the block together."""
    return block_tag(pages) * len(SIZES) + block_size(pages)


def list_links(pages: Forest) -> Codes:
    """The share of links among the texts of the enclosing list."""
    return bucket(average(pages, around(pages, *LISTS), pages.linked_inside), SHARE_BORDERS)


def list_size(pages: Forest) -> Codes:
    """The average length of the texts of the enclosing list."""
    return bucket(average(pages, around(pages, *LISTS), pages.lengths_inside), MEAN_BORDERS)


def table_links(pages: Forest) -> Codes:
    """The share of links among the texts of the enclosing table."""
    return bucket(average(pages, around(pages, "table"), pages.linked_inside), SHARE_BORDERS)


def table_size(pages: Forest) -> Codes:
    """The average length of the texts of the enclosing table."""
    return bucket(average(pages, around(pages, "table"), pages.lengths_inside), MEAN_BORDERS)


def _links_inside(pages: Forest, container: IntArray) -> Codes:
    """The share of the container's characters that are links."""
    return bucket(share(container, pages.linked_lengths_inside, pages.lengths_inside), SHARE_BORDERS)


def _part_inside(pages: Forest, container: IntArray) -> Codes:
    """The share of the page's characters that lie in the container."""
    whole = np.maximum(np.diff(pages.lengths_before[pages.page_start]), 1)[pages.page]
    return bucket(np.where(container > 0, pages.lengths_inside[container], 0.0) / whole, PART_BORDERS)


def _mean_inside(pages: Forest, container: IntArray) -> Codes:
    """The average length of the container's texts."""
    return bucket(average(pages, container, pages.lengths_inside), MEAN_BORDERS)


def section_links(pages: Forest) -> Codes:
    """The share of linked characters in the enclosing section."""
    return _links_inside(pages, sections(pages)[0])


def section_share(pages: Forest) -> Codes:
    """The share of the page's characters that the enclosing section has."""
    return _part_inside(pages, sections(pages)[0])


def section_size(pages: Forest) -> Codes:
    """The average length of the texts in the enclosing section."""
    return _mean_inside(pages, sections(pages)[0])


def section2_links(pages: Forest) -> Codes:
    """The share of linked characters in the second section around the node."""
    return _links_inside(pages, sections(pages)[1])


def section2_share(pages: Forest) -> Codes:
    """The share of the page's characters that the second section around the node has."""
    return _part_inside(pages, sections(pages)[1])


def section2_size(pages: Forest) -> Codes:
    """The average length of the texts in the second section around the node."""
    return _mean_inside(pages, sections(pages)[1])


def section3_links(pages: Forest) -> Codes:
    """The share of linked characters in the third section around the node."""
    return _links_inside(pages, sections(pages)[2])


def section3_share(pages: Forest) -> Codes:
    """The share of the page's characters that the third section around the node has."""
    return _part_inside(pages, sections(pages)[2])


def section3_size(pages: Forest) -> Codes:
    """The average length of the texts in the third section around the node."""
    return _mean_inside(pages, sections(pages)[2])


def branch_links(pages: Forest) -> Codes:
    """The share of linked characters in the branch of the page."""
    return _links_inside(pages, branch(pages))


def branch_share(pages: Forest) -> Codes:
    """The share of the page's characters that the branch has."""
    return _part_inside(pages, branch(pages))


def branch_size(pages: Forest) -> Codes:
    """The average length of the texts in the branch."""
    return _mean_inside(pages, branch(pages))


def branch_opens(pages: Forest) -> Codes:
    """Whether the branch begins here."""
    opens = (branch(pages) > 0) & (pages.first[branch(pages)] == np.arange(len(pages)))
    return np.asarray(opens, dtype=np.int32)


def outer_list_links(pages: Forest) -> Codes:
    """The share of links among the texts of the outermost list: entries of a nested menu share it."""
    return bucket(average(pages, outer_list(pages), pages.linked_inside), SHARE_BORDERS)


def outer_list_fragments(pages: Forest) -> Codes:
    """The share of links into the page itself among the texts of the outermost list: a table of contents."""
    return bucket(average(pages, outer_list(pages), pages.inside(target(pages) == FRAGMENT)), SHARE_BORDERS)


def _page_fraction(pages: Forest, total: FloatArray) -> FloatArray:
    """For each node the share of a running sum over the page that comes before it."""
    start, end = total[pages.page_start[:-1]][pages.page], total[pages.page_start[1:]][pages.page]
    fraction: FloatArray = (total[:-1] - start) / np.maximum(end - start, 1)
    return fraction


def place(pages: Forest) -> Codes:
    """Which tenth of the page's nodes."""
    return np.minimum((_page_fraction(pages, np.arange(len(pages) + 1.0)) * 10).astype(np.int32), 9)


def text_before(pages: Forest) -> Codes:
    """The share of the page's characters before the node."""
    return bucket(_page_fraction(pages, pages.lengths_before), BEFORE_BORDERS)


def from_start(pages: Forest) -> Codes:
    """The number of nodes before this one."""
    return bucket(np.arange(len(pages)) - pages.page_start[:-1][pages.page], STEP_BORDERS)


def to_end(pages: Forest) -> Codes:
    """The number of nodes after this one."""
    return bucket(pages.page_start[1:][pages.page] - 1 - np.arange(len(pages)), STEP_BORDERS)


def _distance(pages: Forest, which: npt.NDArray[np.bool_], back: bool) -> npt.NDArray[np.int64]:
    """For each node how many nodes back (or ahead) the nearest of ``which`` stands, in the same page; a large
    number without one.
    """
    at = np.arange(len(pages))
    far = np.int64(1 << 30)
    marked = np.flatnonzero(which)
    if not len(marked):
        return np.full(len(pages), far)
    if back:
        index = which.cumsum() - 1
        distance = np.where(index >= 0, at - marked[np.maximum(index, 0)], far)
        limit = at - pages.page_start[:-1][pages.page]
    else:
        index = which.cumsum() - which
        distance = np.where(index < len(marked), marked[np.minimum(index, len(marked) - 1)] - at, far)
        limit = pages.page_start[1:][pages.page] - 1 - at
    return np.where(distance <= limit, distance, far)


def _sides(pages: Forest, which: npt.NDArray[np.bool_], borders: Sequence[float]) -> Codes:
    """Distance back and ahead together, as one code."""
    back, ahead = (bucket(_distance(pages, which, side), borders) for side in (True, False))
    return back * (len(borders) + 1) + ahead


def long_texts(pages: Forest) -> Codes:
    """How far the nearest paragraph lies, on both sides."""
    return _sides(pages, (pages.lengths >= LONG_TEXT) & ~pages.linked, LONG_BORDERS)


def heading_before(pages: Forest) -> Codes:
    """How far back the last heading lies."""
    return bucket(
        _distance(pages, around(pages, "h1", "h2", "h3", "h4", "h5", "h6") > 0, True), HEADING_BORDERS
    )


def main_heading(pages: Forest) -> Codes:
    """At an h1, after one, before the first, or in a page without."""
    in_heading = around(pages, "h1") > 0
    back, ahead = _distance(pages, in_heading, True), _distance(pages, in_heading, False)
    none = 1 << 20
    return np.select([back == 0, (back > none) & (ahead > none), back > none], [1, 3, 0], 2)


def page_links(pages: Forest) -> Codes:
    """The share of the page's characters that are links."""
    part, whole = (
        np.diff(total[pages.page_start]) for total in (pages.linked_lengths_before, pages.lengths_before)
    )
    ratio = part / np.maximum(whole, 1)
    return bucket(ratio, SHARE_BORDERS)[pages.page]
