"""The words of a vocabulary in a page, and the blocks that have each.

Words of short texts stand in one block. Words in the names of elements (class, id, role) count for all
blocks inside the element; of elements inside each other with the same word only the outermost counts, so that
a block has a word or not.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ruiji.features.arrays import IntArray, ranges, smallest_unsigned
from ruiji.features.blocks.table import Blocks
from ruiji.features.text.characters import word_keys
from ruiji.features.text.keytable import KeyTable, key_table


@dataclass(frozen=True, slots=True, eq=False)
class Spans:
    """Words, each with the blocks that have it: from ``first`` to before ``end``."""

    word: IntArray  # its number in the vocabulary
    first: IntArray
    end: IntArray


_NONE = np.zeros(0, dtype=np.int32)
NOTHING = Spans(_NONE, _NONE, _NONE)


@dataclass(frozen=True)
class Lexicon:
    """A vocabulary: words of texts, then words of names. A word's number is its place in the two lists, one
    after the other.
    """

    text_words: Sequence[str]
    name_words: Sequence[str]

    def __len__(self) -> int:
        return len(self.text_words) + len(self.name_words)

    @cached_property
    def tables(self) -> tuple[KeyTable | None, KeyTable | None]:
        """The keys of both lists; None for an empty one."""
        text, name = (word_keys(words) for words in (self.text_words, self.name_words))
        return key_table(text) if len(text) else None, key_table(name) if len(name) else None

    def spans(self, blocks: Blocks) -> Spans:
        """Where the words of the vocabulary stand, each block once for a word."""
        text, name = self.tables
        spans = [NOTHING]
        if text is not None:
            words = blocks.pages.words
            which, word = text.find(words.key)
            block = blocks.pages.block[words.text[which]]
            spans.append(outermost(Spans(word, block, block + 1)))
        if name is not None:
            own = name_spans(blocks, name)
            spans.append(outermost(Spans(own.word + np.int32(len(self.text_words)), own.first, own.end)))
        return Spans(
            *(np.concatenate([getattr(own, field) for own in spans]) for field in ("word", "first", "end"))
        )


def name_spans(blocks: Blocks, known: KeyTable) -> Spans:
    """The known words in the names of elements that have text inside. Elements of the same name share the
    look for its words.
    """
    element, _ = blocks.pages.names
    kind, different = blocks.pages.name_kinds
    words, _ = blocks.pages.words_of_names
    which, word = known.find(words.key)
    start = words.text[which].searchsorted(np.arange(len(different) + 1)).astype(np.int32)
    first, end = blocks.first[element], blocks.end[element]
    some = end > first
    element_words = (start[1:] - start[:-1])[kind] * some
    place = ranges(start[kind], element_words)
    return Spans(word[place], np.repeat(first, element_words), np.repeat(end, element_words))


def outermost(spans: Spans) -> Spans:
    """Those that do not lie inside another of the same word, by word.

    Spans lie inside each other or apart, and come in the order of the page, the outer before the inner: as
    elements do.
    """
    order = spans.word.astype(smallest_unsigned(int(spans.word.max(initial=0)))).argsort(
        kind="stable"
    )  # linear for 16 bits
    word, first, end = spans.word[order], spans.first[order], spans.end[order]
    line = int(end.max(initial=0)) + 1  # each word has a stretch of so many numbers to itself
    begin = word.astype(np.int64) * line
    apart = np.ones(len(order), dtype=bool)
    apart[1:] = (begin + first)[1:] >= np.maximum.accumulate(begin + end)[:-1]
    return Spans(word[apart], first[apart], end[apart])
