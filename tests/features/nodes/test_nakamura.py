"""The features of Nakamura 2007 by the definitions, tables and figures of section 3.3."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ruiji.features.nodes import nakamura
from ruiji.features.nodes.attributes import Closed, Open
from ruiji.features.nodes.forest import forest
from ruiji.features.nodes.nakamura import ABLATION, NAKAMURA, TAGS, near_tag_1, near_tag_2, near_tag_3
from ruiji.features.nodes.structure import NOT_STRUCTURAL
from ruiji.features.page import elements
from tests.factories import make_nodes
from tests.features.page.oracle import planted
from tests.strategies import html_pages, html_trees

CLOSED = {feature.name: feature for feature in NAKAMURA.features if isinstance(feature, Closed)}


def values(name: str, *pages: str) -> list[str]:
    """The values of a feature at the nodes of pages."""
    feature = CLOSED[name]
    return [
        feature.values[code]
        for code in feature.function(forest([make_nodes(page) for page in pages])).tolist()
    ]


def near_tags(html: str) -> list[list[str]]:
    """The three nearest structural tags of each node, the outermost first as the paper writes them."""
    return [
        list(tags)[::-1]
        for tags in zip(*(values(f"near_tag_{place}", html) for place in (1, 2, 3)), strict=True)
    ]


def table(*cells: str) -> str:
    return "<table>" + "".join(f"<tr><td>{cell}</td></tr>" for cell in cells) + "</table>"


def test_the_set_has_the_features_of_the_paper() -> None:
    """Section 3.3, without the label of the text before, which a chunker adds; the three tags count one
    each.
    """
    assert [feature.name for feature in NAKAMURA.features] == [
        "keyword", "text_length", "verb_or_adjective", "link", "near_tag_1", "near_tag_2", "near_tag_3",
        "depth_change",
        "table_text_length", "table_link_ratio",
    ]  # fmt: skip
    assert all(feature.offsets == (0,) for feature in CLOSED.values())


def test_the_seven_ablations_leave_out_every_feature_once() -> None:
    """Table 4.3."""
    assert len(ABLATION) == 7
    left_out = [name for names in ABLATION.values() for name in names]
    assert sorted(left_out) == sorted(feature.name for feature in NAKAMURA.features)
    for names in ABLATION.values():
        assert len(NAKAMURA.without(names).features) == 10 - len(names)


@pytest.mark.parametrize(
    ("length", "value"),
    [
        (1, "1"),
        (2, "2"),
        (3, "3-5"),
        (5, "3-5"),
        (6, "6-8"),
        (8, "6-8"),
        (9, "9-15"),
        (15, "9-15"),
        (16, "16+"),
        (1000, "16+"),
    ],
)
def test_text_length(length: int, value: str) -> None:
    """Table 3.1."""
    assert values("text_length", f"<p>{'港' * length}") == [value]
    assert values("text_length", f"<p>\n {'a' * length}\u3000 ") == [value]


def test_text_length_of_figure_3_6() -> None:
    assert values("text_length", "<li>お問合せ<p>複数ドメインをお持ちの方、サーバー費用を節約できます") == [
        "3-5",
        "16+",
    ]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("ホーム", "no"),
        ("住まい", "no"),
        ("注意義務を怠ったなどとして、業務上過失致死傷容疑で逮捕した。", "yes"),
        ("美しい港", "yes"),
        ("Copyright", "no"),
    ],
)
def test_verb_or_adjective(text: str, value: str) -> None:
    """Figure 3.7."""
    assert values("verb_or_adjective", f"<p>{text}") == [value]


@pytest.mark.parametrize(
    ("href", "value"),
    [
        ("next.html", "internal"),
        ("/", "internal"),
        ("../up/", "internal"),
        ("#top", "internal"),
        ("http://host.example/other/", "internal"),
        ("http://www.host.example/", "internal"),
        ("//host.example/x", "internal"),
        ("http://other.example/dir/page.html", "external"),
        ("//other.example/", "external"),
        ("http://sub.host.example/", "external"),
    ],
)
def test_links_are_internal_by_a_relative_path_or_the_same_domain(href: str, value: str) -> None:
    """Section 3.3, the two rules after figure 3.7; the page is http://host.example/dir/page.html."""
    assert values("link", f"<p>a<a href='{href}'><b>b</b></a>") == ["none", value]


def test_nearest_tags_of_figure_3_10() -> None:
    """ホーム has body, ul, li above it; the content html, body, p: div, font, a and the like are passed
    over.
    """
    html = (
        "<html><body><div><ul><li><a href=/><font size=2><b>x</b>ホーム</font></a></li></ul></div>"
        "<div><p><span><strong>世界に羽ばたく科学者、技術者を育てる</strong></span></p></div></body></html>"
    )
    assert near_tags(html) == [["ul", "li", "b"], ["body", "ul", "li"], ["html", "body", "p"]]


@pytest.mark.parametrize("tag", "div font a span strong select option pre small kbd".split())
def test_tags_that_are_no_structure_are_passed_over(tag: str) -> None:
    """Table 3.2 and the list before it."""
    inner = f"<{tag}>x</{tag}>" if tag not in ("select", "option") else "<select><option>x</option></select>"
    assert near_tags(f"<body><ul><li>{inner}</li></ul>") == [["body", "ul", "li"]]


@pytest.mark.parametrize("tag", ["em", "b", "i", "center", "blockquote", "code"])
def test_all_other_tags_are_structure(tag: str) -> None:
    assert near_tags(f"<body><ul><li><{tag}>x</{tag}></li></ul>") == [["ul", "li", tag]]


def test_near_tags_of_shallow_texts_and_of_unknown_elements() -> None:
    assert near_tags("<body>x<my-tag>y</my-tag>") == [["none", "html", "body"], ["html", "body", "other"]]


@settings(max_examples=80)
@given(html=st.one_of(html_pages, html_trees.filter(bool)))
def test_near_tags_are_those_of_plain_recursion(html: str) -> None:
    tree = planted(html)
    expected = []
    for text in range(len(tree.texts)):
        tags = [
            tree.tags[element] for element in tree.above(text) if tree.tags[element] not in NOT_STRUCTURAL
        ]
        expected.append(["none", "none", *(tag if tag in elements.NAMES else "other" for tag in tags)][-3:])
    assert near_tags(html) == expected


def test_depth_change_of_figure_3_11() -> None:
    """最新情報 lies below body, ul and li, 共済・会員サービス before it below body and h2: deeper. The first
    text is shallow.
    """
    html = "<body><h2>共済・会員サービス</h2><ul><li>最新情報</li><li>お知らせ</li></ul><h2>交通</h2>"
    assert values("depth_change", html) == ["shallow", "deep", "same", "shallow"]


def test_the_first_text_of_every_page_is_shallow() -> None:
    assert values("depth_change", "<body>a", "<p> </p>", "<ul><li>b<li>c", "<p>d<p>e") == [
        "shallow",
        "shallow",
        "same",
        "shallow",
        "same",
    ]


def test_depth_counts_the_tags_that_are_no_structure_too() -> None:
    assert values("depth_change", "<p>a<font>b</font><b>c</b>d") == ["shallow", "deep", "same", "shallow"]


@given(html=st.one_of(html_pages, html_trees.filter(bool)))
def test_depth_change_by_plain_recursion(html: str) -> None:
    tree = planted(html)
    depths = [len(tree.above(text)) for text in range(len(tree.texts))]
    changes = [
        "shallow" if depth < before else "deep" if depth > before else "same"
        for before, depth in pairwise(depths)
    ]
    assert values("depth_change", html) == (["shallow", *changes] if depths else [])


@pytest.mark.parametrize(
    ("lengths", "value"),
    [
        ([1], "1"),
        ([1, 1, 1], "1"),
        ([1, 2], "1-4"),
        ([1] * 99 + [2], "1-4"),
        ([3, 4], "1-4"),
        ([4] * 99 + [3], "1-4"),
        ([4], "4+"),
        ([3, 5], "4+"),
        ([1, 1, 10], "4+"),
        ([300, 1], "4+"),
    ],
)
def test_average_text_length_in_a_table(lengths: list[int], value: str) -> None:
    """Table 3.4."""
    assert values("table_text_length", table(*("港" * length for length in lengths))) == [value] * len(
        lengths
    )


@pytest.mark.parametrize(
    ("links", "others", "value"),
    [
        (0, 3, "0"),
        (1, 99, "0-0.4"),
        (39, 61, "0-0.4"),
        (2, 3, "0.4-0.6"),
        (59, 41, "0.4-0.6"),
        (1, 1, "0.4-0.6"),
        (3, 2, "0.6-1"),
        (99, 1, "0.6-1"),
        (8, 0, "1"),
    ],
)
def test_share_of_links_in_a_table(links: int, others: int, value: str) -> None:
    """Table 3.5."""
    cells = ["<a href=x>港</a>"] * links + ["港"] * others
    assert values("table_link_ratio", table(*cells)) == [value] * len(cells)


def test_a_text_outside_tables_has_neither() -> None:
    html = "<p><a href=x>港町の朝は早い</a>" + table("港") + "<ul><li><a href=x>港町</a></ul>"
    assert values("table_text_length", html) == ["0", "1", "0"]
    assert values("table_link_ratio", html) == ["0", "0", "0"]


def test_the_tables_of_figure_3_13() -> None:
    """The menu has 8 texts, all of them links: 1. The main text has 3, none of them a link: 0."""
    menu = (
        "TOPページ オフィス紹介 診療内容 ドクタースタッフ紹介 歯科情報 予約 問い合わせ ニュースレター".split()
    )
    html = table(*(f"<a href={place}.html>{entry}</a>" for place, entry in enumerate(menu)))
    html += table("高品質で最高の技術を提供します！", "私たちの目的は、", "歯や歯周病などで")
    assert values("table_link_ratio", html) == ["1"] * 8 + ["0"] * 3
    assert values("table_text_length", html) == ["4+"] * 11


def test_all_texts_of_a_table_have_the_average_of_figure_3_15() -> None:
    """オンラインショッピングに関するお問い合わせ has 21 characters, and the value of the short texts around
    it.
    """
    long = "オンラインショッピングに関するお問い合わせ"
    assert forest([make_nodes(f"<p>{long}")]).lengths.tolist() == [21]
    assert values("table_text_length", table(long, *["予約"] * 20)) == ["1-4"] * 21


def test_the_one_text_without_a_link_of_figure_3_16() -> None:
    html = table("INDEX", *(f"<a href={place}>{place}</a>" for place in range(9)))
    assert values("table_link_ratio", html)[0] == "0.6-1"


def test_the_nearest_of_nested_tables_counts() -> None:
    inner = table("<a href=x>港</a>", "<a href=y>町</a>")
    html = (
        f"<table><tr><td>港町の朝は早い</td><td>{inner}</td><td>まだ暗いうちから漁師たちが</td></tr></table>"
    )
    assert values("table_link_ratio", html) == [
        "0.4-0.6",
        "1",
        "1",
        "0.4-0.6",
    ]  # the outer one counts the texts of the inner one too
    assert values("table_text_length", html) == ["4+", "1", "1", "4+"]


def test_tables_of_other_pages_do_not_count() -> None:
    assert values("table_link_ratio", table("<a href=x>港</a>"), table("町"), "<p>a") == ["1", "0", "0"]


def test_keywords_are_nouns_in_lower_case() -> None:
    """『ホーム』『Copyright』『TOP』."""
    (feature,) = (one for one in NAKAMURA.features if isinstance(one, Open))
    trees = forest([make_nodes("<li>ホーム<li>Copyright © 2007<li>ＴＯＰ<li>走る")])
    finds = feature.function(trees)
    found = [
        (int(start), value)
        for start, value in zip(finds.start, finds.spell(range(len(finds.key))), strict=True)
    ]
    assert found == [(0, "ホーム"), (1, "copyright"), (2, "top")]
    assert np.array_equal(finds.end, finds.start + 1)
    assert [feature.key_of(value.upper()) for _, value in found] == finds.key.tolist()


def test_every_tag_has_one_name() -> None:
    codes = nakamura.tag_codes()
    named = {elements.names()[number]: nakamura.TAGS[codes[number]] for number in elements.names()}
    assert all(name == value for name, value in named.items())
    assert nakamura.TAGS[codes[0]] == "none"
    assert nakamura.TAGS[codes[elements.CUSTOM_NUMBER]] == "other"
    assert len(set(nakamura.TAGS)) == len(nakamura.TAGS)


def test_the_nearest_tags_in_a_table_are_td_tr_table() -> None:
    """Nakamura 2007, figure 4.7; the tbody that today's parsers put in between is passed over."""
    trees = forest([make_nodes("<table><tr><td><font>a</font></td></tr></table>")])
    assert [TAGS[int(feature(trees)[0])] for feature in (near_tag_1, near_tag_2, near_tag_3)] == [
        "td",
        "tr",
        "table",
    ]
