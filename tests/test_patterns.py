"""Every regular expression of corpora and features is linear: time grows with hostile input no faster than its size.

The patterns are found by introspection, so that a new one is covered: compiled ones that a module holds, and those
in its containers. The input is made from the letters of the pattern itself: runs of each, of pairs, and runs that end
in what does not fit.
"""

from __future__ import annotations

import importlib
import pkgutil
import re
import time
from collections.abc import Iterator
from itertools import product
from typing import Any

import pytest

import ruiji.corpora
import ruiji.features

SIZE = 1_000  # characters; at twenty times the size a quadratic pattern takes 400 times as long
GROWTH = 16
SLOW = 0.02  # seconds: below that nothing is measured
ALWAYS = "a0 \n<>\"'=-/&;.あ漢|([{"


def modules() -> Iterator[Any]:
    for house in (ruiji.corpora, ruiji.features):
        for module in pkgutil.walk_packages(house.__path__, f"{house.__name__}."):
            if not module.name.endswith("_walk"):
                yield importlib.import_module(module.name)


def patterns_in(value: Any) -> Iterator[re.Pattern[Any]]:
    if isinstance(value, re.Pattern):
        yield value
    elif isinstance(value, dict):
        yield from (found for item in value.values() for found in patterns_in(item))
    elif isinstance(value, (list, tuple, set, frozenset)):
        yield from (found for item in value for found in patterns_in(item))


def registry() -> dict[str, re.Pattern[Any]]:
    return {
        f"{module.__name__}.{name}[{number}]": pattern
        for module in modules()
        for name, value in vars(module).items()
        for number, pattern in enumerate(patterns_in(value))
    }


PATTERNS = registry()


def letters_of(pattern: re.Pattern[Any]) -> list[str]:
    """The letters that a pattern speaks of, and some that any pattern may meet."""
    text = pattern.pattern if isinstance(pattern.pattern, str) else pattern.pattern.decode("latin-1")
    words = re.findall(r"[a-zA-Z!-]{2,}", text)
    return [*dict.fromkeys([*ALWAYS, *(char for char in text if char not in "\\[](){}?*+|^$")])][:24] + words[
        :8
    ]


def hostile(pattern: re.Pattern[Any], size: int) -> Iterator[Any]:
    """Inputs of about that size for a pattern."""
    letters = letters_of(pattern)
    units = [
        *letters,
        *("".join(pair) for pair in product(letters[:8], repeat=2)),
        *(f"<{word}" for word in letters),
    ]
    for unit in dict.fromkeys(units):
        for start, end in (("", ""), ("<!--<meta ", "\x01")):
            text = start + unit * (size // len(unit)) + end
            yield text if isinstance(pattern.pattern, str) else text.encode("utf-8")


def seconds(pattern: re.Pattern[Any], text: Any) -> float:
    start = time.process_time()
    for _ in pattern.finditer(text):
        pass
    pattern.match(text)
    pattern.fullmatch(text)
    return time.process_time() - start


def test_there_are_patterns() -> None:
    assert len(PATTERNS) > 40


@pytest.mark.parametrize("name", PATTERNS)
def test_time_grows_with_the_size_only(name: str) -> None:
    pattern = PATTERNS[name]
    for short, long in zip(hostile(pattern, SIZE), hostile(pattern, SIZE * GROWTH), strict=True):
        taken = seconds(pattern, long)
        if taken > SLOW:
            assert taken < 4 * GROWTH * max(seconds(pattern, short), SLOW / GROWTH), repr(long[:40])


def test_the_test_sees_a_quadratic_pattern() -> None:
    pattern = re.compile("a+b")
    short, long = "a" * SIZE, "a" * SIZE * GROWTH
    assert seconds(pattern, long) > 4 * GROWTH * max(seconds(pattern, short), SLOW / GROWTH)
