"""Slips of the hand: two values that differ by what a person mistypes, and by nothing else."""

from __future__ import annotations

import re

from ruiji.detector.records.fields.posts import post_words
from ruiji.detector.records.fields.values import folded

SHORTEST_MISSPELT = 6  # letters of a word in which one other letter is a slip
SHORTEST_NAME = 3  # letters
LONGEST_POST = 40  # characters of a post in which a slip is looked for
LONGEST_TEXT = 80  # characters


def is_slip(one: str, other: str) -> bool:
    """Whether two numbers or addresses differ as a slip of the hand makes them differ: two neighbours
    swapped, or one sign.
    """
    first, second = re.sub(r"[\s()-]+", "", folded(one)), re.sub(r"[\s()-]+", "", folded(other))
    if len(first) != len(second) or len(first) < 4:
        return False
    apart = [place for place, (a, b) in enumerate(zip(first, second, strict=True)) if a != b]
    if len(apart) == 2 and apart[1] == apart[0] + 1:
        return first[apart[0]] == second[apart[1]] and first[apart[1]] == second[apart[0]]
    return False


def is_misspelt(one: str, other: str) -> bool:
    """Whether two Latin texts are one but for a letter of one long word, or two neighbours in it: Assosiate
    Professor. Not for numbers, capitals or a plural.
    """
    if max(len(one), len(other)) > LONGEST_TEXT or not (one.isascii() and other.isascii()):
        return False
    words, others = (re.findall(r"[a-z]+|\d+", folded(text)) for text in (one, other))
    apart = [pair for pair in zip(words, others, strict=False) if pair[0] != pair[1]]
    if len(words) != len(others) or len(apart) != 1:
        return False
    short, long_ = sorted(apart[0], key=len)
    if len(short) < SHORTEST_MISSPELT or short.isdigit() or long_ == short + "s":
        return False
    return _one_slip(short, long_)


def is_misspelt_post(text: str) -> bool:
    """Whether a Latin text is made of words of posts, one of them with a slip: Associate Profeosor."""
    if len(text) > LONGEST_POST or not text.isascii():
        return False
    known = post_words()
    strange = [word for word in re.findall(r"[a-z]+", text.casefold()) if word not in known]
    if len(strange) != 1 or len(strange[0]) < SHORTEST_MISSPELT:
        return False
    return any(
        len(word) >= SHORTEST_MISSPELT
        and abs(len(word) - len(strange[0])) <= 1
        and _one_slip(*sorted((word, strange[0]), key=len))
        for word in known
    )


def one_slip_apart(one: str, other: str) -> bool:
    """Whether two names, without case, spaces and signs, differ by a slip: 榊祐介, 榊裕介."""
    short, long_ = sorted((one, other), key=len)
    if one == other or len(short) < SHORTEST_NAME or len(long_) - len(short) > 1:
        return False
    return _one_slip(short, long_)


def _one_slip(short: str, long_: str) -> bool:
    """Whether one letter too many, one other letter or two swapped ones part two words."""
    first = next(
        (place for place, (a, b) in enumerate(zip(short, long_, strict=False)) if a != b), len(short)
    )
    if len(long_) - len(short) == 1:
        return short[first:] == long_[first + 1 :]
    swapped = (
        short[first : first + 2] == long_[first : first + 2][::-1]
        and short[first + 2 :] == long_[first + 2 :]
    )
    return len(long_) == len(short) and (swapped or short[first + 1 :] == long_[first + 1 :])
