"""The loops in C over what a site repeats, against their reference."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ruiji.chunker.site.compiled import IN_C, columns
from ruiji.chunker.site.evidence import SiteEvidence, evidence_of, site_pages, site_pages_by_arrays
from ruiji.chunker.unique.keys import key_of
from ruiji.corpora import read_pages
from ruiji.corpora.c_modules import compiled
from ruiji.corpora.miniweb import MINIWEB
from ruiji.features.nodes.forest import forest
from ruiji.features.page.parsing import text_nodes
from ruiji.features.page.textnodes import TextNodes
from tests.factories import make_nodes

BATCH = 7


def check(pages: Sequence[TextNodes], known: SiteEvidence) -> None:
    """Holds what the loops make of pages that are read together against the reference."""
    together = forest(pages)
    for own, reference in zip(site_pages(pages), site_pages_by_arrays(together), strict=True):
        assert np.sort(own.keys).tolist() == reference.keys.tolist()
        assert own.digest == reference.digest
        assert own.longest.key.tolist() == reference.longest.key.tolist()
        assert own.longest.length.tolist() == reference.longest.length.tolist()
    shift = known.shift(together)
    if shift is not None:
        sites = [key_of(page.host) for page in pages]
        places = [known._rows.get(site, (0, 0)) for site in sites]
        assert shift.tolist() == known.shift_by_arrays(together, sites, places).tolist()


def test_pages_of_the_mini_web() -> None:
    pages = [text_nodes(page) for page in read_pages([MINIWEB])]
    sites = sorted({page.host for page in pages})
    one = [replace(page, host="a.example") for page in pages]
    for all_pages in (pages, one):
        known = evidence_of(site_pages(all_pages))
        for start in range(0, len(pages), BATCH):
            check(all_pages[start : start + BATCH], known)
    assert len(sites) > 1


TAGS = "p div ul li a h1 h2 th dt caption b section custom-tag".split()
TEXTS = ["", " ", "港", "港の話 ", " 港の話", "市場の案内" * 40, "船", "灯台" * 60, "\ud800"]
pieces = st.lists(
    st.one_of(
        st.sampled_from([f"<{tag}>" for tag in TAGS] + [f"</{tag}>" for tag in TAGS]), st.sampled_from(TEXTS)
    ),
    max_size=40,
)


@given(st.lists(pieces, min_size=1, max_size=9), st.integers(1, 8))
def test_any_pages(pages: list[list[str]], again: int) -> None:
    nodes = [make_nodes("<body>" + "".join(own), url="http://a.example/") for own in pages]
    nodes = [page for page in nodes if len(page)]
    if nodes:
        menu = [
            make_nodes("<ul><li>港の話<li>船</ul>" + f"<p>{number}", url="http://a.example/")
            for number in range(again)
        ]
        check(nodes, evidence_of(site_pages([*menu, *nodes])))


def test_what_does_not_fit_is_refused() -> None:
    in_c = compiled(IN_C)
    assert in_c is not None
    given_columns = dict(columns(forest([make_nodes("<p>a<p>b")])))
    number = np.int32(1000)
    for name in ("page_start", "element_start", "parent", "first", "end", "element"):
        column = np.asarray(given_columns[name]).copy()
        column[-1] = number
        with pytest.raises(ValueError, match=r"fit|long"):
            in_c.pages(given_columns | {name: column})
    with pytest.raises(ValueError, match="fit"):
        in_c.pages(given_columns | {"LONGEST": 65})
    with pytest.raises(KeyError, match="bits"):
        in_c.pages({name: column for name, column in given_columns.items() if name != "bits"})
