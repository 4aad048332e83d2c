"""Names of organisations with abbreviated words: NTT CS Labs and NTT Communication Science Laboratories."""

from __future__ import annotations

import re

from ruiji.detector.records.fields.values import folded

SHORTEST_HEAD = 3  # letters by which a word is abbreviated: Univ, Dept
INITIALS = range(2, 6)  # letters of an abbreviation that stands for so many words
_LINKING = frozenset("of the and for de at in".split())
_WORD = re.compile(r"[^\W_]+")


def is_abbreviated(one: str, other: str) -> bool:
    """Whether two Latin names are the same word by word, where one may abbreviate the words of the other."""
    words, others = (
        [word for word in _WORD.findall(folded(text)) if word not in _LINKING] for text in (one, other)
    )
    return len(words) > 1 and _fits(words, others)


def _fits(words: list[str], others: list[str]) -> bool:
    """Whether words stand for others one after the other."""
    if not words or not others:
        return not words and not others
    word, full = words[0], others[0]
    if (word == full or _is_head(word, full) or _is_head(full, word)) and _fits(words[1:], others[1:]):
        return True
    return _by_initials(words, others) or _by_initials(others, words)


def _is_head(word: str, full: str) -> bool:
    """Whether a word is the head of another: Univ, Labs."""
    return any(
        len(head) >= SHORTEST_HEAD and full.startswith(head) for head in (word, word.removesuffix("s"))
    )


def _by_initials(words: list[str], others: list[str]) -> bool:
    """Whether the first word is made of the initials of the first others, and the rest fits."""
    size = len(words[0])
    initials = "".join(other[0] for other in others[:size])
    return size in INITIALS and initials == words[0] and _fits(words[1:], others[size:])
