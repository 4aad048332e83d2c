"""The shapes of many sentences at once, as ``information.shape`` has them one by one.

Forty regular expressions decide about a shape, and nearly all match nothing. One pass over the letters in C
says which of them can match, by the literals that they need (``literals``), and how many words of a sentence
are so plain that they are no code; only what is left is asked.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np

from ruiji.corpora.c_modules import compiled
from ruiji.detector.sentences.information import (
    CODE,
    CODE_WORDS,
    CONTACT,
    CONTACT_SIGNS,
    LABEL,
    NOTICE,
    PROSE,
    contact_signs,
    is_code,
    is_console,
    is_label,
    shape,
    stock_phrases,
)
from ruiji.detector.sentences.literals import Automaton, automaton


@dataclass(frozen=True, slots=True, eq=False)
class _Expressions:
    """The expressions of notices and contacts, each by the bit that stands for it."""

    notices: dict[int, re.Pattern[str]]
    contacts: dict[int, re.Pattern[str]]
    found_by: Automaton


@cache
def _expressions() -> _Expressions:
    phrases, signs = stock_phrases(), contact_signs()
    bits = [1 << place for place in range(len(phrases) + len(signs))]
    expressions = [expression.pattern for expression in (*phrases, *signs)]
    return _Expressions(
        dict(zip(bits, phrases, strict=False)),
        dict(zip(bits[len(phrases) :], signs, strict=True)),
        automaton(expressions),
    )


def shapes(texts: Sequence[str]) -> list[str]:
    """The shape of each normalised sentence.

    >>> shapes(["All rights reserved.", "その日は晴れていました。"])
    ['notice', 'prose']
    """
    module = compiled("ruiji.detector.sentences._sentences")
    if module is None:
        return [shape(text) for text in texts]
    expressions = _expressions()
    count = len(texts)
    marks, kana = np.zeros(count, dtype=np.uint64), np.zeros(count, dtype=np.bool_)
    words, plain = np.zeros((2, count), dtype=np.int32)
    table = expressions.found_by
    module.survey(
        list(texts), table.classes, table.moves, table.marks, table.digit, marks, words, plain, kana
    )
    may_be_code = ~kana & (words - plain >= CODE_WORDS * words)
    columns = (texts, marks.tolist(), kana.tolist(), may_be_code.tolist())
    return [_shape(*row, expressions) for row in zip(*columns, strict=True)]


def _shape(text: str, marks: int, kana: bool, may_be_code: bool, expressions: _Expressions) -> str:
    """The shape of a sentence in which only these expressions can match."""
    if marks:
        lower = text.lower()
        if any(phrase.search(lower) for phrase in _marked(marks, expressions.notices)):
            return NOTICE
        if _has_enough(text, _marked(marks, expressions.contacts)):
            return CONTACT
    if not kana and (may_be_code or is_console(text)) and is_code(text):
        return CODE
    return LABEL if is_label(text) else PROSE


def _has_enough(text: str, signs: Sequence[re.Pattern[str]]) -> bool:
    """Whether a text has as many of the signs as make a contact; mostly the first of two is missing."""
    may_miss = len(signs) - CONTACT_SIGNS
    for sign in signs if may_miss >= 0 else ():
        if sign.search(text) is None:
            may_miss -= 1
        if may_miss < 0:
            break
    return may_miss >= 0


def _marked(marks: int, expressions: dict[int, re.Pattern[str]]) -> list[re.Pattern[str]]:
    """The expressions whose bits are among the marks."""
    found = []
    while marks:
        bit = marks & -marks
        if bit in expressions:
            found.append(expressions[bit])
        marks ^= bit
    return found
