"""Relations and categories, patchwork, originals and groups, each by itself."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ruiji.detector.pairs.groups import Loss, groups_of, preference
from ruiji.detector.pairs.origin import OriginSigns, origin
from ruiji.detector.pairs.patchwork import Partners
from ruiji.detector.pairs.relations import (
    CATEGORIES,
    IDENTICAL,
    INCLUSION,
    PARTIAL,
    RELATIONS,
    Thresholds,
    categories,
    containment,
    overlap,
    relations,
)
from ruiji.features.text.dates import UNDATED, utc_time
from tests.strategies import any_text


def test_overlap_and_containment_are_those_of_equations_3_and_4() -> None:
    shared, one, other = np.array([30]), np.array([60]), np.array([40])
    assert overlap(shared, one, other)[0] == 0.6
    assert containment(shared, one, other)[0] == 0.75


def test_the_tree_of_figure_16_parts_above_its_thresholds_not_at_them() -> None:
    overlaps, containments = np.array([0.61, 0.6, 0.6, 0.1]), np.array([1.0, 0.51, 0.5, 0.2])
    names = [RELATIONS[number] for number in relations(overlaps, containments, Thresholds())]
    assert names == ["identical", "inclusion", "partial", "partial"]


def test_the_seven_leaves_of_figure_16() -> None:
    rows = np.array(list(product((IDENTICAL, INCLUSION, PARTIAL), (0.5, 0.0), (True, False))), dtype=float)
    found = [
        CATEGORIES[number]
        for number in categories(rows[:, 0].astype(int), rows[:, 1], rows[:, 2].astype(bool), Thresholds())
    ]
    assert found == [
        "mirror", "mirror", "boilerplate_or_plagiarism", "boilerplate_or_plagiarism",
        "archive", "archive", "link_collection", "link_collection",
        "same_site", "same_site", "citation", "shared_passage",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "time"),
    [
        ("2024-11-05T07:12:00+09:00", "2024-11-04T22:12:00Z"),
        ("Tue, 05 Nov 2024 07:12:00 GMT", "2024-11-05T07:12:00Z"),
        ("2024-11-05", "2024-11-05T00:00:00Z"),
        ("2024-11-05 07:12:00", "2024-11-05T07:12:00Z"),
        ("", ""),
        ("yesterday", ""),
        ("0001-01-01T00:00:00+09:00", ""),
    ],
)
def test_times_in_one_notation(text: str, time: str) -> None:
    assert utc_time(text) == time


@given(any_text)
def test_any_text_is_a_time_or_none(text: str) -> None:
    assert utc_time(text) == "" or utc_time(text) < UNDATED


def evidence(**known: object) -> OriginSigns:
    fields = {
        "patchwork": (False, False), "links": (False, False), "changed": (UNDATED, UNDATED),
        "published": ("", ""),
        "long_chars": (100, 100), "named": (0, 0), "frame_fit": (0, 0), "fit": (50.0, 50.0),
        "relation": PARTIAL, "same_site": False,
    }  # fmt: skip
    return OriginSigns(**(fields | known))  # type: ignore[arg-type]


DATES = ("2020-01-02T00:00:00Z", "2021-01-02T00:00:00Z")


@pytest.mark.parametrize(
    ("known", "verdict"),
    [
        ({}, ("undecided", "")),
        ({"patchwork": (True, False)}, ("b", "a is glued together from several pages")),
        ({"patchwork": (True, True)}, ("undecided", "")),
        ({"links": (True, False)}, ("b", "a links to b")),
        ({"links": (False, True)}, ("a", "b links to a")),
        ({"links": (True, True)}, ("undecided", "")),
        ({"links": (True, False), "same_site": True}, ("undecided", "")),
        ({"changed": DATES}, ("a", "a is older: 2020-01-02, the other 2021-01-02")),
        ({"changed": DATES[::-1]}, ("b", "b is older: 2020-01-02, the other 2021-01-02")),
        ({"changed": (DATES[0], UNDATED)}, ("undecided", "")),
        ({"changed": (DATES[0], "2020-01-02T09:00:00Z")}, ("undecided", "")),
        ({"relation": INCLUSION, "long_chars": (100, 300)}, ("undecided", "")),
        (
            {"relation": INCLUSION, "long_chars": (100, 300), "same_site": True},
            ("a", "b holds a and more"),
        ),
        ({"relation": PARTIAL, "long_chars": (100, 300)}, ("undecided", "")),
        ({"links": (True, False), "changed": DATES}, ("b", "a links to b")),
        (
            {"relation": INCLUSION, "long_chars": (100, 300), "same_site": True, "changed": DATES[::-1]},
            ("a", "b holds a and more"),
        ),
        ({"relation": IDENTICAL, "numbered": (True, False)}, ("b", "the host of a is a bare number")),
        ({"relation": IDENTICAL, "numbered": (True, True)}, ("undecided", "")),
        ({"relation": PARTIAL, "numbered": (True, False)}, ("undecided", "")),
        ({"relation": IDENTICAL, "named": (0, 2)}, ("b", "the text names the site of b")),
        ({"relation": IDENTICAL, "named": (1, 2)}, ("undecided", "")),
        ({"relation": PARTIAL, "named": (0, 2)}, ("undecided", "")),
        ({"fit": (31.0, 80.0)}, ("b", "the passage fits b better: 80 % of its words, 31 % in the other")),
        ({"fit": (48.0, 52.0)}, ("undecided", "")),
        (
            {"relation": IDENTICAL, "frame_fit": (31, 15)},
            ("a", "the text fits the site of a better: 31 % of the words, 15 % in the other"),
        ),
        ({"relation": IDENTICAL, "frame_fit": (31, 20)}, ("undecided", "")),
        ({"relation": IDENTICAL, "frame_fit": (31, 15), "same_site": True}, ("undecided", "")),
        ({"relation": PARTIAL, "frame_fit": (31, 15)}, ("undecided", "")),
        ({"relation": IDENTICAL, "frame_fit": (31, -1)}, ("undecided", "")),
        (
            {"relation": IDENTICAL, "frame_fit": (31, 15), "changed": DATES[::-1]},
            ("b", "b is older: 2020-01-02, the other 2021-01-02"),
        ),
        ({"fit": (31.0, 80.0), "same_site": True}, ("undecided", "")),
        (
            {"published": ("2009-05-12 meta", "2009-05-11 address"), "changed": DATES},
            ("b", "b was published first: 2009-05-11 (its address), the other 2009-05-12 (its head)"),
        ),
        (
            {"published": ("2009-05 address", "2009-05-12 time"), "changed": DATES},
            ("a", "a is older: 2020-01-02, the other 2021-01-02"),
        ),
        ({"published": ("2009-05-12 meta", "")}, ("undecided", "")),
        (
            {"published": ("2020-03 data", ""), "changed": (UNDATED, DATES[0])},
            ("b", "b was last changed on 2020-01-02, before the other was published: 2020-03"),
        ),
        ({"published": ("2020-01 data", ""), "changed": (UNDATED, DATES[0])}, ("undecided", "")),
        (
            {"published": ("2020-01-03 data", ""), "changed": (UNDATED, DATES[0])},
            ("undecided", ""),
        ),  # the same morning in Japan
    ],
)
def test_the_original_with_the_reason(known: dict[str, object], verdict: tuple[str, str]) -> None:
    assert origin(evidence(**known)) == verdict


def partners(
    pairs: list[tuple[int, int, int]], sites: dict[int, str], links: set[tuple[int, int]] = frozenset()
) -> set[int]:  # type: ignore[assignment]
    """Patchwork among pages of 100 long characters; a pair is (page, page, shared characters)."""
    found = Partners()
    found.add({
        "page_a": [a for a, _, _ in pairs], "page_b": [b for _, b, _ in pairs],
        "order_a": [a for a, _, _ in pairs], "order_b": [b for _, b, _ in pairs],
        "site_a": [sites[a] for a, _, _ in pairs],
        "site_b": [sites[b] for _, b, _ in pairs], "long_chars_a": [100] * len(pairs),
        "long_chars_b": [100] * len(pairs),
        "shared_chars": [shared for _, _, shared in pairs], "a_to_b": [(a, b) in links for a, b, _ in pairs],
        "b_to_a": [(b, a) in links for a, b, _ in pairs],
    })  # fmt: skip
    return found.patchwork()


SITES = dict(enumerate("abcdefg"))
GLUED = [(0, 1, 20), (0, 2, 20), (3, 0, 20)]


def test_a_page_of_three_unrelated_sources_is_patchwork() -> None:
    assert partners(GLUED, SITES) == {0}
    assert partners([], SITES) == set()


@pytest.mark.parametrize(
    ("pairs", "sites", "links"),
    [
        (GLUED[:2], SITES, set()),  # two sources
        ([(a, b, 15) for a, b, _ in GLUED], SITES, set()),  # mostly its own text
        ([*GLUED, (1, 2, 5)], SITES, set()),  # two of the sources share text
        (GLUED, SITES | {2: "b"}, set()),  # two of the sources are of one site
        (GLUED, SITES | {1: "a"}, set()),  # one is of its own site
        (GLUED, SITES, {(0, 3)}),  # it says where one comes from
        ([(0, 1, 60), (0, 2, 2), (3, 0, 2)], SITES, set()),  # nearly all is of one source: a release of it
    ],
)
def test_other_pages_are_not(
    pairs: list[tuple[int, int, int]], sites: dict[int, str], links: set[tuple[int, int]]
) -> None:
    assert partners(pairs, sites, links) == set()


def test_a_source_that_links_to_the_patchwork_page_is_still_a_source() -> None:
    assert partners(GLUED, SITES, {(3, 0)}) == {0}


LIKED = {page: preference(f"http://{page}.example/", 1000 - page, UNDATED) for page in range(9)}


def losing(pairs: Iterable[tuple[int, int]], lost: int = 0) -> dict[tuple[int, int], Loss]:
    """Pages of 100 characters, of which the other page lacks so many, both ways."""
    return {pair: Loss(lost, 100) for one, other in pairs for pair in ((one, other), (other, one))}


@pytest.mark.parametrize(
    ("loss", "slight"),
    [
        (Loss(400, 10_000, bits=34), True),
        (Loss(400, 10_000, bits=35), False),  # a short article beside a long ticker
        (Loss(0, 900, sentences=9, asides=5, lost_asides=5), True),  # a copy in another frame
        (Loss(0, 900, sentences=9, asides=30, lost_asides=30), False),  # whose article is no content
        (Loss(0, 900, sentences=9, asides=20, lost_asides=2), True),  # one frame, another entry of a list
        (Loss(0, 900, sentences=9, asides=20, lost_asides=3), False),  # one frame, another article
        (Loss(0, 900, sentences=9, asides=5), True),
    ],
)
def test_a_page_is_dropped_only_where_nothing_worth_a_pair_is_lost(loss: Loss, slight: bool) -> None:
    assert loss.is_slight(0.95) == slight
    assert not loss.after(Loss(0, 900, bits=35)).is_slight(0.95)


def members(groups: list[list[tuple[int, int]]]) -> list[list[int]]:
    return [[page for page, _ in group] for group in groups]


def test_chains_make_no_groups() -> None:
    """B is like A and C like B, but C is not like A: C stays by itself."""
    assert members(groups_of(losing([(0, 1), (1, 2)]), {}, LIKED)) == [[0, 1]]
    assert members(groups_of(losing([(0, 1), (1, 2), (2, 3)]), {}, LIKED)) == [[0, 1], [2, 3]]


def test_a_page_with_text_that_the_kept_page_lacks_is_not_dropped() -> None:
    assert groups_of(losing([(0, 1)], 5), {}, LIKED) == [[(0, 0), (1, 5)]]
    assert groups_of(losing([(0, 1)], 6), {}, LIKED) == []
    assert groups_of(losing([(0, 1)], 6), {}, LIKED, kept_share=0.9) == [[(0, 0), (1, 6)]]


def test_pages_of_the_same_content_go_where_the_page_goes_that_stands_for_them() -> None:
    losses = losing([(0, 2)], 2) | losing([(2, 5), (2, 7)], 1)
    assert groups_of(losses, {5: 2, 7: 2}, LIKED) == [[(0, 0), (2, 2), (5, 3), (7, 3)]]
    assert members(groups_of(losing([(0, 2)], 4) | losing([(2, 5), (2, 7)], 3), {5: 2, 7: 2}, LIKED)) == [
        [0, 2]
    ]
    assert members(groups_of(losing([(2, 5), (2, 7)]), {5: 2, 7: 2}, LIKED)) == [[2, 5, 7]]


def test_which_page_is_kept() -> None:
    urls = [
        f"http://{host}/" for host in ("a.example/long", "b.example", "c.example", "d.example", "192.0.2.7")
    ]
    known = [(100, "2020"), (100, UNDATED), (100, "2020"), (200, UNDATED), (100, "2019")]
    order = sorted(preference(url, chars, changed) for url, (chars, changed) in zip(urls, known, strict=True))
    assert [one.url for one in order] == [
        urls[3],
        urls[2],
        urls[0],
        urls[1],
        urls[4],
    ]  # content, a name, age, length of the address


@given(st.sets(st.tuples(st.integers(0, 8), st.integers(0, 8)).filter(lambda pair: pair[0] < pair[1])))
def test_every_member_is_identical_with_the_kept_page_and_in_one_group(
    identical: set[tuple[int, int]],
) -> None:
    groups = members(groups_of(losing(identical), {}, LIKED))
    pages = [page for group in groups for page in group]
    assert len(pages) == len(set(pages))
    assert all(
        (min(group[0], page), max(group[0], page)) in identical for group in groups for page in group[1:]
    )
    assert groups == members(groups_of(losing(sorted(identical, reverse=True)), {}, LIKED))
