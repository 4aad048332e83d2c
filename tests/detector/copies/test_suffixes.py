"""The suffix array and its table answer as brute force does."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ruiji.detector.copies.fingerprints import BORDER
from ruiji.detector.copies.suffixes import MAX_POSITIONS, Suffixes, look_up, prolong, sort_suffixes

# Few different fingerprints, spread over all 32 bits, so that everything repeats; some in one bucket.
units = st.integers(0, 6).map(lambda unit: (unit * 0x2F0F0F0F + unit % 2) & 0xFFFFFFFE)
documents = st.lists(st.lists(units, min_size=1, max_size=12), max_size=10)


def index_of(documents: list[list[int]]) -> Suffixes:
    digest = np.array([unit for document in documents for unit in (*document, BORDER)], dtype=np.uint32)
    return sort_suffixes(digest, marks_of(digest))


def positions(index: Suffixes, low: int, high: int) -> list[int]:
    """The positions from one place of the order to before another."""
    return [int(entry) & (MAX_POSITIONS - 1) for entry in index.order[low:high]]


def marks_of(digest: np.ndarray) -> np.ndarray:
    return (digest % 59).astype(np.uint8)


def common(digest: list[int], position: int, query: list[int], at: int, follows: list[bool]) -> int:
    count = 0
    while (
        at + count < len(query)
        and (not count or follows[at + count])
        and digest[position + count] == query[at + count]
    ):
        count += 1
    return count


@given(documents)
def test_positions_are_in_the_order_of_what_follows_them(documents: list[list[int]]) -> None:
    index = index_of(documents)
    digest = index.digest.tolist()

    def suffix(position: int) -> tuple[list[int], int]:
        return digest[position : digest.index(BORDER, position) + 1], position

    expected = sorted((position for position, unit in enumerate(digest) if unit != BORDER), key=suffix)
    assert positions(index, 0, len(index)) == expected
    assert (
        index.marks()[index.digest != BORDER].tolist()
        == (marks_of(index.digest)[index.digest != BORDER] & 63).tolist()
    )


@settings(max_examples=200)
@given(documents, st.lists(units, max_size=15), st.data())
def test_the_longest_match_from_every_position_equals_brute_force(
    documents: list[list[int]], query: list[int], data: st.DataObject
) -> None:
    index = index_of(documents)
    digest = index.digest.tolist()
    follows = [False] + [data.draw(st.booleans()) for _ in query[1:]] if query else []
    wanted = np.array(query, dtype=np.uint32)
    found = look_up(index, wanted, marks_of(wanted))
    depth, low, high = prolong(index, wanted, np.array(follows, dtype=bool), found, 0)
    ours = {
        segment: (count, sorted(positions(index, first, last)))
        for segment, count, first, last in zip(
            found.segment.tolist(), depth.tolist(), low.tolist(), high.tolist(), strict=True
        )
    }
    expected = {}
    for at in range(len(query)):
        lengths = {position: common(digest, position, query, at, follows) for position in range(len(digest))}
        longest = max(lengths.values(), default=0)
        if longest:
            expected[at] = longest, [position for position, length in lengths.items() if length == longest]
    assert ours == expected


def test_a_segment_of_many_occurrences_is_found_by_halving() -> None:
    stock = [[7, 8, 9, 1000 + number] for number in range(500)]
    index = index_of([*stock, [7, 8, 5], [3, 4]])
    query = np.array([7, 8, 9, 1234, 2], dtype=np.uint32)
    found = look_up(index, query, marks_of(query))
    assert found.segment.tolist() == [0, 1, 2, 3]
    assert (found.high - found.low).tolist() == [501, 501, 500, 1]
    depth, low, high = prolong(index, query, np.array([False, True, True, True, True]), found, 0)
    assert depth.tolist() == [4, 3, 2, 1]
    assert (high - low).tolist() == [1, 1, 1, 1]
    depth, low, high = prolong(index, query, np.array([False, True, True, True, True]), found, 500)
    assert depth.tolist() == [3, 2, 1, 1]


def test_a_segment_with_other_marks_is_none() -> None:
    index = index_of([[5, 6, 7]])
    query = np.array([5, 6, 7], dtype=np.uint32)
    assert look_up(index, query, marks_of(query) + 1).segment.tolist() == []


def test_an_empty_index_has_nothing() -> None:
    query = np.array([5], dtype=np.uint32)
    assert look_up(index_of([]), query, marks_of(query)).segment.tolist() == []


def test_a_digest_that_positions_cannot_count_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ruiji.detector.copies.suffixes.MAX_POSITIONS", 3)
    with pytest.raises(ValueError, match="at most 3 positions"):
        index_of([[1, 2, 3]])


def test_a_document_of_25_segments_takes_less_than_240_bytes() -> None:
    random = np.random.default_rng(1)
    for documents in (1000, 1200, 1400, 1639, 1700, 2000):
        digest = random.integers(0, BORDER, 26 * documents, dtype=np.uint32)
        digest[25::26] = BORDER
        index = sort_suffixes(digest, np.full(len(digest), 30, dtype=np.uint8))
        size = index.digest.nbytes + index.order.nbytes + index.table.nbytes + index.chunks.nbytes
        assert (
            size / documents + 4 + 4 + 8 / 3 <= 240
        )  # with its start, its host, and its share of a host's count
