"""Which records of different pages are about the same thing.

The search goes up from equal leaves (section 3.2 of the paper): an index of rare values brings records
together, never all pairs; their fields that agree are the corresponding parts; formula (4) decides about the
record, and then about the lists that hold corresponding records. What the paper did not need, because its
schema was given, is said at ``_vetoed``.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from ruiji.detector.records.compare.relevance import (
    DEFAULT_RULE,
    Rule,
    corresponds,
    days_between,
    equivalent_score,
    link_relevance,
)
from ruiji.detector.records.compare.similarity import LEAF_WEIGHT, NODE_WEIGHT, similarity
from ruiji.detector.records.fields.concepts import Schema
from ruiji.detector.records.fields.values import (
    AGREEING,
    EXTENSION_DIGITS,
    Match,
    best_match,
    compare,
    folded,
    key_of,
    scripts_apart,
)
from ruiji.detector.records.markup.find import Field, Record

RARE = 100  # records that may share a value and still be compared with each other: more is no rare value
TEMPLATE_PAGES = 4  # pages of one site that give the same numbers and addresses: a template says them, once
SAME_PLACE_PAGES = 3  # likewise, of pages that have the very same record in the very same place
A_YEAR = 365.0  # days; section 3.1.3: a page not touched for more than a year is likely to be out of date
# Share of the lists with the same labels that must have a label for its absence to count (section 3.2, step
# 3)
CORRELATED = 0.5
IDENTIFYING = (
    "mail",
    "phone",
    "ext",
    "affiliation",
    "place",
    "address",
    "birth",
    "code",
    "field",
    "price",
    "representative",
)
KEYS = ("name", "mail", "phone", "code")
SHORTENED, IN_FULL = "shortened", "in full"  # T. Yamada and Taro Yamada, both as "yamada t"
SECOND_LEVELS = frozenset(
    "ac co or ne go lg ed gr ad com net org edu gov".split()
)  # below a country's code, as in .ac.jp and .com.au


@dataclass(frozen=True, slots=True)
class Place:
    """A record on a page: what comparing needs to know of it."""

    number: int
    url: str
    site: str
    time: datetime | None
    record: Record
    values: Mapping[str, tuple[str, ...]]  # by concept

    def all_of(self, concept: str) -> tuple[str, ...]:
        return self.values.get(concept, ())


def organisation_of(host: str) -> str:
    """The part of a host's name that an organisation has registered: miozaki-u.ac.jp for any of its hosts."""
    labels = host.split(".")
    under = 3 if len(labels) > 2 and labels[-2] in SECOND_LEVELS and len(labels[-1]) == 2 else 2
    return ".".join(labels[-under:])


@dataclass(frozen=True, slots=True)
class Pair:
    """Two places that correspond, how much by formula (4), how similar by formula (1), and what agrees."""

    one: int
    other: int
    score: float
    similarity: float
    agreeing: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ListPair:
    """Two lists whose records correspond, one level up."""

    url_a: str
    path_a: str
    url_b: str
    path_b: str
    score: float


@dataclass(slots=True)
class Collection:
    """All places of a run, with what only the whole can tell: links between sites, which labels go together,
    how rare values are.
    """

    places: list[Place]
    links: Mapping[tuple[str, str], int]
    schema: Schema
    rule: Rule = DEFAULT_RULE
    _lists: Counter[frozenset[str]] = field(default_factory=Counter)  # how many lists have these labels
    _holders: dict[tuple[str, str], set[str]] = field(default_factory=dict)
    _domains: dict[str, set[str]] = field(default_factory=dict)
    _correlation: dict[tuple[frozenset[str], str], bool] = field(default_factory=dict)

    def __post_init__(self) -> None:
        grouped: dict[tuple[str, str], set[str]] = defaultdict(set)
        for place in self.places:
            grouped[place.url, place.record.group or place.record.path] |= set(place.values)
            for concept in ("phone", "mail", "ext"):
                for value in place.all_of(concept):
                    for name in place.all_of("name"):
                        self._holders.setdefault(
                            (concept, key_of(self.schema.kind_of(concept), value)), set()
                        ).add(key_of("name", name))
            for name in place.all_of("name"):
                for mail in place.all_of("mail"):
                    self._domains.setdefault(key_of("name", name), set()).add(
                        organisation_of(key_of("mail", mail).rpartition("@")[2])
                    )
        self._lists = Counter(frozenset(concepts) for concepts in grouped.values())

    def relevance(self, one: Place, other: Place) -> float:
        links = self.links.get((one.site, other.site), 0) + self.links.get((other.site, one.site), 0)
        return link_relevance(one.site == other.site, links)

    def related(self, one: Place, other: Place) -> bool:
        """Whether two pages are of one site, of one organisation by their domain, or of sites that link to
        each other.
        """
        return organisation_of(one.site) == organisation_of(other.site) or self.relevance(one, other) > 0

    def ambiguous(self, place: Place) -> bool:
        """Whether the collection knows several people of this name: they have addresses at several
        organisations.
        """
        return any(len(self._domains.get(key_of("name", name), ())) > 1 for name in place.all_of("name"))

    def correlated(self, concepts: frozenset[str], concept: str) -> bool:
        """Whether lists that have these labels usually have that one too; two lists at least must say so."""
        key = (concepts, concept)
        if key not in self._correlation:
            having = [(labels, number) for labels, number in self._lists.items() if concepts <= labels]
            total = sum(number for _, number in having)
            self._correlation[key] = (
                total > 2
                and sum(number for labels, number in having if concept in labels) >= CORRELATED * total
            )
        return self._correlation[key]

    def holders(self, concept: str, value: str) -> set[str]:
        """The names of those who have this number or address."""
        return self._holders.get((concept, key_of(self.schema.kind_of(concept), value)), set())


def place_of(number: int, url: str, site: str, time: datetime | None, record: Record) -> Place:
    """A place with its values by concept; fields without a label or a kind have none."""
    values: dict[str, list[str]] = {}
    for one in record.fields:
        if one.concept:
            values.setdefault(one.concept, []).append(one.value)
    return Place(
        number,
        url,
        site,
        time,
        record,
        {concept: tuple(dict.fromkeys(found)) for concept, found in values.items()},
    )


def corresponding(collection: Collection) -> list[Pair]:
    """All pairs of places that correspond, in the order of their numbers."""
    places = collection.places
    found: dict[tuple[int, int], Pair] = {}
    for one, other in _candidates(collection):
        if pair := compared(collection, places[one], places[other]):
            found[one, other] = pair
    for one, other in _through_a_third(found, places):
        if pair := compared(collection, places[one], places[other], through_a_third=True):
            found[one, other] = pair
    return [found[key] for key in sorted(found)]


def _candidates(collection: Collection) -> list[tuple[int, int]]:
    """Pairs that share a rare value: a name, an address, a number, a code."""
    buckets: dict[tuple[str, str], list[int]] = defaultdict(list)
    for place in collection.places:
        for key in dict.fromkeys(_index_keys(place, collection.schema)):
            buckets[key].append(place.number)
    found: set[tuple[int, int]] = set()
    places = collection.places
    for key, bucket in buckets.items():
        if key[0] == IN_FULL:
            continue  # two names in full meet by the name
        if key[0] == SHORTENED:
            bucket = sorted({*bucket, *buckets.get((IN_FULL, key[1]), ())})
        for members in _rare_parts(bucket, places):
            for position, one in enumerate(members):
                found.update(
                    (one, other) for other in members[position + 1 :] if places[one].url != places[other].url
                )
    return sorted(found)


def _rare_parts(bucket: Sequence[int], places: Sequence[Place]) -> list[list[int]]:
    """The places that share a value, to be compared with each other; of a common value only those of one
    organisation.
    """
    if len(bucket) <= RARE:
        return [list(bucket)]
    parts: dict[str, list[int]] = defaultdict(list)
    for number in bucket:
        parts[organisation_of(places[number].site)].append(number)
    return [members for members in parts.values() if len(members) <= RARE]


def _index_keys(place: Place, schema: Schema) -> Iterable[tuple[str, str]]:
    for concept in KEYS:
        kind = schema.kind_of(concept)
        for value in place.all_of(concept):
            key = key_of(kind, value)
            if len(key) < 2 or (concept == "phone" and len(key) <= EXTENSION_DIGITS):
                continue
            yield concept, key
            if concept != "name":
                continue
            plain = folded(value)
            if not plain.isascii():
                first = key_of("name", plain.split(" ")[0])
                if len(first) >= 3:
                    yield "name", first
                continue
            words = [word for word in key.split(" ") if word]
            for word in words:
                for rest in words:
                    if len(word) > 1 and rest != word:
                        yield SHORTENED if len(rest) == 1 else IN_FULL, f"{word} {rest[0]}"
    for concept, kind in ((name, schema.kind_of(name)) for name in place.values):
        known = schema.concept(concept)
        if known is not None and known.key and concept not in KEYS:
            for value in place.all_of(concept):
                yield concept, key_of(kind, value)


def _through_a_third(found: Mapping[tuple[int, int], Pair], places: Sequence[Place]) -> list[tuple[int, int]]:
    """Pairs that both correspond to a third place and were not compared with success yet."""
    neighbours: dict[int, set[int]] = defaultdict(set)
    for one, other in found:
        neighbours[one].add(other)
        neighbours[other].add(one)
    wanted: set[tuple[int, int]] = set()
    for around in neighbours.values():
        if len(around) <= RARE:
            ordered = sorted(around)
            for position, one in enumerate(ordered):
                for other in ordered[position + 1 :]:
                    if (one, other) not in found and places[one].url != places[other].url:
                        wanted.add((one, other))
    return sorted(wanted)


def compared(collection: Collection, one: Place, other: Place, through_a_third: bool = False) -> Pair | None:
    """The pair, where the two correspond; None where they do not."""
    schema = collection.schema
    matches: dict[str, Match] = {}
    for concept in one.values:
        if concept in other.values and concept not in ("note", "url", "contact", "reading"):
            matches[concept] = best_match(
                schema.kind_of(concept), one.values[concept], other.values[concept]
            )[0]
    agreeing = [concept for concept, match in matches.items() if match in AGREEING]
    days = days_between(one.time, other.time)
    if not (agreeing or through_a_third) or _vetoed(collection, one, other, matches, days, through_a_third):
        return None
    alike = _record_similarity(collection, one, other, matches)
    relevance = collection.relevance(one, other)
    if not corresponds(alike, relevance, days, collection.rule):
        return None
    score = equivalent_score(alike, relevance, collection.rule)
    return Pair(one.number, other.number, round(score, 4), round(alike, 4), tuple(agreeing))


def _record_similarity(
    collection: Collection, one: Place, other: Place, matches: Mapping[str, Match]
) -> float:
    """TreeSimilarity of two records: a root, a node a label, a leaf a value; fields that agree are the parts
    that correspond.

    Of what only one of them has, that is compared whose label usually goes with the other's labels (step 3);
    values in two languages are no part of the comparison.
    """
    field_weight = NODE_WEIGHT + LEAF_WEIGHT
    weights = [NODE_WEIGHT, NODE_WEIGHT]
    distance, matched = 0, NODE_WEIGHT  # the roots are both a record
    for match in matches.values():
        if match is Match.INCOMPARABLE:
            continue
        weights = [weight + field_weight for weight in weights]
        matched += field_weight if match in AGREEING else NODE_WEIGHT
        distance += 0 if match in AGREEING else LEAF_WEIGHT
    for side, (mine, theirs) in enumerate(((one, other), (other, one))):
        labels = frozenset(theirs.values)
        for concept in mine.values:
            if concept not in theirs.values and collection.correlated(labels, concept):
                weights[side] += field_weight
                distance += field_weight
    return similarity(weights[0], weights[1], distance, matched)


def _vetoed(
    collection: Collection,
    one: Place,
    other: Place,
    matches: Mapping[str, Match],
    days: float,
    through_a_third: bool,
) -> bool:
    """Whether what says who a record is about speaks against a pair.

    Two colleagues have the same post, department and telephone, and their trees are more similar than two
    pages about one person that has moved. So: names that differ part two records, unless they share a mail
    address and half of the name; two of one name part where several of what identifies them differs and
    nothing agrees, and on sites that have nothing to do with each other where anything does; where names
    cannot be compared, a number or address that belongs to one name only must agree.
    """
    name = matches.get("name")
    if name is Match.DIFFERENT:
        return not (matches.get("mail") in AGREEING and _half_of_a_name(one, other))
    if matches.get("code") is Match.DIFFERENT and name is None:
        return True
    agreeing = [concept for concept in IDENTIFYING if matches.get(concept) in AGREEING]
    differing = [concept for concept in IDENTIFYING if matches.get(concept) is Match.DIFFERENT]
    if name in AGREEING:
        if matches.get("birth") is Match.DIFFERENT or matches.get("code") is Match.DIFFERENT:
            return True
        if agreeing:
            return False
        if not collection.related(one, other):  # two firms may each have a Yamada
            return bool(differing) or collection.ambiguous(one)
        return len(differing) >= (2 if days < A_YEAR else 3)
    if through_a_third:
        return False
    if matches.get("code") in AGREEING:
        return False
    for concept in ("mail", "phone"):
        if matches.get(concept) in AGREEING:
            values = [
                value
                for value in one.all_of(concept)
                if any(
                    compare("mail" if concept == "mail" else "phone", *sorted((value, theirs))) in AGREEING
                    for theirs in other.all_of(concept)
                )
            ]
            names = [name for value in values for name in collection.holders(concept, value)]
            if len(_same_script(names)) <= 1:
                return False
    return True


def _same_script(names: Sequence[str]) -> set[str]:
    """The larger of the two sets of names: those in Japanese letters, those in Latin ones."""
    japanese = {name for name in names if not name.isascii()}
    return max(japanese, set(names) - japanese, key=len)


def _half_of_a_name(one: Place, other: Place) -> bool:
    """Whether two names share the family name or the given name, as after a marriage."""
    for mine in one.all_of("name"):
        for theirs in other.all_of("name"):
            if scripts_apart(mine, theirs):
                continue
            if set(folded(mine).split(" ")) & set(folded(theirs).split(" ")):
                return True
    return False


def sets_of(pairs: Sequence[Pair], size: int) -> list[int]:
    """For each place the number of its set: in a set every pair corresponds (section 3.2). Places alone are
    sets of their own.
    """
    joined = {(pair.one, pair.other) for pair in pairs}
    neighbours: dict[int, list[int]] = defaultdict(list)
    for pair in pairs:
        neighbours[pair.other].append(pair.one)
    members: dict[int, list[int]] = {}
    belongs: list[int] = []
    for place in range(size):
        choice = place
        for number in dict.fromkeys(belongs[before] for before in sorted(neighbours[place])):
            if all((member, place) in joined for member in members[number]):
                choice = number
                break
        members.setdefault(choice, []).append(place)
        belongs.append(choice)
    return belongs


def list_pairs(collection: Collection, pairs: Sequence[Pair]) -> list[ListPair]:
    """The lists of two pages that correspond because their records do: the next step up (steps 2 to 5).

    The corresponding records count with the distances they have; of the others those are compared whose kind
    stands on both sides, as a colleague who is missing on one.
    """
    weight = {
        place.number: NODE_WEIGHT + (NODE_WEIGHT + LEAF_WEIGHT) * len(place.values)
        for place in collection.places
    }
    members: dict[tuple[str, str], list[int]] = defaultdict(list)
    for place in collection.places:
        members[place.url, place.record.group or place.record.path].append(place.number)
    shared: dict[tuple[tuple[str, str], tuple[str, str]], list[Pair]] = defaultdict(list)
    for pair in pairs:
        one, other = (collection.places[number] for number in (pair.one, pair.other))
        shared[
            (one.url, one.record.group or one.record.path),
            (other.url, other.record.group or other.record.path),
        ].append(pair)
    found = []
    for (first, second), own in shared.items():
        if len(own) < 2:
            continue
        taken: set[int] = set()
        distance, matched, weights = 0.0, float(NODE_WEIGHT), [float(NODE_WEIGHT), float(NODE_WEIGHT)]
        for pair in sorted(
            own, key=lambda pair: (-pair.score, pair.one, pair.other)
        ):  # each record once, the best pairs first
            if pair.one in taken or pair.other in taken:
                continue
            taken |= {pair.one, pair.other}
            light = min(weight[pair.one], weight[pair.other])
            weights[0] += light
            weights[1] += light
            matched += light * pair.similarity
            distance += light * (1 - pair.similarity)
        for side, numbers in enumerate((members[first], members[second])):
            for number in numbers:
                if number not in taken and _same_kind(
                    collection.places[number], [collection.places[one] for one in taken]
                ):
                    weights[side] += weight[number]
                    distance += weight[number]
        one, other = collection.places[own[0].one], collection.places[own[0].other]
        alike = max(0.0, 1.0 - distance / (weights[0] + weights[1] - matched))
        relevance = collection.relevance(one, other)
        if corresponds(alike, relevance, days_between(one.time, other.time), collection.rule):
            found.append(
                ListPair(*first, *second, round(equivalent_score(alike, relevance, collection.rule), 4))
            )
    return sorted(found, key=lambda pair: (pair.url_a, pair.path_a, pair.url_b, pair.path_b))


def _same_kind(place: Place, others: Sequence[Place]) -> bool:
    """Whether a record that only one list has is of a kind that both have: its post or department occurs
    among those that correspond.
    """
    for concept in ("post", "affiliation"):
        own = {key_of("post" if concept == "post" else "text", value) for value in place.all_of(concept)}
        if own and own & {
            key_of("post" if concept == "post" else "text", value)
            for other in others
            for value in other.all_of(concept)
        }:
            return True
    return False


def without_templates(places: Sequence[Place]) -> list[Place]:
    """The places without those that a site's template repeats on page after page; of those the first
    stays.
    """
    signatures = [(_contact(place), _wholly(place)) for place in places]
    pages: dict[tuple[str, ...], set[str]] = defaultdict(set)
    for place, both in zip(places, signatures, strict=True):
        for signature in both:
            pages[signature].add(place.url)
    seen: set[tuple[str, ...]] = set()
    kept = []
    for place, both in zip(places, signatures, strict=True):
        repeated = [
            signature
            for signature, enough in zip(both, (TEMPLATE_PAGES, SAME_PLACE_PAGES), strict=True)
            if signature and len(pages[signature]) >= enough
        ]
        if not any(signature in seen for signature in repeated):
            kept.append(place)
        seen.update(repeated)
    return kept


def _wholly(place: Place) -> tuple[str, ...]:
    """The record with all its values, and its place in the pages of its site."""
    return (
        "place",
        place.site,
        place.record.path,
        *(f"{one.label}={one.value}" for one in place.record.fields),
    )


def _contact(place: Place) -> tuple[str, ...]:
    """What a template would repeat elsewhere too: the site, numbers and addresses, and a name that a label or
    its looks make sure of.
    """
    said: list[str] = []
    for one in place.record.fields:
        if one.concept in ("phone", "mail", "address", "fax", "ext", "hours"):
            said.append(f"{one.concept}={one.value}")
        elif one.concept == "name" and (one.label or " " in one.value or "　" in one.value):
            said.append(f"name={one.value}")
    return (place.site, *sorted(said)) if any(not item.startswith("name=") for item in said) else ()


def counted_links(pages: Iterable[tuple[str, Iterable[str]]]) -> Counter[tuple[str, str]]:
    """The links between sites: for each pair how many different pages of the one are linked from pages of the
    other.

    Takes the site of each page with the sites that its different links lead to.
    """
    found: Counter[tuple[str, str]] = Counter()
    for site, targets in pages:
        for target in targets:
            if target != site:
                found[site, target] += 1
    return found


def learned_fields(record: Record, names: Mapping[tuple[str, str], str], schema: Schema, page: str) -> Record:
    """The record with the concepts that were learned for its labels
    (detector/records/compare/learned_labels.py).
    """
    changed = []
    for place, one in enumerate(record.fields):
        known = schema.concept(one.concept) is not None
        concept = one.concept if known else names.get((slot_of(page, record, place), one.label), one.concept)
        changed.append(
            one if concept == one.concept else Field(one.label, concept, schema.kind_of(concept), one.value)
        )
    return Record(record.path, record.layout, record.title, tuple(changed), record.empty, record.group)


def slot_of(page: str, record: Record, place: int) -> str:
    """What stands for the label of a field: its label where it has one, wherever it occurs; else its place in
    its list.
    """
    one = record.fields[place]
    if one.label:
        return ""
    before = sum(not other.label and not other.concept for other in record.fields[:place])
    return f"{page} {record.group} {before}"
