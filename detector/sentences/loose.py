"""The loose form of a sentence: its letters, without the words that open it or strengthen it and say nothing,
and without hiragana where enough is left.

Kang 2009 (chapter 4) matches sentences by their text, so that another comma, a capital, a 「ちなみに、」 in
front, a "really" within, another particle or a politer ending hides a copy. The loose form forgets those:
two sentences of one loose form say the same, or one was made from the other.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from importlib.resources import files

from ruiji.corpora.c_modules import compiled
from ruiji.detector.sentences.literals import Automaton, automaton, may_match

OPENERS = 2  # that may stand in front of a sentence
MIN_LETTERS = 12  # that a loose form must have; shorter ones are matched by their text
_LOOKED_AT = 4  # letters of a sentence that mostly tell that no opener stands there
_LONGEST_FIRST_WORD = 24  # more letters than the first word of any opener has
# Letters that must be left without hiragana, which then tell the sentence: of 80 pairs of different Japanese
# sentences of real pages that had as many in common, in order, all were one sentence in two wordings.
MIN_BARE_LETTERS = 8
_NO_LETTER = re.compile(r"[\W_]+")
_HIRAGANA = re.compile("[ぁ-ゖゝゞ]+")
# Numbers stay apart when what stands between them goes: 1と23 is not 12と3. A comma of thousands parts none.
PARTED = "\u02bc"  # a letter that no sentence has
_NUMERAL = "0-9〇一二三四五六七八九十百千万"
_HIRAGANA_IN_NUMBERS = re.compile(f"(?<=[{_NUMERAL}])[ぁ-ゖゝゞ]+(?=[{_NUMERAL}])")
_SIGNS_IN_NUMBERS = re.compile(r"(?<=[0-9])(?!,[0-9]{3}(?![0-9]))[\W_]+(?=[0-9])")


def loose_forms(texts: Sequence[str]) -> list[str]:
    """The loose form of each normalised sentence; "" where it has too few letters.

    >>> loose_forms(["Of course, the market opens at five today.", "The market opens at five, today!"])
    ['themarketopensatfivetoday', 'themarketopensatfivetoday']
    >>> loose_forms(["It really is a very old house by the sea."])
    ['itisaoldhousebythesea']
    >>> loose_forms(["市場は毎朝五時に港の近くで開きます。", "市場が毎朝五時に、港の近くで開く。"])
    ['市場毎朝五時港近開', '市場毎朝五時港近開']
    """
    beginnings = _first_letters()
    opened = [
        text  # most are seen at once to begin with no opener
        if (head := text[:_LOOKED_AT]).isascii()
        and head not in beginnings
        and head[:-1] not in beginnings
        and head.isprintable()
        and head[:1] != " "
        else without_openers(text)
        for text in map(str.lower, texts)
    ]
    module = compiled("ruiji.detector.sentences._sentences")
    filled = [True] * len(opened) if module is None else may_match(opened, _filler_literals(), module)
    said = [without_fillers(text) if may else text for text, may in zip(opened, filled, strict=True)]
    letters = letters_in_python(said) if module is None else module.letters(said, PARTED)
    return [_bare(form) if len(form) >= MIN_LETTERS else "" for form in letters]


def letters_in_python(texts: Sequence[str]) -> list[str]:
    """Letters and digits of each text, numbers parted: the reference for the loop in C."""
    return [_NO_LETTER.sub("", _SIGNS_IN_NUMBERS.sub(PARTED, text)) for text in texts]


def _bare(form: str) -> str:
    """The form without hiragana: particles and endings. The form itself where too little would be left."""
    if form.isascii():
        return form
    bare = _HIRAGANA.sub("", _HIRAGANA_IN_NUMBERS.sub(PARTED, form))
    return bare if len(bare) >= MIN_BARE_LETTERS else form


def without_openers(text: str) -> str:
    """The sentence without what opens it and says nothing.

    >>> without_openers("ちなみに、市場は朝の五時に開きます。")
    '市場は朝の五時に開きます。'
    """
    for _ in range(OPENERS):
        if not _may_open(text):
            break
        text = _opener().sub("", text, count=1)
    return text


def without_fillers(text: str) -> str:
    """The sentence, in small letters, without the words within it that say nothing."""
    spaced, japanese = _fillers()
    if not spaced.isdisjoint(text.replace(",", " ").split()):
        text = " ".join(word for word in text.split() if word.strip(",") not in spaced)
    return text if text.isascii() else japanese.sub("", text)


@cache
def _fillers() -> tuple[frozenset[str], re.Pattern[str]]:
    words = _words("fillers.txt")
    japanese = "|".join(re.escape(word) for word in words if not word.isascii())
    return frozenset(filter(str.isascii, words)), re.compile(
        f"(?<![一-鿿々])(?:{japanese})(?:(?<=に)|(?![一-鿿々]))"
    )


@cache
def _filler_literals() -> Automaton:
    spaced, japanese = _fillers()
    return automaton(["|".join(map(re.escape, sorted(spaced))), japanese.pattern])


def _may_open(text: str) -> bool:
    """Whether the first word is that of an opener, or in Japanese the first two letters; mostly not."""
    start = text.lstrip()[:_LONGEST_FIRST_WORD]
    if start[:2].isascii():
        if start[:2].lower() not in _beginnings():
            return False
    else:
        cased = start[:2].lower() != start[:2].upper()
        return cased or start[:2] in _heads() or start[:1] in _heads()
    words = start.replace(",", " ").split(None, 1)
    return bool(words) and (words[0].lower() in _heads() or not words[0].isascii())


@cache
def _heads() -> frozenset[str]:
    return frozenset(
        word.split()[0].lower() if word.isascii() else word[:2] for word in _words("openers.txt")
    )


@cache
def _beginnings() -> frozenset[str]:
    """The first two letters of the openers."""
    return frozenset(word[:2].lower() for word in _words("openers.txt"))


@cache
def _first_letters() -> frozenset[str]:
    """The same of more letters, with what may stand behind a short word; no word has fewer than two."""
    words = [word.lower() for word in _words("openers.txt")]
    return frozenset(f"{word}{after}"[:_LOOKED_AT] for word in words for after in " ,")


@cache
def _words(name: str) -> tuple[str, ...]:
    """The words of a data file, the longest first."""
    data = (files("ruiji.detector.sentences") / "data" / name).read_text(encoding="utf-8")
    lines = [line for line in data.splitlines() if line and not line.startswith("#")]
    return tuple(sorted(lines, key=len, reverse=True))


@cache
def _opener() -> re.Pattern[str]:
    """An opener at the start of a sentence: with its comma, or, in an alphabet, the space after it."""
    words = _words("openers.txt")
    spaced = "|".join(re.escape(word) for word in words if word.isascii())
    japanese = "|".join(re.escape(word) for word in words if not word.isascii())
    followed = "(?=[一-鿿ァ-ヺa-z0-9「『(])"  # without a comma only where a word of another script begins
    alternatives = rf"(?:{japanese})\s*[、,]\s*|(?:{japanese}){followed}|(?:{spaced})(?:\s*,\s*|\s+)"
    return re.compile(rf"^\s*(?:{alternatives})", re.IGNORECASE)
