"""What can be the name of a thing, and what lines tell of it."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ruiji.detector.records.fields.concepts import Schema
from ruiji.detector.records.fields.organisations import is_organisation
from ruiji.detector.records.fields.values import MONEY
from ruiji.detector.records.markup.anchors import Anchor
from ruiji.detector.records.markup.announced import SPONSOR
from ruiji.detector.records.markup.extents import extents
from ruiji.detector.records.markup.line_facts import line_facts
from ruiji.detector.records.markup.lines import Line, PageLines
from ruiji.detector.records.markup.mentions import Mention
from ruiji.detector.records.model import ORGANISATION, THING

LONGEST_TITLE = 48  # characters of a line that can be the name of a thing
# Concepts that make a part of a page a record: without two of them it is prose with a colon.
TELLING = frozenset(
    "post mail phone ext place address affiliation price code hours closed established capital employees "
    "representative birth appointed fax size zip".split()
)
TOLD = 2  # of those that a heading must have below it
_PROSE = re.compile(r"[。！？!?：:©]|です|ます|ください|https?://|^\d")
_LETTERS = re.compile(r"[^\W\d_]{2}|[^\W\d_a-zA-Z]")
# Headings that say what kind of thing follows, and not what it is called.
_GENERIC = re.compile(
    r"問い?合わ?せ|連絡先|概要|アクセス|プロフィール|基本情報|案内|一覧|紹介|メンバー|スタッフ|^教職?員$|構成員|お知らせ|トップ|ホーム"
    r"|会社情報|仕様|スペック|詳細|特定商取引|販売|商品情報|について|contact|profile|about|overview|members?$|^people$|staff|faculty"
    r"|directory|information|details|specifications?|^access(?: information| map)?$|welcome|home$|list$|team$"
    r"|^(?:visit|find|call|e-?mail|reach|meet|follow|join|get|send|book|make|build|request|schedule|learn|start"
    r"|ask|apply|shop|buy|order|read|view|see|download|sign|our|your|by|need|where|how|and) |in touch|hours"
    r"|^(?:(?:mailing|street|postal|physical|office|business|billing|shipping|delivery) )?addresse?s?$"
    r"|^(?:phone|telephone|fax|location|direction|map|mail|e-?mail|service area)s?$"
    r"|quick links|^site ?map$|^(?:lab(?:oratory)?|office|campus|store|shop|site) (?:location|area)s?$"
    r"|^compare$|^add to |^quick ?(?:view|shop)|^sold out$",
    re.IGNORECASE,
)


def anchor_at(line: Line, name: str, kind: str, weight: float) -> Anchor:
    """The anchor of a thing whose name a line is or has."""
    return Anchor(line.number, Mention(name, 0.0), kind, weight)


def kind_of_name(name: str) -> str:
    """What a name is that of, by its look alone."""
    return ORGANISATION if is_organisation(name) else THING


def lines_taken(page: PageLines, people: Sequence[Anchor]) -> set[int]:
    """The lines that records hold, with those that name them."""
    named = sorted({anchor.line for anchor in people})
    ranges = extents(page, named)
    return {line for number in named for line in (number, *ranges[number].lines)}


def is_title(text: str, longest: int = LONGEST_TITLE) -> bool:
    """Whether a text is as long as a title, has letters, and is no price."""
    return 2 <= len(text) <= longest and bool(_LETTERS.search(text)) and not MONEY.match(text)


def is_generic(text: str) -> bool:
    """Whether a text says what kind of thing follows, and not what it is called."""
    return bool(_GENERIC.search(text))


def is_general(text: str) -> bool:
    """Whether a text is prose, or says what kind of thing follows and not what it is called."""
    return bool(_PROSE.search(text)) or is_generic(text)


def can_name(line: Line, longest: int = LONGEST_TITLE) -> bool:
    """Whether a line can be the name of a thing."""
    return (
        is_title(line.text, longest)
        and not is_general(line.text)
        and not SPONSOR.search(line.text)
        and "\ufffc" not in line.text
    )


def telling_concepts(page: PageLines, numbers: Sequence[int], schema: Schema) -> int:
    """How many telling concepts lines hold."""
    return len(concepts_told(page, numbers, schema) & TELLING)


def concepts_told(page: PageLines, numbers: Sequence[int], schema: Schema) -> set[str]:
    """The concepts of the facts that lines hold."""
    concepts: set[str] = set()
    for other in numbers:
        line = page.lines[other]
        facts, _ = line_facts(line.text, line.label, line.links, schema)
        concepts |= {fact.concept for fact in facts if fact.value}
    return concepts
