"""Array arithmetic held against loops."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from ruiji.features.arrays import (
    GOLDEN_RATIO,
    covered,
    golden_hash,
    long_ranges,
    ranges,
    running_sum,
    smallest_unsigned,
    sums_between,
)

stretches = st.lists(st.tuples(st.integers(0, 50), st.integers(0, 9)), max_size=8)


@given(stretches)
def test_ranges_follow_one_another(given: list[tuple[int, int]]) -> None:
    start, length = np.array(given, dtype=np.int32).reshape(-1, 2).T
    expected = [number for first, count in given for number in range(first, first + count)]
    assert ranges(start, length).tolist() == expected
    assert long_ranges(start, length).tolist() == expected


def test_long_ranges_hold_numbers_beyond_32_bits() -> None:
    assert long_ranges(np.array([1 << 40]), np.array([2])).tolist() == [1 << 40, (1 << 40) + 1]


@given(st.lists(st.integers(-9, 9), max_size=12), st.data())
def test_sums_are_those_of_the_slices(column: list[int], data: st.DataObject) -> None:
    place = st.integers(0, len(column))
    first, end = sorted((data.draw(place), data.draw(place)))
    values = np.array(column, dtype=np.int32)
    assert running_sum(values).tolist() == [sum(column[:stop]) for stop in range(len(column) + 1)]
    assert sums_between(values, np.array([first]), np.array([end])).tolist() == [sum(column[first:end])]


@given(stretches)
def test_covered_places_lie_in_some_range(given: list[tuple[int, int]]) -> None:
    start, length = np.array(given, dtype=np.int32).reshape(-1, 2).T
    inside = {number for first, count in given for number in range(first, first + count)}
    assert np.flatnonzero(covered(start, start + length, 60)).tolist() == sorted(inside)


@given(st.integers(0, (1 << 32) - 1))
def test_the_smallest_type_holds_the_number(largest: int) -> None:
    assert int(smallest_unsigned(largest)(largest)) == largest


def test_the_hash_is_the_product_modulo_the_word() -> None:
    keys = [0, 1, 12345, (1 << 64) - 1]
    products = [key * GOLDEN_RATIO % (1 << 64) for key in keys]
    assert golden_hash(np.array(keys, dtype=np.uint64)).tolist() == products
