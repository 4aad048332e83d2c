"""Copies of articles with comments below them: what is added, that it is no content, and what copies count
for.
"""

from __future__ import annotations

from dataclasses import replace

import pytest

from ruiji.chunker.annotation.examples import Example, examples_of
from ruiji.chunker.labels import O
from ruiji.corpora import Page
from scripts.after_article import (
    COPIES,
    COPY_SHARE,
    LEAST_SENTENCES,
    added_copies,
    collect_grafts,
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


def test_a_page_and_its_copies_count_for_one_page() -> None:
    copies, weights = added_copies(known(PAGES), collect_sentences(PAGES))
    assert len(copies) == COPIES * len(PAGES)
    assert weights == pytest.approx([1 - COPIES * COPY_SHARE] * len(PAGES) + [COPY_SHARE] * len(copies))
    assert len({copy.text for copy in copies}) > len(PAGES)


@pytest.mark.parametrize("kind", ["forum", "listing", "product"])
def test_only_articles_are_copied(kind: str) -> None:
    pages = [article(number, kind) for number in range(3)]
    assert added_copies(known(pages), collect_sentences(pages)) == ([], [1.0] * 3)


def test_a_short_page_and_one_whose_text_is_not_there_have_no_copy() -> None:
    sentences = collect_sentences(PAGES)
    short = Page(id="s", url="", html="<p>Closed today.", extra={"main_content": "Closed today."})
    elsewhere = Page(id="e", url="", html="<p>Nothing", extra=PAGES[0].extra)
    assert with_additions(short, sentences) is None
    assert with_additions(elsewhere, sentences) is None


FORUM = Page(
    id="f",
    url="http://forum.example/",
    html="<html lang=en><body><div class=thread>"
    + "".join(
        f"<p class=post>Post {place} of the thread says what its poster thinks.</p>" for place in range(9)
    )
    + "</div></body></html>",
    extra={
        "main_content": "\n".join(
            f"Post {place} of the thread says what its poster thinks." for place in range(9)
        ),
        "page_type": "forum",
    },
)


def test_posts_of_a_forum_and_comments_of_an_article_may_be_added() -> None:
    comments = "<div id=comments>" + "<p>I have been there and I know better than that.</p>" * 9 + "</div>"
    own = PAGES[0].html
    assert isinstance(own, str)
    with_comments = replace(PAGES[0], html=own.replace("</main>", f"</main>{comments}"))
    grafts = collect_grafts([with_comments, FORUM])
    assert [("thread" in graft, "comments" in graft) for graft in grafts["posts", "en"]] == [
        (False, True),
        (True, False),
    ]


def test_a_part_of_the_copies_has_only_the_beginning_of_its_article() -> None:
    pages = [article(number) for number in range(12)]
    copies, _ = added_copies(known(pages), collect_sentences(pages))
    whole = examples_of(pages) * COPIES
    sizes = [len(copy.text) / len(page.text) for copy, page in zip(copies, whole, strict=True)]
    assert min(sizes) < 0.8
    assert max(sizes) > 0.99
    for copy, page in zip(copies, whole, strict=True):
        assert page.text.startswith(copy.text[:60])
