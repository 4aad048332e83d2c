"""Families as trees: every page has its box, every branch leads from the page it was made from."""

from __future__ import annotations

from itertools import pairwise

import pyarrow as pa
from hypothesis import given
from hypothesis import strategies as st

from ruiji.detector.gather import schemas
from ruiji.report.families import ACROSS, BOX_HEIGHT, BOX_WIDTH, DOWN, PAGES_SHOWN, family_trees, fitted


def lineage(parents: list[int]) -> pa.Table:
    """A family: page 0 is the original, page n + 1 was made from the page that the list says."""
    rows = [(0, "http://h.example/0", None, "original")]
    rows += [
        (0, f"http://h.example/{number}", f"http://h.example/{parent}", "copy")
        for number, parent in enumerate(parents, start=1)
    ]
    return pa.Table.from_pylist(
        [dict(zip(schemas.LINEAGE.names, row, strict=True)) for row in rows], schemas.LINEAGE
    )


families = st.integers(1, 40).flatmap(
    lambda size: st.tuples(*(st.integers(0, number) for number in range(size))).map(list)
)


@given(families)
def test_boxes_do_not_meet_and_branches_end_at_their_pages(parents: list[int]) -> None:
    (tree,) = family_trees(lineage(parents), {})
    assert len(tree.boxes) + tree.hidden == len(parents) + 1
    assert len(tree.boxes) == min(len(parents) + 1, PAGES_SHOWN)
    places = {(box.x, box.y) for box in tree.boxes}
    assert len(places) == len(tree.boxes)
    for x in {box.x for box in tree.boxes}:
        lines = sorted(box.y for box in tree.boxes if box.x == x)
        assert all(low + BOX_HEIGHT <= high for low, high in pairwise(lines))
    at = {box.url: box for box in tree.boxes}
    drawn = [(branch.x, branch.y, branch.to_x, branch.to_y) for branch in tree.branches]
    for number, parent in enumerate(parents[: len(tree.boxes) - 1], start=1):
        child, origin = at[f"http://h.example/{number}"], at[f"http://h.example/{parent}"]
        assert child.x == origin.x + ACROSS
        middle = BOX_HEIGHT / 2
        assert (origin.x + BOX_WIDTH, origin.y + middle, child.x, child.y + middle) in drawn
    assert tree.height <= len(tree.boxes) * DOWN


def test_the_largest_families_come_first_and_none_is_none() -> None:
    assert family_trees(schemas.LINEAGE.empty_table(), {}) == []


@given(st.text(max_size=40), st.integers(2, 20))
def test_a_text_that_does_not_fit_is_cut(text: str, cells: int) -> None:
    cut = fitted(text, cells)
    assert cut == text or (cut.endswith("…") and text.startswith(cut[:-1]) and len(cut) <= cells)
