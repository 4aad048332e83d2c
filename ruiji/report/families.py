"""Families of pages as trees, from the original on the left to what was made from it: where the box of each
page lies, and the branch that leads to it. ``templates/drawings.html`` draws them.
"""

from __future__ import annotations

import unicodedata
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pyarrow as pa

from ruiji.features.page.links import host_of

FAMILIES_SHOWN = 8  # the largest
PAGES_SHOWN = 24  # of a family, those nearest to the original
BOX_WIDTH, BOX_HEIGHT = 210, 56
ACROSS, DOWN = 300, 70  # from a box to the next: three generations fit the page
TITLE_CELLS, HOST_CELLS = 26, 31  # what fits into a box; a kanji takes two


@dataclass(frozen=True, slots=True)
class PageBox:
    """A page of a family; ``kind`` says what it is: original, copy, quotation, patchwork."""

    x: float
    y: float
    title: str
    host: str
    url: str
    kind: str


@dataclass(frozen=True, slots=True)
class Branch:
    """From the right side of a page's box to the left side of the box of a page that was made from it."""

    x: float
    y: float
    to_x: float
    to_y: float
    kind: str


@dataclass(frozen=True, slots=True)
class FamilyTree:
    """A family with the size of its drawing; ``hidden`` pages are not drawn."""

    boxes: Sequence[PageBox]
    branches: Sequence[Branch]
    width: float
    height: float
    hidden: int


def family_trees(lineage: pa.Table, titles: Mapping[str, str | None]) -> list[FamilyTree]:
    """The largest families of lineage.parquet, each page with its title."""
    families: dict[int, list[dict[str, Any]]] = defaultdict(list)
    for row in lineage.to_pylist():
        families[row["group"]].append(row)
    largest = sorted(families.items(), key=lambda family: (-len(family[1]), family[0]))[:FAMILIES_SHOWN]
    return [_tree(rows, titles) for _, rows in largest]


def _tree(rows: Sequence[dict[str, Any]], titles: Mapping[str, str | None]) -> FamilyTree:
    """The tree of a family, whose rows come each after that of the page it was made from."""
    shown = rows[:PAGES_SHOWN]
    children: dict[str | None, list[str]] = defaultdict(list)
    depth: dict[str, int] = {}
    for row in shown:
        children[row["from_url"]].append(row["url"])
        depth[row["url"]] = depth.get(row["from_url"], -1) + 1
    height = _heights(shown[0]["url"], children)
    places = {url: (depth[url] * ACROSS, line * DOWN) for url, line in height.items()}
    boxes = [
        PageBox(
            *places[row["url"]],
            fitted(titles.get(row["url"]) or row["url"], TITLE_CELLS),
            fitted(host_of(row["url"]) or row["url"], HOST_CELLS),
            row["url"],
            row["kind"],
        )
        for row in shown
    ]
    branches = [
        Branch(
            places[row["from_url"]][0] + BOX_WIDTH,
            places[row["from_url"]][1] + BOX_HEIGHT / 2,
            places[row["url"]][0],
            places[row["url"]][1] + BOX_HEIGHT / 2,
            row["kind"],
        )
        for row in shown
        if row["from_url"] is not None
    ]
    return FamilyTree(
        boxes,
        branches,
        max(box.x for box in boxes) + BOX_WIDTH,
        max(box.y for box in boxes) + BOX_HEIGHT,
        len(rows) - len(shown),
    )


def _heights(root: str, children: Mapping[str | None, Sequence[str]]) -> dict[str, float]:
    """The line of each page: pages that nothing was made from have lines of their own, others stand in the
    middle of what was made from them.
    """
    lines: dict[str, float] = {}
    free = 0
    waiting = [(root, False)]
    while waiting:
        url, below_done = waiting.pop()
        below = children.get(url, ())
        if not below:
            lines[url] = free
            free += 1
        elif below_done:
            lines[url] = (lines[below[0]] + lines[below[-1]]) / 2
        else:
            waiting.append((url, True))
            waiting.extend((child, False) for child in reversed(below))
    return lines


def fitted(text: str, cells: int) -> str:
    """The start of a text that fits into so many cells; a wide character takes two.

    >>> fitted("港町の朝は早い", 9), fitted("harbour", 9)
    ('港町の朝…', 'harbour')
    """
    width = 0
    for place, char in enumerate(text):
        width += 2 if unicodedata.east_asian_width(char) in "WF" else 1
        if width > cells:
            kept = text[:place]
            while (
                kept and sum(2 if unicodedata.east_asian_width(one) in "WF" else 1 for one in kept) >= cells
            ):
                kept = kept[:-1]
            return f"{kept}…"
    return text
