"""Annotation comments become labels of text nodes; faults are named."""

from __future__ import annotations

import pytest

from ruiji.chunker.annotation.reading import (
    AnnotationError,
    annotated_mask,
    annotated_regions,
    read_annotation,
)
from ruiji.chunker.labels import Region
from ruiji.corpora import Page
from ruiji.features import text_nodes
from tests.factories import PROSE, make_nodes, make_page

BEGIN, END = "<!-- (((BEGIN NOT CONTENT -->", "<!-- )))END NOT CONTENT -->"


def content(html: str) -> list[bool]:
    return annotated_mask(text_nodes(Page("x", "x", html))).content.tolist()


def test_nodes_between_the_comments_are_non_content() -> None:
    assert content(f"<p>a</p>{BEGIN}<ul><li>b<li>c</ul>{END}<p>d{BEGIN}e{END}f") == [
        True,
        False,
        False,
        True,
        False,
        True,
    ]


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
        (
            f"{BEGIN}a<!-- ))END NOT CONTENT -->",
            "a misspelt marker '))END NOT CONTENT', before the end of the page",
        ),
    ],
)
def test_faults_are_named_with_the_text_they_stand_before(html: str, fault: str) -> None:
    with pytest.raises(AnnotationError, match=r".") as error:
        content(html)
    assert fault in str(error.value)


def read(html: bytes | str) -> list[Region]:
    page = make_page(html)
    return read_annotation(page, text_nodes(page))


def fault_of(html: bytes | str) -> str:
    with pytest.raises(AnnotationError) as error:
        read(html)
    return str(error.value)


def test_regions_side_by_side_stay_two_and_those_without_text_are_left_out() -> None:
    html = f"{BEGIN}a{END}{BEGIN}b<p>c{END}{BEGIN}<img>{END}d"
    assert annotated_regions(make_nodes(html)) == read(html) == [(0, 1), (1, 3)]


def test_a_page_without_markers_has_no_regions() -> None:
    assert read("<p>a") == []


@pytest.mark.parametrize(
    ("html", "fault"),
    [
        (f"x\n{BEGIN}a", "line 2: the last region never ends"),
        (f"a\n\n{END}b", "line 3: a region ends that never began, before 'b'"),
        (f"{BEGIN}a\n{BEGIN}b{END}", "line 2: a region begins inside another, before 'b'"),
        (f"{BEGIN}a\n{BEGIN}b{END}\n{END}", "line 2: a region begins inside another, before 'b'; "
         "line 3: a region ends that never began, before the end of the page"),
        (f"\n<table>x\n{BEGIN}\n<tr><td>y{END}</table>\n{BEGIN}z", "line 5: the last region never ends"),
    ],
)  # fmt: skip
def test_faults_are_named_with_their_line(html: str, fault: str) -> None:
    assert fault_of(html) == fault


@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("codec", ["cp932", "euc_jp", "iso2022_jp", "utf-8-sig", "utf-16", ""])
def test_lines_are_counted_in_every_encoding(codec: str, line_end: str) -> None:
    html = line_end.join(("<p>表示", f"<p>{PROSE}", "", f"<p>ソ{END}能", "<p>十"))
    assert (
        fault_of(html.encode(codec) if codec else html)
        == "line 4: a region ends that never began, before '能'"
    )


@pytest.mark.parametrize(
    "marker",
    [
        "(((BEGIN NOT CONTENTS", "((BEGIN NOT CONTENT", "((((BEGIN NOT CONTENT", "BEGIN NOT CONTENT",
        "(((begin not content",
        "(((Begin Not Content", "(((BEGIN NOTCONTENT", "(((BEGIN NOT-CONTENT", "(((BEGIN NON CONTENT",
        "(((BEGIN CONTENT",
        "(((BEGN NOT CONTENT", "(((BEGIN NOT CONTNET", ")))BEGIN NOT CONTENT", "(((END NOT CONTENT",
        "(((BEGIN NOT CONTENT)))",
        "（（（BEGIN NOT CONTENT", "(((ＢＥＧＩＮ NOT CONTENT", "- (((BEGIN NOT CONTENT",
        "(((BEGIN NOT CONTENT -",
    ],
)  # fmt: skip
def test_misspelt_markers_are_named(marker: str) -> None:
    assert fault_of(f"<p>a\n<p>b<!-- {marker} -->c") == f"line 2: a misspelt marker {marker!r}, before 'c'"


@pytest.mark.parametrize("opening", ["<! --", "<!-", "</--", "<?--"])
def test_a_marker_whose_comment_begins_wrongly_is_misspelt(opening: str) -> None:
    assert fault_of(f"a\n{opening} (((BEGIN NOT CONTENT -->b").startswith("line 2: a misspelt marker ")


@pytest.mark.parametrize(
    "text",
    [
        "< !-- (((BEGIN NOT CONTENT -->",
        "<-- (((BEGIN NOT CONTENT -->",
        "(((BEGIN NOT CONTENT -->",
        "))END NOT CONTENT",
    ],
)
def test_a_marker_that_is_text_is_named(text: str) -> None:
    assert fault_of(f"<p>a\n{text}b") == "line 2: a marker stands as text, not as a comment"


@pytest.mark.parametrize(
    "name", ["script", "style", "textarea", "title", "xmp", "iframe", "noframes", "plaintext"]
)
def test_a_marker_in_raw_text_is_named(name: str) -> None:
    assert (
        fault_of(f"<p>a\n<{name}>\n{BEGIN}</{name}>b")
        == f"line 3: a marker stands inside <{name}>, where there are no comments"
    )


@pytest.mark.parametrize("tag", [f"<div {BEGIN} class=x>", f"<div title='{BEGIN}'>", f"</div {BEGIN}>"])
def test_a_marker_inside_a_tag_is_named(tag: str) -> None:
    assert fault_of(f"a\n{tag}b").startswith("line 2: a marker stands inside the tag <")


def test_a_marker_where_no_text_is_shown_is_named() -> None:
    assert (
        fault_of(f"a\n<template>{BEGIN}</template>b")
        == "line 2: the marker '(((BEGIN NOT CONTENT' stands where the parser shows no text"
    )


@pytest.mark.parametrize(
    "rest", ["\n<p>b</p><!-- other -->c", "\n<p>b</p>", " ->\n<p>b</p>", " -- ><p>b</p>-->", " >b</p>"]
)
def test_a_marker_whose_comment_is_not_closed_is_named(rest: str) -> None:
    swallowed = (
        "line 2: the comment of the marker '(((BEGIN NOT CONTENT' is not closed and swallows what follows"
    )
    assert fault_of(f"a\n<!-- (((BEGIN NOT CONTENT{rest}") == swallowed
    assert (
        fault_of(f"a\n<!-- (((BEGIN NOT CONTENT <p>b\n{END}c")
        == f"{swallowed}; line 3: a region ends that never began, before 'c'"
    )


@pytest.mark.parametrize(
    "html",
    [
        "<!-- BEGIN CONTENT -->a<!-- END CONTENT --><!-- begin #content --><!-- END FOOTNOTE CONTENT "
        "--><!-- ((( --><!-- CONTENT -->",
        "<code>&lt;!-- (((BEGIN NOT CONTENT --&gt;</code>",
        "<!-- regions stand between (((BEGIN NOT CONTENT and )))END NOT CONTENT in all pages of this "
        "site -->a",
        "<p>The beginning is not content.",
    ],
)
def test_what_only_looks_a_little_like_a_marker_is_no_fault(html: str) -> None:
    assert read(html) == []


def test_a_page_full_of_faults_has_a_short_message() -> None:
    fault = fault_of(f"{END}a\n" * 100)
    assert fault.count("line ") == 20
    assert fault.endswith("; and 80 more")
