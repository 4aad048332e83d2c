"""Where the shapes of the report's drawings lie; ``templates/drawings.html`` draws them, in the colours of
its style sheet.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

FloatArray = npt.NDArray[np.float64]

CELLS = 20  # of the square in each direction
SIDE, LEFT, TOP = 380, 44, 8  # of the square, in pixels of the drawing, which is scaled to the page
SMALLEST_DOT, LARGEST_DOT = 2.5, 9.0
FLOOR, TALLEST = 216, 186  # of the columns of a histogram
WIDEST_COLUMN, WIDEST_HISTOGRAM = 60.0, 660.0


@dataclass(frozen=True, slots=True)
class Bar:
    """A horizontal bar; ``percent`` is its length against the longest."""

    label: str
    size: int
    percent: float
    colour: str


@dataclass(frozen=True, slots=True)
class Dot:
    """The values in one cell of the square: how many of each class, the commonest first."""

    x: float
    y: float
    radius: float
    classes: Sequence[tuple[str, int]]
    size: int


@dataclass(frozen=True, slots=True)
class Column:
    """The values from ``low`` to ``high`` in a histogram."""

    x: float
    y: float
    width: float
    height: float
    low: int
    high: int
    size: int


def bars(values: Sequence[tuple[str, int, str]]) -> list[Bar]:
    """A bar for each label, size and class of colour."""
    most = max((size for _, size, _ in values), default=1) or 1
    return [Bar(label, size, 100 * size / most, colour) for label, size, colour in values]


def dots(x: FloatArray, y: FloatArray, classes: Sequence[str]) -> list[Dot]:
    """A dot for each cell of the unit square that holds values; its area grows with their number."""
    columns = np.minimum((x * CELLS).astype(np.int64), CELLS - 1).tolist()
    rows = np.minimum((y * CELLS).astype(np.int64), CELLS - 1).tolist()
    cells: dict[tuple[int, int], Counter[str]] = {}
    for column, row, name in zip(columns, rows, classes, strict=True):
        cells.setdefault((column, row), Counter())[name] += 1
    most = max((counts.total() for counts in cells.values()), default=1)
    size = SIDE / CELLS
    return [
        Dot(
            x=LEFT + (column + 0.5) * size,
            y=TOP + SIDE - (row + 0.5) * size,
            radius=SMALLEST_DOT
            + (LARGEST_DOT - SMALLEST_DOT) * math.log1p(counts.total()) / math.log1p(most),
            classes=sorted(counts.items(), key=lambda item: (-item[1], item[0])),
            size=counts.total(),
        )
        for (column, row), counts in sorted(cells.items())
    ]


def histogram(values: FloatArray) -> list[Column]:
    """How many values there are of each size, in steps of a factor of two."""
    if not len(values):
        return []
    steps = np.floor(np.log2(np.maximum(values, 1))).astype(np.int64)
    first = int(steps.min())
    counts = np.bincount(steps - first).tolist()
    lows = [2 ** (first + place) for place in range(len(counts))]
    return columns(counts, [(low, 2 * low - 1) for low in lows])


def columns(counts: Sequence[int], ranges: Sequence[tuple[int, int]]) -> list[Column]:
    """A column for the count of each range of values."""
    width = min(WIDEST_COLUMN, WIDEST_HISTOGRAM / max(1, len(counts)))
    most = max(counts, default=1) or 1
    drawn = []
    for place, (size, (low, high)) in enumerate(zip(counts, ranges, strict=True)):
        height = max(2.0 if size else 0.0, TALLEST * size / most)
        drawn.append(Column(LEFT + place * width, FLOOR - height, width - 4, height, low, high, size))
    return drawn
