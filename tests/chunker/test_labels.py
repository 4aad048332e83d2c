"""IOB2 labels: regions in, labels out, and back."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from ruiji.chunker.labels import (
    LABELS,
    B,
    I,
    LabelArray,
    O,
    Region,
    as_names,
    as_numbers,
    labels_of,
    labels_of_mask,
    on_common_nodes,
    regions_of,
)

any_labels = st.lists(st.sampled_from("OBI"), max_size=30).map(as_numbers)


@st.composite
def pages_with_regions(draw: st.DrawFn) -> tuple[list[Region], int]:
    """Regions in order that do not overlap but may touch, and the size of their page."""
    borders = draw(st.lists(st.integers(0, 25), max_size=12).map(sorted))
    regions = [(start, end) for start, end in zip(borders[::2], borders[1::2], strict=False) if start < end]
    return regions, (regions[-1][1] if regions else 0) + draw(st.integers(0, 4))


def regions_by_hand(labels: LabelArray) -> list[Region]:
    """The regions, read one label after another."""
    regions: list[Region] = []
    start = None
    for at, label in enumerate([*labels.tolist(), O]):
        if start is not None and label != I:
            regions.append((start, at))
            start = None
        if label == B or (label == I and start is None):
            start = at
    return regions


@given(pages_with_regions())
@example(([(0, 1), (1, 2)], 2))
def test_regions_come_back_from_their_labels(page: tuple[list[Region], int]) -> None:
    regions, size = page
    labels = labels_of(regions, size)
    assert labels.dtype == np.int8
    assert len(labels) == size
    assert regions_of(labels) == regions


@given(any_labels)
def test_any_labels_are_read_as_one_reads_them_from_left_to_right(labels: LabelArray) -> None:
    regions = regions_of(labels)
    assert regions == regions_by_hand(labels)
    assert regions_of(labels_of(regions, len(labels))) == regions
    assert ((labels_of(regions, len(labels)) == O) == (labels == O)).all()


def test_regions_side_by_side_are_parted_by_b() -> None:
    assert "".join(as_names(labels_of([(1, 3), (3, 4), (4, 6)], 7))) == "OBIBBIO"


def test_empty_regions_leave_no_trace_even_inside_another_page_end() -> None:
    assert "".join(as_names(labels_of([(0, 0), (2, 2), (3, 3)], 3))) == "OOO"
    assert labels_of([], 0).tolist() == []
    assert regions_of(labels_of([], 0)) == []


def test_an_i_after_content_begins_a_region() -> None:
    assert regions_of(as_numbers("IIOIBI")) == [(0, 2), (3, 4), (4, 6)]


@given(st.lists(st.booleans(), max_size=20))
def test_a_mask_has_one_region_for_each_run_and_keeps_its_content(content: list[bool]) -> None:
    mask = np.array(content, dtype=bool)
    labels = labels_of_mask(mask)
    assert ((labels == O) == mask).all()
    regions = regions_of(labels)
    assert all(end < start for (_, end), (start, _) in pairwise(regions))
    assert labels.tolist() == labels_of(regions, len(mask)).tolist()


@given(any_labels)
def test_names_and_numbers_are_the_same_labels(labels: LabelArray) -> None:
    assert as_numbers(as_names(labels)).tolist() == labels.tolist()
    assert as_numbers(np.array(as_names(labels), dtype=str)).tolist() == labels.tolist()
    assert as_numbers(labels.astype(np.int64)).tolist() == labels.tolist()
    assert as_numbers(labels.tolist()).tolist() == labels.tolist()
    assert as_numbers(labels).dtype == np.int8


def test_the_numbers_are_places_among_the_names() -> None:
    assert [LABELS[number] for number in (O, B, I)] == ["O", "B", "I"]


@pytest.mark.parametrize(
    "wrong",
    [
        ["X"],
        ["O", "b"],
        [""],
        ["B-NC"],
        [None],
        np.array([0, 3]),
        np.array([-1]),
        np.array([256]),
        [0, 3],
        [-1],
        [0.5],
        np.array([0.5]),
    ],
    ids=str,
)
def test_what_is_no_label_is_named(wrong: list[str]) -> None:
    with pytest.raises(ValueError, match=r"no IOB2 label: .*; labels are O, B, I"):
        as_numbers(wrong)


def test_numbers_are_copied_so_that_nobody_writes_into_the_caller_s() -> None:
    labels = as_numbers("OBI")
    as_numbers(labels)[0] = I
    assert labels[0] == O


def test_labels_of_two_annotators_come_to_the_same_nodes() -> None:
    """A marker inside a text makes two nodes of it, in the version of one annotator only."""
    one, other = on_common_nodes(["ab", "cd"], as_numbers("BO"), ["a", "bc", "d"], as_numbers("OBI"))
    assert (as_names(one), as_names(other)) == (list("BIOO"), list("OBII"))
    with pytest.raises(ValueError, match="not the same"):
        on_common_nodes(["ab"], as_numbers("O"), ["ac"], as_numbers("O"))


@given(st.lists(st.tuples(st.text("ab", min_size=1, max_size=4), st.sampled_from("OBI"))), st.data())
def test_cutting_nodes_keeps_regions(nodes: list[tuple[str, str]], data: st.DataObject) -> None:
    labels = as_numbers([label for _, label in nodes])
    cuts = [data.draw(st.integers(0, len(text) - 1)) for text, _ in nodes]
    pieces = [
        piece
        for (text, _), cut in zip(nodes, cuts, strict=True)
        for piece in (text[:cut], text[cut:])
        if piece
    ]
    same, _ = on_common_nodes(
        [text for text, _ in nodes], labels, pieces, np.zeros(len(pieces), dtype=np.int8)
    )
    assert len(same) == len(pieces)
    assert len(regions_of(same)) == len(regions_of(labels))
