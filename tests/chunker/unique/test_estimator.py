"""Block uniqueness: equal to brute force, the paper's example, each improvement by example, edge cases, save
and load.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ruiji.chunker.crf.folder import ModelError
from ruiji.chunker.mask import ContentMask
from ruiji.chunker.unique.bylines import counts_masked, dates_masked, is_byline
from ruiji.chunker.unique.estimator import UniquenessExtractor
from ruiji.chunker.unique.folder import ARRAYS_FILE, load_extractor, save_extractor
from ruiji.chunker.unique.keys import key_of
from ruiji.chunker.unique.near_index import NearIndex, vectors_of
from ruiji.chunker.unique.page_blocks import PageBlocks, page_blocks, tag_key
from ruiji.features.page.textnodes import TextNodes
from tests.factories import make_nodes

PLAIN = {"duplicates": False, "dates": False, "shares": False, "places": False}
MENU = (
    "<ul class=menu><li><a href=/>ホーム</a><li><a href=/about>会社案内</a><li><a "
    "href=/map>サイトマップ</a></ul>"
)
FOOT = "<div id=foot>Copyright (C) 2009 みおざき新聞社 無断転載を禁じます</div>"


def article(number: int, host: str = "news.example") -> str:
    """A text of its own, long enough to tell pages apart."""
    words = [
        f"第{number}号の記事その{part}は港の話題{number * 7 + part}を伝える文章である" for part in range(6)
    ]
    return "".join(f"<p>{word}。</p>" for word in words)


def make_site(bodies: Sequence[str], host: str = "news.example") -> list[TextNodes]:
    """Pages of one site that share menu and foot."""
    return [
        make_nodes(
            f"<body>{MENU}<div class=main>{body}</div>{FOOT}</body>", url=f"http://{host}/{number}.html"
        )
        for number, body in enumerate(bodies)
    ]


def kept(extractor: UniquenessExtractor, page: TextNodes) -> str:
    """The content of a page."""
    return page.shown_text(extractor.predict_masks([page])[0].content)


# The rule, by brute force.


def cosine_above(one: Counter[int], other: Counter[int], threshold: float) -> bool:
    dot = float(sum(count * other[key] for key, count in one.items()))
    first, second = (float(sum(count * count for count in vector.values())) for vector in (one, other))
    return dot > threshold * float(np.sqrt(first * second))


def counters(page: PageBlocks) -> list[Counter[int]]:
    return [
        Counter(dict(zip(page.keys[first:end].tolist(), page.counts[first:end].tolist(), strict=True)))
        for first, end in zip(page.at[:-1].tolist(), page.at[1:].tolist(), strict=True)
    ]


def brute_force(pages: Sequence[TextNodes], threshold: float) -> list[list[bool]]:
    """Of each block of each page whether no other page has one that is equal or has a cosine above the
    threshold.
    """
    blocks = [counters(page_blocks(page)) for page in pages]
    return [
        [
            not any(
                block == other or cosine_above(block, other, threshold)
                for elsewhere, others in enumerate(blocks)
                if elsewhere != number
                for other in others
            )
            for block in own
        ]
        for number, own in enumerate(blocks)
    ]


TEXTS = st.sampled_from(["a", "b", "c", "d", "e", "f", "g"])
INLINE = st.builds(lambda tag, text: f"<{tag}>{text}</{tag}>", st.sampled_from(["a", "b", "i"]), TEXTS)
BLOCKS = st.builds(
    lambda tag, parts: f"<{tag}>{' '.join(parts)}</{tag}>",
    st.sampled_from(["p", "li", "div"]),
    st.lists(st.one_of(INLINE, TEXTS), min_size=1, max_size=14),
)
LINKS = st.builds(
    lambda count, text: f"<p>{'<a>' + text + '</a> '}{'<a>x</a> ' * count}</p>", st.integers(3, 14), TEXTS
)
PAGES = st.lists(st.lists(st.one_of(BLOCKS, LINKS), max_size=6).map("".join), min_size=2, max_size=6)


@settings(max_examples=150, deadline=None)
@given(PAGES, st.sampled_from([0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 1.0]))
def test_the_plain_rule_is_that_of_comparing_everything_with_everything(
    bodies: list[str], threshold: float
) -> None:
    pages = [make_nodes(f"<body>{body}</body>") for body in bodies]
    masks = UniquenessExtractor(threshold=threshold, **PLAIN).fit(pages).predict_masks(pages)
    for page, mask, expected in zip(pages, masks, brute_force(pages, threshold), strict=True):
        assert mask.content.tolist() == [expected[block] for block in page.block.tolist()]


@settings(max_examples=150, deadline=None)
@given(PAGES, st.sampled_from([0.5, 0.75, 0.9, 0.99]))
def test_the_index_finds_every_vector_that_matches_also_for_pages_it_has_not_seen(
    bodies: list[str], threshold: float
) -> None:
    *known, new = [page_blocks(make_nodes(f"<body>{body}</body>")) for body in bodies]
    vectors = vectors_of(known)
    index = NearIndex(vectors, threshold)
    every = {
        key: vector
        for page in known
        for key, vector in zip(page.vector.tolist(), counters(page), strict=True)
    }
    for block, own in enumerate(counters(new)):
        span = slice(new.at[block], new.at[block + 1])
        parts = index.search(index.query(new.keys[span], new.counts[span]))
        found = {int(vectors.key[number]) for part in parts for number in part.tolist()}
        assert found == {key for key, vector in every.items() if cosine_above(own, vector, threshold)}


# Blocks and vectors.


def test_a_tree_with_the_cases_of_section_3_2_2_of_yoshida_and_yamamoto_2009_gives_five_blocks() -> None:
    # A tree of ours, not the paper's figure 2. Its blocks: BODY for text directly in it, a heading, two
    # paragraphs with inline elements inside a DIV, a cell; a script is none.
    page = make_nodes(
        "<body>text<h1>title</h1><div><p>one <strong>two</strong></p><p><a href=x>three</a></p></div>"
        "<script>no()</script><table><tr><td>four</td></tr></table></body>"
    )
    assert len(page_blocks(page)) == 5


def test_a_vector_counts_tags_and_texts_by_line_in_lower_case() -> None:
    (vector,) = counters(page_blocks(make_nodes("<p>One\n\n TWO <b>three</b><b>three</b><img src=x></p>")))
    assert vector == Counter(
        {
            tag_key("p"): 1,
            tag_key("b"): 2,
            tag_key("img"): 1,
            key_of("one"): 1,
            key_of("two"): 1,
            key_of("three"): 2,
        }
    )


def test_titles_and_alternative_texts_are_in_the_vector_by_line_in_lower_case() -> None:
    html = (
        "<p title=Lead>x <a href=/ title='Home\n Page'>y</a> <img src=1 alt='A Map' title=map><img src=2 "
        "alt=' '></p><p>z</p>"
    )
    first, second = counters(page_blocks(make_nodes(html)))
    words = Counter(key_of(word) for word in ("x", "y", "lead", "home", "page", "a map", "map"))
    assert first == words + Counter({tag_key("p"): 1, tag_key("a"): 1, tag_key("img"): 2})
    assert second == Counter({tag_key("p"): 1, key_of("z"): 1})


def test_pictures_that_differ_make_blocks_differ() -> None:
    pages = make_site([f"<p><img src={number}.png alt='写真その{number}'>撮影</p>" for number in range(4)])
    assert "撮影" in kept(UniquenessExtractor(**PLAIN).fit(pages), pages[0])


def test_text_directly_inside_a_mixed_block_is_a_block() -> None:
    assert len(page_blocks(make_nodes("<div>before<p>inside</p>after</div>"))) == 3


# The improvements, each by example.


def test_what_most_pages_have_is_left_out_and_the_articles_stay() -> None:
    pages = make_site([article(number) for number in range(6)])
    extractor = UniquenessExtractor().fit(pages)
    for number, page in enumerate(pages):
        assert kept(extractor, page) == make_nodes(f"<div>{article(number)}</div>").shown_text()
    assert {mask.decided_by for mask in extractor.predict_masks(pages)} == {"unique"}


@pytest.mark.parametrize("shares", [False, True])
def test_an_article_at_two_addresses_keeps_its_content(shares: bool) -> None:
    pages = make_site(
        [article(0), article(0) + "<p>関連記事はこちら</p>", *(article(number) for number in range(1, 5))]
    )
    assert "第0号" in kept(UniquenessExtractor(shares=shares).fit(pages), pages[0])
    assert "第0号" not in kept(
        UniquenessExtractor(shares=shares, duplicates=False, share=0.2).fit(pages), pages[0]
    )


def test_a_print_edition_does_not_take_the_content_of_what_it_contains() -> None:
    articles = [article(number) for number in range(5)]
    pages = make_site([*articles, "".join(articles)])
    extractor = UniquenessExtractor(**PLAIN | {"duplicates": True}).fit(pages)
    assert "第3号" in kept(extractor, pages[3])
    improved = UniquenessExtractor().fit(pages)
    assert "第3号" in kept(improved, pages[3])
    assert "第3号" in kept(improved, pages[5])
    assert "ホーム" not in kept(improved, pages[5])


def test_short_articles_that_all_stand_at_two_addresses_keep_their_content() -> None:
    pages = make_site([f"<p>港の記事の第{number // 2}号は潮の話である。</p>" for number in range(10)])
    extractor = UniquenessExtractor().fit(pages)
    for number, page in enumerate(pages):
        assert kept(extractor, page) == f"港の記事の第{number // 2}号は潮の話である。"


def test_groups_of_the_caller_are_not_compared() -> None:
    pages = make_site([article(0), article(0), *(article(number) for number in range(1, 4))])
    extractor = UniquenessExtractor(**PLAIN).fit(pages, groups=["a", "a", "b", "c", "d"])
    assert "第0号" in kept(extractor, pages[0])
    assert "ホーム" not in kept(extractor, pages[0])
    with pytest.raises(ValueError, match="5 pages, but groups of 1"):
        UniquenessExtractor().fit(pages, groups=["a"])


@pytest.mark.parametrize(
    "text",
    [
        "2009年1月6日", "2009年01月06日 12時34分", "平成21年1月6日（火）", "令和元年5月1日",
        "2009/01/06 12:34", "2009-01-06",
        "更新日：2009年1月6日",
        "1月6日 12:34", "ちづる 2006年05月03日 22:47", "No.1 投稿日時: 2023/06/24 21:14", "January 6, 2009",
        "6 Jan 2009", "R6.4.1",
        "Posted by Hanako on March 3rd, 2019 at 10:15 AM", "Updated 12/31/2008",
    ],
)  # fmt: skip
def test_dates_and_by_lines_are_known(text: str) -> None:
    assert is_byline(text.lower())


@pytest.mark.parametrize(
    "text",
    [
        "",
        "今日は港へ行った",
        "価格 1,200円",
        "Last modified: 2007/04/23 keyword(s): references: trackback",
        "第3章 2節",
    ],
)
def test_other_texts_are_no_by_lines(text: str) -> None:
    assert not is_byline(text.lower())


def test_a_date_is_masked_wherever_it_stands() -> None:
    assert dates_masked("last modified: 2007/04/23 11:24") == dates_masked("last modified: 2008/12/01 09:05")
    assert dates_masked("港まで12分") == "港まで12分"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("28人が参考になったと言っています", "3人が参考になったと言っています"),
        ("このページは 12,345 回アクセスされました。", "このページは 987 回アクセスされました。"),
        ("いいね！ 12", "いいね！ 0"),
        ("この頁をめくった人　一〇四二人", "この頁をめくった人　八八七人"),
        ("晴れ 27℃/20℃ 降水10%", "晴れ 3℃/1℃ 降水0%"),
        ("copyright (c) 2003-2006 isobe lab.", "copyright (c) 2003-2007 isobe lab."),
        ("visitor no. 001,204.", "visitor no. 38."),
    ],
)
def test_a_count_is_masked(one: str, other: str) -> None:
    assert counts_masked(one) == counts_masked(other)


@pytest.mark.parametrize(
    "text",
    [
        "居室 4号館203",
        "電話 0200-22-3141",
        "港まで12分",
        "¥68,200(税込)",
        "68,200円",
        "python 3.11",
        "第3章",
        "12",
        "sha256",
        "午前",
        "h2",
    ],
)
def test_what_is_no_count_is_not(text: str) -> None:
    assert counts_masked(text) == text


def test_a_line_that_differs_by_its_count_is_left_out_unless_the_page_tells_by_numbers() -> None:
    pages = make_site(
        [
            f"{article(number)}<p class=seen>このページは {number * 37 + 5} 回読まれました</p>"
            for number in range(6)
        ]
    )
    assert "回読まれました" not in kept(UniquenessExtractor().fit(pages), pages[0])
    assert "回読まれました" in kept(UniquenessExtractor(dates=False).fit(pages), pages[0])
    told = make_site(
        [
            f"<p>今日の水揚げはアジが {number * 37 + 5} 匹、サバが {number * 11 + 3} 匹でした。</p>"
            for number in range(6)
        ]
    )
    assert (
        kept(UniquenessExtractor().fit(told), told[2]) == "今日の水揚げはアジが 79 匹、サバが 25 匹でした。"
    )


def test_a_date_that_other_pages_have_too_stays() -> None:
    pages = make_site(
        [f"<p>2009年1月{6 if number < 4 else number}日</p>{article(number)}" for number in range(6)]
    )
    assert "2009年1月6日" in kept(UniquenessExtractor().fit(pages), pages[0])
    assert "2009年1月6日" in kept(UniquenessExtractor(**PLAIN | {"dates": True}).fit(pages), pages[0])
    assert "2009年1月6日" not in kept(UniquenessExtractor(**PLAIN).fit(pages), pages[0])


def test_a_heading_among_content_stays_though_many_pages_have_it() -> None:
    bodies = [
        f"<div><h2>概要</h2>{article(number)}</div>" if number < 6 else article(number) for number in range(9)
    ]
    pages = make_site(bodies)
    assert "概要" in kept(UniquenessExtractor().fit(pages), pages[0])
    assert "概要" not in kept(UniquenessExtractor(shares=False).fit(pages), pages[0])


def test_a_place_of_links_is_left_out_though_its_text_differs() -> None:
    bodies = [
        f"{article(number)}<div class=next><a href={number}.html>{number}の次は「"
        f"{'いろはにほへと'[number]}」</a></div>"
        for number in range(6)
    ]
    pages = make_site(bodies)
    assert "の次は" not in kept(UniquenessExtractor().fit(pages), pages[0])
    assert "の次は" in kept(UniquenessExtractor(places=False).fit(pages), pages[0])


CHAPTER = (
    "<div class=toc><p>この章</p>"
    + "".join(
        f"<dl><dt><a href={{0}}-{part}.html>{{0}}.{part} 節の題{{0}}{part}</a></dl>" for part in range(6)
    )
    + "</div>"
)


def test_a_list_of_links_on_a_few_pages_is_left_out_and_so_is_what_is_called_the_same() -> None:
    bodies = [(CHAPTER.format(number) if number % 5 == 0 else "") + article(number) for number in range(20)]
    bodies[7] = (
        f"<div class=other>{CHAPTER.format(7)}</div>{article(7)}"  # at another place, of the same name
    )
    pages = make_site(bodies)
    extractor = UniquenessExtractor().fit(pages)
    for number in (0, 5, 7, 10):
        assert kept(extractor, pages[number]) == make_nodes(f"<div>{article(number)}</div>").shown_text()
    assert "節の題" in kept(UniquenessExtractor(places=False).fit(pages), pages[0])


def test_a_page_that_is_there_for_its_list_of_links_keeps_it_unless_it_is_a_table_of_contents() -> None:
    chapters = [f"<h1>第{number}部</h1>" + CHAPTER.format(number) for number in range(3)]
    pages = make_site([*chapters, *(article(number) for number in range(20))])
    assert "0.3 節の題03" in kept(UniquenessExtractor().fit(pages), pages[0])
    announced = make_site(
        [*(body.replace("この章", "目次") for body in chapters), *(article(number) for number in range(20))]
    )
    assert kept(UniquenessExtractor().fit(announced), announced[0]) == "第0部"


def test_a_heading_that_all_pages_have_is_content_where_content_follows() -> None:
    pages = make_site(
        [
            f"<h1>号外{number}</h1><h2>本文</h2>{article(number)}<h2>関連</h2><ul class=rel><li><a "
            f"href={number}>関連の{number}</a></ul>"
            for number in range(6)
        ]
    )
    text = kept(UniquenessExtractor().fit(pages), pages[0])
    assert "本文" in text
    assert "関連" not in text


def test_labels_that_come_back_between_content_are_part_of_it_but_links_are_not() -> None:
    part = (
        "<p>{0}の{1}つめの説明は港の第{0}の話である。</p><div class=note>注意</div>"
        "<p>{0}の{1}つめの注意書き。</p><p class=up><a href=#>先頭へ</a></p>"
    )
    pages = make_site(
        ["".join(part.format(number, part_number) for part_number in range(5)) for number in range(6)]
    )
    text = kept(UniquenessExtractor().fit(pages), pages[0])
    assert text.count("注意\n") == 5
    assert "先頭へ" not in text


POSTERS = {"サビキ大将": "堤防の主", "めばる姐さん": "長老", "ゆうすけ": "新入り", "エギ男": "常連"}


def thread(number: int) -> str:
    """Posts of a forum: whoever writes brings a rank and a signature along."""
    posts = ""
    for place in range(6):
        name, rank = list(POSTERS.items())[(number + place // 2) % len(POSTERS)]
        posts += (
            f"<tr><td class=who id=p{place + 1}><b>{name}</b><div class=rank>{rank}</div><div "
            f"class=rank>投稿数: {place}</div></td>"
            f"<td class=post><div>{article(number * 6 + place)}</div><div "
            f"class=sig>{name}の一言、海はいいぞ</div></td></tr>"
        )
    return f"<table>{posts}</table>"


def test_what_posters_bring_along_is_left_out_and_their_names_and_posts_stay() -> None:
    pages = make_site([thread(number) for number in range(6)])
    text = kept(UniquenessExtractor().fit(pages), pages[0])
    assert text.count("の記事その") == 36
    assert all(word not in text for word in ("堤防の主", "長老", "投稿数", "一言"))
    assert "サビキ大将" in text


@pytest.mark.parametrize(
    ("names", "numbered"),
    [
        (["p1", "p2", "p3"], True),
        (["post-11-a", "post-12-a", "post-13-a"], True),
        (["c1", "c2"], False),
        (["col-3", "col-6", "col-9"], False),
    ],
    ids=["ids", "in the middle", "two columns", "widths"],
)
def test_names_that_number_elements_are_left_out(names: list[str], numbered: bool) -> None:
    blocks = page_blocks(make_nodes("".join(f"<div class={name}>{name}</div>" for name in names)))
    assert len(blocks.word) == (0 if numbered else len(names))


def test_names_that_number_depths_stay() -> None:
    blocks = page_blocks(
        make_nodes("<div class=sect1>一<div class=sect2>二<div class=sect3>三</div></div></div>")
    )
    assert len(blocks.word) == 3


@pytest.mark.parametrize("crumb", ["<div class=crumb>{0}</div>", "{0}"])
def test_the_path_to_a_page_is_left_out_with_the_title_at_its_end(crumb: str) -> None:
    paths = [
        crumb.format(
            f"<a href=/>ホーム</a> &gt; <a href=/n>第{number}部</a> &gt; とても長いこの頁の題その{number}"
        )
        for number in range(6)
    ]
    pages = [
        make_nodes(
            f"<body>{path}<div class=main>{article(number)}</div></body>",
            url=f"http://news.example/{number}.html",
        )
        for number, path in enumerate(paths)
    ]
    assert (
        kept(UniquenessExtractor().fit(pages), pages[0])
        == make_nodes(f"<div>{article(0)}</div>").shown_text()
    )


def test_short_articles_beside_long_menus_are_not_taken_for_template() -> None:
    menu = "".join(f"<li><a href=/{item}>長いメニューの項目その{item}</a>" for item in range(60))
    pages = [
        make_nodes(
            f"<body><div class=all><ul>{menu}</ul><main>{article(number)}</main></div></body>",
            url=f"http://news.example/{number}.html",
        )
        for number in range(5)
    ]
    assert (
        kept(UniquenessExtractor().fit(pages), pages[0])
        == make_nodes(f"<div>{article(0)}</div>").shown_text()
    )


# New pages, batches, determinism.


def test_a_new_page_of_a_known_site_is_labelled_like_the_others() -> None:
    *known, new = make_site([article(number) for number in range(7)])
    extractor = UniquenessExtractor().fit(known)
    assert kept(extractor, new) == make_nodes(f"<div>{article(6)}</div>").shown_text()
    plain = UniquenessExtractor(**PLAIN).fit(known)
    assert kept(plain, new) == make_nodes(f"<div>{article(6)}</div>").shown_text()


def test_a_new_page_with_a_known_article_keeps_it() -> None:
    *known, new = make_site([*(article(number) for number in range(5)), article(2) + "<p>別のお知らせ</p>"])
    assert "第2号" in kept(UniquenessExtractor(**PLAIN | {"duplicates": True}).fit(known), new)


@pytest.mark.parametrize("switches", [{}, PLAIN])
def test_batches_give_the_same_as_all_at_once_and_so_does_any_order(switches: dict[str, bool]) -> None:
    pages = [
        *make_site([article(number) for number in range(5)]),
        *make_site([article(number) for number in range(3, 8)], "b.example"),
    ]
    extractor = UniquenessExtractor(**switches).fit(pages)
    at_once = extractor.predict_masks(pages)
    turned = UniquenessExtractor(**switches).fit(pages[::-1]).predict_masks(pages)
    for page, mask, other in zip(pages, at_once, turned, strict=True):
        (alone,) = extractor.predict_masks([page])
        for same in (alone, other):
            assert mask.content.tolist() == same.content.tolist()
            assert mask.score.tolist() == same.score.tolist()


def test_scores_lie_between_nothing_and_all_and_agree_with_the_mask() -> None:
    pages = make_site([f"<h2>概要</h2>{article(number % 4)}" for number in range(7)])
    for mask in UniquenessExtractor().fit(pages).predict_masks(pages):
        assert ((mask.score >= 0) & (mask.score <= 1)).all()
        assert ((mask.score > 0.5) == mask.content).all()


# Edge cases.


def test_one_page_is_alone_and_falls_back() -> None:
    (page,) = make_site([article(0)])
    (mask,) = UniquenessExtractor().fit([page]).predict_masks([page])
    assert mask.content.all()
    assert mask.decided_by == "unique: alone, none"

    def nothing(nodes: TextNodes) -> ContentMask:
        return ContentMask(
            np.zeros(len(nodes), dtype=np.bool_), np.zeros(len(nodes), dtype=np.float32), "nobody"
        )

    (mask,) = UniquenessExtractor(fallback=nothing).fit([page]).predict_masks([page])
    assert (mask.content.any(), mask.decided_by) == (False, "unique: alone, nobody")


@pytest.mark.parametrize("switches", [{}, PLAIN])
def test_no_pages_are_learned_without_a_crash(switches: dict[str, bool]) -> None:
    extractor = UniquenessExtractor(**switches).fit([])
    assert extractor.predict_masks([]) == []
    (page,) = make_site([article(0)])
    assert extractor.predict_masks([page])[0].decided_by == "unique: alone, none"


def test_identical_pages_are_twins_and_by_the_plain_rule_have_no_content() -> None:
    pages = make_site([article(0)] * 3)
    assert all(mask.content.all() for mask in UniquenessExtractor().fit(pages).predict_masks(pages))
    assert not any(
        mask.content.any() for mask in UniquenessExtractor(**PLAIN).fit(pages).predict_masks(pages)
    )


@pytest.mark.parametrize("switches", [{}, PLAIN])
def test_pages_with_one_block_or_none(switches: dict[str, bool]) -> None:
    pages = [make_nodes(f"<p>{text}</p>") for text in ("一つ", "二つ", "三つ", "三つ")] + [
        make_nodes("<body></body>")
    ] * 2
    masks = UniquenessExtractor(**switches).fit(pages).predict_masks(pages)
    assert [len(mask.content) for mask in masks] == [1, 1, 1, 1, 0, 0]
    assert masks[0].content.all()


def test_a_setting_that_makes_no_sense_is_refused() -> None:
    with pytest.raises(ValueError, match=r"threshold must be above 0 and at most 1, not 1\.5"):
        UniquenessExtractor(threshold=1.5).fit([])


# Explanations, and what is written to disk.


def test_an_explanation_names_the_other_pages() -> None:
    pages = make_site([article(0), article(0), *(article(number) for number in range(1, 5))])
    extractor = UniquenessExtractor().fit(pages, names=[f"p{number}" for number in range(6)])
    menu = extractor.explain(pages[0], 0)
    assert (menu.content, menu.share, menu.compared, list(menu.pages)) == (
        False,
        1.0,
        4,
        ["p2", "p3", "p4", "p5"],
    )
    body = extractor.explain(pages[2], 4)
    assert (body.content, body.share, list(body.pages)) == (True, 0.0, [])
    assert "p1" in str(extractor.explain(pages[0], 4))
    assert "100% of the 4 pages" in str(menu)


@pytest.mark.parametrize("switches", [{}, PLAIN])
def test_a_saved_extractor_gives_the_same_masks_and_the_same_bytes(
    switches: dict[str, bool], tmp_path: Path
) -> None:
    pages = make_site([article(number) for number in range(5)])
    extractor = UniquenessExtractor(**switches).fit(pages)
    for folder in ("one", "two"):
        save_extractor(extractor, tmp_path / folder)
    assert (tmp_path / "one" / ARRAYS_FILE).read_bytes() == (tmp_path / "two" / ARRAYS_FILE).read_bytes()
    loaded = load_extractor(tmp_path / "one")
    for mask, again in zip(extractor.predict_masks(pages), loaded.predict_masks(pages), strict=True):
        assert mask.score.tolist() == again.score.tolist()


def test_a_folder_that_is_no_extractor_is_refused_in_one_sentence(tmp_path: Path) -> None:
    save_extractor(UniquenessExtractor().fit(make_site([article(0), article(1)])), tmp_path / "good")
    card = json.loads((tmp_path / "good" / "card.json").read_text())
    data = (tmp_path / "good" / ARRAYS_FILE).read_bytes()

    def refusal(card: object, data: bytes | None) -> str:
        folder = tmp_path / "bad"
        folder.mkdir(exist_ok=True)
        (folder / "card.json").write_text(json.dumps(card))
        (folder / ARRAYS_FILE).unlink(missing_ok=True)
        if data is not None:
            (folder / ARRAYS_FILE).write_bytes(data)
        with pytest.raises(ModelError) as error:
            load_extractor(folder)
        assert "\n" not in str(error.value)
        return str(error.value)

    assert "kind 'crf'" in refusal(card | {"kind": "crf"}, data)
    assert "format 99" in refusal(card | {"format": 99}, data)
    assert "copy the folder again" in refusal(card, data[:-5])
    assert "has no repetition.npz" in refusal(card, None)
    assert "cannot be read" in refusal(card | {"hosts": 3}, data)
    assert "different numbers of pages" in refusal(card | {"pages": ["x"]}, data)
    assert "kind None" in refusal([], data)
