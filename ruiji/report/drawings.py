"""Drawings for the report, inside the page: they take their colours from its style sheet and need no
script.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from html import escape

import numpy as np

from ruiji.features.arrays import FloatArray

WIDEST = 720  # pixels of a drawing, which is scaled to the page
SIDE, MARGIN = 380, 44  # of the square with overlap and containment
CELLS = 20  # of that square in each direction
LARGEST_DOT = 9.0


def bars(values: Sequence[tuple[str, int, str]]) -> str:
    """Horizontal bars (label, size, class of the colour) that fit any width: they are boxes, not a
    picture.
    """
    most = max((size for _, size, _ in values), default=1) or 1
    parts = []
    for label, size, colour in values:
        length = f'<b class="{escape(colour)}" style="width:{100 * size / most:.2f}%"></b>' if size else ""
        parts.append(f"<div><span>{escape(label)}</span><div>{length}<span>{size:,}</span></div></div>")
    return f'<div class="bars">{"".join(parts)}</div>'


def dots(x: FloatArray, y: FloatArray, classes: Sequence[str], names: tuple[str, str], unit: str) -> str:
    """Where pairs lie in the unit square: a dot a cell, its area by the number of pairs, its colour by the
    commonest class.
    """
    across = np.minimum((x * CELLS).astype(np.int64), CELLS - 1)
    up = np.minimum((y * CELLS).astype(np.int64), CELLS - 1)
    cells: dict[tuple[int, int], dict[str, int]] = {}
    for column, row, name in zip(across.tolist(), up.tolist(), classes, strict=True):
        counts = cells.setdefault((column, row), {})
        counts[name] = counts.get(name, 0) + 1
    most = max((sum(counts.values()) for counts in cells.values()), default=1)
    parts = [f'<rect class="field" x="{MARGIN}" y="8" width="{SIDE}" height="{SIDE}"/>']
    for tick in (0.0, 0.2, 0.4, 0.6, 0.8, 1.0):
        at = tick * SIDE
        parts.append(
            f'<text class="quiet" x="{MARGIN + at:.0f}" y="{SIDE + 26}" text-anchor="middle">{tick:.1f}</text>'
        )
        parts.append(
            f'<text class="quiet" x="{MARGIN - 6}" y="{8 + SIDE - at + 4:.0f}" text-anchor="end">{tick:.1f}</text>'
        )
        parts.append(
            f'<path class="grid" d="M{MARGIN + at:.0f} 8v{SIDE}M{MARGIN} {8 + SIDE - at:.0f}h{SIDE}"/>'
        )
    size = SIDE / CELLS
    for (column, row), counts in sorted(cells.items()):
        total = sum(counts.values())
        name = max(sorted(counts), key=lambda one: counts[one])
        radius = 2.5 + (LARGEST_DOT - 2.5) * math.log1p(total) / math.log1p(most)
        share = ", ".join(
            f"{one} {count:,}" for one, count in sorted(counts.items(), key=lambda item: (-item[1], item[0]))
        )
        parts.append(
            f'<circle class="{escape(name)}" cx="{MARGIN + (column + 0.5) * size:.1f}" '
            f'cy="{8 + SIDE - (row + 0.5) * size:.1f}" r="{radius:.1f}">'
            f"<title>{total:,} {escape(unit)}: {escape(share)}</title></circle>"
        )
    parts.append(
        f'<text x="{MARGIN + SIDE / 2:.0f}" y="{SIDE + 46}" text-anchor="middle">{escape(names[0])} →</text>'
    )
    middle = 8 + SIDE / 2
    parts.append(
        f'<text x="12" y="{middle:.0f}" text-anchor="middle" transform="rotate(-90 12 {middle:.0f})">{escape(names[1])} →</text>'
    )
    return _svg(MARGIN + SIDE + 12, SIDE + 54, parts)


def histogram(values: FloatArray, name: str, unit: str) -> str:
    """How many values there are of each size, in steps of a factor of two."""
    height, floor = 260, 216
    steps = (
        np.floor(np.log2(np.maximum(values, 1))).astype(np.int64)
        if len(values)
        else np.zeros(0, dtype=np.int64)
    )
    first, last = (int(steps.min()), int(steps.max())) if len(steps) else (0, 0)
    counts = (
        np.bincount(steps - first, minlength=last - first + 1) if len(steps) else np.zeros(1, dtype=np.int64)
    )
    width = min(60.0, (WIDEST - 60) / len(counts))
    most = max(int(counts.max()), 1)
    parts = [f'<path class="grid" d="M40 {floor}h{len(counts) * width + 12:.0f}"/>']
    for place, count in enumerate(counts.tolist()):
        low = 2 ** (first + place)
        tall = max(2.0 if count else 0.0, (floor - 30) * count / most)
        left = 46 + place * width
        parts.append(
            f'<g><title>{low:,}–{2 * low - 1:,}: {count:,} {escape(unit)}</title><rect class="shared" x="{left:.1f}" '
            f'y="{floor - tall:.1f}" '
            f'width="{width - 4:.1f}" height="{tall:.1f}" rx="3"/><text class="quiet" x="{left + width / 2 - 2:.1f}" '
            f'y="{floor - tall - 6:.1f}" '
            f'text-anchor="middle">{count if count else ""}</text>'
            f'<text class="quiet" x="{left:.1f}" y="{floor + 18}" text-anchor="middle">{low:,}</text></g>'
        )
    parts.append(f'<text x="46" y="{floor + 40}">{escape(name)} →</text>')
    return _svg(max(len(counts) * width + 70, 360), height, parts)


def legend(names: Mapping[str, str]) -> str:
    """The colours of classes."""
    return (
        '<p class="legend">'
        + "".join(f'<span><i class="{escape(name)}"></i>{label}</span>' for name, label in names.items())
        + "</p>"
    )


def _svg(width: float, height: float, parts: Sequence[str]) -> str:
    return f'<svg viewBox="0 0 {width:g} {height:g}" style="max-width:{width:g}px" role="img">{"".join(parts)}</svg>'
