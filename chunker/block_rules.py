"""Content by rules, from one page alone: big blocks, few links, long sentences (Kang 2009, chapter 5).

From BODY down every element that holds half of the page's characters is opened, until none does. What stays
closed are the blocks; those of the same depth and tag are one, since what stands side by side is content
together or not at all. A block is not content when half of its characters are links, or when it has no
sentence of more than ten characters. Headings are always content.

Where the chapter is silent:

- Opening ends at text: what stands directly in an opened element is a block of its own, as if text were one
  more tag.
- Inline markup belongs to the text around it. Only block-level elements, and inline ones that hold some, are
  opened or become blocks, so that a link in a paragraph that is most of its page is not torn out of its
  sentence. (Taken literally, the rule tears; by our measurement in docs/decisions it gains nothing.)
- Characters are those that are not white space, and the mark that ends a sentence is one: so count the
  lengths in table 1.
- The share of links is one of characters. Heading text takes part in neither condition, be it a link or a
  long sentence.
- Sentences end at 。！？ and their like, at a full stop before white space, and where a line or a block
  ends.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ruiji.chunker.mask import ContentMask
from ruiji.features.arrays import BoolArray, IntArray, LongArray
from ruiji.features.nodes.forest import NOWHERE, Forest, forest
from ruiji.features.page import elements
from ruiji.features.page.textnodes import PREFORMATTED, TextNodes
from ruiji.features.text.kinds import Kind

HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")  # section 5.2
BATCH = 32  # pages whose arrays are made together, as for the CRF

_DIRECT_TEXT = 0  # stands for the tag of text directly in an opened element; no element has the number
_TAG_BITS = 24  # of a block's key
_DEPTH_BITS = 16  # depths are capped far below, features.nesting


@dataclass(frozen=True, slots=True)
class BlockRules:
    """The rules as settings: what is opened, which share of links and which sentences are too much and too
    short for content.
    """

    open_share: float = 0.5  # of the page's characters, section 5.1
    link_share: float = 0.5  # of a block's characters, section 5.2 ("by a preliminary experiment")
    short_sentence: int = 10  # characters, section 5.2 (likewise)

    def predict_masks(self, pages: Sequence[TextNodes]) -> list[ContentMask]:
        """The content mask of each page; the score is above 0.5 for content, and 1 for headings."""
        masks: list[ContentMask] = []
        for start in range(0, len(pages), BATCH):
            batch = forest(pages[start : start + BATCH])
            content, score = self._decided(batch)
            masks += [
                ContentMask(content[first:end], score[first:end], "blocks")
                for first, end in zip(
                    batch.page_start[:-1].tolist(), batch.page_start[1:].tolist(), strict=True
                )
            ]
        return masks

    def _decided(self, pages: Forest) -> tuple[BoolArray, npt.NDArray[np.float32]]:
        """For each node whether it is content, and the score."""
        ink = ink_before(pages)
        size = np.diff(ink[pages.characters.starts])
        block = blocks(pages, size, self.open_share)
        heading = pages.nearest(pages.named(*HEADINGS))[pages.element] != NOWHERE
        size[heading] = 0
        characters = np.bincount(block, size)
        linked = np.bincount(block, size * pages.linked)
        longest = longest_sentences(pages, ink, block, heading)
        content = (linked < self.link_share * characters) & (longest > self.short_sentence)
        score = np.minimum(
            np.interp(linked / np.maximum(characters, 1), (0, self.link_share, 1), (1, 0.5, 0)),
            longest / np.maximum(longest + self.short_sentence, 1),
        )
        return content[block] | heading, np.where(heading, 1, score[block]).astype(np.float32)


def ink_before(pages: Forest) -> IntArray:
    """For each place among the characters of all nodes, and the one after them, how many before it are not
    white space.
    """
    before = np.zeros(len(pages.characters.kinds) + 1, dtype=np.int32)
    np.cumsum(pages.characters.kinds != Kind.SPACE, out=before[1:])
    return before


def blocks(pages: Forest, size: IntArray, open_share: float) -> IntArray:
    """The number of each node's block, over all pages, where nodes have these sizes (section 5.1)."""
    inside = pages.inside(size)
    of_page = np.bincount(pages.page, size, len(pages.pages))
    whole = np.concatenate(([0], np.repeat(of_page, np.diff(pages.element_start))))
    solid = _holding_blocks(pages)
    # Who holds half of the page is inside nobody who does not: no need to go down step by step.
    opened = solid & (inside >= open_share * whole)
    container = pages.nearest(opened | (solid & opened[pages.parent]))[pages.element]
    tag = np.where(opened[container], _DIRECT_TEXT, _tags(pages, container))
    key = (((pages.page.astype(np.int64) << _DEPTH_BITS) | pages.depth[container]) << _TAG_BITS) | tag
    block: IntArray = np.unique(key, return_inverse=True)[1].astype(np.int32)
    return block


def longest_sentences(pages: Forest, ink: IntArray, block: IntArray, without: BoolArray) -> IntArray:
    """The number of characters of the longest sentence of each block, not looking at some nodes (section
    5.2).
    """
    characters = pages.characters
    starts, kinds = characters.starts[:-1], characters.kinds
    line = np.concatenate([page.line for page in pages.pages])
    new = np.ones(len(pages), dtype=bool)
    new[1:] = (line[1:] != line[:-1]) | (block[1:] != block[:-1])
    marks = (kinds == Kind.FULL_STOP) | (kinds == Kind.QUESTION)
    following = np.append(kinds[1:], Kind.SPACE)
    last = np.append(~marks[1:], True)  # ？！ is one end
    begins = np.zeros(len(kinds) + 1, dtype=bool)
    begins[1:] = marks & last & ((characters.points != ord(".")) | (following == Kind.SPACE))
    begins[starts[new]] = True
    shown_lines = (pages.flags & PREFORMATTED) > 0
    if shown_lines.any():
        begins[:-1] |= (characters.points == ord("\n")) & np.repeat(shown_lines, np.diff(characters.starts))
    begin = np.flatnonzero(begins[:-1])
    length = np.diff(ink[np.append(begin, len(kinds))])
    node = starts.searchsorted(begin, side="right") - 1
    seen = ~without[node]
    longest = np.zeros(block.max(initial=-1) + 1, dtype=np.int32)
    np.maximum.at(longest, block[node[seen]], length[seen])
    return longest


def _holding_blocks(pages: Forest) -> BoolArray:
    """Which elements are block-level, or have a block-level one inside."""
    solid = pages.named(*elements.BLOCK_LEVEL)
    outer = np.flatnonzero(solid)
    while len(outer):  # once for each level of inline elements around a block
        outer = np.unique(pages.parent[outer])
        outer = outer[~solid[outer]]
        solid[outer] = True
    return solid


def _tags(pages: Forest, which: IntArray) -> LongArray:
    """A number for the name of each of these elements: the parser's, and further ones for names that it does
    not number.
    """
    tags = pages.number[which].astype(np.int64)
    custom = tags == elements.CUSTOM_NUMBER
    if custom.any():
        elements_of, place = np.unique(which[custom], return_inverse=True)
        page = pages.element_start.searchsorted(elements_of, side="right") - 1
        own = (elements_of - pages.element_start[page]).tolist()
        names: dict[str, int] = {}
        numbers = [
            names.setdefault(pages.pages[at].tag[element], len(names))
            for at, element in zip(page.tolist(), own, strict=True)
        ]
        tags[custom] += np.array(numbers)[place]
    return tags
