"""Records of a page: its lines, the names among them, what belongs to each name, the fields of each
record.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt

from ruiji.detector.records.fields.concepts import Schema
from ruiji.detector.records.fields.values import key_of
from ruiji.detector.records.markup.anchors import person_anchors
from ruiji.detector.records.markup.assemble import assembled
from ruiji.detector.records.markup.implied_headings import with_implied_headings
from ruiji.detector.records.markup.lines import page_lines
from ruiji.detector.records.markup.spellings import each_person_once
from ruiji.detector.records.markup.stated import stated_names, with_stated_fields, with_stated_labels
from ruiji.detector.records.markup.tables import cell_places
from ruiji.detector.records.markup.tree import page_tree
from ruiji.detector.records.model import OWN, Record
from ruiji.detector.records.things.thing_anchors import thing_anchors
from ruiji.features.page.textnodes import TextNodes


def records_of(
    nodes: TextNodes,
    content: npt.NDArray[np.bool_],
    schema: Schema,
    spans: Mapping[int, tuple[int, int]] | None = None,
) -> list[Record]:
    """The records of a page in the order in which they stand; ``content`` is the mask, ``spans`` comes from
    features.page.spans. What the page states for machines is a witness where its markup was kept.
    """
    if not len(nodes):
        return []
    tree = page_tree(nodes, content, spans or {})
    places = cell_places(tree, schema)
    stated = stated_names(nodes)
    page = with_implied_headings(with_stated_labels(page_lines(tree, places), stated))
    people = each_person_once(page, person_anchors(page, schema, stated))
    anchors = sorted(
        [*people, *thing_anchors(page, people, schema, stated)], key=lambda a: (a.line, a.mention.position)
    )
    records = assembled(page, anchors, schema, places)
    return each_once(list(with_stated_fields(records, stated, schema)))


def each_once(records: Sequence[Record]) -> list[Record]:
    """The records without those that only repeat the name of another on the page."""
    telling = {key_of("name", record.title) for record in records if _tells(record)}
    kept: list[Record] = []
    bare: set[str] = set()
    for record in records:
        key = key_of("name", record.title)
        if _tells(record) or key not in telling | bare:
            kept.append(record)
            bare.add(key)
    return kept


def _tells(record: Record) -> bool:
    """Whether a record says more than a name."""
    return any(
        field.concept not in ("", "name", "reading") and field.origin == OWN for field in record.fields
    )
