"""Pages that are read twice and parsed once."""

from __future__ import annotations

from dataclasses import replace

import pytest

from ruiji.corpora.page import Page
from ruiji.features.page import kept
from ruiji.features.page.kept import KeptPages, text_nodes_again, text_nodes_kept
from ruiji.features.page.parser_input import PageFailed
from ruiji.features.page.parsing import text_nodes, text_nodes_of
from ruiji.features.page.textnodes import TextNodes

PAGE = Page("1", "http://a.example/1", b"<p>\xe6\xb8\xaf<a href=/2>b</a>", is_text=True)


def test_only_the_same_page_is_taken_and_only_once() -> None:
    pages, nodes = KeptPages(), text_nodes(PAGE)
    pages.keep(PAGE, nodes)
    others = (
        replace(PAGE, url="http://b.example/1"),
        replace(PAGE, html=PAGE.html.replace(b"b", b"c")),  # type: ignore[union-attr, arg-type]
        replace(PAGE, content_type="text/html; charset=euc-jp"),
        replace(PAGE, extra={"standard_format": 1}),
        replace(PAGE, is_text=False),
    )
    assert [pages.take(other) for other in others] == [None] * len(others)
    assert pages.take(replace(PAGE)) is nodes
    assert pages.take(PAGE) is None


def test_no_more_than_fit_are_kept() -> None:
    pages, nodes = KeptPages(2 * PAGE.size), text_nodes(PAGE)
    many = [replace(PAGE, url=f"http://a.example/{number}") for number in range(3)]
    for page in many:
        pages.keep(page, nodes)
    assert [pages.take(page) is nodes for page in many] == [True, True, False]
    pages.keep(many[2], nodes)  # there is room again
    assert pages.take(many[2]) is nodes


def test_what_is_kept_is_not_read_again(monkeypatch: pytest.MonkeyPatch) -> None:
    pages = [replace(PAGE, url=f"http://a.example/{number}") for number in range(4)]
    broken = Page("x", "http://a.example/x", b"%PDF-1.4")
    first = text_nodes_kept([pages[1], broken, pages[2]])
    assert isinstance(first[1], PageFailed)
    read: list[str] = []

    def watched(some: list[Page]) -> list[TextNodes | PageFailed]:
        read.extend(page.url for page in some)
        return text_nodes_of(some)

    monkeypatch.setattr(kept, "text_nodes_of", watched)
    again = text_nodes_again([*pages, broken])
    assert again[1] is first[0]
    assert again[2] is first[2]
    assert again[4] is first[1]
    assert read == [pages[0].url, pages[3].url]
