"""When a page was published, as it says itself."""

from __future__ import annotations

import pytest
from hypothesis import given

from ruiji.corpora.page import Page
from ruiji.detector.gather.published import Published, published
from tests.strategies import any_text

URL = "http://a.example/page.html"


@pytest.mark.parametrize(
    ("html", "found"),
    [
        (
            '<meta property="article:published_time" content="2009-05-12T08:00:00+09:00">',
            Published("2009-05-12", "meta"),
        ),
        ('<meta content="2009-05-12" name="DC.date.issued" />', Published("2009-05-12", "meta")),
        ("<meta name=date content=2009-05>", Published("2009-05", "meta")),
        ('<meta name="date" content="Tue, 12 May 2009 08:00:00 GMT">', Published("2009-05-12", "meta")),
        (
            '<meta name="date" content="2009-13-41"><time pubdate datetime="2009-05-12">',
            Published("2009-05-12", "time"),
        ),
        ('<meta name="viewport" content="2009-05-12"><meta name="update" content="2009-05-12">', Published()),
        (
            '<script type="application/ld+json">{"datePublished": "2009-05-12"}</script>',
            Published("2009-05-12", "data"),
        ),
        (
            '<p>12:30</p><time class="when" datetime="12:30">12:30</time><time class=entry-date '
            'datetime="2009-05-12">',
            Published("2009-05-12", "time"),
        ),
        ('<h2>Sessions</h2><time datetime="2009-05-12">May 12</time>', Published()),
        ("<p>Books published before 2009-05-12 are old</p>", Published()),
        ("<p>2009-05-12</p>", Published()),
        ("", Published()),
    ],
)
def test_what_the_markup_says(html: str, found: Published) -> None:
    for given_html in (html, html.encode("cp932")):
        assert published(Page("p", URL, given_html)) == found


@pytest.mark.parametrize(
    ("url", "found"),
    [
        ("http://a.example/2009/05/12/harbour.html", "2009-05-12"),
        ("http://a.example/news/2009-05-12.html", "2009-05-12"),
        ("http://a.example/news/20090512-harbour/", "2009-05-12"),
        ("http://a.example/news/sj20090512.html", "2009-05-12"),
        ("http://a.example/2009/05/", "2009-05"),
        ("http://a.example/2009/", ""),
        ("http://a.example/2009/13/", ""),
        ("http://a.example/20090230.html", ""),
        ("http://a.example/id/1200905123", ""),
        ("http://a.example/?day=2009-05-12", ""),
        ("http://2009-05-12.example/", ""),
        ("http://a.example/python-3.2009.05/", ""),
        ("2009/05/12/page.html", ""),
    ],
)
def test_what_the_address_says(url: str, found: str) -> None:
    assert published(Page("p", url, "<p>")) == Published(found, "address" if found else "")


def test_the_markup_is_believed_before_the_address() -> None:
    page = Page("p", "http://a.example/2009/05/12/", '<time pubdate datetime="2008-01-31T10:00">')
    assert published(page) == Published("2008-01-31", "time")


@given(any_text)
def test_any_text_gives_a_day_or_none(text: str) -> None:
    day = published(Page("p", f"http://a.example/{text}", f'<time pubdate datetime="{text}">')).day
    assert day == "" or "1000" < day < "9999"
