"""What a line says: labelled values, and values whose shape cannot be mistaken.

A value has a kind by its label (``TEL 03-…``, ``居室：2号館512``, the head of its column), by a prefix or a
link (``mailto:``, ``tel:``, a page of Twitter), or by a shape that fills the whole line. A number that only
looks like something is nothing.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

from ruiji.detector.records.fields.concepts import Schema, folded_label
from ruiji.detector.records.fields.posts import is_post
from ruiji.detector.records.fields.values import (
    ENGLISH_PHONE,
    EXTENSION_DIGITS,
    MAIL,
    MONEY,
    PHONE,
    ROOM,
    URL,
    shown,
)

LONGEST_LABEL = 20  # characters; what is longer before a colon is prose
LONGEST_VALUE = 200
_COLON = re.compile(
    rf"(?:^|(?<=[\s　、,，/／|｜;；)）(（■●◆・※]))(?P<label>[^\s　:：、,，。/／|｜;；()（）「」]"
    rf"(?:[^:：、,，。|｜;；「」]{{0,{LONGEST_LABEL}}}?))\s*[:：](?!//)\s*"
)
_BRACKET = re.compile(
    r"[【〔［\[〈＜<](?P<label>[^【】〔〕［］\[\]〈〉＜＞<>]{1,16})[】〕］\]〉＞>]\s*[:：]?\s*"
)
_NUMBER = re.compile(
    r"(?:^|(?<=[^A-Za-z]))(?P<label>TEL|Telephone|Phone|Ph|Toll[ -]?Free|Freephone|Free ?call"
    r"|電話番号|電話|直通|内線番号|内線|FAX|ファックス|ファクス|Extension|Ext|内|℡|☎|携帯|Mobile|Cell)"
    r"[\s.．)）/／]{0,6}(?=[\s(（]{0,3}[+＋]?[\d０-９]{2})",
    re.IGNORECASE,
)
_WORD = re.compile(
    r"(?:^|(?<=[\s　、,，/／|｜;；(（]))(?P<label>E-?mail|Mail|メールアドレス|メール|Eメール)\s*(?=[\w.+-]+)",
    re.IGNORECASE,
)
_NUMBER_KINDS = frozenset(("phone", "ext", "fax", "mobile"))
_DIGITS = re.compile(r"\d")
_ACCOUNTS = re.compile(
    r"//(?:www\.|mobile\.)?(?P<site>twitter|x|facebook|github|linkedin|instagram)\.com/(?:#!/)?@?(?P<name>[\w.-]{2,40})/?(?:\?.*)?$"
)
_STREETS = (
    "Street St Road Rd Avenue Ave Drive Dr Lane Ln Boulevard Blvd Highway Hwy Parkway Pkwy Place Pl Square "
    "Sq Court Ct Circle Terrace Plaza Broadway Way Crescent Suite Ste"
).split()
_STREET = "|".join(form for word in _STREETS for form in (word, word.upper()))
_INSIDE = (
    r"(?:(?:Level|Suite|Unit|Floor|Ste|Shop)\.?\s[\w-]{1,6},?\s)?"  # where in a house, before its number
)
# A number and a street, a box, or a number before a town and its state.
_ADDRESS = re.compile(
    r"^(?:〒\s?\d{3}-\d{4}|(?:東京都|北海道|(?:京都|大阪)府|[^\s\d、。]{2,3}県)[^\s。]{2,})"
    rf"|^{_INSIDE}\d{{1,5}}[\w/-]{{0,4}}\s(?:[-–]\s)?(?:(?:[A-Z\d][\w.'&-]*|of|the|de|la),?\s){{0,5}}(?:{_STREET})\b|^P\.?\s?O\.?\s?Box\s\d"
    r"|^\d{1,5}\s[^:?!]{4,60},\s[A-Z]{2}(?:\s\d{5}(?:-\d{4})?)?$"
)
# A town with the code of its post office: American, Australian, British, Canadian, of the continent. British
# and Canadian codes also stand alone.
_TOWN = re.compile(
    r"[A-Z]{1,2}\d[A-Z\d]?\s\d[A-Z]{2}|[A-Z]\d[A-Z]\s\d[A-Z]\d"
    r"|[A-Z][A-Za-z.' -]{1,30},\s{0,2}[A-Z][a-z]+(?: [A-Z][a-z]+)?,?\s{1,2}\d{5}(?:-\d{4})?,?(?: USA)?|"
    r"[A-Z][A-Za-z.' -]{1,30},\s{0,2}(?:[A-Z]{2}|[A-Z]\.[A-Z]\.),?\s{1,2}\d{5}(?:-\d{4})?,?(?: USA)?"
    r"|[A-Z][A-Za-z.,' -]{1,40}\s(?:(?:ACT|NSW|NT|QLD|SA|TAS|VIC|WA),?\s\d{4}"
    r"|[A-Z]{1,2}\d[A-Z\d]?\s\d[A-Z]{2}|[A-Z]\d[A-Z]\s?\d[A-Z]\d)(?:,?\s[A-Z][A-Za-z ]{1,20})?"
    r"|(?:[A-Z]{1,2}-)?\d{5}\s[A-Z][^\W\d]+(?:[ -][A-Z][^\W\d]+)?(?:,\s[A-Z][A-Za-z ]+)?"
)
_PARTS = re.compile(r"[,，、;；|｜]")
_PHONE_END = re.compile(r"\s*[/／、,，;；|｜]\s*(?=[^\d\s+(（])|\s{2,}|\s(?=[A-Za-z]{3,}[@:：])")
_EMPTY = re.compile(
    r"[\s\-‐–—―−－ー*＊・.…/／()（）]*|なし|無し|未定|不明|n/?a|none|tbd|非公開|準備中", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Fact:
    """A value with its concept ("" where nobody knows) and the label it stood under; "" for a value left
    empty.
    """

    label: str
    concept: str
    value: str


def line_facts(text: str, label: str, links: Sequence[str], schema: Schema) -> tuple[list[Fact], str]:
    """The facts of a line, and the text that is left of it; ``label`` is what its place says of all of it."""
    facts = _link_facts(links, text)
    concept = schema.concept_of(label)
    if concept and concept not in ("name", "contact"):
        if fact := _labelled(label, concept, text, schema):
            return [fact, *(other for other in facts if other.concept != concept)], ""
        return facts, ""
    found, rest = _inner_facts(text, schema)
    if (
        label
        and not concept
        and not found
        and len(folded_label(label)) <= LONGEST_LABEL
        and len(rest) <= LONGEST_VALUE
    ):
        return [*facts, Fact(label, "", shown(rest))], rest
    known = {fact.value for fact in found if fact.value}
    return [*found, *(fact for fact in facts if fact.value not in known)], rest


def _inner_facts(text: str, schema: Schema) -> tuple[list[Fact], str]:
    """The labelled values inside a text, and what stands before the first."""
    places = sorted(
        {
            (match.start(), match.end(), match.group("label").strip())
            for pattern in (_COLON, _BRACKET, _NUMBER, _WORD)
            for match in pattern.finditer(text)
            if _is_label(match.group("label"), text[match.end() :], schema)
        }
    )
    kept: list[tuple[int, int, str]] = []
    for place in places:
        if not kept or place[0] >= kept[-1][1]:
            kept.append(place)
    if not kept:
        return _bare_facts(text)
    facts: list[Fact] = []
    for number, (_, end, label) in enumerate(kept):
        stop = kept[number + 1][0] if number + 1 < len(kept) else len(text)
        value = _trimmed(text[end:stop])
        fact = _labelled(label, schema.concept_of(label) or _ended(label, schema), value, schema)
        if fact and (fact.value or number + 1 == len(kept)):
            facts.append(fact)
    before, rest = _bare_facts(text[: kept[0][0]].strip(" 　、,，/／|｜;；(（"))
    return [*before, *facts], rest


def _trimmed(value: str) -> str:
    """A value without separators around it, and without a bracket that was opened before it."""
    value = value.strip(" 　、,，/／|｜;；")
    if value[:1] in "(（" and value[-1:] in ")）":
        value = value[1:-1].strip() if value.count("(") + value.count("（") == 1 else value
    if value.count("(") + value.count("（") < value.count(")") + value.count("）"):
        value = value.rstrip(")） 　")
    if value.count("(") + value.count("（") > value.count(")") + value.count("）"):
        value = value.rstrip("(（ 　")
    return value


def _is_label(label: str, value: str, schema: Schema) -> bool:
    return (
        bool(value.strip()) and bool(schema.concept_of(label) or _ended(label, schema)) and not is_post(label)
    )


def _ended(label: str, schema: Schema) -> str:
    """The concept of the last word of a label of several: Phone Ex is an extension."""
    words = label.split()
    return schema.concept_of(words[-1]) if 1 < len(words) <= 3 else ""


def _labelled(label: str, concept: str, value: str, schema: Schema) -> Fact | None:
    """A value under a label, where it can be one of that kind."""
    value = shown(value)
    if not value or _EMPTY.fullmatch(value):
        return Fact(label, concept, "")
    if len(value) > LONGEST_VALUE:
        return None
    plain = unicodedata.normalize("NFKC", value)
    if concept == "place" and (PHONE.fullmatch(plain) or ENGLISH_PHONE.fullmatch(plain)):
        concept = "phone"  # Office: 317-887-0729
    kind = schema.kind_of(concept)
    if kind == "phone":
        value = _PHONE_END.split(value, maxsplit=1)[0].strip()
        digits = sum(map(str.isdigit, unicodedata.normalize("NFKC", value)))
        if not 3 <= digits <= 20 or len(value) > 60:
            return None
        if concept == "phone" and digits <= EXTENSION_DIGITS:
            concept = "ext"
    elif kind == "mail":
        match = MAIL.search(unicodedata.normalize("NFKC", value))
        if match is None:
            return None
        value = match.group()
    elif kind in ("money", "number", "date", "hours") and not _DIGITS.search(
        unicodedata.normalize("NFKC", value)
    ):
        return None
    return Fact(label, concept, value)


def _bare_facts(text: str) -> tuple[list[Fact], str]:
    """Values without a label whose shape fills a part of the text, and the text without them."""
    facts: list[Fact] = []
    rest = text
    for match in MAIL.finditer(unicodedata.normalize("NFKC", text)):
        facts.append(Fact("", "mail", match.group()))
        rest = rest.replace(match.group(), " ")
    rest = URL.sub(" ", rest)
    plain = _trimmed(unicodedata.normalize("NFKC", rest).strip())
    if PHONE.fullmatch(plain) or ENGLISH_PHONE.fullmatch(plain):
        return [*facts, Fact("", "phone", plain)], ""
    parts = [part.strip() for part in _PARTS.split(plain)]
    if numbers := [part for part in parts if PHONE.fullmatch(part) or ENGLISH_PHONE.fullmatch(part)]:
        facts += [Fact("", "phone", number) for number in numbers]
        rest = plain = ", ".join(part for part in parts if part and part not in numbers)
    if MONEY.fullmatch(plain):
        return [*facts, Fact("", "price", plain)], ""
    if is_room(plain):
        return [*facts, Fact("", "place", plain)], ""
    if _ADDRESS.match(plain) and len(plain) <= 100 and _DIGITS.search(plain) and "。" not in plain:
        return [*facts, Fact("", "address", plain)], ""
    if _TOWN.fullmatch(plain):
        return [*facts, Fact("", "zip", plain)], ""
    if re.fullmatch(r"@[A-Za-z0-9_]{2,20}", plain):
        return [*facts, Fact("", "twitter", plain)], ""
    return facts, shown(rest)


def is_room(text: str) -> bool:
    """Whether a text says where in a house something is; 図書館 alone is the name of one."""
    return (
        len(text) <= 32
        and bool(re.search(r"\d|庁舎|^[本別新旧東西南北中]館", text))
        and bool(ROOM.fullmatch(text) or ROOM.match(text))
    )


def _link_facts(links: Sequence[str], text: str) -> list[Fact]:
    facts = []
    for href in links:
        scheme, _, rest = href.strip().partition(":")
        rest = rest.partition("?")[0].strip()
        if scheme.lower() == "mailto" and MAIL.fullmatch(rest):
            facts.append(Fact("", "mail", rest))
        elif scheme.lower() == "tel" and sum(map(str.isdigit, rest)) >= 6 and not _DIGITS.search(text):
            facts.append(Fact("", "phone", rest))
        elif match := _ACCOUNTS.search(href):
            site = "twitter" if match.group("site") == "x" else match.group("site")
            facts.append(
                Fact("", site, f"@{match.group('name')}" if site == "twitter" else match.group("name"))
            )
    return facts
