"""A page becomes text nodes: one parse, one walk, flat arrays."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ruiji.corpora.page import STANDARD_FORMAT, Page
from ruiji.features.arrays import ByteArray, IntArray
from ruiji.features.page.frames import FRAME
from ruiji.features.page.links import LinkKind, host_of, link_kinds
from ruiji.features.page.markup import Markup
from ruiji.features.page.parser_input import PageFailed, ParserInput, parser_input
from ruiji.features.page.steps import Steps
from ruiji.features.page.textnodes import (
    GIVEN_SENTENCE,
    NO_LINK,
    NOSCRIPT,
    PREFORMATTED,
    SPACE_BEFORE,
    Names,
    Tags,
    TextNodes,
)
from ruiji.features.page.trace import (
    BLANK,
    BLOCK_BORDER,
    IN_NOSCRIPT,
    LINE_BORDER,
    NO_ELEMENT,
    SPACE_SHOWN,
    Trace,
    trace,
)
from ruiji.features.page.walk import steps_through

DESCRIPTIONS = frozenset(
    ("description", "og:description", "twitter:description")
)  # meta elements in which a page describes itself
_WHITE_SPACE = re.compile("[ \t\n\r\f]+")


def text_nodes(page: Page, named: bool = True, detailed: bool = False) -> TextNodes:
    """The text nodes of a page. Raises PageFailed with the reason where there cannot be any."""
    (nodes,) = text_nodes_of([page], named, detailed)
    if isinstance(nodes, PageFailed):
        raise nodes
    return nodes


def text_nodes_and_markup(page: Page) -> tuple[TextNodes, bytes]:
    """The text nodes of a page and the markup that the parser was given, for who goes through the tree again.
    Raises PageFailed.
    """
    markup = parser_input(page).with_frames_closed()
    (nodes,) = _columns([_walk_page(page, markup, named=True)])
    return nodes, markup.utf8


def text_nodes_of(
    pages: Sequence[Page], named: bool = True, detailed: bool = False
) -> list[TextNodes | PageFailed]:
    """The text nodes of each page, or why there are none; the arrays of all pages are made together, which is
    faster.

    ``named``: with what classes, ids and roles call the elements, which some features want. ``detailed``:
    with the markup that a document is written from.
    """
    walks: list[_PageWalk | PageFailed] = []
    for page in pages:
        try:
            walks.append(_walk_page(page, parser_input(page), named, detailed))
        except PageFailed as failure:
            walks.append(failure)
    nodes = _columns([walk for walk in walks if isinstance(walk, _PageWalk)])
    return [walk if isinstance(walk, PageFailed) else next(nodes) for walk in walks]


@dataclass(frozen=True, slots=True, eq=False)
class _PageWalk:
    """A page after its walk: the steps, and what the record of the page says of its markup."""

    steps: Steps
    link_kinds: Sequence[LinkKind]
    url: str
    given: bool
    encoding: str
    evidence: str
    dropped: Mapping[str, int]


def _walk_page(page: Page, markup: ParserInput, named: bool, detailed: bool = False) -> _PageWalk:
    """Parses and walks the markup of a page; what is not shown is counted in ``dropped``."""
    steps = steps_through(markup.utf8, named, detailed)
    if FRAME in steps.hidden and (closed := markup.with_frames_closed()) is not markup:
        steps = steps_through(closed.utf8, named, detailed)
    dropped = markup.dropped + Counter(steps.hidden)
    base_host = host_of(steps.base)
    return _PageWalk(
        steps=steps,
        link_kinds=link_kinds(steps.hrefs, host_of(page.url) or base_host, base_host),
        url=page.url,
        given=STANDARD_FORMAT in page.extra,
        encoding=markup.encoding,
        evidence=markup.evidence,
        dropped=dict(sorted(dropped.items())),
    )


def _columns(pages: Sequence[_PageWalk]) -> Iterator[TextNodes]:
    """The columns of each page, by array arithmetic on the steps of all."""
    if not pages:
        return
    whole = trace([page.steps for page in pages])
    block, line, flags = _surroundings(whole)
    link = whole.text_anchors()
    number = whole.events[whole.opened]
    text_ends = whole.text_at.searchsorted(whole.page_ends).tolist()
    element_ends = whole.opened.searchsorted(whole.page_ends).tolist()
    text = element = anchor = name = description = event = 0
    for page, text_end, element_end in zip(pages, text_ends, element_ends, strict=True):
        texts, steps = slice(text, text_end), page.steps
        own_link = link[texts]
        parent = whole.parent[element:element_end] - element
        parent[:1] = NO_ELEMENT
        yield TextNodes(
            texts=steps.texts,
            element=whole.text_element[texts] - element,
            line=line[texts] - line[text : text + 1],
            block=block[texts] - block[text : text + 1],
            link=np.where(own_link < 0, NO_LINK, own_link - anchor).astype(np.int32),
            flags=flags[texts] | np.uint8(GIVEN_SENTENCE * page.given),
            tag=_tags(whole, steps, number[element:element_end], element, event),
            number=number[element:element_end],
            parent=parent,
            first=whole.first[element:element_end] - text,
            end=whole.end[element:element_end] - text,
            names=Names(whole.named[name : name + len(steps.names)] - element, steps.names)
            if steps.named
            else None,
            described=_described(whole, steps, description, element) if steps.named else None,
            hrefs=steps.hrefs,
            link_kinds=page.link_kinds,
            marks=steps.marks,
            title=_WHITE_SPACE.sub(" ", steps.title).strip(),
            descriptions=[text for name, text in steps.metas if name.lower() in DESCRIPTIONS],
            is_article=any(_says_article(name.lower(), text) for name, text in steps.metas),
            base=steps.base,
            host=host_of(page.url) or _folder(page.url),
            encoding=page.encoding,
            evidence=page.evidence,
            dropped=page.dropped,
            markup=Markup.of(
                steps, whole.opened[element:element_end] - event, whole.closed[element:element_end] - event
            )
            if steps.detailed
            else None,
        )
        text, element, anchor, name = (
            text_end,
            element_end,
            anchor + len(steps.hrefs),
            name + len(steps.names),
        )
        event += len(steps.events)
        description += len(steps.described)


def _says_article(name: str, content: str) -> bool:
    """Whether a meta element says that the page is an article (The Open Graph protocol, "Object Types")."""
    return (name == "og:type" and "article" in content.lower()) or name == "article:published_time"


def _described(whole: Trace, steps: Steps, start: int, first_element: int) -> Names:
    """The titles and alternative texts of a page, which begin at ``start`` among all."""
    return Names(
        whole.described[start : start + len(steps.described)] - first_element,
        [text for _, text in steps.described],
    )


def _folder(url: str) -> str:
    """The first folder of a page that is known by its path only: it stands for the host that nobody knows."""
    folder, slash, _ = url.lstrip("./").partition("/")
    return folder if slash else ""


def _tags(whole: Trace, steps: Steps, numbers: ByteArray, first_element: int, first_event: int) -> Tags:
    """The names of the elements of a page, which begins with that element and that event among all."""
    if not steps.customs:
        return Tags(numbers, {})
    own = np.fromiter(steps.customs, dtype=np.int32, count=len(steps.customs))
    at = whole.opened.searchsorted(own + np.int32(first_event)) - first_element
    return Tags(numbers, dict(zip(at.tolist(), steps.customs.values(), strict=True)))


def _surroundings(whole: Trace) -> tuple[IntArray, IntArray, ByteArray]:
    """Block, line and flags of each text."""
    borders = whole.borders()
    new_block, new_line = (borders & BLOCK_BORDER) > 0, (borders & (BLOCK_BORDER | LINE_BORDER)) > 0
    flags = np.where(((borders & BLANK) > 0) & ~new_line, np.uint8(SPACE_BEFORE), np.uint8(0))
    for bit, flag in ((SPACE_SHOWN, PREFORMATTED), (IN_NOSCRIPT, NOSCRIPT)):
        if whole.has(bit):
            flags[whole.texts_inside(bit)] |= flag
    return new_block.cumsum(dtype=np.int32), new_line.cumsum(dtype=np.int32), flags
