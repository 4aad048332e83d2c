"""The loop in C says of links what Python says."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from ruiji.corpora.c_modules import compiled
from ruiji.features.nodes.tags import _fragments, fragments_in_python
from ruiji.features.page.links import link_kind, link_kinds, link_kinds_in_python

IN_C = compiled("ruiji.features.page._links")
pytestmark = pytest.mark.skipif(IN_C is None, reason="the loop in C was not built")

HOSTS = ("", "a.example", "www.a.example", "b.example")
PARTS = (
    "http:",
    "https:",
    "//",
    "/",
    "#",
    ".",
    "?",
    " ",
    ":",
    "@",
    "a.example",
    "www.",
    "b",
    "mailto:",
    "\u3000",
    "é",
)
hrefs_of = st.lists(
    st.lists(st.sampled_from(PARTS), max_size=5).map("".join) | st.text(max_size=5), max_size=8
)


@given(hrefs_of, st.sampled_from(HOSTS), st.sampled_from(HOSTS))
@example(
    ["", "#", " #", "//b.example", "./a", "a:b", "b", "HTTP://A.example/x", "http://a.example"],
    "a.example",
    "b.example",
)
def test_links(hrefs: list[str], page_host: str, base_host: str) -> None:
    kinds = link_kinds(hrefs, page_host, base_host)
    assert kinds == link_kinds_in_python(hrefs, page_host, base_host)
    assert kinds == [link_kind(href, page_host, base_host) for href in hrefs]
    assert _fragments(hrefs).tolist() == fragments_in_python(hrefs).tolist()


def test_what_is_no_list_of_strings_is_refused() -> None:
    assert IN_C is not None
    with pytest.raises(TypeError):
        IN_C.fragments([b"#"])
    with pytest.raises(TypeError):
        IN_C.kinds([b"#"], (), (), 1, 2, 1, "", print)
