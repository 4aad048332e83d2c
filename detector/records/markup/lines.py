"""A page as the lines that a reader sees, each with its place in the structure of the page.

Lines of one template have the same look. A line knows the label that stands for it (the head of its column, a
term, a known word before a colon), the stub of its row, and the headings above it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ruiji.detector.records.fields.posts import is_role
from ruiji.detector.records.markup.tables import CellPlace
from ruiji.detector.records.markup.tree import PageTree, slots
from ruiji.features.page import elements

CODE = frozenset("pre code kbd samp listing plaintext xmp textarea".split())
HEADING_LEVELS = {"h1": 1, "h2": 2, "h3": 3, "h4": 4, "h5": 5, "h6": 6}
BOLD_LEVEL = 8  # of a line that is bold and nothing else
NO_LEVEL = 0
_BOLD = frozenset(("b", "strong"))
_LEADING = frozenset(("b", "strong", "a"))
_RUBY = frozenset(("ruby", "rb", "rt", "rtc"))
_APART = " | "  # between texts that only the style sheet keeps apart
_GAP = "\ufffc"  # stands for code inside a line: no field, no name goes across it


@dataclass(frozen=True, slots=True)
class Line:
    """A line: its nodes, text, the lowest element around it, the block it stands in, its look, level of
    heading.

    ``order`` counts the lines of one block. ``label`` and ``stub`` say what the line is a value of.
    ``lead`` is what it begins with in bold or as a link, where more follows.
    """

    number: int
    first: int
    end: int
    text: str
    element: int
    block: int
    look: str
    level: int
    order: int
    cell: CellPlace | None
    label: str
    stub: str
    words: str
    links: tuple[str, ...]
    linked: bool
    content: bool
    lead: str


@dataclass(frozen=True, slots=True, eq=False)
class PageLines:
    """All lines of a page, and for each the numbers of the headings above it, the nearest last."""

    tree: PageTree
    lines: Sequence[Line]
    headings: Sequence[tuple[int, ...]]


def page_lines(tree: PageTree, places: Mapping[int, CellPlace]) -> PageLines:
    """The lines of a page that may hold records."""
    code = _inside(tree, CODE)
    paths = _tag_paths(tree)
    places_in_groups = slots(tree, paths)
    lines: list[Line] = []
    orders: dict[int, int] = {}
    for first, end in _ranges(tree):
        text = _text(tree, first, end, code)
        if not text or text.replace(_GAP, "").strip() == "":
            continue
        kept = [node for node in range(first, end) if tree.kept[node]]
        element = tree.common(sorted({tree.element[node] for node in kept}))
        block = _block(tree, element)
        cell = places.get(_cell(tree, block))
        orders[block] = orders.get(block, -1) + 1
        lines.append(
            Line(
                number=len(lines),
                first=first,
                end=end,
                text=text,
                element=element,
                block=block,
                look=paths[block] + _distinction(tree, block, cell, places_in_groups.get(block, 0)),
                level=_level(tree, element, block, kept),
                order=orders[block],
                cell=cell,
                label=cell.label if cell else _term(tree, block),
                stub=cell.stub if cell else "",
                words=_words(tree, block),
                links=_links(tree, kept),
                linked=all(
                    tree.nodes.link[node] >= 0 and tree.nodes.link[node] not in tree.cards for node in kept
                ),
                content=any(tree.content[node] for node in kept),
                lead=_lead(tree, block, kept),
            )
        )
    return PageLines(tree, lines, headings_above(lines))


def _ranges(tree: PageTree) -> list[tuple[int, int]]:
    """The first and the last but one node of each line that has a kept node."""
    ranges: list[tuple[int, int]] = []
    line = -1
    for node, kept in enumerate(tree.kept):
        if not kept:
            continue
        if tree.line[node] != line:
            ranges.append((node, node + 1))
            line = tree.line[node]
        else:
            ranges[-1] = (ranges[-1][0], node + 1)
    return ranges


def _text(tree: PageTree, first: int, end: int, code: Sequence[bool]) -> str:
    parts: list[str] = []
    before = -1
    for node in range(first, end):
        if not tree.kept[node]:
            continue
        text = _GAP if code[node] else tree.nodes.texts[node]
        if parts and tree.spaced[node]:
            parts.append(" ")
        elif parts and _stand_apart(tree, before, node):
            parts.append(_APART)
        parts.append(text)
        before = node
    return re.sub(r"[ \t\n\r\f\u00a0]+", " ", "".join(parts)).strip(" ¶#")


def _stand_apart(tree: PageTree, before: int, node: int) -> bool:
    """Whether two texts with no space between are shown apart all the same: each in its own element, side by
    side, and words run into each other, or one is a role: <b>Mary Shelley</b><i>Author</i>.
    """
    around = tree.element[node]
    while tree.first[around] > before:
        around = tree.parent[around]
    if around in (tree.element[before], tree.element[node]) or tree.tag[around] in _RUBY:
        return False
    one, other = tree.nodes.texts[before].strip(), tree.nodes.texts[node].strip()
    if len(one) < 2 or len(other) < 2:
        return False
    if not (one[-1].isascii() and other[0].isascii()):
        return is_role(one) or is_role(other)
    return (one[-1].isalpha() or one[-1] == ".") and other[0].isalpha() and " " in one + other


def _inside(tree: PageTree, tags: frozenset[str]) -> list[bool]:
    inside = [False] * len(tree.element)
    for element, tag in enumerate(tree.tag):
        if tag in tags:
            inside[tree.first[element] : tree.end[element]] = [True] * (
                tree.end[element] - tree.first[element]
            )
    return inside


def _block(tree: PageTree, element: int) -> int:
    while tree.tag[element] not in elements.BLOCK_LEVEL and tree.parent[element] >= 0:
        element = tree.parent[element]
    return element


def _cell(tree: PageTree, element: int) -> int:
    """The innermost cell around an element; -1 for none."""
    while element >= 0 and tree.tag[element] not in ("td", "th"):
        element = tree.parent[element]
    return element


def _tag_paths(tree: PageTree) -> list[str]:
    """The tags from the root down to each element."""
    paths: list[str] = []
    for element, tag in enumerate(tree.tag):
        above = paths[tree.parent[element]] if tree.parent[element] >= 0 else ""
        paths.append(above if tag == "tbody" else f"{above}/{tag}" if above else tag)
    return paths


def _distinction(tree: PageTree, block: int, cell: CellPlace | None, slot: int) -> str:
    """What tells a block from others of the same tags: the column of its cell, its class, or its place in a
    group.
    """
    own = _class(tree, block)
    column = f"[{cell.column}]" if cell else ""
    return f"{column}.{own}" if own or not slot else f"{column}.:{slot}"


def _class(tree: PageTree, element: int) -> str:
    """The first class of an element, unless it counts: row-odd, item3."""
    word = tree.names.get(element, "").split(" ", 1)[0]
    return "" if re.search(r"\d|odd|even|first|last", word) else word


def _level(tree: PageTree, element: int, block: int, kept: Sequence[int]) -> int:
    above = element
    while above >= 0:
        if level := HEADING_LEVELS.get(tree.tag[above]):
            return level
        if tree.tag[above] in ("dt", "caption", "legend", "summary"):
            return 7
        if above == block and tree.tag[tree.parent[above]] not in HEADING_LEVELS:
            break
        above = tree.parent[above]
    return BOLD_LEVEL if all(_is_inside(tree, node, block, _BOLD) for node in kept) else NO_LEVEL


def _is_inside(tree: PageTree, node: int, block: int, tags: frozenset[str]) -> bool:
    """Whether an element of these stands between a node and its block."""
    above = tree.element[node]
    while above not in (block, -1) and tree.tag[above] not in tags:
        above = tree.parent[above]
    return above not in (block, -1)


def _lead(tree: PageTree, block: int, kept: Sequence[int]) -> str:
    """The text of a line in bold or in a link that it begins with; "" where all of it is, or nothing."""
    count = 0
    while count < len(kept) and _is_inside(tree, kept[count], block, _LEADING):
        count += 1
    return "" if count == len(kept) else " ".join(tree.nodes.texts[node].strip() for node in kept[:count])


def _term(tree: PageTree, block: int) -> str:
    """The term that a definition belongs to."""
    element = block
    while element >= 0 and tree.tag[element] not in ("dd", "table", "body"):
        element = tree.parent[element]
    if element < 0 or tree.tag[element] != "dd":
        return ""
    siblings = tree.children[tree.parent[element]]
    for sibling in reversed(siblings[: siblings.index(element)]):
        if tree.tag[sibling] == "dt":
            return tree.text(sibling).replace("\n", " ")
    return ""


def _words(tree: PageTree, block: int) -> str:
    """The classes and ids of a block and of three elements above it."""
    words = []
    for _ in range(4):
        if block < 0 or tree.tag[block] == "body":
            break
        words.append(tree.names.get(block, ""))
        block = tree.parent[block]
    return " ".join(filter(None, words))


def _links(tree: PageTree, kept: Sequence[int]) -> tuple[str, ...]:
    links = dict.fromkeys(int(tree.nodes.link[node]) for node in kept if tree.nodes.link[node] >= 0)
    return tuple(tree.nodes.hrefs[link] for link in links)


def headings_above(lines: Sequence[Line]) -> list[tuple[int, ...]]:
    """For each line the headings above it: of every level the nearest that no higher one has ended.

    Bold over other lines of its cell says nothing of the next cell; alone in its cell it heads those that
    follow.
    """
    open_headings: list[tuple[int, int]] = []
    above = []
    for line in lines:
        open_headings = [
            (level, number) for level, number in open_headings if not _ended_by_cell(lines, number, line)
        ]
        if line.level:
            open_headings = [(level, number) for level, number in open_headings if level < line.level]
        above.append(tuple(number for _, number in open_headings))
        if line.level:
            open_headings.append((line.level, line.number))
    return above


def _ended_by_cell(lines: Sequence[Line], heading: int, line: Line) -> bool:
    """Whether a bold line heads the rest of its cell, and a line stands in another."""
    cell = lines[heading].cell
    return (
        lines[heading].level == BOLD_LEVEL
        and cell is not None
        and line.cell is not cell
        and lines[heading + 1].cell is cell
    )
