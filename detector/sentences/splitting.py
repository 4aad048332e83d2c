"""Where sentences end in normalised text (Kang 2009, section 4.1, step 3), for many paragraphs at once.

A sentence may end at a run of marks and closing brackets. Arrays find the runs and decide about most of them
by the characters around; regular expressions are asked about the few that hang on a word: と after 「…」, or
an abbreviation before a full stop.
"""

from __future__ import annotations

import re

import numpy as np

from ruiji.detector.sentences.character_tables import Class, ClassArray
from ruiji.features.arrays import IntArray

# What follows a sentence end only where it was none: と っ です (section 4.1, step 3), and signs that cannot
# begin a sentence. Words that begin sentences with と are let through; they are of our own choice.
_GOES_ON = re.compile(
    "[っ、,。)・ー!?」』.]|と(?!ても|っても|ころ|にかく|りあえず|もかく|はいえ|いうわけ)|です"
)
# After a closing bracket also the particles that go on with a quoted word.
_GOES_ON_AFTER_QUOTATION = re.compile("[をはがにのでもやへ]|だ[。とがっ]|など")
# Before a full stop that ends nothing; initials and the numbers of a list's items are seen by their form. Of
# our own choice.
_ABBREVIATIONS = frozenset(
    f"{word}."
    for word in """Mr Mrs Ms Dr Prof St Jr Sr Sra Mme Mlle Inc Co Corp Ltd vs cf al No no Nr Vol vol pp p ch
    Fig fig Eq ca approx
    e.g i.e a.m p.m z.B d.h u.a bzw usw Jan Feb Mar Apr Jun Jul Aug Sep Sept Oct Nov Dec""".split()
)
_INITIALS = re.compile(r"(?:[^\W\d_]\.)*[A-ZÀ-ÞΑ-ΩА-Я]\.")
_ITEM_NUMBER = re.compile(r"\(?[0-9]{1,3}\.")
_LONGEST_ABBREVIATION = 16  # with what stands before it
# Two sentences with no space between them, as a paste without its line breaks leaves them: "the cloud.It
# means". Of 40 such places in real pages 38 were that, two names in code (context.Context).
_GLUED_END = re.compile(r"(?:^|[\s(“\"‘])[a-zà-ÿ][a-zà-ÿ’'-]*[a-zà-ÿ]\.\Z")
_GLUED_START = re.compile(r"[A-ZÀ-Þ][a-zà-ÿ]*[\s,’']")
_LONGEST_WORD = 24

_RUN = Class.MARK | Class.CLOSER | Class.STOP


def sentence_spans(
    text: str, classes: ClassArray, whole: IntArray | None = None
) -> tuple[IntArray, IntArray]:
    """Start and end of each sentence of normalised paragraphs, without white space at its ends.

    ``whole`` has begin and end, in turn, of stretches in which no sentence ends.
    """
    if not text:
        return np.zeros(0, dtype=np.int32), np.zeros(0, dtype=np.int32)
    ends = _ends(text, classes)
    if whole is not None:
        ends = ends[whole.searchsorted(ends, side="right") % 2 == 0]
    paragraphs = np.flatnonzero((classes & Class.PARAGRAPH) != 0).astype(np.int32)
    begin = np.sort(np.concatenate((np.zeros(1, dtype=np.int32), ends, paragraphs + 1)), kind="stable")
    end = np.sort(np.concatenate((ends, paragraphs, np.full(1, len(text), dtype=np.int32))), kind="stable")
    begin += classes[np.minimum(begin, len(text) - 1)] & Class.SPACE == Class.SPACE
    end -= classes[end - 1] & Class.SPACE == Class.SPACE
    real = begin < end
    return begin[real], end[real]


def _ends(text: str, classes: ClassArray) -> IntArray:
    """The places after which a new sentence begins in the same paragraph."""
    places = np.flatnonzero((classes & _RUN) != 0)
    if not len(places):
        return np.zeros(0, dtype=np.int32)
    first = np.ones(len(places), dtype=np.bool_)
    first[1:] = np.diff(places) != 1
    heads = np.flatnonzero(first)
    inside = np.bitwise_or.reduceat(classes[places], heads)
    begin, end = places[heads], places[np.append(heads[1:], len(places)) - 1] + 1  # of each run
    interesting = ((inside & (Class.MARK | Class.STOP | Class.CORNER)) != 0) & (end < len(text))
    begin, end, inside = begin[interesting], end[interesting], inside[interesting]

    padded = np.append(classes, np.zeros(2, dtype=classes.dtype))
    last, after = classes[end - 1], classes[end]
    before = np.where(begin > 0, classes[begin - 1], 0)
    spaced = (after & Class.SPACE) != 0
    rest = np.where(spaced, padded[end + 1], after)  # the first character of what follows
    beyond = np.where(spaced, padded[end + 2], padded[end + 1])
    japanese = (before & Class.JAPANESE) != 0

    stop = (inside & Class.STOP) != 0
    japanese_stop = (
        stop
        & ((after & Class.LOWER) == 0)
        & ((after & Class.DIGIT) == 0)
        & (japanese | ((after & Class.WIDE) != 0))
    )
    marked = (inside & Class.MARK) != 0
    # ? and ! in addresses and names: example.com/?a=b, Yahoo! is
    in_name = (
        marked
        & ((inside & Class.FULL) == 0)
        & ~japanese
        & (((after & Class.ADDRESS) != 0) | (spaced & ((rest & Class.LOWER) != 0)))
    )
    seems = ((marked & ~in_name) | japanese_stop | ((last & Class.CORNER) != 0)) & (
        (after & Class.PARAGRAPH) == 0
    )
    opened = ((rest & Class.OPENER) != 0) & ((beyond & (Class.STARTER | Class.JAPANESE)) != 0)
    latin = (
        ~seems
        & stop
        & spaced
        & ((after & Class.PARAGRAPH) == 0)
        & (((rest & (Class.STARTER | Class.JAPANESE)) != 0) | opened)
    )

    glued = (
        ~seems
        & stop
        & (end == begin + 1)
        & ((before & Class.LOWER) != 0)
        & ((after & Class.STARTER) != 0)
        & ((after & Class.DIGIT) == 0)
    )
    for number in np.flatnonzero(glued).tolist():
        glued[number] = _is_glued(text, int(end[number]))

    ask_rest = seems & ((last & Class.FULL) == 0) & ((rest & Class.HINT) != 0)
    ask_before = latin | (japanese_stop & ~japanese & ~marked)
    ends = seems | latin | glued
    for number in np.flatnonzero(ends & (ask_rest | ask_before)).tolist():
        place = int(end[number])
        if (ask_rest[number] and _goes_on(text, place)) or (ask_before[number] and _abbreviates(text, place)):
            ends[number] = False
    found: IntArray = end[ends].astype(np.int32)
    return found


def _goes_on(text: str, end: int) -> bool:
    """Whether what follows belongs to the sentence that seemed to end."""
    rest = end + (text[end] == " ")
    return bool(
        _GOES_ON.match(text, rest) or (text[end - 1] in "」』" and _GOES_ON_AFTER_QUOTATION.match(text, rest))
    )


def _is_glued(text: str, end: int) -> bool:
    """Whether the full stop before this place ends a sentence though no space follows it."""
    return bool(
        _GLUED_END.search(text, max(0, end - _LONGEST_WORD), end)
        and _GLUED_START.match(text, end, end + _LONGEST_WORD)
    )


def _abbreviates(text: str, end: int) -> bool:
    """Whether the full stop before this place belongs to the word before it, or to the number of an item."""
    start, word = _last_word(text, end)
    if _is_abbreviation(word):
        return True
    if not _ITEM_NUMBER.fullmatch(word):
        return False
    if not start or text[start - 1] == "\n":
        return True
    return text[start - 2] in ".!?。" and not _is_abbreviation(_last_word(text, start - 1)[1])


def _last_word(text: str, end: int) -> tuple[int, str]:
    """The word that ends here and where it starts; "" where it is longer than any abbreviation."""
    low = max(0, end - _LONGEST_ABBREVIATION)
    start = max(text.rfind(" ", low, end), text.rfind("\n", low, end)) + 1
    return (start, text[start:end].lstrip("([\"'“‘")) if start or not low else (low, "")


def _is_abbreviation(word: str) -> bool:
    return word in _ABBREVIATIONS or _INITIALS.fullmatch(word) is not None
