"""The loop in C shows the text of nodes as Python does."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from ruiji.corpora.c_modules import compiled
from ruiji.corpora.miniweb import MINIWEB
from ruiji.corpora.reading import read_pages
from ruiji.features.page.parsing import text_nodes
from ruiji.features.page.textnodes import TextNodes
from tests.factories import make_nodes
from tests.strategies import html_pages

pytestmark = pytest.mark.skipif(
    compiled("ruiji.features.page._shown") is None, reason="the loop in C was not built"
)


def check(nodes: TextNodes, seed: int) -> None:
    draw = np.random.default_rng(seed)
    for keep in (None, draw.random(len(nodes)) < 0.5, np.zeros(len(nodes), dtype=bool)):
        assert nodes.shown_text(keep) == nodes.shown_text_in_python(keep)


@given(html_pages, st.integers(0, 9))
@settings(max_examples=100)
@example("<pre> \n a\n</pre> <b> b </b> <i>c</i><br> <textarea>\n  d </textarea><p> \0 e\t\f f", 1)
@example("<p>a <b> </b><i> x</i>😀<pre>\n\n</pre><pre> <b>y</b> </pre>z <u>\u3000</u> w", 2)
def test_invented_pages(page: str, seed: int) -> None:
    check(make_nodes(page), seed)


def test_pages_of_the_mini_web() -> None:
    for number, page in enumerate(read_pages(sorted(MINIWEB.rglob("*.html")))):
        check(text_nodes(page), number)
