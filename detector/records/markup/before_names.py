"""What may stand before a name in its line: a date, a title in quotes, an organisation, a post, a talk.

``10:00 「草枕を読む」 夏目 漱石（木曜会）`` is a name after a time and a title; ``架空大学　夏目漱石`` one
after an affiliation; ``Scaling Postgres by Mary Shelley`` one after the title of a talk.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from ruiji.detector.records.fields.organisations import is_legal_form, is_organisation
from ruiji.detector.records.fields.posts import is_post, is_role

LONGEST_BEFORE = 160  # characters
MOST_POST_WORDS = 3  # into which a post is set apart: 教　授
LONGEST_ROLE_LABEL = 16

_WHEN = re.compile(
    r"(?:(?:19|20)\d\d|(?:平成|令和|昭和|[HRS])\s?\d{1,2})\s?(?:年度?|[./-]\d{1,2})?(?:\s?\d{1,2}月)?(?:\s?\d{1,2}日)?"
    r"\s?(?:修了|卒業|卒|入学|入社|着任|退職|修)?生?[\s　:：,，]+"
    r"|\d{1,2}[:：]\d\d(?:\s?[-–—~〜～―]\s?\d{1,2}[:：]\d\d)?[\s　:：,，-]+"
)
_QUOTED = re.compile(r"[「『“\"][^「」『』“”\"]{2,140}[」』”\"][\s　,，、:：/／\-–—]*")
_PROSE = re.compile(r"[。！？!?]")
_SPACES = re.compile(r"[ 　]+")
_PARTED = re.compile(r"[,，、/／|｜\t]")
_BY = re.compile(r"[ 　](?:by|[-–—―|｜/／])[ 　]|[—―]")


@dataclass(frozen=True, slots=True)
class Before:
    """What stands before a name, and the rest that begins with it.

    ``affiliation``, ``post`` and ``label`` say what it is; ``sure``: nothing but a name can follow it.
    """

    rest: str
    affiliation: str = ""
    post: str = ""
    label: str = ""
    sure: bool = True


def befores(text: str) -> Iterator[Before]:
    """The ways in which a text may be something before a name, the surest first."""
    for pattern in (_WHEN, _QUOTED):
        if match := pattern.match(text):
            yield Before(text[match.end() :])
    yield from _first_parts(text)
    yield from _posts_set_apart(text)
    yield from _organisations(text)
    yield from _roles_inside(text)
    places = [match for match in _BY.finditer(text[:LONGEST_BEFORE]) if match.start() > 3]
    yield from (Before(text[match.end() :].strip(), sure=False) for match in reversed(places))


def _first_parts(text: str) -> Iterator[Before]:
    """A post, a role or an organisation that a comma or a stroke parts from what follows: 座長、夏目 漱石."""
    match = _PARTED.search(text[:LONGEST_BEFORE])
    before = text[: match.start()].strip() if match else ""
    if match is None or not before or _PROSE.search(before):
        return
    if is_post(before) or _is_role_label(before):
        yield Before(text[match.end() :].strip(), post=before)
    elif is_organisation(before):
        yield Before(text[match.end() :].strip(), affiliation=before)


def _is_role_label(text: str) -> bool:
    return len(text) <= LONGEST_ROLE_LABEL and is_role(text)


def _posts_set_apart(text: str) -> Iterator[Before]:
    """A post whose characters are set apart before a name, or a role: 教　授　夏 目, 委員 夏目 漱石."""
    places = list(_SPACES.finditer(text[:LONGEST_BEFORE]))[:MOST_POST_WORDS]
    for match in reversed(places):
        before = _SPACES.sub("", text[: match.start()])
        if not before.isascii() and (is_post(before) or _is_role_label(before)):
            yield Before(text[match.end() :], post=before)


def _organisations(text: str) -> Iterator[Before]:
    """An organisation, or anything that a wide space parts from what follows."""
    for match in _SPACES.finditer(text[:LONGEST_BEFORE]):
        before = text[: match.start()].strip()
        if is_legal_form(before) or _PROSE.search(before):
            continue
        if is_organisation(before) and not text[match.end() :].startswith(("(", "（")):
            yield Before(text[match.end() :], affiliation=before)
        elif "　" in match.group() and len(before) > 2:
            yield Before(text[match.end() :], affiliation=before, sure=False)


def _roles_inside(text: str) -> Iterator[Before]:
    """A role with a colon inside a line: セッション1（座長：夏目 漱石）."""
    place = max(text.rfind(":"), text.rfind("："))
    before = text[max(0, place - LONGEST_ROLE_LABEL) : place]
    start = max(before.rfind(sign) for sign in "(（[［ 　")
    if place > 0 <= start and is_role(before[start + 1 :]):
        yield Before(text[place + 1 :].strip(" 　)）]］"), label=before[start + 1 :])
