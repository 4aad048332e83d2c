"""What a page states for machines, as a witness of its names."""

from __future__ import annotations

import json
from typing import Any

import numpy as np

from ruiji.detector.records.fields.concepts import built_in
from ruiji.detector.records.markup.find import records_of
from ruiji.features.page.parsing import text_nodes_of
from ruiji.features.page.textnodes import TextNodes
from tests.factories import make_page

PLAIN = "<p>The house is open on weekdays.</p><p>Fitz Bindlestiff</p><p>upstairs</p>"


def titles(data: dict[str, Any]) -> list[str]:
    html = f"<script type='application/ld+json'>{json.dumps(data)}</script>{PLAIN}"
    (nodes,) = text_nodes_of([make_page(html)], detailed=True)
    assert isinstance(nodes, TextNodes)
    return [record.title for record in records_of(nodes, np.ones(len(nodes), dtype=bool), built_in())]


def test_a_stated_person_is_found_where_nothing_else_says_so() -> None:
    assert titles({"@type": "Person", "name": "Fitz Bindlestiff"}) == ["Fitz Bindlestiff"]
    assert titles({"@type": "Thing", "name": "Fitz Bindlestiff"}) == []


def test_who_wrote_the_page_is_no_record() -> None:
    assert titles({"@type": "Article", "author": {"@type": "Person", "name": "Fitz Bindlestiff"}}) == []
