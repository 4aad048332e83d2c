"""Times of publication and change: as pages state them, in ISO 8601."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime

from ruiji.chunker.document.metadata.sources import MetadataSources, NamedElement
from ruiji.features.text.dates import dates_in

_PUBLISHED = tuple(
    (
        "article:published_time og:article:published_time og:published_time datepublished parsely-pub-date "
        "sailthru.date pubdate publishdate publish-date publish_date published publication_date "
        "dc.date.issued dcterms.issued dcterms.created dc.date.created dc.date dcterms.date date "
        "article.published citation_publication_date citation_date cxenseparse:recs:publishtime "
        "article_date_original originalpublicationdate displaydate ptime rnews:datepublished time"
    ).split()
)
_MODIFIED = (
    "article:modified_time", "og:article:modified_time", "og:updated_time", "datemodified", "last-modified",
    "lastmod", "dcterms.modified",
    "dc.date.modified", "revised", "article.updated", "updated_time",
)  # fmt: skip
_ADDRESS = re.compile(
    r"/((?:19|20)\d\d)[/-]?(0[1-9]|1[0-2])[/-]?(0[1-9]|[12]\d|3[01])(?=\D|$)|/((?:19|20)\d\d)/(\d{1,2})/"
    r"(\d{1,2})(?=/)"
)
_SAYS_PUBLISHED = re.compile(
    r"publi|posted|created|pubdate|entry-date|date-?line|post-date|article-date|byline", re.IGNORECASE
)
_SAYS_DATE = re.compile(
    r"(?:^|[\s_-])(?:date|time|posted|published|timestamp|dateline|meta|byline)(?:$|[\s_-])|[a-z]Date|date-?time",
    re.IGNORECASE,
)
_SAYS_MODIFIED = re.compile(r"modif|lastmod|updat|edited|revis", re.IGNORECASE)
_SAYS_ANOTHER = re.compile(r"access|retriev|event|birth|bday", re.IGNORECASE)
# What stands before a day in a line that has no name of its own.
_PUBLISHED_LINE = re.compile(
    r"(?:published|posted|first published|date of publication|publication date|release date|released|written)"
    r"(?: on| at)?\s*+(?:[:：]\s*+)?(?=\S)|"
    r"(?:公開|投稿|掲載|配信|作成|発行|初版)日?時?\s*+(?:[:：]\s*+)?(?=\S)|"
    r"(?:veröffentlicht|erschienen|publié|publicado|pubblicato|gepubliceerd|опубликовано)"
    r"(?: am| le| el| il| op)?\s*+(?:[:：]\s*+)?(?=\S)",
    re.IGNORECASE,
)
_MODIFIED_LINE = re.compile(
    r"(?:(?:this page was )?last (?:updated?|modified|edited|revised|changed)|updated|modified)"
    r"(?: on| at)?\s*+(?:[:：]\s*+)?(?=\S)|(?:最終)?(?:更新|改訂|修正)日?時?\s*+(?:[:：]\s*+)?(?=\S)|"
    r"(?:zuletzt (?:aktualisiert|geändert)|aktualisiert|mis à jour|actualizado|aggiornato)"
    r"(?: am| le| el| il)?\s*+(?:[:：]\s*+)?(?=\S)",
    re.IGNORECASE,
)
_ISO = re.compile(
    r"(\d{4}-\d\d-\d\d)[T ](\d\d:?\d\d(?::?\d\d)?)(?:[.,"
    r"]\d+)?\s*(Z|[+-]\d\d:?\d\d|[+-]\d\d)?$|(\d{4}-\d\d-\d\d)$"
)
_EUROPEAN = re.compile(
    r"(?<![\d.])(\d{1,2})\.\s?(\d{1,2})\.\s?((?:19|20)\d\d)(?!\d)"
)  # points: the day comes first
_FIRST, _LAST = 1990, 2100  # years in which pages are published
_TEXTS_BELOW = 15  # of a headline, in which its date stands: tags, by-lines and shares come first
_SHORT_LINE = 60  # characters of a text that is a date and little else
_LONGEST = 120  # characters of an element that shows a date


def published_of(sources: MetadataSources, url: str) -> tuple[str, str]:
    """When the page was published, and where it says so; where it says only when it was changed, that."""
    published = _first(_published(sources, url))
    return published if published[0] else modified_of(sources)


def modified_of(sources: MetadataSources) -> tuple[str, str]:
    """When the page was changed, and where it says so."""
    return _first(_modified(sources))


def _first(candidates: Iterator[tuple[str, str]]) -> tuple[str, str]:
    for text, source in candidates:
        if time := iso_time(text):
            return time, source
    return "", ""


def _published(sources: MetadataSources, url: str) -> Iterator[tuple[str, str]]:
    for key in ("datePublished", "dateCreated", "uploadDate"):
        for work in sources.works:
            if isinstance(work.get(key), str):
                yield work[key], f"json-ld {key}"
    for name, content in sources.meta(*_PUBLISHED):
        yield content, f"meta {name}"
    for element in sources.named:
        if "datepublished" in element.attributes.get("itemprop", "").lower():
            yield _said(element), "itemprop datePublished"
    times = [element for element in sources.named if element.tag == "time" and not _is_of_another(element)]
    for element in times:
        if _SAYS_PUBLISHED.search(_called(element)):
            yield _said(element), "time"
    if match := _ADDRESS.search(url):
        year, month, day = (int(part) for part in match.groups() if part)
        yield f"{year:04}-{month:02}-{day:02}", "address"
    for element in times:
        yield _said(element), "time"
    for element in sources.named:
        if "published" in _called(element).lower().split() and len(element.text) <= _LONGEST:
            yield _said(element), "by-line"
    for element in sources.named:
        if (
            _SAYS_DATE.search(_called(element))
            and not _is_of_another(element)
            and len(element.text) <= _LONGEST
        ):
            yield _said(element), "by-line"
    for text in _lines_after(_PUBLISHED_LINE, sources):
        yield text, "by-line"
    for text in _below_headline(sources):
        yield text, "below the headline"


def _modified(sources: MetadataSources) -> Iterator[tuple[str, str]]:
    for work in sources.works:
        if isinstance(work.get("dateModified"), str):
            yield work["dateModified"], "json-ld dateModified"
    for name, content in sources.meta(*_MODIFIED):
        yield content, f"meta {name}"
    for element in sources.named:
        if _SAYS_MODIFIED.search(_called(element)) and len(element.text) <= _LONGEST:
            yield _said(element), "by-line"
    for text in _lines_after(_MODIFIED_LINE, sources):
        yield text, "by-line"


def _is_of_another(element: NamedElement) -> bool:
    """Whether an element is called the date of a change, or of something else."""
    called = _called(element)
    return bool(_SAYS_MODIFIED.search(called) or _SAYS_ANOTHER.search(called))


def _lines_after(words: re.Pattern[str], sources: MetadataSources) -> Iterator[str]:
    """What short texts say behind some words, or the text behind one that has only these."""
    for place, text in enumerate(sources.texts):
        if len(text) > 2 * _LONGEST:
            continue
        line = " ".join(text.split())
        match = words.match(f"{line} .")
        if match and match.end() > len(line):
            yield (
                " ".join(sources.texts[place + 1].split())[:_LONGEST]
                if place + 1 < len(sources.texts)
                else ""
            )
        elif match:
            yield line[match.end() :][:_LONGEST]


def _below_headline(sources: MetadataSources) -> Iterator[str]:
    """Short texts right behind the headline."""
    for element in sources.named:
        if element.tag == "h1" and element.text:
            for text in sources.texts[element.first + 1 : element.first + _TEXTS_BELOW]:
                line = " ".join(text.split())
                if len(line) <= _SHORT_LINE and any(map(str.isdigit, line)):
                    yield line


def _called(element: NamedElement) -> str:
    return " ".join(element.attributes.get(name, "") for name in ("itemprop", "class", "id", "rel"))


def _said(element: NamedElement) -> str:
    return element.attributes.get("datetime") or element.attributes.get("content") or element.text


def iso_time(text: str) -> str:
    """A point in time or a day as ISO 8601; empty where there is none of our times."""
    text = " ".join(text.split())
    match = _ISO.match(text)
    if match:
        try:
            time = datetime.fromisoformat(text.replace(" ", "T", 1) if match.group(1) else text)
        except ValueError:
            return iso_time(match.group(1)) if match.group(1) else ""
        shown = time.isoformat() if match.group(1) else f"{time:%Y-%m-%d}"
        return shown if _FIRST <= time.year <= _LAST else ""
    if re.fullmatch(r"1\d{9}(?:\d{3})?", text):
        return datetime.fromtimestamp(int(text[:10]), UTC).isoformat()
    if compact := re.match(r"((?:19|20)\d\d)(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])(?=\D|$)", text):
        return "-".join(compact.groups())
    if european := _EUROPEAN.search(text):
        day, month, year = (int(part) for part in european.groups())
        return f"{year:04}-{month:02}-{day:02}" if 1 <= month <= 12 and 1 <= day <= 31 else ""
    date = next((date for _, _, date in dates_in(text) if date.day), None)
    return f"{date.year:04}-{date.month:02}-{date.day:02}" if date and _FIRST <= date.year <= _LAST else ""
