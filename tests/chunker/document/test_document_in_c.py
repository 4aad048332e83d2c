"""Lines, blocks, images and Markdown in C against their references: the same document."""

from __future__ import annotations

from itertools import islice
from types import ModuleType

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ruiji.chunker.document import blocks, images, inlines, tidying
from ruiji.chunker.document import reading as reading_module
from ruiji.chunker.document.model import (
    Formula,
    Image,
    Inline,
    InlineCode,
    LineBreak,
    Link,
    NoteReference,
    Styled,
    Text,
)
from ruiji.chunker.document.reading import body_of
from ruiji.chunker.document.writing import lines as lines_module
from ruiji.chunker.document.writing.markdown import markdown
from ruiji.corpora import MINIWEB, read_pages
from ruiji.corpora.c_modules import compiled
from ruiji.corpora.page import Page
from ruiji.features.arrays import BoolArray
from ruiji.features.page.parsing import text_nodes
from ruiji.features.page.textnodes import TextNodes
from tests.factories import make_page
from tests.paths import DATA
from tests.strategies import html_pages, html_soup, html_trees

IN_C = {
    name: compiled(f"ruiji.chunker.document.{name}")
    for name in ("_blocks", "_images", "_inlines", "writing._lines")
}
built = pytest.mark.skipif(None in IN_C.values(), reason="the modules in C were not all built here")

letters = st.text(" \u00a0\u3000\n\tab1漢ー*_[]`~!^$<>&#;\\()-.:|é“", max_size=6)
pieces: st.SearchStrategy[Inline] = st.recursive(
    st.one_of(
        st.builds(Text, letters),
        st.builds(InlineCode, letters),
        st.builds(Formula, letters, st.booleans()),
        st.builds(Image, letters, letters, letters),
        st.builds(LineBreak),
        st.builds(NoteReference, st.sampled_from(("1", "a"))),
    ),
    lambda inner: st.one_of(
        st.builds(
            Styled,
            st.sampled_from(("strong", "emphasis", "strike", "subscript", "superscript")),
            st.lists(inner, max_size=3).map(tuple),
        ),
        st.builds(Link, letters, st.lists(inner, max_size=3).map(tuple), letters),
    ),
    max_leaves=8,
)
lines = st.lists(pieces, max_size=5).map(tuple)


@built
@settings(max_examples=600)
@given(line=lines)
def test_any_pieces_are_tidied_the_same_way(line: tuple[Inline, ...]) -> None:
    assert tidying.tidy(line) == tidying.tidy_in_python(line)


@built
@settings(max_examples=600)
@given(line=lines, more=st.sampled_from(("", "$", "]", "$]")))
def test_any_pieces_are_written_the_same_way(line: tuple[Inline, ...], more: str) -> None:
    in_c = IN_C["writing._lines"]
    assert in_c is not None
    assert in_c.line_of(line, more) == lines_module.inlines_in_python(line, more)
    paragraph = in_c.paragraph(line)
    if paragraph is not None:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(lines_module, "_in_c", None)
            assert paragraph == lines_module.paragraph(line)


def markdown_of(nodes: TextNodes, content: BoolArray, url: str) -> str:
    return markdown(body_of(nodes, content, url))


def markdown_in_python(nodes: TextNodes, content: BoolArray, url: str) -> str:
    def nothing(name: str) -> ModuleType | None:
        return None

    with pytest.MonkeyPatch.context() as patch:
        for module in (blocks, inlines, tidying, lines_module):
            patch.setattr(module, "_in_c", None)
        for other in (images, reading_module):
            patch.setattr(other, "compiled", nothing)
        return markdown_of(nodes, content, url)


def assert_same_document(page: Page, seed: int) -> None:
    nodes = text_nodes(page, detailed=True)
    content = np.random.default_rng(seed).random(len(nodes)) < 0.8
    assert markdown_of(nodes, content, page.url) == markdown_in_python(nodes, content, page.url)


@built
@settings(max_examples=200)
@given(html=st.one_of(html_soup, html_trees, html_pages), seed=st.integers(0, 99))
def test_any_page_gives_the_same_document(html: str, seed: int) -> None:
    assert_same_document(make_page(f"<p>{html}"), seed)


@built
def test_the_pages_of_the_mini_web_give_the_same_documents() -> None:
    for seed, page in enumerate(read_pages([str(MINIWEB)])):
        assert_same_document(page, seed)


@built
@pytest.mark.parametrize(
    "html",
    [
        "<p>a <b> b<br> <br><i> c </i></b> <a href=/d>d<a href=e>e</a></a> <a href='f g'>f</a>"
        "<a href=#h>¶</a>",
        "<p>漢\n字 <b>漢</b>\n字<span class=katex>x<math><mi>x</mi></math></span><kbd>k</kbd><sup>1</sup>",
        "<ul><li>a<ul><li>b</ul><li><p>c<p>d<pre>e\n f</pre></ul><li>g<li>h<dl><dt>i<dd>j</dl>",
        "<div>a<hr>b<code>c\nd\ne</code>f<button>Copy</button><div role=heading aria-level=4>g</div></div>",
        "<h1>a</h1><figure><img src=/a.png><figcaption>b</figcaption></figure><img src=b.png><p>c"
        "<img src=c.png><a href=/><img src=d.png></a><div class=logo><img src=e.png></div>"
        "<nav><img src=f.png></nav><p>g",
        "<p>a<sup><a href=#n1 id=r1>1</a></sup><ol class=footnotes><li id=n1>b <a href=#r1>↩</a></ol>",
        "<p>1. a<p># b<p>- c<p>$d$ and $e$<p>~~~<p>+ f<p>=<p>1) g<h2>h #</h2><h2><b>i</b> j</h2>",
    ],
)
def test_hard_pages_give_the_same_document(html: str) -> None:
    for seed in range(12):
        assert_same_document(make_page(html), seed)


@built
@pytest.mark.parametrize(
    "name", ["web/wcxb-dev", "pairs-web/pages", "ja-sites/groonga-ja", "markdown-dev/pages"]
)
def test_real_pages_give_the_same_document(name: str) -> None:
    path = DATA / f"{name}.jsonl.gz"
    if not path.exists():
        pytest.skip(f"{path} is not here")
    for seed, page in enumerate(islice(read_pages([str(path)]), 0, None, 12)):
        assert_same_document(page, seed)


@built
def test_what_is_no_piece_of_a_document_is_refused() -> None:
    lines_in_c, inlines_in_c, blocks_in_c, images_in_c = (
        IN_C[name] for name in ("writing._lines", "_inlines", "_blocks", "_images")
    )
    assert None not in (lines_in_c, inlines_in_c, blocks_in_c, images_in_c)
    for wrong in ([Text("a")], ("a",), (Text(1),), (Styled("big", (Text("a"),)),), (Link("a", [Text("b")]),)):  # type: ignore[arg-type]
        with pytest.raises((TypeError, ValueError, KeyError)):
            lines_in_c.line_of(wrong, "")
    for piece in (Text(1), Styled("big", ()), Link("a", [Text("b")]), Link("a", (), None)):  # type: ignore[arg-type]
        with pytest.raises((TypeError, ValueError)):
            inlines_in_c.tidy([piece])
    with pytest.raises(TypeError):
        inlines_in_c.inlines_of([3], inlines.Reading())
    with pytest.raises(TypeError):
        blocks_in_c.blocks_of("p", inlines.Reading(), [])
    with pytest.raises(TypeError):
        inlines_in_c.connect_page(object, {}, len, frozenset())
    with pytest.raises(TypeError):
        inlines_in_c.connect_values((Text,), ())
    page = {"parent": [-1, 0], "first": [0, 0], "end": [1, 1], "places": [0]}

    def near(image: int = 1, **wrong: list[int]) -> object:
        columns = {name: np.array(values, dtype=np.int32) for name, values in {**page, **wrong}.items()}
        of_elements = [np.zeros(2, dtype=kind) for kind in (np.int32, np.uint8, np.bool_, np.bool_)]
        return images_in_c.near_images(
            np.array([image]), columns["first"], columns["end"], columns["parent"], *of_elements,
            columns["places"].astype(np.int64), np.array([0.0, 3.0]), bytes(256), -1, 1, 2, (1.0, 2.0, 3.0),
            {}, len, len,
        )  # fmt: skip

    for values in (
        {"parent": [-1, 1]}, {"first": [0, 2]}, {"end": [1, 2]}, {"end": [1]}, {"places": [1]},
        {"places": [-1]},
    ):  # fmt: skip
        with pytest.raises(ValueError, match=r"fit|long"):
            near(**values)
    with pytest.raises(ValueError, match="image"):
        near(image=2)
