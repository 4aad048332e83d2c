"""When something takes place: the day, and the hour, that a text begins with."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache

from ruiji.features.text.dates import MONTH_NAME, MONTHS, date_in

_MONTH = MONTH_NAME.format("name")
_NTH = r"(?:st|nd|rd|th)?"
_TO_DAY = re.compile(rf"(?<=\d){_NTH}\s?[-–~]\s?\d{{1,2}}{_NTH}(?=\s{{1,3}}[A-Za-z]{{3}})")  # 15–17 May
# Days without a year: 9月15日, 6/21(土), September 13-16, 13 September.
_DAYS = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"(?<!\d)(?P<month>\d{1,2})\s{0,2}月\s{0,2}(?P<day>\d{1,2})\s{0,2}日",
        r"(?<![\d/])(?P<month>\d{1,2})/(?P<day>\d{1,2})(?=\s?[(（]\s?[月火水木金土日祝])",
        rf"(?<![a-z]){_MONTH}\s{{1,3}}(?P<day>\d{{1,2}})(?!\d)",
        rf"(?<!\d)(?P<day>\d{{1,2}}){_NTH}\s{{1,3}}{_MONTH}(?![a-z])",
    )
)
_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")
_CLOCK = re.compile(
    r"(?P<half>午前|午後)?\s?(?<!\d)(?P<hour>[01]?\d|2[0-4])\s?(?::|時)\s?(?P<minute>[0-5]\d|半)?\s?(?P<english>[ap]\.?m)?"
    r"|(?<!\d)(?P<full>1?\d)\s?(?P<letters>[ap]\.?m)\b",
    re.IGNORECASE,
)
MONTHS_OF_A_YEAR, DAYS_OF_A_MONTH, NOON = 12, 31, 12


@dataclass(frozen=True, slots=True)
class Occasion:
    """A day, its year 0 where nobody said it, and the minute of the day at which it begins; -1 likewise."""

    year: int
    month: int
    day: int
    minute: int = -1

    def agrees(self, other: Occasion) -> bool:
        """Whether both can be the same: what one leaves open the other may say."""
        return (
            (self.month, self.day) == (other.month, other.day)
            and (self.year == other.year or not self.year or not other.year)
            and (self.minute == other.minute or min(self.minute, other.minute) < 0)
        )


@lru_cache(maxsize=1 << 14)
def occasion_of(text: str) -> Occasion | None:
    """The first day that a text names, with its hour; None where it names none."""
    plain = _TO_DAY.sub("", unicodedata.normalize("NFKC", text))
    date = date_in(plain)
    if date is not None and date.day:
        return Occasion(date.year, date.month, date.day, _minute(plain))
    for pattern in _DAYS:
        if match := pattern.search(plain):
            parts = match.groupdict()
            month = int(parts.get("month") or 0) or MONTHS.index(parts["name"][:3].lower()) + 1
            day, year = int(parts["day"]), _YEAR.search(plain)
            if 1 <= month <= MONTHS_OF_A_YEAR and 1 <= day <= DAYS_OF_A_MONTH:
                return Occasion(int(year.group()) if year else 0, month, day, _minute(plain))
    return None


def _minute(plain: str) -> int:
    """The minute of the day that a text names first; -1 for none."""
    plain = re.sub(r"(?<=\d)T(?=\d\d:)", " ", plain)  # ISO 8601
    match = _CLOCK.search(plain)
    if match is None:
        return -1
    hour = int(match["hour"] or match["full"])
    late = match["half"] == "午後" or (match["english"] or match["letters"] or "").lower().startswith("p")
    minute = 30 if match["minute"] == "半" else int(match["minute"] or 0)
    return 60 * (hour + NOON * (late and hour < NOON)) + minute
