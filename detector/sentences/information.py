"""How much it says that two pages have the same sentence, in bits: by its length and by its shape.

Prose that somebody wrote is copied or quoted; console output, code, labels, addresses and notices recur by
themselves. Each shape is a recogniser of its own with its share of the bits of prose; the first that knows a
sentence decides. Letters count as in the partial-copy index (``detector.copies.rule``): the first twelve say
little, since phrases of that length recur, so a lone Japanese sentence of 20 letters comes to 41 bits.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import cache
from importlib.resources import files

import numpy as np

from ruiji.features.arrays import IntArray, LongArray

STOCK_LETTERS = 12  # of a sentence, that say little
PHRASE_BITS = 0.75  # a letter of those
PROSE_BITS = 4.0  # a letter beyond them

PROSE, LABEL, CODE, CONTACT, NOTICE = "prose", "label", "code", "contact", "notice"
# What a shape says beside prose: set by judgement after counting shapes of sentences that transplanted pages
# share.
SHARES = {PROSE: 1.0, LABEL: 0.5, CODE: 0.25, CONTACT: 0.25, NOTICE: 0.25}

_CLOSING = r")\]\"'”’"
_MARKS = frozenset("。.!?…")
_CLOSING_OR_LINE_END = frozenset(")]\"'”’」』\n")
_ENDS = re.compile(rf"(?:[。.!?…]|(?<![{_CLOSING}」』])[{_CLOSING}]*+[」』])[{_CLOSING}」』]*$")
_KANA = re.compile("[ぁ-ゖ]")
_PREDICATE = re.compile("[ぁ-ゖ]{2}")
_CODE_WORD = re.compile(
    r"(?:[^\W_]++|[.-])*+[_/\\=<>{}|$&*;]\S*|[a-z]+[A-Z]\w*|\w+\([^)]*\)?[,;]?|--?[a-z][\w-]*"
    r"|[\w-]+\.\w[.\w-]*[;,]?"
    r"|[A-Z_]{2,}[,;)]?|0x\w+|[\[\](){}#%+:=*<>~^-]+\w*|\d[\d.:,]*(?:kb|mb|gb|k|m)?[\])]?"
)
_CONSOLE = re.compile(
    r"[$#>%] |(?:hit|get|ign|err):\d|\w*(?:error|exception|warning): |traceback |file \"|at "
    r"[\w.$]+\(|#include"
    r"|import \w|<[!/]?[a-z]|[-d][-rwx]{9}|\d{1,3}(?:\.\d{1,3}){3}",
    re.IGNORECASE,
)
CODE_WORDS = 0.5  # of the words that look like code, for a line without kana to be code
COMMENT_WORDS = 6  # after its #, for a comment to be something that somebody wrote rather than a command
COMMENT_CODE_WORDS = 0.25  # the same for what follows the # of a comment, which may be a command

# Different signs of places, times, prices and numbers to call that make a contact or a timetable.
CONTACT_SIGNS = 2


def is_code(text: str) -> bool:
    """Whether a line is code or what a program prints; a comment of plain words is none.

    >>> is_code("SSLCertificateFile /etc/ssl/certs/ssl-cert-snakeoil.pem"), is_code("He wrote it in C.")
    (True, False)
    >>> is_code("# apt-get install make"), is_code("# here is the fallback if no module succeeds")
    (True, False)
    """
    if _KANA.search(text):
        return False
    if is_comment(text):
        return False
    return is_console(text) or _code_share(text.split()) >= CODE_WORDS


def is_console(text: str) -> bool:
    """Whether a line begins as those do that a program prints."""
    return _CONSOLE.match(text) is not None


def is_comment(text: str) -> bool:
    """Whether a line is a comment in code that somebody wrote in plain words."""
    words = text.split()
    return words[:1] == ["#"] and len(words) > COMMENT_WORDS and _code_share(words[1:]) < COMMENT_CODE_WORDS


def _code_share(words: Sequence[str]) -> float:
    """The share of the words that look like code."""
    return sum(_CODE_WORD.fullmatch(word) is not None for word in words) / max(1, len(words))


def is_contact(text: str) -> bool:
    """Whether a line says where, when or for how much, and no more.

    >>> is_contact("会場:市民会館2階 大会議室 定員80名(先着順)"), is_contact("会場には大勢の人が集まった。")
    (True, False)
    """
    return sum(sign.search(text) is not None for sign in contact_signs()) >= CONTACT_SIGNS


def is_notice(text: str) -> bool:
    """Whether a sentence has a phrase of notices, terms and offers.

    >>> is_notice("当サイトの内容の無断転載を禁じます。"), is_notice("山の上から海が見えました。")
    (True, False)
    """
    lower = text.lower()
    return any(phrase.search(lower) for phrase in stock_phrases())


def is_label(text: str) -> bool:
    """Whether a text does not end as a sentence does: headings, titles, entries of lists.

    >>> is_label("日本Ruby会議 2010, 8月27日~29日"), is_label("その日は晴れていました。")
    (True, False)
    """
    return not _ends(text) and not (len(text) >= 2 * STOCK_LETTERS and _PREDICATE.search(text))


def _ends(text: str) -> bool:
    """Whether a text ends as a sentence does; the last character mostly says so."""
    last = text[-1:]
    return last in _MARKS if last not in _CLOSING_OR_LINE_END else _ENDS.search(text) is not None


_RECOGNISERS: tuple[tuple[str, Callable[[str], bool]], ...] = (
    (NOTICE, is_notice), (CONTACT, is_contact), (CODE, is_code), (LABEL, is_label),
)  # fmt: skip


def shape(text: str) -> str:
    """The shape of a normalised sentence."""
    return next((name for name, knows in _RECOGNISERS if knows(text)), PROSE)


def length_bits(length: IntArray | LongArray) -> LongArray:
    """The bits of prose of so many letters."""
    short = np.minimum(length, STOCK_LETTERS) * PHRASE_BITS
    return np.rint(short + np.maximum(length - STOCK_LETTERS, 0) * PROSE_BITS).astype(np.int64)


def sentence_bits(shapes: Sequence[str], length: IntArray | LongArray) -> LongArray:
    """The bits of each of the sentences, whose shapes and lengths are given."""
    shares = np.fromiter((SHARES[shape] for shape in shapes), np.float64, len(shapes))
    return np.rint(length_bits(length) * shares).astype(np.int64)


@cache
def stock_phrases() -> tuple[re.Pattern[str], ...]:
    """The phrases of notices, which are in small letters: to look for them so takes half of the time that
    re.IGNORECASE does.
    """
    return tuple(map(re.compile, _lines("stock_phrases.txt")))


@cache
def contact_signs() -> tuple[re.Pattern[str], ...]:
    """The signs of places, times, prices and numbers to call."""
    return tuple(re.compile(sign, re.IGNORECASE) for sign in _lines("contact_signs.txt"))


def _lines(name: str) -> list[str]:
    """The lines of a data file that are no comments."""
    data = (files("ruiji.detector.sentences") / "data" / name).read_text(encoding="utf-8")
    return [line for line in data.splitlines() if line and not line.startswith("#")]
