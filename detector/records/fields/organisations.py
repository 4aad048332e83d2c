"""Whether a text names an organisation or one of its offices, by the words that such names are made of."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache

from ruiji.detector.records.fields.data import data_lines

_LABEL = re.compile(
    r"会社名|商号|社名|企業名|法人名|団体名|組織名|機関名|屋号|販売業者"
    r"|(?:company|organi[sz]ation)(?: name)?",
    re.IGNORECASE,
)
LONGEST_ORGANISATION = 60  # characters; a longer text is a sentence about one


@lru_cache(1 << 15)
def is_organisation(text: str) -> bool:
    """Whether a text has a word that only names of organisations and offices have."""
    plain = unicodedata.normalize("NFKC", text).strip()
    return len(plain) <= LONGEST_ORGANISATION and bool(_pattern().search(plain))


def labels_organisation(label: str) -> bool:
    """Whether a label says that the name of an organisation follows, however that looks."""
    return bool(_LABEL.fullmatch(unicodedata.normalize("NFKC", label).strip(" :")))


def is_legal_form(text: str) -> bool:
    """Whether a text is only the form of a company or corporation, whose name is yet to come: 株式会社."""
    plain = unicodedata.normalize("NFKC", text).strip()
    return plain in _words()["start"] + _words()["anywhere"]


def is_any_organisation(words: Iterable[str]) -> bool:
    """Whether words in lower case are those of many organisations, and do not tell which one is meant."""
    return _shared_words().issuperset(words)


@lru_cache(maxsize=1)
def _shared_words() -> frozenset[str]:
    return frozenset(_words()["shared"])


@lru_cache(maxsize=1)
def _words() -> dict[str, list[str]]:
    """The words of ``data/organisations.txt`` by their place."""
    words: dict[str, list[str]] = {
        "start": [],
        "end": [],
        "anywhere": [],
        "word": [],
        "last": [],
        "shared": [],
    }
    for line in data_lines("organisations.txt"):
        place, _, listed = line.partition(":")
        words[place.strip()] += listed.split()
    return words


@lru_cache(maxsize=1)
def _pattern() -> re.Pattern[str]:
    """Words of ``data/organisations.txt``: at the end, at the start, anywhere, or as an English word."""
    words = {place: [re.escape(word) for word in listed] for place, listed in _words().items()}
    return re.compile(
        rf"^(?:{'|'.join(words['start'])})|(?:{'|'.join(words['end'])})(?:$|[\s(,、])"
        rf"|(?:{'|'.join(words['anywhere'])})|(?<![A-Za-z])(?:{'|'.join(words['word'])})(?![A-Za-z])"
        rf"|(?<![A-Za-z])(?:{'|'.join(words['last'])})(?=$|\s*[,(]|\s+(?:of|for)\b)"
    )
