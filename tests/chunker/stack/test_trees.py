"""Trees under the CRF: deterministic, never asked about a site that they have seen, and part of the model
folder.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from ruiji.chunker.crf.estimator import CrfChunker
from ruiji.chunker.crf.folder import TREES_FILE, ModelError, load_model, save_model
from ruiji.chunker.crf.sampling import with_regions
from ruiji.chunker.stack.tree_file import NotTrees
from ruiji.chunker.stack.trees import BlockTrees, TreeSettings, sampled, table_of, train_trees
from ruiji.features.nodes.forest import forest
from ruiji.features.nodes.stacked import OddsMissing, odds
from tests.factories import annotated_examples, labels_in, make_nodes, nodes_of

EXAMPLES = annotated_examples("tabi-no-kakera.com", "www.cs.miozaki-u.ac.jp", "fjordnotes.org")
X, Y = nodes_of(EXAMPLES), labels_in(EXAMPLES)
SMALL = TreeSettings(rounds=12)


@pytest.fixture(scope="module")
def chunker() -> CrfChunker:
    return CrfChunker(features="stacked", max_iterations=15, tree_rounds=12, epochs=2).fit(X, Y)


def test_pages_of_a_site_count_by_the_root_of_their_number() -> None:
    table = table_of(X, Y)
    sums = np.bincount(table.page, table.weight, len(X))
    own = [sum(other.host == page.host for other in X) for page in X]
    np.testing.assert_allclose(sums, 1 / np.sqrt(own))
    assert table.matrix.shape == (len(table.page), len(table.columns))


def test_a_page_and_its_copy_that_share_a_weight_count_as_one_page() -> None:
    pages, labels = [X[0], X[0], X[-1]], [Y[0], Y[0], Y[-1]]
    table = table_of(pages, labels, [0.6, 0.4, 1.0])
    np.testing.assert_allclose(np.bincount(table.page, table.weight), [0.6, 0.4, 1.0])


def test_trees_of_the_same_data_are_the_same_bytes() -> None:
    assert train_trees(table_of(X, Y), SMALL).text == train_trees(table_of(X, Y), SMALL).text


def test_sampling_keeps_heavy_rows_and_about_the_whole_weight() -> None:
    weight = np.concatenate((np.full(50, 1.0), np.full(5000, 0.01)))
    rows, counted = sampled(np.arange(len(weight)), weight, TreeSettings(rounds=12, sampled=600))
    assert set(range(50)) <= set(rows.tolist())
    assert 500 < len(rows) < 700
    assert counted.sum() == pytest.approx(weight.sum(), rel=0.1)


def test_trees_tell_content_from_the_rest() -> None:
    pages, table = forest(X), table_of(X, Y)
    likely = train_trees(table, SMALL).of_rows(table.matrix)[pages.block]
    true = np.concatenate(Y) == 0
    assert likely[true].mean() > 0 > likely[~true].mean()


def test_nodes_of_a_block_have_the_odds_of_the_block(chunker: CrfChunker) -> None:
    assert chunker.ensemble_ is not None
    pages = forest(X[:5])
    said = chunker.ensemble_.log_odds(pages)
    for start, end in zip(pages.block_start[:-1], pages.block_start[1:], strict=True):
        assert len(set(said[start:end].tolist())) == 1


def test_a_stacked_model_comes_back_from_its_folder(chunker: CrfChunker, tmp_path: Path) -> None:
    save_model(chunker, tmp_path / "model", EXAMPLES)
    back = load_model(tmp_path / "model")
    for ours, theirs in zip(chunker.predict_masks(X), back.predict_masks(X), strict=True):
        assert (ours.content == theirs.content).all()
        assert (ours.score == theirs.score).all()


def test_the_same_mask_alone_and_among_others(chunker: CrfChunker) -> None:
    combined = chunker.predict_masks(X)
    for page, mask in zip(X, combined, strict=True):
        (alone,) = chunker.predict_masks([page])
        assert (alone.content == mask.content).all()


def test_pages_without_text_have_empty_masks(chunker: CrfChunker) -> None:
    empty = make_nodes("<title>nothing</title>")
    first, second = chunker.predict_masks([empty, empty])
    assert len(first.content) == len(second.content) == 0


def test_trees_that_do_not_fit_are_refused_in_one_sentence(chunker: CrfChunker, tmp_path: Path) -> None:
    folder = tmp_path / "model"
    save_model(chunker, folder, EXAMPLES)
    trees = folder / TREES_FILE
    good = trees.read_bytes()
    trees.write_bytes(good + b"\n")
    with pytest.raises(ModelError, match="not the file that the card describes"):
        load_model(folder)
    trees.unlink()
    with pytest.raises(ModelError, match=f"it has no {TREES_FILE}"):
        load_model(folder)
    for damaged in (b"", b"tree\nnonsense", "木".encode()):
        with pytest.raises(NotTrees, match="not a tree model"):
            BlockTrees(damaged)


def test_explain_names_what_the_models_say(chunker: CrfChunker) -> None:
    page = max(X, key=len)
    explained = chunker.explain(page, len(page) // 2)
    assert any(reason.attribute.startswith("trees ") for reason in explained.reasons[:3])
    assert any(reason.attribute.startswith("odds") for reason in explained.reasons)


def test_what_the_models_add_sums_to_the_odds(chunker: CrfChunker) -> None:
    assert chunker.ensemble_ is not None
    pages = forest(X[:2])
    first, second = (sum(chunker.ensemble_.reasons(pages, node).values()) for node in (3, 9))
    said = chunker.ensemble_.log_odds(pages)
    assert first - second == pytest.approx(said[3] - said[9], abs=1e-6)  # the mean of all is the same


def test_held_out_are_all_pages_by_models_that_have_not_seen_their_site() -> None:
    chunker = CrfChunker(features="stacked", max_iterations=5, tree_rounds=5, epochs=1, max_pages=10).fit(
        X, Y
    )
    assert list(chunker.held_out_) == list(range(len(X)))
    found = chunker.predict_held_out(X)
    assert found.keys() == chunker.held_out_.keys()
    assert all(len(page.labels) == len(X[number]) for number, page in found.items())


def test_where_regions_part_is_learned_from_pages_with_regions() -> None:
    few, texts = X[:4], [replace(page, marks=()) for page in X[4:]]  # whose annotation is a plain text
    assert with_regions([*few, *texts]) == list(range(4))
    settings = {"features": "stacked", "max_iterations": 5, "tree_rounds": 5, "epochs": 1}
    by_few = CrfChunker(**settings).fit([*few, *texts], Y)
    by_all = CrfChunker(**settings).fit(X, Y)
    assert by_few.ensemble_.network.to_bytes() == by_all.ensemble_.network.to_bytes()
    assert by_few.model_ != by_all.model_


def test_scores_are_the_models_probability_and_expected_f1_is_theirs(chunker: CrfChunker) -> None:
    assert chunker.ensemble_ is not None
    mask = chunker.predict_masks(X)[0]
    likely = 1 / (1 + np.exp(-chunker.ensemble_.log_odds(forest(X[:1]))))
    np.testing.assert_allclose(mask.score, likely, rtol=1e-5)
    assert mask.expected_f1 is not None
    assert 0 <= mask.expected_f1 <= 1
    assert not mask.content[likely < 0.2].any() or mask.content[likely > 0.8].all()


def test_the_set_cannot_be_used_without_models(chunker: CrfChunker) -> None:
    with pytest.raises(OddsMissing, match="needs log-odds of models below"):
        odds(forest(X[:1]))
    with pytest.raises(ValueError, match="needs an ensemble"):
        CrfChunker(features="stacked").set_model(chunker.model_)
    with pytest.raises(ValueError, match="no ensemble below"):
        CrfChunker(features="nakamura").set_model(chunker.model_, chunker.ensemble_)
