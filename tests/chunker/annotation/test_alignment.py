"""Plain text becomes labels of text nodes: in order, in regions, whatever the text looks like."""

from __future__ import annotations

from itertools import islice

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ruiji.chunker import annotated_mask
from ruiji.chunker.annotation.alignment import aligned_mask
from ruiji.chunker.labels import labels_of_mask
from ruiji.chunker.metrics import Counts, score_labels, word_scores
from ruiji.corpora import read_pages
from ruiji.features import TextNodes, text_nodes
from tests.factories import PROSE, make_nodes
from tests.paths import DATA
from tests.strategies import any_text, html_soup

needs_data = pytest.mark.skipif(
    not DATA.is_dir(), reason="the annotated pages are not here; RUIJI_DATA names their folder"
)

MENU = "<ul><li>Home<li>News<li>Sport<li>Weather<li>Contact us</ul>"
STORY = (
    "<p>A storm warning is in force for the whole coast until Sunday evening, the office said.</p>"
    "<p>Ferries between the islands stay in port, and fishermen have brought in their boats.</p>"
)
STORY_TEXT = (
    "A storm warning is in force for the whole coast until Sunday evening, the office said.\n"
    "Ferries between the islands stay in port, and fishermen have brought in their boats."
)


def chosen(html: str, main_content: str) -> list[str]:
    """The stripped texts of the nodes that are content."""
    nodes = make_nodes(html)
    return texts_of(nodes, aligned_mask(nodes, main_content).content)


def texts_of(nodes: TextNodes, content: np.ndarray[tuple[int], np.dtype[np.bool_]]) -> list[str]:
    return [text.strip() for text, keep in zip(nodes.texts, content, strict=True) if keep]


@given(st.lists(st.integers(1, 9), min_size=1, max_size=25), st.data())
def test_a_contiguous_text_of_unique_words_gives_exactly_its_nodes(
    sizes: list[int], data: st.DataObject
) -> None:
    words = iter(range(1000))
    nodes = make_nodes("".join("<p>" + " ".join(f"w{next(words)}" for _ in range(size)) for size in sizes))
    start = data.draw(st.integers(0, len(sizes) - 1))
    end = data.draw(st.integers(start + 1, len(sizes)))
    expected = np.zeros(len(sizes), dtype=np.bool_)
    expected[start:end] = True
    mask = aligned_mask(nodes, nodes.shown_text(expected))
    assert mask.content.tolist() == expected.tolist()
    assert mask.score.tolist() == expected.tolist()


@given(st.lists(st.text(alphabet="あいうえおかきくけこ", min_size=3, max_size=9), min_size=1, max_size=8))
def test_the_text_of_all_nodes_gives_all_nodes(texts: list[str]) -> None:
    nodes = make_nodes("".join(f"<p>{text}" for text in texts))
    mask = aligned_mask(nodes, nodes.shown_text())
    assert mask.content.all()
    assert word_scores(nodes.shown_text(), nodes.shown_text(mask.content))[2] == 1.0


@given(html_soup, any_text)
def test_any_text_gives_a_mask(html: str, main_content: str) -> None:
    if not html:
        return
    nodes = make_nodes(html)
    mask = aligned_mask(nodes, main_content)
    assert len(mask.content) == len(mask.score) == len(nodes)
    assert mask.decided_by == "alignment"
    assert ((mask.score >= 0) & (mask.score <= 1)).all()


@given(html_soup, st.randoms(use_true_random=False))
def test_words_of_the_page_in_any_order_give_a_mask(html: str, random: object) -> None:
    nodes = make_nodes(html or "x")
    words = nodes.shown_text().split()
    random.shuffle(words)  # type: ignore[attr-defined]
    assert len(aligned_mask(nodes, " ".join(words)).content) == len(nodes)


@pytest.mark.parametrize("main_content", ["", " \n", "— … !", "completely different wording"])
def test_without_words_in_common_nothing_is_content(main_content: str) -> None:
    mask = aligned_mask(make_nodes(MENU + STORY), main_content)
    assert not mask.content.any()
    assert not mask.score.any()


def test_a_page_without_text_has_an_empty_mask() -> None:
    nodes = make_nodes("<p><img src=x></p>")
    assert len(aligned_mask(nodes, "text").content) == 0


def test_words_that_the_menu_has_too_are_taken_from_the_body() -> None:
    html = f"{MENU}<h1>Weather</h1>{STORY}<p>Contact us</p>{MENU}"
    found = aligned_mask(make_nodes(html), f"Weather\n{STORY_TEXT}\nContact us").content
    assert found.tolist() == [False] * 5 + [True] * 4 + [False] * 5


def test_a_heading_is_taken_next_to_its_text_and_not_from_the_table_of_contents() -> None:
    intro = "<p>This page tells about the weather at sea and on land in the last week.</p>"
    html = f"<p>Storm</p>{intro}<ul><li>Storm<li>Rain</ul><h2>Storm</h2>{STORY}"
    text = f"This page tells about the weather at sea and on land in the last week.\nStorm\n{STORY_TEXT}"
    assert aligned_mask(make_nodes(html), text).content.tolist() == [
        False,
        True,
        False,
        False,
        True,
        True,
        True,
    ]


def test_a_text_that_stands_twice_in_the_page_is_taken_once() -> None:
    nodes = make_nodes(f"<div>{STORY}</div>{MENU}<div>{STORY}</div>")
    content = aligned_mask(nodes, STORY_TEXT).content
    assert content.sum() == 2
    assert (np.diff(content) != 0).sum() == 1


def test_single_words_are_not_scattered_over_menus() -> None:
    assert chosen(f"{MENU}{STORY}", f"{STORY_TEXT}\nsport") == [
        line.strip() for line in STORY_TEXT.split("\n")
    ]


def test_short_nodes_follow_their_neighbours() -> None:
    html = (
        f"{MENU}<p><b>Storm</b> — <a href=x>warning</a>: <i>!</i></p>{STORY}<p>* * "
        f"*</p>{STORY.replace('storm', 'flood')}"
    )
    text = f"Storm warning\n{STORY_TEXT}\n{STORY_TEXT.replace('storm', 'flood')}"
    assert aligned_mask(make_nodes(html), text).content.tolist() == [False] * 5 + [True] * 10


def test_words_split_over_nodes_are_found() -> None:
    html = f"{MENU}<p><big>O</big>nce upon a time there was a <b>light</b>house <i>keep</i>er.</p>{MENU}"
    content = aligned_mask(make_nodes(html), "Once upon a time there was a lighthouse keeper.").content
    assert content.tolist() == [False] * 5 + [True] * 6 + [False] * 5


def test_nodes_that_only_styles_set_apart_are_found() -> None:
    html = f"{MENU}<p><span>Published</span><span>Monday</span><span>Author</span><span>Jane Roe</span></p>"
    assert chosen(html, "Published Monday\nAuthor Jane Roe") == ["Published", "Monday", "Author", "Jane Roe"]


def test_markup_and_tables_written_as_text_do_not_matter() -> None:
    html = (
        f"{MENU}<h2>Ferry times</h2><table><tr><td>North<td>8:30<td>daily<tr><td>South<td>9:15<td>"
        f"weekdays</table>{STORY}"
    )
    text = (
        "## _Ferry times_\n\n| North | 8:30 | daily |\n|---|---|---|\n| South | 9:15 | weekdays "
        f"|\n\n**{STORY_TEXT}**"
    )
    assert aligned_mask(make_nodes(html), text).content.tolist() == [False] * 5 + [True] * 9


def test_text_that_is_in_no_node_does_no_harm() -> None:
    text = f"A photo of the harbour taken from above at sunrise\n{STORY_TEXT}\nA map of all ferry lines"
    assert chosen(f"{MENU}{STORY}", text) == STORY_TEXT.split("\n")


def test_a_text_in_another_order_is_found() -> None:
    parts = [
        f"<p>part {number} " + " ".join(f"w{number}x{word}" for word in range(20)) for number in range(4)
    ]
    html = MENU.join(parts)
    nodes = make_nodes(html)
    text = "\n".join(nodes.texts[node] for node in (10 + 8, 6, 0, 12))
    content = aligned_mask(nodes, text).content
    assert np.flatnonzero(content).tolist() == [0, 6, 12, 18]


def test_japanese_is_aligned_by_characters() -> None:
    sentences = PROSE.split("。")[:-1]
    menu = "<ul><li>市場<li>駅前<li>海岸<li>天気</ul>"
    html = menu + "<h1>海岸</h1>" + "".join(f"<p>{sentence}。" for sentence in sentences) + menu
    text = "海岸\n" + "\n".join(f"{sentence}。" for sentence in sentences)
    expected = [False] * 4 + [True] * (1 + len(sentences)) + [False] * 4
    assert aligned_mask(make_nodes(html), text).content.tolist() == expected


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("<p>a a a a" * 10_000, "a " * 40_000),
        ("<i>a</i> " * 30_000, "a " * 500),
        ("<p>add to cart buy now" * 8_000, "buy now add to cart " * 8_000),
        (
            "<p>" + "<p>".join(f"w{number * 7919 % 13}" for number in range(9_000)),
            " ".join(f"w{number % 11}" for number in range(9_000)),
        ),
    ],
    ids=["one word", "one word, a node each", "period", "few words"],
)
def test_repetition_takes_no_quadratic_time(html: str, text: str) -> None:
    nodes = make_nodes(html)
    assert len(aligned_mask(nodes, text).content) == len(nodes)


@needs_data
@pytest.mark.data
def test_pages_of_the_wide_web_are_reproduced() -> None:
    scores = []
    for page in islice(read_pages([DATA / "web" / "wcxb-dev.jsonl.gz"]), 0, None, 15):
        nodes, main_content = text_nodes(page), page.extra["main_content"] or ""
        aligned = nodes.shown_text(aligned_mask(nodes, main_content).content)
        scores.append(word_scores(main_content, aligned)[2])
    assert len(scores) == 100
    assert np.mean(scores) >= 0.98
    assert np.median(scores) >= 0.995


@needs_data
@pytest.mark.data
def test_the_text_of_annotated_japanese_pages_gives_their_annotation_back() -> None:
    total = Counts()
    for path in sorted(DATA.glob("ja-sites/*.jsonl.gz")):
        for page in islice(read_pages([path]), 0, None, 20):
            nodes = text_nodes(page)
            true = annotated_mask(nodes).content
            mask = aligned_mask(nodes, nodes.shown_text(true))
            total += score_labels(labels_of_mask(true), labels_of_mask(mask.content))
    assert total.L_nc >= 0.995
    assert total.R_F >= 0.9  # one page is a table of contents and the same headings without text between them
