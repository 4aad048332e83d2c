"""Which page was made from which, of pairs that name a source."""

from __future__ import annotations

from collections.abc import Sequence

import pyarrow as pa
from hypothesis import given
from hypothesis import strategies as st

from ruiji.detector.gather import schemas
from ruiji.detector.pairs.lineage import Lineage

Row = tuple[str, str, int, str, str, str]
KINDS = ("identical", "inclusion", "partial")


def lineage(rows: Sequence[Row]) -> list[tuple[int, str, str | None, str]]:
    """Of pairs (one, other, shared characters, relation, patchwork, source) the rows of lineage.parquet."""
    names = ("url_a", "url_b", "shared_chars", "relation", "patchwork", "source")
    pairs = pa.Table.from_pylist([dict(zip(names, row, strict=True)) for row in rows], schemas.PAIRS)
    collected = Lineage()
    collected.add(pairs, {url for row in rows for url in row[:2]})
    return [tuple(row.values()) for row in collected.table().to_pylist()]


def test_copies_quotations_and_patchwork_are_told_apart() -> None:
    rows: list[Row] = [
        ("a", "b", 900, "identical", "none", "a"),
        ("a", "c", 50, "partial", "none", "a"),
        ("a", "d", 80, "partial", "b", "a"),
    ]
    assert lineage(rows) == [
        (0, "a", None, "original"),
        (0, "b", "a", "copy"),
        (0, "c", "a", "quotation"),
        (0, "d", "a", "patchwork"),
    ]


def test_two_pages_are_no_family_and_undecided_pairs_say_nothing() -> None:
    assert lineage([("a", "b", 900, "identical", "none", "a")]) == []
    assert (
        lineage([("a", "b", 9, "partial", "none", "a"), ("b", "c", 9, "partial", "none", "undecided")]) == []
    )


def test_what_two_pages_have_as_a_whole_comes_from_the_first_of_them() -> None:
    rows: list[Row] = [
        ("z", "copy", 900, "identical", "none", "a"),
        ("copy", "quote", 90, "partial", "none", "a"),
        ("quote", "z", 90, "partial", "none", "b"),
    ]
    assert lineage(rows)[1:] == [(0, "copy", "z", "copy"), (0, "quote", "z", "quotation")]


def test_a_page_comes_from_the_page_that_it_shares_most_with() -> None:
    rows: list[Row] = [
        ("a", "b", 500, "identical", "none", "a"),
        ("a", "c", 50, "partial", "none", "a"),
        ("b", "c", 90, "partial", "none", "a"),
    ]
    assert lineage(rows)[1:] == [(0, "b", "a", "copy"), (0, "c", "b", "quotation")]


pages = st.sampled_from("abcdefgh")
random_rows = st.lists(
    st.tuples(
        pages, pages, st.integers(1, 9), st.sampled_from(KINDS), st.just("none"), st.sampled_from("ab")
    ).filter(lambda row: row[0] != row[1]),
    max_size=20,
)


@given(random_rows)
def test_every_family_is_a_tree_with_one_original(rows: list[Row]) -> None:
    found = lineage(rows)
    seen: dict[int, set[str]] = {}
    for group, url, origin, kind in found:
        above = seen.setdefault(group, set())
        assert (origin is None) == (kind == "original") == (not above)
        assert origin is None or origin in above, "each after the page it is from"
        assert url not in above
        above.add(url)
    everyone = [url for urls in seen.values() for url in urls]
    assert len(everyone) == len(set(everyone))
    assert all(len(urls) >= 3 for urls in seen.values())
