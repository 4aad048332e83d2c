"""TEI and comments of readers."""

from __future__ import annotations

from xml.etree.ElementTree import fromstring

import numpy as np
import pytest

from ruiji import extract
from ruiji.chunker.comments import comment_nodes
from ruiji.chunker.document.metadata import Metadata
from ruiji.chunker.document.reading import body_of
from ruiji.chunker.document.writing.tei import NAMESPACE, tei
from ruiji.features.page.parsing import text_nodes
from tests.factories import make_page


def test_tei_has_the_blocks_the_words_and_what_is_known() -> None:
    html = (
        "<h2>a</h2><p>b <b>c</b> d\x0b <a href=http://e.example/>f</a></p><ul><li>g</ul>"
        "<table><tr><th>h<th>i<tr><td>j<td>k</table><pre>l\n m</pre>"
    )
    nodes = text_nodes(make_page(html), detailed=True)
    body = body_of(nodes, np.ones(len(nodes), dtype=np.bool_), "http://u.example/")
    root = fromstring(tei(body, Metadata(title="T <&>", author="A, B", language="en"), "http://u.example/"))
    tags = [element.tag.removeprefix(f"{{{NAMESPACE}}}") for element in root.iter()]
    assert [
        tag for tag in tags if tag in ("ab", "p", "list", "item", "table", "row", "cell", "code", "hi", "ref")
    ] == ("ref ab p hi ref list item p table row cell cell row cell cell code".split())
    assert root.findtext(f".//{{{NAMESPACE}}}title") == "T <&>"
    text = root.find(f"{{{NAMESPACE}}}text")
    assert text is not None
    assert "".join(text.itertext()) == "ab c d fghijkl\n m"


def test_comments_are_told_by_their_frame_and_not_where_they_are_the_page() -> None:
    html = "<p>A long article about a ferry that leaves at seven.</p><div id=comments><p>First!</p></div>"
    nodes = text_nodes(make_page(html))
    assert comment_nodes(nodes, np.ones(2, dtype=np.bool_)).tolist() == [False, True]
    assert comment_nodes(nodes, np.array([False, True])).tolist() == [False, False]


@pytest.mark.parametrize(
    "names",
    ["id=comments", "id=dsq-comments", "class='comment_list'", "class=n_7_comments_list", "id=commentsblock"],
)  # fmt: skip
def test_comments_longer_than_the_article_are_comments_under_many_names(names: str) -> None:
    article = "A long article about a ferry that leaves at seven."
    html = f"<p>{article}</p><div {names}><p>{article} So it does, I was there.</p></div>"
    document = extract(html, filter="none", comments="field")
    assert document.text == article
    assert document.comments == f"{article} So it does, I was there."
    assert extract(html, filter="none", comments="drop").comments == ""
    assert document.comments in extract(html, filter="none").text


def test_comments_that_the_model_leaves_out_can_be_kept() -> None:
    article = "".join(
        f"<p>The ferry of line {n} leaves at seven, and nobody waits for it.</p>" for n in range(9)
    )
    html = f"<article>{article}</article><div id=comments><p>I was there and I have waited.</p></div>"
    texts = {choice: extract(html, comments=choice).text for choice in ("auto", "keep", "drop")}
    assert "I have waited" not in texts["auto"] + texts["drop"]
    assert texts["keep"] == texts["auto"] + "\nI was there and I have waited."


@pytest.mark.parametrize("names", ["class=comment-count", "id=leave-a-comment", "class=commentary"])
def test_what_only_speaks_of_comments_is_none(names: str) -> None:
    html = f"<p>A long article about a ferry.</p><div {names}><p>7 comments</p></div>"
    assert extract(html, filter="none", comments="field").comments == ""
