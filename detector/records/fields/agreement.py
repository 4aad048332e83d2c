"""Values compared as a person would: what two pages write differently of the same fact is a variant, what
differs in fact is not.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from enum import Enum
from functools import lru_cache

from ruiji.detector.records.fields.abbreviations import is_abbreviated
from ruiji.detector.records.fields.name_keys import sound_alike
from ruiji.detector.records.fields.occasions import occasion_of
from ruiji.detector.records.fields.organisations import is_any_organisation
from ruiji.detector.records.fields.posts import excludes_others, post_key, post_meaning
from ruiji.detector.records.fields.values import (
    EXTENSION_DIGITS,
    JAPANESE,
    LIST_SIGNS,
    bare,
    folded,
    key_of,
    without_brackets,
    without_legal_form,
)
from ruiji.features.text.dates import Date, date_in

# Letters of the items of a list that another may leave out and mean the same; a weekday has fewer.
LONG_ITEM = 4
_LATIN = re.compile(r"[A-Za-z]")
_KANJI = re.compile(r"[㐀-鿿豈-﫿]")
SHORTEST_HEAD = 4  # letters by which one name of an organisation begins and the other goes on
INITIALS = range(3, 7)  # letters of an abbreviation
_GOES_ON = frozenset(
    ("university", "institute", "college", "school", "academy")
)  # before "of" it is another one
# Words that make another post of a post: Sales Manager, Assistant Sales Manager.
_RANKS = frozenset("assistant associate vice deputy junior senior sub acting former visiting adjunct".split())


class Match(Enum):
    """How two values stand to each other."""

    SAME = "same"
    VARIANT = "variant"  # one fact, written differently
    SAME_MEANING = "same meaning"  # one fact in two languages: nothing to report
    DIFFERENT = "different"
    INCOMPARABLE = "incomparable"  # two scripts, and nobody can tell without a dictionary


AGREEING = frozenset({Match.SAME, Match.VARIANT, Match.SAME_MEANING})


def scripts_apart(one: str, other: str) -> bool:
    """Whether one value is in Japanese letters and the other in Latin ones, so that only a translator could
    compare them.
    """
    japanese = bool(JAPANESE.search(one)), bool(JAPANESE.search(other))
    if japanese[0] == japanese[1]:
        return False
    return bool(_LATIN.search(other if japanese[0] else one))


@lru_cache(maxsize=1 << 16)
def compare(kind: str, one: str, other: str) -> Match:
    """How two values of that kind stand to each other. Symmetric."""
    if one == other:
        return Match.SAME
    if kind == "when":
        return _occasions_alike(one, other)
    first, second = key_of(kind, one), key_of(kind, other)
    apart = kind not in ("mail", "phone", "url", "date", "code", "money", "number") and scripts_apart(
        one, other
    )
    if first == second:
        return Match.SAME_MEANING if apart else Match.VARIANT
    if kind == "post" and (meant := _posts_alike(one, other, apart)):
        return meant
    if kind == "post" and not (excludes_others(one) and excludes_others(other)):
        return Match.INCOMPARABLE
    if apart or (kind == "name" and _is_nickname_of_other(one, other)):
        return Match.INCOMPARABLE
    if kind == "name" and _in_two_scripts(one, other):
        return Match.VARIANT if sound_alike(one, other) else Match.INCOMPARABLE
    if bare(one) == bare(other) or _loosely(kind, one, other) or _loosely(kind, other, one):
        return Match.VARIANT
    return Match.DIFFERENT


def _occasions_alike(one: str, other: str) -> Match:
    """How two days or hours stand; a text that names none says nothing against the other."""
    mine, theirs = occasion_of(one), occasion_of(other)
    if mine is None or theirs is None:
        alike = key_of("when", one) == key_of("when", other)
        return Match.VARIANT if alike else Match.INCOMPARABLE
    return Match.VARIANT if mine.agrees(theirs) else Match.DIFFERENT


def _is_nickname_of_other(one: str, other: str) -> bool:
    """Whether one of two Latin names is a single word that the other does not have."""
    words = sorted((set(folded(name).split()) for name in (one, other)), key=len)
    latin = not JAPANESE.search(one) and not JAPANESE.search(other)
    return latin and len(words[0]) == 1 < len(words[1]) and not words[0] & words[1]


def _in_two_scripts(one: str, other: str) -> bool:
    """Whether one name is in kana and the other in kanji (すずきみほ, 鈴木 美保), or both are one Japanese
    name in Latin letters (Koichi, Kouichi).
    """
    kanji = [bool(_KANJI.search(name)) for name in (one, other)]
    return kanji[0] != kanji[1] or (not JAPANESE.search(one + other) and sound_alike(one, other))


def _posts_alike(one: str, other: str, apart: bool) -> Match | None:
    """How two posts stand of which somebody knows the meaning; None for the others.

    What only says how somebody is employed (特定, Part-time), or the year of a student, may be left out.
    """
    mine, theirs = post_meaning(one), post_meaning(other)
    if not mine.plain or not theirs.plain:
        return None
    if not mine.plain & theirs.plain or (mine.year and theirs.year and mine.year != theirs.year):
        return Match.DIFFERENT
    whole = bool(mine.posts & theirs.posts) and mine.year == theirs.year
    return Match.SAME_MEANING if whole and apart else Match.VARIANT


def _loosely(kind: str, shorter: str, longer: str) -> bool:
    """Whether the longer value says the same fact with more: a title, a remark in brackets, a sub-office, a
    day beside the month.
    """
    if key_of(kind, without_brackets(shorter)) == key_of(kind, without_brackets(longer)):
        return kind not in ("number", "money", "phone") or key_of(kind, shorter) == key_of(kind, longer)
    if kind == "date":
        dates = date_in(shorter), date_in(longer)
        return isinstance(dates[0], Date) and isinstance(dates[1], Date) and dates[0].agrees(dates[1])
    if kind == "phone":
        return _extension_of(shorter, longer)
    if kind == "name":
        return _name_within(shorter, longer)
    if kind == "place":
        first, second = key_of("place", without_brackets(shorter)), key_of("place", without_brackets(longer))
        return len(first) >= 4 and (
            second.endswith(first) or (second.startswith(first) and not second[len(first)].isdigit())
        )
    if kind == "post":  # 教授 and 教授・学科長, but not Professor and Associate Professor
        if _post_within(shorter, longer):
            return True
        parts = re.split(r"\s?[・/,、(&]\s?|\sand\s", folded(longer))
        return len(parts) > 1 and len(bare(shorter)) > 1 and post_key(shorter) in map(post_key, parts)
    if kind == "text":
        return _within_text(shorter, longer)
    return False


def _post_within(shorter: str, longer: str) -> bool:
    """Whether a post is the other without what it is for: Chair and Doctoral Symposium Chairs."""
    words, others = (
        [word.rstrip("s") for word in re.findall(r"[a-z]+", folded(without_brackets(text))) if word != "co"]
        for text in (shorter, longer)
    )
    more = set(others) - set(words)
    ends_alike = bool(words and others) and words[-1] == others[-1] and set(words) < set(others)
    return ends_alike and not (JAPANESE.search(shorter + longer) or more & _RANKS)


def _extension_of(shorter: str, longer: str) -> bool:
    """Whether one is the extension that the other gives beside the number: 3412 and
    0769-44-2111（内線3412）.
    """
    digits = key_of("phone", shorter)
    if not digits.isdigit() or len(digits) > EXTENSION_DIGITS:
        return False
    plain = unicodedata.normalize("NFKC", longer)
    return bool(re.search(rf"(?:内線?|ext(?:ension)?\.?|#)\s?[:：)]?\s?{digits}(?!\d)", plain, re.IGNORECASE))


def _name_within(shorter: str, longer: str) -> bool:
    """Whether a name is the other with a title, initials, a middle name or a sub-office."""
    short, full = folded(without_brackets(shorter)), folded(without_brackets(longer))
    if JAPANESE.search(short):
        parts = full.split(" ")
        return (
            bare(short)
            in (
                {bare("".join(parts[start:])) for start in range(1, len(parts))}
                | {bare("".join(parts[:end])) for end in range(1, len(parts))}
            )
            and len(bare(short)) >= 3
        )
    mine, theirs = [re.split(r"[\s.,-]+", text.strip(" .,")) for text in (short, full)]
    mine, theirs = [word for word in mine if word], [word for word in theirs if word]
    if not mine or len(mine) > len(theirs) or len(theirs) < 2:
        return False
    rest = list(theirs)
    whole = 0
    for word in sorted(mine, key=len, reverse=True):
        fitting = (
            word
            if word in rest
            else next((full for full in rest if len(word) == 1 and full.startswith(word)), "")
        )
        if not fitting:
            return False
        whole += len(word) > 1
        rest.remove(fitting)
    return whole >= 1 and len(mine) >= 2


def _within_text(shorter: str, longer: str) -> bool:
    """Whether a text without a list in it ends or begins the other at a border of words: 情報工学科 in 工学部
    情報工学科.
    """
    items, others = (
        [item.strip() for item in LIST_SIGNS.split(folded(without_brackets(text))) if bare(item)]
        for text in (shorter, longer)
    )
    if items and all(any(_item_within(item, other) for other in others) for item in items):
        return True  # Ruby札幌, and Ruby札幌, 株式会社えにしテック
    if not JAPANESE.search(shorter + longer) and is_abbreviated(shorter, longer):
        return True
    short, full = folded(shorter), folded(longer)
    if len(bare(short)) < 3 or LIST_SIGNS.search(full) or not JAPANESE.search(short):
        return False
    return bool(re.search(rf"(?:^|[\s(]){re.escape(short)}$|^{re.escape(short)}(?:[\s(]|$)", full)) or (
        full.endswith(short) and bool(re.search(r"(?:部|院|科|学|局|課|社|校|所)$", full[: -len(short)]))
    )


def _item_within(item: str, other: str) -> bool:
    """Whether an item of a list is the other, or the one is the head, whole words or initials of the other:
    筑波大学 and 筑波大学情報学類, University of Athens, MPI.
    """
    short, full = sorted((without_legal_form(item), without_legal_form(other)), key=len)
    if bare(short) == bare(full):
        return len(bare(short)) >= LONG_ITEM
    if JAPANESE.search(short):
        if len(bare(short)) < SHORTEST_HEAD:
            return False
        if full.startswith(short):
            return not full[len(short)].isdigit()
        return short in full.split()  # 楽天技術研究所 in 楽天 楽天技術研究所 フェロー
    words, others = (re.findall(r"[^\W_]+", text) for text in (short, full))
    if len(words) == 1 and len(short) in INITIALS:
        return "".join(word[0] for word in others).startswith(short)
    if len("".join(words)) < LONG_ITEM or not short.strip()[-1:].isalpha() or is_any_organisation(words):
        return False
    ends = [
        at + len(words) for at in range(len(others) - len(words) + 1) if others[at:][: len(words)] == words
    ]
    # Kyoto University of the Arts is not Kyoto University.
    return any(words[-1] not in _GOES_ON or others[end : end + 1] != ["of"] for end in ends)


def best_match(kind: str, ones: Sequence[str], others: Sequence[str]) -> tuple[Match, str, str]:
    """How two fields with perhaps several values stand, by the pair of values that agrees most."""
    order = (Match.SAME, Match.SAME_MEANING, Match.VARIANT, Match.INCOMPARABLE, Match.DIFFERENT)
    found = [
        (order.index(compare(kind, *sorted((one, other)))), one, other) for one in ones for other in others
    ]
    rank, one, other = min(found, key=lambda item: item[0])
    return order[rank], one, other
