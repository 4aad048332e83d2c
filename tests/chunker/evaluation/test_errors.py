"""Errors of a filter: runs that are the page, the worst pages first, kinds of regions (Nakamura 2007,
3.1).
"""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ruiji.chunker.annotation.examples import Example, examples_of
from ruiji.chunker.crf.estimator import CrfChunker
from ruiji.chunker.crf.svm import AllContent
from ruiji.chunker.evaluation.crossval import PageOutcome, cross_validated, grouped_folds, scores_of
from ruiji.chunker.evaluation.errors import (
    LOST,
    RIGHT,
    SURPLUS,
    node_kinds,
    runs_of,
    scores_by_kind,
    worst_pages,
)
from ruiji.chunker.evaluation.frames import (
    example_frame,
    fold_frame,
    kind_frame,
    node_frame,
    page_frame,
    weight_frame,
)
from ruiji.chunker.evaluation.region_kinds import KINDS, region_kinds
from ruiji.chunker.labels import LabelArray, O, labels_of_mask
from ruiji.chunker.metrics import NAMES, Counts
from tests.factories import annotated_examples, labels_in, make_nodes, make_page, nodes_of

EXAMPLES = annotated_examples()
SCORES = cross_validated(AllContent(), EXAMPLES, grouped_folds(EXAMPLES, 3))

labels = st.lists(st.booleans(), max_size=30).map(
    lambda content: labels_of_mask(np.array(content, dtype=bool))
)


def outcome(true: LabelArray, said: LabelArray) -> PageOutcome:
    example = Example("page", "a.example", None, true, "", True)
    return PageOutcome(example, 0, said, np.ones(len(said), dtype=np.float32), Counts())


@given(st.data())
def test_runs_are_the_page_in_order_and_neighbours_differ(data: st.DataObject) -> None:
    true = data.draw(labels)
    said = data.draw(st.lists(st.booleans(), min_size=len(true), max_size=len(true)))
    page = outcome(true, labels_of_mask(np.array(said, dtype=bool)))
    runs = runs_of(page)
    assert [node for run in runs for node in range(run.start, run.end)] == list(range(len(true)))
    for run in runs:
        for node in range(run.start, run.end):
            content, kept = bool(true[node] == O), bool(page.labels[node] == O)
            assert (run.true_content, run.said_content) == (content, kept)
            assert run.outcome == (RIGHT if content == kept else LOST if content else SURPLUS)
    assert all(
        (first.true_content, first.said_content) != (second.true_content, second.said_content)
        for first, second in pairwise(runs)
    )


def test_the_worst_page_comes_first() -> None:
    ranked = worst_pages(SCORES.pages)
    assert sorted(page.counts.word_F1 for page in SCORES.pages) == [page.counts.word_F1 for page in ranked]
    assert worst_pages(SCORES.pages, 3) == ranked[:3]


@pytest.mark.parametrize(
    ("html", "kind"),
    [
        ('<form class="search"><label>サイト内検索</label><button>検索</button></form>', "search form"),
        ('<div class="ad"><p>名入れ彫刻 1枚580円から</p></div>', "advertisement"),
        ("<p>海の見える宿 秋の割引 [PR]</p>", "advertisement"),
        ("<p>Copyright (C) 2003-2007 磯部研究室</p>", "copyright notice"),
        ("<p>© 2024 Example Inc.</p>", "copyright notice"),
        ('<ul><li><a href="#a">はじめに</a></li><li><a href="#b">方法</a></li></ul>', "table of contents"),
        ('<p>目次</p><ul><li><a href="1.html">はじめに</a></li><li><a href="2.html">方法</a></li></ul>',
         "table of contents"),
        ('<ul><li><a href="#">カート</a></li><li><a href="#">共有する</a></li></ul>', "link group"),
        ('<ul><li><a href="/">会社</a></li><li><a href="/p">Help</a></li></ul><p>© 2024</p>', "link group"),
        ("<p>お問い合わせは電話 03-0000-0000 まで、平日の十時から五時にどうぞ。</p><p>© 2024 A</p>", "other"),
        ("<p>1.8. 著作権およびソフトウェアライセンスについて</p>", "other"),
        ('<ul><li><a href="/">ホーム</a></li><li><a href="/map">地図</a></li></ul>', "link group"),
        ("<p>あなたは 004622 番目のお客さまです</p>", "counter"),
        ('<h2><a href="/s">サイトマップ</a></h2><ul><li><a href="/a">会社案内</a></li></ul>', "site map"),
        ("<p>お気軽にお問い合わせください。</p>", "other"),
    ],
)  # fmt: skip
def test_the_kinds_of_section_3_1(html: str, kind: str) -> None:
    nodes = make_nodes(html)
    everything = labels_of_mask(np.zeros(len(nodes), dtype=bool))
    assert region_kinds(nodes, everything) == [(0, len(nodes), kind)]
    assert kind in KINDS


def test_regions_by_kind_add_up_to_all_regions() -> None:
    by_kind = scores_by_kind(SCORES.pages)
    assert sum(own.regions for own in by_kind.values()) == SCORES.total.true_regions
    assert sum(own.nodes for own in by_kind.values()) == SCORES.total.true_nodes
    assert not any(own.marked_nodes or own.same_regions for own in by_kind.values())  # all is content
    perfect = [
        PageOutcome(page.example, page.fold, page.example.labels, page.score, page.counts)
        for page in SCORES.pages
    ]
    for own in scores_by_kind(perfect).values():
        assert (own.regions, own.nodes, 0) == (own.same_regions, own.marked_nodes, own.wrongly_marked_nodes)


def test_frames_have_a_row_a_page_a_node_a_fold_and_a_kind() -> None:
    pages, nodes, folds, kinds = (make(SCORES) for make in (page_frame, node_frame, fold_frame, kind_frame))
    assert len(pages) == len(EXAMPLES)
    assert len(nodes) == sum(len(example.labels) for example in EXAMPLES)
    assert len(folds) == 3
    assert set(kinds.index) <= set(KINDS)
    assert set(NAMES) <= set(pages.columns)
    assert set(pages["fold"]) == {0, 1, 2}
    assert (nodes["label"] == "O").all()
    assert (nodes["truth"] != "O").sum() == SCORES.total.true_nodes
    assert set(nodes.loc[nodes["truth"] != "O", "region_kind"]) <= set(KINDS)
    assert set(nodes.loc[nodes["truth"] == "O", "region_kind"]) == {""}
    assert nodes["path"].str.contains("body").all()


def test_a_frame_of_examples_counts_their_content() -> None:
    frame = example_frame(EXAMPLES)
    assert frame["content_nodes"].sum() == sum(int((example.labels == O).sum()) for example in EXAMPLES)
    assert frame["id"].tolist() == [example.id for example in EXAMPLES]


def test_a_frame_of_nothing_has_its_columns() -> None:
    empty = scores_of([])
    assert "truth" in node_frame(empty).columns
    assert "word_F1" in page_frame(empty).columns


def test_frames_are_written_as_parquet(tmp_path: Path) -> None:
    path = tmp_path / "nodes.parquet"
    frame = node_frame(SCORES)
    frame.to_parquet(path)
    assert pd.read_parquet(path).equals(frame)


def test_the_kind_of_a_page_is_kept_where_the_input_names_it() -> None:
    page = make_page("<p>text</p>", extra={"main_content": "text", "page_type": "forum"})
    assert examples_of([page])[0].page_kind == "forum"


def test_weights_are_a_table_with_the_strongest_first() -> None:
    chunker = CrfChunker("nakamura", c2=0.5, max_iterations=8).fit(nodes_of(EXAMPLES), labels_in(EXAMPLES))
    frame = weight_frame(chunker)
    assert frame["pull"].abs().is_monotonic_decreasing
    first = frame.iloc[0]
    number = chunker.attributes_.names().index(first["attribute"])
    assert first[["O", "B", "I"]].tolist() == chunker.weights_[number].tolist()


def test_a_node_has_the_kind_of_its_true_region_first() -> None:
    page = SCORES.pages[0]
    kinds = node_kinds(page)
    for node, label in enumerate(page.example.labels.tolist()):
        assert (kinds[node] != "") == (label != O)
