"""Pages with a thread or a list where their article stood: what is content there, and what nobody knows."""

from __future__ import annotations

import random

import pytest

from ruiji.chunker.annotation.examples import Example, examples_of
from ruiji.chunker.labels import UNSURE, O
from ruiji.corpora import Page
from scripts.added_pages import added_pages
from scripts.after_article import LEAST_SENTENCES, collect_sentences
from scripts.template_zoo import FORUM, LIST, ZOO, planted, zoo


def article(number: int, below: str = "") -> Page:
    lines = [
        f"This is sentence {place} of story {number}, and it is long enough to be told from the others."
        for place in range(LEAST_SENTENCES)
    ]
    body = "".join(f"<p>{line}</p>" for line in lines)
    html = (
        f"<html lang=en><head><meta property='og:type' content='article'></head><body>"
        f"<nav><a href=/>Start</a></nav><main><div class=story>{body}</div></main>{below}"
        "<footer>Imprint of the house</footer></body></html>"
    )
    extra = {"main_content": "\n".join(lines), "page_type": "article"}
    return Page(id=str(number), url=f"http://site{number}.example/", html=html, extra=extra)


def known(pages: list[Page]) -> list[tuple[Page, Example]]:
    return list(zip(pages, examples_of(pages), strict=True))


def made(kind: str, count: int = 12, below: str = "") -> list[Example]:
    pages = [article(number, below) for number in range(count)]
    return zoo(known(pages), collect_sentences(pages), kind, 1.0)


@pytest.mark.parametrize("kind", [FORUM, LIST])
def test_what_is_planted_is_the_content_and_what_is_around_is_not(kind: str) -> None:
    examples = made(kind)
    assert len(examples) == 12
    for example in examples:
        assert example.nodes is not None
        assert (example.labels == O).any()
        label_of = dict(
            zip((text.strip() for text in example.nodes.texts), example.labels.tolist(), strict=True)
        )
        assert label_of["Start"] not in (O, UNSURE)
        assert label_of["Imprint of the house"] not in (O, UNSURE)
        assert example.page_kind == kind


def test_who_wrote_and_when_is_not_learned_from() -> None:
    assert any((example.labels == UNSURE).any() for example in made(FORUM))


def test_no_regions_are_learned_from_what_was_planted() -> None:
    assert not any(example.nodes and example.nodes.marks for example in made(FORUM))


def test_a_page_no_longer_says_that_it_is_an_article_nor_has_comments_below() -> None:
    for example in made(FORUM, below="<div id=comments>What readers said of it</div>"):
        assert example.nodes is not None
        assert not example.nodes.is_article
        assert not any("readers said" in text for text in example.nodes.texts)


def test_the_same_pages_are_made_again() -> None:
    first, second = made(FORUM, 4), made(FORUM, 4)
    assert [own.text for own in first] == [own.text for own in second]


def test_a_page_of_which_the_article_is_not_found_gives_none() -> None:
    page = article(0)
    sentences = collect_sentences([page])
    lost = Page(id="x", url=page.url, html="<html lang=en><body>nothing</body></html>", extra=page.extra)
    assert planted(lost, sentences, FORUM, random.Random(1)) is None
    assert planted(page, collect_sentences([]), FORUM, random.Random(1)) is None


def test_what_is_made_of_pages_follows_them_with_what_it_counts() -> None:
    pages = [article(number) for number in range(12)]
    added = added_pages(known(pages), ZOO)
    assert len(added.weights) == len(pages) + len(added.copies) + len(added.planted)
    assert {example.page_kind for example in added.planted} <= {FORUM, LIST}
    assert not added_pages(known(pages)).planted
    assert set(added.weights[len(pages) + len(added.copies) :]) <= {weight for _, weight in ZOO.values()}
