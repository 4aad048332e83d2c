"""Copies of articles with comments below them: what is added, that it is no content, and what copies count
for.
"""

from __future__ import annotations

import pytest

from ruiji.chunker.annotation.examples import Example, examples_of
from ruiji.chunker.labels import O
from ruiji.corpora import Page
from scripts.after_article import (
    COPY_SHARE,
    EVERY,
    LEAST_SENTENCES,
    added_copies,
    collect_sentences,
    with_additions,
)

BEFORE = "<nav><a href=/>Start</a></nav>"
AFTER = "<footer>Imprint of the house</footer>"


def article(number: int, kind: str | None = "article") -> Page:
    lines = [
        f"This is sentence {place} of story {number}, and it is long enough to be told from the others."
        for place in range(LEAST_SENTENCES)
    ]
    body = "".join(f"<p>{line}</p>" for line in lines)
    html = f"<html lang=en><body>{BEFORE}<main><div class=story>{body}</div></main>{AFTER}</body></html>"
    extra = {"main_content": "\n".join(lines)} | ({"page_type": kind} if kind else {})
    return Page(id=str(number), url=f"http://site{number}.example/", html=html, extra=extra)


def known(pages: list[Page]) -> list[tuple[Page, Example]]:
    return list(zip(pages, examples_of(pages), strict=True))


PAGES = [article(number) for number in range(6)]


@pytest.mark.parametrize("number", range(6))
def test_a_copy_has_all_of_its_page_and_more_and_the_same_content(number: int) -> None:
    copy = with_additions(PAGES[number], collect_sentences(PAGES))
    assert copy is not None
    before, after = examples_of([PAGES[number], copy])
    assert before.nodes is not None
    assert after.nodes is not None
    assert set(before.nodes.texts) <= set(after.nodes.texts)
    assert len(after.nodes.texts) > len(before.nodes.texts)
    assert after.nodes.shown_text(after.labels == O) == before.nodes.shown_text(before.labels == O)


def test_copies_are_always_the_same() -> None:
    sentences = collect_sentences(PAGES)
    assert with_additions(PAGES[0], sentences) == with_additions(PAGES[0], sentences)


def test_a_page_and_its_copy_count_for_one_page() -> None:
    copies, weights = added_copies(known(PAGES))
    assert len(copies) == len(PAGES) // EVERY
    assert weights[: len(PAGES) : EVERY] == [1 - COPY_SHARE] * len(copies)
    assert sum(weights) == pytest.approx(len(PAGES))


@pytest.mark.parametrize("kind", ["forum", "listing", "product"])
def test_only_articles_are_copied(kind: str) -> None:
    assert added_copies(known([article(number, kind) for number in range(3)])) == ([], [1.0] * 3)


def test_a_short_page_and_one_whose_text_is_not_there_have_no_copy() -> None:
    sentences = collect_sentences(PAGES)
    short = Page(id="s", url="", html="<p>Closed today.", extra={"main_content": "Closed today."})
    elsewhere = Page(id="e", url="", html="<p>Nothing", extra=PAGES[0].extra)
    assert with_additions(short, sentences) is None
    assert with_additions(elsewhere, sentences) is None
