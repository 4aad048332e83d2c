"""The figures of Yoshida and Yamamoto 2009, to stand beside ours. Its data are 535 Japanese and 175 English
news pages of 2008 and 2009 that nobody has any more.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

COLUMNS = ("block_P", "block_R", "block_F", "perfect")


def _row(*percent: float) -> Mapping[str, float]:
    return MappingProxyType({name: value / 100 for name, value in zip(COLUMNS, percent, strict=True)})


TABLE_1: Mapping[str, Mapping[str, float]] = MappingProxyType(
    {
        "asahi.com": _row(99.80, 97.77, 98.78, 89.39),
        "毎日jp": _row(93.72, 79.25, 85.88, 51.11),
        "YOMIURI ONLINE": _row(99.65, 95.59, 97.57, 81.25),
    }
)
MICRO_AVERAGE = _row(98.00, 91.13, 94.44, 73.83)
MIXED = _row(98.03, 91.13, 94.46, 73.83)  # jpNewsAll
TABLE_2 = _row(94.38, 71.28, 81.22, 29.71)  # CNN.com
FLAT_ABOVE = 0.75  # section 4.4: the threshold of figure 8 from which on performance is steady
