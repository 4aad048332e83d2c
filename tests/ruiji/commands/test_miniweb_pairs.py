"""What ``ruiji detect`` finds in the mini-web as users run it: the default filter with the shipped model.

The model has learned from these pages, so this says nothing about others; it says that model and detector
still fit each other.
"""

from __future__ import annotations

from pathlib import Path

import pyarrow.parquet as pq
import pytest

from ruiji.__main__ import main
from ruiji.chunker import annotated_mask
from ruiji.corpora import MINIWEB, load_truth, read_pages
from ruiji.detector.gather.occurrences import Usable, page_sentences
from ruiji.detector.pairs.relations import CATEGORIES
from ruiji.features.page.parsing import text_nodes

FLOOR = 0.95  # of precision and recall, in every category
Pair = tuple[str, str]


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> dict[Pair, str]:
    """The category of each pair, by the ids of its pages."""
    out: Path = tmp_path_factory.mktemp("miniweb") / "out"
    assert main(["detect", str(MINIWEB), "-o", str(out), "--filter", "crf", "-q"]) == 0
    name = {
        row["url"]: row["id"]
        for row in pq.read_table(out / "pages.parquet", columns=["id", "url"]).to_pylist()
    }
    rows = pq.read_table(out / "pairs.parquet", columns=["url_a", "url_b", "category"]).to_pylist()
    return {ordered(name[row["url_a"]], name[row["url_b"]]): row["category"] for row in rows}


def ordered(one: str, other: str) -> Pair:
    return (one, other) if one < other else (other, one)


def of_category(pairs: dict[Pair, str], category: str) -> set[Pair]:
    return {pair for pair, told in pairs.items() if told == category}


@pytest.mark.parametrize("category", CATEGORIES)
def test_every_category_is_found(found: dict[Pair, str], category: str) -> None:
    stated = {ordered(pair["a"], pair["b"]): pair["category"] for pair in load_truth()["pairs"]}
    said, true = of_category(found, category), of_category(stated, category)
    assert len(said & true) >= FLOOR * len(said), sorted(said - true)
    assert len(said & true) >= FLOOR * len(true), sorted(true - said)


def test_pages_that_share_only_menus_or_footers_are_no_pairs(found: dict[Pair, str]) -> None:
    content: dict[str, set[str]] = {}
    for page in read_pages([MINIWEB]):
        nodes = text_nodes(page)
        (sentences,) = page_sentences([nodes], [annotated_mask(nodes)], Usable())
        content[page.id] = set(sentences.matched)
    assert [pair for pair in found if not content[pair[0]] & content[pair[1]]] == []
