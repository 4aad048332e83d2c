"""Old and new forms of the same kanji, so that 髙橋 and 高橋, 渡邊 and 渡辺 are one name.

NFKC already folds the compatibility ideographs (神 at U+FA19 and the like). What it leaves are the old forms
of the list of common kanji (常用漢字表, in which the 康熙字典体 stands in brackets), and variants that live
on in names; ``data/kanji_forms.txt`` states them.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType

from ruiji.detector.records.fields.data import data_lines


@lru_cache(maxsize=1)
def kanji_forms() -> Mapping[int, int]:
    """The code point of each other form → that of today's form; a later group of the file wins."""
    forms: dict[int, int] = {}
    for line in data_lines("kanji_forms.txt"):
        for group in line.split():
            forms.update({ord(form): ord(group[0]) for form in group[1:] if form != group[0]})
    for other, base in list(forms.items()):  # a form of a form: 齋 → 斎 → 斉
        while base in forms and forms[base] != base and base != other:
            base = forms[base]
        forms[other] = base
    return MappingProxyType(forms)


def todays_forms(text: str) -> str:
    """The text with every known other form of a kanji replaced by one form; for comparing, not for
    showing.
    """
    return text.translate(kanji_forms())
