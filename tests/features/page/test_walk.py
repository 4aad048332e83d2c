"""The walk over a tree, against plain recursion and on pages whose arrays are known."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from selectolax.lexbor import LexborHTMLParser

from ruiji.features.page import elements
from ruiji.features.page.parsing import text_nodes
from ruiji.features.page.textnodes import NO_LINK, NOSCRIPT, PREFORMATTED, SPACE_BEFORE, TextNodes
from ruiji.features.page.walk import walk
from tests.factories import make_nodes, make_page
from tests.features.page.oracle import planted, recursive_walk
from tests.strategies import HIDDEN, html_pages, html_soup, html_trees

pages = st.one_of(html_soup, html_trees).filter(bool)


@settings(max_examples=150)
@given(html=pages)
def test_texts_lines_and_blocks_are_those_of_a_recursive_walk(html: str) -> None:
    nodes, oracle = make_nodes(html), recursive_walk(html)
    assert list(nodes.texts) == oracle.texts
    assert nodes.block.tolist() == oracle.block
    assert nodes.line.tolist() == oracle.line


@settings(max_examples=150)
@given(html=pages)
def test_elements_are_those_of_a_recursive_walk(html: str) -> None:
    nodes, oracle = make_nodes(html), recursive_walk(html)
    assert [
        [nodes.tag[element] for element in nodes.ancestors(node)] for node in range(len(nodes))
    ] == oracle.ancestors
    assert [int(nodes.depths()[nodes.element[node]]) for node in range(len(nodes))] == [
        len(above) for above in oracle.ancestors
    ]


@settings(max_examples=150)
@given(html=pages)
def test_paths_lead_to_the_element_in_the_page(html: str) -> None:
    nodes, oracle = make_nodes(html), recursive_walk(html)
    assert [nodes.path(node) for node in range(len(nodes))] == oracle.paths


@settings(max_examples=150)
@given(html=pages)
def test_links_and_flags_are_those_of_a_recursive_walk(html: str) -> None:
    nodes, oracle = make_nodes(html), recursive_walk(html)
    assert [None if link == NO_LINK else nodes.hrefs[link] for link in nodes.link.tolist()] == oracle.href
    for flag, expected in (
        (SPACE_BEFORE, oracle.space),
        (NOSCRIPT, oracle.noscript),
        (PREFORMATTED, oracle.preformatted),
    ):
        assert ((nodes.flags & flag) > 0).tolist() == expected


@given(html=pages)
def test_a_parent_comes_before_its_children(html: str) -> None:
    nodes = make_nodes(html)
    assert nodes.parent[0] == -1
    assert all(-1 < parent < element for element, parent in enumerate(nodes.parent.tolist()) if element)
    assert len(nodes.tag) == len(nodes.parent)


@given(
    pieces=st.lists(st.tuples(st.text("abcあ漢", min_size=1, max_size=3), html_soup), min_size=1, max_size=8)
)
def test_every_character_shown_is_in_exactly_one_node(pieces: list[tuple[str, str]]) -> None:
    """Text as it stands in the source, tags of any kind between it: the parser may move it, and loses
    none.
    """
    tags = [
        "".join(
            part for part in soup.replace("<", "\0<").replace(">", ">\0").split("\0") if part.startswith("<")
        )
        for _, soup in pieces
    ]
    tags = [
        tag if not any(f"<{name}>" in tag for name in HIDDEN) and "<!--" not in tag else "<br>"
        for tag in tags
    ]
    nodes = make_nodes("".join(text + tag for (text, _), tag in zip(pieces, tags, strict=True)))
    assert Counter("".join(nodes.texts)) - Counter(" \n\t") == Counter("".join(text for text, _ in pieces))


def test_the_arrays_of_a_small_page() -> None:
    nodes = make_nodes(
        "<title> 港  町 </title><body>top<div>one <b>two</b> <i>three</i><br>four<p>five</p>six</div>"
        "<ul><li>seven<li><a href=/x>eight</a></ul>"
    )
    assert list(nodes.texts) == ["top", "one ", "two", "three", "four", "five", "six", "seven", "eight"]
    assert nodes.block.tolist() == [0, 1, 1, 1, 1, 2, 3, 4, 5]
    assert nodes.line.tolist() == [0, 1, 1, 1, 2, 3, 4, 5, 6]
    assert nodes.flags.tolist() == [0, 0, 0, SPACE_BEFORE, 0, 0, 0, 0, 0]
    assert nodes.link.tolist() == [-1] * 8 + [0]
    assert [nodes.path(node) for node in (0, 2, 5, 7, 8)] == [
        "/html/body", "/html/body/div/b", "/html/body/div/p", "/html/body/ul/li[1]", "/html/body/ul/li[2]/a",
    ]  # fmt: skip
    assert [nodes.tag[element] for element in nodes.ancestors(3)] == ["html", "body", "div", "i"]
    assert nodes.title == "港 町"
    assert dict(nodes.dropped) == {}


@pytest.mark.parametrize("name", sorted(elements.NOT_SHOWN - {"title", "template", "desc", "metadata"}))
def test_what_is_not_shown_is_left_out_and_counted_by_name(name: str) -> None:
    nodes = make_nodes(f"<body>before<{name}>hidden</{name}>after")
    assert list(nodes.texts) == ["before", "after"]
    assert dict(nodes.dropped) == {name: 6}


def test_a_template_is_left_out_and_counted() -> None:
    nodes = make_nodes("<p>a<template>hid<b>den</b></template>b")
    assert list(nodes.texts) == ["a", "b"]
    assert nodes.dropped["template"] >= 6


@pytest.mark.parametrize(
    "html",
    [
        "<template></template>",
        "<template id=x class=long></template>",
        "<script src=x></script>",
        "<video src=x></video>",
    ],
)
def test_an_empty_element_drops_nothing(html: str) -> None:
    assert dict(make_nodes(f"<p>a{html}").dropped) == {}


def test_svg_descriptions_are_left_out_and_do_not_become_the_title() -> None:
    nodes = make_nodes(
        "<body><svg><title>icon</title><desc>drawn</desc><metadata>m</metadata><text>shown</text></svg><p>a"
    )
    assert list(nodes.texts) == ["shown", "a"]
    assert nodes.title == ""
    assert dict(nodes.dropped) == {"desc": 5, "metadata": 1, "title": 4}


def test_the_first_title_counts() -> None:
    nodes = make_nodes("<title>one</title><title>two</title><p>a")
    assert nodes.title == "one"
    assert dict(nodes.dropped) == {"title": 3}


def test_values_of_inputs_are_no_text() -> None:
    nodes = make_nodes(
        "<form><input type=hidden value=secret><input "
        "value=typed><button>send</button><textarea>note</textarea></form>"
    )
    assert list(nodes.texts) == ["send", "note"]


def test_comments_are_no_text_and_annotations_are_marks() -> None:
    nodes = make_nodes("<body>a<!-- other --><!-- (((BEGIN NOT CONTENT -->b<!-- )))END NOT CONTENT -->c")
    assert list(nodes.texts) == ["a", "b", "c"]
    assert [(position, text.strip()) for position, text in nodes.marks] == [
        (1, "(((BEGIN NOT CONTENT"),
        (2, ")))END NOT CONTENT"),
    ]


@pytest.mark.parametrize("start", ["", "<!DOCTYPE html>", "<html>", "<!DOCTYPE html><html><head>", "<body>"])
def test_marks_are_found_wherever_the_parser_puts_them(start: str) -> None:
    """A comment before the first tag stands before the root element in the tree, one after the last stands
    behind it.
    """
    begin, end = "<!-- (((BEGIN NOT CONTENT -->", "<!-- )))END NOT CONTENT -->"
    nodes = make_nodes(f"{begin}{start}a{end}<p>b</p></body></html>{begin}{end}")
    assert [position for position, _ in nodes.marks] == [0, 1, 2, 2]


def test_noscript_is_kept_and_flagged() -> None:
    nodes = make_nodes("<body>a<noscript>b<p>c</p></noscript>d")
    assert list(nodes.texts) == ["a", "b", "c", "d"]
    assert nodes.flags.tolist() == [0, NOSCRIPT, NOSCRIPT, 0]


def test_preformatted_text_is_flagged() -> None:
    nodes = make_nodes("<p>a<pre>b<b>c</b></pre><textarea>d</textarea>e")
    assert [bool(flag & PREFORMATTED) for flag in nodes.flags] == [False, True, True, True, False]


def test_the_innermost_of_nested_anchors_counts() -> None:
    nodes = make_nodes("<a href=1>a<table><tr><td>b<a href=2>c</a>d</td></tr></table>e</a>f")
    found = {
        text: None if link == NO_LINK else nodes.hrefs[link]
        for text, link in zip(nodes.texts, nodes.link.tolist(), strict=True)
    }
    assert found == {"a": "1", "b": "1", "c": "2", "d": "1", "e": "1", "f": None}


def test_an_anchor_in_an_anchor_ends_the_first() -> None:
    nodes = make_nodes("<p><a href=1>a<a href=2>b</a>c")
    assert [None if link == NO_LINK else nodes.hrefs[link] for link in nodes.link.tolist()] == [
        "1",
        "2",
        None,
    ]


def test_anchors_without_a_target_are_no_links() -> None:
    assert make_nodes("<p><a name=x>a</a><a>b</a>").link.tolist() == [NO_LINK, NO_LINK]


def test_anchors_without_content_do_not_shift_the_links() -> None:
    nodes = make_nodes("<p><a href=1></a><a href=2>b</a><a href=3><img></a><a href=4>d</a>")
    assert [nodes.hrefs[link] for link in nodes.link.tolist()] == ["2", "4"]


def test_text_in_a_table_outside_its_cells_comes_before_it() -> None:
    nodes = make_nodes("<table>fostered<tr><td>cell</td>too</tr></table>")
    assert list(nodes.texts) == ["fosteredtoo", "cell"]
    assert nodes.path(0) == "/html/body"


def test_custom_elements_have_their_names() -> None:
    nodes = make_nodes("<my-card><x-y>a</x-y></my-card><blink>b</blink><foo:bar>c</foo:bar>")
    assert [nodes.tag[element] for element in nodes.element.tolist()] == ["x-y", "blink", "foo:bar"]
    assert nodes.path(0) == "/html/body/my-card/x-y"


def test_block_elements_of_html_begin_a_block() -> None:
    for name in ("p", "div", "li", "h1", "td", "section", "dt", "address", "blockquote", "form", "summary"):
        wrap = ("<table><tr>", "</table>") if name == "td" else ("", "")
        nodes = make_nodes(f"a{wrap[0]}<{name}>b</{name}>{wrap[1]}c")
        assert len(set(nodes.block.tolist())) == 3, name


def test_an_empty_block_separates_too() -> None:
    nodes = make_nodes("<body>a<div></div>b<hr>c<span></span>d")
    assert nodes.block.tolist() == [0, 1, 1, 1]
    assert nodes.line.tolist() == [0, 1, 2, 2]


def names(nodes: TextNodes) -> list[tuple[str, list[str]]]:
    """The named elements, with the words of their names in no order."""
    assert nodes.names is not None
    return [(nodes.tag[element], sorted(name.split())) for element, name in nodes.names]


@pytest.mark.parametrize(
    ("start", "words"),
    [
        ("<div class='menu left'>", ["left", "menu"]),
        ("<div id=top>", ["top"]),
        ("<div role=navigation>", ["navigation"]),
        ("<div itemprop=articleBody>", ["articleBody"]),
        ("<div aria-label='Site  search'>", ["Site", "search"]),
        ("<div class=a id=b role=c itemprop=d aria-label=e>", ["a", "b", "c", "d", "e"]),
        ("<div CLASS=Menu>", ["Menu"]),
        ("<div hidden>", ["hidden-at-first"]),
        ("<div hidden=until-found class=x>", ["hidden-at-first", "x"]),
        ("<div aria-hidden=true>", ["hidden-at-first"]),
        ("<div style='color: red; display : none'>", ["hidden-at-first"]),
        ("<div class=x style=display:none>", ["hidden-at-first", "x"]),
    ],
)
def test_attributes_name_an_element(start: str, words: list[str]) -> None:
    assert names(make_nodes(f"{start}a</div><p>b")) == [("div", words)]


@pytest.mark.parametrize(
    "start",
    [
        "<div>",
        "<div class>",
        "<div class='' id=''>",
        "<div aria-hidden=false>",
        "<div style=display:block>",
        "<div title=x data-class=y name=z>",
    ],
)
def test_other_attributes_do_not_name_an_element(start: str) -> None:
    assert names(make_nodes(f"{start}a</div>")) == []


def test_names_stand_in_the_order_of_elements_and_leave_out_what_holds_nothing() -> None:
    nodes = make_nodes(
        "<html class=w><body id=x><div class=empty></div><img class=y><ul class=list><li id=one><b "
        "class=bold>a</b></li></ul><a class=more href=u>b</a><a class=no></a><script "
        "class=s>c</script><my-tag class=t>d</my-tag><span class=p> </span>"
    )
    assert names(nodes) == [("body", ["x"]), ("ul", ["list"]), ("li", ["one"])]
    assert list(nodes.hrefs) == ["u"]


@settings(max_examples=80)
@given(html=st.one_of(pages, html_pages))
def test_looking_at_names_changes_nothing_else(html: str) -> None:
    page = make_page(html)
    looked, passed = text_nodes(page), text_nodes(page, named=False)
    assert passed.names is None
    assert looked.names is not None
    for column in TextNodes.__slots__:
        if column not in (
            "names",
            "described",
            "is_article",
            "markup",
        ):  # the head is only looked at with them
            assert list(getattr(looked, column)) == list(getattr(passed, column)), column


@settings(max_examples=80)
@given(html=st.one_of(pages, html_pages))
def test_elements_hold_the_nodes_from_first_to_before_end(html: str) -> None:
    nodes, tree = make_nodes(html), planted(html)
    assert list(nodes.tag) == tree.tags
    assert [list(range(first, end)) for first, end in zip(nodes.first, nodes.end, strict=True)] == [
        tree.inside(element) for element in range(len(tree.tags))
    ]
    assert (nodes.first.tolist(), nodes.end.tolist()) == (tree.first, tree.end)
    assert [elements.names().get(number, "") for number in nodes.number.tolist()] == [
        tag if tag in elements.numbers() else "" for tag in tree.tags
    ]


def test_first_and_end_of_a_small_page() -> None:
    nodes = make_nodes("<body>a<div>b<p></p><i>c</i></div><ul></ul>d")
    assert list(zip(nodes.tag, nodes.first.tolist(), nodes.end.tolist(), strict=True)) == [
        ("html", 0, 4), ("head", 0, 0), ("body", 0, 4), ("div", 1, 3), ("p", 2, 2), ("i", 2, 3), ("ul", 3, 3),
    ]  # fmt: skip


def test_a_walk_of_an_empty_tree_has_no_texts() -> None:
    trace = walk(LexborHTMLParser(""))
    assert list(trace.texts) == []


def test_the_parser_has_a_number_for_every_element_of_html() -> None:
    known = elements.numbers()
    assert known["div"] != known["p"]
    assert {"a", "script", "noscript", "table", "br", "template"} <= set(known)
    assert elements.names()[known["td"]] == "td"
    assert all(number < elements.CUSTOM_NUMBER for number in known.values())


@pytest.mark.parametrize(
    "name", ["image", "source", "link", "input", "area", "track", "wbr", "param", "col", "frame", "base"]
)
def test_what_is_empty_in_html_may_hold_text_in_a_drawing(name: str) -> None:
    html = f"<body><svg><{name}><title>t</title>a</{name}></svg><p>b"
    nodes, oracle = make_nodes(html), recursive_walk(html)
    assert list(nodes.texts) == oracle.texts
    assert list(nodes.tag) == planted(html).tags
    assert nodes.dropped.get("title") == (1 if "a" in oracle.texts else None)


def test_names_of_elements_are_a_sequence() -> None:
    nodes = make_nodes("<my-card><p>a</p><x-y>b</x-y></my-card>")
    tags = ["html", "head", "body", "my-card", "p", "x-y"]
    assert list(nodes.tag) == [nodes.tag[element] for element in range(6)] == tags
    assert nodes.tag[-1] == "x-y"
    assert nodes.tag[3:5] == ["my-card", "p"]
    assert nodes.tag == make_nodes("<my-card><p>c</p><x-y></x-y></my-card>").tag
    with pytest.raises(IndexError):
        nodes.tag[6]


def test_what_attributes_call_elements_is_a_sequence_of_pairs() -> None:
    found = make_nodes("<div class=a><p id=b>x</p></div>").names
    assert found is not None
    assert list(found) == [found[0], found[1]] == found[:2] == [(3, "a"), (4, "b")]
    assert found == make_nodes("<div class=a><p id=b>y</p></div>").names


def test_a_chosen_option_is_shown_once_more_where_the_page_wants_it() -> None:
    options = "<option>a</option><option selected>b</option></select>"
    assert list(
        make_nodes(f"<select><button><selectedcontent></selectedcontent></button>{options}").texts
    ) == ["b", "a", "b"]
    assert list(make_nodes(f"<select>{options}").texts) == ["a", "b"]
