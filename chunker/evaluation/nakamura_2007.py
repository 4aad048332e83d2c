"""The figures of Nakamura 2007, to stand beside ours. Its data are 781 pages that nobody has any more, its
learner an SVM (YamCha).
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

COLUMNS = ("L_nc", "R_r", "R_p", "R_F", "B_r", "B_p", "B_F", "FP_c")


def _row(*values: float) -> Mapping[str, float]:
    return MappingProxyType(dict(zip(COLUMNS, values, strict=True)))


L_BL = 0.698  # table 4.2
TABLE_4_2 = _row(0.769, 0.135, 0.296, 0.185, 0.431, 0.694, 0.532, 0.0694)
TABLE_4_4: Mapping[str, Mapping[str, float]] = MappingProxyType(
    {
        "case1 keywords": _row(0.725, 0.0607, 0.151, 0.0866, 0.284, 0.593, 0.384, 0.0716),
        "case2 verb or adjective": _row(0.730, 0.129, 0.220, 0.163, 0.421, 0.580, 0.488, 0.120),
        "case3 text length": _row(0.700, 0.149, 0.119, 0.132, 0.493, 0.517, 0.505, 0.188),
        "case4 table averages": _row(0.730, 0.118, 0.135, 0.126, 0.324, 0.598, 0.420, 0.0815),
        "case5 link": _row(0.767, 0.145, 0.292, 0.194, 0.408, 0.705, 0.517, 0.0609),
        "case6 near tags": _row(0.733, 0.121, 0.344, 0.179, 0.340, 0.597, 0.433, 0.0867),
        "case7 depth change": _row(0.771, 0.156, 0.274, 0.199, 0.514, 0.675, 0.584, 0.0943),
    }
)
TABLE_4_6 = _row(
    0.732, 0.0989, 0.212, 0.135, 0.354, 0.604, 0.412, 0.0878
)  # as printed; B_F of 0.354 and 0.604 would be 0.446
TABLE_4_1 = MappingProxyType(
    {"region": (0.581, 0.644), "text node": (0.810, 0.836)}
)  # two pairs of annotators
TABLE_4_7 = tuple(
    (
        "C Co ホーム c 情 Copyright TOP All トップ マップ Reserved HOME Rights 基 プライバシー ニュース "
        "ポリシー reserved Adobe Reader 宮 rights 住 TOP 京 アンケート 史 Ltd Inc 規約 買い物 先頭 取扱 "
        "食材 ENGLISH フォト 見積もり カテゴリー ペット キッズ 表記 ギャラリー Player 初 INDEX more "
        "Simulingual"
    ).split()
)  # selected from all of its pages; TOP stands there twice
