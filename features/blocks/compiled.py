"""The numbers of blocks by the pass in C (``_numbers.c``): the columns of pages and the tables that it takes.

Everything that the pass knows comes from the modules of the families, which are its reference.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from types import ModuleType

import numpy as np
import numpy.typing as npt

from ruiji.features.arrays import IntArray, SingleArray
from ruiji.features.blocks.discussion import DATE_DIGITS, HALF, SHORT, comment_words
from ruiji.features.blocks.place_numbers import MAIN_SHARES, REACHES
from ruiji.features.blocks.runs import GAP
from ruiji.features.blocks.table import FAR, HEADINGS, LEVELS, LONG, PATH_STEPS, Blocks
from ruiji.features.blocks.text_numbers import DENSE
from ruiji.features.blocks.title import LEAST_MATCH, title_codes_in_c
from ruiji.features.blocks.tree_numbers import AROUND, KINDS_OF_BLOCK, SHARED_MEANINGS
from ruiji.features.nodes import tags, texts
from ruiji.features.nodes.nakamura import tag_codes
from ruiji.features.nodes.structure import SECTIONS
from ruiji.features.page import elements
from ruiji.features.text.hints import NAME_MEANINGS, WORD_MEANINGS, hinted_elements, meanings_in_names
from ruiji.features.text.kinds import KINDS, Kind

Columns = Mapping[str, npt.NDArray[np.generic]]


def numbers_in_c(in_c: ModuleType, blocks: Blocks, width: int) -> SingleArray:
    """All columns as a matrix: a row a block, ``width`` columns."""
    columns = np.empty((width, len(blocks)), dtype=np.float32)
    in_c.fill(page_columns(blocks), tables(), *title_codes_in_c(in_c, blocks), columns, width)
    return columns.T


def page_columns(blocks: Blocks) -> Columns:
    """The columns of nodes, elements, words and names that the pass looks at."""
    pages, words = blocks.pages, blocks.pages.words
    first, last = pages.characters.ends
    named, _ = pages.names
    kind, different = pages.name_kinds
    name_words, _ = pages.words_of_names
    which, _ = comment_words().find(words.key)
    return {
        "page_start": pages.page_start,
        "element_start": pages.element_start,
        "is_article": np.array([page.is_article for page in pages.pages], dtype=np.uint8),
        "element": pages.element,
        "block": pages.block,
        "lengths": pages.lengths,
        "text_number": pages.text_number,
        "link": np.concatenate([page.link for page in pages.pages]),
        "counts": pages.characters.counts,
        "first_kind": first,
        "last_kind": last,
        "linked": pages.linked,
        "fragment": tags.fragment(pages),
        "number": pages.number,
        "parent": pages.parent,
        "first": pages.first,
        "end": pages.end,
        "word_text": words.text,
        "word_hint": texts.hinted_words(pages),
        "comment_text": words.text[which],
        "named_element": named,
        "name_kind": kind,
        "name_start": name_words.text.searchsorted(np.arange(len(different) + 1)).astype(np.int32),
        "name_meaning": meanings_in_names(name_words.key),
    }


@lru_cache(maxsize=1)
def tables() -> dict[str, object]:
    """What the pass knows of characters, elements and sizes."""
    sizes = {kind.name: int(kind) for kind in Kind} | {
        "KINDS": KINDS, "LONG": LONG, "SHORT": SHORT, "DATE_DIGITS": DATE_DIGITS, "FAR": FAR,
        "LEVELS": LEVELS, "PATH_STEPS": PATH_STEPS, "GAP": GAP, "HALF": HALF, "LEAST_MATCH": LEAST_MATCH,
        "WORD_MEANINGS": len(WORD_MEANINGS), "NAME_MEANINGS": len(NAME_MEANINGS), "AROUND": len(AROUND),
        "KINDS_OF_BLOCK": len(KINDS_OF_BLOCK), "MAIN": AROUND.index("main"),
        "ARTICLE": AROUND.index("article"), "CONTENT": NAME_MEANINGS.index("content"),
        "COMMENTS": NAME_MEANINGS.index("comments"),
    }  # fmt: skip
    around, heading_level = _bits([(tag,) for tag in AROUND] + [HEADINGS]), _of_tags()
    for level, tag in enumerate(HEADINGS, 1):
        heading_level[_numbers_of(tag)] = level
    meaning = np.full(elements.CUSTOM_NUMBER + 1, -1, dtype=np.int32)
    for tag, name in hinted_elements().items():
        meaning[_numbers_of(tag)] = NAME_MEANINGS.index(name)
    return sizes | {
        "main_share": np.array(MAIN_SHARES),
        "reach": np.array(REACHES, dtype=np.int32),
        "dense": np.isin(np.arange(KINDS), DENSE),
        "shared_meaning": np.isin(NAME_MEANINGS, SHARED_MEANINGS),
        "tag_code": tag_codes().astype(np.int32),
        "section": _of_tags(*SECTIONS),
        "block_level": _of_tags(*elements.BLOCK_LEVEL),
        "heading_level": heading_level,
        "around_bits": around,
        "block_bits": _bits([names for _, names in KINDS_OF_BLOCK]),
        "tag_meaning": meaning,
    }


def _numbers_of(*tags_: str) -> list[int]:
    return list(elements.numbered(frozenset(tags_)))


def _of_tags(*tags_: str) -> npt.NDArray[np.uint8]:
    """For each number of an element whether its name is one of these."""
    table = np.zeros(elements.CUSTOM_NUMBER + 1, dtype=np.uint8)
    table[_numbers_of(*tags_)] = 1
    return table


def _bits(kinds: list[tuple[str, ...]]) -> IntArray:
    """For each number of an element the kinds that have its name, as bits."""
    table = np.zeros(elements.CUSTOM_NUMBER + 1, dtype=np.int32)
    for bit, tags_ in enumerate(kinds):
        table[_numbers_of(*tags_)] |= 1 << bit
    return table
