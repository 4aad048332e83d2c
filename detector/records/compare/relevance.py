"""When two data trees correspond: link relevance, the threshold by age, and the rule that combines them
(formulas 2 to 4 of the paper).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from datetime import datetime

SECONDS_A_DAY = 86_400.0


@dataclass(frozen=True, slots=True)
class PaperRule:
    """The parameters of section 3.1: α weighs tree similarity against links, λ is the highest threshold, μ
    (days) how fast it falls.

    α and μ are the paper's. It varied λ from 0 to 1 and named no best value; 0.3 is ours, chosen on made-up
    lists with and without links and times (docs/evaluation).
    """

    alpha: float = 0.7
    lam: float = 0.3
    mu: float = 500.0


DEFAULT_RULE = PaperRule()


def link_relevance(same_site: bool, links: int) -> float:
    """LinkRelevanceDegree of formula (2): 1 within a site, else more with every link between the two sites,
    either way.
    """
    return 1.0 if same_site else 1.0 - 1.0 / (1.0 + links)


def time_difference(days: float, rule: PaperRule = DEFAULT_RULE) -> float:
    """TimeDifference of formula (3), the threshold: λ for pages of the same age, λ/e from μ days on."""
    return rule.lam * math.exp(-abs(days) / rule.mu) if abs(days) < rule.mu else rule.lam / math.e


def equivalent_score(similarity: float, relevance: float, rule: PaperRule = DEFAULT_RULE) -> float:
    """EquivalentScore of formula (4)."""
    return rule.alpha * similarity + (1.0 - rule.alpha) * relevance


def corresponds(similarity: float, relevance: float, days: float, rule: PaperRule = DEFAULT_RULE) -> bool:
    """Whether two trees correspond by formula (4)."""
    return equivalent_score(similarity, relevance, rule) > time_difference(days, rule)


def days_between(one: datetime | None, other: datetime | None) -> float:
    """How many days lie between two pages' times; 0 where one is not known, which asks for the most
    likeness.
    """
    if one is None or other is None:
        return 0.0
    return abs((one - other).total_seconds()) / SECONDS_A_DAY
