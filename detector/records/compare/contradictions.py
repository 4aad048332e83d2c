"""Where corresponding records do not say the same: conflicts, variants of notation, fields missing on one
side, what age explains.
"""

from __future__ import annotations

import hashlib
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from ruiji.detector.records.compare.correspondence import A_YEAR, Collection, Pair, Place
from ruiji.detector.records.compare.relevance import days_between
from ruiji.detector.records.fields.concepts import built_in, folded_label
from ruiji.detector.records.fields.values import (
    AGREEING,
    Match,
    best_match,
    compare,
    is_slip,
    key_of,
    scripts_apart,
)

CONFLICT, VARIANT, MISSING, AGE = "conflict", "variant", "missing", "age"
KINDS = (CONFLICT, AGE, MISSING, VARIANT)
NOT_COMPARED = frozenset(("", "url", "note", "contact", "reading", "access"))
EXPECTED_SHARE = 2 / 3  # of the records of a list that must have a field for its absence in one to be told
EXPECTED_RECORDS = 2  # other records at least
UNLIKE_RECORDS = 4  # records in which two lists must have a field before it can be called two fields
UNLIKE_SHARE = 0.2  # of them agree, at most
ID_DIGITS = 16

# How sure one can be of a kind before the pair's own score is looked at: what is compared by its digits is
# sure, free text is not.
_SURE = {
    "mail": 1.0,
    "phone": 1.0,
    "date": 0.95,
    "money": 0.95,
    "number": 0.95,
    "code": 0.95,
    "name": 0.9,
    "post": 0.9,
    "place": 0.9,
    "hours": 0.9,
    "url": 0.8,
}
_TEXT_SURE = 0.75


@dataclass(frozen=True, slots=True)
class Contradiction:
    """A field in which two corresponding places differ, with both values as they stand on the pages.

    ``id`` depends on the facts alone (what is described, field, both values, both pages), so that a later run
    can tell what is new. ``slip``: the values differ as a slip of the hand makes them differ.
    """

    id: str
    kind: str
    concept: str
    field: str
    value_a: str
    value_b: str
    one: int
    other: int
    confidence: float
    days: float
    slip: bool = False


def contradictions(collection: Collection, pairs: Sequence[Pair]) -> list[Contradiction]:
    """All contradictions of all pairs, in the order of the pairs and of the fields."""
    expected = _expected_fields(collection)
    unlike = _unlike_fields(collection, pairs)
    around: dict[int, list[int]] = defaultdict(list)
    for pair in pairs:
        around[pair.one].append(pair.other)
        around[pair.other].append(pair.one)
    found: list[Contradiction] = []
    for pair in pairs:
        one, other = collection.places[pair.one], collection.places[pair.other]
        for concept in dict.fromkeys((*one.values, *other.values)):
            if concept in NOT_COMPARED:
                continue
            if concept in one.values and concept in other.values:
                if (_list_of(one), _list_of(other), concept) in unlike:
                    continue
                found += _differing(collection, pair, one, other, concept, around)
            elif concept in one.values:
                found += _missing(collection, pair, one, other, concept, expected)
            else:
                found += _missing(collection, pair, other, one, concept, expected)
    return found


def _differing(
    collection: Collection, pair: Pair, one: Place, other: Place, concept: str, around: dict[int, list[int]]
) -> list[Contradiction]:
    kind = collection.schema.kind_of(concept)
    match, mine, theirs = best_match(kind, one.values[concept], other.values[concept])
    if match in (Match.SAME, Match.SAME_MEANING, Match.INCOMPARABLE):
        return []
    days = days_between(one.time, other.time)
    if match is Match.VARIANT:
        return [_contradiction(collection, VARIANT, pair, one, other, concept, (mine, theirs), days, False)]
    slip = kind in ("phone", "mail", "code", "number", "money") and is_slip(mine, theirs)
    explained = not slip and _age_explains(collection, one, other, concept, (mine, theirs), days, around)
    if explained and scripts_apart(mine, theirs):
        return []  # an old page and a translation: two explanations, and nothing that anybody could mend
    return [
        _contradiction(
            collection, AGE if explained else CONFLICT, pair, one, other, concept, (mine, theirs), days, slip
        )
    ]


def _age_explains(
    collection: Collection,
    one: Place,
    other: Place,
    concept: str,
    values: tuple[str, str],
    days: float,
    around: dict[int, list[int]],
) -> bool:
    """Whether the older page may have been right in its time.

    The field must be one that changes as a matter of course, the pages must lie more than a year apart, and
    no page about as new as the newer one may still say what the older one says: then the new pages contradict
    each other.
    """
    known = collection.schema.concept(concept)
    if days < A_YEAR or known is None or not known.changing or one.time is None or other.time is None:
        return False
    older, newer, old_value = (one, other, values[0]) if one.time < other.time else (other, one, values[1])
    for number in {*around[one.number], *around[other.number]} - {one.number, other.number}:
        third = collection.places[number]
        if third.time is None or newer.time is None or (newer.time - third.time).days >= A_YEAR:
            continue
        if any(
            compare(known.kind, *sorted((value, old_value))) in AGREEING for value in third.all_of(concept)
        ):
            return False
    return older is not newer


def _missing(
    collection: Collection,
    pair: Pair,
    having: Place,
    lacking: Place,
    concept: str,
    expected: dict[tuple[str, str], frozenset[str]],
) -> list[Contradiction]:
    """A field that one side has, and that the other leaves empty or leaves out although its list has it."""
    if concept not in lacking.record.empty and concept not in expected.get(_list_of(lacking), frozenset()):
        return []
    if concept in ("affiliation", "duty", "origin") and concept not in lacking.record.empty:
        return []
    value = having.values[concept][0]
    one, other = collection.places[pair.one], collection.places[pair.other]
    values = (value, "") if having is one else ("", value)
    return [
        _contradiction(
            collection, MISSING, pair, one, other, concept, values, days_between(one.time, other.time), False
        )
    ]


def _expected_fields(collection: Collection) -> dict[tuple[str, str], frozenset[str]]:
    """For each list the fields that nearly all of its records have, or whose place they leave empty."""
    sizes: Counter[tuple[str, str]] = Counter()
    counts: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    for place in collection.places:
        key = _list_of(place)
        sizes[key] += 1
        counts[key].update(set(place.values))
    return {
        key: frozenset(
            concept
            for concept, count in counts[key].items()
            if count >= max(EXPECTED_RECORDS, EXPECTED_SHARE * size)
        )
        for key, size in sizes.items()
        if size > EXPECTED_RECORDS
    }


def _unlike_fields(
    collection: Collection, pairs: Sequence[Pair]
) -> set[tuple[tuple[str, str], tuple[str, str], str]]:
    """Fields of two lists that we take for one and that hardly ever agree: they mean two things, and nobody
    contradicts anybody.

    A number without a label may be a telephone's or a fax's; there it is enough that most do not agree.
    """
    agreeing: Counter[tuple[tuple[str, str], tuple[str, str], str]] = Counter()
    met: Counter[tuple[tuple[str, str], tuple[str, str], str]] = Counter()
    unlabelled: set[tuple[tuple[str, str], tuple[str, str], str]] = set()
    for pair in pairs:
        one, other = collection.places[pair.one], collection.places[pair.other]
        for concept in one.values:
            if concept in other.values and concept not in NOT_COMPARED:
                key = (_list_of(one), _list_of(other), concept)
                met[key] += 1
                match = best_match(
                    collection.schema.kind_of(concept), one.values[concept], other.values[concept]
                )[0]
                agreeing[key] += match in AGREEING or match is Match.INCOMPARABLE
                if any(
                    not field.label
                    for place in (one, other)
                    for field in place.record.fields
                    if field.concept == concept
                ):
                    unlabelled.add(key)
    share = {key: 0.5 if key in unlabelled else UNLIKE_SHARE for key in met}
    return {
        key for key, number in met.items() if number >= UNLIKE_RECORDS and agreeing[key] < number * share[key]
    }


def _list_of(place: Place) -> tuple[str, str]:
    return place.url, place.record.group or place.record.path


def _contradiction(
    collection: Collection,
    kind: str,
    pair: Pair,
    one: Place,
    other: Place,
    concept: str,
    values: tuple[str, str],
    days: float,
    slip: bool,
) -> Contradiction:
    sure = _SURE.get(collection.schema.kind_of(concept), _TEXT_SURE)
    if kind == VARIANT:
        sure = 0.95
    elif kind in (MISSING, AGE):
        sure *= 0.9
    elif days >= A_YEAR:
        sure *= 0.85
    confidence = round(sure * (0.5 + 0.5 * min(1.0, pair.score)), 3)
    about = min((key_of("name", name) for place in (one, other) for name in place.all_of("name")), default="")
    sides = sorted(((one.url, values[0]), (other.url, values[1])))
    digest = hashlib.sha256(
        "\x1f".join((about, concept, *(part for side in sides for part in side))).encode("utf-8", "replace")
    )
    field = shown_field(concept, one, other)
    fact_id = digest.hexdigest()[:ID_DIGITS]
    return Contradiction(
        fact_id, kind, concept, field, *values, pair.one, pair.other, confidence, round(days, 1), slip
    )


def shown_field(concept: str, one: Place, other: Place) -> str:
    """What a field is called in results: as both pages call it, else as the concept is called in their
    language.
    """
    labels = [
        field.label
        for place in (one, other)
        for field in place.record.fields
        if field.concept == concept and field.label
    ]
    named = built_in().concept(concept)
    known = named.labels if named else None
    alike = len(set(map(folded_label, labels))) == 1
    japanese = any(not text.isascii() for text in (*labels, one.record.title, other.record.title))
    if labels and (known is None or (alike and (not labels[0].isascii() or not japanese))):
        return labels[0]
    if known is None:
        return concept
    return (
        known[0]
        if japanese or known[0] in labels
        else next((label for label in known if label.isascii()), known[0])
    )
