"""What the dictionary knows of Japanese names: which token is a surname or a given name, and how it is read.

unidic tags 田中 as 固有名詞-人名-姓 and 克己 as 固有名詞-人名-名. It is a witness: many given names are in no
dictionary, and many surnames are places too.
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import product

from ruiji.features.text.morphology import CACHED_TEXTS, mecab_tagger

LONGEST_NAME = 24  # characters; nothing longer is asked of the dictionary
MOST_READINGS = 12  # of a name: the best so many analyses
MOST_COMBINED = 48  # readings of surname and given name together

SURNAME, GIVEN, PERSON, PLACE, NOUN, UNKNOWN, OTHER = (
    "surname", "given", "person", "place", "noun", "unknown", "other",
)  # fmt: skip
_TAGS = {"人名-姓": SURNAME, "人名-名": GIVEN, "人名-一般": PERSON}
# The fields of a feature: two levels of the part of speech below the first two, and the reading in katakana.
_KNOWN, _UNKNOWN = r"%m\t%f[0]\t%F-[2,3]\t%f[17]\n", r"%m\t?\t?\t\n"


@dataclass(frozen=True, slots=True)
class NameToken:
    """A token of a name: how it is written, what the dictionary takes it for, its reading in katakana."""

    surface: str
    tag: str
    reading: str


@lru_cache(CACHED_TEXTS)
def name_tokens(text: str) -> tuple[NameToken, ...]:
    """The tokens of a short text; none of a longer one."""
    if len(text) > LONGEST_NAME:
        return ()
    return _tokens(_tagger().parse(_plain(text)))


@lru_cache(CACHED_TEXTS)
def readings(text: str) -> tuple[str, ...]:
    """How a name may be read, in katakana, the likeliest first; parts that stand apart are read apart."""
    parts = _plain(text).split()
    if not parts or len(text) > LONGEST_NAME:
        return ()
    ways = [_part_readings(part) for part in parts]
    return tuple(" ".join(way) for way, _ in zip(product(*ways), range(MOST_COMBINED), strict=False))


def _part_readings(part: str) -> tuple[str, ...]:
    analyses = _tagger().nbest(part, MOST_READINGS).split("EOS")
    texts = (_reading(_tokens(analysis)) for analysis in analyses)
    return tuple(dict.fromkeys(text for text in texts if text)) or ("",)


def _reading(tokens: tuple[NameToken, ...]) -> str:
    """The reading of all tokens together; "" where the dictionary does not know one of them."""
    return "".join(token.reading for token in tokens) if all(token.reading for token in tokens) else ""


def _tokens(output: str) -> tuple[NameToken, ...]:
    tokens = []
    for line in output.splitlines():
        if line.count("\t") == 3:
            surface, speech, tag, reading = line.split("\t")
            tokens.append(NameToken(surface, _tag(speech, tag), reading if reading != "*" else ""))
    return tuple(tokens)


def _tag(speech: str, tag: str) -> str:
    if speech == "?":
        return UNKNOWN
    if tag in _TAGS:
        return _TAGS[tag]
    if tag.startswith("地名"):
        return PLACE
    return NOUN if speech in ("名詞", "接尾辞", "接頭辞") else OTHER


def _plain(text: str) -> str:
    plain = unicodedata.normalize("NFKC", text)
    return "".join(
        c for c in plain if c == " " or not (c.isspace() or c == "\0" or "\ud800" <= c <= "\udfff")
    )


@cache
def _tagger():  # type: ignore[no-untyped-def]  # fugashi has no types
    return mecab_tagger(_KNOWN, _UNKNOWN, "EOS\\n")[1]
