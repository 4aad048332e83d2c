"""Where on a site a sentence stands: what pages of one site have at the same place is their template rather
than their content.

Yoshida and Yamamoto 2009 call content what one page only has. Here that is asked of pairs: a mask may leave
an advertisement, a by-line or a link to another article in the content, and then every two pages of the site
that show it would be a pair. So a sentence does not count for a pair of pages of one site when it stands at
the same place of both, and either several pages of the site have it there, or the whole paragraph is the same
and is no prose in the midst of the content: a paragraph of prose that two pages repeat there is theirs.
In a page whose content all stands at one place that says nothing of a sentence that ends as sentences do,
unless the names of elements set it apart from most of the content, as they do with the signatures in a forum.
And pages that are copies of each other are found in any case: what they share is much of them
(detector/pairs/measure.py).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cache
from itertools import chain, pairwise

import numpy as np
import xxhash

from ruiji.corpora.c_modules import compiled
from ruiji.detector.sentences.table import SentenceTable
from ruiji.features.arrays import BoolArray, IntArray, LongArray, long_ranges
from ruiji.features.page.elements import BLOCK_LEVEL, CUSTOM_NUMBER, names, numbered
from ruiji.features.page.textnodes import GIVEN_SENTENCE, TextNodes

# Shares of a page's long sentences in which a paragraph that another page of the site has at the same place
# is furniture, though it is prose: disclosures open a page, offers and notes on the author close it.
OPENING, CLOSING = 0.03, 0.15
ENDS = ("。", ".", "!", "?")  # of normalised sentences
_BETWEEN = "\0"  # the parser leaves none in a name
_DIGITS = re.compile(r"\d+")  # in a name they count as one: post-123 and post-77 are called the same


def sentence_places(
    pages: Sequence[TextNodes], table: SentenceTable, wanted: BoolArray, prose: BoolArray
) -> tuple[LongArray, LongArray]:
    """(place, paragraph) of each wanted sentence, as numbers; 0 for the others. ``prose`` are the wanted ones
    of that shape.

    Also 0 for whole sentences of a page that has all wanted ones at one place, where names do not set them
    apart. Places are the same where the site and the block-level elements above the sentence are; paragraphs
    where the text of the whole paragraph is the same too.
    """
    new = np.ones(len(table.texts), dtype=np.bool_)
    new[1:] = (table.paragraph[1:] != table.paragraph[:-1]) | (table.page[1:] != table.page[:-1])
    starts = np.append(np.flatnonzero(new), len(new))
    chosen = np.unique(np.cumsum(new)[wanted] - 1)  # paragraphs
    spans = list(zip(starts[chosen].tolist(), starts[chosen + 1].tolist(), strict=True))
    first = starts[chosen]
    numbers: list[tuple[int, int]] = []
    number_of = cache(_number)  # of places: many paragraphs stand at one
    borders = np.searchsorted(table.page[first], np.arange(len(pages) + 1)).tolist()
    for nodes, (begin, end) in zip(pages, pairwise(borders), strict=True):
        own = _places_of(nodes, table.first_node[first[begin:end]])
        for place, span in zip(own, spans[begin:end], strict=True):
            numbers.append((number_of(place), _number("\n".join((place, *table.texts[slice(*span)])))))
    sizes = starts[chosen + 1] - first
    places, paragraphs = np.zeros((2, len(table.texts)), dtype=np.int64)
    inside = long_ranges(first, sizes)
    by_paragraph = np.array(numbers, dtype=np.int64).reshape(-1, 2)
    places[inside] = np.repeat(by_paragraph[:, 0], sizes)
    paragraphs[inside] = np.repeat(by_paragraph[:, 1], sizes)
    several = _of_several_places(places, table, wanted)
    set_apart = _set_apart(pages, table, wanted)
    told_apart = wanted & (several | set_apart)
    asked = np.flatnonzero(wanted & ~told_apart)
    told_apart[asked] = ~_ended([table.texts[number] for number in asked.tolist()])
    body = prose & ~set_apart & _inside(table, wanted)
    return places * told_apart, paragraphs * (told_apart & ~body)


def _inside(table: SentenceTable, wanted: BoolArray) -> BoolArray:
    """Which of the wanted sentences stand neither in the opening nor in the closing part of their page."""
    length = np.where(wanted, table.length, 0).astype(np.int64)
    before = np.cumsum(length) - length
    count = int(table.page.max(initial=-1)) + 1
    total = np.bincount(table.page, length, count)
    first = np.searchsorted(table.page, np.arange(count))
    place = before - (before[first] if count else before)[table.page]
    whole = total[table.page]
    return np.asarray(wanted & (place >= OPENING * whole) & (place + length <= (1 - CLOSING) * whole))


def _of_several_places(places: LongArray, table: SentenceTable, wanted: BoolArray) -> BoolArray:
    """Which sentences are of pages whose wanted sentences stand at more than one place."""
    pages = np.unique(np.stack((table.page[wanted].astype(np.int64), places[wanted])), axis=1)[0]
    return np.asarray(np.bincount(pages, minlength=int(table.page.max(initial=0)) + 1)[table.page] > 1)


def _set_apart(pages: Sequence[TextNodes], table: SentenceTable, wanted: BoolArray) -> BoolArray:
    """Which of the wanted sentences stand in elements called otherwise than those with most of their page's
    wanted characters.
    """
    found = np.zeros(len(wanted), dtype=np.bool_)
    numbers = np.flatnonzero(wanted)
    for start, end in pairwise(np.searchsorted(table.page[numbers], np.arange(len(pages) + 1)).tolist()):
        own = numbers[start:end]
        if len(own):
            nodes = pages[int(table.page[own[0]])]
            called = _called(nodes, nodes.element[table.first_node[own]])
            found[own] = called != np.bincount(called, table.length[own]).argmax()  # of equals the first
    return found


def _called(nodes: TextNodes, elements: IntArray) -> IntArray:
    """A number for each element, from 0 as they come, the same where the block-level elements from the root
    down to it are called the same; a name that one element alone has tells no place.
    """
    module = compiled("ruiji.detector.gather._places")
    if nodes.names is None or module is None:
        return called_in_python(nodes, elements)
    numbers = np.zeros(len(elements), dtype=np.int32)
    block = _is_block_level()[nodes.number]
    module.called(nodes.parent, block, nodes.names.elements, list(nodes.names.names), elements, numbers)
    return numbers


def called_in_python(nodes: TextNodes, elements: IntArray) -> IntArray:
    """The same in Python: what the module in C is held against."""
    block_level = _is_block_level()
    called = {element: name for element, name in nodes.names or () if block_level[nodes.number[element]]}
    words, repeated = _words_of_names(Counter(called.values()))
    parents = nodes.parent.tolist()
    found: dict[int, int] = {-1: 0}
    paths: dict[tuple[int, tuple[str, ...]], int] = {}  # a path and the next words below it
    for element in elements.tolist():
        unknown = []
        while element not in found:
            unknown.append(element)
            element = parents[element]
        path = found[element]
        for below in reversed(unknown):
            if below in called and (told := [word for word in words[called[below]] if word in repeated]):
                path = paths.setdefault((path, tuple(sorted(told))), len(paths) + 1)
            found[below] = path
    order: dict[int, int] = {}
    numbers = [order.setdefault(found[element], len(order)) for element in elements.tolist()]
    return np.array(numbers, dtype=np.int32)


def _words_of_names(counts: Mapping[str, int]) -> tuple[dict[str, list[str]], set[str]]:
    """The words of each name, and those that stand in the names of several elements."""
    numbered = _DIGITS.sub("0", _BETWEEN.join(counts)).split(_BETWEEN)
    words = dict(zip(counts, map(str.split, numbered), strict=bool(counts)))  # no name, one piece
    different = [*map(frozenset, words.values())]
    names_with = Counter(chain.from_iterable(different))
    repeated = {word for word, count in names_with.items() if count > 1}
    for own, count in zip(different, counts.values(), strict=True):
        if count > 1:
            repeated |= own
    return words, repeated


def _ended(texts: Sequence[str]) -> BoolArray:
    """Which texts end as sentences do; labels, head lines and advertisements mostly do not."""
    return np.fromiter((text.endswith(ENDS) for text in texts), np.bool_, len(texts))


def _places_of(nodes: TextNodes, first_nodes: IntArray) -> list[str]:
    """The site and the names of the block-level elements from the root down to each of these nodes; positions
    and classes differ within a template.
    """
    if not len(first_nodes):
        return []
    tags, parents = names(), nodes.parent.tolist()
    numbers = np.where(_is_block_level()[nodes.number], nodes.number, 0).tolist()  # 0: no block
    paths = {-1: f"{nodes.host}\n"}
    found: list[str] = []
    given = (nodes.flags[first_nodes] & GIVEN_SENTENCE) != 0
    # The standard format does not say where a sentence stood: each page is a place of its own.
    whole = f"{nodes.host}\n{_number(chr(10).join(nodes.texts))}" if given.any() else ""
    for element, is_given in zip(nodes.element[first_nodes].tolist(), given.tolist(), strict=True):
        unknown = []
        while element not in paths:
            unknown.append(element)
            element = parents[element]
        path = paths[element]
        for below in reversed(unknown):
            path = f"{path}/{tags[numbers[below]]}" if numbers[below] else path
            paths[below] = path
        found.append(whole if is_given else path)
    return found


@cache
def _is_block_level() -> BoolArray:
    """By the number of an element's name."""
    found = np.zeros(CUSTOM_NUMBER + 1, dtype=np.bool_)
    found[list(numbered(BLOCK_LEVEL))] = True
    return found


def _number(text: str) -> int:
    return xxhash.xxh3_64_intdigest(text.encode("utf-8", "surrogatepass")) - (1 << 63)
