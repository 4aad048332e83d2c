"""What the parser is given of a page: its markup as UTF-8, within the caps on size and nesting."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace

import numpy as np

from ruiji.corpora.c_modules import compiled
from ruiji.corpora.encoding.decoding import decode
from ruiji.corpora.page import Page
from ruiji.features.page.attributes import LONG_TAG, MAX_ATTRIBUTES, MAX_ROOTS, bare_roots, cap_attributes
from ruiji.features.page.frames import close_frames
from ruiji.features.page.nesting import HONEST_TAGS, SUSPICIOUS_DEPTH, cap_depth, may_be_deeper

# Bytes of UTF-8: text of that size takes a gigabyte until its features are there. Real pages have 5 MB at
# most (of 3,112), the longest books in one page 15 MB.
MAX_BYTES = 32 << 20
# Start tags, and "<" in all: an element of four bytes takes a kilobyte until its features are there. Real
# pages have 16,000 start tags at most.
MAX_TAGS, MAX_BRACKETS = 500_000, 1_200_000
MAX_TEMPLATES = (
    2_000  # one in another to that depth; the parser writes them by recursion. Real pages have up to 171
)


class PageFailed(ValueError):
    """A page that gives no text nodes; the message is what its record carries as error.

    >>> import ruiji
    >>> ruiji.extract(b"")
    Traceback (most recent call last):
    ...
    ruiji.features.page.parser_input.PageFailed: the page is empty (0 bytes)
    """


@dataclass(frozen=True, slots=True, eq=False)
class ParserInput:
    """The markup for the parser, the page's encoding with the evidence for it, and how many characters the
    caps left out, by reason.
    """

    utf8: bytes
    encoding: str
    evidence: str
    dropped: Counter[str]

    def with_frames_closed(self) -> ParserInput:
        """The markup with an end tag for each frame that its ``<noscript>`` leaves open; itself where there
        is none.
        """
        closed = close_frames(self.utf8)
        return self if closed is self.utf8 else replace(self, utf8=closed)


def parser_input(page: Page) -> ParserInput:
    """The markup of a page. Raises PageFailed with the reason where there is none."""
    if page.error:
        raise PageFailed(page.error)
    if not page.html:
        raise PageFailed("the page is empty (0 bytes)")
    try:
        decoded = decode(page)
    except ValueError as error:
        raise PageFailed(str(error)) from error
    dropped: Counter[str] = Counter()
    if decoded.undecodable:
        dropped["undecodable"] = decoded.undecodable
    markup = decoded.utf8
    if is_ordinary(markup):
        return ParserInput(markup, decoded.encoding, decoded.evidence, dropped)
    end = _cut(markup)
    if end < len(markup):
        kept = markup[:end].decode("utf-8", "ignore")
        dropped["size"] = len(markup.decode("utf-8")) - len(kept)
        markup = kept.encode("utf-8")
    if len(markup) > MAX_TEMPLATES and markup.lower().count(b"<template") > MAX_TEMPLATES:
        raise PageFailed(f"the page has more than {MAX_TEMPLATES} templates")
    markup, crowd = cap_attributes(markup)
    markup, merged = bare_roots(markup)
    if crowd + merged:
        dropped["attributes"] = crowd + merged
    markup, flattened = cap_depth(markup) if may_be_deeper(markup) else (markup, 0)
    if flattened:
        dropped["nesting"] = flattened
    return ParserInput(markup, decoded.encoding, decoded.evidence, dropped)


def is_ordinary(markup: bytes) -> bool:
    """Whether the markup keeps to all limits, as nearly every page does; by one look at its bytes, where the
    loop in C was built.
    """
    survey = compiled("ruiji.features.page._survey")
    return survey is not None and survey.keeps_to(
        markup, MAX_BYTES, MAX_BRACKETS, min(MAX_TAGS, HONEST_TAGS), MAX_TEMPLATES, LONG_TAG, MAX_ATTRIBUTES,
        SUSPICIOUS_DEPTH, MAX_ROOTS,
    )  # fmt: skip


def _cut(markup: bytes) -> int:
    """Where the markup is to end, so that it keeps to the limits on bytes and tags."""
    if len(markup) <= min(MAX_TAGS, MAX_BYTES):
        return len(markup)
    data = np.frombuffer(markup[:MAX_BYTES], dtype=np.uint8)
    brackets = np.flatnonzero(data[:-1] == ord("<"))
    letter = data[brackets + 1] | 0x20
    tags = brackets[(letter >= ord("a")) & (letter <= ord("z"))]
    ends = [len(data)]
    ends += [
        int(places[most])
        for places, most in ((tags, MAX_TAGS), (brackets, MAX_BRACKETS))
        if len(places) > most
    ]
    return min(ends)
