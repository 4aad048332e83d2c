"""What the head of a page announces, found again in its blocks."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ruiji.features.blocks.table import Blocks
from ruiji.features.blocks.title import description_matches, head_of, title_match, title_matches
from ruiji.features.nodes.forest import forest
from tests.factories import make_nodes

PAGE = """<title>新しい駅が開業 | みおざき新聞</title><meta name="Description"
content="市の中心に新しい駅が開業し、多くの人が集まった。">
<meta property="og:description" content=""><meta name="keywords" content="駅">
<div><a href="/">みおざき新聞</a></div><div><h1>新しい駅が  開業</h1>
<p>市の中心に新しい駅が開業し、多くの人が集まった。市長は喜んでいる。</p></div>
<div>ほかの記事<div>新しい駅が開業</div></div>"""


@pytest.fixture
def blocks() -> Blocks:
    return Blocks(forest([make_nodes(PAGE), make_nodes("<p>Nothing is announced here")]))


def test_the_head_of_a_page_is_kept_where_names_are() -> None:
    assert make_nodes(PAGE).descriptions == ["市の中心に新しい駅が開業し、多くの人が集まった。"]


@pytest.mark.parametrize(
    ("meta", "is_article"),
    [
        ("<meta property=og:type content=article>", True),
        ("<meta name=OG:TYPE value='News.Article'>", True),  # as some tools save it
        ("<meta property=article:published_time content=2019-03-01>", True),
        ("<meta property=og:type content=website>", False),
        ("<meta property=og:type content=''>", False),
        ("<meta name=description content=article>", False),
    ],
)
def test_a_page_may_say_that_it_is_an_article(meta: str, is_article: bool) -> None:
    page = make_nodes(f"{meta}<p>a<p>b")
    assert page.is_article == is_article
    assert title_match(Blocks(forest([page])))["is_article"].tolist() == [is_article] * 2


def test_title_and_description_are_found_in_the_page(blocks: Blocks) -> None:
    found = title_match(blocks)
    assert found["title"].tolist() == pytest.approx(
        [6 / 16, 0, 7 / 33, 0, 7 / 16, 0]
    )  # of the title with the bar between, of a text
    assert found["description"].tolist() == [0, 0, 3, 0, 0, 0]


def test_of_a_heading_the_part_that_the_title_has_counts() -> None:
    assert title_matches(
        ["the new station opens today"], head_of("New Station Opens - Miozaki Times", [])
    ) == pytest.approx([17 / 27])
    head = head_of("New Station Opens - Miozaki Times", [])
    assert title_matches(["times", "ab", "x" * 300], head) == pytest.approx([5 / 33, 0, 0])
    assert title_matches(["anything at all"], head_of("", [])) == [0.0]


def test_a_description_may_begin_with_a_text_or_a_text_with_it() -> None:
    text = "In autumn the station opened. Thousands of people came to see it on the first day."
    description = head_of("", [text])
    texts = [
        "in autumn the station opened.",
        "thousands of people came to see it on the first day. more of it here",
        "short",
        "other text altogether",
    ]
    assert description_matches(texts, description) == [1, 2, 0, 0]
    assert description_matches(["yes: in autumn the station opened. it was"], description) == [3]
    assert description_matches(texts, head_of("", [])) == [0, 0, 0, 0]


def test_distances_and_sections_lead_to_what_is_announced(blocks: Blocks) -> None:
    found = title_match(blocks)
    assert found["title_back"].tolist()[2:5] == [2, 3, 0]
    assert found["description_ahead"].tolist()[:3] == [2, 1, 0]
    assert found["description_level"][1] > 0  # the heading stands in the same section


PARTS = st.sampled_from(["<p>a b</p>", "<p>c</p>", "<p>a b</p><p>c</p>", "<ul><li>a b</ul>"])


@given(st.lists(st.lists(PARTS, max_size=6), min_size=1, max_size=3))
def test_how_often_a_text_stands_before_and_after_it(pages: list[list[str]]) -> None:
    own = Blocks(forest([make_nodes("".join(["<title>x</title>", *page])) for page in pages]))
    found = title_match(own)
    for first, end in pairwise(own.page_start.tolist()):
        texts = [own.pages.texts[node] for node in own.start[first:end].tolist()]
        for place, text in enumerate(texts):
            assert found["same_before"][first + place] == texts[:place].count(text)
            assert found["same_after"][first + place] == texts[place + 1 :].count(text)
    assert all(len(column) == len(own) and np.isfinite(column).all() for column in found.values())
