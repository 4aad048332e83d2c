"""Which lines of a page name people or organisations: the anchors on which its records hang.

No line is judged alone. Lines of one look under one heading are a list; how many of them look like names,
what the headings, classes and labels around them say, and what stands beside the names decide together.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from ruiji.detector.records.fields.concepts import Schema
from ruiji.detector.records.fields.names import DOUBTFUL, GOOD, POSSIBLE, SURE, name_strength
from ruiji.detector.records.fields.organisations import is_organisation, labels_organisation
from ruiji.detector.records.fields.posts import is_role
from ruiji.detector.records.fields.values import ENGLISH_PHONE, MAIL, PHONE, key_of
from ruiji.detector.records.markup.in_passing import is_commented, is_thanked
from ruiji.detector.records.markup.lines import Line, PageLines
from ruiji.detector.records.markup.mentions import LONGEST_MENTION, Mention, mentions
from ruiji.detector.records.markup.stated import NOTHING_STATED, StatedNames
from ruiji.detector.records.model import PERSON

# Weights of the evidence, set by judgement with all development sites in view; no site was held out.
OWN_WEIGHT = 4.0  # the strength of the name itself, from its middle
LIST_WEIGHT = 4.0  # the share of names in its list, from its middle
ROLE_WEIGHT = 1.5  # a label, stub, class or heading that says these are people
FAR_ROLE_WEIGHT = 0.5  # a higher heading or the title of the page says so
BESIDE_WEIGHT = 1.0  # an organisation, post or address beside the name
MIXED_WEIGHT = 0.8  # at least, of a list with sure names where something stands beside the name
ACCEPTED = 1.0  # weight from which a name is one
FULL_LIST = 4  # lines from which a list counts fully
LINE_LIST = 3  # names in one line from which it is a list of its own
PAGE_LINES = 2.0  # what the list of the whole page counts, in lines, beside the list under one heading
MOST_DIFFERENT = 0.7  # of the names of a list of people are different names, at least
SHAPED_SHARE, SURE_SHARE = 0.85, 0.3  # of a list in which weak names are taken for what they stand among
ONLY_NAMES_SHARE = 1.0  # what such a list counts as
READERS_SHARE = 0.3  # of the names of a list, above which comments show whose names they are
MOST_NAMELESS = 0.5  # share of a list that must be names before weak ones are taken

_NAMED_HERE = re.compile(
    r"(?<![A-Za-z-])(?:speakers?|presenters?|panelists?|lecturers?|authors?|instructors?)(?![A-Za-z-])"
    r"|(?:スピーカー|発表者|講演者|登壇者|講師|著者|パネリスト|モデレータ)(?:名|紹介|一覧)?",
    re.IGNORECASE,
)
_REACHED = re.compile(r"^(?:tel|phone|mobile|cell|fax|ext|e-?mail|電話|内線|メール).*\d", re.IGNORECASE)
_PEOPLE_WORDS = re.compile(
    r"(?<![a-z])(?:speakers?|presenters?|members?|persons?|people|staff|authors?|profiles?|faculty|team|vcard|h-card|fn"
    r"|lecturers?|committee|instructors?|students?|alumni|employees?|agents?|brokers?|biograph(?:y|ies)|bios?|lab-?members?"
    r"|organi[sz]ers?|researchers?|professors?|directors?|meibo)(?![a-z])",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Anchor:
    """A line, or a part of it, that names something; ``weight`` is that of all evidence for it."""

    line: int
    mention: Mention
    kind: str
    weight: float


_MAY_BE_NAMES = ("", "name", "representative", "contact")  # concepts of labels that names stand under


@dataclass(slots=True)
class _Tally:
    """How many lines a list has, and how many of them look like names."""

    lines: int = 0
    names: float = 0.0
    shaped: int = 0
    sure: int = 0
    named: int = 0
    commented: int = 0
    different: set[str] = field(default_factory=set)

    def add(self, share: float, names: Sequence[Mention], commented: bool) -> None:
        self.lines += 1
        self.names += share
        self.shaped += bool(names) and all(mention.strength >= DOUBTFUL for mention in names)
        self.sure += bool(names) and all(mention.strength >= SURE for mention in names)
        self.commented += commented
        if share:
            self.named += len(names)
            self.different |= {key_of("name", mention.name) for mention in names}

    def only_names(self) -> bool:
        """Whether every line can be a name, and many are beyond doubt."""
        return (
            self.lines >= FULL_LIST
            and self.shaped >= SHAPED_SHARE * self.lines
            and self.sure >= SURE_SHARE * self.lines
        )

    def repeats(self) -> bool:
        """Whether the same names come again and again, as in a list of works."""
        return self.named >= FULL_LIST and len(self.different) < MOST_DIFFERENT * self.named

    def of_readers(self) -> bool:
        """Whether it is a list of readers who left comments, as some of its lines show."""
        return self.commented > READERS_SHARE * self.named


@dataclass(slots=True)
class _Judge:
    """The lines of a page with their names, and the lists that they are in."""

    page: PageLines
    schema: Schema
    stated: frozenset[str] = frozenset()
    found: list[tuple[Mention, ...]] = field(default_factory=list)
    sections: dict[tuple[str, int], _Tally] = field(default_factory=lambda: defaultdict(_Tally))
    looks: dict[str, _Tally] = field(default_factory=lambda: defaultdict(_Tally))


def person_anchors(page: PageLines, schema: Schema, stated: StatedNames = NOTHING_STATED) -> list[Anchor]:
    """The names of people on a page, in their order, each spelling for itself; ``stated`` are those that the
    page states for machines.
    """
    judge = _Judge(page, schema, stated.people)
    represented = _represented(page, schema)
    title_role = is_role(page.tree.nodes.title) or bool(_PEOPLE_WORDS.search(page.tree.nodes.title))
    for line in page.lines:
        names = (
            mentions(line.text) if _may_name(page, line, schema) and line.number not in represented else ()
        )
        if line.lead and not any(mention.strength >= GOOD for mention in names):
            names = _leading_name(judge, line) or names
        if stated.people:
            names = _as_stated(line, names, stated.people)
        judge.found.append(names)
        share = _share(names)
        commented = bool(share) and is_commented(page, line)
        judge.sections[section_of(page, line)].add(share, names, commented)
        judge.looks[line.look].add(share, names, commented)
    anchors = []
    for line, names in zip(page.lines, judge.found, strict=True):
        for mention in names:
            weight = _weight(judge, line, mention, title_role, names)
            if weight >= ACCEPTED:
                anchors.append(Anchor(line.number, mention, PERSON, round(weight, 2)))
    return anchors


def _as_stated(line: Line, names: tuple[Mention, ...], stated: frozenset[str]) -> tuple[Mention, ...]:
    """The names of a line, those sure that the page states for machines."""
    if not names and len(line.text) <= LONGEST_MENTION and key_of("name", line.text) in stated:
        return (Mention(line.text, SURE),)
    return tuple(
        replace(mention, strength=max(mention.strength, SURE))
        if key_of("name", mention.name) in stated
        else mention
        for mention in names
    )


def _leading_name(judge: _Judge, line: Line) -> tuple[Mention, ...]:
    """The name that prose begins with in bold or as a link, under a heading that says who follows."""
    strength = name_strength(line.lead) if _may_name(judge.page, line, judge.schema) else 0.0
    mention = Mention(line.lead, strength)
    return (mention,) if strength >= SURE and _roles(judge, line, mention, False)[0] else ()


def _represented(page: PageLines, schema: Schema) -> set[int]:
    """The lines that say who represents an organisation that the same list names: a field of its record."""
    named = {
        _list_element(page, line)
        for line in page.lines
        if schema.concept_of(line.label) == "name"
        and (is_organisation(line.text) or labels_organisation(line.label))
    }
    return {
        line.number
        for line in page.lines
        if schema.concept_of(line.label) == "representative" and _list_element(page, line) in named
    }


def _list_element(page: PageLines, line: Line) -> int:
    """The table of a cell, or the parent of a definition or line."""
    return line.cell.table if line.cell is not None else page.tree.parent[line.block]


def section_of(page: PageLines, line: Line) -> tuple[str, int]:
    """The list that a line belongs to: lines of its look under one heading; headings of one look are one
    list.
    """
    above = page.headings[line.number]
    return line.look, above[-1] if above and not line.level else -1


def _may_name(page: PageLines, line: Line, schema: Schema) -> bool:
    """Whether a line may be a name: not where a label says that it is something else."""
    if line.cell is not None and line.cell.is_label:
        return False
    if line.linked and not line.content and not _says_role_below(page, line):
        return False  # a link of a menu
    inner, colon, _ = line.text.replace("：", ":").partition(":")
    return all(
        schema.concept_of(label) in _MAY_BE_NAMES or is_role(label)
        for label in (line.label, inner if colon else "")
    )


def _says_role_below(page: PageLines, line: Line) -> bool:
    """Whether the next line is in the same part of the page, is no link and says what somebody does."""
    below = page.lines[line.number + 1] if line.number + 1 < len(page.lines) else None
    if below is None or below.linked or not is_role(below.text):
        return False
    around = page.tree.parent[line.block]
    return page.tree.first[around] <= below.first < page.tree.end[around]


def _share(names: Sequence[Mention]) -> float:
    """How much of a line is names: 1 where they are sure."""
    if not names:
        return 0.0
    return sum(_step(mention.strength) for mention in names) / len(names)


def _step(strength: float) -> float:
    return 1.0 if strength >= SURE else 0.8 if strength >= GOOD else 0.3 if strength >= POSSIBLE else 0.0


def _weight(judge: _Judge, line: Line, mention: Mention, title_role: bool, names: Sequence[Mention]) -> float:
    """The weight of the evidence that a mention is the name of a person; 0 where it cannot be. ``names`` are
    those of its line.
    """
    size = len(names)
    if mention.strength < DOUBTFUL:
        return 0.0
    section, look = judge.sections[section_of(judge.page, line)], judge.looks[line.look]
    share = (section.names + PAGE_LINES * look.names / look.lines) / (section.lines + PAGE_LINES)
    if size >= LINE_LIST:
        share = max(share, _share(names))
    count = max(section.lines, size, min(look.lines, FULL_LIST))
    if section.repeats() or look.repeats() or look.of_readers() or is_thanked(judge.page, line):
        return 0.0
    role, far = _roles(judge, line, mention, title_role)
    announced = _announced(judge.page, line)
    if mention.strength < GOOD and announced:
        return ACCEPTED
    strength = mention.strength
    if section.only_names() or look.only_names():
        share, strength = max(share, ONLY_NAMES_SHARE), max(strength, GOOD)
    elif strength < GOOD and (share < MOST_NAMELESS or count < 3 or not (role or far)):
        return 0.0
    beside = _beside(judge.page, line, mention)
    listed = LIST_WEIGHT * (share - 0.5) * min(1.0, count / FULL_LIST)
    if beside and look.sure >= FULL_LIST:
        listed = max(listed, MIXED_WEIGHT)  # names and what is said of them in lines of one look
    weight = OWN_WEIGHT * (strength - 0.5) + listed + ROLE_WEIGHT * role + FAR_ROLE_WEIGHT * far
    if not (role or far or beside or line.level) and (size > 1 or count < FULL_LIST):
        return 0.0  # nothing but names: no word says that they are people of the page
    return weight + BESIDE_WEIGHT * beside


def _announced(page: PageLines, line: Line) -> bool:
    """Whether the heading right above a line, or the class of its own block, says that here somebody is
    named.
    """
    own = page.tree.names.get(line.block, "") or page.tree.names.get(page.tree.parent[line.block], "")
    if _NAMED_HERE.search(own):
        return True
    above = page.headings[line.number]
    return (
        bool(above)
        and above[-1] == line.number - 1
        and bool(_NAMED_HERE.fullmatch(page.lines[above[-1]].text))
    )


def _roles(judge: _Judge, line: Line, mention: Mention, title_role: bool) -> tuple[bool, bool]:
    """Whether what is near says that people are listed, and whether what is far says so."""
    page = judge.page
    above = page.headings[line.number]
    nearest = page.lines[above[-1]].text if above else ""
    near = (
        key_of("name", mention.name) in judge.stated
        or judge.schema.concept_of(line.label) == "name"
        or is_role(mention.label or line.label)
        or is_role(line.stub)
        or bool(mention.post)
        or bool(_PEOPLE_WORDS.search(line.words))
        or (is_role(nearest) and len(nearest) <= 40)
    )
    far = title_role or any(is_role(page.lines[number].text) for number in above[:-1])
    return near, far


def _is_reached(text: str) -> bool:
    """Whether a text is a number by which somebody is reached, with its label or without."""
    plain = text.strip(" ()")
    return bool(_REACHED.search(text) or PHONE.fullmatch(plain) or ENGLISH_PHONE.fullmatch(plain))


def _beside(page: PageLines, line: Line, mention: Mention) -> bool:
    """Whether an organisation, a post or a mail address stands beside a name."""
    near = [*mention.notes, mention.tail]
    following = page.lines[line.number + 1 : line.number + 3]
    near += [other.text for other in following if other.level == 0 or other.level > line.level]
    return any(
        text and (is_organisation(text) or is_role(text) or MAIL.search(text) or _is_reached(text))
        for text in near
    ) or any(href.startswith("mailto:") for other in (line, *following) for href in other.links)
