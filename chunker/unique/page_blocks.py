"""The blocks of a page as vectors and places: all that block uniqueness wants to know of a page, as small
arrays.

A block is what stands between two borders of block-level elements, so text directly inside a mixed block is a
block too. Its vector counts the tags from the block-level element down, the texts, split at line breaks, in
lower case, without blank ones, and likewise titles and alternative texts (Yoshida and Yamamoto 2009, section
3.2.3).
"""

from __future__ import annotations

import hashlib
import re
from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain, pairwise

import numpy as np

from ruiji.chunker.unique.bylines import counts_masked, dates_masked, has_digit, is_byline
from ruiji.chunker.unique.keys import HEADINGS, key_of
from ruiji.features.arrays import BoolArray, IntArray, KeyArray
from ruiji.features.page import elements
from ruiji.features.page.links import LinkKind
from ruiji.features.page.textnodes import NO_LINK, TextNodes

COUNTED = (
    3  # names that count on by one each, from which on they are numbered: col-1 and col-2 are two columns
)
NOT_RENDERED = frozenset(("script", "style"))  # no part of a block (section 3.2.2)
STEPS = frozenset(">＞»›")  # what stands before a step on the path to a page
NO_NAMES = frozenset(("html", "body"))  # their classes tell what kind of page it is, not which place in it
TAG = np.uint64(1)  # the lowest bit of a tag's key is 1, that of a text's key 0

_NUMBER = re.compile(r"\d{1,9}(?!.*\d)", re.DOTALL)  # the last one in a word
_CONTENTS = re.compile(
    r"[^\w]*(?:(?:この(?:章|節|ページ)の)?(?:目次|もくじ|内容)"
    r"|(?:table of )?contents|(?:on|in) this page)[^\w]*"
)


@dataclass(frozen=True, slots=True, eq=False)
class PageBlocks:
    """The blocks of a page.

    Of a block: its first node (``start``, with one more at the end), its vector (``keys`` and ``counts`` from
    ``at[i]`` to before ``at[i + 1]``), the key of the whole vector, its element, whether it is a heading,
    whether it is a by-line. Of a node: the keys of its text as it is, with dates masked, and with counts
    masked too; its characters, whether it is a link inside the site outside a heading or a step on the path
    to the page beside one, whether it says again, outside a heading, what a heading of the page says, and
    whether it announces a table of contents. Of an element above the blocks (a parent comes first): its
    parent, and the keys of its tag and of the words that attributes call it.
    """

    host: str
    start: IntArray
    at: IntArray
    keys: KeyArray
    counts: IntArray
    vector: KeyArray
    element: IntArray
    heading: BoolArray
    byline: BoolArray
    text: KeyArray
    masked: KeyArray
    counted: KeyArray
    chars: IntArray
    linked: BoolArray
    titled: BoolArray
    contents: BoolArray
    parent: IntArray
    tag: KeyArray
    word_element: IntArray
    word: KeyArray
    digest: int

    def __len__(self) -> int:
        return len(self.vector)

    @property
    def block(self) -> IntArray:
        """The block of each node."""
        return _spread(self.start)

    def block_chars(self) -> IntArray:
        """The characters of each block."""
        return np.bincount(self.block, weights=self.chars, minlength=len(self)).astype(np.int32)


def tag_key(tag: str) -> int:
    """The number of a tag; the lowest bit is 1."""
    return key_of(tag) | int(TAG)


def page_blocks(nodes: TextNodes) -> PageBlocks:
    """The blocks of a page."""
    tags, parents = list(nodes.tag), nodes.parent.tolist()
    start = _block_starts(nodes, tags)
    owner = block_elements(tags, parents)
    in_heading = _inside(tags, parents, HEADINGS)
    above = nodes.element.tolist()
    of_node = _spread(start).tolist()
    inline = _inline_elements(nodes, tags, owner, of_node)
    texts = [" ".join(text.split()).lower() for text in nodes.texts]
    of_text = {text: key_of(text) for text in dict.fromkeys(texts)}
    described: dict[int, list[int]] = {}
    for item, text in nodes.described or ():
        described.setdefault(item, []).extend(line_keys(text))
    of_tag = {tag: tag_key(tag) for tag in dict.fromkeys(tags)}
    at, keys, counts, vector, element, byline = [0], [], [], [], [], []
    for number, (first, end) in enumerate(pairwise(start.tolist())):
        tally: dict[int, int] = {}
        seen = set(inline.get(number, ()))
        for node in range(first, end):
            climbing = above[node]
            while climbing >= 0 and climbing not in seen:
                seen.add(climbing)
                if climbing == owner[climbing]:
                    break
                climbing = parents[climbing]
            parts = line_keys(nodes.texts[node]) if "\n" in nodes.texts[node] else [of_text[texts[node]]]
            for key in parts:
                tally[key] = tally.get(key, 0) + 1
        for item in seen:
            for key in (of_tag[tags[item]], *described.get(item, ())):
                tally[key] = tally.get(key, 0) + 1
        own = sorted(tally.items())
        keys += [key for key, _ in own]
        counts += [count for _, count in own]
        at.append(len(keys))
        numbers = array("Q", chain.from_iterable(own)).tobytes()
        digest = hashlib.blake2b(numbers, digest_size=8).digest()
        vector.append(int.from_bytes(digest, "little"))
        element.append(owner[above[first]])
        byline.append(is_byline(" ".join(texts[first:end])))
    kept, place = _above(element, parents)
    words_element, words = _words(nodes, place, tags)
    heading = [in_heading[item] for item in element]
    headings = {
        _bare(" ".join(texts[first:end]))
        for (first, end), is_one in zip(pairwise(start.tolist()), heading, strict=True)
        if is_one
    }
    node_in_heading = np.array([in_heading[item] for item in above], dtype=np.bool_)
    masked, counted = _masked(texts, of_text, node_in_heading.tolist())
    kinds = np.array([*nodes.link_kinds, LinkKind.NONE], dtype=np.int8)[nodes.link]
    assert NO_LINK == -1
    linked = (kinds == LinkKind.INTERNAL) & ~node_in_heading
    steps = np.array([text[:1] in STEPS for text in texts], dtype=np.bool_)
    return PageBlocks(
        host=nodes.host,
        start=start,
        at=np.array(at, dtype=np.int32),
        keys=np.array(keys, dtype=np.uint64),
        counts=np.array(counts, dtype=np.int32),
        vector=np.array(vector, dtype=np.uint64),
        element=np.array([place[item] for item in element], dtype=np.int32),
        heading=np.array(heading, dtype=np.bool_),
        byline=np.array(byline, dtype=np.bool_),
        text=np.array([of_text[text] for text in texts], dtype=np.uint64),
        masked=masked,
        counted=counted,
        chars=np.array([len(text) - text.count(" ") for text in texts], dtype=np.int32),
        linked=linked
        | (
            steps & np.repeat(np.logical_or.reduceat(linked, start[:-1]), np.diff(start))
            if len(linked)
            else steps
        ),
        titled=np.array([_bare(text) in headings for text in texts], dtype=np.bool_) & ~node_in_heading,
        contents=np.array([_CONTENTS.fullmatch(text) is not None for text in texts], dtype=np.bool_),
        parent=np.array([place.get(parents[item], -1) for item in kept], dtype=np.int32),
        tag=np.array([of_tag[tags[item]] for item in kept], dtype=np.uint64),
        word_element=np.array(words_element, dtype=np.int32),
        word=np.array(words, dtype=np.uint64),
        digest=_digest(nodes, vector),
    )


def _block_starts(nodes: TextNodes, tags: Sequence[str]) -> IntArray:
    """The first node of each block, and one more: a rule between two texts parts them, as HR is of the block
    level (section 3.2.2).
    """
    starts = set(np.flatnonzero(np.diff(nodes.block, prepend=-1)).tolist())
    starts |= {int(nodes.first[number]) for number, tag in enumerate(tags) if tag == "hr"}
    return np.array(sorted({start for start in starts if start < len(nodes)} | {len(nodes)}), dtype=np.int32)


def block_numbers(nodes: TextNodes) -> IntArray:
    """The number of the block that each node of a page is in."""
    return _spread(_block_starts(nodes, list(nodes.tag)))


def _spread(start: IntArray) -> IntArray:
    """The number of each node's block, of blocks that begin at these nodes; one more stands at the end."""
    return np.repeat(np.arange(len(start) - 1, dtype=np.int32), np.diff(start))


def _masked(
    texts: Sequence[str], of_text: dict[str, int], in_heading: Sequence[bool]
) -> tuple[KeyArray, KeyArray]:
    """The keys of the texts with dates masked, and with counts masked too outside headings."""
    key, of_counted = dict(of_text), dict(of_text)
    for text in filter(has_digit, of_text):
        if (masked := dates_masked(text)) != text:
            key[text] = key_of(masked)
        counted = counts_masked(masked)
        of_counted[text] = key[text] if counted == masked else key_of(counted)
    counted_keys = [
        (key if heading else of_counted)[text] for text, heading in zip(texts, in_heading, strict=True)
    ]
    return np.array([key[text] for text in texts], dtype=np.uint64), np.array(counted_keys, dtype=np.uint64)


def line_keys(text: str) -> list[int]:
    """The keys of the lines of a text, blank ones left out."""
    return [key_of(line) for part in text.split("\n") if (line := " ".join(part.split()).lower())]


def _bare(text: str) -> str:
    """A text without the signs that stand between the steps of a path to a page, and around a title."""
    return text.strip(" >»›→/|:：・«‹<-–—［］[]【】")


def _digest(nodes: TextNodes, vector: Sequence[int]) -> int:
    """A number that stands for the page: its host and its blocks in order."""
    data = nodes.host.encode("utf-8", "surrogatepass") + b"\0" + np.array(vector, dtype=np.uint64).tobytes()
    return int.from_bytes(hashlib.blake2b(data, digest_size=8).digest(), "little")


def block_elements(tags: Sequence[str], parents: Sequence[int]) -> list[int]:
    """For each element the nearest block-level one, itself or above it; the root stands in where there is
    none.
    """
    owner: list[int] = []
    for number, (tag, parent) in enumerate(zip(tags, parents, strict=True)):
        owner.append(number if tag in elements.BLOCK_LEVEL or parent < 0 else owner[parent])
    return owner


def _inside(tags: Sequence[str], parents: Sequence[int], wanted: frozenset[str]) -> list[bool]:
    inside: list[bool] = []
    for tag, parent in zip(tags, parents, strict=True):
        inside.append(tag in wanted or (parent >= 0 and inside[parent]))
    return inside


def _inline_elements(
    nodes: TextNodes, tags: Sequence[str], owner: Sequence[int], block: Sequence[int]
) -> dict[int, list[int]]:
    """For each block the elements without text in it, such as images: those beside a node that has the same
    block-level element. SCRIPT and STYLE are no part of a block (section 3.2.2).
    """
    of_block: dict[int, list[int]] = {}
    size = len(nodes)
    element, first = nodes.element.tolist(), nodes.first.tolist()
    for number in np.flatnonzero(nodes.first == nodes.end).tolist():
        if owner[number] == number or tags[number] in NOT_RENDERED:
            continue
        for node in (first[number], first[number] - 1):
            if 0 <= node < size and owner[element[node]] == owner[number]:
                of_block.setdefault(block[node], []).append(number)
                break
    return of_block


def _above(element: Sequence[int], parents: Sequence[int]) -> tuple[list[int], dict[int, int]]:
    """The elements of blocks and those above them, in order, and the place of each in that list."""
    seen: set[int] = set()
    for number in element:
        while number >= 0 and number not in seen:
            seen.add(number)
            number = parents[number]
    kept = sorted(seen)
    return kept, {element: place for place, element in enumerate(kept)}


def _words(nodes: TextNodes, place: dict[int, int], tags: Sequence[str]) -> tuple[list[int], list[int]]:
    """The words in the names of the kept elements, each together with the tag; those that number elements are
    left out.
    """
    named = [
        (number, f"{tags[number]} {word}")
        for number, name in nodes.names or ()
        if number in place and tags[number] not in NO_NAMES
        for word in dict.fromkeys(name.lower().split())
    ]
    numbered = _numbered(named, nodes)
    kept = [(place[number], word) for number, word in named if word not in numbered]
    return [number for number, _ in kept], [key_of(word) for _, word in kept]


def _numbered(words: Sequence[tuple[int, str]], nodes: TextNodes) -> set[str]:
    """The words that count through elements of one depth, such as post1, post2, post3, each once; sect1,
    sect2, sect3 are depths.
    """
    series: dict[tuple[str, str], list[tuple[int, str, int]]] = {}
    for element, word in words:
        if (match := _NUMBER.search(word)) is not None:
            series.setdefault((word[: match.start()], word[match.end() :]), []).append(
                (int(match.group()), word, element)
            )
    counting: set[str] = set()
    for members in series.values():
        first = members[0][0]
        in_a_row = len(members) >= COUNTED and all(
            number == first + place for place, (number, _, _) in enumerate(members)
        )
        if in_a_row and len({_depth(nodes, element) for _, _, element in members}) == 1:
            counting.update(word for _, word, _ in members)
    return counting


def _depth(nodes: TextNodes, element: int) -> int:
    depth = 0
    while (element := int(nodes.parent[element])) >= 0:
        depth += 1
    return depth
