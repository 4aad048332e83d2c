"""Characters that nobody sees never change a text; joiners stay where they spell a word."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ruiji.features.page.parsing import text_nodes
from ruiji.features.text.invisible import without_invisible
from tests.factories import make_page

INVISIBLE = ("\u00ad", "\u200b", "\u200e", "\u2060", "\ufeff")
PIECES = ("類似", "かな", "word", "Maß", "。", ", ", "1", "ー")


@given(
    st.lists(
        st.tuples(st.sampled_from(PIECES), st.sampled_from(("", *INVISIBLE, "\u200c", "\u200d"))), min_size=1
    )
)
def test_invisible_characters_never_change_a_text(pieces: list[tuple[str, str]]) -> None:
    assert without_invisible("".join(a + b for a, b in pieces)) == "".join(a for a, _ in pieces)


@pytest.mark.parametrize("text", ["می\u200cخواهم", "क्\u200dष", "👩\u200d💻", "❤\ufe0f\u200d🔥"])
def test_joiners_stay_where_they_spell(text: str) -> None:
    assert without_invisible(text) == text


@given(
    st.lists(
        st.tuples(
            st.sampled_from(("漢字", "類似", "頁")),
            st.sampled_from(("", "&shy;", "&#x200b;", "<wbr>", "&#xfeff;")),
        ),
        min_size=1,
    )
)
def test_ruby_and_break_hints_never_change_the_shown_text(words: list[tuple[str, str]]) -> None:
    plain = "".join(word for word, _ in words)
    marked = "".join(f"<ruby>{word}<rp>(</rp><rt>かな</rt><rp>)</rp></ruby>{hint}" for word, hint in words)
    assert text_nodes(make_page(f"<p>{marked}。</p>")).shown_text() == f"{plain}。"


def test_a_node_of_invisible_characters_is_none() -> None:
    assert list(text_nodes(make_page("<p>a</p><p>&#x200b;</p><p>&shy; </p><p>b")).texts) == ["a", "b"]
