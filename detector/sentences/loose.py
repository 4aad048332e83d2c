"""The loose form of a sentence: its letters, without the words that open it and say nothing.

Kang 2009 (chapter 4) matches sentences by their text, so that another comma, a capital or a 「ちなみに、」 in
front hides a copy. The loose form forgets those and nothing else: two sentences of one loose form say the
same.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from importlib.resources import files

OPENERS = 2  # that may stand in front of a sentence
MIN_LETTERS = 12  # that a loose form must have; shorter ones are matched by their text
_NO_LETTER = re.compile(r"[\W_]+")


def loose_forms(texts: Sequence[str]) -> list[str]:
    """The loose form of each normalised sentence; "" where it has too few letters.

    >>> loose_forms(["Of course, the market opens at five today.", "The market opens at five, today!"])
    ['themarketopensatfivetoday', 'themarketopensatfivetoday']
    """
    letters = (_NO_LETTER.sub("", without_openers(text.lower())) for text in texts)
    return [form if len(form) >= MIN_LETTERS else "" for form in letters]


def without_openers(text: str) -> str:
    """The sentence without what opens it and says nothing.

    >>> without_openers("ちなみに、市場は朝の五時に開きます。")
    '市場は朝の五時に開きます。'
    """
    for _ in range(OPENERS):
        text = _opener().sub("", text, count=1)
    return text


@cache
def _opener() -> re.Pattern[str]:
    """An opener at the start of a sentence: with its comma, or, in an alphabet, the space after it."""
    data = (files("ruiji.detector.sentences") / "data/openers.txt").read_text(encoding="utf-8")
    lines = [line for line in data.splitlines() if line and not line.startswith("#")]
    words = sorted(lines, key=len, reverse=True)
    spaced = "|".join(re.escape(word) for word in words if word.isascii())
    japanese = "|".join(re.escape(word) for word in words if not word.isascii())
    followed = "(?=[一-鿿ァ-ヺa-z0-9「『(])"  # without a comma only where a word of another script begins
    alternatives = rf"(?:{japanese})\s*[、,]\s*|(?:{japanese}){followed}|(?:{spaced})(?:\s*,\s*|\s+)"
    return re.compile(rf"^\s*(?:{alternatives})", re.IGNORECASE)
