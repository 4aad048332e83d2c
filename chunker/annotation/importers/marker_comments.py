"""Pages that carry comments of another convention around content or non-content, with the comments of
Nakamura 2007 in their place.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from ruiji.chunker.annotation.importers.gold import NoGold, page_without_gold
from ruiji.chunker.annotation.markers import BEGIN, END
from ruiji.corpora import decode, read_pages
from ruiji.corpora.page import Page

_BODY = re.compile(r"<body\b[^>]*>", re.IGNORECASE)
_BODY_END = re.compile(r"</body\s*>", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class CommentMarkers:
    """What the comments say that begin and end a marked region, and whether they mark content."""

    begin: str
    end: str
    of_content: bool = False


def read_marked(source: Path, markers: CommentMarkers) -> Iterator[Page]:
    """The pages of a file or folder with our comments in place of theirs."""
    for page in read_pages([source]):
        try:
            yield page if page.error else _with_own_markers(page, markers)
        except NoGold as reason:
            yield page_without_gold(page, reason)


def _comments(text: str) -> Iterator[tuple[int, int]]:
    """Where each comment starts and stops."""
    stop = 0
    while (start := text.find("<!--", stop)) >= 0 and (end := text.find("-->", start + len("<!--"))) >= 0:
        stop = end + len("-->")
        yield start, stop


def _with_own_markers(page: Page, markers: CommentMarkers) -> Page:
    """The page as text, with our comments. Raises NoGold where theirs do not take turns."""
    text = page.html if isinstance(page.html, str) else decode(page).text
    begin, end = " ".join(markers.begin.split()), " ".join(markers.end.split())
    marks = [
        (start, stop, said == begin)
        for start, stop in _comments(text)
        if (said := " ".join(text[start + len("<!--") : stop - len("-->")].split())) in (begin, end)
    ]
    if not marks:
        raise NoGold(f"has no comment {begin}")
    if [is_begin for *_, is_begin in marks] != [True, False] * (len(marks) // 2):
        raise NoGold(f"the comments {begin} and {end} do not take turns")
    pieces, last = [], 0
    for start, stop, is_begin in marks:
        pieces += [text[last:start], _own(is_begin != markers.of_content)]
        last = stop
    written = "".join([*pieces, text[last:]])
    return replace(page, html=_around(written) if markers.of_content else written, content_type="")


def _own(is_begin: bool) -> str:
    return f"<!-- {BEGIN if is_begin else END} -->"


def _around(text: str) -> str:
    """The text with its body marked from its beginning to its end: content was what had comments."""
    body = _BODY.search(text)
    start = body.end() if body else 0
    ends = [match.start() for match in _BODY_END.finditer(text, start)]
    stop = ends[-1] if ends else len(text)
    return text[:start] + _own(True) + text[start:stop] + _own(False) + text[stop:]
