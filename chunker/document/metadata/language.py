"""The language of a text, as ISO 639-1: by its script where that says it, else by resiliparse's statistics,
with what the page declares where they are undecided.
"""

from __future__ import annotations

import re

_ENOUGH = 60  # letters: statistics of less say little
_SAMPLE = 4000  # characters that are looked at
# resiliparse's distance of a text from a language: how much farther the declared one may be than the nearest.
# Its scores of close relatives (Norwegian and Danish, Czech and Slovak) differ by less on most pages.
_UNDECIDED = 60
_SCRIPTS = (
    ("ja", re.compile("[\u3041-\u309f\u30a1-\u30fa]")), ("ko", re.compile("[\uac00-\ud7a3]")),
    ("zh", re.compile("[\u4e00-\u9fff]")),
    ("th", re.compile("[\u0e01-\u0e5b]")), ("el", re.compile("[\u0370-\u03ff]")),
    ("he", re.compile("[\u05d0-\u05ea]")),
    ("hy", re.compile("[\u0531-\u0587]")), ("ka", re.compile("[\u10d0-\u10ff]")),
)  # fmt: skip
_SHARE = 0.1  # of the letters: a script that says the language; names and quotations stay below


def language_of(text: str, declared: str) -> tuple[str, str]:
    """The language of a text and how it was found; ``declared`` is what the page says."""
    sample = text[:_SAMPLE]
    letters = sum(map(str.isalpha, sample))
    for language, script in _SCRIPTS:
        if letters and len(script.findall(sample)) > _SHARE * letters:
            return language, "script"
    said = re.split("[-_]", declared.strip().lower())[0]
    if letters >= _ENOUGH:
        from resiliparse.parse.lang import detect_fast  # a dependency anyway: it reads encodings

        ranks = detect_fast(sample, n_results=8)
        distances = dict(ranks)
        if ranks and (said not in distances or distances[said] > ranks[0][1] + _UNDECIDED):
            return ranks[0][0], "text"
    return (said, "lang") if re.fullmatch("[a-z]{2,3}", said) else ("", "")


def known_languages() -> list[str]:
    """The languages that a text can be told to be in."""
    from resiliparse.parse.lang import supported_langs  # as above: many runs ask for none

    return sorted({*(language for language, _ in _SCRIPTS), *supported_langs()})
