"""Lines that are headings by what they say and where they stand, whatever element they are in.

``<div class="ttl">スピーカー</div>`` over a paragraph that names one is a heading. So are the other lines
of its look, for they end its list. A post under a name says something too: there a name comes first.
"""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import replace

from ruiji.detector.records.fields.names import GOOD
from ruiji.detector.records.fields.posts import is_role
from ruiji.detector.records.markup.announced import LEADS_ON, LONGEST_HEADING, SPONSOR
from ruiji.detector.records.markup.lines import NO_LEVEL, Line, PageLines, headings_above
from ruiji.detector.records.markup.mentions import mentions

IMPLIED_LEVEL = 9  # below every heading that the markup or bold letters tell
_ENTRIES = frozenset(("td", "th", "li"))  # what a post says of a name in one of these stands in it too
_PROSE = re.compile(r"[。！？!?、]|\d{4}|@|https?:")


def with_implied_headings(page: PageLines) -> PageLines:
    """The lines of a page with those that announce people or organisations as headings."""
    looks: dict[str, list[Line]] = defaultdict(list)
    for line in page.lines:
        looks[line.look].append(line)
    implied = {
        line.number for lines in looks.values() if _heads(page, lines) for line in lines if _is_short(line)
    }
    if not implied:
        return page
    lines = [replace(line, level=IMPLIED_LEVEL) if line.number in implied else line for line in page.lines]
    return replace(page, lines=lines, headings=headings_above(lines))


def _heads(page: PageLines, lines: list[Line]) -> bool:
    """Whether the lines of one look head what follows them: one of them announces, no two follow each other,
    and the first that announces stands under no name.
    """
    if any(line.level != NO_LEVEL or line.cell is not None or not _is_short(line) for line in lines):
        return False
    announcing = [line for line in lines if _announces(line)]
    if not announcing or any(_next_look(page, line) in ("", line.look) for line in lines):
        return False
    return not _names_before(page, announcing[0])


def _next_look(page: PageLines, line: Line) -> str:
    following = line.number + 1
    return page.lines[following].look if following < len(page.lines) else ""


def _is_short(line: Line) -> bool:
    return len(line.text) <= LONGEST_HEADING and not line.linked and not _PROSE.search(line.text)


def _announces(line: Line) -> bool:
    if LEADS_ON.search(line.text) or any(mention.strength >= GOOD for mention in mentions(line.text)):
        return False
    return is_role(line.text) or bool(SPONSOR.search(line.text))


def _names_before(page: PageLines, line: Line) -> bool:
    """Whether the line before may be a name, of which this one would be the post: none in a cell or item that
    has ended.
    """
    before = page.lines[line.number - 1] if line.number else None
    if before is None or _has_ended(page, before, line):
        return False
    return any(mention.strength >= GOOD for mention in mentions(before.text))


def _has_ended(page: PageLines, before: Line, line: Line) -> bool:
    """Whether the line before stands in a cell or an item of a list in which this one does not stand."""
    tree = page.tree
    around = before.block
    while around >= 0 and not tree.first[around] <= line.first < tree.end[around]:
        if tree.tag[around] in _ENTRIES:
            return True
        around = tree.parent[around]
    return False
