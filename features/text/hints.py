"""What people call things: words of class and id names, semantic elements and words of texts, by what they
usually mean (data/hints.toml).
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

import numpy as np

from ruiji.features.arrays import IntArray, KeyArray
from ruiji.features.text.characters import word_keys
from ruiji.features.text.keytable import KeyTable, key_table
from ruiji.features.text.word_lists import word_lists

# The meanings of words in class, id and role, and of words in short texts. A trained model depends on the
# order.
NAME_MEANINGS = (
    "navigation", "contents", "sidebar", "footer", "header", "advertisement", "sharing", "related",
    "comments",
    "search", "meta", "content", "title",
)  # fmt: skip
WORD_MEANINGS = ("navigation", "legal", "service", "sharing", "meta")


def hinted_elements() -> Mapping[str, str]:
    """The meaning of each element of HTML that has one by its name."""
    elements: Mapping[str, str] = word_lists("hints")["elements"]
    return elements


@cache
def _words(table: str, meanings: tuple[str, ...]) -> tuple[KeyTable, IntArray]:
    """The keys of all words of a table, and the number of the meaning of each."""
    lists = word_lists("hints")[table]
    words = {word: number for number, meaning in enumerate(meanings) for word in lists[meaning].split()}
    return key_table(word_keys(list(words))), np.array(list(words.values()), dtype=np.int32)


def meanings_in_names(keys: KeyArray) -> IntArray:
    """For each word of a name the number of its meaning among NAME_MEANINGS, or -1."""
    return _meanings(keys, *_words("names", NAME_MEANINGS))


def meanings_in_texts(keys: KeyArray) -> IntArray:
    """For each word of a short text the number of its meaning among WORD_MEANINGS, or -1."""
    return _meanings(keys, *_words("words", WORD_MEANINGS))


def _meanings(keys: KeyArray, table: KeyTable, meaning: IntArray) -> IntArray:
    meanings = np.full(len(keys), -1, dtype=np.int32)
    which, word = table.find(keys)
    meanings[which] = meaning[word]
    return meanings
