"""Where links lead (Nakamura 2007, section 3.2.4)."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ruiji.features.page.links import LinkKind, host_of, link_kind, link_kinds, resolve, resolve_all
from tests.factories import make_nodes


@pytest.mark.parametrize(
    ("url", "host"),
    [
        ("http://host.example/a", "host.example"),
        ("HTTP://WWW.Host.Example", "host.example"),
        ("https://user:word@host.example:8080/a//b", "host.example"),
        ("//host.example?q", "host.example"),
        ("http://host.example#x", "host.example"),
        ("/a//b", ""),
        ("page.html", ""),
        ("", ""),
        ("page?next=http://host.example/", ""),
        ("/?u=//host.example/", ""),
    ],
)
def test_the_host_of_an_address(url: str, host: str) -> None:
    assert host_of(url) == host


@pytest.mark.parametrize(
    ("href", "kind"),
    [
        ("page.html", LinkKind.INTERNAL),
        ("/a", LinkKind.INTERNAL),
        ("#top", LinkKind.INTERNAL),
        ("?q=1", LinkKind.INTERNAL),
        ("", LinkKind.INTERNAL),
        ("http://host.example/b", LinkKind.INTERNAL),
        ("https://www.host.example:8080/b", LinkKind.INTERNAL),
        ("//host.example/b", LinkKind.INTERNAL),
        ("  HTTP://HOST.EXAMPLE/", LinkKind.INTERNAL),
        ("javascript:open('http://other.example/')", LinkKind.INTERNAL),
        ("mailto:a@other.example", LinkKind.INTERNAL),
        ("http://other.example/", LinkKind.EXTERNAL),
        ("//other.example", LinkKind.EXTERNAL),
        (" https://other.example", LinkKind.EXTERNAL),
        ("http://sub.host.example/", LinkKind.EXTERNAL),
        ("http://host.example.other/", LinkKind.EXTERNAL),
        ("http://host.example@other.example/", LinkKind.EXTERNAL),
    ],
)
def test_the_kind_of_a_link(href: str, kind: LinkKind) -> None:
    assert link_kind(href, "host.example") == kind
    assert make_nodes(f'<a href="{href}">x</a>').link_kind(0) == kind


hosts = st.sampled_from(["host.example", "www.host.example", "base.example", ""])
addresses = st.one_of(
    st.text(max_size=20),
    st.text("htp:/s.#?a@ w", max_size=20),
    st.builds(
        lambda *parts: "".join(parts),
        st.sampled_from(["http://", "https://", "//", "HTTP://", " https://", ""]),
        st.sampled_from(["", "www.", "www.www.", "u@"]),
        st.sampled_from(["host.example", "base.example", "HOST.example", "host.example.other"]),
        st.sampled_from(["", "/", ":80/", "?x", "#x", "@other/"]),
    ),
)


@given(hrefs=st.lists(addresses, max_size=10), page_host=hosts, base_host=hosts)
def test_many_links_have_the_kinds_of_each(hrefs: list[str], page_host: str, base_host: str) -> None:
    assert link_kinds(hrefs, page_host, base_host) == [
        link_kind(href, page_host, base_host) for href in hrefs
    ]


def test_text_without_a_link_is_of_no_kind() -> None:
    nodes = make_nodes("<p>a<a href=http://other.example/>b</a>")
    assert [nodes.link_kind(node) for node in range(2)] == [LinkKind.NONE, LinkKind.EXTERNAL]


def test_the_first_base_with_an_address_counts() -> None:
    nodes = make_nodes(
        "<base target=_top><base href=http://base.example/dir/><base href=http://second.example/><p>a"
    )
    assert nodes.base == "http://base.example/dir/"


def test_the_base_stands_in_for_a_page_without_a_host() -> None:
    nodes = make_nodes(
        "<base href=http://host.example/><a href=http://host.example/x>a</a><a "
        "href=http://other.example/>b</a>",
        url="page.html",
    )
    assert [nodes.link_kind(node) for node in range(2)] == [LinkKind.INTERNAL, LinkKind.EXTERNAL]


def test_a_link_to_the_pages_own_host_is_internal_whatever_the_base() -> None:
    nodes = make_nodes(
        "<base href=http://cdn.example/><a href=http://host.example/x>a</a>", url="http://host.example/"
    )
    assert nodes.link_kind(0) == LinkKind.INTERNAL


@pytest.mark.parametrize(
    ("href", "address"),
    [
        ("b.html", "http://host.example/dir/b.html"),
        (" ../c?d#e ", "http://host.example/c?d"),
        ("//other.example/x", "http://other.example/x"),
        ("#top", "http://host.example/dir/a.html"),
        ("", "http://host.example/dir/a.html"),
        ("javascript:void(0)", ""),
        ("mailto:a@b.example", ""),
        ("http://[broken", ""),
        ("data:text/html,x", ""),
    ],
)
def test_a_link_is_resolved_without_its_fragment(href: str, address: str) -> None:
    assert resolve(href, "http://host.example/dir/a.html") == address


@given(href=st.text(max_size=30), base=st.text(max_size=30))
def test_no_address_raises(href: str, base: str) -> None:
    assert "#" not in resolve(href, base)
    assert isinstance(link_kind(href, host_of(base)), LinkKind)
    assert isinstance(host_of(href), str)


PIECES = """http:// https:// HTTP:// // a.example B.jp / / .. . ./ ../ a b.html index.html ?q=1 ? # #x %7E ~t
: 80 ;p
@ あ = & [ mailto:""".split()
addresses = st.lists(st.sampled_from([*PIECES, " "]), max_size=7).map("".join)
bases = st.one_of(
    addresses,
    st.sampled_from(["http://a.example/x/y/z.html", "http://a.example", "https://a.jp/x/?z", "a/b.html"]),
)


@settings(max_examples=400)
@given(hrefs=st.lists(addresses, max_size=4), base=bases)
def test_many_links_lead_where_each_leads(hrefs: list[str], base: str) -> None:
    assert resolve_all(hrefs, base) == {href: resolve(href, base) for href in hrefs}
