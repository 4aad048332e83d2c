"""Numbers in steps: what a feature says of a size, a share or a distance."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

Codes = npt.NDArray[np.integer]


SIZE_BORDERS = (2, 3, 5, 9, 16, 26, 41, 81, 161, 401)
SIZES = ("1", "2", "3-4", "5-8", "9-15", "16-25", "26-40", "41-80", "81-160", "161-400", "401+")
COUNTS = ("0", "1", "2", "3+")
SHARE_BORDERS = (1e-9, 0.1, 0.25, 0.4, 0.6, 0.8, 0.999)
SHARES = ("0", "0-.1", ".1-.25", ".25-.4", ".4-.6", ".6-.8", ".8-1", "1")
MEAN_BORDERS = (4, 8, 15, 25, 40, 80)
MEANS = ("0-4", "4-8", "8-15", "15-25", "25-40", "40-80", "80+")
NUMBER_BORDERS = (2, 3, 5, 9, 17, 33, 65)
NUMBERS = ("0-1", "2", "3-4", "5-8", "9-16", "17-32", "33-64", "65+")
DISTANCES = ("0", "1", "2", "3", "4", "5-6", "7-9", "10+")


def bucket(values: npt.NDArray[np.generic], borders: Sequence[float]) -> Codes:
    """Which step each value is on: how many of the borders it has reached."""
    return np.searchsorted(np.asarray(borders), values, side="right")
