"""The text nodes of a page and the elements above them, as flat arrays.

A text node is a run of text between two tags, in document order; runs of white space only are none (Nakamura
2007, section 3.1). Everything that later stages see of a page is here; the parser's tree is gone.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import overload

import numpy as np

from ruiji.corpora.c_modules import compiled
from ruiji.features.arrays import BoolArray, ByteArray, IntArray
from ruiji.features.page.elements import CUSTOM_NUMBER, names
from ruiji.features.page.links import LinkKind
from ruiji.features.page.markup import Markup

NO_LINK = -1
SPACE_BEFORE = 1  # white space stands between this node and the one before, in the same line
NOSCRIPT = 2  # shown only where scripts do not run
PREFORMATTED = 4  # white space counts
GIVEN_SENTENCE = 8  # a sentence as somebody has split it: of a page in standard format


_WHITE_SPACE = re.compile("[ \t\n\r\f]+")
_SPACES = re.compile("  +")


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

    numbers: ByteArray
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
    ``names`` are block-level elements with what their attributes call them, ``described`` elements of any
    kind with their alternative texts and titles; None where nobody looked. ``marks`` are comments that may be
    annotations: the number of text nodes before each, and its text. ``descriptions`` is how the page's
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
    flags: ByteArray
    tag: Sequence[str]
    number: ByteArray
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

    def shown_text(self, keep: BoolArray | None = None) -> str:
        """The text of all nodes, or of those to keep, as a reader sees it: a line a line, white space
        folded. By the loop in C where there is one.
        """
        in_c = compiled("ruiji.features.page._shown")
        if in_c is None or not isinstance(self.texts, list):
            return self.shown_text_in_python(keep)
        kept = np.ones(len(self.texts), dtype=np.bool_) if keep is None else np.asarray(keep, dtype=np.bool_)
        text: str = in_c.shown_text(self.texts, self.flags, self.line, kept, SPACE_BEFORE, PREFORMATTED)
        return text

    def shown_text_in_python(self, keep: BoolArray | None = None) -> str:
        """The reference for the loop in C."""
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
