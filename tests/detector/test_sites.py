"""Who runs a page, by its address."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ruiji.detector.sites import (
    mirrored,
    of_one_service,
    path_key,
    registered_domain,
    site_of,
    site_similarity,
)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("http://www.example.co.jp/a", "https://m.example.co.jp/b/c.html"),
        ("http://example.com/", "http://sp.example.com:8080/?p=1"),
        ("http://en.wikipedia.org/wiki/A", "http://ja.m.wikipedia.org/wiki/B"),
        ("http://a.blogspot.com/2020/01/x.html", "http://a.blogspot.com/"),
        ("http://ameblo.jp/taro/entry-1.html", "https://ameblo.jp/Taro/entry-2.html"),
        ("http://k2.hatenablog.com/entry/1", "https://www.k2.hatenablog.com/entry/2"),
        ("https://www.tumblr.com/", "https://tumblr.com/about"),
        ("http://www.school.ac.jp/~sato/", "http://www.school.ac.jp/%7Esato/a.html"),
    ],
)
def test_pages_of_one_site(one: str, other: str) -> None:
    assert site_of(one) == site_of(other)
    assert 0.5 <= site_similarity(one, other) <= 1


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("http://www.mext.go.jp/a", "http://www.soumu.go.jp/a"),
        ("http://rubyzasshi.jp/blog/1", "http://pakuri-matome.jp/blog/2"),
        ("http://a.blogspot.com/x.html", "http://b.blogspot.com/x.html"),
        ("http://a.exblog.jp/1/", "http://b.exblog.jp/2/"),
        ("http://ameblo.jp/taro/entry-1.html", "http://ameblo.jp/jiro/entry-1.html"),
        ("http://medium.com/@anna/x-1", "http://medium.com/@bob/x-2"),
        ("http://www.school.ac.jp/~sato/a.html", "http://www.school.ac.jp/~suzuki/a.html"),
        ("http://a.blog72.fc2.com/x.html", "http://b.blog105.fc2.com/x.html"),
        ("http://a.g1.xrea.com/x.html", "http://b.g1.xrea.com/x.html"),
        ("https://mastodon.example.org/@anna/1", "https://mastodon.example.org/@bob/1"),
        ("https://steemit.com/life/@anna/x", "https://steemit.com/life/@bob/x"),
        ("https://www.deviantart.com/anna/journal/x-1", "https://www.deviantart.com/bob/journal/x-2"),
        ("http://192.0.2.1/", "http://192.0.2.2/"),
    ],
)
def test_pages_of_two_sites(one: str, other: str) -> None:
    assert site_of(one) != site_of(other)
    assert site_similarity(one, other) == 0


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("http://192.0.2.1/docs/guide/install.html", "https://project.org/docs/guide/install.html"),
        ("http://mirror.clevertool.net/blog/types-of-apps/", "https://clevertool.com/blog/types-of-apps/"),
        ("http://ftp.univ.ac.jp/pub/clevertool/2020/news.html", "https://clevertool.com/2020/news.html"),
        ("http://user-guide.second.org/ch01.html", "http://user-guide.third.org/ch01.html"),
        (
            "http://a.org/ja/x/y/a-rather-long-slug-of-a-page",
            "http://b.org/en/x/y/a-rather-long-slug-of-a-page/",
        ),
    ],
)
def test_a_tree_of_pages_and_its_mirror(one: str, other: str) -> None:
    assert mirrored(one, other)
    assert mirrored(other, one)
    assert 0 < site_similarity(one, other) <= 0.5


def test_the_same_short_path_makes_no_mirror() -> None:
    assert not mirrored("http://a.org/index.html", "http://b.org/index.html")
    assert not mirrored("http://a.org/blog/1.html", "http://b.org/blog/1.html")
    assert not mirrored("http://support.a.org/faq.html", "http://support.b.org/faq.html")


def test_a_page_has_one_path_in_all_its_releases_and_mirrors() -> None:
    urls = ("http://guide.second.org/ja/ch01.html", "https://guide.third.org/ch01.html")
    assert path_key(urls[0]) == path_key(urls[1]) != path_key("http://guide.third.org/ch02.html")
    assert path_key("http://a.org/") != path_key("http://b.org/")
    assert path_key("http://a.org/view?id=1") != path_key("http://b.org/view?id=2")


def test_top_levels_that_the_list_does_not_know_and_names_without_one() -> None:
    assert registered_domain("a.b.example") == "b.example"
    assert registered_domain("localhost") == "localhost"
    assert registered_domain("blogspot.com") == "blogspot.com"
    assert site_of("pages/one.html") == "pages/one.html"


@given(st.text(max_size=60), st.text(max_size=60))
def test_any_two_texts_have_a_similarity_that_is_the_same_both_ways(one: str, other: str) -> None:
    for url, another in ((one, other), (f"http://{one}", f"http://{other}")):
        assert site_similarity(url, another) == site_similarity(another, url)
        assert 0 <= site_similarity(url, another) <= 1


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("https://medium.com/@a/x", "https://medium.com/@b/y", True),
        ("http://aya.blog72.fc2.com/1", "http://ken.blog.fc2.com/2", True),
        ("http://www.asahi-net.or.jp/~aya/", "http://www.asahi-net.or.jp/~ken/", True),
        ("http://aya.livejournal.com/1", "http://ken.blog.fc2.com/2", False),
        ("http://www.a.example/~aya/", "http://www.b.example/~aya/", False),
        ("http://www.port.co.jp/a", "http://www.port.co.jp/b", False),
    ],
)
def test_users_of_one_service(one: str, other: str, same: bool) -> None:
    assert of_one_service(one, other) is same is of_one_service(other, one)
