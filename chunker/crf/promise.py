"""Which pages a precision can be promised of: those of which the model expects enough.

By the pages that it had not seen when it was judged (``calibration.json``): of those of which it expected at
least as much, SURE_SHARE had the precision that is asked for. Thresholds are tried from the strictest down,
and the last before the first that fails is taken (fixed sequence testing); one more failure than was seen is
counted, as split conformal prediction does (Vovk and others, Algorithmic Learning in a Random World, 2005),
so that the share holds for pages that are like those, whatever the model is like.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache

import numpy as np

from ruiji.chunker.crf.folder import read_calibration
from ruiji.corpora.errors import SettingError

SURE_SHARE = 0.9  # of the pages that are kept has the precision
FEWEST = 100  # pages that a threshold must keep of those that it is judged by
STEPS = 200  # thresholds that are tried


@lru_cache(maxsize=8)
def least_expected_f1(precision: float, model: str = "") -> float:
    """The expected F1 from which on pages of a model have a precision. Raises SettingError where no page
    has, and ModelError where nobody knows.
    """
    least = threshold(read_calibration(model or "default"), precision)
    if least is None:
        raise SettingError(
            f"‹precision={precision:g}› cannot be promised: of no pages {SURE_SHARE:.0%} are that precise; "
            "ask for less"
        )
    return least


def threshold(
    columns: Mapping[str, Sequence[float]], precision: float, share: float = SURE_SHARE
) -> float | None:
    """The lowest expected F1 that keeps the promise on judged pages; None where none does.

    >>> shares = [number / 1000 for number in range(1000)]
    >>> threshold({"expected_f1": shares, "precision": shares}, 0.5)
    0.448
    """
    expected, reached = (np.asarray(columns[name]) for name in ("expected_f1", "precision"))
    order = np.argsort(-expected, kind="stable")
    failures = np.cumsum(reached[order] < precision)
    least = None
    for count in np.unique(np.linspace(min(FEWEST, len(order)), len(order), STEPS).astype(int)).tolist():
        if count < FEWEST or (failures[count - 1] + 1) / (count + 1) > 1 - share:
            break
        least = float(expected[order[count - 1]])
    return least
