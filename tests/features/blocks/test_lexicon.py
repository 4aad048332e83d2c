"""The words of a vocabulary in a page, against what each block's own texts and enclosing names say."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from ruiji.features.blocks.lexicon import Lexicon, Spans, outermost
from ruiji.features.blocks.table import Blocks
from ruiji.features.nodes.forest import forest
from tests.factories import make_nodes

PAGE = """<body class="page"><div class="menu side"><ul class="menu"><li>Home<li
class="item">Next page</ul></div>
<div class="article"><h1>Home</h1><p>Text <b class="menu">bold</b> home home</div><div class="empty"></div>"""


def said(lexicon: Lexicon, markup: str = PAGE) -> list[set[str]]:
    blocks = Blocks(forest([make_nodes(markup)]))
    spans = lexicon.spans(blocks)
    words = [
        *(f"text {word}" for word in lexicon.text_words),
        *(f"name {word}" for word in lexicon.name_words),
    ]
    found: list[set[str]] = [set() for _ in range(len(blocks))]
    for word, first, end in zip(spans.word.tolist(), spans.first.tolist(), spans.end.tolist(), strict=True):
        for block in range(first, end):
            assert words[word] not in found[block]  # once for a word
            found[block].add(words[word])
    return found


def test_words_of_texts_are_said_of_their_block_and_words_of_names_of_all_inside() -> None:
    lexicon = Lexicon(("home", "next"), ("menu", "article", "page", "empty", "item"))
    assert said(lexicon) == [
        {"text home", "name menu", "name page"},
        {"text next", "name menu", "name page", "name item"},
        {"text home", "name article", "name page"},
        {"text home", "name article", "name page"},
    ]


def test_an_empty_vocabulary_says_nothing() -> None:
    assert said(Lexicon((), ())) == [set()] * 4
    assert said(Lexicon((), ("item",)))[1] == {"name item"}


@st.composite
def nested(draw: st.DrawFn) -> list[tuple[int, int, int]]:
    """Spans that lie inside each other or apart, with words."""
    found: list[tuple[int, int, int]] = []

    def split(first: int, end: int, depth: int) -> None:
        if first >= end or depth == 0:
            return
        middle = draw(st.integers(first, end))
        for low, high in ((first, middle), (middle, end)):
            if high > low:
                found.append((draw(st.integers(0, 2)), low, high))
                split(low, high, depth - 1)

    split(0, draw(st.integers(1, 12)), 4)
    return sorted(found, key=lambda own: (own[1], -own[2]))


@given(nested())
def test_outermost_spans_cover_the_same_blocks_once(spans: list[tuple[int, int, int]]) -> None:
    given_spans = Spans(*(np.array(column, dtype=np.int32) for column in zip(*spans, strict=True)))
    kept = outermost(given_spans)
    covered = [
        (word, block)
        for word, first, end in zip(kept.word, kept.first, kept.end, strict=True)
        for block in range(first, end)
    ]
    assert len(covered) == len(set(covered))
    assert set(covered) == {(word, block) for word, first, end in spans for block in range(first, end)}
