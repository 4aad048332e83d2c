"""Types of arrays and the arithmetic on them that several rooms need: ranges, running sums, hashing."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

BoolArray = npt.NDArray[np.bool_]
ByteArray = npt.NDArray[np.uint8]
IntArray = npt.NDArray[np.int32]
LongArray = npt.NDArray[np.int64]
IndexArray = npt.NDArray[np.integer]  # whole numbers of any size
KeyArray = npt.NDArray[np.uint64]
SingleArray = npt.NDArray[np.float32]
FloatArray = npt.NDArray[np.float64]
Column = npt.NDArray[np.generic]  # anything that has one value a row

# 2^64 divided by the golden ratio, made odd: a product with it spreads neighbouring numbers over the upper
# bits (Fibonacci hashing: Knuth, The Art of Computer Programming 3, section 6.4), and its powers have
# inverses.
GOLDEN_RATIO = 0x9E3779B97F4A7C15


def golden_hash(keys: KeyArray) -> KeyArray:
    """The product of each key with GOLDEN_RATIO, modulo 2^64: its upper bits are those to look at."""
    product: KeyArray = keys * np.uint64(GOLDEN_RATIO)
    return product


def ranges(start: IntArray, length: IntArray) -> IntArray:
    """The numbers from each start on, as many as its length says, one range after another."""
    before = length.cumsum() - length
    numbers = np.repeat(start - before, length).astype(np.int32, copy=False)
    numbers += np.arange(len(numbers), dtype=np.int32)
    return numbers


def long_ranges(start: IndexArray, length: IndexArray) -> LongArray:
    """The same for numbers beyond 2^31."""
    before = length.cumsum(dtype=np.int64) - length
    return np.repeat(start - before, length) + np.arange(int(length.sum()), dtype=np.int64)


def running_sum(column: Column) -> FloatArray:
    """The sum of what stands before each place of a column, and one more: of all."""
    total = np.zeros(len(column) + 1)
    np.cumsum(column, dtype=np.float64, out=total[1:])
    return total


def sums_between(column: Column, first: IndexArray, end: IndexArray) -> FloatArray:
    """The sum of a column from each first place to before its end."""
    total = running_sum(column)
    sums: FloatArray = total[end] - total[first]
    return sums


def covered(first: IndexArray, end: IndexArray, count: int) -> BoolArray:
    """Which of so many places lie in one of the ranges from ``first`` to before ``end``."""
    steps = np.bincount(first, minlength=count + 1) - np.bincount(end, minlength=count + 1)
    inside: BoolArray = steps.cumsum()[:-1] > 0
    return inside


def smallest_unsigned(largest: int) -> type[np.unsignedinteger[Any]]:
    """The smallest type of number that holds all up to the largest."""
    return np.uint8 if largest < 1 << 8 else np.uint16 if largest < 1 << 16 else np.uint32
