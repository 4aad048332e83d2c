"""Numbers about blocks for classifiers that take columns: trees, not the CRF.

A family is a pure function from blocks to named columns, and NUMBERS is the list of them. None of the columns
is a word of the page or the name of a class as such: languages and templates that training has not met get
numbers from the same scale. What names and words say comes in by their usual meaning (hints), and no number
tells the language. Numbers that only say which page it is (its size, its count of headings or prices) are
left out: trees learn pages by heart with them (docs/evaluation.md).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from ruiji.corpora.page import Page
from ruiji.features.arrays import FloatArray, running_sum
from ruiji.features.blocks.table import Blocks
from ruiji.features.blocks.title import announced
from ruiji.features.nodes import names as naming
from ruiji.features.nodes import tags, texts
from ruiji.features.nodes.forest import forest
from ruiji.features.nodes.structure import around
from ruiji.features.page import elements
from ruiji.features.page.textnodes import text_nodes
from ruiji.features.text.characters import Kind
from ruiji.features.text.hints import NAME_HINTS, WORD_HINTS

Numbers = Mapping[str, npt.NDArray[np.generic]]
Family = Callable[[Blocks], Numbers]

DENSE = (Kind.HIRAGANA, Kind.KATAKANA, Kind.KANJI, Kind.HANGUL)  # letters without case
LONG = 80  # characters: a paragraph, not a menu entry
REACHES = (2, 6, 15)  # blocks to both sides that a window takes in
HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
KINDS_OF_BLOCK = (
    ("p", ("p",)), ("li", ("li",)), ("div", ("div",)), ("cell", ("td", "th")), ("definition", ("dt", "dd")),
    ("pre", ("pre", "listing", "xmp")), ("option", ("option", "select", "optgroup")), ("heading", HEADINGS),
)  # fmt: skip
AROUND = (
    "article", "aside", "button", "figure", "footer", "form", "header", "label", "li", "main", "nav", "ol", "p", "pre", "section", "table",
    "ul",
)  # fmt: skip
MAIN_SHARES = (0.3, 0.5, 0.75, 0.9)
PATH_STEPS = 6


def _share(part: npt.NDArray[np.generic], whole: npt.NDArray[np.generic]) -> FloatArray:
    found: FloatArray = part / np.maximum(whole, 1e-9)
    return found


def text(blocks: Blocks) -> Numbers:
    """The characters of the block."""
    kinds = blocks.kinds
    letters = kinds[Kind.LOWER : Kind.HANGUL + 1].sum(axis=0)
    first, last = blocks.pages.characters.ends
    ends = blocks.pages.block_start[1:] - 1
    first_hint, hint_words = _word_hints(blocks)
    return {
        "chars": blocks.chars,
        "nodes": np.diff(blocks.pages.block_start),
        "sentence_ends": kinds[Kind.FULL_STOP] + kinds[Kind.QUESTION],
        "questions": kinds[Kind.QUESTION],
        "commas": kinds[Kind.COMMA],
        "colons": kinds[Kind.COLON],
        "separators": kinds[Kind.SEPARATOR],
        "brackets": kinds[Kind.OPEN],
        "copyright": kinds[Kind.COPYRIGHT],
        "currency": kinds[Kind.CURRENCY],
        "digits": _share(kinds[Kind.DIGIT], blocks.chars),
        "digit_count": kinds[Kind.DIGIT],
        "capitals": _share(kinds[Kind.UPPER], letters),
        "other_marks": _share(kinds[Kind.OTHER], blocks.chars),
        "punctuation": _share(kinds[Kind.FULL_STOP] + kinds[Kind.COMMA], blocks.chars),
        "first_kind": np.where(np.isin(first, DENSE), Kind.UPPER, first)[blocks.start],
        "last_kind": np.where(np.isin(last, DENSE), Kind.LOWER, last)[ends],
        "word_hint": first_hint,
        **{f"hint_words_{name}": column for name, column in zip(WORD_HINTS, hint_words, strict=True)},
    }


def _word_hints(blocks: Blocks) -> tuple[FloatArray, list[FloatArray]]:
    """The kind of page furniture that the first node speaks of, and how many words of each kind the short
    texts have.
    """
    words = blocks.pages.words
    group = texts.hinted_words(blocks.pages)
    block = blocks.pages.block[words.text]
    counts = [
        np.bincount(block[group == number], minlength=len(blocks)).astype(np.float64)
        for number in range(len(WORD_HINTS))
    ]
    return texts.word_hint(blocks.pages)[blocks.start].astype(np.float64), counts


def elsewhere(blocks: Blocks) -> Numbers:
    """Whether the text stands in the page again."""
    return {
        "repeated": blocks.sums(texts.repeated_text(blocks.pages) * blocks.node_chars)
        / np.maximum(blocks.chars, 1)
    }


def links(blocks: Blocks) -> Numbers:
    """How much of the block is links, and to places in the page itself.

    Whether others leave the site is not told: saved pages often stand under another host than they came from.
    """
    pages = blocks.pages
    number = np.concatenate([page.link for page in pages.pages])
    new_link = np.ones(len(number), dtype=bool)
    new_link[1:] = (number[1:] != number[:-1]) | (pages.page[1:] != pages.page[:-1])
    return {
        "linked": _share(blocks.linked_chars, blocks.chars),
        "link_count": blocks.sums(new_link & pages.linked),
        "unlinked_chars": blocks.chars - blocks.linked_chars,
        "fragments": _share(blocks.sums(tags.fragment(pages) * blocks.node_chars), blocks.chars),
    }


def tree(blocks: Blocks) -> Numbers:
    """The elements around the block."""
    pages = blocks.pages
    element = blocks.element
    number = pages.number
    above = pages.block_element[pages.parent[element]]
    found: dict[str, npt.NDArray[np.generic]] = {
        "block_tag": tags.block_tag(pages)[blocks.start],
        "parent_tag": tags.parent_tag(pages)[blocks.start],
        "above_tag": number[above],
        "above2_tag": number[pages.block_element[pages.parent[above]]],
        "depth": pages.depth[element],
        "climb": pages.depth[pages.element[blocks.start]] - pages.common_depth[blocks.start],
        "siblings": tags.same_siblings(pages)[element],
        "siblings_above": tags.same_siblings(pages)[above],
        "blocks_in_element": blocks.end[element] - blocks.first[element],
    }
    for name, names in KINDS_OF_BLOCK:
        found[f"is_{name}"] = pages.named(*names)[element]
    nearest = _around(blocks)
    depth = pages.depth[pages.element[blocks.start]]
    for tag, own in zip(AROUND, nearest, strict=False):
        found[f"in_{tag}"] = np.where(own > 0, depth - pages.depth[own] + 1, 0)
    level = np.zeros(256)
    for place, tag in enumerate(HEADINGS):
        level[list(elements.numbered(frozenset((tag,))))] = place + 1
    found["heading_level"] = level[number[nearest[len(AROUND)]]]
    return found


def _around(blocks: Blocks) -> npt.NDArray[np.int32]:
    """The nearest element of each tag of AROUND around each block, a row a tag; in the last row the nearest
    heading.
    """
    number = blocks.pages.number
    row = np.full(256, -1, dtype=np.int32)
    for place, tags_ in enumerate((*((tag,) for tag in AROUND), HEADINGS)):
        row[list(elements.numbered(frozenset(tags_)))] = place
    which = np.flatnonzero(row[number] >= 0).astype(np.int32)
    return blocks.innermost(row[number[which]], which, len(AROUND) + 1)


def names(blocks: Blocks) -> Numbers:
    """What the names of the enclosing elements usually mean: how many of each meaning, and how near the
    nearest is.
    """
    pages = blocks.pages
    element, group = naming.hinted(pages)
    found: dict[str, npt.NDArray[np.generic]] = {"nearest_hint": naming.nearest_hint(pages)[blocks.start]}
    share_inside = _share(
        blocks.inside(blocks.chars), blocks.of_page(blocks.chars)[pages_of_elements(blocks)]
    )
    block_level = (
        pages.block_element[element] == element
    )  # a button that is not counts where a block lies in it
    nearest = blocks.innermost(group[block_level], element[block_level], len(NAME_HINTS))
    for number in set(group[~block_level].tolist()):
        own = np.zeros(len(pages.parent), dtype=bool)
        own[element[group == number]] = True
        nearest[number] = pages.nearest(own)[blocks.element]
    depth = pages.depth[blocks.element]
    for name, own in zip(NAME_HINTS, nearest, strict=True):
        found[f"hint_{name}"] = np.where(own > 0, depth - pages.depth[own] + 1, 0)
        if name in ("content", "related", "comments", "sidebar", "header"):
            found[f"hint_share_{name}"] = np.where(own > 0, share_inside[own], -1.0)
    for part in (naming.main_part, naming.article_part, naming.content_part):
        found[part.__name__] = part(pages)[blocks.start]
    return found


def pages_of_elements(blocks: Blocks) -> npt.NDArray[np.int32]:
    """The page of each element; 0 for none."""
    starts = blocks.pages.element_start
    return np.concatenate(([0], np.repeat(np.arange(len(starts) - 1, dtype=np.int32), np.diff(starts))))


def containers(blocks: Blocks) -> Numbers:
    """The sections around the block: how large, how linked, how much of the page, and where in them the block
    stands; -1 without one.
    """
    chars, linked = blocks.inside(blocks.chars), blocks.inside(blocks.linked_chars)
    count = blocks.end - blocks.first
    ends = blocks.inside(blocks.kinds[Kind.FULL_STOP] + blocks.kinds[Kind.QUESTION])
    commas = blocks.inside(blocks.kinds[Kind.COMMA])
    long = blocks.inside(blocks.chars * ((blocks.chars >= LONG) & (blocks.linked_chars < blocks.chars / 2)))
    headings = blocks.inside(blocks.pages.named(*HEADINGS)[blocks.element])
    of_element = {
        "chars": chars,
        "share": _share(chars, blocks.of_page(blocks.chars)[pages_of_elements(blocks)]),
        "linked": _share(linked, chars),
        "mean": _share(chars, count),
        "blocks": count,
        "sentence_ends": _share(ends, count),
        "commas": _share(commas, chars),
        "long": _share(long, chars),
        "headings": headings,
        "tag": blocks.pages.number,
    }
    known = np.stack([column.astype(np.float32) for column in of_element.values()], axis=1)
    known[0] = -1.0
    at = np.arange(len(blocks))
    found: dict[str, npt.NDArray[np.generic]] = {}
    before = running_sum(blocks.chars)
    for level, container in enumerate(blocks.containers, 1):
        here, first = container > 0, blocks.first[container]
        columns = dict(zip(of_element, known[container].T, strict=True))
        tag = columns.pop("tag")
        columns["place"] = np.where(here, _share(at - first, count[container]), -1.0)
        columns["before"] = np.where(here, _share(before[:-1] - before[first], chars[container]), -1.0)
        for name, column in (columns | {"tag": tag}).items():
            found[f"{name}_{level}"] = column
    return found


def main_part(blocks: Blocks) -> Numbers:
    """Whether the block is in the smallest element with so much of the page's prose, or how far from it."""
    pages = blocks.pages
    prose = blocks.chars * ((blocks.chars >= LONG) & (blocks.linked_chars < blocks.chars / 3))
    prose_inside = blocks.inside(prose)
    owner = pages_of_elements(blocks)
    share_of = _share(prose_inside, blocks.of_page(prose)[owner])
    size = _share(blocks.inside(blocks.chars), blocks.of_page(blocks.chars)[owner])
    found: dict[str, npt.NDArray[np.generic]] = {}
    at = np.arange(len(blocks))
    for least in MAIN_SHARES:
        good = share_of >= least
        good[0] = False
        # The deepest of a page; elements that hold half or more lie in one chain, of smaller shares the one
        # with most prose counts.
        some = np.flatnonzero(good)
        order = some[
            np.lexsort(
                (-pages.depth[some], -np.where(least < 0.5, prose_inside[some], 0.0).round(), owner[some])
            )
        ]
        page, place = np.unique(owner[order], return_index=True)
        best = np.zeros(len(blocks.page_start) - 1, dtype=np.int64)
        best[page] = order[place]
        main = best[blocks.page]
        inside = (main > 0) & (blocks.first[main] <= at) & (at < blocks.end[main])
        name = f"{round(least * 100)}"
        found[f"main_{name}"] = np.where(main > 0, inside, -1)
        found[f"main_size_{name}"] = np.where(main > 0, size[main], -1.0)
        beyond = np.where(
            at < blocks.first[main], at - blocks.first[main], np.where(inside, 0, at - blocks.end[main] + 1)
        )
        found[f"from_main_{name}"] = np.where(main > 0, beyond, 0)
    found["prose_before"] = _share(blocks.before(prose), blocks.of_page(prose)[blocks.page])
    return found


def place(blocks: Blocks) -> Numbers:
    """Where in the page the block stands, and how far from paragraphs and headings."""
    at = np.arange(len(blocks))
    starts, ends = blocks.page_start[:-1][blocks.page], blocks.page_start[1:][blocks.page]
    long = (blocks.chars >= LONG) & (blocks.linked_chars < blocks.chars / 2)
    very_long = (blocks.chars >= 3 * LONG) & (blocks.linked_chars < blocks.chars / 2)
    heading = blocks.pages.named(*HEADINGS)[blocks.element]
    main_heading = around(blocks.pages, "h1")[blocks.start] > 0
    return {
        "from_start": at - starts,
        "to_end": ends - 1 - at,
        "place": _share(at - starts, ends - starts),
        "text_before": _share(blocks.before(blocks.chars), blocks.of_page(blocks.chars)[blocks.page]),
        "long_back": blocks.distance(long, True),
        "long_ahead": blocks.distance(long, False),
        "very_long_back": blocks.distance(very_long, True),
        "very_long_ahead": blocks.distance(very_long, False),
        "heading_back": blocks.distance(heading, True),
        "heading_ahead": blocks.distance(heading, False),
        "h1_back": blocks.distance(main_heading, True),
        "h1_ahead": blocks.distance(main_heading, False),
        "currency_back": blocks.distance(blocks.kinds[Kind.CURRENCY] > 0, True),
        "currency_ahead": blocks.distance(blocks.kinds[Kind.CURRENCY] > 0, False),
    }


def neighbours(blocks: Blocks) -> Numbers:
    """The blocks before and after."""
    linked = _share(blocks.linked_chars, blocks.chars)
    ends = blocks.kinds[Kind.FULL_STOP] + blocks.kinds[Kind.QUESTION]
    tag = tags.block_tag(blocks.pages)[blocks.start]
    found: dict[str, npt.NDArray[np.generic]] = {}
    for offset in (-3, -2, -1, 1, 2, 3):
        found[f"chars{offset:+d}"] = blocks.shifted(blocks.chars, offset)
        found[f"linked{offset:+d}"] = blocks.shifted(linked, offset)
    for offset in (-2, -1, 1, 2):
        found[f"sentence_ends{offset:+d}"] = blocks.shifted(ends, offset)
        found[f"tag{offset:+d}"] = blocks.shifted(tag, offset)
    found["same_element_before"] = blocks.shifted(blocks.element, -1) == blocks.element
    for reach in REACHES:
        chars = blocks.window(blocks.chars, reach)
        found[f"chars_near_{reach}"] = chars
        found[f"linked_near_{reach}"] = _share(blocks.window(blocks.linked_chars, reach), chars)
        found[f"sentence_ends_near_{reach}"] = blocks.window(ends, reach)
    return found


def repetition(blocks: Blocks) -> Numbers:
    """Blocks of the page that stand in the same kind of place: how many, how long, how linked."""
    pages = blocks.pages
    found: dict[str, npt.NDArray[np.generic]] = {}
    path = pages.number[blocks.element].astype(np.uint64)
    above = blocks.element
    for _ in range(PATH_STEPS):
        above = pages.block_element[pages.parent[above]]
        path = path * np.uint64(257) + pages.number[above]
    for name, key in (
        ("path", path),
        ("called", path * np.uint64(1_000_003) + _name_keys(blocks)[blocks.element]),
    ):
        whole = key * np.uint64(65_599) + blocks.page.astype(np.uint64)
        _, kind = np.unique(whole, return_inverse=True)
        count = np.bincount(kind)
        chars = np.bincount(kind, blocks.chars)
        found[f"same_{name}"] = count[kind]
        found[f"same_{name}_chars"] = (chars / count)[kind]
        found[f"same_{name}_linked"] = (np.bincount(kind, blocks.linked_chars) / np.maximum(chars, 1))[kind]
        found[f"same_{name}_share"] = chars[kind] / np.maximum(blocks.of_page(blocks.chars)[blocks.page], 1)
    return found


def _name_keys(blocks: Blocks) -> npt.NDArray[np.uint64]:
    """For each element a number for what the nearest named element around it is called."""
    named, _ = blocks.pages.names
    kind, _ = blocks.pages.name_kinds
    keys = np.zeros(len(blocks.pages.parent), dtype=np.uint64)
    keys[named] = kind + 1
    has = keys > 0
    return keys[blocks.pages.nearest(has)]


NUMBERS: Sequence[Family] = (
    text,
    elsewhere,
    links,
    tree,
    names,
    containers,
    main_part,
    place,
    neighbours,
    repetition,
    announced,
)


@lru_cache(maxsize=1)
def column_names() -> tuple[str, ...]:
    """The names of all columns, asked from the functions themselves."""
    blocks = Blocks(forest([text_nodes(Page(id="", url="", html=b"<p>a"))]))
    return tuple(name for family in NUMBERS for name in family(blocks))


def numbers(blocks: Blocks) -> npt.NDArray[np.float32]:
    """All columns as a matrix: a row a block. A family's own arrays are gone before the next is asked: pages
    can have a million blocks.
    """
    matrix = np.empty((len(blocks), len(column_names())), dtype=np.float32, order="F")
    at = 0
    for family in NUMBERS:
        for column in family(blocks).values():
            matrix[:, at] = column
            at += 1
    return matrix
