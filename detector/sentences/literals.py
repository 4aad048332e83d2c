"""Which of many regular expressions can match a text at all: those of whose literals one stands in it.

``needed`` reads off an expression what each of its matches must contain, by the parser of ``re`` itself; an
``Automaton`` (Aho and Corasick 1975) finds all such literals of all expressions in one pass, which the module
in C runs. Letters are compared without case, and all digits are one.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from importlib import import_module
from string import ascii_letters
from types import ModuleType
from typing import Any

import numpy as np
import numpy.typing as npt

DIGIT = "0"  # stands for every decimal digit
# What ``re.IGNORECASE`` and ``str.lower`` take for a letter of ASCII.
_ALIASES = {"\u017f": "s", "\u212a": "k", "\u0131": "i", "\u0130": "i"}
# And what re.IGNORECASE takes for a Cyrillic letter.
_ALIASES |= dict(zip("\u1c80\u1c81\u1c82\u1c83\u1c84\u1c85\u1c86", "вдосттъ", strict=True))
MOST_CHOICES = 12  # of a set of characters, for it to be looked for one by one
PLANE = 1 << 16  # characters beyond the first plane are in no literal, but for digits


def folded(char: str) -> str:
    """The character as literals are compared; "" where it has a case and is no letter of ASCII or Russian."""
    if char.isdecimal():
        return DIGIT
    if char.isascii() or char.lower() == char.upper() or "а" <= char.lower() <= "я":
        return char.lower()
    return _ALIASES.get(char, "")


def needed(pattern: str) -> frozenset[str]:
    """Literals, folded, of which every text that the expression matches contains one; with "" among them
    nothing is known.

    >>> sorted(needed(r"free (?:admission|parking)|\\d{3}-\\d{4}"))
    ['000-0000', 'admission', 'parking']
    """
    parser: Any = import_module("re._parser")
    return _needed(parser.parse(pattern)) or frozenset({""})


def _needed(sequence: Iterable[tuple[Any, Any]]) -> frozenset[str]:
    """The best literals of a sequence of parsed operations; none where nothing is known."""
    choices: list[frozenset[str]] = []
    run = ""
    for operation, argument in sequence:
        again, varies, char = _repeated_char(str(operation), argument)
        if char:
            run += char * again
            if varies:
                choices.append(frozenset({run}))
                run = char * again
            continue
        choices.append(frozenset({run}))
        run = ""
        choices.append(_inner(str(operation), argument))
    choices.append(frozenset({run}))
    return max((choice for choice in choices if choice and "" not in choice), key=_worth, default=frozenset())


def _worth(literals: frozenset[str]) -> tuple[float, bool, bool, int]:
    """How seldom a text will contain one of the literals: they are long (two letters or blanks of ASCII like
    one sign), no letter or digit alone, and few.
    """
    has_letter = any(literal.isascii() and literal.isalpha() for literal in literals if len(literal) == 1)
    length = min(sum(0.5 if sign in ascii_letters + " " else 1 for sign in literal) for literal in literals)
    return length, not has_letter, DIGIT not in literals, -len(literals)


def _inner(operation: str, argument: Any) -> frozenset[str]:
    """The best literals of an operation that is no single character."""
    if operation == "SUBPATTERN":
        return _needed(argument[-1])
    if operation == "BRANCH":
        alternatives = [_needed(alternative) for alternative in argument[1]]
        return frozenset().union(*alternatives) if all(alternatives) else frozenset()
    if operation in ("MAX_REPEAT", "POSSESSIVE_REPEAT") and argument[0] >= 1:
        return _needed(argument[2])
    few = operation == "IN" and len(argument) <= MOST_CHOICES
    if few and all(str(kind) == "LITERAL" for kind, _ in argument):
        return frozenset(folded(chr(point)) for _, point in argument)
    return frozenset()


def _repeated_char(operation: str, argument: Any) -> tuple[int, bool, str]:
    """How often at least an operation matches one character, whether it may match more, and which it is; ""
    where it is another operation.
    """
    if operation == "LITERAL":
        return 1, False, folded(chr(argument))
    if operation == "IN" and len(argument) == 1 and str(argument[0][1]) == "CATEGORY_DIGIT":
        return 1, False, DIGIT
    if operation in ("MAX_REPEAT", "POSSESSIVE_REPEAT") and argument[0] >= 1 and len(argument[2]) == 1:
        ((inner, inner_argument),) = argument[2]
        again, varies, char = _repeated_char(str(inner), inner_argument)
        if char and again == 1 and not varies:
            return argument[0], argument[1] != argument[0], char
    return 0, False, ""


@dataclass(frozen=True, slots=True, eq=False)
class Automaton:
    """For each state and class of characters the next state, and which expressions' literals end in a state.

    ``classes`` are those of the first plane; 0 is what no literal has.
    """

    classes: npt.NDArray[np.uint16]
    moves: npt.NDArray[np.uint16]
    marks: npt.NDArray[np.uint64]
    digit: int


def automaton(expressions: Sequence[str]) -> Automaton:
    """The automaton of at most 64 expressions; number n is marked by the bit n."""
    literals = [(word, number) for number, text in enumerate(expressions) for word in sorted(needed(text))]
    chars = sorted({DIGIT}.union(*(word for word, _ in literals)))
    of_char = {char: place for place, char in enumerate(chars, start=1)}
    children: list[dict[int, int]] = [{}]
    marks = [0]
    for word, number in literals:
        state = 0
        for char in word:
            following = children[state].get(of_char[char])
            if following is None:
                following = children[state][of_char[char]] = len(children)
                children.append({})
                marks.append(0)
            state = following
        marks[state] |= 1 << number
    moves = np.zeros((len(children), len(of_char) + 1), dtype=np.uint16)
    falls = [0] * len(children)
    waiting = deque([0])
    while waiting:
        state = waiting.popleft()
        moves[state] = moves[falls[state]] if state else 0
        marks[state] |= marks[falls[state]]
        for place, child in children[state].items():
            falls[child] = int(moves[falls[state], place]) if state else 0
            moves[state, place] = child
            waiting.append(child)
    return Automaton(_classes(of_char), moves, np.array(marks, dtype=np.uint64), of_char[DIGIT])


def _classes(of_char: dict[str, int]) -> npt.NDArray[np.uint16]:
    classes = np.zeros(PLANE, dtype=np.uint16)
    for char, place in of_char.items():
        classes[[ord(char), ord(char.upper())]] = place
    for char, letter in _ALIASES.items():
        classes[ord(char)] = of_char.get(letter, 0)
    digits = re.findall(r"\d", "".join(map(chr, range(PLANE))))
    classes[[ord(digit) for digit in digits]] = of_char[DIGIT]
    return classes


def may_match(texts: Sequence[str], found_by: Automaton, module: ModuleType) -> list[bool]:
    """Which of the texts contain a literal of one of the expressions, by the module in C."""
    count = len(texts)
    marks, kana = np.zeros(count, dtype=np.uint64), np.zeros(count, dtype=np.bool_)
    words, plain = np.zeros((2, count), dtype=np.int32)
    module.survey(
        list(texts),
        found_by.classes,
        found_by.moves,
        found_by.marks,
        found_by.digit,
        marks,
        words,
        plain,
        kana,
    )
    found: list[bool] = (marks != 0).tolist()
    return found
