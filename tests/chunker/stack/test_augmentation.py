"""Copies of articles with less of their content."""

from __future__ import annotations

import numpy as np
import pytest

from ruiji.chunker.decoding.expected_f import node_weights
from ruiji.chunker.labels import B, O, labels_of_mask
from ruiji.chunker.stack.augmentation import WORDS, truncated_articles, with_nodes
from ruiji.chunker.stack.trees import COPY_WEIGHT, TrainingTable, table_of, with_copies
from ruiji.features.blocks.families import column_names, numbers
from ruiji.features.blocks.table import Blocks
from ruiji.features.nodes.forest import forest
from ruiji.features.page.textnodes import TextNodes
from tests.factories import make_nodes

SENTENCE = "<p>The mayor opened the new bridge over the river in the presence of a large crowd.</p>"
ARTICLE = "<meta property=og:type content=article>"
MENU = "<ul class=menu><li><a href=/a>News</a><li><a href=/b>Sport</a></ul>"


def page(head: str = ARTICLE, sentences: int = 40) -> TextNodes:
    return make_nodes(f"{head}{MENU}<article>{SENTENCE * sentences}</article><div class=more>{MENU}</div>")


def labels(nodes: TextNodes) -> np.ndarray:
    return labels_of_mask(np.array([text.startswith("The mayor") for text in nodes.texts], dtype=bool))


def test_a_copy_has_the_first_words_of_the_content_and_all_the_rest() -> None:
    own = page()
    numbers_, (copy,), (given,) = truncated_articles([page(""), own], [labels(page("")), labels(own)], seed=1)
    assert numbers_ == [1]
    words = float((node_weights(forest([copy])) * (given == O)).sum())
    assert WORDS[0] <= words <= WORDS[1] + 20  # to the end of a block
    rest = [text for text, label in zip(own.texts, labels(own), strict=True) if label != O]
    assert [text for text, label in zip(copy.texts, given, strict=True) if label != O] == rest
    assert given[0] == B


def test_pages_that_do_not_say_to_be_articles_and_short_ones_have_no_copy() -> None:
    pages = [page("<meta property=og:type content=website>"), page(sentences=2), make_nodes(f"{ARTICLE}<p>")]
    assert truncated_articles(pages, [labels(own) for own in pages], seed=1) == ([], [], [])


def test_copies_are_always_the_same() -> None:
    own = page()
    first, again = (truncated_articles([own], [labels(own)], seed=1) for _ in range(2))
    assert list(first[1][0].texts) == list(again[1][0].texts)


@pytest.mark.parametrize("dropped", [[], [0], [3, 4, 5], [41], list(range(44))])
def test_a_page_without_some_nodes_is_as_if_they_had_never_been_there(dropped: list[int]) -> None:
    own = page()
    kept = ~np.isin(np.arange(len(own)), dropped)
    part = with_nodes(own, kept)
    assert list(part.texts) == [own.texts[node] for node in np.flatnonzero(kept)]
    assert [part.path(node) for node in range(len(part))] == [
        own.path(node) for node in np.flatnonzero(kept).tolist()
    ]
    for element in range(len(part.tag)):
        inside = [node for node in range(len(part)) if element in part.ancestors(node)]
        assert list(range(part.first[element], part.end[element])) == inside
    assert part.block.tolist() == sorted(part.block.tolist())
    assert set(part.block.tolist()) == set(range(len(set(part.block.tolist()))))
    assert numbers(Blocks(forest([part]))).shape[1] == len(column_names())


def test_the_rows_of_a_copy_are_its_pages_and_count_for_less() -> None:
    pages = [page(""), page()]
    table = table_of(pages, [labels(own) for own in pages])
    more = with_copies(table, pages, [labels(own) for own in pages])
    copied = slice(len(table.page), None)
    assert set(more.page[copied].tolist()) == {1}
    np.testing.assert_allclose(more.weight[copied].sum(), COPY_WEIGHT * table.weight[table.page == 1].sum())
    assert same_rows(more, table)
    assert with_copies(table, pages[:1], [labels(pages[0])]) is table


def same_rows(more: TrainingTable, table: TrainingTable) -> bool:
    count = len(table.page)
    return bool((more.matrix[:count] == table.matrix).all() and (more.content[:count] == table.content).all())
