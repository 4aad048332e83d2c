"""The day that stands beside a page's headline: when it was published, for people.

A line near the headline that holds one day and little else is a by-line; one that says when something takes
place, or when the page was changed, is not. Pages that state their day for machines too say how far it can be
trusted (``docs/evaluation/pairs.md``).
"""

from __future__ import annotations

import re

import numpy as np

from ruiji.features.page.elements import numbers
from ruiji.features.page.textnodes import TextNodes
from ruiji.features.text.dates import dates_in

TEXTS_ABOVE, TEXTS_BELOW = 4, 12  # of the headline, in which its day stands
LONGEST_LINE = 60  # characters of a text with a day
LONGEST_REST = 30  # characters beside the day: a name, a section, a time
_HEADLINE = "h1"
_ANOTHER_DAY = re.compile(
    r"updat|modif|edited|revis|review|event|since|until|from|expire|deadline|access|birth"
    r"|更新|改訂|修正|開催|開始|終了|期間|締切|日時|会期|発売|受付|まで|から|[〜～]|予定|生まれ",
    re.IGNORECASE,
)


def headline_day(nodes: TextNodes) -> str:
    """The day beside the headline as 2009-05-12; "" where there is none, or several."""
    place = _headline(nodes)
    if place is None:
        return ""
    first, last = place
    below = range(last + 1, min(len(nodes), last + 1 + TEXTS_BELOW))
    above = range(first - 1, max(0, first - TEXTS_ABOVE) - 1, -1)
    for number in (*below, *above):
        label = nodes.texts[number - 1] if number else ""
        if (day := _day(nodes.texts[number])) and not (
            len(label) <= LONGEST_REST and _ANOTHER_DAY.search(label)
        ):
            return day
    return ""


def _headline(nodes: TextNodes) -> tuple[int, int] | None:
    """The first and the last text node of the page's only headline of the first rank."""
    ranked = np.flatnonzero(nodes.number == numbers()[_HEADLINE])
    headline = np.full(len(nodes), -1, dtype=np.int32)  # right above each node
    for element in ranked.tolist():  # one that stands in another comes after it
        headline[nodes.first[element] : nodes.end[element]] = element
    inside = np.flatnonzero(headline >= 0)
    if not len(inside) or (headline[inside] != headline[inside[0]]).any():
        return None
    return int(inside[0]), int(inside[-1])


def _day(line: str) -> str:
    """The day of a line that holds one and little else."""
    line = " ".join(line.split())
    if len(line) > LONGEST_LINE or line.endswith("。") or not any(map(str.isdigit, line)):
        return ""
    found = [(start, end, date) for start, end, date in dates_in(line) if date.day]
    if len(found) != 1 or _ANOTHER_DAY.search(line):
        return ""
    ((start, end, date),) = found
    return (
        f"{date.year:04}-{date.month:02}-{date.day:02}" if len(line) - (end - start) <= LONGEST_REST else ""
    )
