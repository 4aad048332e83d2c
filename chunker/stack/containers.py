"""What a Japanese page holds in one element is content together.

Who annotates regions, by comments or by naming an element, takes in what stands between the paragraphs
(captions, tables, a list at the end) and leaves out what stands beside, however much it reads like prose; so
all annotated Japanese pages are made. Who writes down the main text, as for the wide web, picks single
blocks. So the odds of a Japanese page's nodes are moved by where they stand: up in the element that is likely
to hold the content, down beside it (docs/decisions). Which element that is nobody says. Each that can hold
a part of a page is weighed by what the models expect of it, by how their odds change at its two ends, and by
its name.
"""

from __future__ import annotations

import numpy as np

from ruiji.chunker.decoding.expected_f import node_weights
from ruiji.corpora.c_modules import compiled
from ruiji.features.arrays import BoolArray, FloatArray, IndexArray, covered, sums_between
from ruiji.features.nodes.forest import Forest
from ruiji.features.nodes.names import elements_meaning
from ruiji.features.nodes.structure import SECTIONS

# Log-odds by which a node goes up in the element of the content, and down beside it. On Japanese sites that
# were not learned from these fit what annotators say about best: 0.061 nats a word, and 0.133 without (our
# measurement, docs/decisions).
UP, DOWN = 3.0, 2.0
# What makes an element likelier to be the one: weights of a conditional logit whose choice has the best
# expected F on all training pages, rounded (our measurement, docs/decisions).
EXPECTED = (
    6.0  # for the logarithm of the F that the models expect of keeping just this element and the headline
)
BEGIN_IN, BEGIN_OUT, END_IN, END_OUT = (
    0.65,
    -1.1,
    0.5,
    -0.75,
)  # for the mean odds of the nodes on both sides of its two borders
CALLED = 1.1  # for a name that means content
EDGE = 4  # nodes on each side of a border
CLEAR = 2.0  # log-odds beyond which a node at a border is no clearer; outside of the page nothing is content
# What the chance of an element counts for that is all of the page: it parts nothing (our measurement,
# docs/decisions)
WHOLE = 0.5
# Names of elements that are no content wherever they stand: nothing in them goes up, unless they hold half of
# what is likely and are misnamed.
FURNITURE = ("navigation", "sidebar", "footer", "advertisement", "sharing", "search", "related", "comments")
MISNAMED = 0.5
# Names that mean no content where nearly all of the text is links, be it most of the page: tables of contents
# and groups of links, as Nakamura 2007 has it (section 3.1). They go down as far as others go up; but not
# what holds the headline or is called content, which is no group of links but a page with a name for its menu
# (``<div id="__next">``, ``<body class="drawer">``).
LINK_GROUPS = ("contents", "navigation")
LINKED = 0.8  # 0.5 to 0.8 give the same scores


def container_shift(pages: Forest, odds: FloatArray, headline: BoolArray, which: BoolArray) -> FloatArray:
    """What is to be added to the log-odds of each node; 0 on pages that are not among ``which``, and
    headlines never go down. By the loops in C where there are some.
    """
    shift = np.zeros(len(pages))
    in_c = compiled("ruiji.chunker.stack._containers")
    if not which.any():
        return shift
    if in_c is None:
        return container_shift_by_arrays(pages, odds, headline, which)
    columns = {
        "page_start": pages.page_start, "element_start": pages.element_start, "first": pages.first,
        "end": pages.end, "able": pages.named(*SECTIONS), "content": elements_meaning(pages, "content"),
        "furniture": elements_meaning(pages, *FURNITURE), "groups": elements_meaning(pages, *LINK_GROUPS),
        "odds": odds, "weight": node_weights(pages), "linked": pages.linked, "headline": headline,
        "UP": UP, "DOWN": DOWN, "EXPECTED": EXPECTED, "BEGIN_IN": BEGIN_IN, "BEGIN_OUT": BEGIN_OUT,
        "END_IN": END_IN, "END_OUT": END_OUT, "CALLED": CALLED, "CLEAR": CLEAR, "WHOLE": WHOLE,
        "MISNAMED": MISNAMED, "LINKED": LINKED, "EDGE": EDGE,
    }  # fmt: skip
    in_c.shift(columns, which, shift)
    return shift


def container_shift_by_arrays(
    pages: Forest, odds: FloatArray, headline: BoolArray, which: BoolArray
) -> FloatArray:
    """The reference for the loops in C."""
    shift = np.zeros(len(pages))
    weight = node_weights(pages)
    section, content = pages.named(*SECTIONS), elements_meaning(pages, "content")
    furniture, groups = elements_meaning(pages, *FURNITURE), elements_meaning(pages, *LINK_GROUPS)
    for number in np.flatnonzero(
        which
    ).tolist():  # page by page: what is summed up never depends on what a page was read with
        start, stop = pages.page_start[number : number + 2].tolist()
        nodes, own = slice(start, stop), slice(*pages.element_start[number : number + 2].tolist())
        first, end = pages.first[own] - start, pages.end[own] - start
        able = section[own] & (end > first)
        if able.any():
            size = weight[nodes]
            likely, linked = size / (1 + np.exp(-odds[nodes])), size * pages.linked[nodes]
            inside = chance_inside(
                first[able], end[able], content[own][able], odds[nodes], size, headline[nodes]
            )
            spared = furniture[own] & (sums_between(likely, first, end) < MISNAMED * likely.sum())
            main = elements_held(first, end, able & content[own], stop - start) + sums_between(
                headline[nodes], first, end
            )
            listed = (
                groups[own]
                & (sums_between(linked, first, end) > LINKED * sums_between(size, first, end))
                & (main == 0)
            )
            up = np.where(covered(first[spared], end[spared], stop - start), 0.0, UP * inside)
            shift[nodes] = np.where(
                covered(first[listed], end[listed], stop - start), -UP, up - DOWN * (1 - inside)
            )
    return np.maximum(shift, 0.0, out=shift, where=headline)


def chance_inside(
    first: IndexArray,
    end: IndexArray,
    named: BoolArray,
    odds: FloatArray,
    weight: FloatArray,
    headline: BoolArray,
) -> FloatArray:
    """How likely each node of a page stands in the element that holds the content.

    The elements come as their first node and the one after their last, with whether their names mean content;
    several with the same nodes are one.
    """
    count = len(odds)
    extent, same = np.unique(first.astype(np.int64) * (count + 1) + end, return_inverse=True)
    named = np.bincount(same, named, len(extent)) > 0
    first, end = np.divmod(extent, count + 1)
    likely = weight / (1 + np.exp(-odds))
    # The headline comes along with any of them.
    size, hit = (
        sums_between(column * ~headline, first, end) + column[headline].sum() for column in (weight, likely)
    )
    least = np.finfo(float).tiny
    expected = 2 * hit / np.maximum(size + likely.sum(), least)  # a page may have no words
    clear = np.clip(odds, -CLEAR, CLEAR)
    score = (
        EXPECTED * np.log(np.maximum(expected, least))
        + BEGIN_IN * _mean(clear, first, np.minimum(first + EDGE, end))
        + BEGIN_OUT * _mean(clear, np.maximum(first - EDGE, 0), first)
        + END_IN * _mean(clear, np.maximum(end - EDGE, first), end)
        + END_OUT * _mean(clear, end, np.minimum(end + EDGE, count))
        + CALLED * named
    )
    chance = np.exp(score - score.max())
    chance /= chance.sum()
    chance[(first == 0) & (end == count)] *= WHOLE
    steps = np.bincount(first, chance, count + 1) - np.bincount(end, chance, count + 1)
    chance_of_node: FloatArray = np.clip(steps.cumsum()[:-1], 0.0, 1.0)
    return chance_of_node


def _mean(column: FloatArray, first: IndexArray, end: IndexArray) -> FloatArray:
    """The mean of the column between these places; as low as can be where there is nothing between them."""
    return np.where(end > first, sums_between(column, first, end) / np.maximum(end - first, 1), -CLEAR)


def elements_held(first: IndexArray, end: IndexArray, which: BoolArray, count: int) -> IndexArray:
    """How many of ``which`` lie inside each element and are smaller: begin in it, but do not begin with it
    and reach as far or farther.
    """
    line = np.int64(count + 1)
    begins = first * line
    held = np.sort((begins + end)[which])
    begun = held.searchsorted(end * line) - held.searchsorted(begins)
    held_inside: IndexArray = begun - (held.searchsorted(begins + line) - held.searchsorted(begins + end))
    return held_inside
