"""The text nodes of several pages as one set of arrays: the input of every feature.

Pages stand one after another. Elements are numbered from 1; element 0 is none at all, and its own parent, so
that climbing needs no condition. What several features share (lengths, depths, the nearest element of a kind)
is computed once, when first asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, update_wrapper
from itertools import chain
from typing import Any, Concatenate, ParamSpec, TypeVar

import numpy as np
import numpy.typing as npt

from ruiji.features.arrays import BoolArray, FloatArray, IntArray, KeyArray, ranges, running_sum
from ruiji.features.page import elements
from ruiji.features.page.links import LinkKind
from ruiji.features.page.textnodes import NO_LINK, TextNodes
from ruiji.features.text.characters import Characters, Words, characters, same_texts

SHORT_TEXT = 40  # characters
NOWHERE = 0  # the element that is none

Arguments = ParamSpec("Arguments")
Answer = TypeVar("Answer")


class NamesMissing(ValueError):
    """Text nodes were read without the names of elements, and a feature wants them."""


@dataclass(frozen=True, eq=False)
class Forest:
    """Pages and their columns; ``page_start`` has the first node of each page, and one more.

    ``odds`` is what a classifier below says of each node, as the logarithm of the odds that it is content;
    None where none was asked.
    """

    pages: Sequence[TextNodes]
    page_start: IntArray
    element_start: IntArray
    odds: FloatArray | None = None

    def __len__(self) -> int:
        return int(self.page_start[-1])

    def with_odds(self, odds: FloatArray) -> Forest:
        """The same pages with the log-odds that a classifier gives their nodes; columns that are there
        already are not computed again.
        """
        pages = Forest(self.pages, self.page_start, self.element_start, odds)
        pages.__dict__.update({name: value for name, value in self.__dict__.items() if name != "odds"})
        return pages

    @cached_property
    def answers(self) -> dict[Any, Any]:
        """What functions under ``shared`` have found already."""
        return {}

    @cached_property
    def page(self) -> IntArray:
        """The page of each node."""
        return np.repeat(np.arange(len(self.pages), dtype=np.int32), np.diff(self.page_start))

    @cached_property
    def texts(self) -> list[str]:
        return list(chain.from_iterable(page.texts for page in self.pages))

    @cached_property
    def characters(self) -> Characters:
        return characters(self.texts)

    @cached_property
    def stripped(self) -> list[str]:
        """The texts without white space around them."""
        return [*map(str.strip, self.texts)]

    @cached_property
    def _same_texts(self) -> tuple[IntArray, KeyArray]:
        return same_texts(self.texts, self.page_start, stripped=True)

    @property
    def text_number(self) -> IntArray:
        """The same number for nodes of a page that have the same text, white space around it apart."""
        return self._same_texts[0]

    @property
    def text_key(self) -> KeyArray:
        """The same number for nodes of any pages that have the same text, white space around it apart."""
        return self._same_texts[1]

    @cached_property
    def words(self) -> Words:
        """The words of short texts: in a longer one single words say little."""
        return self.characters.words(longest_text=SHORT_TEXT)

    @cached_property
    def morphology(self) -> tuple[BoolArray, list[tuple[str, ...]]]:
        """Of each node whether it has a verb or an adjective, and its nouns."""
        from ruiji.features.text import morphology

        parts = [morphology.analyse(page.texts) for page in self.pages]
        return np.concatenate([part.predicate for part in parts]), [
            nouns for part in parts for nouns in part.nouns
        ]

    @cached_property
    def element(self) -> IntArray:
        """The element right above each node."""
        return np.concatenate([page.element + start for page, start in self._with(self.element_start)])

    @cached_property
    def number(self) -> npt.NDArray[np.uint8]:
        """The parser's number of each element's name; 0 for none."""
        return np.concatenate([np.zeros(1, dtype=np.uint8), *(page.number for page in self.pages)])

    @cached_property
    def parent(self) -> IntArray:
        parents = [
            np.where(page.parent < 0, NOWHERE, page.parent + start)
            for page, start in self._with(self.element_start)
        ]
        return np.concatenate([[NOWHERE], *parents]).astype(np.int32)

    @cached_property
    def first(self) -> IntArray:
        """The first node inside each element."""
        return np.concatenate(
            [[0], *(page.first + start for page, start in self._with(self.page_start))]
        ).astype(np.int32)

    @cached_property
    def end(self) -> IntArray:
        """The node after the last one inside each element."""
        return np.concatenate(
            [[0], *(page.end + start for page, start in self._with(self.page_start))]
        ).astype(np.int32)

    @cached_property
    def block(self) -> IntArray:
        """The number of each node's block, over all pages."""
        own = np.concatenate([page.block for page in self.pages])
        new = np.ones(len(own), dtype=bool)
        new[1:] = (own[1:] != own[:-1]) | (self.page[1:] != self.page[:-1])
        return np.cumsum(new, dtype=np.int32) - 1

    @cached_property
    def block_start(self) -> IntArray:
        """The first node of each block, and one more."""
        starts = np.flatnonzero(np.diff(self.block, prepend=-1))
        return np.append(starts, len(self)).astype(np.int32)

    @cached_property
    def flags(self) -> npt.NDArray[np.uint8]:
        return np.concatenate([page.flags for page in self.pages])

    @cached_property
    def link_kind(self) -> npt.NDArray[np.int8]:
        """The LinkKind of each node."""
        return self.of_links(
            [np.frombuffer(bytes(page.link_kinds), dtype=np.int8) for page in self.pages], int(LinkKind.NONE)
        )

    def of_links(self, columns: Sequence[npt.NDArray[np.int8]], without: int) -> npt.NDArray[np.int8]:
        """For each node the value of its link in the column of the page's links; ``without`` where it has
        none.
        """
        assert NO_LINK == -1
        nothing = np.array([without], dtype=np.int8)
        return np.concatenate(
            [
                np.concatenate((column, nothing))[page.link]
                for page, column in zip(self.pages, columns, strict=True)
            ]
        )

    @cached_property
    def linked(self) -> BoolArray:
        linked: BoolArray = self.link_kind != LinkKind.NONE
        return linked

    @cached_property
    def lengths(self) -> IntArray:
        """The number of characters of each node."""
        return self.characters.lengths

    @cached_property
    def linked_lengths(self) -> IntArray:
        """The same for nodes that are links, 0 for others."""
        lengths: IntArray = self.lengths * self.linked
        return lengths

    @cached_property
    def depth(self) -> IntArray:
        """The depth of each element; that of a root is 1."""
        depth = np.ones(len(self.parent), dtype=np.int32)
        depth[NOWHERE] = 0
        above = self.parent
        while above.any():
            depth += depth[above]
            above = above[above]
        return depth

    def nearest(self, which: BoolArray) -> IntArray:
        """For each element the nearest one among ``which``: itself, or else above it; 0 where there is
        none.
        """
        nearest = np.where(which, np.arange(len(which), dtype=np.int32), self.parent)
        nearest[NOWHERE] = NOWHERE
        while True:
            further = nearest[nearest]
            if (further == nearest).all():
                return np.where(which[nearest], nearest, NOWHERE).astype(np.int32)
            nearest = further

    def named(self, *tags: str) -> BoolArray:
        """Which elements have one of these names."""
        wanted = np.zeros(elements.CUSTOM_NUMBER + 1, dtype=bool)
        wanted[list(elements.numbered(frozenset(tags)))] = True
        which: BoolArray = wanted[self.number]
        return which

    @cached_property
    def block_element(self) -> IntArray:
        """For each element the nearest block-level one."""
        return self.nearest(self.named(*elements.BLOCK_LEVEL))

    @cached_property
    def common_depth(self) -> IntArray:
        """For each node the depth of the lowest element that also encloses the node before; 0 for the first
        of a page.
        """
        # An element that encloses both was opened before the node before and ends after this node.
        inside = self.end - self.first > 1
        size = len(self) + 1
        crossing = np.bincount(self.first[inside] + 1, minlength=size) - np.bincount(
            self.end[inside], minlength=size
        )
        return np.cumsum(crossing, dtype=np.int32)[:-1]

    def inside(self, column: npt.NDArray[np.generic]) -> FloatArray:
        """For each element the sum of a column over the nodes inside it."""
        return self._between(running_sum(column))

    def _between(self, total: FloatArray) -> FloatArray:
        sums: FloatArray = total[self.end] - total[self.first]
        return sums

    @cached_property
    def lengths_before(self) -> FloatArray:
        """The number of characters before each node, and one more: of all."""
        return running_sum(self.lengths)

    @cached_property
    def lengths_inside(self) -> FloatArray:
        """The number of characters inside each element."""
        return self._between(self.lengths_before)

    @cached_property
    def linked_lengths_before(self) -> FloatArray:
        return running_sum(self.linked_lengths)

    @cached_property
    def linked_lengths_inside(self) -> FloatArray:
        return self._between(self.linked_lengths_before)

    @cached_property
    def linked_inside(self) -> FloatArray:
        """The number of nodes inside each element that are links."""
        return self.inside(self.linked)

    @cached_property
    def names(self) -> tuple[IntArray, list[str]]:
        """The elements that attributes name, and how."""
        elements_ = [np.zeros(0, dtype=np.int32)]
        names: list[str] = []
        for page, start in self._with(self.element_start):
            if page.names is None:
                raise NamesMissing(
                    "these text nodes were read without the names of elements; read them with named=True"
                )
            elements_.append(page.names.elements + start)
            names += page.names.names
        return np.concatenate(elements_), names

    @cached_property
    def name_kinds(self) -> tuple[IntArray, list[str]]:
        """For each element that attributes name the number of its name, and the different names: elements of
        a kind have the same.
        """
        _, names = self.names
        last, _ = same_texts(names, np.array([0, len(names)], dtype=np.int32), stripped=False)
        is_last = last == np.arange(len(names))
        kind = np.cumsum(is_last, dtype=np.int32) - np.int32(1)
        return kind[last], [names[number] for number in np.flatnonzero(is_last).tolist()]

    @cached_property
    def words_of_names(self) -> tuple[Words, Characters]:
        """The words in the different names of elements, and what spells them."""
        spelling = characters(self.name_kinds[1])
        return spelling.words(split_case=True), spelling

    @cached_property
    def name_words(self) -> tuple[IntArray, Words, Characters]:
        """The words in the names of elements: the element of each, the words, and what spells them."""
        named, _ = self.names
        kind, different = self.name_kinds
        words, spelling = self.words_of_names
        first = words.text.searchsorted(np.arange(len(different) + 1)).astype(np.int32)
        count = first[kind + 1] - first[kind]
        which = ranges(first[kind], count)
        return (
            np.repeat(named, count),
            Words(words.text[which], words.key[which], words.start[which], words.length[which]),
            spelling,
        )

    def _with(self, starts: IntArray) -> zip[tuple[TextNodes, np.int32]]:
        return zip(self.pages, starts[:-1], strict=True)


def shared(
    function: Callable[Concatenate[Forest, Arguments], Answer],
) -> Callable[Concatenate[Forest, Arguments], Answer]:
    """The function, with its answers kept: features that ask the same of the same pages share one. Nobody may
    change an answer.
    """

    def answer(pages: Forest, /, *arguments: Arguments.args, **options: Arguments.kwargs) -> Answer:
        question = (function, arguments, tuple(sorted(options.items())))
        if question not in pages.answers:
            pages.answers[question] = function(pages, *arguments, **options)
        kept: Answer = pages.answers[question]
        return kept

    update_wrapper(answer, function)
    return answer


def forest(pages: Sequence[TextNodes]) -> Forest:
    """The columns of these pages."""
    nodes = np.cumsum([0, *(len(page) for page in pages)], dtype=np.int32)
    elements_ = np.cumsum([1, *(len(page.parent) for page in pages)], dtype=np.int32)
    return Forest(pages, nodes, elements_)
