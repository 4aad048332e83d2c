"""Numbers about blocks for classifiers that take columns: trees, not the CRF.

A family is a pure function from blocks to named columns, and NUMBERS is the list of them. None of the columns
is a word of the page or the name of a class as such: languages and templates that training has not met get
numbers from the same scale. What names and words say comes in by their usual meaning (hints), and no number
tells the language. Numbers that only say which page it is (its size, its count of headings or prices) are
left out: trees learn pages by heart with them (docs/evaluation).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from pathlib import Path

import numpy as np

from ruiji.corpora.c_modules import compiled
from ruiji.corpora.page import Page
from ruiji.features.arrays import SingleArray
from ruiji.features.blocks.compiled import numbers_in_c
from ruiji.features.blocks.discussion import companions, discussion
from ruiji.features.blocks.place_numbers import neighbours, place, prose, repetition
from ruiji.features.blocks.runs import runs
from ruiji.features.blocks.table import Blocks, Numbers
from ruiji.features.blocks.text_numbers import elsewhere, links, text
from ruiji.features.blocks.title import title_match
from ruiji.features.blocks.tree_numbers import containers, meanings, tree
from ruiji.features.nodes.forest import forest
from ruiji.features.page.parsing import text_nodes

COLUMNS = Path(__file__).parent / "data" / "columns.txt"  # written by scripts/bake_tables.py

Family = Callable[[Blocks], Numbers]

NUMBERS: Sequence[Family] = (
    text,
    elsewhere,
    links,
    tree,
    meanings,
    containers,
    prose,
    place,
    neighbours,
    repetition,
    title_match,
    discussion,
    companions,
    runs,
)


@lru_cache(maxsize=1)
def column_names() -> tuple[str, ...]:
    """The names of all columns, from a file that is as the functions say (a test): asking them takes longer
    than a page.
    """
    return tuple(COLUMNS.read_text(encoding="ascii").split())


def names_by_families() -> tuple[str, ...]:
    """The names of all columns, asked from the functions themselves: what the file is made of."""
    blocks = Blocks(forest([text_nodes(Page(id="", url="", html=b"<p>a"))]))
    return tuple(name for family in NUMBERS for name in family(blocks))


def numbers(blocks: Blocks) -> SingleArray:
    """All columns as a matrix, a row a block: by the pass in C where there is one."""
    in_c = compiled("ruiji.features.blocks._numbers")
    return numbers_by_arrays(blocks) if in_c is None else numbers_in_c(in_c, blocks, len(column_names()))


def numbers_by_arrays(blocks: Blocks) -> SingleArray:
    """The same by array arithmetic, the reference. A family's own arrays are gone before the next is asked:
    pages can have a million blocks.
    """
    matrix = np.empty((len(blocks), len(column_names())), dtype=np.float32, order="F")
    at = 0
    for family in NUMBERS:
        for column in family(blocks).values():
            matrix[:, at] = column
            at += 1
    return matrix
