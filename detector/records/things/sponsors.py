"""Organisations in lists and headings that a page calls its sponsors, partners, hosts or exhibitors."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence

from ruiji.detector.records.fields.organisations import is_organisation
from ruiji.detector.records.fields.values import URL
from ruiji.detector.records.markup.anchors import Anchor, section_of
from ruiji.detector.records.markup.announced import SPONSOR
from ruiji.detector.records.markup.lines import Line, PageLines
from ruiji.detector.records.model import ORGANISATION
from ruiji.detector.records.things.naming import anchor_at, can_name

SPONSOR_SHARE = (
    0.5  # of the lines of a list under a heading for sponsors that must look like names of organisations
)
_HOSTS = re.compile(
    r"(?:co-?)?(?:organi[sz]ers?|hosts?|organi[sz]ed by|hosted by|in cooperation with)"
    r"|(?:主催|共催|協力|運営)(?:者|団体|機関)?(?:一覧)?",
    re.IGNORECASE,
)


def sponsors(page: PageLines, taken: set[int]) -> list[Anchor]:
    """Organisations in lists and headings that the page calls its sponsors, partners or exhibitors."""
    title = bool(SPONSOR.search(page.tree.nodes.title))
    lists: dict[tuple[str, int], list[Line]] = defaultdict(list)
    for line in page.lines:
        if line.number in taken or (line.cell is not None and line.cell.is_label) or not line.content:
            continue
        above = [page.lines[number].text for number in page.headings[line.number]]
        if title or any(SPONSOR.search(text) or _HOSTS.fullmatch(text.strip(" 　:：")) for text in above):
            lists[section_of(page, line)].append(line)
    anchors = _with_addresses(page, [line for lines in lists.values() for line in lines])
    for lines in lists.values():
        names = [line for line in lines if can_name(line)]
        known = [line for line in names if is_organisation(line.text)]
        linked = sum(line.linked for line in names)
        if 2 * len(names) < len(lines) or not names:
            continue
        if len(known) >= SPONSOR_SHARE * len(names) or (linked == len(names) >= 3 and known):
            anchors += [anchor_at(line, line.text, ORGANISATION, 1.0) for line in names]
        else:
            anchors += [
                anchor_at(line, line.text, ORGANISATION, 1.0) for line in known if line.level or line.linked
            ]
    return anchors


def _with_addresses(page: PageLines, lines: Sequence[Line]) -> list[Anchor]:
    """Short lines that are each followed by a line with nothing but an address: a name and its site."""
    named = [
        line
        for line in lines
        if can_name(line)
        and line.number + 1 < len(page.lines)
        and URL.fullmatch(page.lines[line.number + 1].text)
    ]
    return [anchor_at(line, line.text, ORGANISATION, 1.0) for line in named] if len(named) >= 3 else []
