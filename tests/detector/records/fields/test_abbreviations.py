"""Names of organisations with abbreviated words are the same names, and others are not."""

from __future__ import annotations

import pytest

from ruiji.detector.records.fields.agreement import Match, compare


@pytest.mark.parametrize(
    ("one", "other", "match"),
    [
        ("NTT CS Labs", "NTT Communication Science Laboratories", Match.VARIANT),
        ("Univ. of Tokyo", "University of Tokyo", Match.VARIANT),
        ("Taipei Medical Univ / Shuang Ho Hospital", "Taipei Medical University and Shuang Ho Hospital",
         Match.VARIANT),
        ("楽天技術研究所", "(株)楽天 楽天技術研究所 フェロー", Match.VARIANT),
        ("UC Berkeley", "University of California Riverside", Match.DIFFERENT),
        ("Osaka University, Japan", "Kyoto University, Japan", Match.DIFFERENT),
        ("Kyoto Univ", "Kyoto Institute", Match.DIFFERENT),
    ],
)  # fmt: skip
def test_words_may_be_abbreviated(one: str, other: str, match: Match) -> None:
    assert compare("text", *sorted((one, other))) is match


def test_co_chairs_are_chairs_and_a_rank_is_another_post() -> None:
    assert compare("post", "Co-Chairs", "Doctoral Symposium Chairs") is Match.VARIANT
    assert compare("post", "Assistant Sales Manager", "Sales Manager") is Match.DIFFERENT
