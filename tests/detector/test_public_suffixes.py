"""Registered domains, held against the package whose list they are read from."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tldextract import TLDExtract

from ruiji.detector.public_suffixes import registered_domain

extract = TLDExtract(cache_dir=None, suffix_list_urls=(), include_psl_private_domains=True)
labels = st.sampled_from(
    "www port jp co com blogspot ck foo kawasaki city uk github io xn--p1ai рф xn--zzz*! a-b b".split()
)


def by_tldextract(host: str) -> str:
    found = extract(host)
    if found.suffix and found.domain:
        return f"{found.domain}.{found.suffix}"
    return host if found.suffix else ".".join(host.split(".")[-2:])


@given(st.lists(labels, min_size=1, max_size=5))
def test_hosts_of_any_labels(labels: list[str]) -> None:
    host = ".".join(labels)
    assert registered_domain(host) == by_tldextract(host)


@pytest.mark.parametrize(
    "host",
    ["foo.ck", "www.ck", "a.www.ck", "b.foo.ck", "city.kawasaki.jp", "a.b.kawasaki.jp", "co.jp", "localhost",
     "a.blogspot.com", "x.github.io", "www.port。jp", "пример.рф", "xn--e1afmkfd.xn--p1ai",
     "www.port.com.cn\u3000"],
)  # fmt: skip
def test_wildcards_exceptions_private_suffixes_and_other_scripts(host: str) -> None:
    assert registered_domain(host) == by_tldextract(host)
