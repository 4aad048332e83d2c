"""Dates and times: as people write them (西暦 and 和暦, ISO and its relatives, English, with or without month
and day), and as headers and fields give them, in one notation that sorts.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, timezone
from email.utils import parsedate_to_datetime

# The year before the first of each era: 平成元年 is 1989.
ERAS = {
    "明治": 1867,
    "大正": 1911,
    "昭和": 1925,
    "平成": 1988,
    "令和": 2018,
    "m": 1867,
    "t": 1911,
    "s": 1925,
    "h": 1988,
    "r": 2018,
}
MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
JAPAN = timezone(timedelta(hours=9))
UNDATED = "9999"  # sorts after every date
_ISO = re.compile(r"\d{4}-\d\d(?:-\d\d)?")

MONTH_NAME = (  # in a group of the name that is given
    r"(?P<{0}>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|"
    r"dec(?:ember)?)\.?"
)
_MONTH = MONTH_NAME.format("mname")
_KANJI_NUMBER = "〇一二三四五六七八九十"
_PATTERNS = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"(?P<era>明治|大正|昭和|平成|令和)\s*(?P<y>\d{1,2}|元)\s*年(?:\s*(?P<m>\d{1,2})\s*月(?:\s*(?P<d>\d{1,2})\s*日)?)?",
        r"(?<![\d.])(?P<y>(?:1[6-9]|20)\d\d)\s*年(?!度)(?:\s*(?P<m>\d{1,2})\s*月(?:\s*(?P<d>\d{1,2})\s*日)?)?",
        r"(?<![\d.-])(?P<y>(?:1[6-9]|20)\d\d)\s*(?P<sep>[-/.])\s*(?P<m>\d{1,2})\s*(?P=sep)\s*(?P<d>\d{1,2})(?!\d)",
        r"(?<![\d.-])(?P<y>(?:19|20)\d\d)\s*[/.-]\s*(?P<m>0?[1-9]|1[0-2])(?![\d/.-])",
        r"(?<![a-z])(?P<era>[mtshr])\s?\.?\s?(?P<y>\d{1,2})\s*[-/.]\s*(?P<m>\d{1,2})\s*[-/.]\s*(?P<d>\d{1,2})(?!\d)",
        _MONTH + r"\s+(?P<d>\d{1,2})(?:st|nd|rd|th)?,?\s+(?P<y>(?:19|20)\d\d)",
        r"(?<!\d)(?P<d>\d{1,2})(?:st|nd|rd|th)?\s+" + _MONTH + r",?\s+(?P<y>(?:19|20)\d\d)",
        _MONTH + r",?\s+(?P<y>(?:19|20)\d\d)",
    )
)
# Dates and times of day as templates write them, whole or in part, without a look at what they mean.
_GAP, _SPACE = r"\s{0,4}", r"\s{1,4}"  # bounded, so that a long run of white space costs nothing
_MONTH_NAME, _DAY = rf"(?:{'|'.join(MONTHS)})[a-z]*\.?", r"\d{1,2}(?:st|nd|rd|th)?"
WRITTEN_TIME = re.compile(
    "|".join(
        (
            rf"(?:(?:明治|大正|昭和|平成|令和|西暦){_GAP})?(?:\d{{1,4}}|元){_GAP}年{_GAP}\d{{1,2}}{_GAP}月"
            rf"(?:{_GAP}\d{{1,2}}{_GAP}日)?",
            rf"\b[mtshr]\.?\s?\d{{1,2}}{_GAP}[-/.]{_GAP}\d{{1,2}}{_GAP}[-/.]{_GAP}\d{{1,2}}\b",  # R6.4.1
            rf"\b\d{{4}}{_GAP}[-/.]{_GAP}\d{{1,2}}{_GAP}[-/.]{_GAP}\d{{1,2}}",  # ISO 8601 and its relatives
            r"\b\d{1,2}/\d{1,2}/\d{4}\b",
            rf"\d{{1,2}}{_GAP}月{_GAP}\d{{1,2}}{_GAP}日",
            rf"\d{{1,2}}{_GAP}時{_GAP}\d{{1,2}}{_GAP}分(?:{_GAP}\d{{1,2}}{_GAP}秒)?",
            r"\b\d{1,2}[:：]\d{2}(?:[:：]\d{2})?",
            rf"\b{_MONTH_NAME}{_SPACE}{_DAY},?{_SPACE}\d{{4}}",
            rf"\b{_DAY}{_SPACE}{_MONTH_NAME},?{_SPACE}\d{{4}}",
        )
    ),
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True, order=True)
class Date:
    """A date; ``month`` and ``day`` are 0 where nobody said them."""

    year: int
    month: int = 0
    day: int = 0

    def agrees(self, other: Date) -> bool:
        """Whether both can be the same day: what one leaves open the other may say."""
        pairs = zip((self.year, self.month, self.day), (other.year, other.month, other.day), strict=True)
        return all(mine == theirs or not mine or not theirs for mine, theirs in pairs)


def dates_in(text: str) -> Iterator[tuple[int, int, Date]]:
    """The dates in a text with where they start and end, first to last; of those that overlap the more exact
    one.
    """
    folded = text if text.isascii() else unicodedata.normalize("NFKC", text)
    taken: list[tuple[int, int, Date]] = []
    for pattern in _PATTERNS:
        for match in pattern.finditer(folded):
            date = _date(match.groupdict())
            if date and all(match.end() <= start or match.start() >= end for start, end, _ in taken):
                taken.append((match.start(), match.end(), date))
    yield from sorted(taken)


def date_in(text: str) -> Date | None:
    """The first date in a text."""
    return next((date for _, _, date in dates_in(text)), None)


def moment_of(text: str) -> datetime | None:
    """A point in time from a header or a field: HTTP's form, ISO 8601, or any date that ``dates_in`` reads;
    None where there is none.

    Without a zone it counts as UTC, so that the same pages give the same result everywhere.
    """
    text = text.strip()
    if not text:
        return None
    for parse in (datetime.fromisoformat, parsedate_to_datetime):
        try:
            found = parse(text)
        except ValueError:
            continue
        return found if found.tzinfo else found.replace(tzinfo=UTC)
    date = date_in(text)
    return as_moment(date) if date else None


def as_moment(date: Date) -> datetime:
    """The start of the day in Japan; of a month or a year without more, its first day."""
    return datetime(date.year, date.month or 1, date.day or 1, tzinfo=JAPAN)


def _date(parts: dict[str, str | None]) -> Date | None:
    year = 1 if parts["y"] == "元" else int(parts["y"] or 0)
    if era := parts.get("era"):
        year += ERAS[era.lower()]
    name = parts.get("mname")
    month = MONTHS.index(name[:3].lower()) + 1 if name else int(parts.get("m") or 0)
    day = int(parts.get("d") or 0)
    try:
        datetime(year, month or 1, day or 1, tzinfo=UTC)
    except ValueError:
        return None
    return Date(year, month, day)


def utc_time(text: str) -> str:
    """The time of an HTTP header or ISO 8601 text as 2024-11-05T07:12:00Z; "" where there is none that can be
    read.
    """
    text = text.strip()
    try:
        time = datetime.fromisoformat(text) if _ISO.match(text) else parsedate_to_datetime(text)
        time = time.replace(tzinfo=UTC) if time.tzinfo is None else time.astimezone(UTC)
    except (ValueError, TypeError, IndexError, OverflowError):
        return ""
    return f"{time:%Y-%m-%dT%H:%M:%SZ}".rjust(20, "0")
