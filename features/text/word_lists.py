"""Lists of words that are knowledge, not code: each a file in ``data``, read when somebody first asks for
it.
"""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path
from typing import Any

DATA = Path(__file__).parent / "data"


@cache
def word_lists(name: str) -> dict[str, Any]:
    """The lists of a file by name: words with white space between them, or tables of such lists."""
    return tomllib.loads((DATA / f"{name}.toml").read_text(encoding="utf-8"))


@cache
def function_words() -> frozenset[str]:
    """The function words that go with finite verbs, of all languages together."""
    return frozenset(word for words in word_lists("function_words").values() for word in words.split())


@cache
def stop_words() -> frozenset[str]:
    """The words that are no content of a text whose words are spaced; negation is."""
    return (function_words() | frozenset(word_lists("lemmas")["stop_words"].split())) - {"not"}
