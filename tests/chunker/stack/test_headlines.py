"""Headlines of Japanese pages: which they are, and what they change."""

from __future__ import annotations

import numpy as np
import pytest

from ruiji.chunker.crf.folder import load_model
from ruiji.chunker.decoding.expected_f import NOTHING
from ruiji.chunker.stack.ensemble import apply_conventions, with_headlines
from ruiji.chunker.stack.headlines import ODDS, headlines, japanese
from ruiji.features.blocks.families import numbers
from ruiji.features.blocks.table import Blocks
from ruiji.features.nodes.forest import forest
from tests.factories import PROSE, make_nodes


def headline_of(*pages: str) -> list[str]:
    """The texts of the nodes that are headlines."""
    whole = forest([make_nodes(page) for page in pages])
    found = headlines(whole, numbers(Blocks(whole)))
    return [text for text, own in zip(whole.texts, found.tolist(), strict=True) if own]


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        (
            f"<title>新しい駅が開業した - みおざき</title><h1>新しい駅が開業した</h1><p>{PROSE}",
            ["新しい駅が開業した"],
        ),
        (
            "<title>新しい駅が開業した - みおざき</title><h2>新しい駅が開業した</h2><h1>新しい駅が開業した"
            f"</h1><p>{PROSE}",
            ["新しい駅が開業した"],
        ),
        (
            f"<title>新しい駅が開業した - みおざき</title><h3>新しい<b>駅が開業</b>した</h3><p>{PROSE}",
            ["新しい", "駅が開業", "した"],
        ),
        (f"<title>新しい駅が開業した - みおざき</title><p>新しい駅が開業した<p>{PROSE}", []),  # no heading
        (f"<title>新しい駅が開業した - みおざき</title><h1>ほかの話</h1><p>{PROSE}", []),  # another title
        (
            "<title>A new station opens - Miozaki</title><h1>A new station opens</h1><p>The town is glad.",
            [],
        ),  # not Japanese
        (f"<h1>新しい駅</h1><p>{PROSE}", []),  # no title
        ("<p>", []),
    ],
)
def test_a_headline_is_a_heading_that_says_the_title_of_a_japanese_page(
    html: str, expected: list[str]
) -> None:
    assert headline_of(html) == expected


@pytest.mark.parametrize(
    "headings",
    [
        # The name of the blog is a link, the headline is not
        "<h1><a href=/>みおざきだより</a></h1><h3>新しい駅が開業した</h3>",
        "<h2>みおざきだより</h2><h1>新しい駅が開業した</h1>",  # the higher one
        # The one that says more
        "<h1><a href=/>みおざきだより</a></h1><h1><a href=/1>新しい駅が開業した</a></h1>",
    ],
)
def test_of_several_headings_the_one_that_is_no_link_counts_then_the_highest_then_the_longest(
    headings: str,
) -> None:
    assert headline_of(f"<title>新しい駅が開業した - みおざきだより</title>{headings}<p>{PROSE}") == [
        "新しい駅が開業した"
    ]


def test_of_equal_headings_the_first_counts() -> None:
    whole = forest(
        [
            make_nodes(
                f"<title>新しい駅が開業した</title><h1>新しい駅が開業した</h1><h1>新しい駅が開業した</h1><p>{PROSE}"
            )
        ]
    )
    assert headlines(whole, numbers(Blocks(whole))).tolist() == [True, False, False]


def test_each_page_has_its_own() -> None:
    pages = [
        f"<title>第{number}の話をしよう</title><h1>第{number}の話をしよう</h1><p>{PROSE}"
        for number in "一二三"
    ]
    english = "<title>A new station opens</title><h1>A new station opens</h1><p>The town is glad."
    assert headline_of(pages[0], english, "<p>", *pages[1:]) == [
        f"第{number}の話をしよう" for number in "一二三"
    ]


def test_kana_make_a_page_japanese_and_kanji_do_not() -> None:
    pages = forest(
        [
            make_nodes(html)
            for html in (
                f"<p>{PROSE}",
                "<p>新站今日开通，市民前来参观。",
                "<p>새 역이 열렸다",
                "<p>A station",
                "<p>",
            )
        ]
    )
    assert japanese(pages).tolist() == [True, False, False, False, False]


def test_code_does_not_make_a_japanese_page_another() -> None:
    assert japanese(
        forest([make_nodes(f"<p>{PROSE}<pre>{'for line in sys.stdin: print(line)' * 20}</pre>")])
    ).all()


def test_models_are_sure_of_headlines() -> None:
    said = np.array([-2.0, 1.0, 4.0])
    found = with_headlines(said, np.array([True, False, True]))
    assert found.tolist() == [ODDS, 1.0, 4.0]
    assert said.tolist() == [-2.0, 1.0, 4.0]


def test_a_page_without_content_has_no_headline_either() -> None:
    pages = forest(
        [make_nodes(html) for html in ("<h1>新しい駅</h1><p>開業", "<p>", "<h1>新しい駅</h1><p>開業")]
    )
    odds = np.array([-2.0, 1.0, -2.0, NOTHING - 0.1])
    _, raised, _ = apply_conventions(odds, pages, np.array([True, False, True, False]), japanese(pages))
    assert raised.tolist() == [ODDS, 1.0, -2.0, NOTHING - 0.1]


def test_the_shipped_model_keeps_the_headline_of_a_japanese_page_and_says_why() -> None:
    head = "<title>新しい駅が開業した - みおざき新聞</title><div><a href=/>みおざき新聞</a></div>"
    page = make_nodes(f"{head}<div><h1>新しい駅が開業した</h1><p>{PROSE * 2}<p>{PROSE}</div>")
    model = load_model("default")
    at = list(page.texts).index("新しい駅が開業した")
    (labels,) = model.predict([page])
    assert labels[at] == "O"
    why = model.explain(page, at)
    assert why.probability["O"] > 0.9
    assert any(reason.attribute == "headline" for reason in why.reasons)
