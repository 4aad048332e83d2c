"""Regions become annotation comments: nothing else in the page changes, and they read back as the same
regions of the same nodes.
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from random import Random

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from ruiji.chunker.annotation.reading import AnnotationError, read_annotation
from ruiji.chunker.annotation.writing import annotate
from ruiji.chunker.labels import Region
from ruiji.corpora import Page, read_pages
from ruiji.features import text_nodes
from ruiji.features.page.nesting import MAX_DEPTH
from ruiji.features.page.parser_input import PageFailed
from ruiji.features.page.textnodes import TextNodes
from tests.factories import PROSE, make_nodes, make_page
from tests.paths import DATA
from tests.strategies import html_soup, html_trees

BEGIN, END = "<!-- (((BEGIN NOT CONTENT -->", "<!-- )))END NOT CONTENT -->"
MARKER = re.compile(r"<!--\s*(?:\(\(\(BEGIN|\)\)\)END) NOT CONTENT\s*-->")


def written(html: str, *regions: Region) -> str:
    """The annotated page, in short: [ for a begin, ] for an end."""
    output = annotate(make_page(html), regions)
    assert isinstance(output, str)
    return output.replace(BEGIN, "[").replace(END, "]")


def is_impossible(fault: AnnotationError) -> bool:
    """Whether the markup has no place for a comment, which is the only excuse."""
    return str(fault).startswith("page page: no comment can stand")


def check_round_trip(page: Page, regions: list[Region]) -> bytes | str:
    """The annotated page, after everything that must hold has been checked."""
    nodes = text_nodes(page)
    output = annotate(page, regions)
    assert type(output) is type(page.html)
    again = replace(page, html=output)
    now = text_nodes(again)
    assert read_annotation(again, now) == regions
    assert list(now.texts) == list(nodes.texts)
    assert now.element_paths() == nodes.element_paths()
    assert now.element.tolist() == nodes.element.tolist()
    assert annotate(again, []) == page.html
    assert annotate(again, regions) == output
    return output


def every_region(nodes: TextNodes) -> list[list[Region]]:
    """All nodes one by one, side by side, and together."""
    size = len(nodes)
    return [
        *([(node, node + 1)] for node in range(size)),
        [(node, node + 1) for node in range(size)],
        [(0, size)] if size else [],
    ]


# Where a person would put them


@pytest.mark.parametrize(
    ("html", "regions", "expected"),
    [
        ("<p>a</p><ul><li>b</li><li>c</li></ul><p>d</p>", [(1, 3)], "<p>a</p>[<ul><li>b</li><li>c</li></ul>"
                                                                    "]<p>d</p>"),
        ("<p>a</p><ul><li>b</li><li>c</li></ul><p>d</p>", [(1, 2)], "<p>a</p><ul>[<li>b</li>]<li>c</li></ul>"
                                                                    "<p>d</p>"),
        ("<p>a</p>\n<p>b</p>\n<p>c</p>", [(1, 2)], "<p>a</p>\n[<p>b</p>]\n<p>c</p>"),
        ("<div>a<b>b</b></div><div>c<i>d</i></div>", [(1, 3)], "<div>a[<b>b</b></div><div>c]<i>d</i></div>"),
        ("<p>a</p><p>b</p>", [(0, 1), (1, 2)], "[<p>a</p>][<p>b</p>]"),
        ("<ul><li>a<li>b<li>c</ul>d", [(1, 2)], "<ul><li>a[<li>b]<li>c</ul>d"),
        ("a<br>b<hr>c", [(1, 2)], "a<br>[b]<hr>c"),
        ("<!DOCTYPE html><html><head><title>t</title></head><body><p>a</p></body></html>", [(0, 1)],
         "<!DOCTYPE html><html><head><title>t</title></head><body>[<p>a</p>]</body></html>"),
        ("<table><tr><td>a</td><td>b</td></tr><tr><td>c</td></tr></table>", [(0, 2)],
         "<table>[<tr><td>a</td><td>b</td></tr>]<tr><td>c</td></tr></table>"),
        ("<div><img><script>x</script><p>a</p></div>b", [(0, 1)], "[<div><img><script>x</script><p>a</p>"
                                                                  "</div>]b"),
    ],
)  # fmt: skip
def test_comments_stand_around_whole_elements(html: str, regions: list[Region], expected: str) -> None:
    assert written(html, *regions) == expected


# Hard markup


@pytest.mark.parametrize(
    "html",
    [
        "just text",
        "<p>a\r\n<p>b\r\n",
        "<p>a<div>b</p>c</div>d",
        "<b>a<p>b</b>c</p>d",
        "<table>a<tr>b<td>c</td>d</table>e",
        "<table><tr><td>a<table>b<td>c</table>d",
        "<p>one</b>two<p>three</i> </p>four",
        "x</b> <p>y </i> \n</p> </b> z",
        "<select><option>a<option>b</select>c",
        "<p>a<textarea>b <b> c</textarea>d",
        "<textarea>\n\na</textarea>b",
        "<pre>\na</pre><pre>\r\nb</pre><listing>c</listing><pre>&#10;d</pre>",
        "<svg><text>a</text><![CDATA[b <p> c]]></svg>d<![CDATA[e>f",
        "<math><mi>a</mi><mtext><textarea>b<i></textarea></mtext></math>c",
        "<svg><title>a<b>b</b></title><style>c</style></svg><p>d",
        "<noscript><p>a</noscript>b",
        "a<noscript><iframe src=x /></noscript><p>b<p>c<iframe>d</iframe>e",
        "a<iframe>b<noscript><iframe></noscript>c<p>d<noscript><iframe/></noscript>e",
        "a<template><p>b</template>c",
        "<video>a</video>b<iframe>c<p></iframe>d",
        "a&amp;b&lt<p>&nbsp;c&notit;<p>&",
        "a\0b<p>\0<p>c",
        "1 < 2 <3 <p>a <<b>c</b> < d",
        "<a title='a > b' href=\"<!-- x -->\">c</a>d",
        '<a x="\'>" y=\'">\'>b</a>c<a =">d',
        "<!--[if IE]><p>a</p><![endif]-->b<![if !IE]>c<![endif]>d",
        "a<!-- b > c -- d --!>e<!-->f<!--->g",
        "<script>if (a<b) '</p>'</script>c<script><!-- <script> </script> --></script>d<style>e</style>",
        "<title>a<b></title>b<xmp>c<b></xmp>d",
        "a</ x>b</>c</br>d",
        "<body>a</body>b</html>c<!--d-->e",
        "<p>a<a href='",
        "<p>a<!-- never closed",
        "\ufeffa<p>b",
        "a<br/>b<div/>c</div>d",
        "<button>a<button>b<form>c<form>d<nobr>e<nobr>f",
        "<ruby>a<rp>(</rp><rt>b<rp>)</rp></ruby>c",
        "<!-- x --><!DOCTYPE html><!-- y -->a",
        "<dl><dt>a<dd>b<dt>c</dl>",
        "<p>漢字<br>\u3000<p>\u00a0<p>かな",
        "a" + "</b>" * 50 + " <p>b",
        "a" + "</b> " * 50 + "<p>b<p>" + " </b>" * 50 + "c",
    ],
)
def test_hard_markup_keeps_every_node_and_byte(html: str) -> None:
    page = make_page(html)
    tried = 0
    for regions in every_region(text_nodes(page)):
        try:
            check_round_trip(page, regions)
        except AnnotationError as fault:
            if not is_impossible(fault):
                raise
        else:
            tried += 1
    assert tried


def test_the_document_type_and_the_xml_declaration_stay_first() -> None:
    assert (
        written("<?xml version='1.0'?>\n<!DOCTYPE html>\na", (0, 1))
        == "<?xml version='1.0'?>\n<!DOCTYPE html>[\na]"
    )
    assert written("<p>a<!DOCTYPE html>", (0, 1)).startswith("[<p>a")


def test_a_page_past_the_cap_on_depth() -> None:
    page = make_page("<div>a" * 4200 + "</div>" * 4200 + "<p>b</p>")
    size = len(text_nodes(page))
    assert size == MAX_DEPTH + 1
    check_round_trip(page, [(5, 9), (400, 500), (size - 1, size)])


def test_a_large_page_takes_little_time() -> None:
    page = make_page(
        f"<div class=x><p>ab <a href='x'>cd</a> {PROSE}</p>\n</div></b> " * 6_000
    )  # 1.1 MB, 42,000 tags
    size = len(text_nodes(page))
    start = time.process_time()
    annotate(page, [(first, first + 2) for first in range(0, size - 2, 40)])
    assert time.process_time() - start < 8  # measured: 1.3 s


# Encodings


@pytest.mark.parametrize(
    "codec", ["cp932", "euc_jp", "iso2022_jp", "utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be"]
)
@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"])
def test_bytes_of_any_encoding_stay_as_they_are(codec: str, line_end: str) -> None:
    html = (
        f"<p>表示<b>ソ能</b>~\\{line_end}<ul><li>十<li>「予」</ul>{line_end}<p>{PROSE}</p>{line_end}<p "
        "title='噂>'>表"
    )
    label = (
        "; charset=" + codec.replace("-le", "le").replace("-be", "be")
        if codec in ("utf-16-le", "utf-16-be")
        else ""
    )
    page = make_page(html.encode(codec), content_type=f"text/html{label}")
    nodes = text_nodes(page)
    assert (nodes.texts[0], nodes.texts[-1]) == ("表示", "表")
    for regions in every_region(nodes):
        output = check_round_trip(page, regions)
        assert isinstance(output, bytes)
        assert MARKER.sub("", output.decode(codec)) == html


def test_iso_2022_jp_in_a_japanese_state_at_the_end_of_the_page() -> None:
    page = make_page(("<p>あ<p>" + PROSE).encode("iso2022_jp").removesuffix(b"\x1b(B"))
    check_round_trip(page, [(0, 1)])
    with pytest.raises(
        AnnotationError, match=r"^page page: no comment can stand after '港町.*', the last text$"
    ):
        annotate(page, [(1, 2)])


def test_lone_surrogates_and_half_a_character_stay() -> None:
    check_round_trip(make_page("<p>\ud800a<p>b\udc00"), [(0, 1), (1, 2)])
    check_round_trip(make_page("\ufeff<p>a<p>b".encode("utf-16-le") + b"\x41"), [(0, 1)])
    check_round_trip(
        make_page("<p>あ</p><p>".encode() + "い".encode()[:2], content_type="text/html; charset=utf-8"),
        [(0, 1), (1, 2)],
    )


# Markers that are there already


def test_writing_what_is_read_changes_nothing() -> None:
    html = "a<!--\n(((BEGIN NOT  CONTENT-->b<!--)))END\nNOT CONTENT-->c"
    page = make_page(html)
    assert annotate(page, read_annotation(page, text_nodes(page))) == html


def test_a_border_inside_a_run_of_text_is_put_back() -> None:
    html = f"<p>a {BEGIN}b{END} c</p><p>d</p>"
    assert written(html, (1, 2)) == "<p>a [b] c</p><p>d</p>"
    assert written(html, (1, 4)) == "<p>a [b c</p><p>d</p>]"


def test_where_an_old_marker_in_a_run_of_text_goes_two_nodes_become_one() -> None:
    html = f"<p>a {BEGIN}b{END} c</p><p>d</p>"
    output = annotate(make_page(html), [(0, 3)])
    assert output == f"{BEGIN}<p>a b c</p>{END}<p>d</p>"
    assert list(make_nodes(output).texts) == ["a b c", "d"]


def test_unbalanced_markers_and_those_in_templates_are_replaced_too() -> None:
    assert (
        written(f"{END}<p>a</p>{BEGIN}{BEGIN}<template>{END}</template><p>b</p>", (0, 1))
        == "[<p>a</p>]<template></template><p>b</p>"
    )


def test_a_marker_that_ends_an_unclosed_comment_is_kept_or_asked_for() -> None:
    html = f"<p>a</p><!-- old -> <p>gone</p> {BEGIN}b{END}c"
    assert written(html, (1, 2)) == "<p>a</p><!-- old -> <p>gone</p> [b]c"
    assert written(html) == "<p>a</p><!-- old -> <p>gone</p> []bc"
    with pytest.raises(
        AnnotationError,
        match=r"^page page: line 1: the marker here ends a comment that is not closed before it",
    ):
        annotate(make_page(html), [(0, 2)])


def test_a_page_of_nothing_but_markers_becomes_empty() -> None:
    assert annotate(make_page(f"{BEGIN}{END}"), []) == ""


# What cannot be


@pytest.mark.parametrize(
    ("html", "region", "fault"),
    [
        ("<p>a<plaintext>b", (1, 2), "no comment can stand after 'b', the last text"),
        ("a<p><textarea>b", (1, 2), "no comment can stand after 'b', the last text"),
        ("<table>a<br>b<td>c", (0, 1), "no comment can stand between 'a' and 'b' (text nodes 0 and 1)"),
        ("a<p>b<!-- ((BEGIN NOT CONTENT -->", (0, 1), "line 1: a misspelt marker '((BEGIN NOT CONTENT'"),
    ],
)
def test_a_region_that_cannot_be_written_is_named(html: str, region: Region, fault: str) -> None:
    with pytest.raises(AnnotationError) as error:
        annotate(make_page(html), [region])
    assert str(error.value).startswith(f"page page: {fault}")


@pytest.mark.parametrize("regions", [[(1, 1)], [(0, 9)], [(-1, 1)], [(0, 2), (1, 3)], [(1, 2), (0, 1)]])
def test_what_are_no_regions_is_refused(regions: list[Region]) -> None:
    with pytest.raises(ValueError, match="region"):
        annotate(make_page("<p>a<p>b<p>c"), regions)


# Any markup

_PIECES = st.sampled_from(
    "a|b |\u3042| |\n|\r\n|&amp;|&lt|<|1 < 2|\0|<!--x-->|<!-- y > z -->|<![CDATA[q<b>r]]>|<![endif]>|</>|</ "
    "x>|<a href='x>y'>|</a>|"
    "<script>if (a<b) x</script>|<script><!-- <script> </script> "
    "--></script>|<textarea>\nt<b></textarea>|<title>t<b></title>|"
    "<xmp>x<b></xmp>|<pre>\nfoo|<pre>|</pre>|<select>|<option>|</select>|<svg>|</svg>|<math>|<mi>|</math>"
    "|<foreignObject>|<desc>|<noscript>|</noscript>|"
    "<template>|</template>|<iframe>x</iframe>|<!doctype "
    "html>|<html>|<head>|</head>|<body>|</body>|</html>|<br>|</br>|<hr>|<img alt='>'>|"
    "<table>|</table>|<tr>|<td>|</td>|<tbody>|<caption>|<colgroup>|<col>|<b>|</b>|<i>|</i>|<p>|</p>|<div>|</"
    "div>|<ul>|<li>|</ul>|"
    "<button>|<form>|</form>|<nobr>|<ruby>|<rt>|<object>|<frameset>|<plaintext>".split("|")
)
any_markup = st.one_of(html_soup, html_trees, st.lists(_PIECES, max_size=25).map("".join))


@st.composite
def regions_of_size(draw: st.DrawFn, size: int) -> list[Region]:
    borders = sorted(draw(st.lists(st.integers(0, size), max_size=8)))
    return [(start, end) for start, end in zip(borders[::2], borders[1::2], strict=False) if start < end]


@given(html=any_markup, data=st.data())
@example(html="<p>a</b> </p>b", data=None)
def test_any_regions_of_any_markup_round_trip(html: str, data: st.DataObject | None) -> None:
    page = make_page(html)
    try:
        size = len(text_nodes(page))
    except PageFailed:
        return
    regions = data.draw(regions_of_size(size)) if data else [(0, 1)]
    try:
        output = check_round_trip(page, regions)
    except AnnotationError as fault:
        if not is_impossible(fault):
            raise
    else:
        assert isinstance(output, str)
        assert MARKER.sub("", output) == html


def possible_borders(page: Page, html: str) -> set[int]:
    """By brute force: the numbers of nodes before a comment that stands anywhere in the page and changes no
    node.
    """
    nodes, found = text_nodes(page), set()
    for place in range(len(html) + 1):
        now = make_nodes(f"{html[:place]}<!--CONTENT-->{html[place:]}")
        same = (
            list(now.texts) == list(nodes.texts)
            and now.element.tolist() == nodes.element.tolist()
            and now.tag == nodes.tag
        )
        if same and now.parent.tolist() == nodes.parent.tolist():
            found |= {count for count, comment in now.marks if comment == "CONTENT"}
    return found


@given(html=any_markup)
def test_a_region_is_refused_only_where_no_comment_in_the_whole_page_could_begin_or_end_it(html: str) -> None:
    page = make_page(html)
    try:
        size = len(text_nodes(page))
    except PageFailed:
        return
    possible = possible_borders(page, html) if size else set()
    for node in range(size):
        if {node, node + 1} <= possible:
            annotate(page, [(node, node + 1)])
        else:
            with pytest.raises(AnnotationError, match="no comment can stand"):
                annotate(page, [(node, node + 1)])


# Real pages


def random_regions(random: Random, size: int) -> Iterator[Region]:
    start = 0
    while start < size:
        end = min(size, start + random.choice((1, 1, 2, 5, 20)))
        if random.random() < 0.3:
            yield start, end
        start = end


@pytest.mark.data
@pytest.mark.skipif(
    not DATA.is_dir(), reason="the annotated pages are not here; RUIJI_DATA names their folder"
)
@pytest.mark.parametrize("collection", ["ja-sites", "web"])
def test_random_regions_of_real_pages_round_trip(collection: str) -> None:
    tried = 0
    for path in sorted(DATA.glob(f"{collection}/*.jsonl.gz")):
        for page in islice(read_pages([path]), 0, None, 60):
            assert isinstance(page.html, str)
            bare = replace(page, html=MARKER.sub("", page.html))
            check_round_trip(bare, list(random_regions(Random(page.id), len(text_nodes(bare)))))
            tried += 1
    assert tried >= 19
