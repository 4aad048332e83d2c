"""Events: names of what takes place on a day, somewhere, by two labels beside or below the name.

A day and a place that are labelled as those of an event (日時, 会場, When, Venue) are enough for one name;
labels that other things have too (Date, Location, Time, Room) where several names of the page have both.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from ruiji.detector.records.fields.concepts import Schema, folded_label
from ruiji.detector.records.fields.occasions import occasion_of
from ruiji.detector.records.markup.anchors import Anchor
from ruiji.detector.records.markup.extents import extents
from ruiji.detector.records.markup.line_facts import Fact, line_facts
from ruiji.detector.records.markup.lines import HEADING_LEVELS, PageLines
from ruiji.detector.records.markup.mentions import Mention
from ruiji.detector.records.model import EVENT
from ruiji.detector.records.things.naming import is_generic, is_title

ALIKE = 2  # events of a page whose labels other things have too
LONGEST_EVENT = 120  # characters of a name: the title of a talk is long
NO, PERHAPS, SURELY = range(3)
WHERE = frozenset(("venue", "place", "address"))
_OFTEN_OTHER = frozenset("date time 時間 時刻 schedule starts".split())  # labels of days of other things too
_TIMES = re.compile(
    r"日時|日程|開催|会期|期日|実施日|時間|時刻|date|time|when|schedule|starts", re.IGNORECASE
)
_NUMBERING = re.compile(r"^\d{1,3}\s?[.)．、:：]\s?(?=\D)")
_SENTENCE = re.compile(r"。$|です|ます|ください|https?://|©")
_PART = re.compile(
    r"プログラム|スケジュール|日程|日時|会場|開催|要項|参加|申し?込|募集|タイムテーブル|^チケット"
    r"|^(?:(?:the|event|upcoming|key|important|conference|main) )?"
    r"(?:dates?|times?|venues?|program(?:me)?s?|schedules?|agenda|timetable"
    r"|events?|conference|tickets?|registration|speakers?|sessions?|news)$",
    re.IGNORECASE,
)


def event_anchors(page: PageLines, taken: set[int], schema: Schema) -> list[Anchor]:
    """The names of events on a page that are no part of another record."""
    if not any(_TIMES.search(line.label) or _TIMES.search(line.text) for line in page.lines):
        return []
    named = [*_labelled(page, taken, schema), *_headings(page, taken, schema)]
    names = dict(reversed(named))
    ranges = extents(page, sorted({*names, *taken}))
    shown = {
        number: _takes_place(page, [other for other in ranges[number].lines if other not in taken], schema)
        for number in names
    }
    alike = Counter(page.lines[number].look for number, sure in shown.items() if sure)
    return [
        Anchor(number, Mention(names[number], 0.0), EVENT, 1.0)
        for number, sure in shown.items()
        if sure == SURELY or (sure == PERHAPS and alike[page.lines[number].look] >= ALIKE)
    ]


def _sureness(facts: Sequence[Fact]) -> int:
    """Whether facts say on which day and where something takes place, and how surely it is an event."""
    days = [fact for fact in facts if fact.concept == "time" and occasion_of(fact.value)]
    places = {fact.concept for fact in facts if fact.value} & WHERE
    if not days or not places:
        return NO
    told = "venue" in places or any(folded_label(fact.label) not in _OFTEN_OTHER for fact in days)
    return SURELY if told else PERHAPS


def _takes_place(page: PageLines, numbers: Sequence[int], schema: Schema) -> int:
    lines = [page.lines[number] for number in numbers]
    if not any(_TIMES.search(line.label) or _TIMES.search(line.text) for line in lines):
        return NO
    return _sureness(
        [fact for line in lines for fact in line_facts(line.text, line.label, line.links, schema)[0]]
    )


def _labelled(page: PageLines, taken: set[int], schema: Schema) -> Iterator[tuple[int, str]]:
    """Lines that a label calls the name of an event, or a name."""
    for line in page.lines:
        if line.number in taken or (line.cell is not None and line.cell.is_label):
            continue
        if schema.concept_of(line.label) in ("event", "name"):
            if is_title(line.text, LONGEST_EVENT):
                yield line.number, line.text
        elif not line.label and (":" in line.text or "：" in line.text):
            facts, _ = line_facts(line.text, "", (), schema)
            for fact in facts:
                if fact.concept in ("event", "name") and is_title(fact.value, LONGEST_EVENT):
                    yield line.number, fact.value
                    break


def _headings(page: PageLines, taken: set[int], schema: Schema) -> Iterator[tuple[int, str]]:
    """Headings that can be the name of an event, without their numbers; for one that only says what follows
    (イベント詳細, Venue), the name is in the heading over it.
    """
    for line in page.lines:
        if not line.level or line.number in taken or (line.cell is not None and line.cell.is_label):
            continue
        above = [page.lines[number] for number in page.headings[line.number]]
        is_part = line.level in HEADING_LEVELS.values() and _is_part(line.text, schema)
        over = above[-1] if above and is_part else line
        name = _NUMBERING.sub("", over.text)
        if _can_name(name, schema):
            yield line.number, name


def _is_part(text: str, schema: Schema) -> bool:
    """Whether a heading says which part of what is told of an event follows."""
    return bool(schema.concept_of(text) or _PART.search(text) or is_generic(text))


def _can_name(name: str, schema: Schema) -> bool:
    return (
        is_title(name, LONGEST_EVENT)
        and not _is_part(name, schema)
        and not _SENTENCE.search(name)
        and "\ufffc" not in name
    )
