"""A page becomes text nodes: one parse, one walk, flat arrays."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ruiji.corpora.page import STANDARD_FORMAT, Page
from ruiji.features.page.frames import FRAME
from ruiji.features.page.links import LinkKind, host_of, link_kinds
from ruiji.features.page.markup import Markup
from ruiji.features.page.parser_input import PageFailed, ParserInput, parser_input
from ruiji.features.page.steps import Steps
from ruiji.features.page.textnodes import GIVEN_SENTENCE, Names, Tags, TextNodes
from ruiji.features.page.trace import PageColumns, page_columns
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
    """The text nodes of each page."""
    for page, columns in zip(pages, page_columns([page.steps for page in pages]), strict=True):
        steps = page.steps
        metas = [(name.lower(), text) for name, text in steps.metas]
        yield TextNodes(
            texts=steps.texts,
            element=columns.element,
            line=columns.line,
            block=columns.block,
            link=columns.link,
            flags=columns.flags | np.uint8(GIVEN_SENTENCE) if page.given else columns.flags,
            tag=_tags(steps, columns),
            number=columns.number,
            parent=columns.parent,
            first=columns.first,
            end=columns.end,
            names=Names(columns.named, steps.names) if steps.named else None,
            described=Names(columns.described, [text for _, text in steps.described])
            if steps.named
            else None,
            hrefs=steps.hrefs,
            link_kinds=page.link_kinds,
            marks=steps.marks,
            title=_WHITE_SPACE.sub(" ", steps.title).strip(),
            descriptions=[text for name, text in metas if name in DESCRIPTIONS],
            is_article=any(_says_article(name, text) for name, text in metas),
            base=steps.base,
            host=site_of(page.url),
            encoding=page.encoding,
            evidence=page.evidence,
            dropped=page.dropped,
            markup=Markup.of(steps, columns.opened, columns.closed) if steps.detailed else None,
        )


def _says_article(name: str, content: str) -> bool:
    """Whether a meta element says that the page is an article (The Open Graph protocol, "Object Types")."""
    return (name == "og:type" and "article" in content.lower()) or name == "article:published_time"


def site_of(url: str) -> str:
    """What pages of one site have in common: the host, or where nobody knows it the first folder."""
    return host_of(url) or _folder(url)


def _folder(url: str) -> str:
    """The first folder of a page that is known by its path only: it stands for the host that nobody knows."""
    folder, slash, _ = url.lstrip("./").partition("/")
    return folder if slash else ""


def _tags(steps: Steps, columns: PageColumns) -> Tags:
    """The names of the elements of a page."""
    if not steps.customs:
        return Tags(columns.number, {})
    own = np.fromiter(steps.customs, dtype=np.int32, count=len(steps.customs))
    at = columns.opened.searchsorted(own)
    return Tags(columns.number, dict(zip(at.tolist(), steps.customs.values(), strict=True)))
