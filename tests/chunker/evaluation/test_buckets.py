"""Steps of numbers chosen from pages (Nakamura 2007, section 5.2), against all other ways to cut them."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ruiji.chunker.crf.estimator import CrfChunker
from ruiji.chunker.evaluation.buckets import (
    NUMBERS,
    PUBLISHED,
    BucketChunker,
    information,
    informative_borders,
    with_borders,
)
from ruiji.features.nodes.forest import forest
from ruiji.features.nodes.nakamura import NAKAMURA
from tests.factories import annotated_examples, labels_in, nodes_of

EXAMPLES = annotated_examples()[::4]


@given(st.lists(st.tuples(st.integers(0, 7), st.booleans()), min_size=2, max_size=30), st.integers(1, 3))
def test_no_other_borders_say_more(nodes: list[tuple[int, bool]], count: int) -> None:
    values = np.array([value for value, _ in nodes], dtype=np.float64)
    content = np.array([own for _, own in nodes])
    chosen = informative_borders(values, content, count)
    candidates = np.unique(values)[1:].tolist()
    assert len(chosen) == min(count, len(candidates))
    assert list(chosen) == sorted(set(chosen))
    best = max(
        information(values, content, borders)
        for size in range(min(count, len(candidates)) + 1)
        for borders in combinations(candidates, size)
    )
    assert information(values, content, chosen) == pytest.approx(best, abs=1e-9)


def test_information_is_nothing_where_steps_say_nothing_and_one_bit_where_they_say_all() -> None:
    values, content = np.array([1.0, 1, 5, 5]), np.array([True, True, False, False])
    assert information(values, content, ()) == pytest.approx(0)
    assert information(values, content, (5,)) == pytest.approx(1)


@pytest.mark.parametrize("table", ["text_length", "table_text_length", "table_link_ratio"])
def test_the_paper_s_borders_are_those_of_tables_3_1_3_4_and_3_5(table: str) -> None:
    pages = forest(nodes_of(EXAMPLES))
    (feature,) = (feature for feature in NAKAMURA.features if feature.name == table)
    (again,) = (feature for feature in with_borders(NAKAMURA, PUBLISHED).features if feature.name == table)
    assert again.function(pages).tolist() == feature.function(pages).tolist()  # type: ignore[union-attr]


def test_a_chunker_chooses_its_steps_from_the_pages_that_it_learns_from() -> None:
    pages, labels = nodes_of(EXAMPLES), labels_in(EXAMPLES)
    chunker = BucketChunker(CrfChunker("nakamura", max_iterations=3)).fit(pages, labels)
    assert chunker.borders_.keys() == NUMBERS.keys()
    assert chunker.borders_["text_length"] != PUBLISHED["text_length"]
    assert [len(mask.content) for mask in chunker.predict_masks(pages)] == [len(page) for page in pages]
