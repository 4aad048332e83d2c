"""Which page of a pair is likely the original, with the reason; undecided where nothing speaks for one side.

The first of these that decides: a page glued together of many is not where a passage comes from; a link from
one site to another leads to what is cited; of two pages that say when they were published the earlier was
first; a page that was last touched before the other was published; of two dated pages the older; of two pages
of which one holds the other, the one that is held. Each may be wrong (a header Last-Modified says when a page
was last touched, not when it was written), so the reason stands beside the verdict.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta

from ruiji.detector.dates import UNDATED
from ruiji.detector.gather.published import ADDRESS, DATA, META, TIME
from ruiji.detector.pairs.relations import INCLUSION

SOURCES = ("a", "b", "undecided")
ZONES = timedelta(days=1)  # headers are in universal time, what a page says of itself is in that of its place
_WHERE = {META: "its head", DATA: "its data", TIME: "its text", ADDRESS: "its address"}


@dataclass(frozen=True, slots=True)
class OriginSigns:
    """What is known of a pair that may tell the original: of each side (a, b) in turn."""

    patchwork: tuple[bool, bool]
    links: tuple[bool, bool]  # a to b, b to a
    changed: tuple[str, str]
    published: tuple[str, str]  # "2009-05-12 meta": when, and where the page says so; "" where it does not
    long_chars: tuple[int, int]
    relation: int
    same_site: bool


def origin(evidence: OriginSigns) -> tuple[str, str]:
    """(side, reason): "a" or "b", or "undecided" with an empty reason."""
    for rule in (
        _not_the_patchwork,
        _what_is_linked,
        _published_first,
        _touched_before,
        _the_older,
        _what_is_held,
    ):
        side, reason = rule(evidence)
        if side >= 0:
            return SOURCES[side], reason
    return "undecided", ""


Decision = tuple[int, str]
NO_DECISION: Decision = (-1, "")


def _not_the_patchwork(evidence: OriginSigns) -> Decision:
    if evidence.patchwork[0] == evidence.patchwork[1]:
        return NO_DECISION
    side = 1 if evidence.patchwork[0] else 0
    return side, f"{SOURCES[1 - side]} is glued together from several pages"


def _what_is_linked(evidence: OriginSigns) -> Decision:
    a_to_b, b_to_a = evidence.links
    if evidence.same_site or a_to_b == b_to_a:
        return NO_DECISION
    return (1, "a links to b") if a_to_b else (0, "b links to a")


def _published_first(evidence: OriginSigns) -> Decision:
    (one, by_one), (other, by_other) = (said.partition(" ")[::2] for said in evidence.published)
    known = min(len(one), len(other))  # one may tell the day, the other only the month
    if not known or one[:known] == other[:known]:
        return NO_DECISION
    side = 0 if one < other else 1
    told = ((one, _WHERE[by_one]), (other, _WHERE[by_other]))
    return side, "{} was published first: {} ({}), the other {} ({})".format(
        SOURCES[side], *told[side], *told[1 - side]
    )


def _touched_before(evidence: OriginSigns) -> Decision:
    """What was last touched before the other was published; later touches say nothing."""
    for side in (0, 1):
        touched, said = evidence.changed[side][:10], evidence.published[1 - side].partition(" ")[0]
        if (
            said
            and touched != UNDATED
            and date.fromisoformat(touched) + ZONES < date.fromisoformat(f"{said}-01"[:10])
        ):
            return (
                side,
                f"{SOURCES[side]} was last changed on {touched}, before the other was published: {said}",
            )
    return NO_DECISION


def _the_older(evidence: OriginSigns) -> Decision:
    days = [changed[:10] for changed in evidence.changed]
    if UNDATED in days or days[0] == days[1]:
        return NO_DECISION
    side = 0 if days[0] < days[1] else 1
    return side, f"{SOURCES[side]} is older: {days[side]}, the other {days[1 - side]}"


def _what_is_held(evidence: OriginSigns) -> Decision:
    sizes = evidence.long_chars
    if evidence.relation != INCLUSION or sizes[0] == sizes[1]:
        return NO_DECISION
    side = 0 if sizes[0] < sizes[1] else 1
    return side, f"{SOURCES[1 - side]} holds {SOURCES[side]} and more"
