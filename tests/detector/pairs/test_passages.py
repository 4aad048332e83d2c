"""Passages of shared sentences, and how the texts of a pair differ there."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pyarrow as pa
from hypothesis import given
from hypothesis import strategies as st

from ruiji.detector.pairs.passages import Differences, shared_passages

Sentence = tuple[int, int, bool]  # its number in either page, and whether it is written otherwise
SIZE = 20  # characters of each sentence


def rows(sentences: Sequence[Sentence], url_b: str = "b") -> list[dict[str, Any]]:
    return [
        {
            "url_a": "a", "url_b": url_b, "start_a": one * SIZE, "end_a": one * SIZE + SIZE - 1,
            "start_b": other * SIZE, "end_b": other * SIZE + SIZE - 1, "bits": 40, "edited": edited,
            "length": SIZE, "hidden": 0,
        }
        for one, other, edited in sentences
    ]  # fmt: skip


def passages(found: Sequence[dict[str, Any]], cut: int, differences: Differences) -> list[dict[str, Any]]:
    batches = [pa.RecordBatch.from_pylist(list(part)) for part in (found[:cut], found[cut:]) if part]
    return [row for table in shared_passages(batches, differences) for row in table.to_pylist()]


def test_sentences_that_follow_each_other_in_both_are_one_passage() -> None:
    differences = Differences()
    found = passages(rows([(0, 5, False), (1, 6, True), (3, 7, False), (4, 0, False)]), 4, differences)
    places = [(row["start_a"], row["end_a"], row["start_b"], row["end_b"], row["bits"]) for row in found]
    assert places == [(0, 39, 100, 139, 80), (60, 79, 140, 159, 40), (80, 99, 0, 19, 40)]
    assert [row["chars"] for row in found] == [39, 19, 19]
    assert (differences.edited("a", "b"), differences.moved("a", "b")) == (1, 1)
    assert (differences.edited("a", "c"), differences.moved("a", "c")) == (0, 0)


def test_a_sentence_that_a_text_does_not_have_is_a_passage_by_itself() -> None:
    found = rows([(4, 3, False), (5, 4, False), (6, 0, False), (0, 0, True)])
    found[2] |= {"start_b": -1, "end_b": -1, "hidden": 1}
    found[3] |= {"start_a": -1, "end_a": -1, "start_b": -1, "end_b": -1, "hidden": 1}
    differences = Differences()
    told = passages(found, 3, differences)
    places = [(row["start_a"], row["end_a"], row["start_b"], row["end_b"], row["chars"]) for row in told]
    assert places == [(80, 119, 60, 99, 39), (120, 139, None, None, 19), (None, None, None, None, SIZE)]
    assert (differences.edited("a", "b"), differences.moved("a", "b")) == (1, 0)


def test_passages_of_two_pairs_are_apart() -> None:
    found = passages([*rows([(0, 0, False)]), *rows([(1, 1, False)], "c")], 2, Differences())
    assert [row["url_b"] for row in found] == ["b", "c"]


@given(st.permutations(range(8)), st.integers(0, 8))
def test_batches_do_not_matter_and_an_order_kept_moves_nothing(order: list[int], cut: int) -> None:
    sentences = [(one, other, False) for one, other in enumerate(order)]
    whole, parted = Differences(), Differences()
    assert passages(rows(sentences), 0, whole) == passages(rows(sentences), cut, parted)
    assert whole.moved("a", "b") == parted.moved("a", "b")
    assert (whole.moved("a", "b") == 0) == (order == sorted(order))
