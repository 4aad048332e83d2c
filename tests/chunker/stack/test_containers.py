"""The element that holds the content of a Japanese page: which it is, and what that changes."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ruiji.chunker.conventions import AUTO
from ruiji.chunker.crf.folder import load_model
from ruiji.chunker.decoding.expected_f import NOTHING
from ruiji.chunker.stack import containers
from ruiji.chunker.stack.containers import (
    CLEAR,
    DOWN,
    EDGE,
    UP,
    WHOLE,
    chance_inside,
    container_shift,
    elements_held,
)
from ruiji.chunker.stack.ensemble import (
    apply_conventions,
    by_conventions,
    conventions_of_rows,
)
from ruiji.chunker.stack.headlines import japanese
from ruiji.chunker.stack.trees import BATCH, table_of
from ruiji.features.blocks.families import numbers
from ruiji.features.blocks.table import Blocks
from ruiji.features.nodes.forest import Forest, forest
from tests.factories import PROSE, make_nodes

OTHER_STORY = "<p><a href=/4>港の市場でまた祭りがあるという話</a>"
NEWS = f"""<title>新しい駅が開業した - みおざき</title>
<div id=wrap><ul class=menu><li><a href=/>トップ</a><li><a href=/n>ニュース</a></ul>
<div id=a><p>{PROSE}<p>{PROSE}<table><tr><td>開業<td>四月</table><p><a href=/2>前の話</a><p>{PROSE}
<ul class=toc><li><a href=#x>目次の一</a></ul><p class=share>送る</div>
<div id=b><p><a href=/3>ほかの話</a>{OTHER_STORY * 12}<p>お知らせがあります</div></div>"""


def odds_of(pages: Forest, likely: float = 3.0, other: float = -2.0) -> np.ndarray:
    """Judges that take paragraphs of prose for content and nothing else."""
    return np.array([likely if text.strip() == PROSE else other for text in pages.texts])


def change(pages: Forest, odds: np.ndarray, headline: np.ndarray | None = None) -> dict[str, float]:
    """What is added to each text."""
    none = np.zeros(len(pages), dtype=bool)
    found = container_shift(
        pages, odds, none if headline is None else headline, np.ones(len(pages.pages), dtype=bool)
    )
    return dict(zip([text.strip() for text in pages.texts], found.tolist(), strict=True))


def test_what_stands_among_the_content_goes_up_and_what_stands_beside_goes_down() -> None:
    pages = forest([make_nodes(NEWS)])
    found = change(pages, odds_of(pages))
    assert [found[text] for text in (PROSE, "開業", "四月", "前の話")] == pytest.approx([UP] * 4, abs=0.5)
    assert all(-DOWN <= found[text] < 0 for text in ("お知らせがあります", "ほかの話"))


def test_what_names_call_furniture_does_not_go_up() -> None:
    pages = forest([make_nodes(NEWS)])
    assert -DOWN / 2 < change(pages, odds_of(pages))["送る"] <= 0


CONTENTS = "<li><a href=a>目次の一</a>" * 9


@pytest.mark.parametrize(
    "html",
    [
        NEWS,
        f"<div class=toc>{CONTENTS}</div><p>これだけ",
        # The first thing in what is called content
        f"<article><ul class=toc>{CONTENTS}</ul><p>{PROSE}</article><p>お知らせ",
        f"<article><p>{PROSE}<ul class=toc>{CONTENTS}</ul></article><p>お知らせ",
    ],
)
def test_groups_of_links_by_name_go_down_be_they_most_of_the_page(html: str) -> None:
    pages = forest([make_nodes(html)])
    assert change(pages, odds_of(pages))["目次の一"] == -UP


@pytest.mark.parametrize(
    "wrapper",
    [
        "<div id=__next><h1>新しい駅</h1><a href=a>ほかの話</a>{}</div>",  # holds the headline
        "<body class=drawer><main><p>短い話です</main>{}",  # holds the main part
        f"<div class=toc><p>{PROSE}<p>短い話です</p>{{}}</div>",  # not only links
    ],
)
def test_a_page_whose_name_means_a_menu_is_no_group_of_links(wrapper: str) -> None:
    pages = forest(
        [make_nodes(wrapper.format("<a href=a>港の市場でまた祭りがあるという話</a>" * 4) + "<p>おわり")]
    )
    headline = np.array([text == "新しい駅" for text in pages.texts])
    assert min(change(pages, odds_of(pages), headline).values()) > -UP


def test_a_name_of_furniture_around_half_of_the_page_is_wrong() -> None:
    pages = forest([make_nodes(f"<body><div class=side><p>{PROSE}<p>{PROSE}</div><p>お知らせ")])
    assert change(pages, odds_of(pages))[PROSE] > UP / 2


def test_names_that_mean_content_decide_between_equals() -> None:
    html = "<div{}><div{}><p>" + PROSE + "</div><p>写真の説明</div><p>お知らせがあります"
    inner, outer = (
        change(pages, odds_of(pages))["写真の説明"]
        for pages in (
            forest([make_nodes(html.format("", " class=article"))]),
            forest([make_nodes(html.format(" class=article", ""))]),
        )
    )
    assert inner < outer


def test_headlines_never_go_down() -> None:
    pages = forest([make_nodes("<div><h1>新しい駅が開業した</h1><a href=/>トップ</a></div>" + NEWS)])
    headline = np.array([text == "新しい駅が開業した" for text in pages.texts])
    odds = odds_of(pages)
    assert (
        change(pages, odds, headline)["新しい駅が開業した"] >= 0 > change(pages, odds)["新しい駅が開業した"]
    )


def test_a_page_without_text_is_left_as_it_is_and_others_do_not_matter() -> None:
    html = [f"<div><p>{PROSE}</div><p>お知らせ", "<p>", NEWS, "<p>"]
    pages = [forest([make_nodes(own)]) for own in html]
    combined = forest([make_nodes(own) for own in html])
    found = container_shift(
        combined,
        odds_of(combined, 1 / 3, -2 / 3),
        np.zeros(len(combined), dtype=bool),
        np.ones(4, dtype=bool),
    )
    alone = [
        container_shift(
            own, odds_of(own, 1 / 3, -2 / 3), np.zeros(len(own), dtype=bool), np.ones(1, dtype=bool)
        )
        for own in pages
    ]
    assert found.tolist() == np.concatenate(alone).tolist()


def test_an_element_that_is_all_of_the_page_says_little() -> None:
    pages = forest([make_nodes(f"<body><p>{PROSE}<p>お知らせ")])
    assert change(pages, odds_of(pages))["お知らせ"] == pytest.approx(WHOLE * UP - (1 - WHOLE) * DOWN)


def test_only_japanese_pages_with_content_are_changed() -> None:
    english = "<div><p>The harbour is busy.<p>So is the station.</div><p>News"
    pages = forest([make_nodes(html) for html in (NEWS, english, NEWS)])
    assert japanese(pages).tolist() == [True, False, True]
    odds = np.where(pages.page == 2, NOTHING - 0.5, np.where(pages.page == 1, 1.0, odds_of(pages)))
    _, raised, found = apply_conventions(odds, pages, np.zeros(len(pages), dtype=bool), japanese(pages))
    assert (raised == odds).all()
    assert {number for number in range(3) if (found != odds)[pages.page == number].any()} == {0}


@st.composite
def elements(draw: st.DrawFn) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    count = draw(st.integers(1, 12))
    spans = st.tuples(st.integers(0, count - 1), st.integers(1, count)).filter(lambda own: own[0] < own[1])
    extent = np.array(draw(st.lists(spans, min_size=1, max_size=8)))
    called = np.array(draw(st.lists(st.booleans(), min_size=len(extent), max_size=len(extent))))
    column = st.lists(st.floats(-9, 9), min_size=count, max_size=count)
    weight = st.lists(st.integers(1, 400), min_size=count, max_size=count)
    headline = np.zeros(count, dtype=bool)
    headline[draw(st.lists(st.integers(0, count - 1), max_size=1))] = True
    return extent, called, np.array(draw(column)), np.array(draw(weight)) / 4, headline


@given(elements())
def test_elements_inside_others_are_counted(given_: tuple[np.ndarray, ...]) -> None:
    extent, which, odds, *_ = given_
    spans = [tuple(own) for own in extent.tolist()]
    nested = [
        one
        for one in spans
        if all(not (a < one[0] < b < one[1] or one[0] < a < one[1] < b) for a, b in spans)
    ]  # as trees are
    own = np.array([one in nested for one in spans]) & which
    expected = [
        sum(
            a <= x and y <= b and (x, y) != (a, b)
            for (x, y), counted in zip(spans, own.tolist(), strict=True)
            if counted
        )
        for a, b in nested
    ]
    first, end = extent.T
    found = elements_held(first, end, own, len(odds))
    assert [int(found[spans.index(one)]) for one in nested] == expected


@given(elements())
def test_chances_are_those_of_the_formula_written_out(given_: tuple[np.ndarray, ...]) -> None:
    extent, called, odds, weight, headline = given_
    count, scores = len(odds), {}
    likely = [1 / (1 + math.exp(-own)) for own in odds.tolist()]

    def border(first: int, end: int) -> float:
        inside = [min(max(own, -CLEAR), CLEAR) for own in odds[max(first, 0) : min(end, count)].tolist()]
        return sum(inside) / len(inside) if inside else -CLEAR

    for first, end in {tuple(own) for own in extent.tolist()}:
        kept = [node for node in range(count) if first <= node < end or headline[node]]
        hit = sum(weight[node] * likely[node] for node in kept)
        f = (
            2
            * hit
            / (sum(weight[node] for node in kept) + sum(weight[node] * likely[node] for node in range(count)))
        )
        scores[first, end] = (
            containers.EXPECTED * math.log(f)
            + containers.BEGIN_IN * border(first, min(first + EDGE, end))
            + containers.BEGIN_OUT * border(first - EDGE, first)
            + containers.END_IN * border(max(end - EDGE, first), end)
            + containers.END_OUT * border(end, end + EDGE)
            + containers.CALLED
            * any(own for own, place in zip(called, extent.tolist(), strict=True) if place == [first, end])
        )
    whole = sum(math.exp(own - max(scores.values())) for own in scores.values())
    chances = {place: math.exp(own - max(scores.values())) / whole for place, own in scores.items()}
    expected = [
        sum(own for (first, end), own in chances.items() if first <= node < end) for node in range(count)
    ]
    whole_page = chances.get((0, count), 0.0)
    expected = [own - (1 - WHOLE) * whole_page for own in expected]
    assert chance_inside(*extent.T, called, odds, weight, headline) == pytest.approx(expected, abs=1e-9)


def test_the_shipped_model_tells_where_a_node_stands_as_a_reason() -> None:
    chunker = load_model("default")
    nodes = make_nodes(NEWS)
    assert chunker.ensemble_ is not None
    assert (
        chunker.ensemble_.reasons(forest([nodes]), nodes.texts.index("お知らせがあります"))["container"] < 0
    )


def test_what_judges_say_in_training_is_moved_as_it_is_later() -> None:
    X = [  # noqa: N806
        make_nodes(html)
        for html in (NEWS, "<p>", f"<div><p>{PROSE}</div><p>お知らせ", "<p>The station is open.")
    ] * (BATCH // 4 + 1)
    table = table_of(X, [np.zeros(len(page), dtype=np.int8) for page in X])
    random = np.random.default_rng(1)
    said = [random.normal(size=len(page)) for page in X]
    for page, own, found in zip(X, said, conventions_of_rows(said, table, X), strict=True):
        pages = forest([page])
        expected = by_conventions(own, pages, numbers(Blocks(pages)), [AUTO])[-1]
        assert found.tolist() == expected.tolist()
