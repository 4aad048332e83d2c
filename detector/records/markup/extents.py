"""Which lines belong to which name: the part of the page that each record covers.

The record of a name is the largest element around it that holds no other name. Where names stand side by side
with what is said of them (headings, terms, lines of one block), it goes on to the next name or heading.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass

from ruiji.detector.records.markup.lines import Line, PageLines
from ruiji.detector.records.markup.tree import PageTree

MOST_LINES = 25  # of a record; a larger element around a name is a page, not a record
_PAGE = frozenset(("html", "body", "main"))


@dataclass(frozen=True, slots=True)
class Extent:
    """The lines of a record beside the one that names it, and its element."""

    lines: tuple[int, ...]
    element: int


def extents(page: PageLines, named: Sequence[int]) -> dict[int, Extent]:
    """The extent of each line that names something; ``named`` is in the order of the page."""
    tree = page.tree
    starts = [line.first for line in page.lines]
    containers = {
        number: _container(
            page,
            starts,
            number,
            named[place - 1] if place else -1,
            named[place + 1] if place + 1 < len(named) else -1,
        )
        for place, number in enumerate(named)
    }
    found = {}
    for place, number in enumerate(named):
        element = containers[number]
        line = page.lines[number]
        following = named[place + 1] if place + 1 < len(named) else len(page.lines)
        own = [other for other in _inside(starts, tree, element) if other != number]
        if element == line.block:
            own = _lines_after(page, number, following, containers.get(following, -1))
        found[number] = Extent(tuple(own), element)
    return found


def _container(page: PageLines, starts: Sequence[int], number: int, before: int, after: int) -> int:
    """The largest element around a name that holds no other name and is no larger than a record."""
    tree = page.tree
    line = page.lines[number]
    element = line.block
    if any(other >= 0 and _holds(tree, element, page.lines[other]) for other in (before, after)):
        return element
    while (above := tree.parent[element]) >= 0 and tree.tag[above] not in _PAGE:
        if any(other >= 0 and _holds(tree, above, page.lines[other]) for other in (before, after)):
            break
        inside = _inside(starts, tree, above)
        if len(inside) > MOST_LINES or any(
            page.lines[other].level and page.lines[other].level <= (line.level or 6) and other < number
            for other in inside
        ):
            break
        element = above
    return element


def _holds(tree: PageTree, element: int, line: Line) -> bool:
    return tree.first[element] <= line.first < tree.end[element]


def _inside(starts: Sequence[int], tree: PageTree, element: int) -> range:
    """The lines inside an element."""
    return range(bisect_left(starts, tree.first[element]), bisect_left(starts, tree.end[element]))


def _lines_after(page: PageLines, number: int, following: int, container: int) -> list[int]:
    """The lines after a name that stands beside what is said of it, up to the next name or heading."""
    tree = page.tree
    line = page.lines[number]
    parent = tree.parent[line.block] if line.block >= 0 else -1
    if (line.cell is not None and tree.tag[line.block] in ("td", "th")) or tree.tag[line.block] == "li":
        parent = line.block
    found: list[int] = []
    for other in range(number + 1, min(following, number + 1 + MOST_LINES)):
        candidate = page.lines[other]
        if candidate.level and candidate.level <= (line.level or 7):
            break
        if parent >= 0 and not _holds(tree, parent, candidate):
            break
        if container >= 0 and _holds(tree, container, candidate):
            break
        if found and candidate.look == line.look != page.lines[found[0]].look:
            break  # names and what is set in under them: somebody whose name is not known as one
        found.append(other)
    return found
