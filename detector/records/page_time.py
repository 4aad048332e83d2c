"""When a page was last changed: by its HTTP header, by its own words, or else when it was fetched (section
3.1.3 of the paper). Pages of a year that their address names (``/2010/staff``) tell of that year.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from ruiji.corpora.page import Page
from ruiji.detector.records.fields.values import year_of
from ruiji.detector.records.model import ADDRESS
from ruiji.features.text.dates import Date, as_moment, dates_in, moment_of

SAID = re.compile(
    r"(?:最終)?更新(?:日時?|年月日|時刻)?|改訂日?|改定日?|最終変更|last[\s-]*(?:updated?|modified|change[ds]?|revised)|updated(?:\s+on)?|date\s+modified|revised",
    re.IGNORECASE,
)
REACH = 24  # characters between such a word and its date, either way
CRAWL_FIELDS = (
    "crawled",
    "fetched",
    "retrieved",
    "crawl_date",
    "crawled_at",
    "fetched_at",
    "warc_date",
    "warc-date",
    "WARC-Date",
    "date",
    "timestamp",
)
HEADER, TEXT, CRAWL, TWO_CRAWLS, UNKNOWN = "header", "text", "crawl", "crawls", ""
MIDDLE = (7, 1)  # month and day that stand for a year of which nothing else is known


@dataclass(frozen=True, slots=True)
class PageTime:
    """A point in time, if any, and where it comes from: header, text, address or crawl."""

    moment: datetime | None
    source: str = UNKNOWN

    def shown(self) -> str:
        """ISO 8601; "" where nobody knows."""
        return self.moment.isoformat() if self.moment else ""


def page_time(page: Page, texts: Sequence[str], crawled: str = "") -> PageTime:
    """When the page was last changed, or at the latest: ``crawled`` is when a page was fetched that does not
    say it itself.
    """
    if moment := moment_of(page.last_modified):
        return PageTime(moment, HEADER)
    if said := said_time(texts):
        return PageTime(said, TEXT)
    if year := year_of(page.url):
        return PageTime(as_moment(Date(year, *MIDDLE)), ADDRESS)
    for field in CRAWL_FIELDS:
        if (value := page.extra.get(field)) and (moment := moment_of(str(value))):
            return PageTime(moment, CRAWL)
    return PageTime(moment, CRAWL) if (moment := moment_of(crawled)) else PageTime(None)


def said_time(texts: Sequence[str]) -> datetime | None:
    """The latest date that the page itself calls that of its last change."""
    found = []
    for place, text in enumerate(texts):
        if not SAID.search(text):
            continue
        near = unicodedata.normalize("NFKC", text)
        if not any(True for _ in dates_in(near)) and place + 1 < len(texts):  # <b>更新日</b> 2024年4月8日
            near = f"{near} {unicodedata.normalize('NFKC', texts[place + 1][:REACH])}"
        words = [match.span() for match in SAID.finditer(near)]
        for start, end, day in dates_in(near):
            if any(0 <= start - word[1] <= REACH or 0 <= word[0] - end <= REACH // 2 for word in words):
                found.append(day)
    return as_moment(max(found)) if found else None
