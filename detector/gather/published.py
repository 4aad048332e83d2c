"""When a page was published, as it says itself: in its head or its data, in a ``<time>`` element that is
marked so, or in its address; for people also beside its headline (``headline_date``). A ``<time>`` that is
not marked may be any day, of a session or a sale, and is not read.

Last-Modified is when a page was last touched; this is when it was written, and so the better witness of what
was first. Looked for in the markup as it was fetched: names and dates are ASCII in every encoding that pages
have but UTF-16, where only the address is read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date

from ruiji.corpora.page import Page
from ruiji.features.text.dates import utc_time

# Where a page says it, in the order of belief.
META, DATA, TIME, ADDRESS, LINE = "meta", "data", "time", "address", "line"
_NAMES = (
    r"(?:article:published_time|og:published_time|datePublished|dc\.date(?:\.issued)?|dcterms\.(?:created|issued|date)"
    r"|pubdate|publish-?date|date)"
)
_META = re.compile(r"<meta\s(?:[^<>]++|<(?!meta\s))*+>")
_META_NAME = re.compile(r"\b(?:property|name|itemprop)\s*=\s*[\"']?" + _NAMES + r"[\"'\s/>]", re.IGNORECASE)
_META_VALUE = re.compile(r"\bcontent\s*=\s*[\"']?([^\"'>]{4,40})")
_DATA = re.compile(r"\"datePublished\"\s*:\s*\"([^\"]{4,40})\"")  # JSON-LD
_DATA_NAME, _TIME_START = re.compile(rb'"datePublished"'), re.compile(rb"<[tT][iI][mM][eE]\s")
_TIME = re.compile(r"<time\s(?:[^<>]++|<(?!time\s))*+>", re.IGNORECASE)
_TIME_NAME = re.compile(
    r"\bpubdate\b|\b(?:itemprop|class|property|rel)\s*=\s*+[\"']?[^\"'>]{0,400}"
    r"(?:datepublished|publish|entry-date|post-date|posted|created|dt-pub)",
    re.IGNORECASE,
)
_TIME_VALUE = re.compile(r"\bdatetime\s*=\s*[\"']?([^\"'>]{4,40})", re.IGNORECASE)
_ISO = re.compile(r"\s*((?:19|20)\d\d)-(\d\d)(?:-(\d\d))?(?!\d)")
# /2009/05/12/, /2009-05-12.html, /20090512-harbour, /2009/05/; a year alone is often that of an event.
_ADDRESS = re.compile(
    r"/[^/]*?(?<![\d.])((?:19|20)\d\d)([/_-]?)(0[1-9]|1[0-2])(?:\2(0[1-9]|[12]\d|3[01])(?:\d{4}(?:\d\d)?(?="
    r"\D|$))?)?"
    r"(?![\d.]\d|\d)"
)
_WINDOW = 1 << 12  # bytes of an element, or of a name with its value
_HEAD = 1 << 16  # characters in which meta elements are looked for; a head is seldom longer


@dataclass(frozen=True, slots=True)
class Published:
    """A day or a month, 2009-05-12 or 2009-05, and where the page says so; both "" where it does not."""

    day: str = ""
    by: str = ""


def published(page: Page) -> Published:
    """When the page was published."""
    html = page.html
    coding = "utf-8" if page.is_text or isinstance(html, str) else "latin-1"
    markup = html.encode("utf-8", "surrogatepass") if isinstance(html, str) else html
    for by, values in (
        (META, _in_head(markup[: 4 * _HEAD].decode(coding, "ignore")[:_HEAD])),
        (DATA, _in_data(markup, coding)),
        (TIME, _in_times(markup, coding)),
    ):
        for value in values:
            if day := _day(value):
                return Published(day, by)
    day = _in_address(page.url)
    return Published(day, ADDRESS if day else "")


def stated(value: str) -> Published:
    """The day that a field of a row gives, as the page itself would say it."""
    day = _day(value)
    return Published(day, META if day else "")


def _in_head(head: str) -> Iterator[str]:
    """What meta elements with a name for it say."""
    for meta in _META.findall(head):
        if _META_NAME.search(meta):
            yield from _META_VALUE.findall(meta)


def _in_data(markup: bytes, coding: str) -> Iterator[str]:
    """What data for programs say."""
    if b'"datePublished"' not in markup:  # which takes half of the time of an expression
        return
    for window in _windows(markup, _DATA_NAME, coding):
        if match := _DATA.match(window):
            yield match.group(1)


def _in_times(markup: bytes, coding: str) -> Iterator[str]:
    """What time elements that mean publication say."""
    for window in _windows(markup, _TIME_START, coding):
        if (element := _TIME.match(window)) and _TIME_NAME.search(element.group()):
            yield from _TIME_VALUE.findall(element.group())


def _windows(markup: bytes, sought: re.Pattern[bytes], coding: str) -> Iterator[str]:
    """The markup from each place on where something begins: most pages have none, and no string need be made
    of them.
    """
    for match in sought.finditer(markup):
        yield markup[match.start() : match.start() + _WINDOW].decode(coding, "ignore")


def _in_address(url: str) -> str:
    """The day or month in the path of an address."""
    match = _ADDRESS.search(url.partition("//")[2].partition("?")[0])
    return _valid(match.group(1), match.group(3), match.group(4)) if match else ""


def _day(text: str) -> str:
    """The day of ISO 8601 as it was written, or of HTTP's form."""
    match = _ISO.match(text)
    return _valid(*match.groups()) if match else utc_time(text)[:10]


def _valid(year: str, month: str, day: str | None) -> str:
    try:
        found = date(int(year), int(month), int(day or 1))
    except ValueError:
        return ""
    return f"{found:%Y-%m-%d}" if day else f"{found:%Y-%m}"
