"""Frames of comments and dialogs: which nodes stand in them, and when they count."""

from __future__ import annotations

import numpy as np
import pytest

from ruiji.chunker.stack.ensemble import without_frames
from ruiji.chunker.stack.frames import (
    COMMENTS,
    DIALOGS,
    FRAMES,
    OUT,
    _holding,
    _inside,
    nodes_inside,
    out_of_place,
)
from ruiji.features.nodes.forest import forest
from tests.factories import make_nodes

PAGE = "<p>The harbour is busy.</p><div {}><p>I was there.</p><p>So was I.</p></div><p>About us</p>"


@pytest.mark.parametrize(
    "names",
    ["id=comments", "class='wide commentlist'", "id=dsq-comments", "role=dialog", "class=modal-body"],
)
def test_what_stands_in_a_frame_goes_where_the_likeliest_stands_outside(names: str) -> None:
    pages = forest([make_nodes(PAGE.format(names))])
    article_first, posts_first = np.array([3.0, 1.0, 2.0, -4.0]), np.array([1.0, 3.0, 2.0, -4.0])
    assert out_of_place(pages, article_first).tolist() == [False, True, True, False]
    assert not out_of_place(pages, posts_first).any()


@pytest.mark.parametrize(
    "names", ["class=comment-count", "id=leave-a-comment", "class=commentary", "id=modality", ""]
)
def test_other_names_are_no_frames(names: str) -> None:
    nodes = make_nodes(PAGE.format(names))
    assert not any(
        nodes_inside(nodes, pattern, part).any()
        for pattern, part in ((COMMENTS, "omment"), (DIALOGS, "dialog"), (DIALOGS, "modal"))
    )


def test_each_page_and_each_kind_of_frame_is_judged_by_itself() -> None:
    both = "<p>One</p><div id=comments><p>Two</p></div><div role=dialog><p>Three</p></div>"
    pages = forest([make_nodes(both), make_nodes(both), make_nodes("<p>")])
    odds = np.array([1.0, 2.0, 0.0, 2.0, 1.0, 0.0])
    assert out_of_place(pages, odds).tolist() == [False, False, True, False, True, True]


def test_a_page_that_is_all_frame_keeps_its_odds() -> None:
    pages = forest([make_nodes("<div id=comments><p>One</p><p>Two</p></div>")])
    assert not out_of_place(pages, np.array([1.0, 2.0])).any()


def test_what_goes_is_not_taken_for_content_and_what_was_less_likely_stays_so() -> None:
    pages = forest([make_nodes(PAGE.format("id=comments"))])
    changed = without_frames(np.array([3.0, 2.0, -8.0, -4.0]), pages)
    assert changed.tolist() == [3.0, OUT, -8.0, -4.0]


def test_the_frames_of_many_pages_are_those_of_each() -> None:
    nested = (
        "<div class=comments><p>One</p><div id=comments><p>Two</p></div></div>"
        "<p>Three</p><i class=Comments></i>"
    )
    sources = [
        PAGE.format("id=comments"),
        nested,
        "<p>",
        PAGE.format("class='modal dialog'"),
        PAGE.format(""),
    ]
    pages = [make_nodes(source) for source in sources]
    for pattern, part in FRAMES:
        of_each = [nodes_inside(nodes, pattern, part) for nodes in pages]
        whole = forest(pages)
        numbers = _holding("\0".join(whole.name_kinds[1]), part)
        assert _inside(whole, pattern, numbers).tolist() == np.concatenate(of_each).tolist()


def test_names_that_hold_a_part_are_found_wherever_they_stand() -> None:
    assert [*_holding("\0".join(["modal", "", "a modal modal", "mod", "al", "modal"]), "modal")] == [0, 2, 5]
    assert not [*_holding("", "modal")]
