"""Posts and ranks: 教授, 課長, Associate Professor, and which of them are one post in two languages or
spellings.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from ruiji.detector.records.fields.data import data_lines

LONGEST_ROLE = 60  # characters; a longer text only mentions one
LONGEST_POST = 120  # characters of several posts of one person

_PREFIX = (
    r"(?:特任|特命|特別|客員|名誉|招聘|非常勤|副|元|前|新任|上級|主席|首席|統括|シニア|チーフ|アシスタント"
    r"|技術|営業|製造|総務|人事|開発|企画|広報|経理|情報|品質|生産)?"
)
_STUDENT = (
    r"(?:博士(?:前期|後期)?課程|修士課程|学部|研究生|大学院)?\s*[BMD]?[1-6１-６一二三四五六]\s*(?:年"
    r"生?|回生)|[BMD][1-6]"
)


@lru_cache(maxsize=1)
def _table() -> dict[str, str]:
    """Each post as people write it, folded → the Japanese post that it means."""
    found: dict[str, str] = {}
    for line in data_lines("posts.txt"):
        japanese, _, english = line.partition("|")
        forms = japanese.split(",")
        for form in forms:
            found.setdefault(_folded(form), form)
        for form in english.split(","):
            found.setdefault(_folded(form), forms[0])
    return found


@lru_cache(maxsize=1)
def _pattern() -> re.Pattern[str]:
    """A post at the start of a text, the longest that fits."""
    forms = [form for line in data_lines("posts.txt") for part in line.split("|") for form in part.split(",")]
    japanese = sorted((form for form in forms if not form.isascii()), key=len, reverse=True)
    english = sorted((form for form in forms if form.isascii()), key=len, reverse=True)
    return re.compile(
        rf"(?P<ja>{_PREFIX}(?:{'|'.join(map(re.escape, japanese))})|{_STUDENT})"
        r"|(?P<en>"
        r"(?:(?:Senior|Deputy|Vice|Visiting|Adjunct|Acting|Assistant|Chief|Principal|Lead|Junior|Executive|Associate)\s+)*"
        rf"(?:{'|'.join(map(re.escape, english))})(?![A-Za-z]))",
        re.IGNORECASE,
    )


def _folded(text: str) -> str:
    return re.sub(r"[\s.．]+", "", unicodedata.normalize("NFKC", text).casefold())


def is_post(text: str) -> bool:
    """Whether a text is a post and nothing else but what stands in brackets."""
    if len(text) > LONGEST_POST:
        return False
    text = re.sub(r"\([^()]*\)", "", unicodedata.normalize("NFKC", text)).strip()
    match = _pattern().match(text)
    if match is None:
        return False
    rest = text[match.end() :].strip()
    return (
        not rest
        or (rest[0] in "・/／兼、,&" and len(rest) < 20 and is_post(rest[1:].strip()))
        or is_post(rest)
    )


def is_role(text: str) -> bool:
    """Whether a text says what people do or are, as headings and labels over their names do: 実行委員,
    Speakers.
    """
    plain = unicodedata.normalize("NFKC", text).strip()
    return len(plain) <= LONGEST_ROLE and (is_post(plain) or bool(_roles().search(plain)))


def post_at_end(text: str) -> int:
    """Where the post begins that a text ends with, after a space; 0 where it ends with none."""
    for match in re.finditer(r"[ 　]", text):
        if is_post(text[match.end() :]):
            return match.end()
    return 0


@lru_cache(maxsize=1)
def _roles() -> re.Pattern[str]:
    """Words of ``data/roles.txt``."""
    words = [word for line in data_lines("roles.txt") for word in line.split()]
    short = [word for word in words if word.isascii() and word.isupper()]
    english = [word.replace("_", " ") for word in words if word.isascii() and not word.isupper()]
    japanese = sorted((word for word in words if not word.isascii()), key=len, reverse=True)
    return re.compile(
        rf"(?:{'|'.join(map(re.escape, japanese))})"
        rf"|(?<![A-Za-z])(?:{'|'.join(map(re.escape, short))})(?![A-Za-z])"
        rf"|(?i:(?<![A-Za-z])(?:{'|'.join(map(re.escape, english))})s?(?![A-Za-z]))"
    )


def post_at_start(text: str) -> int:
    """Where the post ends that a text begins with; 0 where it begins with none."""
    match = _pattern().match(text)
    return match.end() if match else 0


def post_key(text: str) -> str:
    """The Japanese post that a text means, for comparing: Prof. and Professor are 教授. A post nobody knows
    is its own key.
    """
    folded = _folded(re.sub(r"\([^()]*\)", "", unicodedata.normalize("NFKC", text)))
    return _table().get(folded, folded)
