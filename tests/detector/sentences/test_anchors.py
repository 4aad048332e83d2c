"""Adjacent anchor texts (Kang 2009, section 4.1, step 3)."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ruiji.detector.sentences.anchors import CompoundCounts, compound_keys
from ruiji.detector.sentences.table import sentence_table
from tests.factories import make_nodes

COLLECTION = (
    "<p>京都市左京区に住む。<p>店は京都市左京区にある。<p>福地寿樹は走る。<p>捕鯨問題を論じる。福地"
    "寿樹捕鯨問題"
)


@pytest.fixture(scope="module")
def counts() -> CompoundCounts:
    found = CompoundCounts()
    found.add(compound_keys([make_nodes(COLLECTION)]))
    return found


def texts(html: str, counts: CompoundCounts | None = None) -> list[str]:
    return sentence_table([make_nodes(html)], counts).texts


def test_examples_a_and_b_of_the_paper(counts: CompoundCounts) -> None:
    assert texts("<a href=a>京都市</a><a href=b>左京区</a>", counts) == ["京都市左京区"]
    assert texts("<a href=a>福地寿樹</a><a href=b>捕鯨問題</a>", counts) == ["福地寿樹", "捕鯨問題"]


def test_without_a_collection_nothing_is_joined() -> None:
    assert texts("<a href=a>京都市</a> <a href=b>左京区</a>") == ["京都市", "左京区"]


def test_a_list_is_joined_where_it_is_a_name(counts: CompoundCounts) -> None:
    html = "<a href=a>捕鯨問題</a> <a href=b>京都市</a>\n<a href=c>左京区</a> <a href=d>福地寿樹</a>"
    assert texts(html, counts) == ["捕鯨問題", "京都市左京区", "福地寿樹"]


@pytest.mark.parametrize(
    "html",
    [
        "<p><a href=a>福地寿樹</a><a href=b>捕鯨問題</a>について",
        "<p>きょうは<a href=a>福地寿樹</a><a href=b>捕鯨問題</a>",
    ],
)
def test_links_in_prose_belong_to_its_sentence(html: str, counts: CompoundCounts) -> None:
    assert len(texts(html, counts)) == 1


def test_one_link_of_several_nodes_is_one_sentence() -> None:
    assert texts("<a href=a>福地<b>寿樹</b></a>") == ["福地寿樹"]


def test_pages_of_a_batch_are_apart() -> None:
    nodes = make_nodes("<a href=a>港</a>")
    table = sentence_table([nodes, nodes])
    assert (table.texts, table.paragraph.tolist(), table.offset.tolist()) == (["港", "港"], [0, 0], [0, 0])


@given(words=st.lists(st.text(alphabet="京都市左区", min_size=3, max_size=5), max_size=30))
def test_counts_are_never_too_small(words: list[str]) -> None:
    found = CompoundCounts(np.zeros((2, 1 << 24), dtype=np.uint8))
    found.add(compound_keys([make_nodes("<p>" + "の".join(words))]))
    for word, count in Counter(words).items():
        assert found.frequent([word], count)[0]
        assert not found.frequent([word], count + 1)[0]  # no collision among so few
