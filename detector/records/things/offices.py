"""Organisations and offices over their addresses and numbers, as contact pages have them."""

from __future__ import annotations

import re
from collections import Counter

from ruiji.detector.records.fields.concepts import Schema
from ruiji.detector.records.fields.organisations import is_organisation
from ruiji.detector.records.fields.values import key_of
from ruiji.detector.records.markup.anchors import Anchor
from ruiji.detector.records.markup.extents import extents
from ruiji.detector.records.markup.line_facts import line_facts
from ruiji.detector.records.markup.lines import Line, PageLines
from ruiji.detector.records.markup.stated import StatedNames
from ruiji.detector.records.model import ORGANISATION
from ruiji.detector.records.things.naming import LONGEST_TITLE, TOLD, anchor_at, can_name, concepts_told

REACHING = frozenset("mail phone ext fax address zip".split())  # concepts by which an office is reached
LOCATING = frozenset(("address", "zip"))  # of those, the ones that say where it is
HIGH_LEVEL = 2  # of headings that say what a whole page is about
SHORTEST_IN_TITLE = 4  # characters of a name that the title of its page has
ADDRESS_LINES = 8  # of an organisation that say where it is
LONGEST_OFFICE = 72  # characters of the name of an organisation over its address
ALIKE = 3  # organisations of one list that make those with a number alone organisations too
_CONTACT = re.compile(
    r"contact|locations?\b|offices?\b|branch(?:es)?\b|find us|get in touch|directions|問い?合わ?せ|連絡先"
    r"|アクセス|拠点|事業所|営業所|所在地|店舗",
    re.IGNORECASE,
)
_IN_HOUSE = re.compile(r"^(?:Suite|Ste|Unit|Floor|Level|Room|Rm|Building|Bldg|Apt)\b.{0,12}\d", re.IGNORECASE)
_FOOT = re.compile(r"(?<![a-z])foot(?:er)?(?![a-z])|copyright", re.IGNORECASE)
_NAMED = re.compile(r"^[^\W\d_a-z]")  # a name begins with a capital or a letter without case


def addressed(page: PageLines, taken: set[int], schema: Schema, stated: StatedNames) -> list[Anchor]:
    """Organisations and offices over their addresses and numbers, with labels or without, as contact pages
    have them.
    """
    contact = _is_contact_page(page)
    named: list[Line] = []
    sure: set[int] = set()
    for line in page.lines:
        if (
            line.number in taken
            or line.label
            or schema.concept_of(line.text)
            or _IN_HOUSE.match(line.text)
            or _at_foot(line)
        ):
            continue
        if not can_name(line, LONGEST_OFFICE) or not (line.content or contact):
            continue  # what is no content is the foot of every page
        key = key_of("name", line.text)
        known = is_organisation(line.text) or key in stated.organisations or _in_title(page, key)
        if not known and not _heads_an_address(page, line, schema):
            continue
        if named and named[-1].number == line.number - 1 and named[-1].block == line.block:
            continue  # a department below its university: one address
        named.append(line)
        if known:
            sure.add(line.number)
    ranges = extents(page, sorted({*(line.number for line in named), *taken}))
    found, doubtful = list[Line](), list[Line]()
    for line in named:
        told = concepts_told(page, ranges[line.number].lines[:ADDRESS_LINES], schema) & REACHING
        if told:  # what is stated of the name counts beside what is shown
            labels = stated.fields.get(key_of("name", line.text), ())
            told |= {schema.concept_of(label) for label, _ in labels} & REACHING
        if len(told) >= TOLD and (line.number in sure or told & LOCATING):
            found.append(line)
        elif told and line.number in sure:
            doubtful.append(line)
    blocks = {line.block for line in found} | {page.lines[number].block for number in taken}
    lists = Counter(page.tree.parent[block] for block in blocks)
    found += [line for line in doubtful if lists[page.tree.parent[line.block]] >= ALIKE]
    return [anchor_at(line, line.text, ORGANISATION, 1.0) for line in found]


def _is_contact_page(page: PageLines) -> bool:
    """Whether the title or a high heading of a page says that it tells how to reach somebody."""
    heads = [line.text for line in page.lines if 1 <= line.level <= HIGH_LEVEL]
    return any(
        len(text) <= LONGEST_TITLE and _CONTACT.search(text) for text in (page.tree.nodes.title, *heads)
    )


def _at_foot(line: Line) -> bool:
    """Whether a line stands in what its classes call the foot of the page."""
    return bool(_FOOT.search(line.words))


def _heads_an_address(page: PageLines, line: Line, schema: Schema) -> bool:
    """Whether an address begins right below a line, in the same part of the page: a branch has any name."""
    if not _NAMED.search(line.text) or line_facts(line.text, "", line.links, schema)[0]:
        return False
    around = page.tree.parent[line.block]
    above, below = (
        page.lines[number] if 0 <= number < len(page.lines) else None
        for number in (line.number - 1, line.number + 1)
    )
    if below is None or not page.tree.first[around] <= below.first < page.tree.end[around]:
        return False
    return _is_address(below, schema) and not (above is not None and _is_address(above, schema))


def _is_address(line: Line, schema: Schema) -> bool:
    """Whether a line says where something is, and nothing else."""
    facts, rest = line_facts(line.text, line.label, line.links, schema)
    return not rest and any(fact.concept in LOCATING and fact.value for fact in facts)


def _in_title(page: PageLines, key: str) -> bool:
    """Whether the title of a page has a name: the organisation that the page is of."""
    return len(key) >= SHORTEST_IN_TITLE and key in key_of("name", page.tree.nodes.title)
