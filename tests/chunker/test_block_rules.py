"""The rules on blocks, by the figures, examples and table 1 of Kang 2009, and against a version that walks
the tree.
"""

from __future__ import annotations

import unicodedata
from collections import defaultdict
from collections.abc import Iterator

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ruiji.chunker.block_rules import BATCH, HEADINGS, BlockRules, blocks, ink_before, longest_sentences
from ruiji.chunker.filters import load_filter
from ruiji.chunker.mask import ContentMask
from ruiji.features.nodes.forest import forest
from ruiji.features.page import elements
from ruiji.features.page.nesting import MAX_DEPTH
from ruiji.features.page.textnodes import NO_LINK, PREFORMATTED, TextNodes
from tests.factories import PROSE, make_nodes
from tests.strategies import html_pages, html_soup, html_trees

RULES = BlockRules()
# Links with sentences that are long enough
MENU = "<a href=1>トップページへもどる</a> <a href=2>この研究会について</a>"


def mask(html: str, rules: BlockRules = RULES) -> ContentMask:
    (found,) = rules.predict_masks([make_nodes(html)])
    return found


def kept(html: str, rules: BlockRules = RULES) -> str:
    """The content of a page, a line a line."""
    nodes = make_nodes(html)
    return nodes.shown_text(rules.predict_masks([nodes])[0].content)


def partition(html: str, open_share: float = 0.5) -> list[list[str]]:
    """The texts of each block, blocks in the order of their first text."""
    pages = forest([make_nodes(html)])
    found: dict[int, list[str]] = defaultdict(list)
    size = np.diff(ink_before(pages)[pages.characters.starts])
    for number, text in zip(blocks(pages, size, open_share).tolist(), pages.texts, strict=True):
        found[number].append(text)
    return list(found.values())


def longest(html: str) -> int:
    """The longest sentence of a page, whatever its blocks."""
    pages = forest([make_nodes(html)])
    one, all_of_it = np.zeros(len(pages), dtype=np.int32), np.zeros(len(pages), dtype=bool)
    return int(longest_sentences(pages, ink_before(pages), one, all_of_it)[0])


# Section 5.1: blocks


def test_an_element_with_half_of_the_characters_is_opened() -> None:
    """Section 5.1, step 2: "50 % or more" goes one level deeper."""
    assert partition("<div><p>ああ<p>いい</div><ul><li>うう<li>ええ</ul>") == [
        ["ああ", "いい"],
        ["うう", "ええ"],
    ]  # both have exactly half
    assert partition("<div><p>ああ<ul><li>い</ul></div><ul><li>うう<li>ええ</ul>") == [
        ["ああ", "い"],
        ["うう", "ええ"],
    ]  # the first has less


def test_opening_goes_on_until_no_block_has_half() -> None:
    """Section 5.1, step 2."""
    inner = f"<p>{'あ' * 30}</p><dl><dd>{'い' * 30}</dl>"
    html = f"<div><div><section>{inner}</section><ul><li>う</ul></div><ol><li>え</ol></div>"
    assert partition(html) == [["あ" * 30], ["い" * 30], ["う"], ["え"]]


def test_tables_at_the_same_depth_are_one_block() -> None:
    """Section 5.1, step 3: "if a node is a <table> and other nodes of the same depth are, they are put
    together in one block".
    """
    table = "<table><tr><td>{}</td></tr></table>"
    html = (
        table.format("表一") + "<p>段落</p>" + table.format("表二") + "<div>区画</div>" + table.format("表三")
    )
    assert partition(html) == [["表一", "表二", "表三"], ["段落"], ["区画"]]


def test_tables_at_different_depths_are_different_blocks() -> None:
    """Section 5.1, step 3."""
    table = "<table><tr><td>{}</td></tr></table>"
    html = f"<div>{table.format('中の表')}<p>{'あ' * 20}</p><ul><li>{'い' * 20}</ul></div>" + table.format(
        "外の表"
    )
    assert partition(html) == [["中の表"], ["あ" * 20], ["い" * 20], ["外の表"]]


def test_text_directly_in_an_opened_element_is_a_block_of_its_own() -> None:
    html = f"直接{PROSE}<ul><li>一</ul>また<p>二</p>"
    assert partition(html) == [[f"直接{PROSE}", "また"], ["一"], ["二"]]


def test_inline_markup_belongs_to_the_text_around_it() -> None:
    """Our reading: a link inside the paragraph that is most of the page is not torn out of its sentence."""
    html = f"<p>これは<a href=x>港町</a>の<b>話</b>です。{PROSE}</p><div>{MENU}</div>"
    assert kept(html) == f"これは港町の話です。{PROSE}"


def test_inline_elements_around_blocks_are_opened_like_blocks() -> None:
    html = f"<font><b><p>{PROSE}</p><div>{MENU}</div></b></font>"
    assert kept(html) == PROSE


def test_custom_elements_are_told_apart_by_their_names() -> None:
    html = (
        f"<my-menu><div>{MENU}</div></my-menu><my-text><div>{'あ' * 40}</div></my-text><my-text><p>"
        f"{'い' * 40}</p></my-text>"
    )
    assert [len(block) for block in partition(html)] == [2, 2]


# Section 5.2: which blocks are content

FIGURE_13 = """
<table width="100%" border="0" cellspacing="0" cellpadding="0">
  <tr><td><div class="side_text"><a href="/XXX.html">情報労連がウルトラ警備隊の隊員募集</a></td></div></tr>
  <tr><td><div class="side_text"><a href="/XXX.html">狙われた赤城徳彦農相</a></td></div></tr>
  <tr><td><div class="side_text"><a href="/XXX">最薄の液晶テレビが8月に発売</a></td></div></tr>
</table>"""


def test_a_block_of_links_is_not_content() -> None:
    """Figure 13; the page around it is ours."""
    assert kept(FIGURE_13 + f"<p>{PROSE}</p>") == PROSE


FIGURE_15 = """
<table>
<TR><TD width="204" height="18"></TD>
<TD rowspan="2" valign="top" width="536"><h2>クルクミン</h2><br><br>
カレー粉の黄色のもと、ウコン(ターメリック)に含まれる色素で、ポリフェノールの一種です。強い抗酸化作用を持ちます。ウコンには、春ウコンと秋ウコンが
ありますが、クルクミンを多く含んでいるのは秋ウコンです。ウコンは、昔からインドや中国、日本などで黄疸や肝臓、胃腸の薬として利用されてきました。<br>
クルクミンは、赤血球の酸化を抑え、溶血(赤血球が破壊されること)を抑制します。この結果、血中コレステロールを減少させて、血液をサラサラにする効果を
期待することができます。<br><br>スポンサード リンク<br></TD></TR>
<TR>
<TD valign="top" width="204" height="737">
<a href=1>食と健康に関する辞典TOP</a><br>メニュー<br>(食材の栄養成分と働き)<br>
<a href=2>野菜類</a><br><a href=3>穀類・豆類</a><br><a href=4>果実・種実類</a><br><a
href=5>魚介類・海藻類</a><br>
<a href=6>肉類・卵・乳製品</a><br><a href=7>調味料・加工品</a><br><a href=8>ハーブ・スパイス</a><br><a
href=9>飲料</a><br><br>
<a href=10>栄養成分・サプリメント(あ〜こ)</a><br><a href=11>栄養成分・サプリメント(き〜の)</a><br>
<a href=12>栄養成分・サプリメント(は〜ろ)</a><br><a href=13>添加物</a><br>
<a href=14>カロリー・栄養成分早分り</a><br><a href=15>病気予防と食べ物</a></TD></TR>
</table>"""


def test_a_table_layout_is_parted_into_article_and_menu() -> None:
    """Figure 15: the first row is the content block, heading and "sponsored link" included, the second is
    not. Its links are ours.
    """
    nodes = make_nodes(FIGURE_15)
    content = BlockRules().predict_masks([nodes])[0].content
    first_of_menu = nodes.texts.index("食と健康に関する辞典TOP")
    assert content.tolist() == [True] * first_of_menu + [False] * (len(nodes) - first_of_menu)
    assert nodes.texts[0] == "クルクミン"


@pytest.mark.parametrize(
    ("heading", "text"),
    [
        (
            "<div><h1><a href=/>Economics, Technology &amp; Media</a></h1></div>",
            "Economics, Technology & Media",
        ),
        ("<h2>自動車保険</h2>", "自動車保険"),
    ],
)
def test_headings_are_content(heading: str, text: str) -> None:
    """Section 5.2, both examples: "both meet the conditions, but are not taken for non-content"."""
    assert kept(f"{heading}<p>{PROSE}</p>") == f"{text}\n{PROSE}"
    assert kept(f"<div>{heading}{MENU}</div><p>{PROSE}</p>") == f"{text}\n{PROSE}"


def test_a_heading_does_not_save_the_block_around_it() -> None:
    """Section 5.2: what headings enclose is left out of the conditions."""
    html = f"<div><h2>見出しとしてはとても長い一文です。</h2>短い</div><p>{PROSE}</p>"
    assert kept(html) == f"見出しとしてはとても長い一文です。\n{PROSE}"


def test_links_in_headings_and_headings_among_links_do_not_count() -> None:
    """Section 5.2, likewise."""
    linked = f"<div><h2><a href=x>{'あ' * 40}</a></h2>本文はこの一文だけしかない。</div><p>{PROSE}</p>"
    assert mask(linked).content.all()
    among = f"<div><h2>{'あ' * 40}</h2>{MENU}</div><p>{PROSE}</p>"
    assert kept(among) == f"{'あ' * 40}\n{PROSE}"


@pytest.mark.parametrize("level", range(1, 7))
def test_all_six_headings_count(level: int) -> None:
    """Section 5.2."""
    assert kept(f"<p>{PROSE}</p><ul><li><h{level}><b>短い</b></h{level}><li>短い</ul>") == f"{PROSE}\n短い"


@pytest.mark.parametrize(("linked", "content"), [(11, True), (12, False), (13, False)])
def test_half_of_the_characters_in_links_are_too_many(linked: int, content: bool) -> None:
    """Section 5.2: "the share of links is at or above the threshold", 50 %."""
    html = f"<div><a href=x>{'あ' * linked}</a>{'い' * (24 - linked)}</div><p>{PROSE}</p>"
    assert mask(html).content[:2].tolist() == [content, content]


@pytest.mark.parametrize(("length", "content"), [(9, False), (10, False), (11, True)])
def test_ten_characters_are_too_short(length: int, content: bool) -> None:
    """Section 5.2: "the longest sentence is at or below the threshold", 10 characters."""
    assert mask(f"<div>{'あ' * (length - 1)}。短い。</div><p>{PROSE}</p>").content[0] == content


@pytest.mark.parametrize(
    ("length", "sentence"),
    [
        (5, "うう～～～"),
        (5, "プチトマト"),
        (5, "こんにちは"),
        (10, "ごちそうさまでした．"),
        (10, "このページの TOP へ"),
        (20, "m i x i の更新情報をまとめて見るツール．"),
        (20, "ルイジ・グロンバール選手，G F 3 8 に加入"),
        (20, "プロフィールを作って，メールを送るだけ！"),
    ],
)
def test_sentences_are_as_long_as_the_paper_says(length: int, sentence: str) -> None:
    """Table 1: the mark at the end counts, white space does not."""
    assert longest(f"<p>{sentence}</p>") == length
    assert longest(f"<p>はい。{sentence}</p><p>いいえ") == length


@pytest.mark.parametrize(
    ("html", "length"),
    [
        ("<p>本文の<b>文</b>です。つぎ", 7),  # across inline markup
        ("<p>一行目の<br>二行目です", 5),
        ("<p>一段落の</p>二段落です", 5),
        ("<pre>一行目の\n二行目です</pre>", 5),
        ("<p>一行目の\n二行目です</p>", 9),
        ("<p>本当ですか？！はい", 7),
        ("<p>version 3.14 of it. Yes", 16),  # a full stop inside a number ends nothing
        ("<p>\x01", 0),
    ],
)
def test_where_sentences_end(html: str, length: int) -> None:
    assert longest(html) == length


def test_a_sentence_ends_where_its_block_does() -> None:
    """Seven characters of the one line are text directly in the page, six are in an element that holds a
    block.
    """
    html = f"ここから始まる<span>行は六文字だ<p>短い</p></span><div>{PROSE}</div>"
    assert partition(html) == [["ここから始まる"], ["行は六文字だ", "短い"], [PROSE]]
    assert kept(html) == PROSE


# The mask


def test_the_score_says_how_far_from_the_thresholds_a_block_is() -> None:
    half, few, short, long = (
        mask(f"<div>{part}</div><p>{PROSE * 3}</p>").score[0]
        for part in (
            f"<a href=x>{'あ' * 30}</a>{'い' * 30}",
            f"<a href=x>{'あ' * 10}</a>{'い' * 30}",
            "あ" * 10,
            "あ" * 90,
        )
    )
    assert (half, few, short, long) == pytest.approx((0.5, 0.75, 0.5, 0.9))
    assert mask(f"<h1>題</h1><p>{PROSE}").score[0] == 1


def test_settings_move_the_thresholds() -> None:
    html = f"<div><a href=x>{'あ' * 12}</a>{'い' * 8}</div><p>{PROSE}</p>"
    assert mask(html).content.tolist() == [False, False, True]
    assert mask(html, BlockRules(link_share=0.7)).content.all()
    assert mask(html, BlockRules(link_share=0.7, short_sentence=20)).content.tolist() == [False, False, True]
    assert len(partition(html, open_share=2)) == 1  # not even the page is opened


def test_it_is_a_filter_that_needs_no_model() -> None:
    chosen = load_filter("blocks")
    (found,) = chosen.masks([make_nodes(f"<p>{PROSE}")])
    assert found.decided_by == "blocks"
    assert not chosen.named


# Edges


@pytest.mark.parametrize(
    "html", ["<p></p>", "<title>題</title>", "<frameset><frame src=x></frameset>", "<script>x</script>"]
)
def test_a_page_without_text_has_an_empty_mask(html: str) -> None:
    found = mask(html)
    assert found.content.shape == found.score.shape == (0,)


def test_no_pages_have_no_masks() -> None:
    assert BlockRules().predict_masks([]) == []


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        (PROSE, True),
        ("短い", False),
        (f"<a href=x>{PROSE}</a>", False),
        (f"<h1>{PROSE}</h1>", True),
        ("<a href=x><h3>短い</h3></a>", True),
        ("\x01", False),
        (f"<b><i><u>{PROSE}", True),
    ],
)
def test_a_page_of_one_text(html: str, expected: bool) -> None:
    found = mask(f"<body>{html}")
    assert found.content.tolist() == [expected]
    assert (found.score[0] > 0.5) == expected


def test_a_page_of_links_alone_has_no_content() -> None:
    assert not mask(f"<ul><li>{MENU}<li>{MENU}</ul><p>{MENU}</p>").content.any()


def test_everything_in_one_element_is_seen_through() -> None:
    inner = f"<p>{PROSE}</p><ul><li>{MENU}</ul>"
    assert kept(inner) == kept(f"<table><tr><td><div>{inner}</div></td></tr></table>") == PROSE


@pytest.mark.parametrize("tag", ["div", "span", "blockquote", "my-tag"])
def test_deep_nesting_is_no_matter(tag: str) -> None:
    inner = f"<p>{PROSE}</p><div>{MENU}</div>"
    assert kept(f"<{tag}>" * (MAX_DEPTH - 10) + inner) == PROSE
    assert kept(f"<{tag}>" * 5000 + f"</{tag}>" * 5000 + inner) == PROSE
    assert PROSE in kept(f"<{tag}>" * 5000 + inner)  # the parser is not shown what lies deeper as elements


def test_pages_do_not_see_each_other() -> None:
    pages = [
        make_nodes(f"<div>{MENU * (number % 3)}</div><p>{PROSE * (number % 4)}</p>")
        for number in range(2 * BATCH + 3)
    ]
    together = BlockRules().predict_masks(pages)
    assert len(together) == len(pages)
    for page, found in zip(pages, together, strict=True):
        (alone,) = BlockRules().predict_masks([page])
        assert (found.content == alone.content).all()
        assert (found.score == alone.score).all()


# The same by walking down the tree


class ByRecursion:
    """Chapter 5 read aloud: a tree of lists, one step at a time."""

    def __init__(self, nodes: TextNodes) -> None:
        self.nodes = nodes
        self.children: dict[int, list[int]] = defaultdict(list)
        for element, parent in enumerate(nodes.parent.tolist()):
            self.children[parent].append(element)
        self.texts: dict[int, list[int]] = defaultdict(list)
        for node, element in enumerate(nodes.element.tolist()):
            self.texts[element].append(node)
        self.size = [sum(not _white(char) for char in text) for text in nodes.texts]
        self.block: dict[int, tuple[int, str]] = {}
        for root in self.children[-1]:
            self.place(root, 1)

    def below(self, element: int) -> Iterator[int]:
        """All text nodes under an element."""
        yield from self.texts[element]
        for child in self.children[element]:
            yield from self.below(child)

    def solid(self, element: int) -> bool:
        return self.nodes.tag[element] in elements.BLOCK_LEVEL or any(
            self.solid(child) for child in self.children[element]
        )

    def place(self, element: int, depth: int) -> None:
        inside = list(self.below(element))
        if 2 * sum(self.size[node] for node in inside) < sum(self.size):
            self.block |= dict.fromkeys(inside, (depth, self.nodes.tag[element]))
            return
        self.block |= dict.fromkeys(inside, (depth + 1, "text"))  # what no block below takes
        for child in self.solid_below(element):
            self.place(child, depth + 1)

    def solid_below(self, element: int) -> list[int]:
        return [child for child in self.children[element] if self.solid(child)]

    def heading(self, node: int) -> bool:
        return any(self.nodes.tag[element] in HEADINGS for element in self.nodes.ancestors(node))

    def sentences(self, block: tuple[int, str]) -> Iterator[str]:
        """The sentences of a block, without headings."""
        line, before = "", None
        for node, text in enumerate(self.nodes.texts):
            if self.block[node] != block or self.heading(node):
                before = None
                continue
            here = int(self.nodes.line[node])
            pieces = text.split("\n") if self.nodes.flags[node] & PREFORMATTED else [text]
            for number, piece in enumerate(pieces):
                if here != before or number:
                    yield from _split(line)
                    line = ""
                line += piece + (" " if number == len(pieces) - 1 else "\n")
            before = here
        yield from _split(line)

    def content(self, node: int) -> bool:
        if self.heading(node):
            return True
        block = self.block[node]
        own = [other for other in self.block if self.block[other] == block and not self.heading(other)]
        links = [other for other in own if self.nodes.link[other] != NO_LINK]
        too_many = 2 * sum(self.size[other] for other in links) >= sum(self.size[other] for other in own)
        return (
            not too_many
            and max(sum(not _white(char) for char in sentence) for sentence in self.sentences(block)) > 10
        )


def _white(char: str) -> bool:
    return char.isspace() or unicodedata.category(char) in ("Zs", "Cc")


def _split(line: str) -> Iterator[str]:
    sentence = ""
    for char, following in zip(line, line[1:] + " ", strict=False):
        sentence += char
        if (
            char in "。．｡…？！?!।۔؟."
            and following not in "。．｡…？！?!।۔؟."
            and (char != "." or _white(following))
        ):
            yield sentence
            sentence = ""
    yield sentence


# Trees with many texts, whose lengths lie around the threshold for sentences and tip the balance between
# elements.
_tags = st.sampled_from(
    ["div", "p", "ul", "section", "h2", "pre", "my-a", "my-b", "b", "span", "a href=x", "a href=y"]
)
_texts = st.sampled_from(
    [
        "あ",
        "いい",
        "う" * 5,
        "え" * 6,
        "港が開く。",
        "本当！？",
        "v. 1.2",
        "お\nか",
        "き" * 10,
        "く" * 11,
        "け" * 30,
        "<br>",
    ]
)
_trees = st.recursive(
    _texts,
    lambda inner: st.tuples(_tags, st.lists(inner, min_size=1, max_size=5)).map(
        lambda made: f"<{made[0]}>{''.join(made[1])}</{made[0].split()[0]}>"
    ),
    max_leaves=12,
)
_bushes = st.lists(_trees, min_size=2, max_size=6).map("".join)


@settings(deadline=None, max_examples=300)
@given(html=st.one_of(_bushes, _bushes, _bushes, html_pages, html_trees, html_soup))
def test_the_arrays_say_what_a_walk_down_the_tree_says(html: str) -> None:
    nodes = make_nodes("<body>" + html)
    walked = ByRecursion(nodes)
    (found,) = BlockRules().predict_masks([nodes])
    pages = forest([nodes])
    numbers = blocks(pages, np.array(walked.size, dtype=np.int32), 0.5).tolist()
    assert (
        len(set(numbers))
        == len(set(walked.block.values()))
        == len(set(zip(numbers, map(walked.block.get, range(len(nodes))), strict=True)))
    )
    assert found.content.tolist() == [walked.content(node) for node in range(len(nodes))]
    assert ((found.score >= 0.5) | ~found.content).all()
    assert ((found.score <= 0.5) | found.content).all()
