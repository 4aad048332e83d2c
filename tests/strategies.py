"""Random inputs that several tests share."""

from __future__ import annotations

from hypothesis import strategies as st

INLINE = ("b", "i", "span", "a href=x", "font size=2", "em", "my-tag", "ruby")
BLOCK = ("div", "p", "ul", "li", "td", "table", "tr", "section", "h2", "blockquote", "noscript", "pre", "form")
VOID = ("br", "hr", "img alt=x", "input type=hidden value=secret", "wbr")
HIDDEN = ("script", "style", "template", "noframes", "iframe", "video")

# Letters of several scripts and white space; markup characters come in through html_pieces.
words = st.text(alphabet="ab あア漢ｱ①é\u3000\u00a0\n\t.。", min_size=1, max_size=8)

any_text = st.text(alphabet=st.characters(exclude_categories=["Cs"]), max_size=60)
any_bytes = st.one_of(
    st.binary(max_size=200),
    st.lists(
        st.sampled_from([
            b"<p>", b"</p>", b"<meta charset=", b"shift_jis", b"utf-8", b"euc-jp>", b"<!--", b"-->", b"\x1b$B", b"\x1b(B", b"\x1b(I",
            b"\xef\xbb\xbf", b"\xff\xfe", b"\x00", b"\x82\xa0", b"\xa4\xa2", b"\xe3\x81\x82", b"\x8f", b"\x81", b"<a href=", b'"', b"&#0;",
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
html_soup = st.lists(st.one_of(words, _start_tags, _end_tags, _void_tags, _hidden, _comments), max_size=25).map("".join)


def _element(children: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    tags = st.sampled_from((*INLINE, *BLOCK))
    return st.tuples(tags, st.lists(children, max_size=4)).map(lambda pair: f"<{pair[0]}>{''.join(pair[1])}</{pair[0].split()[0]}>")


# Well-formed nesting of any elements.
html_trees = st.recursive(st.one_of(words, _void_tags, _hidden, _comments), _element, max_leaves=15)
