"""The element that holds the content of a Japanese page: which it is, and what that changes."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from chunker import containers
from chunker.committee import as_annotated, of_both
from chunker.containers import CLEAR, DOWN, EDGE, UP, chance_inside, moved
from chunker.cutting import NOTHING
from chunker.headlines import japanese
from chunker.models import load_model
from features.forest import Forest, forest
from tests.factories import PROSE, make_nodes

NEWS = f"""<title>新しい駅が開業した - みおざき</title>
<div id=wrap><ul class=menu><li><a href=/>トップ</a><li><a href=/n>ニュース</a></ul>
<div id=a><p>{PROSE}<p>{PROSE}<table><tr><td>開業<td>四月</table><p><a href=/2>前の話</a><p>{PROSE}
<ul class=toc><li><a href=#x>目次の一</a></ul><p class=share>送る</div>
<div id=b><p><a href=/3>ほかの話</a>{"<p><a href=/4>港の市場でまた祭りがあるという話</a>" * 12}<p>お知らせがあります</div></div>"""


def odds_of(pages: Forest, likely: float = 3.0, other: float = -2.0) -> np.ndarray:
    """Judges that take paragraphs of prose for content and nothing else."""
    return np.array([likely if text.strip() == PROSE else other for text in pages.texts])


def change(pages: Forest, odds: np.ndarray, headline: np.ndarray | None = None) -> dict[str, float]:
    """What is added to each text."""
    none = np.zeros(len(pages), dtype=bool)
    found = moved(pages, odds, none if headline is None else headline, np.ones(len(pages.pages), dtype=bool))
    return dict(zip([text.strip() for text in pages.texts], found.tolist(), strict=True))


def test_what_stands_among_the_content_goes_up_and_what_stands_beside_goes_down() -> None:
    pages = forest([make_nodes(NEWS)])
    found = change(pages, odds_of(pages))
    assert [found[text] for text in (PROSE, "開業", "四月", "前の話")] == pytest.approx([UP] * 4, abs=0.2)
    assert all(-DOWN <= found[text] < 0 for text in ("お知らせがあります", "ほかの話"))


def test_what_names_call_furniture_does_not_go_up() -> None:
    pages = forest([make_nodes(NEWS)])
    assert change(pages, odds_of(pages))["送る"] == pytest.approx(0, abs=0.1)


def test_groups_of_links_by_name_go_down_be_they_most_of_the_page() -> None:
    pages = forest([make_nodes(html) for html in (NEWS, "<div class=toc><p>" + "<li><a href=a>目次の一</a>" * 9 + "</div><p>これだけ")])
    assert change(pages, odds_of(pages))["目次の一"] == -UP
    prose = forest([make_nodes(f"<div class=toc><p>{PROSE}<li><a href=a>目次の一</a></div><p>これだけ")])
    assert change(prose, odds_of(prose))[PROSE] > 0


def test_a_name_of_furniture_around_half_of_the_page_is_wrong() -> None:
    pages = forest([make_nodes(f"<body><div class=side><p>{PROSE}<p>{PROSE}</div><p>お知らせ")])
    assert change(pages, odds_of(pages))[PROSE] > UP / 2


def test_names_that_mean_content_decide_between_equals() -> None:
    html = "<div{}><div{}><p>" + PROSE + "</div><p>写真の説明</div><p>お知らせがあります"
    inner, outer = (
        change(pages, odds_of(pages))["写真の説明"]
        for pages in (forest([make_nodes(html.format("", " class=article"))]), forest([make_nodes(html.format(" class=article", ""))]))
    )
    assert inner < outer


def test_headlines_never_go_down() -> None:
    pages = forest([make_nodes("<div><h1>新しい駅が開業した</h1><a href=/>トップ</a></div>" + NEWS)])
    headline = np.array([text == "新しい駅が開業した" for text in pages.texts])
    odds = odds_of(pages)
    assert change(pages, odds, headline)["新しい駅が開業した"] >= 0 > change(pages, odds)["新しい駅が開業した"]


def test_a_page_without_text_or_sections_is_left_as_it_is() -> None:
    pages = forest([make_nodes("<p>"), make_nodes(NEWS), make_nodes("<p>")])
    both = np.ones(3, dtype=bool)
    none = np.zeros(len(pages), dtype=bool)
    alone = forest([make_nodes(NEWS)])
    assert moved(pages, odds_of(pages), none, both).tolist() == moved(alone, odds_of(alone), none, both[:1]).tolist()


def test_only_japanese_pages_with_content_are_changed() -> None:
    english = "<div><p>The harbour is busy.<p>So is the station.</div><p>News"
    pages = forest([make_nodes(html) for html in (NEWS, english, NEWS)])
    assert japanese(pages).tolist() == [True, False, True]
    odds = np.where(pages.page == 2, NOTHING - 0.5, np.where(pages.page == 1, 1.0, odds_of(pages)))
    said = of_both(odds, odds)
    raised, found = as_annotated(said, pages, np.zeros(len(pages), dtype=bool))
    assert (raised.odds == said.odds).all()
    assert {number for number in range(3) if (found.odds != said.odds)[:, pages.page == number].any()} == {0}


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
        f = 2 * hit / (sum(weight[node] for node in kept) + sum(weight[node] * likely[node] for node in range(count)))
        scores[first, end] = (
            containers.EXPECTED * math.log(f)
            + containers.BEGIN_IN * border(first, min(first + EDGE, end))
            + containers.BEGIN_OUT * border(first - EDGE, first)
            + containers.END_IN * border(max(end - EDGE, first), end)
            + containers.END_OUT * border(end, end + EDGE)
            + containers.CALLED * any(own for own, place in zip(called, extent.tolist(), strict=True) if place == [first, end])
        )
    whole = sum(math.exp(own - max(scores.values())) for own in scores.values())
    chances = {place: math.exp(own - max(scores.values())) / whole for place, own in scores.items()}
    expected = [sum(own for (first, end), own in chances.items() if first <= node < end) for node in range(count)]
    assert chance_inside(*extent.T, called, odds, weight, headline) == pytest.approx(expected, abs=1e-9)


def test_the_shipped_model_tells_where_a_node_stands_as_a_reason() -> None:
    chunker = load_model("default")
    nodes = make_nodes(NEWS)
    assert chunker.below_ is not None
    assert chunker.below_.reasons(forest([nodes]), nodes.texts.index("お知らせがあります"))["container"] < 0
