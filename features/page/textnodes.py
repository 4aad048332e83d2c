"""A page as text nodes: one parse, one walk, flat arrays.

A text node is a run of text between two tags, in document order; runs of white space only are none (Nakamura
2007, section 3.1). Everything that later stages see of a page is in the arrays of TextNodes; the parser's
tree is gone when the walk returns.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import overload

import numpy as np
import numpy.typing as npt

from ruiji.corpora.decoding import Decoded, decode
from ruiji.corpora.page import STANDARD_FORMAT, Page
from ruiji.features.arrays import IntArray
from ruiji.features.page.elements import CUSTOM_NUMBER, names
from ruiji.features.page.frames import FRAME, close_frames
from ruiji.features.page.links import LinkKind, host_of, link_kinds
from ruiji.features.page.markup import Markup
from ruiji.features.page.nesting import cap_depth
from ruiji.features.page.walk import BLANK, BLOCK, LINE, NO_ELEMENT, PRE, Steps, Trace, steps_through, trace
from ruiji.features.page.walk import NOSCRIPT as IN_NOSCRIPT

MAX_BYTES = (
    192 << 20
)  # of UTF-8 markup: 64 MB of half-width katakana in Shift_JIS; the parser's tree takes several times as much
NO_LINK = -1
DESCRIPTIONS = frozenset(
    ("description", "og:description", "twitter:description")
)  # meta elements in which a page describes itself

SPACE_BEFORE = 1  # white space stands between this node and the one before, in the same line
NOSCRIPT = 2  # shown only where scripts do not run
PREFORMATTED = 4  # white space counts
GIVEN_SENTENCE = 8  # a sentence as somebody has split it: of a page in standard format

FlagArray = npt.NDArray[np.uint8]

_WHITE_SPACE = re.compile("[ \t\n\r\f]+")
_SPACES = re.compile("  +")


class PageFailed(ValueError):
    """A page that gives no text nodes; the message is what its record carries as error."""


@dataclass(frozen=True, slots=True, eq=False)
class Names(Sequence[tuple[int, str]]):
    """Elements with what their attributes call them: pairs, kept as two columns."""

    elements: IntArray
    names: Sequence[str]

    def __len__(self) -> int:
        return len(self.names)

    @overload
    def __getitem__(self, index: int) -> tuple[int, str]: ...
    @overload
    def __getitem__(self, index: slice) -> list[tuple[int, str]]: ...
    def __getitem__(self, index: int | slice) -> tuple[int, str] | list[tuple[int, str]]:
        if isinstance(index, slice):
            return list(zip(self.elements[index].tolist(), self.names[index], strict=True))
        return int(self.elements[index]), self.names[index]

    def __iter__(self) -> Iterator[tuple[int, str]]:
        return zip(self.elements.tolist(), self.names, strict=True)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Names) and list(self) == list(other)

    def __hash__(self) -> int:
        return hash(tuple(self))


@dataclass(frozen=True, slots=True, eq=False)
class Tags(Sequence[str]):
    """The names of elements, spelled only where somebody reads them."""

    numbers: npt.NDArray[np.uint8]
    customs: Mapping[int, str]  # of the elements that the parser knows by name only

    def __len__(self) -> int:
        return len(self.numbers)

    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> list[str]: ...
    def __getitem__(self, index: int | slice) -> str | list[str]:
        if isinstance(index, slice):
            return list(self)[index]
        number = int(self.numbers[index])
        return names()[number] if number != CUSTOM_NUMBER else self.customs[range(len(self))[index]]

    def __iter__(self) -> Iterator[str]:
        known, customs = names(), self.customs
        for element, number in enumerate(self.numbers.tolist()):
            yield customs[element] if number == CUSTOM_NUMBER else known[number]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Tags) and list(self) == list(other)

    def __hash__(self) -> int:
        return hash(tuple(self))


@dataclass(frozen=True, slots=True, eq=False)
class TextNodes:
    """The text nodes of a page and the elements above them, each as columns of equal length.

    Of a node: its text as the tree has it, the element right above it, the line and the block it is in
    (numbered in document order: a new block starts where a block-level element begins or ends, a new line
    also at ``<br>``), its link, flags. Of an element: name, the parser's number of that name, parent (-1 for
    the root; a parent comes before its children), the nodes inside it (from ``first`` to before ``end``).
    ``names`` are elements with what their attributes call them, ``described`` links, images and block-level
    elements with their titles and alternative texts; None where nobody looked. ``marks`` are comments that
    may be annotations: the number of text nodes before each, and its text. ``descriptions`` is how the page's
    head describes it, and ``is_article`` whether it says that the page is an article, where names were looked
    at. ``markup`` is what a document is written from, where somebody asked for it. ``host`` is the page's
    host, or its first folder where it has none. ``dropped`` counts characters that are not in any node, by
    reason.
    """

    texts: Sequence[str]
    element: IntArray
    line: IntArray
    block: IntArray
    link: IntArray
    flags: FlagArray
    tag: Sequence[str]
    number: npt.NDArray[np.uint8]
    parent: IntArray
    first: IntArray
    end: IntArray
    names: Names | None
    described: Names | None
    hrefs: Sequence[str]
    link_kinds: Sequence[LinkKind]
    marks: Sequence[tuple[int, str]]
    title: str
    descriptions: Sequence[str]
    is_article: bool
    base: str
    host: str
    encoding: str
    evidence: str
    dropped: Mapping[str, int]
    markup: Markup | None = None

    def __len__(self) -> int:
        return len(self.texts)

    def __bool__(self) -> bool:
        """True: a page without text is still a page, and ``if nodes`` must not mean ``if there is text``."""
        return True

    def ancestors(self, node: int) -> list[int]:
        """The elements above a node, from the root down."""
        chain = []
        element = int(self.element[node])
        while element >= 0:
            chain.append(element)
            element = int(self.parent[element])
        return chain[::-1]

    def depths(self) -> IntArray:
        """The depth of every element; the root's is 1."""
        depth: list[int] = []
        for parent in self.parent.tolist():
            depth.append(depth[parent] + 1 if parent >= 0 else 1)
        return np.array(depth, dtype=np.int32)

    def path(self, node: int) -> str:
        """The address of the node's element, as an XPath: /html/body/div[2]/p. For many nodes, take
        element_paths once.
        """
        steps = []
        for element in self.ancestors(node):
            siblings = np.flatnonzero(self.parent == self.parent[element]).tolist()
            same = [sibling for sibling in siblings if self.tag[sibling] == self.tag[element]]
            steps.append(self.tag[element] + (f"[{same.index(element) + 1}]" if len(same) > 1 else ""))
        return "".join(f"/{step}" for step in steps)

    def element_paths(self) -> list[str]:
        """The XPath of every element; a position stands where the parent has more than one child of the
        name.
        """
        seen: Counter[tuple[int, str]] = Counter()
        position = []
        for parent, tag in zip(self.parent.tolist(), self.tag, strict=True):
            seen[parent, tag] += 1
            position.append(seen[parent, tag])
        paths: list[str] = []
        for parent, tag, number in zip(self.parent.tolist(), self.tag, position, strict=True):
            step = f"/{tag}[{number}]" if seen[parent, tag] > 1 else f"/{tag}"
            paths.append(paths[parent] + step if parent >= 0 else step)
        return paths

    def link_kind(self, node: int) -> LinkKind:
        """Whether the node is a link, and of which kind."""
        link = int(self.link[node])
        return LinkKind.NONE if link == NO_LINK else self.link_kinds[link]

    def shown_text(self, keep: npt.NDArray[np.bool_] | None = None) -> str:
        """The text of all nodes, or of those to keep, as a reader sees it: a line a line, white space
        folded.
        """
        chosen = np.arange(len(self.texts)) if keep is None else np.flatnonzero(keep)
        texts = [self.texts[node] for node in chosen.tolist()]
        as_it_stands = (self.flags[chosen] & PREFORMATTED) > 0
        folded = with_folded_space(texts)
        for place in np.flatnonzero(as_it_stands).tolist():
            folded[place] = texts[place]
        new_line = np.diff(self.line[chosen], prepend=-1) != 0
        spaces = (self.flags & SPACE_BEFORE).cumsum(dtype=np.int64)  # a node left out may have one before it
        spaced = np.diff(spaces[chosen], prepend=0) > 0
        lines: list[list[str]] = []
        current: list[str] = []
        last = ""  # the character that the line ends with so far
        for text, begins, space, fixed in zip(
            folded, new_line.tolist(), spaced.tolist(), as_it_stands.tolist(), strict=True
        ):
            if begins:
                current, last = [], ""
                lines.append(current)
            elif space and last not in (" ", "\n"):
                current.append(" ")
                last = " "
            if last == " " and not fixed and text[0] == " ":
                text = text[1:]
            if text:
                current.append(text)
                last = text[-1]
        return "\n".join(shown for line in lines if (shown := "".join(line).strip(" \n")))


def with_folded_space(texts: Sequence[str]) -> list[str]:
    """The texts with one space for each run of HTML's white space: all at once, since most of them are
    short.
    """
    joined = "\0".join(texts)
    for space in "\t\n\r\f":
        joined = joined.replace(space, " ")
    folded = _SPACES.sub(" ", joined).split("\0")
    return folded if len(folded) == len(texts) else [_WHITE_SPACE.sub(" ", text) for text in texts]


def text_nodes(page: Page, named: bool = True, detailed: bool = False) -> TextNodes:
    """The text nodes of a page. Raises PageFailed with the reason where there cannot be any."""
    (found,) = text_nodes_of([page], named, detailed)
    if isinstance(found, PageFailed):
        raise found
    return found


def text_nodes_and_markup(page: Page) -> tuple[TextNodes, bytes]:
    """The text nodes of a page and the markup that the parser was given, for who goes through the tree again.
    Raises PageFailed.
    """
    markup, decoded, dropped = parsed_markup(page)
    prepared = close_frames(markup), decoded, dropped
    (nodes,) = _assembled([_walked(page, True, prepared=prepared)])
    return nodes, prepared[0]


def text_nodes_of(
    pages: Sequence[Page], named: bool = True, detailed: bool = False
) -> list[TextNodes | PageFailed]:
    """The text nodes of each page, or why there are none; the arrays of all pages are made together, which is
    faster.

    ``named``: with what classes, ids and roles call the elements, which some features want. ``detailed``:
    with the markup that a document is written from.
    """
    found: list[TextNodes | PageFailed | None] = [None] * len(pages)
    walked = []
    for number, page in enumerate(pages):
        try:
            walked.append((number, _walked(page, named, detailed)))
        except PageFailed as failure:
            found[number] = failure
    for (number, _), nodes in zip(walked, _assembled([one for _, one in walked]), strict=True):
        found[number] = nodes
    return [one for one in found if one is not None]


@dataclass(frozen=True, slots=True, eq=False)
class _Walked:
    """A page after its walk: the steps, and what the record of the page says of its markup."""

    steps: Steps
    link_kinds: Sequence[LinkKind]
    url: str
    given: bool
    encoding: str
    evidence: str
    dropped: Mapping[str, int]


def _walked(
    page: Page,
    named: bool,
    detailed: bool = False,
    prepared: tuple[bytes, Decoded, Counter[str]] | None = None,
) -> _Walked:
    """Decodes, parses and walks a page; what the caps on size and depth leave out is counted in
    ``dropped``.
    """
    markup, decoded, dropped = prepared or parsed_markup(page)
    steps = steps_through(markup, named, detailed)
    if FRAME in steps.hidden and (closed := close_frames(markup)) is not markup:
        steps = steps_through(closed, named, detailed)
    dropped.update(steps.hidden)
    base_host = host_of(steps.base)
    return _Walked(
        steps=steps,
        link_kinds=link_kinds(steps.hrefs, host_of(page.url) or base_host, base_host),
        url=page.url,
        given=STANDARD_FORMAT in page.extra,
        encoding=decoded.encoding,
        evidence=decoded.evidence,
        dropped=dict(sorted(dropped.items())),
    )


def parsed_markup(page: Page) -> tuple[bytes, Decoded, Counter[str]]:
    """What the parser is given of a page, how it was decoded, and how many characters the caps left out.
    Raises PageFailed.
    """
    if page.error:
        raise PageFailed(page.error)
    if not page.html:
        raise PageFailed("the page is empty (0 bytes)")
    try:
        decoded = decode(page)
    except ValueError as error:
        raise PageFailed(str(error)) from error
    dropped: Counter[str] = Counter()
    markup = decoded.utf8
    if len(markup) > MAX_BYTES:
        kept = markup[:MAX_BYTES].decode("utf-8", "ignore")
        dropped["size"] = len(markup.decode("utf-8")) - len(kept)
        markup = kept.encode("utf-8")
    markup, flattened = cap_depth(markup)
    if flattened:
        dropped["nesting"] = flattened
    if decoded.undecodable:
        dropped["undecodable"] = decoded.undecodable
    return markup, decoded, dropped


def _assembled(pages: Sequence[_Walked]) -> Iterator[TextNodes]:
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
            markup=Markup.of(steps) if steps.detailed else None,
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


def _tags(
    whole: Trace, steps: Steps, numbers: npt.NDArray[np.uint8], first_element: int, first_event: int
) -> Tags:
    """The names of the elements of a page, which begins with that element and that event among all."""
    if not steps.customs:
        return Tags(numbers, {})
    own = np.fromiter(steps.customs, dtype=np.int32, count=len(steps.customs))
    at = whole.opened.searchsorted(own + np.int32(first_event)) - first_element
    return Tags(numbers, dict(zip(at.tolist(), steps.customs.values(), strict=True)))


def _surroundings(whole: Trace) -> tuple[IntArray, IntArray, FlagArray]:
    """Block, line and flags of each text."""
    borders = whole.borders()
    new_block, new_line = (borders & BLOCK) > 0, (borders & (BLOCK | LINE)) > 0
    flags = np.where(((borders & BLANK) > 0) & ~new_line, np.uint8(SPACE_BEFORE), np.uint8(0))
    for bit, flag in ((PRE, PREFORMATTED), (IN_NOSCRIPT, NOSCRIPT)):
        if whole.has(bit):
            flags[whole.texts_inside(bit)] |= flag
    return new_block.cumsum(dtype=np.int32), new_line.cumsum(dtype=np.int32), flags
