"""Metadata: where pages say what they are, and what of it is believed."""

from __future__ import annotations

import pytest

from ruiji.chunker.document.metadata import Metadata, metadata_of
from ruiji.chunker.document.metadata.names import clean_name
from ruiji.chunker.document.metadata.times import iso_time
from ruiji.chunker.document.metadata.titles import without_site
from ruiji.features.page.parsing import text_nodes
from tests.factories import make_page

LINKED_DATA = """<script type="application/ld+json">{"@graph": [
{"@type": "NewsArticle", "headline": "H", "author": [{"@id": "#a"}, {"name": "B C"}], "datePublished":
"2024-05-03T15:47:42Z",
 "dateModified": "2024-05-04", "publisher": {"name": "The Site"}, "license": "https://l.example/",},
{"@id": "#a", "@type": "Person", "name": "A A"}]}</script>"""

OF_SITE = "<meta property=og:site_name content=Site><meta name=author content=Site>"


def read(html: str, text: str = "", url: str = "https://www.site.example/a/") -> Metadata:
    return metadata_of(text_nodes(make_page(html), detailed=True), text, url)


def test_linked_data_says_who_and_when_and_where_it_came_from() -> None:
    metadata = read(f"<html lang=en><title>Head - The Site</title>{LINKED_DATA}<h1>Head</h1>")
    assert metadata.title == "Head"
    assert metadata.author == "A A, B C"
    assert (metadata.published, metadata.modified) == ("2024-05-03T15:47:42+00:00", "2024-05-04")
    assert (metadata.site, metadata.license, metadata.language) == ("The Site", "https://l.example/", "en")
    assert metadata.sources["author"] == "json-ld author"


@pytest.mark.parametrize(
    ("html", "field", "value"),
    [
        ("<meta property=og:title content='T | S'><meta property=og:site_name content=S>", "title", "T"),
        ("<title>港の船｜サイト</title><h1>港の船</h1>", "title", "港の船"),
        ("<meta name=author content='By Jane Doe'>", "author", "Jane Doe"),
        ("<p class=byline>By Jane Doe and John Roe</p>", "author", "Jane Doe, John Roe"),
        ("<p>By <strong>Jane Doe</strong></p>", "author", "Jane Doe"),
        ("<p>著者：山田太郎</p>", "author", "山田太郎"),
        ("<meta property=article:published_time content=2024-01-02>", "published", "2024-01-02"),
        ("<time datetime='2024-01-02T03:04:05+09:00'>x</time>", "published", "2024-01-02T03:04:05+09:00"),
        ("<p class=date>令和6年1月2日</p>", "published", "2024-01-02"),
        ("<p>公開日：2024年1月2日</p>", "published", "2024-01-02"),
        ("<p>Posted on</p><p>2 January 2024</p>", "published", "2024-01-02"),
        ("<h1>H</h1><p>Tag</p><p>02.01.2024 | 13:00</p>", "published", "2024-01-02"),
        ("<p>This page was last edited on 2 January 2024, at 14:32</p>", "published", "2024-01-02"),
        ("<p>最終更新日: 2024/01/02</p>", "modified", "2024-01-02"),
        ("<span class=accessdate>2 January 2024</span>", "published", ""),
        ("<span class=accessdate>2 January 2024</span>", "modified", ""),
        (f"{OF_SITE}<a href=/authors/7>Jane Doe</a>", "author", "Jane Doe"),
        (f"{OF_SITE}<p class=byline>red</p>", "author", "Site"),
        ("<title>Head ¶ - Site</title><h1>Head <a href='#h'>¶</a></h1>", "title", "Head"),
        ("<link rel=canonical href=/b>", "canonical", "https://www.site.example/b"),
        ("<meta property=og:image content=i.png>", "image", "https://www.site.example/a/i.png"),
        ("<a rel=license href=https://creativecommons.org/licenses/by/4.0/>CC BY</a>", "license",
         "https://creativecommons.org/licenses/by/4.0/"),
    ],
)  # fmt: skip
def test_a_page_says_it_in_many_places(html: str, field: str, value: str) -> None:
    assert getattr(read(html + "<p>x"), field) == value


def test_the_address_dates_a_page_that_says_nothing() -> None:
    assert read("<p>x", url="https://a.example/2024/01/02/x").published == "2024-01-02"
    assert read("<p>x").published == ""


@pytest.mark.parametrize(
    ("text", "declared", "language"),
    [
        ("これは日本語の文章です。", "en", "ja"),
        (
            "Dies ist ein deutscher Satz über die Sprache, und noch einer über das Wetter von morgen.",
            "en",
            "de",
        ),
        ("short", "fr-CA", "fr"),
        ("short", "", ""),
    ],
)
def test_the_language_is_that_of_the_content(text: str, declared: str, language: str) -> None:
    assert read(f"<html lang='{declared}'><p>x", text).language == language


def test_of_a_page_of_posts_the_first_has_the_author() -> None:
    posts = "".join(
        f"<p itemprop=author>Name {letter} 1,992 2 2 gold badges 14</p>" for letter in "ABCDEFGHIJ"
    )
    assert read(posts).author == "Name A"
    assert read(posts[: 2 * len(posts) // 10]).author == "Name A, Name B"


@pytest.mark.parametrize(
    "text",
    [
        "Sun Dec 17, 2023",
        "https://facebook.com/x",
        "@jane",
        "admin",
        "Last Updated: January 7, 2025",
        "",
        "Sat",
        "Thursday",
        "View my complete profile",
        "3 days ago",
        "Written By",
        "page.head.extra.author",
    ],
)
def test_what_is_no_name_is_none(text: str) -> None:
    assert clean_name(text) == ""


def test_a_weekday_behind_a_name_is_none_of_it() -> None:
    assert clean_name("Jane van Doe Monday") == "Jane van Doe"
    assert clean_name("Ruby Tuesday") == "Ruby Tuesday"


def test_a_title_that_was_cut_goes_on_in_the_headline() -> None:
    headline = "What will be the trend in the market of watches?"
    cut = f"<meta property=og:title content='{headline[:34]}...'>"
    assert read(f"{cut}<h1>{headline}</h1><p>x").title == headline
    assert read(f"{cut}<h1>What will be</h1><p>x").title == f"{headline[:34]}..."


@pytest.mark.parametrize(
    ("text", "time"),
    [("28.04.2023", "2023-04-28"), ("20240102", "2024-01-02"), ("May 3, 2024", "2024-05-03"),
    ("1704164645", "2024-01-02T03:04:05+00:00"),
     ("nothing", ""), ("2024-99-99", "")],
)  # fmt: skip
def test_times_are_read_as_people_write_them(text: str, time: str) -> None:
    assert iso_time(text) == time


def test_a_title_without_its_site_is_never_empty() -> None:
    assert without_site("Port | Port", "Port", "") == "Port"
    assert without_site("Port", "Port", "") == "Port"
    assert without_site("Port: a story", "Port", "") == "a story"
