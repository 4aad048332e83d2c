"""What is found in the mini-web, under its annotation, against truth.json."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from ruiji.chunker import annotated_mask
from ruiji.chunker.masking import MaskedPage
from ruiji.corpora import MINIWEB, load_truth, read_pages
from ruiji.detector.gather.occurrences import Usable, page_sentences
from ruiji.detector.gather.page import gathered
from ruiji.detector.gather.parts import Parts
from ruiji.detector.pairs.collection import join_input
from ruiji.detector.pairs.pipeline import Rules, find_pairs
from ruiji.features.page.parsing import text_nodes
from tests.detector.pairs.test_join import duck


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    folder: Path = tmp_path_factory.mktemp("miniweb")
    parts = Parts(folder / "parts", with_skeletons=False)
    parts.take_up("")
    ids = {}
    for page in read_pages([MINIWEB]):
        nodes = text_nodes(page)
        mask = annotated_mask(nodes)
        parts.add(
            gathered(MaskedPage(page, nodes, mask), page_sentences([nodes], [mask], Usable(match="exact"))[0])
        )
        ids[page.url] = page.id
    parts.finish()
    tables = join_input(parts, [], folder / "tables", Usable(match="exact").min_length)
    with duck(tables, folder) as engine:
        counts = find_pairs(tables, engine, Rules(), folder)
    pairs = pq.read_table(folder / "pairs.parquet").to_pylist()
    for pair in pairs:
        pair |= {"a": ids[pair["url_a"]], "b": ids[pair["url_b"]]}
    groups = [row | {"id": ids[row["url"]]} for row in pq.read_table(folder / "groups.parquet").to_pylist()]
    return {
        "pairs": {tuple(sorted((pair["a"], pair["b"]))): pair for pair in pairs},
        "groups": groups,
        "counts": counts,
    }


def test_every_pair_of_truth_is_found_with_its_relation_and_category_and_no_other(
    found: dict[str, Any],
) -> None:
    stated = {
        tuple(sorted((pair["a"], pair["b"]))): (pair["relation"], pair["category"])
        for pair in load_truth()["pairs"]
    }
    assert {key: (pair["relation"], pair["category"]) for key, pair in found["pairs"].items()} == stated
    assert found["counts"]["categories"] == Counter(category for _, category in stated.values())


def test_the_patchwork_pages_are_found_and_no_others(found: dict[str, Any]) -> None:
    said = {
        pair[side] for pair in found["pairs"].values() for side in "ab" if pair["patchwork"] in (side, "both")
    }
    assert {
        found_id
        for pair in found["pairs"].values()
        for side, found_id in (("a", pair["a"]), ("b", pair["b"]))
        if found_id in said
    } == set(load_truth()["patchwork"])


def test_the_original_is_rarely_mistaken(found: dict[str, Any]) -> None:
    """Of the pairs one page of which is the original; where it is not told, nothing is said."""
    verdicts: Counter[str] = Counter()
    for pair in load_truth()["pairs"]:
        if pair["original"] in (pair["a"], pair["b"]):
            row = found["pairs"][tuple(sorted((pair["a"], pair["b"])))]
            told = row[row["source"]] if row["source"] != "undecided" else None
            verdicts["right" if told == pair["original"] else "undecided" if told is None else "wrong"] += 1
    assert verdicts["right"] > 10 * verdicts["wrong"], verdicts


# A chair in two colours, each of which has a sentence of its own: none is dropped for the other.
OWN_SENTENCES = {
    "www.kitaura-kagu.com/kk-item/kk-chair01.html",
    "www.kitaura-kagu.com/kk-item/kk-chair01b.html",
}


def test_near_duplicates_are_groups_with_one_page_to_keep(found: dict[str, Any]) -> None:
    members: dict[int, set[str]] = {}
    for row in found["groups"]:
        members.setdefault(row["group"], set()).add(row["id"])
    stated = [set(group) for group in load_truth()["near_duplicates"]]
    assert OWN_SENTENCES in stated
    assert sorted(map(sorted, members.values())) == sorted(
        sorted(one) for one in stated if one != OWN_SENTENCES
    )
    assert Counter(row["group"] for row in found["groups"] if row["keep"]) == dict.fromkeys(members, 1)
