"""The mini-web's departments: every planted correspondence and contradiction is found, and none is
invented.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from ruiji.chunker import load_filter
from ruiji.corpora import MINIWEB, load_truth, read_pages
from ruiji.detector.records.book import Book, compared_pages, page_records
from ruiji.detector.records.fields.concepts import built_in
from ruiji.features import text_nodes

DEPARTMENTS = "miozaki-u.ac.jp"


@pytest.fixture(scope="module")
def pages() -> dict[str, str]:
    return {page.url: page.id for page in read_pages([MINIWEB]) if DEPARTMENTS in page.id}


@pytest.fixture(scope="module")
def book() -> Book:
    masks = load_filter("blocks").masks
    found = []
    for page in read_pages([MINIWEB]):
        if DEPARTMENTS in page.id:
            nodes = text_nodes(page)
            found.append(page_records(page, nodes, masks([nodes])[0].content, built_in()))
    return compared_pages(found, built_in())


def places(truth: dict[str, Any]) -> Iterator[tuple[str, str, set[str]]]:
    for record in truth["records"]:
        for place in record["places"]:
            if DEPARTMENTS in place["page"]:
                yield record["entity"], place["page"], {value for value in place["fields"].values() if value}


def entities(book: Book, pages: dict[str, str]) -> dict[int, str]:
    """The entity of each place that truth knows: the one with which it shares half of its values or more."""
    known = list(places(load_truth()))
    found = {}
    for place in book.places:
        values = {value for several in place.values.values() for value in several}
        fitting = [
            (len(said & values) / len(said), entity)
            for entity, page, said in known
            if page == pages[place.url]
        ]
        if fitting and max(fitting)[0] >= 0.5:
            found[place.number] = max(fitting)[1]
    return found


def test_the_right_records_correspond_and_no_others(book: Book, pages: dict[str, str]) -> None:
    of = entities(book, pages)
    known = list(places(load_truth()))
    true = {
        (entity, *sorted((page, other)))
        for entity, page, _ in known
        for same, other, _ in known
        if entity == same and page < other
    }
    found = []
    for pair in book.pairs:
        one, other = book.places[pair.one], book.places[pair.other]
        about = of.get(pair.one) if of.get(pair.one) == of.get(pair.other) else None
        found.append((about, *sorted((pages[one.url], pages[other.url]))))
    right = len(set(found) & true)
    assert 2 * right / (len(found) + len(true)) >= 0.95


def test_every_planted_contradiction_is_found_with_its_type_and_none_is_invented(
    book: Book, pages: dict[str, str]
) -> None:
    of = entities(book, pages)
    truth = load_truth()
    true = {
        (
            item["entity"], truth["labels"].get(item["field"], item["field"]), item["kind"],
            *sorted((item[side]["page"], item[side]["value"] or "") for side in "ab"),
        )
        for item in truth["contradictions"]
        if all(DEPARTMENTS in item[side]["page"] for side in "ab")
    }  # fmt: skip
    found = {
        (
            of[item.one], truth["labels"].get(item.field, item.field), item.kind,
            *sorted(((pages[book.places[item.one].url], item.value_a), (pages[book.places[item.other].url], item.value_b))),
        )
        for item in book.contradictions
    }  # fmt: skip
    assert found == true


def test_a_rerun_gives_the_same_ids_whatever_the_order_of_pages(book: Book) -> None:
    assert len({item.id for item in book.contradictions}) == len(book.contradictions)
