"""Records from names and the lines around them: which field each text beside a name is.

A text with a label is what the label says. One without is judged together with those in the same slot of the
other records of its list: where many of them are posts, or organisations, all of them are.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from ruiji.detector.records.fields.concepts import Schema, folded_label
from ruiji.detector.records.fields.names import GOOD
from ruiji.detector.records.fields.organisations import is_organisation
from ruiji.detector.records.fields.posts import LONGEST_ROLE, excludes_others, is_post, is_role
from ruiji.detector.records.fields.slips import is_misspelt_post
from ruiji.detector.records.fields.values import folded, shown, without_legal_form
from ruiji.detector.records.markup.anchors import Anchor
from ruiji.detector.records.markup.extents import Extent, extents
from ruiji.detector.records.markup.line_facts import Fact, line_facts
from ruiji.detector.records.markup.lines import HEADING_LEVELS, Line, PageLines
from ruiji.detector.records.markup.mentions import is_nickname, mentions
from ruiji.detector.records.markup.tables import CellPlace
from ruiji.detector.records.model import OWN, PERSON, PRODUCT, SECTION, THING, Field, Record

LONGEST_TEXT = 90  # characters of a text without a label that can be a post or an organisation
SLOT_SHARE = 0.3  # of the texts of a slot that must be posts, or organisations, for all to be
LONGEST_HEADING = 40  # characters of a heading that says what the people below it are
MOST_FIELDS = 40
_OF_A_PRODUCT = frozenset("price code stock maker released".split())
_OF_A_PLACE = frozenset("address phone mail fax zip hours".split())

# Headings that say that people follow, and not what they do.
_GENERIC = re.compile(
    r"メンバー|一覧|プロフィール|スピーカー|発表者|講演者|登壇者|紹介|^(?:meet )?(?:our "
    r")?(?:team|people|members?|speakers?|presenters?)$"
    r"|profile|^about|の",  # 同じ学科の研究者 is no post
    re.IGNORECASE,
)

_NO_POST = re.compile(
    r"^[*•‣]\s|[「『。|｜]|\d{4}|\d,\d{3}|^(?:プロフィール|[Pp]rofile)$|(?:です|ます|ました|でした)$|\s(?:is|are|was|has|works|lives|living|loves)\s"
)
_FORMER_STUDENT = re.compile(r"(?:修了|卒業)生?$|\balumn(?:us|a|i)$", re.IGNORECASE)
_PARTED = re.compile(r"[,，、|｜]|\s(?:at|@)\s")

Slot = tuple[str, int]


@dataclass(slots=True)
class _Draft:
    """A record while its fields are gathered; ``loose`` are texts without a label, by their slot."""

    anchor: Anchor
    line: Line
    extent: Extent
    facts: list[Fact] = field(default_factory=list)
    loose: list[tuple[Slot, str]] = field(default_factory=list)
    posts: list[tuple[str, str]] = field(default_factory=list)  # origin, text
    empty: list[str] = field(default_factory=list)


def assembled(
    page: PageLines, anchors: Sequence[Anchor], schema: Schema, places: Mapping[int, CellPlace]
) -> list[Record]:
    """The records of a page's anchors, in the order in which they stand."""
    per_line = Counter(anchor.line for anchor in anchors)
    ranges = extents(page, sorted(per_line))
    drafts = [
        _draft(page, anchor, ranges[anchor.line], per_line[anchor.line] == 1, schema, places)
        for anchor in anchors
    ]
    votes = _votes(drafts)
    paths: Counter[str] = Counter()
    records = []
    for draft in drafts:
        record = _record(page, draft, votes, schema, paths, per_line[draft.anchor.line])
        records.append(record)
    return records


def _draft(
    page: PageLines,
    anchor: Anchor,
    extent: Extent,
    alone: bool,
    schema: Schema,
    places: Mapping[int, CellPlace],
) -> _Draft:
    line = page.lines[anchor.line]
    draft = _Draft(anchor, line, extent)
    mention = anchor.mention
    if mention.post:
        draft.posts.append((OWN, mention.post))
    for label in (mention.label, line.label, line.stub):
        if label and is_role(label) and schema.concept_of(label) != "name" and not _names_somebody(label):
            draft.posts.append((OWN, label))
    if heading := _section_post(page, line, schema):
        draft.posts.append((SECTION, heading))
    draft.loose += [(("note", place), note) for place, note in enumerate(mention.notes)]
    if mention.tail:
        _add_line(draft, mention.tail, "", (), ("tail", 0), schema)
    if alone:
        draft.facts += list(line_facts("", "", line.links, schema)[0])
        seen: Counter[str] = Counter()
        for number in extent.lines:
            other = page.lines[number]
            if (other.cell is not None and other.cell.is_label) or (
                other.level and schema.concept_of(other.text) and not is_post(other.text)
            ):
                continue
            place = f"{'-' if number < line.number else ''}{other.look}"
            seen[place] += 1
            if 0 < other.level < 7 and not is_post(other.text):
                continue
            label = "" if schema.concept_of(other.label) == "name" else other.label
            _add_line(draft, other.text, label, other.links, (place, seen[place]), schema)
        draft.empty += _empty_cells(page, line, extent, places, schema)
    if any(label and not excludes_others(label) for label in (mention.label, line.label)):
        draft.facts = [fact for fact in draft.facts if not _is_title_of_talk(fact)]
    return draft


def _is_title_of_talk(fact: Fact) -> bool:
    """Whether a value under the label Title is none of a person: beside a speaker it is that of the talk."""
    return folded_label(fact.label) == "title" and not is_role(fact.value)


def _names_somebody(label: str) -> bool:
    """Whether what heads a row or column is a person with a post, and no post of those beside it."""
    return any(mention.strength >= GOOD for mention in mentions(label))


def _heading(page: PageLines, line: Line) -> str:
    above = page.headings[line.number]
    return page.lines[above[-1]].text if above else ""


def _section_post(page: PageLines, line: Line, schema: Schema) -> str:
    """What the heading over a list says that its people are; "" where it only says that they are people."""
    heading = _heading(page, line)
    if not heading or len(heading) > LONGEST_HEADING or schema.concept_of(heading):
        return ""
    told = is_role(heading) or is_misspelt_post(heading)
    return heading if told and not _GENERIC.search(heading) else ""


def _add_line(draft: _Draft, text: str, label: str, links: Sequence[str], slot: Slot, schema: Schema) -> None:
    if text[-1:] in ":：" and (concept := schema.concept_of(text[:-1])):
        draft.empty.append(concept)
        return
    facts, rest = line_facts(text, label, links, schema)
    draft.facts += [fact for fact in facts if fact.value]
    draft.empty += [fact.concept for fact in facts if not fact.value and fact.concept]
    rest = rest.strip(" ,，、;；|｜")
    if rest and len(rest) <= LONGEST_TEXT and not any(fact.value == rest for fact in facts):
        post, organisation = _parted(rest)
        if post:
            draft.loose += [((f"{slot[0]} post", slot[1]), post), ((f"{slot[0]} at", slot[1]), organisation)]
        else:
            draft.loose.append((slot, rest))


def _parted(text: str) -> tuple[str, str]:
    """The post and the organisation of a text that names both: Professor, Example University."""
    for match in _PARTED.finditer(text):
        post, organisation = text[: match.start()].strip(), text[match.end() :].strip()
        if _is_post_text(post) and is_organisation(organisation) and not is_role(organisation):
            return post, organisation
    return "", ""


def _empty_cells(
    page: PageLines, line: Line, extent: Extent, places: Mapping[int, CellPlace], schema: Schema
) -> list[str]:
    """The concepts of the cells of a row that have a label and no text."""
    if line.cell is None or page.tree.tag[extent.element] != "tr":
        return []
    tree = page.tree
    cells = [cell for cell in tree.children[extent.element] if cell in places and not tree.text(cell)]
    return [concept for cell in cells if (concept := schema.concept_of(places[cell].label))]


def _votes(drafts: Sequence[_Draft]) -> dict[tuple[str, Slot], str]:
    """For each slot of each list what its texts are: post, affiliation, or "" where they do not agree."""
    texts: dict[tuple[str, Slot], list[str]] = defaultdict(list)
    for draft in drafts:
        for slot, text in draft.loose:
            texts[draft.line.look, slot].append(text)
    votes = {}
    for key, values in texts.items():
        posts = sum(_is_post_text(text) for text in values)
        organisations = sum(is_organisation(text) and not is_post(text) for text in values)
        best = max(posts, organisations)
        if best and best >= SLOT_SHARE * len(values):
            votes[key] = "post" if posts > organisations else "affiliation"
    return votes


def _by_itself(text: str, vote: str) -> str:
    """What a text is in a slot: what the others there are, but for former students among organisations and a
    company among posts.
    """
    if vote == "affiliation" and _FORMER_STUDENT.search(text):
        return "post"
    plain = folded(text)
    if vote == "post" and without_legal_form(plain) != plain and not is_role(text):
        return "affiliation"
    return vote


def _is_post_text(text: str) -> bool:
    if _NO_POST.search(text):
        return False  # a title, a sentence, or links that lead on
    if is_post(text) or is_misspelt_post(text):
        return True
    return is_role(text) and not is_organisation(text) and not _names_somebody(text)


def _record(
    page: PageLines,
    draft: _Draft,
    votes: Mapping[tuple[str, Slot], str],
    schema: Schema,
    paths: Counter[str],
    names: int,
) -> Record:
    mention = draft.anchor.mention
    title = shown(mention.name)
    fields = [
        Field(
            draft.line.label if schema.concept_of(draft.line.label) == "name" else "", "name", "name", title
        )
    ]
    fields += [Field("", "reading", "name", shown(other)) for other in mention.others]
    loose, posts = [], []
    for slot, text in draft.loose:
        concept = _by_itself(text, votes.get((draft.line.look, slot), ""))
        if draft.anchor.kind != PERSON:
            concept = ""
        if not concept and slot[0] == "note" and is_nickname(text):
            fields.append(Field("", "reading", "name", text))
            title = f"{title} ({text})"
        elif concept == "post":
            posts.append(text)
        elif concept:
            loose.append(Field("", concept, schema.kind_of(concept), text))
        else:
            loose.append(Field("", "", "text", text))
    own = posts or ([mention.post] if mention.post else [])
    if not own and not any(fact.concept == "post" for fact in draft.facts):
        own = [text for origin, text in draft.posts if origin == OWN]
    if draft.anchor.kind == PERSON:
        if own:
            fields.append(Field("", "post", "post", _unbracketed(shown(own[0]))))
        elif draft.posts and not any(fact.concept == "post" for fact in draft.facts):
            fields.append(Field("", "post", "post", shown(draft.posts[0][1]), SECTION))
    spellings = {mention.name, *mention.others}
    for fact in draft.facts:
        concept = fact.concept or folded_label(fact.label)
        if concept == "post" and not re.search(r"[^\W\d_]", fact.value):
            concept = folded_label(fact.label)  # the rank in a table of results
        if fact.value not in spellings and (concept != "name" or draft.anchor.kind == PERSON):
            fields.append(Field(fact.label, concept, schema.kind_of(concept), fact.value))
    element = draft.extent.element if names == 1 else draft.line.block
    path = page.tree.paths[element]
    paths[path] += 1
    parent = page.tree.parent[element]
    texts = [text for text in loose if text.value not in spellings]
    return Record(
        path=path if paths[path] == 1 else f"{path}#{paths[path]}",
        layout=_layout(page, draft.line, names),
        title=title,
        fields=tuple(dict.fromkeys([*fields, *texts]))[:MOST_FIELDS],
        empty=tuple(dict.fromkeys(draft.empty)),
        group=page.tree.paths[parent] if parent >= 0 else "",
        kind=_kind(draft.anchor.kind, {one.concept for one in fields}),
        heading=_over(page, draft.line) if draft.anchor.kind == PERSON else "",
    )


def _kind(kind: str, concepts: set[str]) -> str:
    """The kind of a record: a thing with a price or a code is a product, unless it is somewhere."""
    is_product = kind == THING and concepts & _OF_A_PRODUCT and not concepts & _OF_A_PLACE
    return PRODUCT if is_product else kind


def _over(page: PageLines, line: Line) -> str:
    """The term or heading that stands over a name, whatever it says; "" for one of a sentence."""
    text = shown(line.label or line.stub or _heading(page, line))
    return text if len(text) <= LONGEST_ROLE else ""


def _unbracketed(text: str) -> str:
    """A text without the brackets that stand around all of it."""
    inside = text[1:-1]
    bracketed = text[:1] in "(（[［" and text[-1:] in ")）]］" and not re.search(r"[()（）\[\]［］]", inside)
    return inside.strip() if bracketed and inside else text


def _layout(page: PageLines, line: Line, names: int) -> str:
    tag = page.tree.tag[line.block]
    if names > 1:
        return "inline"
    if line.cell is not None:
        return "row"
    if tag in HEADING_LEVELS:
        return "heading"
    return {"li": "list", "dt": "definition", "dd": "definition"}.get(tag, "block")
