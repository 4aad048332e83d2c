"""Names of organisations, offices and products: by a label, by the heading over labelled facts, in lists of
sponsors.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Sequence

from ruiji.detector.records.fields.concepts import Schema
from ruiji.detector.records.fields.organisations import is_organisation, labels_organisation
from ruiji.detector.records.fields.posts import is_role
from ruiji.detector.records.fields.values import MONEY, URL, key_of
from ruiji.detector.records.markup.anchors import Anchor, section_of
from ruiji.detector.records.markup.announced import SPONSOR
from ruiji.detector.records.markup.extents import extents
from ruiji.detector.records.markup.in_passing import is_poster
from ruiji.detector.records.markup.line_facts import line_facts
from ruiji.detector.records.markup.lines import Line, PageLines
from ruiji.detector.records.markup.mentions import Mention
from ruiji.detector.records.markup.stated import NOTHING_STATED, StatedNames
from ruiji.detector.records.model import ORGANISATION, THING

LONGEST_TITLE = 48  # characters of a line that can be the name of a thing
# Concepts that make a part of a page a record: without two of them it is prose with a colon.
TELLING = frozenset(
    "post mail phone ext place address affiliation price code hours closed established capital employees "
    "representative birth appointed fax size zip".split()
)
REACHING = frozenset("mail phone ext fax address zip".split())  # concepts by which an office is reached
LOCATING = frozenset(("address", "zip"))  # of those, the ones that say where it is
HIGH_LEVEL = 2  # of headings that say what a whole page is about
SHORTEST_IN_TITLE = 4  # characters of a name that the title of its page has
ADDRESS_LINES = 8  # of an organisation that say where it is
LONGEST_OFFICE = 72  # characters of the name of an organisation over its address
ALIKE = 3  # organisations of one list that make those with a number alone organisations too
LEADING_SHARE = 0.6  # of the lines of one look that lead facts, for them to be names
TOLD = 2  # of those that a heading must have below it
SPONSOR_SHARE = (
    0.5  # of the lines of a list under a heading for sponsors that must look like names of organisations
)
_PROSE = re.compile(r"[。！？!?：:©]|です|ます|ください|https?://|^\d")
_HOSTS = re.compile(
    r"(?:co-?)?(?:organi[sz]ers?|hosts?|organi[sz]ed by|hosted by|in cooperation with)"
    r"|(?:主催|共催|協力|運営)(?:者|団体|機関)?(?:一覧)?",
    re.IGNORECASE,
)
_CONTACT = re.compile(
    r"contact|locations?\b|offices?\b|branch(?:es)?\b|find us|get in touch|directions|問い?合わ?せ|連絡先"
    r"|アクセス|拠点|事業所|営業所|所在地|店舗",
    re.IGNORECASE,
)
_IN_HOUSE = re.compile(r"^(?:Suite|Ste|Unit|Floor|Level|Room|Rm|Building|Bldg|Apt)\b.{0,12}\d", re.IGNORECASE)
_FOOT = re.compile(r"(?<![a-z])foot(?:er)?(?![a-z])|copyright", re.IGNORECASE)
_LETTERS = re.compile(r"[^\W\d_]{2}|[^\W\d_a-zA-Z]")
_NAMED = re.compile(r"^[^\W\d_a-z]")  # a name begins with a capital or a letter without case
# Headings that say what kind of thing follows, and not what it is called.
_GENERIC = re.compile(
    r"問い?合わ?せ|連絡先|概要|アクセス|プロフィール|基本情報|案内|一覧|紹介|メンバー|スタッフ|^教職?員$|構成員|お知らせ|トップ|ホーム"
    r"|会社情報|仕様|スペック|詳細|特定商取引|販売|商品情報|について|contact|profile|about|overview|members?$|^people$|staff|faculty"
    r"|directory|information|details|specifications?|^access(?: information| map)?$|welcome|home$|list$|team$"
    r"|^(?:visit|find|call|e-?mail|reach|meet|follow|join|get|send|book|make|build|request|schedule|learn|start"
    r"|ask|apply|shop|buy|order|read|view|see|download|sign|our|your|by|need|where|how|and) |in touch|hours"
    r"|^(?:(?:mailing|street|postal|physical|office|business|billing|shipping|delivery) )?addresse?s?$"
    r"|^(?:phone|telephone|fax|location|direction|map|mail|e-?mail|service area)s?$"
    r"|quick links|^site ?map$|^(?:lab(?:oratory)?|office|campus|store|shop|site) (?:location|area)s?$",
    re.IGNORECASE,
)


def thing_anchors(
    page: PageLines, people: Sequence[Anchor], schema: Schema, stated: StatedNames = NOTHING_STATED
) -> list[Anchor]:
    """The names of organisations, offices and products on a page that are no part of a record of a person."""
    taken = _taken(page, people)
    anchors = {anchor.line: anchor for anchor in _sponsors(page, taken)}
    for anchor in _stated_things(page, taken, schema, stated):
        anchors.setdefault(anchor.line, anchor)
    for anchor in _labelled_names(page, taken, schema):
        anchors.setdefault(anchor.line, anchor)
    # A heading over a list of offices is not the name of one: names that lead facts come first.
    for anchor in _leading_lines(page, taken | _taken(page, list(anchors.values())), schema):
        anchors.setdefault(anchor.line, anchor)
    for anchor in _headings(page, taken | _taken(page, list(anchors.values())), schema):
        anchors.setdefault(anchor.line, anchor)
    for anchor in _addressed(page, taken | _taken(page, list(anchors.values())), schema, stated):
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
            used |= _taken(page, found)
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
        if not _is_title(name) or _PROSE.search(name) or _GENERIC.search(name) or line.label:
            continue
        if len(told) >= TOLD and line.text.startswith(name):
            tail = line.text[len(name) :].strip(" 　:：-–—・/／|｜,，、")
            found.append(Anchor(line.number, Mention(name, 0.0, tail=tail), _kind(name), 1.0))
        elif not facts and _can_name(line):
            leads.append((line, name))
    named = sorted({*used, *(line.number for line, _ in leads)})
    if len(leads) >= 2:
        ranges = extents(page, named)
        found += [
            _anchor(line, name, _kind(name), 1.0)
            for line, name in leads
            if _concepts(page, ranges[line.number].lines, schema) >= TOLD
        ]
    return found, plain


def _taken(page: PageLines, people: Sequence[Anchor]) -> set[int]:
    named = sorted({anchor.line for anchor in people})
    ranges = extents(page, named)
    return {line for number in named for line in (number, *ranges[number].lines)}


def _anchor(line: Line, name: str, kind: str, weight: float) -> Anchor:
    return Anchor(line.number, Mention(name, 0.0), kind, weight)


def _sponsors(page: PageLines, taken: set[int]) -> list[Anchor]:
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
        names = [line for line in lines if _can_name(line)]
        known = [line for line in names if is_organisation(line.text)]
        linked = sum(line.linked for line in names)
        if 2 * len(names) < len(lines) or not names:
            continue
        if len(known) >= SPONSOR_SHARE * len(names) or (linked == len(names) >= 3 and known):
            anchors += [_anchor(line, line.text, ORGANISATION, 1.0) for line in names]
        else:
            anchors += [
                _anchor(line, line.text, ORGANISATION, 1.0) for line in known if line.level or line.linked
            ]
    return anchors


def _stated_things(page: PageLines, taken: set[int], schema: Schema, stated: StatedNames) -> list[Anchor]:
    """Products and events that the page states for machines, each once, with a fact that a record has."""
    named: dict[str, Line] = {}
    for line in page.lines:
        if line.number not in taken and line.content and key_of("name", line.text) in stated.things:
            named.setdefault(key_of("name", line.text), line)
    ranges = extents(page, sorted({*(line.number for line in named.values()), *taken}))
    return [
        _anchor(line, line.text, THING, 1.0)
        for line in named.values()
        if _concepts(page, ranges[line.number].lines, schema) >= 1
    ]


def _addressed(page: PageLines, taken: set[int], schema: Schema, stated: StatedNames) -> list[Anchor]:
    """Organisations and offices over their addresses and numbers, with labels or without, as contact pages
    have them.
    """
    contact = _is_contact_page(page)
    named: list[Line] = []
    sure: set[int] = set()
    for line in page.lines:
        if line.number in taken or line.label or _IN_HOUSE.match(line.text) or _at_foot(line):
            continue
        if not _can_name(line, LONGEST_OFFICE) or not (line.content or contact):
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
        told = _told(page, ranges[line.number].lines[:ADDRESS_LINES], schema) & REACHING
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
    return [_anchor(line, line.text, ORGANISATION, 1.0) for line in found]


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


def _with_addresses(page: PageLines, lines: Sequence[Line]) -> list[Anchor]:
    """Short lines that are each followed by a line with nothing but an address: a name and its site."""
    named = [
        line
        for line in lines
        if _can_name(line)
        and line.number + 1 < len(page.lines)
        and URL.fullmatch(page.lines[line.number + 1].text)
    ]
    return [_anchor(line, line.text, ORGANISATION, 1.0) for line in named] if len(named) >= 3 else []


def _is_title(text: str, longest: int = LONGEST_TITLE) -> bool:
    """Whether a text is as long as a title, has letters, and is no price."""
    return 2 <= len(text) <= longest and bool(_LETTERS.search(text)) and not MONEY.match(text)


def _can_name(line: Line, longest: int = LONGEST_TITLE) -> bool:
    return (
        _is_title(line.text, longest)
        and not _PROSE.search(line.text)
        and not _GENERIC.search(line.text)
        and not SPONSOR.search(line.text)
        and "\ufffc" not in line.text
    )


def _labelled_names(page: PageLines, taken: set[int], schema: Schema) -> list[Anchor]:
    """Names that a label calls so: 名称, 商品名, Company."""
    anchors: list[Anchor] = []
    for line in page.lines:
        if line.number in taken or (line.cell is not None and line.cell.is_label):
            continue
        if anchors and line.cell is not None and line.cell is page.lines[anchors[-1].line].cell:
            continue  # the reading of the name, below it in its cell
        if schema.concept_of(line.label) == "name" and _is_title(line.text):
            kind = ORGANISATION if labels_organisation(line.label) else _kind(line.text)
            anchors.append(_anchor(line, line.text, kind, 1.0))
            continue
        facts, _ = line_facts(line.text, "", (), schema)
        name = next((fact.value for fact in facts if fact.concept == "name"), "")
        if _is_title(name):
            anchors.append(_anchor(line, name, _kind(name), 1.0))
    ranges = extents(page, sorted({anchor.line for anchor in anchors}))
    return [anchor for anchor in anchors if _concepts(page, ranges[anchor.line].lines, schema) >= 1]


def _headings(page: PageLines, taken: set[int], schema: Schema) -> list[Anchor]:
    """Headings, terms and bold lines over at least two labelled facts."""
    candidates = [
        line
        for line in page.lines
        if line.level
        and line.number not in taken
        and _can_name(line)
        and not schema.concept_of(line.text)
        and not (is_role(line.text) and not is_organisation(line.text))
        and not (line.cell is not None and line.cell.is_label)
    ]
    ranges = extents(page, sorted({*(line.number for line in candidates), *taken}))
    return [
        _anchor(line, line.text, _kind(line.text), 1.0)
        for line in candidates
        if _concepts(page, [other for other in ranges[line.number].lines if other > line.number], schema)
        >= TOLD
    ]


def _concepts(page: PageLines, numbers: Sequence[int], schema: Schema) -> int:
    """How many telling concepts lines hold."""
    return len(_told(page, numbers, schema) & TELLING)


def _told(page: PageLines, numbers: Sequence[int], schema: Schema) -> set[str]:
    """The concepts of the facts that lines hold."""
    concepts: set[str] = set()
    for other in numbers:
        line = page.lines[other]
        facts, _ = line_facts(line.text, line.label, line.links, schema)
        concepts |= {fact.concept for fact in facts if fact.value}
    return concepts


def _kind(name: str) -> str:
    return ORGANISATION if is_organisation(name) else THING
