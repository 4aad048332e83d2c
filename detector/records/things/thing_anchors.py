"""Names of organisations, offices, products and events: by a label, by the heading over labelled facts, in
lists.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from ruiji.detector.records.fields.concepts import Schema
from ruiji.detector.records.fields.organisations import is_organisation, labels_organisation
from ruiji.detector.records.fields.posts import is_role
from ruiji.detector.records.fields.values import key_of
from ruiji.detector.records.markup.anchors import Anchor
from ruiji.detector.records.markup.extents import extents
from ruiji.detector.records.markup.in_passing import is_poster
from ruiji.detector.records.markup.line_facts import line_facts
from ruiji.detector.records.markup.lines import Line, PageLines
from ruiji.detector.records.markup.mentions import Mention
from ruiji.detector.records.markup.stated import NOTHING_STATED, StatedNames
from ruiji.detector.records.model import EVENT, ORGANISATION, PRODUCT
from ruiji.detector.records.things.events import event_anchors
from ruiji.detector.records.things.naming import (
    TELLING,
    TOLD,
    anchor_at,
    can_name,
    concepts_told,
    is_general,
    is_title,
    kind_of_name,
    lines_taken,
    telling_concepts,
)
from ruiji.detector.records.things.offices import addressed
from ruiji.detector.records.things.sponsors import sponsors

LEADING_SHARE = 0.6  # of the lines of one look that lead facts, for them to be names


def thing_anchors(
    page: PageLines, people: Sequence[Anchor], schema: Schema, stated: StatedNames = NOTHING_STATED
) -> list[Anchor]:
    """The names of organisations, offices and products on a page that are no part of a record of a person."""
    taken = lines_taken(page, people)
    anchors = {anchor.line: anchor for anchor in sponsors(page, taken)}
    for anchor in event_anchors(page, taken, schema):
        anchors.setdefault(anchor.line, anchor)
    for anchor in _stated_things(page, taken, schema, stated):
        anchors.setdefault(anchor.line, anchor)
    for anchor in _labelled_names(page, taken, schema):
        anchors.setdefault(anchor.line, anchor)
    # A heading over a list of offices is not the name of one: names that lead facts come first.
    for anchor in _leading_lines(page, taken | lines_taken(page, list(anchors.values())), schema):
        anchors.setdefault(anchor.line, anchor)
    for anchor in _headings(page, taken | lines_taken(page, list(anchors.values())), schema):
        anchors.setdefault(anchor.line, anchor)
    for anchor in addressed(page, taken | lines_taken(page, list(anchors.values())), schema, stated):
        anchors.setdefault(anchor.line, anchor)
    return [anchor for anchor in anchors.values() if not is_poster(page, page.lines[anchor.line])]


def _leading_lines(page: PageLines, taken: set[int], schema: Schema) -> list[Anchor]:
    """Lines of one look that each lead two or more labelled facts, beside them or in the same line."""
    looks: dict[tuple[str, int], list[Line]] = defaultdict(list)
    for line in page.lines:
        if line.number not in taken and not (line.cell is not None and line.cell.is_label):
            looks[line.look, min(line.order, 1)].append(line)
    anchors: list[Anchor] = []
    used = set(taken)
    for lines in looks.values():
        free = [line for line in lines if line.number not in used]
        found, candidates = _leads(page, free, used, schema)
        if len(found) >= max(2, LEADING_SHARE * candidates):
            anchors += found
            used |= lines_taken(page, found)
    return anchors


def _leads(
    page: PageLines, lines: Sequence[Line], used: set[int], schema: Schema
) -> tuple[list[Anchor], int]:
    """The lines that lead facts, and how many lines are no facts themselves."""
    plain = 0
    leads: list[tuple[Line, str]] = []
    found: list[Anchor] = []
    for line in lines:
        facts, rest = line_facts(line.text, line.label, line.links, schema)
        told = {fact.concept for fact in facts if fact.value} & TELLING
        name = rest.strip(" 　:：-–—・/／|｜,，、")
        plain += bool(name) and not line.label
        if not is_title(name) or is_general(name) or line.label:
            continue
        if len(told) >= TOLD and line.text.startswith(name):
            tail = line.text[len(name) :].strip(" 　:：-–—・/／|｜,，、")
            found.append(Anchor(line.number, Mention(name, 0.0, tail=tail), kind_of_name(name), 1.0))
        elif not facts and can_name(line):
            leads.append((line, name))
    named = sorted({*used, *(line.number for line, _ in leads)})
    if len(leads) >= 2:
        ranges = extents(page, named)
        found += [
            anchor_at(line, name, kind_of_name(name), 1.0)
            for line, name in leads
            if telling_concepts(page, ranges[line.number].lines, schema) >= TOLD
        ]
    return found, plain


def _stated_things(page: PageLines, taken: set[int], schema: Schema, stated: StatedNames) -> list[Anchor]:
    """Products and events that the page states for machines, each once, with a fact that a record has."""
    known = stated.products | stated.events
    named: dict[str, Line] = {}
    for line in page.lines:
        shown = line.content or line.level == 1  # a mask may leave out the title of its page
        if line.number not in taken and shown and key_of("name", line.text) in known:
            named.setdefault(key_of("name", line.text), line)
    ranges = extents(page, sorted({*(line.number for line in named.values()), *taken}))
    found: list[Anchor] = []
    for key, line in named.items():
        told = {schema.concept_of(label) for label, _ in stated.fields.get(key, ())}
        told |= concepts_told(page, ranges[line.number].lines, schema)
        if key in stated.events and "time" in told:
            found.append(anchor_at(line, line.text, EVENT, 1.0))
        elif key in stated.products and told & TELLING:
            found.append(anchor_at(line, line.text, PRODUCT, 1.0))
    return found


def _labelled_names(page: PageLines, taken: set[int], schema: Schema) -> list[Anchor]:
    """Names that a label calls so: 名称, 商品名, Company."""
    anchors: list[Anchor] = []
    for line in page.lines:
        if line.number in taken or (line.cell is not None and line.cell.is_label):
            continue
        if anchors and line.cell is not None and line.cell is page.lines[anchors[-1].line].cell:
            continue  # the reading of the name, below it in its cell
        if schema.concept_of(line.label) == "name" and is_title(line.text):
            kind = ORGANISATION if labels_organisation(line.label) else kind_of_name(line.text)
            anchors.append(anchor_at(line, line.text, kind, 1.0))
            continue
        facts, _ = line_facts(line.text, "", (), schema)
        name = next((fact.value for fact in facts if fact.concept == "name"), "")
        if is_title(name):
            anchors.append(anchor_at(line, name, kind_of_name(name), 1.0))
    ranges = extents(page, sorted({anchor.line for anchor in anchors}))
    return [anchor for anchor in anchors if telling_concepts(page, ranges[anchor.line].lines, schema) >= 1]


def _headings(page: PageLines, taken: set[int], schema: Schema) -> list[Anchor]:
    """Headings, terms and bold lines over at least two labelled facts."""
    candidates = [
        line
        for line in page.lines
        if line.level
        and line.number not in taken
        and can_name(line)
        and not schema.concept_of(line.text)
        and not (is_role(line.text) and not is_organisation(line.text))
        and not (line.cell is not None and line.cell.is_label)
    ]
    ranges = extents(page, sorted({*(line.number for line in candidates), *taken}))
    return [
        anchor_at(line, line.text, kind_of_name(line.text), 1.0)
        for line in candidates
        if telling_concepts(
            page, [other for other in ranges[line.number].lines if other > line.number], schema
        )
        >= TOLD
    ]
