"""Trees read from LightGBM's text say what LightGBM says, to the last bit; damaged text is refused in one
sentence.
"""

from __future__ import annotations

import re
from contextlib import suppress

import lightgbm
import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ruiji.chunker.stack.tree_file import ROWS, NotTrees, read_trees

COLUMNS = 7
QUIET = {"objective": "binary", "verbose": -1, "num_threads": 1, "deterministic": True, "min_data_in_leaf": 5}


def rows_of(seed: int, count: int) -> npt.NDArray[np.float32]:
    """Rows with many equal values, small and large ones, and zeros: splits fall on them."""
    random = np.random.default_rng(seed)
    matrix = random.normal(size=(count, COLUMNS)) * 10.0 ** random.integers(-3, 4, COLUMNS)
    matrix[:, 0] = random.integers(0, 4, count)
    matrix[:, 1] = np.where(random.random(count) < 0.7, 0, matrix[:, 1])
    matrix[:, 2] = 3.0  # never asked
    return matrix.astype(np.float32)


def text_of(seed: int = 1, **settings: object) -> str:
    matrix = rows_of(seed, 600)
    random = np.random.default_rng(seed)
    content = matrix[:, 0] + matrix[:, 3] / abs(matrix[:, 3]).max() + random.normal(size=600) > 1.5
    booster = lightgbm.train(QUIET | settings, lightgbm.Dataset(matrix, content, params=QUIET | settings), 25)
    return str(booster.model_to_string())


def same_as_lightgbm(text: str, matrix: npt.NDArray[np.float32]) -> None:
    theirs = lightgbm.Booster(model_str=text).predict(matrix, raw_score=True, num_threads=1)
    trees, ours = read_trees(text.encode()), np.asfortranarray(matrix)
    assert trees.sums(ours).tolist() == np.asarray(theirs).tolist()  # in C, where it was built
    assert trees.arranged.sums(ours).tolist() == np.asarray(theirs).tolist()


@pytest.mark.parametrize("leaves", [2, 3, 15, 16, 17, 40])
def test_sums_are_those_of_lightgbm(leaves: int) -> None:
    text = text_of(num_leaves=leaves)
    same_as_lightgbm(text, rows_of(2, 700))


@given(st.integers(0, 1000), st.integers(1, 200))
@settings(max_examples=25, deadline=None)
def test_sums_are_those_of_lightgbm_for_any_number_of_rows(seed: int, count: int) -> None:
    same_as_lightgbm(TEXT, rows_of(seed, count))


def test_values_at_the_borders_go_to_the_same_side() -> None:
    borders = [
        float(border)
        for line in re.findall(r"^threshold=(.*)$", TEXT, re.MULTILINE)
        for border in line.split()
    ]
    single = np.array(borders).astype(np.float32)
    near = np.concatenate(
        (single, np.nextafter(single, np.float32(np.inf)), np.nextafter(single, np.float32(-np.inf)))
    )
    same_as_lightgbm(TEXT, np.repeat(near[:, None], COLUMNS, axis=1))


def test_many_rows_are_taken_in_parts() -> None:
    matrix = np.tile(rows_of(4, 500), (ROWS // 500 + 2, 1))
    same_as_lightgbm(TEXT, matrix)
    assert read_trees(TEXT.encode()).sums(matrix[:0]).tolist() == []


def test_trees_that_never_split() -> None:
    alike = lightgbm.Dataset(np.zeros((50, COLUMNS)), np.arange(50) % 2, params=QUIET)
    same_as_lightgbm(lightgbm.train(QUIET, alike, 3).model_to_string(), rows_of(5, 9))


def test_names_of_columns_are_kept() -> None:
    assert read_trees(TEXT.encode()).columns == [f"Column_{number}" for number in range(COLUMNS)]


@pytest.mark.parametrize(
    ("what", "instead"),
    [
        (r"^num_class=1$", "num_class=3"),
        (r"^num_class=1$", "average_output\nnum_class=1"),
        (r"^leaf_value=\S+", "leaf_value="),
        (r"^leaf_value=\S+", "leaf_value=nan"),
        (r"^split_feature=\d+", f"split_feature={COLUMNS}"),
        (r"^split_feature=\d+", "split_feature=-1"),
        (r"^left_child=\S+", "left_child=0"),
        (r"^left_child=\S+", "left_child=x"),
        (r"^threshold=\S+", "threshold=inf"),
        (r"^decision_type=\d+", "decision_type=1"),
        (r"^decision_type=\d+", "decision_type=8"),
        (r"^num_leaves=\d+", "num_leaves=4000"),
        (r"^is_linear=0", "is_linear=1"),
        (r"^Tree=0$", "Forest=0"),
    ],
)
def test_what_is_not_understood_is_refused(what: str, instead: str) -> None:
    changed = re.sub(what, instead, TEXT, count=1, flags=re.MULTILINE)
    assert changed != TEXT
    with pytest.raises(NotTrees, match="not a tree model"):
        read_trees(changed.encode())


@given(st.data())
@settings(max_examples=60, deadline=None)
def test_damaged_text_is_read_or_refused(data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(TEXT) - 1))
    damaged = (
        TEXT[:at] + data.draw(st.sampled_from(["", "\n", "-", "9", "=", " ", "é", "Tree="])) + TEXT[at + 1 :]
    )
    with suppress(NotTrees):
        assert len(read_trees(damaged.encode()).sums(rows_of(1, 3))) == 3


TEXT = text_of()
