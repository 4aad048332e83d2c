"""Titles: the headline of a page, without the name of its site."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import accumulate

from ruiji.chunker.document.metadata.sources import SITE_METAS, MetadataSources

_METAS = (
    "og:title",
    "twitter:title",
    "dc.title",
    "citation_title",
    "parsely-title",
    "sailthru.title",
    "title",
)
SPACE = r"(?<!\s)\s+"  # from its first character, so that a long one is not tried from each of its own
_PARTS = re.compile(
    rf"{SPACE}[|｜\-–—·•:»›«/]+\s+|(?:{SPACE})?[|｜]\s*|(?:{SPACE})?[:：]\s+|{SPACE}[－―]\s*|【[^【】]*】$"
)
_NO_LETTERS = re.compile(r"[\W_]+")  # nor numbers
_LONGEST = 300
_LONGEST_DIVIDED = 2_000  # characters of a title whose parts are looked at; one that is longer is no title
_LONGEST_SITE = 40
_MUCH_LONGER = 2  # times: a part that holds the name of the site says more than that name
_SHORTEST_CUT = 20  # letters that are left of a title that was cut
_SHORTEST = 3  # letters of a headline: three kanji are a title


def site_of(sources: MetadataSources) -> tuple[str, str]:
    """The name of the site, and where it is named."""
    for name, content in sources.meta(*SITE_METAS):
        if len(content) <= _LONGEST:
            return content, f"meta {name}"
    for work in sources.works:
        publisher = work.get("publisher") or work.get("isPartOf")
        if isinstance(publisher, dict) and "name" not in publisher:
            publisher = sources.items.get(str(publisher.get("@id", "")), publisher)
        called = publisher.get("name") if isinstance(publisher, dict) else None
        if isinstance(called, str) and len(called) <= _LONGEST:
            return " ".join(called.split()), "json-ld publisher"
    return "", ""


def title_of(sources: MetadataSources, own: str, site: str, host: str) -> tuple[str, str]:
    """The title of the page, and where it stands; ``own`` is the text of its title element."""
    headings = [
        element.text.rstrip(" ¶#")
        for element in sources.named
        if element.tag == "h1" and 0 < len(element.text) <= _LONGEST
    ]
    headings = [heading for heading in headings if not is_site(heading, site, host)]
    candidates = list(_candidates(sources, own))
    for candidate, _ in candidates[:1]:  # the headline in the page says where the title ends
        beginnings = _beginnings(candidate)
        for heading in headings:
            if _folded(heading) in beginnings or _goes_on(candidate, heading):
                return heading, "h1"
    for candidate, source in candidates:
        return without_site(candidate, site, host), source
    return (headings[0], "h1") if headings else ("", "")


def _goes_on(title: str, heading: str) -> bool:
    """Whether a heading is the whole of a title that was cut to a length."""
    title = title.rstrip()
    beginning = _folded(title) if title.endswith(("...", "…")) else ""
    return len(beginning) >= _SHORTEST_CUT and _folded(heading).startswith(beginning)


def _candidates(sources: MetadataSources, own: str) -> Iterator[tuple[str, str]]:
    for name, content in sources.meta(*_METAS):
        yield content, f"meta {name}"
    if own:
        yield own, "title"
    for work in sources.works:
        if isinstance(headline := work.get("headline"), str) and headline.strip():
            yield " ".join(headline.split()), "json-ld headline"


def _folded(text: str) -> str:
    return _NO_LETTERS.sub("", text.casefold())


def _beginnings(title: str) -> set[str]:
    """The title up to the end of each of its parts, folded: a heading that is one of them is the headline."""
    parts = map(_folded, _PARTS.split(title[:_LONGEST_DIVIDED]))
    return {beginning for beginning in accumulate(parts) if len(beginning) >= _SHORTEST}


def without_site(title: str, site: str, host: str) -> str:
    """A title without the name of the site at its end or beginning."""
    title = " ".join(title.split())
    if len(title) > _LONGEST_DIVIDED:
        return title
    borders = [(match.start(), match.end()) for match in _PARTS.finditer(title)]
    for start, end in reversed(borders):
        if is_site(title[end:], site, host) and title[:start].strip():
            return title[:start].strip()
    for start, end in borders:
        if is_site(title[:start], site, host) and title[end:].strip():
            return title[end:].strip()
    return title


def is_site(part: str, site: str, host: str) -> bool:
    """Whether a part of a title is the name of the site, or most of it."""
    name, known = _folded(part), _folded(site)
    if is_named(part, site, host):
        return True
    if len(name) < 4 or not known or len(name) >= _LONGEST_SITE:
        return False
    return name in known or (known in name and len(name) <= _MUCH_LONGER * len(known))


def is_named(text: str, site: str, host: str) -> bool:
    """Whether a text is the name of the site, as it says itself or as its host is called."""
    labels = {_folded(label) for label in host.split(".")[:-1]} | {_folded(host), _folded(site)}
    return _folded(text) in labels - {""}
