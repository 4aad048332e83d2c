"""Days and hours as pages write when something takes place."""

from __future__ import annotations

import pytest

from ruiji.detector.records.fields.agreement import Match, compare
from ruiji.detector.records.fields.occasions import Occasion, occasion_of


@pytest.mark.parametrize(
    ("text", "occasion"),
    [
        ("2008/06/21(土)[会期初日] 開場 19:00〜", Occasion(2008, 6, 21, 19 * 60)),
        ("2009 年 7 月 17 日(金)・18 日(土)・19 日(日)", Occasion(2009, 7, 17)),
        ("9月15日(土) 午後1時半から", Occasion(0, 9, 15, 13 * 60 + 30)),
        ("Sep 14 11:10-12:00", Occasion(0, 9, 14, 11 * 60 + 10)),
        ("15–17 May 2026", Occasion(2026, 5, 15)),
        ("January 6-9, 2026", Occasion(2026, 1, 6)),
        ("2026-04-12T09:00:00-07:00", Occasion(2026, 4, 12, 9 * 60)),
        ("May 5 at 7 p.m.", Occasion(0, 5, 5, 19 * 60)),
    ],
)
def test_the_first_day_and_hour(text: str, occasion: Occasion) -> None:
    assert occasion_of(text) == occasion


@pytest.mark.parametrize(
    "text", ["", "every Friday", "10:00〜", "June 2026", "Marketing 10", "13月40日", "3/4"]
)
def test_what_names_no_day(text: str) -> None:
    assert occasion_of(text) is None


@pytest.mark.parametrize(
    ("one", "other", "match"),
    [
        ("2009年7月17日", "7/17(金) 10:00", Match.VARIANT),
        ("2009年7月17日", "2009.07.18", Match.DIFFERENT),
        ("7月17日 10:00", "7月17日 11:00", Match.DIFFERENT),
        ("7月17日", "毎週金曜", Match.INCOMPARABLE),
    ],
)
def test_what_one_leaves_open_the_other_may_say(one: str, other: str, match: Match) -> None:
    assert compare("when", one, other) is match
    assert compare("when", other, one) is match
