"""The annotation comments in the markup of a page: how they are spelt, misspelt, and left open."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher

from ruiji.chunker.annotation.source import MarkupSource
from ruiji.chunker.annotation.tokens import END_TAG, OTHER, RAW, START_TAG, Token

BEGIN = "(((BEGIN NOT CONTENT"
END = ")))END NOT CONTENT"
LONGEST_MISSPELLING = 60  # a comment that is longer only speaks of content
LIKENESS = (
    0.8  # of letters, from which on a comment with parentheses is one of ours: (((BEGN NOT CONTENT has 0.97
)


_LIKE_MARKER = re.compile(rb"(?:[()]\s*+|--\s*+)(?:BEGIN|END)\s++NOT\s++CONTENT", re.IGNORECASE)
_LIKE_MARKER_START = re.compile(r"[\s\-!(){}\[\]<>（）]*(?:BEGIN|END)\s+NOT\s*CONTENT", re.IGNORECASE)
_NAMED_SO = re.compile(r"(?:BEGIN|END)\W*NO[NT]\W*CONTENT")
_PARENTHESES = re.compile(r"^\W*[()]{2}")
_NO_LETTERS = re.compile(r"[^A-Z]+")


def comment_text(source: MarkupSource, token: Token) -> str:
    """What a comment says."""
    text = source.utf8[token.start : token.end].decode("utf-8")
    if text.startswith("<!--"):
        return re.sub("--!?>$", "", text[4:])
    return text[1 if text.startswith("<?") else 2 :].removesuffix(">")


def last_comment(text: str) -> str:
    """The last comment in a comment: one that somebody forgot to close swallows what follows, up to the end
    of our marker.
    """
    return " ".join(text.rpartition("<!--")[2].split())


def is_misspelt(marker: str) -> bool:
    """Whether a comment that is no marker was meant as one."""
    if marker in (BEGIN, END) or len(marker) >= LONGEST_MISSPELLING:
        return False
    plain = unicodedata.normalize("NFKC", marker).upper()
    if "NOT CONTENT" in plain or _NAMED_SO.search(plain):
        return True
    letters = _NO_LETTERS.sub("", plain)
    return (
        bool(_PARENTHESES.match(plain))
        and max(_likeness(letters, BEGIN), _likeness(letters, END)) >= LIKENESS
    )


def _likeness(letters: str, marker: str) -> float:
    return SequenceMatcher(None, letters, _NO_LETTERS.sub("", marker), autojunk=False).ratio()


def unclosed_markers(text: str) -> Iterator[tuple[int, str]]:
    """Offset and spelling of markers in a comment that goes on after them: nobody closed it where they
    end.
    """
    start = 0
    *swallowed, last = text.split("<!--")
    for part in swallowed:
        if match := _LIKE_MARKER_START.match(part):
            yield start, _spelling(match)
        start += len(part) + len("<!--")
    if match := _LIKE_MARKER_START.match(last):
        rest = last[match.end() :].strip()
        if len(rest) >= LONGEST_MISSPELLING or "<" in rest or ">" in rest:
            yield start, _spelling(match)


def _spelling(match: re.Match[str]) -> str:
    return " ".join(match.group().split())


def unread_markers(source: MarkupSource, tokens: Sequence[Token]) -> Iterator[tuple[int, str]]:
    """Place and situation of what looks like a marker and is no comment: in raw text, inside a tag, in
    text.
    """
    starts = [token.start for token in tokens]
    for match in _LIKE_MARKER.finditer(source.utf8):
        place = match.start()
        index = bisect_right(starts, place) - 1
        token = tokens[index] if index >= 0 and place < tokens[index].end else None
        if token is None:
            if _is_meant(source.utf8, match):
                yield place, "as text, not as a comment"
        elif token.kind == RAW:
            yield place, f"inside <{token.name.decode()}>, where there are no comments"
        elif token.kind in (START_TAG, END_TAG):
            yield place, f"inside the tag <{'/' * (token.kind == END_TAG)}{token.name.decode('utf-8')}>"
        elif token.kind == OTHER:
            yield place, "inside other markup" if token.whole else "inside a tag that is not closed"


def _is_meant(markup: bytes, match: re.Match[bytes]) -> bool:
    """Whether a marker in text was meant as one: a page about annotation writes &lt; for the brackets."""
    before, after = (
        markup[max(0, match.start() - 12) : match.start() + 2],
        markup[match.end() : match.end() + 8],
    )
    return b"&lt;" not in before.lower() and b"&gt;" not in after.lower()
