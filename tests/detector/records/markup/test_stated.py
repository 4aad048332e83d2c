"""What a page states for machines, as a witness of its names."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

from ruiji.detector.records.fields.concepts import built_in
from ruiji.detector.records.find import records_of
from ruiji.detector.records.model import Record
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


def records(html: str) -> list[Record]:
    (nodes,) = text_nodes_of([make_page(html)], detailed=True)
    assert isinstance(nodes, TextNodes)
    return records_of(nodes, np.ones(len(nodes), dtype=bool), built_in())


@pytest.mark.parametrize(
    "card",
    [
        "<div itemscope itemtype='https://schema.org/Person'>"
        "<p itemprop=name>{}</p><p itemprop=jobTitle>{}</p></div>",
        "<div class='x vcard'><p class=fn>{}</p><p class=title>{}</p></div>",
        "<div class=h-card><p class=p-name>{}</p><p class=p-job-title>{}</p></div>",
    ],
)
def test_microdata_and_cards_are_witnesses_of_names_and_fields(card: str) -> None:
    (record,) = records("<p>The house is open.</p>" + card.format("Fitz Bindlestiff", "Kettle keeper"))
    assert (record.title, [field.value for field in record.fields if field.concept == "post"]) == (
        "Fitz Bindlestiff",
        ["Kettle keeper"],
    )


def test_who_wrote_the_page_by_its_microdata_is_no_record() -> None:
    author = (
        "<div itemprop=creator itemscope itemtype='https://schema.org/Person'><p itemprop=name>{}</p></div>"
    )
    assert records("<p>The house is open.</p>" + author.format("Fitz Bindlestiff")) == []
    assert records(
        "<p>The house is open.</p>" + author.replace("creator", "about").format("Fitz Bindlestiff")
    )


def test_a_stated_product_is_a_record_of_its_price() -> None:
    product = "<h1 itemprop=name>Bindle 7</h1><p itemprop=price>¥1,200</p>"
    (record,) = records(f"<div itemscope itemtype='https://schema.org/Product'>{product}</div>")
    assert (record.title, [field.value for field in record.fields if field.concept == "price"]) == (
        "Bindle 7",
        ["¥1,200"],
    )
    assert records(f"<div>{product}</div>") == []


def test_what_only_the_data_states_of_a_person_is_a_field() -> None:
    data = {"@type": "Person", "name": "Mary Shelley", "telephone": "+44 20 7946 0000"}
    (record,) = records(
        f"<script type='application/ld+json'>{json.dumps(data)}</script><h1>Team</h1><p>Mary Shelley</p>"
    )
    assert [one.value for one in record.fields if one.concept == "phone"] == ["+44 20 7946 0000"]


def test_what_is_stated_of_an_organisation_counts_beside_what_is_shown() -> None:
    """A telephone alone is no office; with a stated address it is, and its contact point is its own."""
    data = {
        "@type": "Organization",
        "name": "Bindle Works",
        "address": {"@type": "PostalAddress", "streetAddress": "7 Kettle Road", "addressLocality": "Ashford"},
        "contactPoint": [{"@type": "ContactPoint", "email": "keeper@bindle.example"}],
    }
    shown = "<h1>Find us</h1><p>Bindle Works</p><p>(415) 861-5449</p>"
    assert records(shown) == []
    (record,) = records(f"<script type='application/ld+json'>{json.dumps(data)}</script>{shown}")
    assert {one.concept: one.value for one in record.fields} == {
        "name": "Bindle Works",
        "phone": "(415) 861-5449",
        "mail": "keeper@bindle.example",
        "address": "7 Kettle Road, Ashford",
    }
