"""The feature set of Nakamura 2007, section 3.3, as it is defined there.

The ninth feature, the label of the text before, is in a CRF the transitions, and in the SVM chunker an
attribute of its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from ruiji.features.arrays import FloatArray
from ruiji.features.nodes.attributes import Closed, FeatureSet, Finds, Open, Rule
from ruiji.features.nodes.forest import Forest
from ruiji.features.nodes.structure import around, average, structural_tags
from ruiji.features.page import elements
from ruiji.features.text.characters import word_key

Codes = npt.NDArray[np.integer]

YES_NO = ("no", "yes")
LENGTHS = ("1", "2", "3-5", "6-8", "9-15", "16+")  # table 3.1
LINKS = ("none", "internal", "external")
TAGS = ("none", *elements.NAMES, "other")
DEPTH_CHANGES = ("same", "shallow", "deep")  # table 3.3
TABLE_LENGTHS = ("0", "1", "1-4", "4+")  # table 3.4
TABLE_LINKS = ("0", "0-0.4", "0.4-0.6", "0.6-1", "1")  # table 3.5

KEYWORD_RULE = Rule(occurrences=20, non_content=0.7, weight=2.0)  # "キーワードの選別条件"
FIXED_KEYWORDS = ("目次", "検索", "link", "広告", "copyright", "著作")  # table 4.5


def keyword(pages: Forest) -> Finds:
    """The nouns of each text; those typical of non-content become keywords."""
    return noun_finds(pages.morphology[1])


def noun_finds(nouns_by_node: Sequence[Sequence[str]]) -> Finds:
    """Nouns as finds, given those of each node."""
    nouns_of_nodes = [(node, noun) for node, nouns in enumerate(nouns_by_node) for noun in nouns]
    at = np.array([node for node, _ in nouns_of_nodes], dtype=np.int32)
    key = np.array([noun_key(noun) for _, noun in nouns_of_nodes], dtype=np.uint64)
    return Finds(at, at + 1, key, lambda which: [nouns_of_nodes[find][1] for find in which])


@lru_cache(maxsize=1 << 16)
def noun_key(noun: str) -> int:
    return word_key(noun)


def text_length(pages: Forest) -> Codes:
    """The number of characters (table 3.1)."""
    return np.searchsorted([2, 3, 6, 9, 16], pages.lengths, side="right")


def verb_or_adjective(pages: Forest) -> Codes:
    """Whether the text has a verb or an adjective; in other languages, whether it has the words that
    sentences have.
    """
    return pages.morphology[0].astype(np.int32)


def link(pages: Forest) -> Codes:
    """Whether the text is a link, and whether that leaves the domain."""
    return pages.link_kind


def _near_tag(pages: Forest, place: int) -> Codes:
    codes: Codes = tag_codes()[structural_tags(pages, place)[place - 1]]
    return codes


def near_tag_1(pages: Forest) -> Codes:
    """The nearest structural tag above the text."""
    return _near_tag(pages, 1)


def near_tag_2(pages: Forest) -> Codes:
    """The second nearest structural tag above the text."""
    return _near_tag(pages, 2)


def near_tag_3(pages: Forest) -> Codes:
    """The third nearest structural tag above the text."""
    return _near_tag(pages, 3)


def depth_change(pages: Forest) -> Codes:
    """Whether the path to the text is as deep as that of the text before, shallower or deeper (table 3.3);
    the first is shallow.
    """
    depth = pages.depth[pages.element]
    change = np.zeros(len(depth), dtype=np.int32)
    change[1:] = np.sign(depth[1:] - depth[:-1])
    change[pages.page_start[:-1][np.diff(pages.page_start) > 0]] = -1
    return np.array([1, 0, 2])[change + 1]


def table_text_length(pages: Forest) -> Codes:
    """The average number of characters of the texts in the table around this one (table 3.4)."""
    return length_steps(average(pages, around(pages, "table"), pages.lengths_inside))


def table_link_ratio(pages: Forest) -> Codes:
    """The share of links among the texts in the table around this one (table 3.5)."""
    return link_ratio_steps(average(pages, around(pages, "table"), pages.linked_inside))


def length_steps(mean: FloatArray) -> Codes:
    """Average lengths in the steps of table 3.4."""
    return np.select([mean == 0, mean <= 1, mean < 4], [0, 1, 2], 3)


def link_ratio_steps(ratio: FloatArray) -> Codes:
    """Shares of links in the steps of table 3.5."""
    return np.select([ratio == 0, ratio < 0.4, ratio < 0.6, ratio < 1], [0, 1, 2, 3], 4)


@lru_cache(maxsize=1)
def tag_codes() -> npt.NDArray[np.int32]:
    """For each number of the parser the place of the element's name in TAGS."""
    codes = np.full(elements.CUSTOM_NUMBER + 1, len(TAGS) - 1, dtype=np.int32)
    codes[0] = 0
    for place, name in enumerate(elements.NAMES):
        if name in elements.numbers():
            codes[elements.numbers()[name]] = place + 1
    return codes


NAKAMURA = FeatureSet(
    "nakamura",
    (
        Open(keyword, noun_key, KEYWORD_RULE, once=True),
        Closed(text_length, LENGTHS),
        Closed(verb_or_adjective, YES_NO),
        Closed(link, LINKS),
        Closed(near_tag_1, TAGS),
        Closed(near_tag_2, TAGS),
        Closed(near_tag_3, TAGS),
        Closed(depth_change, DEPTH_CHANGES),
        Closed(table_text_length, TABLE_LENGTHS),
        Closed(table_link_ratio, TABLE_LINKS),
    ),
)

# The seven cases of table 4.3: what is left out.
ABLATION = {
    "case1 keywords": ("keyword",),
    "case2 verb or adjective": ("verb_or_adjective",),
    "case3 text length": ("text_length",),
    "case4 table averages": ("table_text_length", "table_link_ratio"),
    "case5 link": ("link",),
    "case6 near tags": ("near_tag_1", "near_tag_2", "near_tag_3"),
    "case7 depth change": ("depth_change",),
}
