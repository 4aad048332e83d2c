"""Annotation comments become labels of text nodes; faults are named."""

from __future__ import annotations

import pytest

from chunker import AnnotationError, annotated_mask
from corpora import Page
from features import text_nodes

BEGIN, END = "<!-- (((BEGIN NOT CONTENT -->", "<!-- )))END NOT CONTENT -->"


def content(html: str) -> list[bool]:
    return annotated_mask(text_nodes(Page("x", "x", html))).content.tolist()


def test_nodes_between_the_comments_are_non_content() -> None:
    assert content(f"<p>a</p>{BEGIN}<ul><li>b<li>c</ul>{END}<p>d{BEGIN}e{END}f") == [True, False, False, True, False, True]


def test_regions_may_cross_element_borders_and_stand_in_tables() -> None:
    assert content(f"<div>a{BEGIN}b</div><div>c{END}d</div>") == [True, False, False, True]
    assert content(f"<table><tr><td>{BEGIN}a{END}<td>b</table>") == [False, True]


def test_white_space_in_a_marker_does_not_matter() -> None:
    assert content("<!--(((BEGIN\n NOT  CONTENT-->a<!-- )))END NOT CONTENT-->b") == [False, True]


def test_a_forgotten_comment_end_before_a_marker_is_survived() -> None:
    assert content(f"<p>a</p><!-- old -> <p>gone</p> {BEGIN}b{END}c") == [True, False, True]


@pytest.mark.parametrize(
    ("html", "fault"),
    [
        (f"{BEGIN}a", "the last region never ends"),
        (f"a{END}b", "a region ends that never began, before 'b'"),
        (f"{BEGIN}a{BEGIN}b{END}", "a region begins inside another, before 'b'"),
        ("<!-- (((BEGIN NOT CONTENTS -->a", "a misspelt marker '(((BEGIN NOT CONTENTS'"),
        (f"{BEGIN}a<!-- ))END NOT CONTENT -->", "a misspelt marker '))END NOT CONTENT', before the end of the page"),
    ],
)
def test_faults_are_named_with_the_text_they_stand_before(html: str, fault: str) -> None:
    with pytest.raises(AnnotationError, match=r".") as error:
        content(html)
    assert fault in str(error.value)
