"""Dates and by-lines: short texts that many pages of a site have alike although they belong to one article
each. And counts, by which lines of a template differ from page to page.

Yoshida and Yamamoto 2009, section 4.2: dates have few variants, so another page often has the same one, and a
pattern is needed.
"""

from __future__ import annotations

import re
from functools import lru_cache

from ruiji.features.text.dates import WRITTEN_TIME

LONGEST_BYLINE = 80  # characters; what is longer is a sentence with a date in it
LONGEST_NAME = 12  # letters that are neither date nor by-line word: the name of an author or an agency
MASK = "0"
REMEMBERED = 1 << 13  # short texts of which it is known whether they are dates: those of a template recur

_WORDS = re.compile(
    r"午前|午後|[月火水木金土日]曜日?|[(（][月火水木金土日祝]+[)）]|更新|公開|投稿|掲載|配信|日時|作成|最終|登録|データ|記者|発行|発表|現在|日付?"
    r"|\b(?:[ap]\.?m\.?|(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?|by|posted|published|updated|last|modified|on|at"
    r"|no\.?\s*\d+|jst|gmt|utc)\b",
    re.IGNORECASE,
)
# Whole numbers that count something (visitors, votes, hits) and the years of a copyright. Codes, versions,
# prices, ordinals and the numbers of rooms (館203) are facts of a page.
_NUMBER = (
    r"(?<![\da-z¥￥$€£第])(?<![\da-z][-+.,/:：]){}\d+(?:,\d{{3}})*"
    r"(?![\da-z円号番丁階章節条項室棟年月日時分]|[-+.,/:：][\da-z]){}"
)
_COUNT = re.compile(
    "|".join(
        (
            r"(?<![\da-z.,-])(?:19|20)\d\d\s*[-–—~〜～]\s*(?:19|20)?\d\d(?![\d-])",
            _NUMBER.format("", "(?=[ぁ-ヺ一-鿿%％℃])"),
            _NUMBER.format("(?<![ぁ-ヺ一-鿿])", ""),
            r"[〇一二三四五六七八九]{3,}",
        )
    )
)
_NO_LETTER = re.compile(r"[\W\d_]+")
_DIGIT = re.compile(r"[\d元〇]|[一二三四五六七八九]{3}")


def has_digit(text: str) -> bool:
    """Whether a text has a digit: without, it has no date, and nothing is counted in it."""
    return _DIGIT.search(text) is not None


@lru_cache(maxsize=REMEMBERED)
def _short_dates_masked(text: str) -> str:
    return WRITTEN_TIME.sub(MASK, text)


def dates_masked(text: str) -> str:
    """The text with every date and time of day replaced by one sign, so that a template around a date is the
    same on every page.
    """
    if not has_digit(text):
        return text
    return _short_dates_masked(text) if len(text) <= LONGEST_BYLINE else WRITTEN_TIME.sub(MASK, text)


def counts_masked(text: str) -> str:
    """The text, in lower case and with dates masked, with every count replaced likewise; a text of numbers
    alone stays as it is.
    """
    if not has_digit(text):
        return text
    masked = _COUNT.sub(MASK, text)
    return masked if _NO_LETTER.sub("", masked) else text


def is_byline(text: str) -> bool:
    """Whether a text is a date, with no more around it than words of publishing and a name."""
    return len(text) <= LONGEST_BYLINE and has_digit(text) and _is_dated(text)


@lru_cache(maxsize=REMEMBERED)
def _is_dated(text: str) -> bool:
    without, dates = WRITTEN_TIME.subn(" ", text)
    return dates > 0 and len(_NO_LETTER.sub("", _WORDS.sub(" ", without))) <= LONGEST_NAME
