"""The walk in C against the walk in Python: the same steps through any page."""

from __future__ import annotations

import dataclasses

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from selectolax.lexbor import LexborDocumentOptions, LexborHTMLParser

from ruiji.corpora import MINIWEB, read_pages
from ruiji.features.page.parser_input import parser_input
from ruiji.features.page.parsing import text_nodes
from ruiji.features.page.steps import Steps
from ruiji.features.page.walk import steps_of, steps_through, walk, walk_in_c
from tests.factories import make_page
from tests.strategies import html_pages, html_soup, html_trees

built = pytest.mark.skipif(
    walk_in_c() is None,
    reason="features/page/_walk.c was not built here: install a C compiler and run make setup",
)


@pytest.fixture
def in_python(monkeypatch: pytest.MonkeyPatch) -> None:
    """As on a machine without a C compiler."""
    monkeypatch.setattr("ruiji.features.page.walk.walk_in_c", lambda: None)


def by_python(markup: bytes, named: bool, detailed: bool) -> Steps:
    return walk(LexborHTMLParser(markup, options=LexborDocumentOptions.WO_EVENTS), named, detailed)


def by_c(markup: bytes, named: bool, detailed: bool) -> Steps:
    return steps_of(markup, named, with_events=False, detailed=detailed)


def assert_same(markup: bytes) -> None:
    for named, detailed in ((False, False), (True, False), (True, True)):
        assert dataclasses.asdict(by_c(markup, named, detailed)) == dataclasses.asdict(
            by_python(markup, named, detailed)
        )


@built
@settings(max_examples=300)
@given(html=st.one_of(html_soup, html_trees, html_pages))
def test_any_page_gives_the_same_steps(html: str) -> None:
    assert_same(html.encode("utf-8", "replace"))


@built
@pytest.mark.parametrize(
    "html",
    [
        "",
        "<a href>a</a><a href=''>b</a><a href=c></a><a name=d>e</a><a title=t href=u>f</a><a href=g "
        "title=>h</a>",
        "<svg><a xlink:href=x>y</a><a href=z xlink:href=x title=t>y</a></svg>",
        "<svg><title>drawing</title><desc>d</desc><metadata>m</metadata></svg><title>page</title><title>second</title><desc>shown</desc>",
        "<template><p title='a>b'>類似<template>inner</template></p></template><template></template>",
        "<script>if (a < b) '<p>'</script><style>p { }</style><video>no "
        "<b>video</b></video><iframe>x</iframe><audio></audio>",
        "<p>\xa0</p><p>\u3000</p><p>\u2003\n</p><p>\x0b</p><p>\x1c\x1f</p><p>\u3000類</p><p>の\u3000</p><p>\u1680</p><p>\u205f\u200b</p>",
        "<p> \n </p><pre>\n\n a\n</pre> \n <p>b</p>\n<textarea>\n\n</textarea>\n",
        "<!-- C BEGIN NON CONTENT --><p>a</p><!--NON-CONTENT --><!--CONTEN--><!--CC CONTENT--><!---->",
        "<div class='a  b' id=c role='' aria-label=d itemprop=e><p style='display : none' hidden "
        "aria-hidden=true title=t>x</p></div>",
        "<p style='DISPLAY:none'>a</p><p style='d display:no ne'>b</p><p aria-hidden=false>c</p><p "
        "hidden=until-found>d</p><p class></p>",
        "<img alt=a title=b><img title=c><img alt=''><p><img alt=類似></p>",
        "<abbr title=a alt=b>x</abbr><br title=c><iframe title=d></iframe><x-y alt=e title>f</x-y><hr "
        "title=g>",
        "<meta name=description content=a><meta property=og:type value=article><meta name='' property=p "
        "content=c><meta name=n content=''>",
        "<base><base href=''><base href=http://a.example/><base href=http://b.example/><x-y><z>a</z></x-y>",
        "<select><button><selectedcontent></selectedcontent></button><option selected>a</option></select>",
        "<!doctype html><?php x ?><math><mi>x</mi><annotation-xml><p>y</p></annotation-xml></math>"
        "<![CDATA[z]]>",
        "<html><frameset><frame></frameset><noframes>n<b>o</b></noframes></html><!-- behind -->",
        "a\0b<p>\0</p><p class='\0'>\ufffd</p>",
        "<ruby>漢<rp>(</rp><rt>かん</rt>字<rt>じ</rt><rtc><rt>x</rt>y</rtc></ruby><rt>outside</rt><ruby><rt></rt></ruby>",
        "<p>\u00ad</p><p>\ufeff \u200b</p><p>Sil\u00adbe\u200b</p><p>می\u200cخواهم a\u200cb 👩\u200d💻 "
        "c\u200dd</p>",
        "<p> </p><code> <span>  </span>a</code> <pre>\n<b> </b>\n</pre><p>\u200b\n</p>",
        "<script type=application/ld+json>{}</script><script type='math/tex; "
        "mode=display'>x</script><script>y</script>",
        "<td colspan=2 rowspan>a</td><table><td colspan=2 rowspan=''>b<td hidden><img src=x srcset=y "
        "data-src=z></table>",
    ],
)
def test_a_page_of_the_rarer_kind_gives_the_same_steps(html: str) -> None:
    assert_same(html.encode())


@built
def test_a_page_of_bytes_that_are_no_characters_gives_the_same_steps() -> None:
    assert_same(b"<p>\xff\xfe</p><p class='\x80'>\xe3\x80</p><script>\xc2</script>")


@built
def test_a_tree_of_any_depth_gives_the_same_steps() -> None:
    assert_same(b"<div><b>" * 20_000 + b"x")


@built
def test_the_mini_web_gives_the_same_steps() -> None:
    for page in read_pages([str(MINIWEB)]):
        assert_same(parser_input(page).utf8)


def test_without_the_walk_in_c_pages_are_walked_in_python(in_python: None) -> None:
    nodes = text_nodes(
        make_page("<title>t</title><p class=c>a <a href=/b>b</a><select><button><selectedcontent>")
    )
    assert (list(nodes.texts), list(nodes.hrefs), nodes.title) == (["a ", "b"], ["/b"], "t")


def test_the_chosen_option_is_shown_again_by_both_walks(monkeypatch: pytest.MonkeyPatch) -> None:
    html = (
        b"<select><button><selectedcontent></selectedcontent></button><option>a</option><option "
        b"selected>b</option></select>"
    )
    here = steps_through(html)
    monkeypatch.setattr("ruiji.features.page.walk.walk_in_c", lambda: None)
    assert list(here.texts) == list(steps_through(html).texts) == ["b", "a", "b"]


@built
def test_another_library_in_place_of_the_parser_is_refused() -> None:
    from ruiji.features.page import _walk

    with pytest.raises(ImportError, match="does not export lxb_html_document_create"):
        _walk.bind(_walk.__file__)
    with pytest.raises(ImportError, match="cannot be loaded"):
        _walk.bind("/nowhere/lexbor.so")
