"""The mini-web's departments: the planted correspondences and contradictions are found. No rule is chosen
here.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from ruiji.chunker import load_filter
from ruiji.corpora import MINIWEB, load_truth, read_pages
from ruiji.detector.records.comparison import compare_pages
from ruiji.detector.records.fields.concepts import built_in
from ruiji.detector.records.folder import RecordsFolder
from ruiji.detector.records.page import page_records
from ruiji.features import text_nodes

DEPARTMENTS = "miozaki-u.ac.jp"


@pytest.fixture(scope="module")
def pages() -> dict[str, str]:
    return {page.url: page.id for page in read_pages([MINIWEB]) if DEPARTMENTS in page.id}


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> RecordsFolder:
    masks = load_filter("blocks").masks
    found = []
    for page in read_pages([MINIWEB]):
        if DEPARTMENTS in page.id:
            nodes = text_nodes(page)
            found.append(page_records(page, nodes, masks([nodes])[0].content, built_in()))
    out: Path = tmp_path_factory.mktemp("records")
    compare_pages(found, out, built_in())
    return RecordsFolder(out)


def plain(value: str | None) -> str:
    return re.sub(r"\W", "", unicodedata.normalize("NFKC", value or ""))


def places(truth: dict[str, Any]) -> Iterator[tuple[str, str, set[str]]]:
    for record in truth["records"]:
        for place in record["places"]:
            if DEPARTMENTS in place["page"]:
                yield record["entity"], place["page"], {value for value in place["fields"].values() if value}


@pytest.fixture(scope="module")
def entities(results: RecordsFolder, pages: dict[str, str]) -> dict[str, str]:
    """The entity of each record that truth knows: the one with which it shares half of its values or more."""
    known = list(places(load_truth()))
    found = {}
    for row in results.records():
        values = {field["value"] for field in row["fields"]}
        fitting = [
            (len(said & values) / len(said), entity)
            for entity, page, said in known
            if page == pages[row["url"]]
        ]
        if fitting and max(fitting)[0] >= 0.5:
            found[row["id"]] = max(fitting)[1]
    return found


def test_the_right_records_correspond_and_no_others(
    results: RecordsFolder, pages: dict[str, str], entities: dict[str, str]
) -> None:
    known = list(places(load_truth()))
    true = {
        (entity, *sorted((page, other)))
        for entity, page, _ in known
        for same, other, _ in known
        if entity == same and page < other
    }
    found = []
    for row in results.correspondences():
        about = (
            entities.get(row["id_a"], "") if entities.get(row["id_a"]) == entities.get(row["id_b"]) else ""
        )
        found.append((about, *sorted((pages[row["url_a"]], pages[row["url_b"]]))))
    right = len(set(found) & true)
    assert 2 * right / (len(found) + len(true)) >= 0.95


def test_planted_contradictions_are_found_with_their_type_and_few_are_invented(
    results: RecordsFolder, pages: dict[str, str], entities: dict[str, str]
) -> None:
    truth = load_truth()
    true = {
        (
            item["entity"], truth["labels"].get(item["field"], item["field"]), item["kind"],
            *sorted((item[side]["page"], item[side]["value"] or "") for side in "ab"),
        )
        for item in truth["contradictions"]
        if all(DEPARTMENTS in item[side]["page"] for side in "ab")
        # Spaces and width alone are not worth reading
        and plain(item["a"]["value"]) != plain(item["b"]["value"])
    }  # fmt: skip
    found = {
        (
            entities.get(row["record_a"]), truth["labels"].get(row["field"], row["field"]), row["kind"],
            *sorted(((pages[row["url_a"]], row["value_a"]), (pages[row["url_b"]], row["value_b"]))),
        )
        for row in results.conflicts()
    }  # fmt: skip
    assert len(found & true) >= 0.77 * len(true)
    assert len(found & true) >= 0.95 * len(found)


def test_a_contradiction_has_one_id(results: RecordsFolder) -> None:
    ids = [row["id"] for row in results.conflicts()]
    assert len(ids) == len(set(ids))
