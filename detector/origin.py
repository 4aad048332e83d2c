"""Which page of a pair is likely the original, with the reason; undecided where nothing speaks for one side.

The first of these that decides: a page glued together of many is not where a passage comes from; a link from one site to another leads to
what is cited; of two dated pages the older was first; of two pages of which one holds the other, the one that is held. Each may be wrong (a
header Last-Modified says when a page was last touched, not when it was written), so the reason stands beside the verdict.
"""

from __future__ import annotations

from dataclasses import dataclass

from detector.dating import UNDATED
from detector.relations import INCLUSION

SOURCES = ("a", "b", "undecided")


@dataclass(frozen=True, slots=True)
class Evidence:
    """What is known of a pair that may tell the original: of each side (a, b) in turn."""

    patchwork: tuple[bool, bool]
    links: tuple[bool, bool]  # a to b, b to a
    changed: tuple[str, str]
    long_chars: tuple[int, int]
    relation: int
    same_site: bool


def origin(evidence: Evidence) -> tuple[str, str]:
    """(side, reason): "a" or "b", or "undecided" with an empty reason."""
    for rule in (_not_the_patchwork, _what_is_linked, _the_older, _what_is_held):
        side, reason = rule(evidence)
        if side >= 0:
            return SOURCES[side], reason
    return "undecided", ""


Verdict = tuple[int, str]
NO_VERDICT: Verdict = (-1, "")


def _not_the_patchwork(evidence: Evidence) -> Verdict:
    if evidence.patchwork[0] == evidence.patchwork[1]:
        return NO_VERDICT
    side = 1 if evidence.patchwork[0] else 0
    return side, f"{SOURCES[1 - side]} is glued together from several pages"


def _what_is_linked(evidence: Evidence) -> Verdict:
    a_to_b, b_to_a = evidence.links
    if evidence.same_site or a_to_b == b_to_a:
        return NO_VERDICT
    return (1, "a links to b") if a_to_b else (0, "b links to a")


def _the_older(evidence: Evidence) -> Verdict:
    days = [changed[:10] for changed in evidence.changed]
    if UNDATED in days or days[0] == days[1]:
        return NO_VERDICT
    side = 0 if days[0] < days[1] else 1
    return side, f"{SOURCES[side]} is older: {days[side]}, the other {days[1 - side]}"


def _what_is_held(evidence: Evidence) -> Verdict:
    sizes = evidence.long_chars
    if evidence.relation != INCLUSION or sizes[0] == sizes[1]:
        return NO_VERDICT
    side = 0 if sizes[0] < sizes[1] else 1
    return side, f"{SOURCES[1 - side]} holds {SOURCES[side]} and more"
