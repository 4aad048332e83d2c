"""The words that a person reads in reports and in the web application, in English and Japanese.

They stand in ``words.toml``. Every key is in both languages, and every key that a template or a script uses
is there; tests see to it. The names of categories, relations and kinds of contradictions are those of the
tables; the lists of them are in the detector.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import lru_cache
from importlib.resources import files

LANGUAGES = ("en", "ja")
BOTH = "both"
REPORT_LANGUAGES = (BOTH, *LANGUAGES)  # both: English, then Japanese


@lru_cache(maxsize=1)
def _table() -> Mapping[str, tuple[str, str]]:
    return tomllib.loads(files("ruiji").joinpath("words.toml").read_text(encoding="utf-8"))


@lru_cache(maxsize=len(LANGUAGES))
def words(language: str) -> Mapping[str, str]:
    """The words of a language."""
    place = LANGUAGES.index(language)
    return {key: both[place] for key, both in _table().items()}


def in_languages(key: str, language: str, values: Mapping[str, object]) -> list[tuple[str, str]]:
    """The words of a key with the values put in, in each language that is asked for (``both``: in all), with
    the name of the language. A name that has no words, such as a category of a later version, stands for
    itself.
    """
    chosen = LANGUAGES if language == BOTH else (language,)
    if key not in _table():
        return [(chosen[0], key)]
    return [(name, words(name)[key].format_map(values)) for name in chosen]


def in_language(key: str, language: str) -> str:
    """The words of a key as one text."""
    return " ".join(text for _, text in in_languages(key, language, {}))
