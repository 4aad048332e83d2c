"""Pages as documents: what markup means, in Markdown."""

from __future__ import annotations

import re

import numpy as np
import pytest
from hypothesis import given, settings

from ruiji.chunker.document.model import Heading, Paragraph, Text
from ruiji.chunker.document.reading import BodySettings, body_of
from ruiji.chunker.document.writing.markdown import markdown
from ruiji.features.page.parsing import text_nodes
from tests.factories import make_page
from tests.strategies import html_pages, html_soup, html_trees

URL = "https://site.example/folder/page.html"


def written(
    html: str, left_out: tuple[str, ...] = (), title: str = "", settings: BodySettings | None = None
) -> str:
    """The Markdown of a page; nodes with these texts are no content."""
    nodes = text_nodes(make_page(html), detailed=True)
    content = np.array([text.strip() not in left_out for text in nodes.texts], dtype=np.bool_)
    return markdown(body_of(nodes, content, URL, title, settings))


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<h1>A</h1><p>b <b>c </b>d<i> e</i></p><h3>F</h3>", "## A\n\nb **c** d *e*\n\n### F"),
        ("<p>a<br>b<br><br>c</p>", "a  \nb\n\nc"),
        ("<ul><li>a<ol start=3><li>b<li>c</ol><li><p>d</ul>", "- a\n\n  3. b\n  4. c\n\n- d"),
        ("<ul><li>a</li><ul><li>b</li></ul></ul>", "- a\n  - b"),
        ("<dl><dt>a</dt><dd>b</dd><dd><p>c</p></dd></dl>", "a\n\nb\n\nc"),
        ("<blockquote><p>a</p><p>b</p></blockquote>", "> a\n>\n> b"),
        ("<p>a <a href='../b.html?c=1#d'>e</a> <a href='javascript:f()'>g</a> <a href='#h'>i</a>",
         "a [e](https://site.example/b.html?c=1#d) g [i](#h)"),
        ("<a href=/b><h2>a</h2></a>", "## [a](https://site.example/b)"),
        ("<h2>a <a class=headerlink href='#a'>¶</a></h2>", "## a"),
        ("<pre><code class='language-python'>def f():\n    <b>return</b> "
         "1\n</code></pre>", "```python\ndef f():\n    "
                                                                                            "return 1\n```"),
        ("<pre><span>a</span><span>  </span><span>b</span>\n\n<i>c</i></pre>", "```\na  b\n\nc\n```"),
        ("<pre><div>a</div><div>b</div></pre>", "```\na\nb\n```"),
        ("<div class='highlight-source-rust'><table><tr><td><pre>1\n2</pre><td><pre>a\nb</pre></"
         "table></div>", "```rust\na\nb\n```"),
        ("<p>use <code>a  b</code> and <kbd>Ctrl</kbd></p>", "use `a b` and `Ctrl`"),
        ("<table><tr><th>a<th>b<tr><td colspan=2>c<tr><td>d<td>e<br>f</table>",
         "| a | b |\n| --- | --- |\n| c |  |\n| d | e<br>f |"),
        ("<table><tr><td rowspan=2>a<td>b<tr><td>c</table>", "| a | b |\n| --- | --- |\n|  | c |"),
        ("<table><tr><td><h2>a</h2><p>b<td>c</table>", "## a\n\nb\n\nc"),
        ("<table role=presentation><tr><td>a<td>b<tr><td>c<td>d</table>", "a\n\nb\n\nc\n\nd"),
        ("<p>a<figure><img src=i.png alt='an image'><figcaption>b <i>c</i></figcaption></figure>",
         "a\n\n![an image](https://site.example/folder/i.png)\n\nb *c*"),
        ("<p>a<p><img src='data:image/gif;base64,R0' data-src=/i.png alt=b>", "a\n\n![b](https://"
                                                                              "site.example/i.png)"),
        ("<p>a<img src=dot.gif width=1 height=1></p><nav><img src=logo.png></nav>", "a"),
        ("<div class='admonition warning'><p "
         "class=admonition-title>Care</p><p>a</p></div>", "> [!warning] Care\n> a"),
        ("<p>a <math><semantics><mi>x</mi><annotation "
         "encoding='application/x-tex'>x^2</annotation></semantics></math> b",
         "a $x^2$ b"),
        ("<p>a <math><msup><mi>x</mi><mn>2</mn></msup><mo>≤</mo><mfrac><mn>1</mn><mi>α</mi></mfrac></math> b",
         "a $x^{2} \\leq \\frac{1}{\\alpha}$ b"),
        ("<p>a</p><script type='math/tex; mode=display'>x_1</script><p>b</p>", "a\n\n$$\nx_1\n$$\n\nb"),
        ("<p>a<sup><a href='#n1' id=r1>1</a></sup></p><ol><li id=n1>b <a "
         "href='#r1'>↩</a></ol>", "a[^1]\n\n[^1]: b"),
        ("<p>x<sup>2</sup></p>", "x<sup>2</sup>"),
        ("<ul><li><a href='#a'>A</a><li><a href='#b'>B</a><li><a href='#c'>C</a></ul><h2 "
         "id=a>A</h2><p>d", "## A\n\nd"),
        ("<p>a</p><hr><hr><p>b</p><hr>", "a\n\n---\n\nb"),
        ("<div class=note><h3>注</h3><p>a</p></div>", "> [!note] 注\n> a"),
        ("<div class=tip><table><tr><td><img src=t.png><th>Tip<tr><td colspan=2><p>a</table></div>",
         "> [!tip] Tip\n> a"),
        ("<div class=note>a</div>", "a"),
        ("<code>\n  # a<br>\n  b 80<br>\n  <br>\n <span class=indent>\n  c<br>\n d</span></code>",
         "```\n# a\nb 80\n\n  c\n  d\n```"),
        ("<pre><pre class=x><code class='language-rust y'>a</code></pre></pre>", "```rust\na\n```"),
        ("<p>際に\n  よくある\n\n質問 と\nthe web\nです</p>", "際によくある質問 と the web です"),
        ("<p>a <code>b =\nc</code> d</p>", "a `b = c` d"),
        ("<h2>a<span>[<a href=edit?s=1>編集</a>]</span></h2>", "## a"),
        ("<p><a href='#a'>A</a><br><a href='#b'>B</a><br><a href='#c'>C</a></p><p>d</p>", "d"),
        ("<ul><li><ul><li>a<li>b</ul></ul>", "- a\n- b"),
        ("<p><em><b>a:</b> b</em> <em>c <b>d</b></em></p>", "_**a:** b_ _c **d**_"),
        ("<dl><dt>a <a href='#a'>¶</a></dt><dd>b</dd></dl>", "a\n\nb"),
        ("<p><b>a:&nbsp;</b>b<i>&nbsp; c&nbsp;</i></p>", "**a:**\u00a0b\u00a0 *c*"),
    ],
)  # fmt: skip
def test_markup_is_written_as_what_it_means(html: str, expected: str) -> None:
    assert written(html) == expected


def test_only_content_is_written_and_what_stands_between_still_parts() -> None:
    assert written("<div>a<div>menu</div>b</div>", left_out=("menu",)) == "a\n\nb"


def test_a_heading_belongs_to_what_follows_it() -> None:
    html = "<h2>Kept</h2><p>text</p><h2>Gone</h2><p><a href=/b>related</a></p>"
    assert written(html, left_out=("Kept", "Gone", "related")) == "## Kept\n\ntext"


def test_code_between_content_is_content_as_a_whole() -> None:
    assert written("<p>a<pre>x = <b>1</b></pre><p>b", left_out=("x =", "1")) == "a\n\n```\nx = 1\n```\n\nb"


def test_a_term_belongs_to_what_is_said_of_it_and_an_entry_that_links_does_not() -> None:
    html = "<p>text</p><dl><dt>J</dt><dd>a matrix</dd><dt><a href=b>Next</a></dt><dd>d</dd></dl>"
    assert written(html, left_out=("J", "Next")) == "text\n\nJ\n\na matrix\n\nd"


def test_pieces_of_code_with_nothing_between_them_are_one() -> None:
    html = "<div>a<code class=block>x = 1</code><pre>2</pre><code class=block>y = 3</code>b</div>"
    assert written(html, left_out=("x = 1", "2", "y = 3")) == "a\n\n```\nx = 1\n2\ny = 3\n```\n\nb"


FAR = "<div>" + "<p>something else, a bit of it at a time</p>" * 5 + "</div>"
LONG = "<p>" + "What is said here is content. " * 100 + "</p>"


@pytest.mark.parametrize(
    ("html", "images"),
    [
        (f"{LONG}<p><img src=a.png></p>{LONG}", ["a.png"]),
        (f"{LONG}<div><img src=a.png><img src=b.png></div>", ["a.png", "b.png"]),  # each of a gallery
        (f"{LONG}<div>{'<img src=a.png><img src=b.png?w=9><img src=b.png?w=1>' * 2}</div>",
         ["a.png", "b.png?w=9"]),  # of a carousel that goes round
        (f"{LONG}<img src='data:image/gif;base64,R0'><noscript><img src=a.png></noscript>", ["a.png"]),
        (f"{LONG}<img src=a.png><noscript><img src='a.png?w=9'></noscript>", ["a.png"]),
        (f"{LONG}<img src=empty.png data-src=a.png>", ["a.png"]),
        (f"{LONG}<img srcset='b.png?c=1,2 2x, d.png 1x'>", ["b.png?c=1,2"]),
        (f"{LONG}{FAR}<img src=a.png>{FAR}{LONG}", []),  # among what is dropped
        (f"{LONG}<img src=/icons/a.png><img src=b.png width=32><img src=c.png alt='Avatar of x'>", []),
        (f"<header><h1>H</h1><figure><img src=a.png></figure>By N</header>{FAR}{LONG}", ["a.png"]),
        (f"<header><img src=a.png><h1>H</h1></header>{FAR}{LONG}", []),
    ],
)  # fmt: skip
def test_images_beside_the_content_and_below_the_headline_belong_to_it(html: str, images: list[str]) -> None:
    dropped = ("something else, a bit of it at a time", "By N", "H")
    assert re.findall(r"!\[[^]]*\]\(https://site.example/folder/([^)]*)", written(html, dropped)) == images


def test_an_image_brings_its_caption() -> None:
    html = f"{LONG}<figure><img src=a.png><figcaption>Seen from above</figcaption></figure>{LONG}"
    assert "\n\nSeen from above\n\n" in written(html, ("Seen from above",))


def test_what_is_left_of_a_list_of_contents_goes_with_its_heading() -> None:
    assert written("<h2>Contents</h2><ul><li><a href='#a'>A</a></ul><h2 id=a>A</h2><p>d") == "## A\n\nd"


def test_the_day_above_an_entry_is_no_heading() -> None:
    assert written("<h6>Wednesday, 26 February 2025</h6><p>d") == "d"


def test_of_a_short_page_without_links_all_that_is_said_is_kept() -> None:
    html = "<article><h3>a</h3><p>b</p><pre>x = 1</pre><p>c</p><div>Copy</div></article>"
    assert written(html, ("a", "b", "c", "Copy")) == "### a\n\nb\n\n```\nx = 1\n```\n\nc"
    linked = html.replace("Copy", "<a href=/>All of the posts</a> <a href=/b>The next post</a>")
    assert written(linked, ("a", "b", "c", "All of the posts", "The next post")) == "```\nx = 1\n```"


def test_limits_of_a_sum_stand_where_they_belong() -> None:
    # MathJax's CHTML writes what is above a sum first and what is below inside of its base
    html = (
        "<p>a <mjx-container><mjx-math><mjx-munderover><mjx-over><mjx-mi>n</mjx-mi></mjx-over><mjx-box>"
        "<mjx-munder><mjx-row><mjx-base><mjx-mo>∑</mjx-mo></mjx-base></mjx-row><mjx-row><mjx-under><mjx-mi>i</mjx-mi>"
        "</mjx-under></mjx-row></mjx-munder></mjx-box></mjx-munderover></mjx-math></mjx-container> b"
    )
    assert written(html) == "a $\\sum_{i}^{n}$ b"


def test_the_headline_that_is_the_title_is_not_repeated() -> None:
    assert written("<h1>The  Title</h1><p>a</p><h2>The title</h2>", title="The Title") == "a\n\n## The title"


def test_the_name_of_the_book_above_the_title_is_not_repeated() -> None:
    html = "<title>Moods - The Book of Rust</title><h1>The Book of Rust</h1>"
    html += "<h2>Moods</h2><p>a</p><h2>Rust</h2><p>b"
    assert written(html, title="Moods") == "a\n\n## Rust\n\nb"


def test_readings_are_left_out_or_written_behind_their_text() -> None:
    html = "<p><ruby>漢<rp>(</rp><rt>かん</rt>字<rt>じ</rt></ruby>です"
    assert written(html) == "漢字です"
    assert written(html, settings=BodySettings(ruby=True)) == "漢字《かんじ》です"


def test_links_images_and_tables_can_be_left_out() -> None:
    html = "<p>a <a href=b>c</a> <img src=d alt=e></p><table><tr><th>f<th>g<tr><td>h<td>i</table>"
    assert written(html, settings=BodySettings(links=False, images=False, tables=False)) == "a c"


def test_a_page_that_was_not_walked_in_detail_is_refused() -> None:
    nodes = text_nodes(make_page("<p>a"))
    with pytest.raises(ValueError, match="detailed=True"):
        body_of(nodes, np.ones(1, dtype=np.bool_), URL)


@settings(max_examples=150, deadline=None)
@given(html_soup | html_trees | html_pages)
def test_any_page_becomes_a_document(html: str) -> None:
    nodes = text_nodes(make_page(f"<p>{html}"), detailed=True)
    markdown(body_of(nodes, np.ones(len(nodes), dtype=np.bool_), URL))


def test_a_page_of_any_depth_becomes_a_document() -> None:
    html = "<div><b><blockquote><ul><li>" * 700 + "x"
    nodes = text_nodes(make_page(html), detailed=True)
    assert "x" in markdown(body_of(nodes, np.ones(len(nodes), dtype=np.bool_), URL))


def test_bodies_are_values() -> None:
    nodes = text_nodes(make_page("<h2>a</h2><p>b"), detailed=True)
    body = body_of(nodes, np.ones(2, dtype=np.bool_), URL)
    assert body.blocks == (Heading(2, (Text("a"),)), Paragraph((Text("b"),)))
