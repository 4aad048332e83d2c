"""A page as text nodes: what a reader sees of it, what is counted as dropped, and pages that fail."""

from __future__ import annotations

import re
from itertools import islice

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ruiji.corpora import MINIWEB, Page, read_pages
from ruiji.features.page import parser_input
from ruiji.features.page.parser_input import PageFailed
from ruiji.features.page.parsing import text_nodes, text_nodes_of
from ruiji.features.page.textnodes import TextNodes
from tests.factories import PROSE, make_nodes, make_page
from tests.strategies import any_bytes, html_soup


@pytest.mark.parametrize(
    ("html", "shown"),
    [
        ("<p>a b</p>", "a b"),
        ("<p>  a \n\t b  </p>", "a b"),
        ("<p>a</p><p>b</p>", "a\nb"),
        ("<p>a<br>b<hr>c", "a\nb\nc"),
        ("<p>a<b>b</b>c", "abc"),
        ("<p>a <b>b</b> c", "a b c"),
        ("<p>a<b> b </b>c", "a b c"),
        ("<p>a <b> b</b>", "a b"),
        ("<p><b>a</b> <i>b</i>", "a b"),
        ("<p><b>a </b> <i> b</i>", "a b"),
        ("<p><b>a </b> <i>b</i>", "a b"),
        ("<p><b>a</b>\n\n<i>b</i>\n", "a b"),
        ("<div>a<div></div>b</div>", "a\nb"),
        ("<p>a<script>x</script>b", "ab"),
        ("<p>a<!-- x --> <!-- y -->b", "a b"),
        ("<p>\u3000港町\u3000の</p>", "\u3000港町\u3000の"),
        ("<p>a&nbsp;&nbsp;b", "a\u00a0\u00a0b"),
        ("<p>&lt;b&gt; &amp; &copy; &#12354;", "<b> & © あ"),
        ("<table><tr><td>a<td>b<tr><td>c", "a\nb\nc"),
        ("<ul><li>a<li>b</ul>c", "a\nb\nc"),
        ("<pre>a  b\n  c</pre>", "a  b\n  c"),
        ("<pre>\na\n\nb\n</pre>", "a\n\nb"),
        ("<pre>a\n<b>b</b>\nc</pre>", "a\nb\nc"),
        ("<pre><b>a</b>\n<b>b</b></pre>", "a\nb"),
        ("<pre><b>if</b> <i>x</i>:\n    <b>y</b></pre>", "if x:\n    y"),
        ("<p>a</p>\n\n<p>b</p>", "a\nb"),
        ("<p> </p>", ""),
    ],
)
def test_shown_text_is_what_a_reader_sees(html: str, shown: str) -> None:
    assert make_nodes(html).shown_text() == shown


def test_shown_text_of_some_nodes() -> None:
    nodes = make_nodes("<p>a <b>b</b> c<p>d")
    assert nodes.shown_text(np.array([True, False, True, True])) == "a c\nd"
    assert nodes.shown_text(np.array([False, True, False, False])) == "b"
    assert nodes.shown_text(np.zeros(4, dtype=np.bool_)) == ""


def test_pages_together_are_what_they_are_one_by_one() -> None:
    pages = [
        *islice(read_pages([MINIWEB]), 0, None, 4),
        Page("empty", "x"),
        Page("pdf", "x", b"%PDF-1"),
        Page("blank", "x", b"<p> "),
    ]
    together = text_nodes_of(pages)
    assert len(together) == len(pages)
    for page, found in zip(pages, together, strict=True):
        if isinstance(found, PageFailed):
            with pytest.raises(PageFailed, match=re.escape(str(found))):
                text_nodes(page)
            continue
        alone = text_nodes(page)
        for name in TextNodes.__slots__:
            ours, theirs = getattr(found, name), getattr(alone, name)
            assert (
                (ours.tolist(), ours.dtype) == (theirs.tolist(), theirs.dtype)
                if isinstance(ours, np.ndarray)
                else ours == theirs
            ), name


def test_words_do_not_grow_together_where_a_node_between_is_left_out() -> None:
    nodes = make_nodes("<p><b>a</b> <i>x</i><b>b</b>")
    assert nodes.shown_text(np.array([True, False, True])) == "a b"


@given(html=html_soup.filter(bool))
def test_shown_text_has_every_letter_in_order(html: str) -> None:
    nodes = make_nodes(html)
    assert "".join(nodes.shown_text().split()) == "".join("".join(nodes.texts).split())


@given(html=html_soup.filter(lambda html: html and "pre" not in html))
def test_shown_text_has_no_white_space_twice(html: str) -> None:
    for line in make_nodes(html).shown_text().split("\n"):
        assert "  " not in line
        assert line == line.strip(" ")


@given(body=any_bytes)
def test_no_bytes_raise_anything_but_page_failed(body: bytes) -> None:
    try:
        nodes = text_nodes(make_page(body))
    except PageFailed:
        return
    size = len(nodes)
    assert [len(column) for column in (nodes.element, nodes.line, nodes.block, nodes.link, nodes.flags)] == [
        size
    ] * 5
    assert all(text.strip() for text in nodes.texts)
    assert (np.diff(nodes.line) >= 0).all()
    assert (np.diff(nodes.block) >= 0).all()
    nodes.element_paths()
    nodes.shown_text()


@given(text=st.text(max_size=60).filter(bool))
def test_no_text_raises(text: str) -> None:
    nodes = text_nodes(make_page(text))
    assert all(nodes.texts)


@pytest.mark.parametrize(
    ("html", "fields", "reason"),
    [
        (b"", {}, "empty"),
        ("", {}, "empty"),
        (b"", {"error": "cannot be read"}, "cannot be read"),
        (b"%PDF-1.4", {}, "PDF"),
        (b"<p>x", {"content_type": "image/png"}, "image/png"),
    ],
)
def test_a_page_without_text_nodes_fails_with_the_reason(
    html: bytes | str, fields: dict[str, str], reason: str
) -> None:
    with pytest.raises(PageFailed, match=reason):
        make_nodes(html, **fields)


@pytest.mark.parametrize("html", ["<p></p>", " ", "<script>x</script>", "<img>"])
def test_a_page_that_shows_nothing_has_no_nodes(html: str) -> None:
    nodes = make_nodes(html)
    assert len(nodes) == 0
    assert nodes.shown_text() == ""
    assert nodes.line.tolist() == nodes.block.tolist() == nodes.flags.tolist() == []


@pytest.mark.parametrize("limit", [60, 61, 62, 63])
def test_what_is_beyond_the_size_limit_is_counted(monkeypatch: pytest.MonkeyPatch, limit: int) -> None:
    html = "<p>" + "港" * 100
    monkeypatch.setattr(parser_input, "MAX_BYTES", limit)
    nodes = make_nodes(html)
    assert list(nodes.texts) == ["港" * ((limit - 3) // 3)]
    assert dict(nodes.dropped) == {"size": 100 - (limit - 3) // 3}


def test_a_page_of_the_size_limit_is_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parser_input, "MAX_BYTES", 6)
    assert dict(make_nodes("<p>abc").dropped) == {}


def test_undecodable_places_are_counted() -> None:
    nodes = make_nodes(PROSE.encode() + b"\xff" + PROSE.encode())
    assert nodes.dropped["undecodable"] == 1
    assert nodes.encoding == "UTF-8"


def test_encoding_and_evidence_are_kept() -> None:
    nodes = make_nodes(f"<meta charset=x-sjis><p>{PROSE}".encode("cp932"))
    assert (nodes.encoding, nodes.evidence) == ("Shift_JIS", "meta")


def test_nodes_do_not_depend_on_the_encoding_of_the_page() -> None:
    html = f"<title>港</title><p>{PROSE}<b>ｱ①</b>"
    expected = make_nodes(html)
    for codec in ("utf-8", "cp932", "euc_jis_2004", "utf-16"):
        nodes = make_nodes(html.encode(codec))
        assert list(nodes.texts) == list(expected.texts)
        assert nodes.title == expected.title


def test_paths_count_siblings_of_one_name() -> None:
    nodes = make_nodes("<div>a</div><p>b</p><div><span>c</span><span>d</span></div>")
    assert [nodes.path(node) for node in range(4)] == [
        "/html/body/div[1]",
        "/html/body/p",
        "/html/body/div[2]/span[1]",
        "/html/body/div[2]/span[2]",
    ]


def test_paths_count_siblings_that_hold_no_text() -> None:
    nodes = make_nodes("<div></div><div><img></div><div>a</div><script>x</script><script></script>")
    assert nodes.path(0) == "/html/body/div[3]"


def test_depths_and_ancestors_agree() -> None:
    nodes = make_nodes("<div>a<p>b<i>c</i></p></div>")
    depths = nodes.depths()
    for node in range(len(nodes)):
        chain = nodes.ancestors(node)
        assert [int(depths[element]) for element in chain] == list(range(1, len(chain) + 1))
    assert int(depths[0]) == 1


def test_a_processing_instruction_that_is_the_last_child_does_not_end_the_page() -> None:
    assert make_nodes("<div><?php x ?></div><p>kept").texts == ["kept"]
    assert make_nodes("<!doctype html><?xml a?><table><?php x ?><object>a<?b?></table>z").texts == ["a", "z"]
