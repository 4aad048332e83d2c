"""URL similarity against table 2 of Kang 2009, and addresses that mean one page."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ruiji.corpora.c_modules import compiled
from ruiji.detector.urls import canonical_url, url_key, url_keys, url_parts, url_similarity
from tests.strategies import any_text

TABLE_2 = [
    (
        0.50,
        "http://www.gipc.kanazawa-u.ac.jp/whatsnew/host/kh23102.htm",
        "http://133.28.23.100/whatsnew/host/kh23102.htm",
    ),
    (
        1.00,
        "http://www.softic.or.jp/lib/cases/Nikkei_v_Comline.html",
        "http://mail.softic.or.jp/lib/cases/Nikkei_v_Comline.html",
    ),
    # The table says 0.38, which is what dividing by the first URL's size gives; the text says Simpson, which
    # is 0.50.
    (
        0.50,
        "http://www.dd.ij4u.or.jp/~yamano/dokyo/saigoku/saigoku_17.htm",
        "http://yamanokanata.net/dokyo/saigoku/saigoku_17.htm",
    ),
    (
        1.00,
        "http://www.fdev.ce.hiroshima-cu.ac.jp/~terauchi/SEIKEI.HTM",
        "http://va620v.fdev.ce.hiroshima-cu.ac.jp/~terauchi/SEIKEI.HTM",
    ),
    (1.00, "http://www.keiju.co.jp/data2/tushinbo.htm", "http://keijyulion.keiju.co.jp/data2/tushinbo.htm"),
]


@pytest.mark.parametrize(("similarity", "one", "other"), TABLE_2)
def test_table_2_of_kang_2009(similarity: float, one: str, other: str) -> None:
    assert url_similarity(one, other) == url_similarity(other, one) == similarity


@pytest.mark.parametrize(
    ("url", "host", "path"),
    [
        (
            "http://nlp.kuee.kyoto-u.ac.jp/nl-resource/juman.html",
            {"nlp", "kuee", "kyoto", "u"},
            {"nl-resource", "juman.htm"},
        ),
        ("http://www2.example.co.jp/%7Etaro/index.html", {"example"}, {"taro"}),
        ("https://WWW.Example.com:8080/a/b?c=d/e", {"example"}, {"a", "b?c=d", "e"}),
        ("http://jp.example.net", {"example"}, set()),
        ("http://example.com/index.php?page=2", {"example"}, set()),
        ("folder/page.html", set(), {"folder", "page.htm"}),
    ],
)
def test_the_parts_that_are_compared(url: str, host: set[str], path: set[str]) -> None:
    assert url_parts(url) == (host, path)


def test_pages_without_a_path_are_compared_by_host_alone() -> None:
    assert url_similarity("http://a.example.com/", "http://a.example.com/index.html") == 0.5


@pytest.mark.parametrize(
    "url",
    [
        "http://a.example/",
        "https://a.example/",
        "http://A.example:80",
        "http://a.example/index.html",
        "https://a.example:443/#top",
    ],
)
def test_addresses_of_one_page_have_one_key(url: str) -> None:
    assert canonical_url(url) == "//a.example/"
    assert url_key(url) == url_key("http://a.example/")


@pytest.mark.parametrize(
    "url",
    [
        "http://a.example:8080/",
        "http://a.example/?q",
        "http://a.example/myindex.html",
        "http://a.example/a/",
        "http://b.example/",
    ],
)
def test_addresses_of_other_pages_have_other_keys(url: str) -> None:
    assert url_key(url) != url_key("http://a.example/")


@given(any_text, any_text)
def test_any_two_texts_have_a_similarity_from_0_to_1(one: str, other: str) -> None:
    assert 0 <= url_similarity(one, other) <= 1
    assert url_similarity(one, other) == url_similarity(other, one)
    assert -(1 << 63) <= url_key(one) < 1 << 63


@given(
    st.lists(
        st.sampled_from(
            "http:// https:// A.example b.jp / a index.html default.php ?q=1 ? # :80 :8080 @ "
            "あ ~t %41".split()
        ),
        max_size=6,
    )
)
def test_plain_addresses_are_the_same_when_they_are_taken_apart(pieces: list[str]) -> None:
    url = "".join(pieces)
    assert canonical_url(url) == canonical_url(
        f" {url}" if url.startswith("http") else url
    )  # with white space it is not plain


@given(
    st.lists(
        st.one_of(
            any_text,
            st.from_regex(
                r"https?://[a-zA-Z.-]{1,9}(/[\w/.,~%+=-]{0,9})?(index\.|Default\.|\n)?(\?[\w/&=]{0,5})?(#.{0,3})?",
                fullmatch=True,
            ),
        ),
        max_size=5,
    )
)
def test_the_loop_in_c_knows_the_same_addresses(urls: list[str]) -> None:
    module = compiled("ruiji.detector._urls")
    assert module is not None
    for url, form in zip(urls, module.plain(urls), strict=True):
        assert form is None or form.decode() == canonical_url(url)
    assert url_keys(urls).tolist() == [*map(url_key, urls)]


def test_the_loop_in_c_takes_addresses_as_most_are() -> None:
    module = compiled("ruiji.detector._urls")
    assert module is not None
    urls = [
        "https://A.example/b.html?c=1#d",
        "http://a.example",
        "http://a.example/index.html",
        "b",
        "http://あ/",
    ]
    assert module.plain(urls) == [b"//a.example/b.html?c=1", b"//a.example/", None, None, None]


@given(st.from_regex(r"http://[a-z]{1,9}(\.[a-z]{2,5}){1,3}/[a-z/~]{0,12}", fullmatch=True))
def test_a_canonical_address_stays_what_it_is(url: str) -> None:
    assert canonical_url("http:" + canonical_url(url)) == canonical_url(url)
