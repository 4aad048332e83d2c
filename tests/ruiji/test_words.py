"""Every word is there in both languages, and every one that a page asks for is there."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from ruiji.detector.pairs.relations import CATEGORIES, LINKS, RELATIONS
from ruiji.detector.records.compare.contradictions import KINDS
from ruiji.words import BOTH, LANGUAGES, in_language, in_languages, words
from tests.paths import ROOT

_PLACEHOLDER = re.compile(r"\{(\w+)\}")
_USES = {
    "ruiji/web/templates/*.html": r"\bt\.(\w+)",
    "ruiji/web/static/*.js": r"\bwords\.(\w+)|\bsay\(\"(\w+)\"|\bfact\(\"(\w+)\"",
    "ruiji/report/templates/*.html": r"\b(?:label|plain|section|fact)\(\"(\w+)\"[,)]",
}


def test_every_word_is_there_in_both_languages() -> None:
    english, japanese = map(words, LANGUAGES)
    assert english.keys() == japanese.keys()
    for key, text in english.items():
        assert text
        assert japanese[key]
        assert set(_PLACEHOLDER.findall(text)) == set(_PLACEHOLDER.findall(japanese[key])), key


def uses() -> Iterator[tuple[Path, str]]:
    for places, pattern in _USES.items():
        for path in ROOT.glob(places):
            for match in re.finditer(pattern, path.read_text(encoding="utf-8")):
                yield path, next(filter(None, match.groups()))


def test_templates_and_scripts_use_only_words_that_there_are() -> None:
    known = words("en")
    used = list(uses())
    assert len({path for path, _ in used}) >= 10
    assert not [(path.name, key) for path, key in used if key not in known]


def test_every_name_of_the_tables_has_words_and_every_category_and_kind_a_meaning() -> None:
    known = words("en")
    assert known.keys() >= {*CATEGORIES, *RELATIONS, *LINKS, *(f"kind_{kind}" for kind in KINDS)}
    assert known.keys() >= {f"meaning_{name}" for name in (*CATEGORIES, *(f"kind_{kind}" for kind in KINDS))}


def test_words_in_one_language_in_both_and_of_a_name_that_has_none() -> None:
    assert in_language("archive", "ja") == "アーカイブ"
    assert in_language("archive", BOTH) == "archive アーカイブ"
    assert in_languages("and_more", "en", {"size": 3}) == [("en", "and 3 more")]
    assert in_language("{0.__class__}", BOTH) == "{0.__class__}"


@pytest.mark.parametrize("language", ["", "de"])
def test_there_is_no_third_language(language: str) -> None:
    with pytest.raises(ValueError, match="not in tuple"):
        words(language)
