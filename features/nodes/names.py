"""Features of names: what class, id and role call the elements around a node, word by word and by their usual
meaning.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from ruiji.features.arrays import covered
from ruiji.features.nodes.attributes import Finds
from ruiji.features.nodes.buckets import Codes
from ruiji.features.nodes.forest import Forest, shared
from ruiji.features.page import elements
from ruiji.features.text.hints import NAME_MEANINGS, hinted_elements, meanings_in_names

HINTS = ("none", *NAME_MEANINGS)
BESIDE = ("none", "inside", "before", "after", "between")  # of a page, as seen from some of its elements


def _name_finds(pages: Forest, first: npt.NDArray[np.int32], end: npt.NDArray[np.int32]) -> Finds:
    element, words, spelling = pages.name_words
    return Finds(first[element], end[element], words.key, lambda which: spelling.spelled(words, which))


def name(pages: Forest) -> Finds:
    """The words of class, id and role of every enclosing element."""
    return _name_finds(pages, pages.first, pages.end)


def name_opens(pages: Forest) -> Finds:
    """The words of class, id and role of the elements that begin with this node."""
    return _name_finds(pages, pages.first, np.minimum(pages.first + 1, pages.end))


@shared
def hinted(pages: Forest) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int32]]:
    """Elements that names or tags give a meaning, and the number of that meaning among NAME_MEANINGS; an
    element may have several.
    """
    element, words, _ = pages.name_words
    group = meanings_in_names(words.key)
    blocks = pages.named(
        *elements.BLOCK_LEVEL
    )  # a span called section or title is a word of a text, not a part of the page
    known = (group >= 0) & blocks[element]
    element, group = element[known], group[known]
    named, groups = [element], [group]
    for tag, hint in hinted_elements().items():
        own = np.flatnonzero(pages.named(tag)).astype(np.int32)
        named.append(own)
        groups.append(np.full(len(own), NAME_MEANINGS.index(hint), dtype=np.int32))
    return np.concatenate(named), np.concatenate(groups)


def _hint_finds(pages: Forest, opening: bool) -> Finds:
    element, group = hinted(pages)
    end = np.minimum(pages.first + 1, pages.end) if opening else pages.end
    groups = group.tolist()
    return Finds(
        pages.first[element],
        end[element],
        group.astype(np.uint64),
        lambda which: [NAME_MEANINGS[groups[find]] for find in which],
    )


def hint(pages: Forest) -> Finds:
    """What names and tags of the enclosing elements usually mean."""
    return _hint_finds(pages, opening=False)


def hint_opens(pages: Forest) -> Finds:
    """The same of the elements that begin with this node."""
    return _hint_finds(pages, opening=True)


def hint_key(value: str) -> int:
    """The key of a meaning."""
    return NAME_MEANINGS.index(value)


def nearest_hint(pages: Forest) -> Codes:
    """What the nearest enclosing element with a meaning means."""
    element, group = hinted(pages)
    of_element = np.zeros(len(pages.parent), dtype=np.int32)
    of_element[element] = group + 1
    return of_element[pages.nearest(of_element > 0)[pages.element]]


def _part(pages: Forest, which: npt.NDArray[np.bool_]) -> Codes:
    """Whether a node is inside one of these elements, before the first of its page, after the last or between
    two; 0 in a page without.
    """
    own = np.flatnonzero(which & (pages.end > pages.first))
    page = pages.page[pages.first[own]]
    first, end = (
        np.full(len(pages.pages), len(pages), dtype=np.int64),
        np.full(len(pages.pages), -1, dtype=np.int64),
    )
    np.minimum.at(first, page, pages.first[own])
    np.maximum.at(end, page, pages.end[own])
    at = np.arange(len(pages))
    inside = covered(pages.first[own], pages.end[own], len(pages))
    beside = np.select(
        [end[pages.page] < 0, inside, at < first[pages.page], at >= end[pages.page]], [0, 1, 2, 3], 4
    )
    return np.asarray(beside, dtype=np.int32)


@shared
def main_part(pages: Forest) -> Codes:
    """Where the node stands to the page's main element: beside it a page has what it does not call its main
    part.
    """
    return _part(pages, pages.named("main"))


@shared
def article_part(pages: Forest) -> Codes:
    """Where the node stands to the page's article elements."""
    return _part(pages, pages.named("article"))


def elements_meaning(pages: Forest, *meanings: str) -> npt.NDArray[np.bool_]:
    """Which elements have a name, or a tag, that means one of these."""
    element, group = hinted(pages)
    which = np.zeros(len(pages.parent), dtype=bool)
    which[element[np.isin(group, [NAME_MEANINGS.index(meaning) for meaning in meanings])]] = True
    return which


@shared
def content_part(pages: Forest) -> Codes:
    """Where the node stands to the elements whose names mean content."""
    return _part(pages, elements_meaning(pages, "content"))
