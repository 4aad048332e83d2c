"""Labels learned from values: fields whose values agree across corresponding records are the same field,
whatever they are called.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence

from ruiji.detector.records.compare.correspondence import Collection, Pair, slot_of
from ruiji.detector.records.fields.concepts import folded_label
from ruiji.detector.records.fields.values import AGREEING, compare

ENOUGH = 2  # different values that must agree; one may be chance
SHARE = 0.6  # of the values that have a partner

Slot = tuple[str, str]  # a place in a list ("" for a labelled field), the label


def learned_names(collection: Collection, pairs: Sequence[Pair]) -> Mapping[Slot, str]:
    """For each field without a concept of the schema the concept that its values show, or the name of its
    equal.

    A field without a label is known by its place in its list.
    """
    agreed: dict[tuple[Slot, str], set[str]] = defaultdict(set)
    met: dict[tuple[Slot, str], set[str]] = defaultdict(set)
    schema = collection.schema
    for pair in pairs:
        one, other = collection.places[pair.one], collection.places[pair.other]
        for mine, theirs in ((one, other), (other, one)):
            for place, field in enumerate(mine.record.fields):
                if schema.concept(field.concept) is not None:
                    continue
                slot = (slot_of(mine.url, mine.record, place), field.label)
                for partner in theirs.record.fields:
                    concept = partner.concept
                    if concept in ("", "name", field.concept) or concept in mine.values:
                        continue
                    if (
                        schema.concept(concept) is None
                        and field.label
                        and concept > folded_label(field.label)
                    ):
                        continue  # of two labels nobody knows the one that sorts first stands for both
                    met[slot, concept].add(field.value)
                    if compare(partner.kind, *sorted((field.value, partner.value))) in AGREEING:
                        agreed[slot, concept].add(field.value)
    found: dict[Slot, tuple[int, str]] = {}
    for (slot, concept), values in sorted(agreed.items()):
        if (
            len(values) >= max(ENOUGH, SHARE * len(met[slot, concept]))
            and len(values) > found.get(slot, (0, ""))[0]
        ):
            found[slot] = (len(values), concept)
    return {slot: concept for slot, (_, concept) in found.items()}
