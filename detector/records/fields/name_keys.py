"""The keys by which names of different pages are found to be one name: as written, as it sounds, as it may
be read.

田中 克己 has the written key 田中克己 and may be read tanakakatsumi; Katsumi Tanaka sounds like
katsumitanaka and, turned round, tanakakatsumi. Two names in kanji never meet by their reading.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from ruiji.detector.records.fields.kanji_forms import todays_forms
from ruiji.detector.records.fields.romaji import is_romaji, kana_key, romaji_key
from ruiji.detector.records.fields.values import key_of, without_brackets
from ruiji.features.text.name_tokens import PLACE, name_tokens, readings
from ruiji.features.text.name_tokens import SURNAME as SURNAME_TOKEN

WRITTEN, SOUND, READING = 0, 1, 2
MOST_WORDS = 3  # of a Latin name that may be a Japanese one
FULL_KANJI, FULL_KANA = 3, 5  # letters from which a Japanese name is more than a surname or a nickname

_KANJI = re.compile(r"[々㐀-鿿豈-﫿]")
_KANA = re.compile(r"[ぁ-ゖァ-ヺー・ 　]+")


@dataclass(frozen=True, slots=True)
class NameKey:
    """A key, how it was made, and whether the name is a full one: not a nickname or a surname alone."""

    key: str
    how: int
    full: bool


def name_keys(names: Iterable[str]) -> tuple[NameKey, ...]:
    """The keys of all spellings of a name, each once."""
    keys: dict[str, NameKey] = {}
    for name in names:
        for key in _keys(name):
            if key.key not in keys or keys[key.key].how > key.how:
                keys[key.key] = key
    return tuple(keys.values())


def sound_alike(one: str, other: str) -> bool:
    """Whether two full names may be one name in two scripts: 田中 克己 and Katsumi Tanaka."""
    mine, theirs = (
        {key.key for key in _keys(name) if key.how != WRITTEN and key.full} for name in (one, other)
    )
    return bool(mine & theirs)


def surname_keys(names: Iterable[str]) -> tuple[str, ...]:
    """How the surname may sound in the spellings of a name, each way once: + before those in kanji, whose
    given name may be read as no dictionary knows; both words of a Latin name may be its surname.
    """
    return tuple(dict.fromkeys(key for name in names for key in _surname_keys(name)))


@lru_cache(1 << 16)
def _surname_keys(name: str) -> tuple[str, ...]:
    plain = unicodedata.normalize("NFKC", without_brackets(name)).strip()
    if _KANJI.search(plain):
        first, _, given = plain.partition(" ")
        tokens = name_tokens(todays_forms(plain))
        if not given:
            first = tokens[0].surface if len(tokens) > 1 and tokens[0].tag in (SURNAME_TOKEN, PLACE) else ""
        return tuple(f"+{key}" for reading in readings(todays_forms(first)) if (key := kana_key(reading)))
    words = [word for word in re.split(r"[\s,.]+", plain.casefold()) if len(word) > 1]
    if len(words) == 2 and all(map(is_romaji, words)):
        return tuple(romaji_key(word) for word in words)
    return ()


@lru_cache(1 << 16)
def _keys(name: str) -> tuple[NameKey, ...]:
    plain = unicodedata.normalize("NFKC", without_brackets(name)).strip()
    written = key_of("name", plain)
    if not written:
        return ()
    if plain.isascii() or not (_KANJI.search(plain) or _KANA.fullmatch(plain)):
        return _latin_keys(plain, written)
    letters = len(re.sub(r"\s", "", plain))
    if _KANA.fullmatch(plain):
        full = letters >= FULL_KANA
        sound = kana_key(re.sub(r"[・ 　]", "", plain))
        return (NameKey(written, WRITTEN, full), *([NameKey(f"~{sound}", SOUND, full)] if sound else []))
    full = letters >= FULL_KANJI or " " in plain
    sounds = dict.fromkeys(kana_key(reading.replace(" ", "")) for reading in readings(todays_forms(plain)))
    return (
        NameKey(written, WRITTEN, full),
        *(NameKey(f"~{sound}", READING, full) for sound in sounds if sound),
    )


def _latin_keys(plain: str, written: str) -> tuple[NameKey, ...]:
    words = [word for word in re.split(r"[\s,.]+", plain.casefold()) if len(word) > 1]
    full = len(words) > 1
    keys = [NameKey(written, WRITTEN, full)]
    if 1 <= len(words) <= MOST_WORDS and all(map(is_romaji, words)):
        sounds = [romaji_key(word) for word in words]
        joined = dict.fromkeys((romaji_key("".join(sounds)), romaji_key("".join(reversed(sounds)))))
        keys += [NameKey(f"~{sound}", SOUND, full) for sound in joined]
    return tuple(keys)
