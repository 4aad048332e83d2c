"""Text that takes a regular expression as long as it can: made from the expression itself."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator, Sequence
from itertools import islice
from re import _constants as codes  # type: ignore[attr-defined]
from re import _parser as parser  # type: ignore[attr-defined]
from typing import Any

SUFFIXES = ("", "\0", "!", "\n", "a", ">", "漢")  # one of them does not fit what comes after
# Small steps first: each round of an exponential expression may double its time.
ROUNDS = (*range(8, 41, 2), 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384, 32768)
LONGEST = 40_000  # characters
MOST_PUMPS = 24
REPEATS = (codes.MAX_REPEAT, codes.MIN_REPEAT, codes.POSSESSIVE_REPEAT)
CATEGORIES = {
    codes.CATEGORY_DIGIT: "1", codes.CATEGORY_SPACE: " ", codes.CATEGORY_WORD: "a",
    codes.CATEGORY_NOT_DIGIT: "a", codes.CATEGORY_NOT_SPACE: "a", codes.CATEGORY_NOT_WORD: "!",
}  # fmt: skip


def hostile_texts(pattern: re.Pattern[Any]) -> Iterator[tuple[str, str, str]]:
    """Start, middle and end of texts whose middle is to be repeated."""
    tree = parser.parse(pattern.pattern, pattern.flags & ~re.DEBUG)
    pumps = dict.fromkeys(islice(_pumps(tree, ""), MOST_PUMPS))
    whole = _sample(tree)
    starts = {("", whole): None, ("", whole[:-1]): None, ("", whole[:1]): None}
    for start, middle in pumps | starts:
        if middle:
            yield from ((start, middle, end) for end in SUFFIXES)


def slowest(pattern: re.Pattern[Any], methods: Sequence[str], seconds: float) -> tuple[float, str]:
    """The longest time that a method takes for any hostile text, and which; the first over the limit ends
    it.
    """
    worst = (0.0, "")
    for start, middle, end in hostile_texts(pattern):
        for rounds in ROUNDS:
            text: Any = start + middle * rounds + end
            if len(text) > LONGEST:
                break
            if isinstance(pattern.pattern, bytes):
                text = text.encode("utf-8")
            begin = time.process_time()
            for method in methods:
                _run(pattern, method, text)
            passed = time.process_time() - begin
            if passed > worst[0]:
                worst = (passed, f"{start!r} + {middle!r} x {rounds} + {end!r}")
            if passed > seconds:
                return worst
    return worst


def _run(pattern: re.Pattern[Any], method: str, text: Any) -> None:
    if method in ("match", "fullmatch", "search"):
        getattr(pattern, method)(text)
    else:
        for _ in pattern.finditer(text):
            pass


def _pumps(tree: Any, before: str) -> Iterator[tuple[str, str]]:
    """For each repetition in a pattern: what leads to it, and one round of it; of alternatives each, and each
    two in a row.
    """
    for code, argument in tree:
        if code in REPEATS:
            inner = argument[2]
            rounds = list(dict.fromkeys(_samples(inner)))
            for first in rounds:
                yield before, first
            yield from _pumps(inner, before)
            for first in rounds[:3]:
                for second in rounds[:3]:
                    if first != second:
                        yield before, first + second
        elif code is codes.SUBPATTERN:
            yield from _pumps(argument[3], before)
        elif code is codes.BRANCH:
            for alternative in argument[1]:
                yield from _pumps(alternative, before)
        elif code is codes.ATOMIC_GROUP:
            yield from _pumps(argument, before)
        elif code in (codes.ASSERT, codes.ASSERT_NOT):
            yield from _pumps(argument[1], before)
        before += _sample([(code, argument)])


def _samples(tree: Any) -> Iterator[str]:
    """Some texts that match: one for each alternative, one for each item of a set."""
    for place, (code, argument) in enumerate(tree):
        rest = tree[place + 1 :]
        if code is codes.BRANCH:
            for alternative in argument[1]:
                for inner in _samples(alternative):
                    yield _sample(tree[:place]) + inner + _sample(rest)
            return
        if code is codes.IN:
            for item in argument:
                yield _sample(tree[:place]) + _sample([(codes.IN, [item])]) + _sample(rest)
            return
        if code is codes.SUBPATTERN and len(tree) == 1:
            yield from _samples(argument[3])
            return
    yield _sample(tree)


def _sample(tree: Any) -> str:
    """A text that matches."""
    return "".join(_piece(code, argument) for code, argument in tree)


def _piece(code: Any, argument: Any) -> str:
    if code is codes.LITERAL:
        return chr(argument)
    if code is codes.NOT_LITERAL:
        return "a" if argument != ord("a") else "b"
    if code is codes.ANY:
        return "a"
    if code is codes.IN:
        return _of_set(argument)
    if code in REPEATS:
        return _sample(argument[2]) * max(argument[0], 1)
    if code is codes.SUBPATTERN:
        return _sample(argument[3])
    if code is codes.ATOMIC_GROUP:
        return _sample(argument)
    if code is codes.BRANCH:
        return _sample(argument[1][0])
    return ""


def _of_set(items: Any) -> str:
    if items[0][0] is codes.NEGATE:
        taken = re.compile("[" + "".join(re.escape(chr(value)) for code,
            value in items if code is codes.LITERAL)
                           + "\0]")  # fmt: skip
        return next(character for character in "a1 !x<\"'(" if not taken.match(character))
    code, value = items[0]
    if code is codes.LITERAL:
        return chr(value)
    if code is codes.RANGE:
        return chr(value[0])
    return CATEGORIES.get(value, "a")
