"""Which page of a pair is likely the original, with the reason; undecided where nothing speaks for one side.

The first of these that decides: a page glued together of many is not where a passage comes from; a link from
one site to another leads to what is cited; of two pages with the same text the one whose host has a name,
where the other's is a bare number; of two pages of a site of which one holds the other, the one that
is held, since what an archive says of its days is that of its articles; of two pages that say when they were
published the earlier was first; a page that was last touched before the other was published; of two pages
with the same text the one whose site the shared sentences name; of two pages that share a passage the one
whose other text it fits; the same by the days beside headlines; of two dated pages the older; of two pages
with the same text the one whose menus and lists have the words of it. Each may be wrong
(a header Last-Modified says when a page was last touched, not when it was written), so the reason stands
beside the verdict.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date, timedelta

from ruiji.detector.gather.published import ADDRESS, DATA, LINE, META, TIME
from ruiji.detector.pairs.relations import IDENTICAL, INCLUSION, PARTIAL
from ruiji.features.text.dates import UNDATED

SOURCES = ("a", "b", "undecided")
FIT_MARGIN = 5.0  # per cent of words; see detector.sentences.topic
# The same of the words around a whole text. Where nothing else decided, right and wrong on pairs-web and a
# set of other pages: 46 and 11 by 5, 34 and 6 by 10, 32 and 4 by 12, 27 and 3 by 15.
FRAME_MARGIN = 12
UNKNOWN = -1  # a fit that nobody asked for, or that says nothing of the owner
ZONES = timedelta(days=1)  # headers are in universal time, what a page says of itself is in that of its place
_WHERE = {
    META: "its head", DATA: "its data", TIME: "its text", ADDRESS: "its address",
    LINE: "beside its headline",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class OriginSigns:
    """What is known of a pair that may tell the original: of each side (a, b) in turn."""

    patchwork: tuple[bool, bool]
    links: tuple[bool, bool]  # a to b, b to a
    changed: tuple[str, str]
    published: tuple[str, str]  # "2009-05-12 meta": when, and where the page says so; "" where it does not
    long_chars: tuple[int, int]
    named: tuple[int, int]  # of the sentences that both have, those that name the page's own site
    frame_fit: tuple[int, int]  # of the content with what stands around it, in per cent of their words
    fit: tuple[float, float]  # of what is shared with the rest of the page, in per cent of its words
    relation: int
    same_site: bool
    numbered: tuple[bool, bool] = (False, False)  # whether the host is a bare number


def origin(signs: OriginSigns) -> tuple[str, str]:
    """(side, reason): "a" or "b", or "undecided" with an empty reason."""
    for rule in (
        _not_the_patchwork,
        _what_is_linked,
        _whose_host_has_a_name,
        _held_at_home,
        _stated_first,
        _who_is_named,
        _where_it_fits,
        _shown_first,
        _the_older,
        _whose_frame_fits,
    ):
        side, reason = rule(signs)
        if side >= 0:
            return SOURCES[side], reason
    return "undecided", ""


Decision = tuple[int, str]
NO_DECISION: Decision = (-1, "")


def _not_the_patchwork(signs: OriginSigns) -> Decision:
    if signs.patchwork[0] == signs.patchwork[1]:
        return NO_DECISION
    side = 1 if signs.patchwork[0] else 0
    return side, f"{SOURCES[1 - side]} is glued together from several pages"


def _what_is_linked(signs: OriginSigns) -> Decision:
    a_to_b, b_to_a = signs.links
    if signs.same_site or a_to_b == b_to_a:
        return NO_DECISION
    return (1, "a links to b") if a_to_b else (0, "b links to a")


def _whose_host_has_a_name(signs: OriginSigns) -> Decision:
    """Of two pages with the same text the one at a name: a bare number is how one reaches a server of it."""
    if signs.relation != IDENTICAL or signs.numbered[0] == signs.numbered[1]:
        return NO_DECISION
    side = 1 if signs.numbered[0] else 0
    return side, f"the host of {SOURCES[1 - side]} is a bare number"


def _stated_first(signs: OriginSigns) -> Decision:
    """What was published first, by days that pages state for machines or have in their address."""
    a, b = ("" if said.endswith(LINE) else said for said in signs.published)
    return _shown_first(replace(signs, published=(a, b)))


def _shown_first(signs: OriginSigns) -> Decision:
    """What was published first, also by the day beside a headline, which may be that of a change."""
    decision = _published_first(signs)
    return decision if decision[0] >= 0 else _touched_before(signs)


def _published_first(signs: OriginSigns) -> Decision:
    (one, by_one), (other, by_other) = (said.partition(" ")[::2] for said in signs.published)
    known = min(len(one), len(other))  # one may tell the day, the other only the month
    if not known or one[:known] == other[:known]:
        return NO_DECISION
    side = 0 if one < other else 1
    told = ((one, _WHERE[by_one]), (other, _WHERE[by_other]))
    return side, "{} was published first: {} ({}), the other {} ({})".format(
        SOURCES[side], *told[side], *told[1 - side]
    )


def _touched_before(signs: OriginSigns) -> Decision:
    """What was last touched before the other was published; later touches say nothing."""
    for side in (0, 1):
        touched, said = signs.changed[side][:10], signs.published[1 - side].partition(" ")[0]
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


def _held_at_home(signs: OriginSigns) -> Decision:
    """Of a page and an archive of its own site the page, whichever was touched last. Across sites it says
    nothing: of 22 transplanted pairs that nothing else decides the page that is held is the source of 13.
    """
    sizes = signs.long_chars
    if not signs.same_site or signs.relation != INCLUSION or sizes[0] == sizes[1]:
        return NO_DECISION
    side = 0 if sizes[0] < sizes[1] else 1
    return side, f"{SOURCES[1 - side]} holds {SOURCES[side]} and more"


def _who_is_named(signs: OriginSigns) -> Decision:
    """Of two pages with the same text the one whose site it names: a copy keeps the name."""
    named = [count > 0 for count in signs.named]
    if signs.same_site or signs.relation != IDENTICAL or named[0] == named[1]:
        return NO_DECISION
    side = 0 if named[0] else 1
    return side, f"the text names the site of {SOURCES[side]}"


def _where_it_fits(signs: OriginSigns) -> Decision:
    """Of two pages that share a passage the one whose other text is about the same."""
    one, other = signs.fit
    if signs.same_site or signs.relation != PARTIAL or abs(one - other) < FIT_MARGIN:
        return NO_DECISION
    side = 0 if one > other else 1
    better, worse = max(one, other), min(one, other)
    return (
        side,
        f"the passage fits {SOURCES[side]} better: {better:.0f} % of its words, {worse:.0f} % in the other",
    )


def _the_older(signs: OriginSigns) -> Decision:
    days = [changed[:10] for changed in signs.changed]
    if UNDATED in days or days[0] == days[1]:
        return NO_DECISION
    side = 0 if days[0] < days[1] else 1
    return side, f"{SOURCES[side]} is older: {days[side]}, the other {days[1 - side]}"


def _whose_frame_fits(signs: OriginSigns) -> Decision:
    """Of two pages with the same text the one whose site goes on about the same around it."""
    one, other = signs.frame_fit
    if signs.same_site or signs.relation != IDENTICAL or UNKNOWN in signs.frame_fit:
        return NO_DECISION
    if abs(one - other) < FRAME_MARGIN:
        return NO_DECISION
    side = 0 if one > other else 1
    better, worse = max(one, other), min(one, other)
    return (
        side,
        f"the text fits the site of {SOURCES[side]} better: {better} % of the words, {worse} % in the other",
    )
