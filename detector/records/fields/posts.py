"""Posts and ranks: 教授, 課長, Associate Professor, and which of them are one post in two languages or
spellings.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache

from ruiji.detector.records.fields.data import data_lines

LONGEST_ROLE = 60  # characters; a longer text only mentions one
LONGEST_POST = 120  # characters of several posts of one person

_PREFIX = (
    r"(?:特任|特命|特別|客員|名誉|招聘|非常勤|副|元|前|新任|上級|主席|首席|統括|シニア|チーフ|アシスタント"
    r"|技術|営業|製造|総務|人事|開発|企画|広報|経理|情報|品質|生産)?"
)
_BRACKETS = re.compile(r"\([^()]*\)")
_ORDINALS = {
    word: str(number)
    for number, words in enumerate(
        ("first 1st 一", "second 2nd 二", "third 3rd 三", "fourth 4th 四", "fifth 5th 五", "sixth 6th 六"), 1
    )
    for word in words.split()
}
# 2年, 2回生; First-year, 1st grade; the digit of M2.
_YEAR_OF_STUDY = re.compile(
    r"第?(?P<ja>[1-6一二三四五六])\s?(?:年次?生?|回生)|"
    rf"\b(?P<en>{'|'.join(word for word in _ORDINALS if word.isascii())})[\s-]?(?:years?|grade)\b|"
    r"(?<=^[BMD])(?P<letter>[1-6])$",
    re.IGNORECASE,
)
_STUDENT = (
    r"(?:博士(?:前期|後期)?課程|修士課程|学部|研究生|大学院)?\s*[BMD]?[1-6１-６一二三四五六]\s*(?:年"
    r"生?|回生)|[BMD][1-6]"
)


@lru_cache(maxsize=1)
def _table() -> dict[str, frozenset[str]]:
    """Each post as people write it, folded → the Japanese posts that it may mean: one in Japanese itself, one
    in English each of the Japanese forms of its lines.
    """
    found: dict[str, frozenset[str]] = {}
    for line in data_lines("posts.txt"):
        japanese, _, english = line.partition("|")
        forms = japanese.split(",")
        for form in forms:
            found.setdefault(_folded(form), frozenset((form,)))
        for form in english.split(","):
            found[_folded(form)] = found.get(_folded(form), frozenset()) | frozenset(forms)
    return found


@lru_cache(maxsize=1)
def _first_meaning() -> dict[str, str]:
    """Each post as people write it, folded → the one Japanese post that stands for it."""
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
def _courses() -> dict[str, frozenset[str]]:
    """Each course of study as people write it, folded → the courses that it may mean."""
    found: dict[str, frozenset[str]] = {}
    for line in data_lines("courses.txt"):
        course, _, forms = line.partition("|")
        for form in (course, *forms.split(",")):
            found[_folded(form)] = found.get(_folded(form), frozenset()) | {course}
    return found


@lru_cache(maxsize=1)
def _employment() -> re.Pattern[str]:
    """Words of ``data/employment.txt`` before a folded post."""
    words = sorted((_folded(word) for word in data_lines("employment.txt")), key=len, reverse=True)
    return re.compile(f"(?:{'|'.join(map(re.escape, words))})+")


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
    """A post without width, case, spaces, dots, hyphens, and the s of more than one."""
    plain = unicodedata.normalize("NFKC", text).casefold().replace("’", "'")
    plain = re.sub(r"(?<=[a-z]{3})(?:'s|s'?)(?![a-z])", "", plain)
    return re.sub(r"[\s.．-]+", "", plain)


@lru_cache(maxsize=1)
def post_words() -> frozenset[str]:
    """The Latin words of all posts, in lower case."""
    english = [line.partition("|")[2] for line in data_lines("posts.txt")]
    return frozenset(word for forms in english for word in re.findall(r"[a-z]+", forms.casefold()))


def is_post(text: str) -> bool:
    """Whether a text is a post and nothing else but what stands in brackets."""
    if len(text) > LONGEST_POST:
        return False
    text = _BRACKETS.sub("", unicodedata.normalize("NFKC", text)).strip()
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


def excludes_others(text: str) -> bool:
    """Whether a post can contradict another: not a part in one event (スピーカー, Keynote), which leaves room
    for others, nor what somebody tells of themselves in sentences.
    """
    plain = unicodedata.normalize("NFKC", text).strip()
    return (
        len(plain) <= LONGEST_ROLE
        and "。" not in plain
        and _BRACKETS.sub("", plain).strip(" []*:").casefold() not in _parts_in_events()
    )


@lru_cache(maxsize=1)
def _parts_in_events() -> frozenset[str]:
    return frozenset(line.casefold() for line in data_lines("parts_in_events.txt"))


@dataclass(frozen=True, slots=True)
class PostMeaning:
    """What a post may mean: the Japanese posts or courses of study, those without its kind of employment, and
    the year of study ("" where it names none). Both are empty for a post nobody knows.
    """

    posts: frozenset[str]
    plain: frozenset[str]
    year: str = ""


@lru_cache(maxsize=1 << 14)
def post_meaning(text: str) -> PostMeaning:
    """What a post means, for comparing it across languages and spellings: 特定助教 is an Assistant Professor,
    M2 a Second-year Master Student.
    """
    written = _BRACKETS.sub("", unicodedata.normalize("NFKC", text)).strip()
    if study := _study(written):
        return study
    folded = _folded(written)
    posts = _table().get(folded, frozenset())
    employed = _employment().match(folded)
    plain = _table().get(folded[employed.end() :], frozenset()) if employed else frozenset()
    return PostMeaning(posts, posts | plain)


def _study(written: str) -> PostMeaning | None:
    """The course and year of study that a text names; None where it is no student's."""
    named = _YEAR_OF_STUDY.search(written)
    word = str(named[named.lastgroup or 0]).casefold() if named else ""
    course = _folded(_YEAR_OF_STUDY.sub(" ", written))
    courses = _courses().get(course, frozenset())
    known = bool(courses) and (bool(word) or len(course) > 1)
    return PostMeaning(courses, courses, _ORDINALS.get(word, word)) if known else None


def post_key(text: str) -> str:
    """The Japanese post that a text means, for comparing: Prof. and Professor are 教授. A post nobody knows
    is its own key.
    """
    written = _BRACKETS.sub("", unicodedata.normalize("NFKC", text)).strip()
    if study := _study(written):
        return "/".join(sorted(study.posts)) + study.year
    folded = _folded(written)
    return _first_meaning().get(folded, folded)
