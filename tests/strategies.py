"""Random inputs that several tests share."""

from __future__ import annotations

from hypothesis import strategies as st

INLINE = ("b", "i", "span", "a href=x", "font size=2", "em", "my-tag", "ruby")
BLOCK = (
    "div",
    "p",
    "ul",
    "li",
    "td",
    "table",
    "tr",
    "section",
    "h2",
    "blockquote",
    "noscript",
    "pre",
    "form",
)
VOID = ("br", "hr", "img alt=x", "input type=hidden value=secret", "wbr")
HIDDEN = ("script", "style", "template", "noframes", "iframe", "video")

# Letters of several scripts and white space; markup characters come in through html_pieces.
words = st.text(alphabet="ab あア漢ｱ①é\u3000\u00a0\n\t.。", min_size=1, max_size=8)

any_text = st.text(alphabet=st.characters(exclude_categories=["Cs"]), max_size=60)
any_bytes = st.one_of(
    st.binary(max_size=200),
    st.lists(
        st.sampled_from([
            b"<p>", b"</p>", b"<meta charset=", b"shift_jis", b"utf-8", b"euc-jp>", b"<!--", b"-->",
            b"\x1b$B", b"\x1b(B", b"\x1b(I",
            b"\xef\xbb\xbf", b"\xff\xfe", b"\x00", b"\x82\xa0", b"\xa4\xa2", b"\xe3\x81\x82", b"\x8f",
            b"\x81", b"<a href=", b'"', b"&#0;",
            b"<table>", b"<script>", b"</", b"<", b">",
        ]),
        max_size=30,
    ).map(b"".join),
)  # fmt: skip

_start_tags = st.sampled_from((*INLINE, *BLOCK)).map(lambda tag: f"<{tag}>")
_end_tags = st.sampled_from((*INLINE, *BLOCK)).map(lambda tag: f"</{tag.split()[0]}>")
_void_tags = st.sampled_from(VOID).map(lambda tag: f"<{tag}>")
_hidden = st.tuples(st.sampled_from(HIDDEN), words).map(lambda pair: f"<{pair[0]}>{pair[1]}</{pair[0]}>")
_comments = words.map(lambda text: f"<!--{text}-->")

# Tag soup: any order of tags and text, so that the parser repairs, reparents and closes.
html_soup = st.lists(
    st.one_of(words, _start_tags, _end_tags, _void_tags, _hidden, _comments), max_size=25
).map("".join)


def _element(children: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    tags = st.sampled_from((*INLINE, *BLOCK))
    return st.tuples(tags, st.lists(children, max_size=4)).map(
        lambda pair: f"<{pair[0]}>{''.join(pair[1])}</{pair[0].split()[0]}>"
    )


# Well-formed nesting of any elements.
html_trees = st.recursive(st.one_of(words, _void_tags, _hidden, _comments), _element, max_leaves=15)

# What pages are made of: names, headings, lists, tables, links of all kinds, texts of all lengths.
FURNITURE = (
    ("<div class=menu>", "</div>"), ("<div id=mainContent>", "</div>"), ("<div>", "</div>"),
    ("<div class='x1 y-z'>", "</div>"),
    ("<nav>", "</nav>"), ("<footer role=contentinfo>", "</footer>"), ("<section hidden>", "</section>"),
    ("<article>", "</article>"),
    ("<ul class='side-bar list'>", "</ul>"), ("<li>", "</li>"), ("<ul><li>", "</li></ul>"),
    ("<dl><dt>", "</dt></dl>"), ("<p>", "</p>"),
    ("<h1>", "</h1>"), ("<h2 class=title>", "</h2>"), ("<table><tr><td>", "</td></tr></table>"),
    ("<form>", "</form>"),
    ("<a href=#top>", "</a>"), ("<a href=../up.html class=prev>", "</a>"),
    ("<a href=http://other.example/>", "</a>"), ("<b>", "</b>"),
    ("<span itemprop=name>", "</span>"), ("<my-tag class=ad>", "</my-tag>"), ("<font>", "</font>"),
    ("<pre>", "</pre>"),
)  # fmt: skip
PHRASES = (
    "ホーム", "目次", "次へ", "Copyright © 2007 Mio Inc.", "港町の朝は早い。船が出る、市が立つ。",
    "next page", "About us", "| ", "$12.50",
    "a", "ab", "B" * 39, "B" * 40, "c" * 79, "c" * 80, "\x01", " \n ", "😀", "<br>", "<img alt=x>",
    "<!-- x -->",
)  # fmt: skip


def _furnished(children: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.tuples(st.sampled_from(FURNITURE), st.lists(children, max_size=4)).map(
        lambda pair: pair[0][0] + "".join(pair[1]) + pair[0][1]
    )


_phrases = st.one_of(st.sampled_from(PHRASES), words)
html_pages = st.lists(st.recursive(_phrases, _furnished, max_leaves=10), max_size=4).map(
    lambda parts: "<title>目次 next page</title><body>" + "".join(parts)
)
