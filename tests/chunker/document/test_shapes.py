"""Markup of highlighters, footnote plugins, boxes and formula renderers as they write it, in Markdown."""

from __future__ import annotations

import pytest

from tests.chunker.document.test_reading import written

CODE = "```js\nconst a = 1;\n  b();\n```"
NOTE = "a[^1] b\n\n[^1]: The captain said so."


@pytest.mark.parametrize(
    "html",
    [
        # Shiki with twoslash: the type of a word pops up.
        '<pre class="shiki twoslash" data-language="js"><code><span class="line"><span class="twosla'
        'sh-hover"><span'
        ' class="twoslash-popup-container"><code>const a: number</code></span>const a</span> = 1;</span>\n'
        '<span class="line">  b();</span></code></pre>',
        # VitePress: language and numbers of lines beside the code.
        '<div class="language-js"><button class="copy"></button><span class="lang">js</span><pre cla'
        'ss="shiki"><code>'
        '<span class="line">const a = 1;</span>\n<span class="line">  b();</span></code></pre><div class='
        '"line-numbers-wrapper"><span class="line-number">1</span><br><span class="line-number">2</s'
        "pan><br></div></div>",
        # A bar with language and button in the <pre> itself.
        '<pre><div><div>js</div><button>Copy code</button><div><code class="language-js">const a = 1;\n  b();'
        "</code></div></div></pre>",
    ],
)
def test_code_arrives_however_it_is_drawn(html: str) -> None:
    assert written(html) == CODE


def test_code_without_pre_is_read_line_by_line() -> None:
    rows = "".join(f'<div class="cm-line">{line}</div>' for line in ("a = 1", "  b"))
    assert written(f'<div class="cm-content">{rows}</div>') == "```\na = 1\n  b\n```"
    poem = '<div class="line-block"><div class="line">a rose</div><div class="line">is a rose</div></div>'
    assert written(poem) == "a rose\n\nis a rose"


@pytest.mark.parametrize(
    "html",
    [
        '<p>a<label class="sidenote-number"></label><input type=checkbox><span class="sidenote">The '
        "captain said so."
        "</span> b</p>",
        '<p>a<sup class="modern-footnotes-footnote"><a href="javascript:void(0)">1</a></sup><span class='
        '"modern-footnotes-footnote__note">The captain said so.</span> b</p>',
        '<p>a<a href="#f-1" name="fn-1">*1</a> b</p><div class="footnote"><p class="footnote"><a hre'
        'f="#fn-1" name='
        '"f-1">*1</a><span>:</span><span class="footnote-text">The captain said so.</span></p></div>',
        '<p>a<a href="#n1" name="r1">[1]</a> b</p><table><tr><td><a name="n1" href="#r1">[1]</a></td'
        "><td>The captain"
        " said so.</td></tr></table>",
    ],
)
def test_notes_beside_the_line_in_rows_and_of_blogs_are_footnotes(html: str) -> None:
    assert written(html) == NOTE


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ('<div class="admonitionblock note"><table><tr><td class="icon"><div class="title">Note</div'
         '></td><td class='
         '"content">b</td></tr></table></div>', "> [!note] Note\n> b"),
        ('<div class="IMPORTANT"><p>Important</p><p>b</p></div>', "> [!important] Important\n> b"),
        ('<section class="abstract"><h2>Abstract</h2><p>b</p></section>', "## Abstract\n\nb"),
        ('<p>a <span class="math-container">$x^2$</span></p>', "a $x^2$"),
        (r'<p>a \begin{align} x &amp;= y \end{align}</p>', "a\n\n$$\n\\begin{align} x &= y \\end{align}\n$$"),
        ('<p>a <span class="MathJax">x2</span><script type="math/tex">x^2</script> b</p>', "a $x^2$ b"),
        ('<p>a <math><mover><mi>x</mi><mo>¯</mo></mover><mo>=</mo><mi>sin</mi><mi>y</mi></math></p>',
         r"a $\bar{x} = \sin y$"),
        ('<dd><li>a</li><li>b</li></dd>', "- a\n- b"),
        ('<ul><ul><li>a</li><li>b</li></ul></ul>', "- a\n- b"),
        ('<button><h3>a?</h3></button><p>b</p>', "### a?\n\nb"),
        ('<p><code><a href="/b">a()</a></code></p>', "[`a()`](https://site.example/b)"),
        ('<p><b><img src=/i.png alt=i><noscript><img src=/i.png alt=i></noscript>a</b></p>',
         "**![i](https://site.example/i.png)a**"),
        ('<b><p>a</p><p>b</p></b>', "**a**\n\n**b**"),
        ('<table><tr><td><h4>a</h4><td><h4>b</h4><tr><td>1<td>2<tr><td>3<td>4</table>',
         "| a | b |\n| --- | --- |\n| 1 | 2 |\n| 3 | 4 |"),
        ('<p>a<p><img srcset="/s.png 300w, /l.png 1200w" alt=b>', "a\n\n![b](https://site.example/l.png)"),
        ('<figure><figure><img src=/i.png alt=i><figcaption>a</figcaption></figure></figure>',
         "![i](https://site.example/i.png)\n\na"),
    ],
)  # fmt: skip
def test_markup_means_what_its_writers_mean(html: str, expected: str) -> None:
    assert written(html) == expected


def test_links_to_edit_a_section_are_left_out_beside_its_heading() -> None:
    # MediaWiki since 1.43: the link stands beside the heading, not in it.
    html = (
        '<div class="mw-heading mw-heading2"><h2>Ferries</h2><span class="mw-editsection"><span>[</span>'
        '<a href="/w/index.php?action=edit&section=1"><span>edit</span></a><span>]</span></span></div><p>a'
    )
    assert written(html) == "## Ferries\n\na"


@pytest.mark.parametrize(("mark", "before"), [("1", "1. "), ("1", "[1] "), ("*", "* "), ("1", "1 ")])
def test_a_note_does_not_begin_with_its_own_mark(mark: str, before: str) -> None:
    html = f'<p>a<sup><a href="#n">{mark}</a></sup> b<p id="n" class="footnote">{before}The captain said so.'
    kept = before if before == "1 " else ""  # a number without a sign behind it may be part of the text
    assert written(html) == f"a[^{mark}] b\n\n[^{mark}]: {kept}The captain said so."
