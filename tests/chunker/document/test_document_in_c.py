"""Lines, blocks, images and Markdown in C against their references: the same document."""

from __future__ import annotations

from itertools import islice

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ruiji.chunker.document import blocks, images, inlines, notes, tidying, tree
from ruiji.chunker.document import reading as reading_module
from ruiji.chunker.document.model import (
    Block,
    Body,
    Callout,
    Cell,
    CodeBlock,
    DisplayFormula,
    Formula,
    Heading,
    Image,
    Inline,
    InlineCode,
    LineBreak,
    Link,
    ListBlock,
    NoteReference,
    Paragraph,
    Quote,
    Styled,
    Table,
    Text,
    ThematicBreak,
)
from ruiji.chunker.document.reading import BodySettings, body_of, markdown_of
from ruiji.chunker.document.writing import markdown as markdown_module
from ruiji.chunker.document.writing.markdown import markdown
from ruiji.corpora import MINIWEB, read_pages
from ruiji.corpora.c_modules import compiled
from ruiji.corpora.page import Page
from ruiji.features.page.parsing import text_nodes
from tests.factories import make_page
from tests.paths import DATA
from tests.strategies import html_pages, html_soup, html_trees

IN_C = {name: compiled(f"ruiji.chunker.document.{name}") for name in ("_document", "_images")}
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


blocks_of_lines: st.SearchStrategy[Block] = st.recursive(
    st.one_of(
        st.builds(Paragraph, lines),
        st.builds(Heading, st.integers(1, 6), lines),
        st.builds(ThematicBreak),
        st.builds(DisplayFormula, letters),
        st.builds(CodeBlock, letters, st.sampled_from(("", "c"))),
        st.builds(Table, st.just(((Cell((Text("a"),)),),)), st.just(1)),
    ),
    lambda inner: st.one_of(
        st.builds(Quote, st.lists(inner, max_size=3).map(tuple)),
        st.builds(
            ListBlock,
            st.lists(st.lists(inner, min_size=1, max_size=3).map(tuple), min_size=1, max_size=3).map(tuple),
            st.sampled_from((None, 0, 1, 2, 999_999_999)),
        ),
        st.builds(Callout, st.just("note"), letters, st.lists(inner, max_size=2).map(tuple)),
    ),
    max_leaves=6,
)


@built
@settings(max_examples=800)
@given(blocks=st.lists(blocks_of_lines, max_size=4).map(tuple))
def test_any_blocks_are_written_the_same_way(blocks: tuple[Block, ...]) -> None:
    written = markdown(Body(blocks))
    with pytest.MonkeyPatch.context() as patch:
        in_python(patch)
        assert written == markdown(Body(blocks))


def in_python(patch: pytest.MonkeyPatch) -> None:
    """Nothing of a document is read or written in C."""
    for module in (blocks, inlines, tidying, markdown_module):
        patch.setattr(module, "_in_c", None)
    for other in (images, notes, reading_module, tree):
        patch.setattr(other, "compiled", lambda name: None)


def assert_same_document(page: Page, seed: int) -> None:
    nodes = text_nodes(page, detailed=True)
    content = np.random.default_rng(seed).random(len(nodes)) < 0.8
    for settings_of_body in (None, BodySettings(links=False, images=False, tables=False, ruby=True)):
        arguments = (nodes, content, page.url, nodes.title, settings_of_body)
        body, text = body_of(*arguments), markdown_of(*arguments)
        with pytest.MonkeyPatch.context() as patch:
            in_python(patch)
            assert body == body_of(*arguments)
            assert text == markdown(body)


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
    document, images_in_c = IN_C["_document"], IN_C["_images"]
    assert document is not None
    assert images_in_c is not None
    for piece in (Text(1), Styled("big", ()), Link("a", ("b",)), Link("a", (), None), "a", None):  # type: ignore[arg-type]
        with pytest.raises((TypeError, ValueError)):
            document.tidy([piece])
    odd = (Paragraph(3), Heading(0, ()), Heading(2, "a"), ListBlock(((),)), ListBlock([]), Quote("a"), 3)  # type: ignore[arg-type]
    for block in odd:
        with pytest.raises((TypeError, ValueError, KeyError)):
            document.written((block,))
    deep: Block = Paragraph(())
    for _ in range(3000):
        deep = Quote((deep,))
    with pytest.raises(RecursionError):
        document.written((deep,))
    with pytest.raises(TypeError):
        document.written("a")
    assert document.inlines_of([3], inlines.Reading()) is None
    root = document.Node("p")
    for wrong in (("p", inlines.Reading(), []), (root, inlines.Reading(), 3)):
        with pytest.raises(TypeError):
            document.blocks_of(*wrong)
    assert document.blocks_of(root, inlines.Reading(), []) is None
    with pytest.raises(TypeError):
        document.markdown(root, inlines.Reading(), len, len)
    nodes = text_nodes(make_page("<p>a <b>b</b></p>"), detailed=True)
    grown = tree.content_tree(nodes, np.ones(len(nodes), dtype=np.bool_))
    with pytest.raises(AttributeError):
        document.blocks_of(grown, None, [])
    for arguments in (
        (grown, ("a",), "href", "#"),
        (grown, frozenset("a"), "lang", "#"),
        (root, frozenset(), "href", ""),
    ):
        with pytest.raises(TypeError):
            document.marked(*arguments)
    with pytest.raises(TypeError):
        document.connect_reading((Text,), (), b"", b"", b"", frozenset(), frozenset(), ())
    with pytest.raises(TypeError):
        document.connect_writing((), (), ())
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
