"""Formulas (2), (3) and (4) of the paper."""

from __future__ import annotations

import math
from datetime import UTC, datetime

import pytest

from ruiji.detector.records.compare.relevance import (
    PaperRule,
    corresponds,
    days_between,
    equivalent_score,
    link_relevance,
    time_difference,
)


def test_section_3_1_2_link_relevance() -> None:
    assert link_relevance(same_site=True, links=0) == 1.0
    assert [link_relevance(False, links) for links in (0, 1, 3)] == [0.0, 0.5, 0.75]


def test_section_3_1_3_the_threshold_falls_from_lambda_to_lambda_over_e_at_mu() -> None:
    rule = PaperRule(lam=0.6)
    assert (rule.mu, rule.alpha) == (500, 0.7)
    assert time_difference(0, rule) == 0.6
    assert time_difference(250, rule) == pytest.approx(0.6 * math.exp(-0.5))
    assert time_difference(500, rule) == time_difference(9999, rule) == pytest.approx(0.6 / math.e)
    assert time_difference(-250, rule) == time_difference(250, rule)


def test_section_3_1_4_the_combined_rule() -> None:
    assert equivalent_score(0.5, 1.0) == pytest.approx(0.7 * 0.5 + 0.3)
    assert corresponds(0.5, 1.0, 0.0, PaperRule(lam=0.64))
    assert not corresponds(0.5, 1.0, 0.0, PaperRule(lam=0.65))
    assert corresponds(0.5, 1.0, 10_000.0, PaperRule(lam=1.0)), "pages far apart in time may differ more"


def test_an_unknown_time_asks_for_the_most_likeness() -> None:
    assert days_between(None, datetime(2024, 1, 1, tzinfo=UTC)) == 0.0
    assert days_between(datetime(2024, 1, 1, tzinfo=UTC), datetime(2023, 1, 1, tzinfo=UTC)) == 365.0
