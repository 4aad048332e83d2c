"""The CRF chunker: CRFsuite's own tagger as the oracle, scikit-learn's ways of using it, and what it must
never do.
"""

from __future__ import annotations

import hashlib
import io
import os
import pickle
import subprocess
import sys
from collections import Counter
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import joblib
import numpy as np
import pycrfsuite
import pytest
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import GridSearchCV, GroupKFold, cross_validate

from ruiji.chunker.crf import labeller
from ruiji.chunker.crf.estimator import CrfChunker
from ruiji.chunker.crf.model_file import read_model
from ruiji.chunker.crf.sampling import spread
from ruiji.chunker.crf.weights import item_sequences
from ruiji.chunker.decoding.expected_f import (
    TOLERATED_LOSS,
    expected_f,
    expected_f_of,
    node_weights,
    tempered,
)
from ruiji.chunker.evaluation.crossval import collected, score_example
from ruiji.chunker.labels import LABELS, B, LabelArray, O, as_names, as_numbers, labels_of_mask
from ruiji.chunker.metrics import Counts, score_labels
from ruiji.features.nodes.forest import NamesMissing, forest
from ruiji.features.nodes.nakamura import ABLATION, FIXED_KEYWORDS
from ruiji.features.nodes.sets import ALONE
from ruiji.features.page.textnodes import TextNodes
from tests.factories import PROSE, annotated_examples, labels_in, make_nodes, nodes_of, with_regions_begun
from tests.paths import ROOT

LIGHT: dict[str, Any] = {"c1": 0.5, "c2": 0.5, "max_iterations": 15}  # enough for a handful of pages
TRAINING = annotated_examples()
X, Y = nodes_of(TRAINING), labels_in(TRAINING)
NEW = [
    make_nodes("<title>x</title><script>no text</script>"),
    *nodes_of(annotated_examples("www.ocean.miozaki-u.ac.jp", "www.prwave-release.net")),
    make_nodes("<p>one"),
    make_nodes("<ul><li><a href=/>目次</a><li><a href=/2>検索</a></ul><p>" + PROSE),
    make_nodes(""" <p class="=a:b nav">a=b c:d \\ "q" \t\x0b😀 é\u0301 \u2028 &nbsp;</p> """),
]


@pytest.fixture(scope="module", params=ALONE)
def fitted(request: pytest.FixtureRequest) -> CrfChunker:
    return CrfChunker(features=request.param, **LIGHT).fit(X, Y)


@pytest.fixture(scope="module")
def full() -> CrfChunker:
    return CrfChunker(**LIGHT).fit(X, Y)


def with_settings(fitted: CrfChunker, **settings: Any) -> CrfChunker:
    """The same model, used with other settings."""
    chunker: CrfChunker = clone(fitted).set_params(**settings)
    return chunker.set_model(fitted.model_)


def library_says(
    fitted: CrfChunker, pages: list[TextNodes], folder: Path
) -> list[tuple[list[str], np.ndarray]]:
    """Labels and marginals by python-crfsuite."""
    (folder / "model").write_bytes(fitted.model_)
    tagger = pycrfsuite.Tagger()
    tagger.open(str(folder / "model"))
    found = []
    for items in item_sequences(fitted.attributes_, pages):
        tagger.set([{name.decode(): float(count) for name, count in Counter(item).items()} for item in items])
        known = [label if label in tagger.labels() else None for label in LABELS]
        rows = [[tagger.marginal(label, at) if label else 0.0 for label in known] for at in range(len(items))]
        found.append((tagger.tag(), np.array(rows).reshape(-1, len(LABELS))))
    return found


def labelled(*texts: str, host: str = "a.example") -> tuple[TextNodes, list[str]]:
    """A page of paragraphs; those that begin with ! are non-content."""
    nodes = make_nodes("".join(f"<p>{text.lstrip('!')}</p>" for text in texts), url=f"http://{host}/")
    return nodes, as_names(labels_of_mask(np.array([not text.startswith("!") for text in texts])))


# The oracle


def test_labels_and_marginals_are_those_of_crfsuite_s_own_tagger(fitted: CrfChunker, tmp_path: Path) -> None:
    expected = library_says(fitted, [*X, *NEW], tmp_path)
    chunker = with_settings(fitted, decoding="viterbi")
    assert chunker.predict([*X, *NEW]) == [with_regions_begun(labels) for labels, _ in expected]
    for own, (_, library) in zip(chunker.predict_marginals([*X, *NEW]), expected, strict=True):
        assert own.shape == library.shape
        assert np.abs(own - library).max(initial=0) < 1e-9


def test_marginals_do_not_depend_on_the_decoding(full: CrfChunker) -> None:
    for first, second in zip(
        full.predict_marginals(X),
        with_settings(full, decoding="viterbi", beta=3).predict_marginals(X),
        strict=True,
    ):
        assert (first == second).all()
        assert first.sum(axis=1) == pytest.approx(np.ones(len(first)))


def test_every_attribute_of_the_model_is_one_that_is_looked_for(fitted: CrfChunker) -> None:
    names = fitted.attributes_.names()
    assert len(set(names)) == len(names)
    assert set(read_model(fitted.model_).attributes) <= set(names)


@pytest.mark.parametrize("seen", ["O", "B", "OB", "BI", "OI"])
@pytest.mark.parametrize("decoding", ["viterbi", "f1"])
def test_a_label_that_training_never_saw_is_never_given(seen: str, decoding: str, tmp_path: Path) -> None:
    random = Random(3)
    labels = [random.choices(seen, [1] + [4] * (len(seen) - 1), k=len(page)) for page in X]
    chunker = CrfChunker(features="nakamura", **LIGHT, decoding=decoding).fit(X, labels)
    found = chunker.predict([*X, *NEW])
    assert {label for page in found for label in page} <= set(seen) | (
        {"B"} if "I" in seen else set()
    )  # every region begins with B
    expected = library_says(chunker, [*X, *NEW], tmp_path)
    for own, (_, library) in zip(chunker.predict_marginals([*X, *NEW]), expected, strict=True):
        assert np.abs(own - library).max(initial=0) < 1e-9
    if decoding == "viterbi":
        assert found == [with_regions_begun(own) for own, _ in expected]


# Decoding


def test_f1_is_the_likeliest_sequence_or_expects_more_of_another_and_begins_regions(full: CrfChunker) -> None:
    likeliest = with_settings(full, decoding="viterbi").predict_labels([*X, *NEW])
    predicted = zip(
        [*X, *NEW],
        full.predict_labels([*X, *NEW]),
        full.predict_marginals([*X, *NEW]),
        likeliest,
        strict=True,
    )
    others = 0
    for page, labels, probability, sequence in predicted:
        content, weight = tempered(probability[:, O], full.sharpness), node_weights(forest([page]))
        reached, plain = (expected_f_of(own == O, content, weight) for own in (labels, sequence))
        _, best = expected_f(content, weight)
        assert plain <= reached <= best + 1e-12
        if best - plain <= TOLERATED_LOSS:
            assert labels.tolist() == sequence.tolist()
        others += reached > plain
        assert all(
            label == B for before, label in pairwise([O, *labels.tolist()]) if before == O and label != O
        )
    assert 0 < others < len([*X, *NEW])


def test_of_a_large_site_a_few_pages_are_learned_from() -> None:
    few, labels = spread(X, Y, 2, None)
    hosts = Counter(page.host for page in X)
    assert Counter(page.host for page in few) == {host: min(count, 2) for host, count in hosts.items()}
    assert [len(page) for page in few] == [len(own) for own in labels]
    one = CrfChunker(features="nakamura", **LIGHT, per_site=2).fit(X, Y)
    assert one.model_ == CrfChunker(features="nakamura", **LIGHT, per_site=None).fit(few, labels).model_
    everything, labels = spread(X, Y, None, None)
    assert [len(page) for page in everything] == [len(page) for page in X] == [len(own) for own in labels]
    assert [len(page) for page in spread(X, Y, None, 3)[0]] == [
        len(X[place * len(X) // 3]) for place in range(3)
    ]


@pytest.mark.parametrize("decoding", ["f1", "viterbi"])
def test_a_larger_beta_keeps_at_least_as_much(full: CrfChunker, decoding: str) -> None:
    kept = [
        [
            int((labels == O).sum())
            for labels in with_settings(full, decoding=decoding, beta=beta).predict_labels(NEW)
        ]
        for beta in (1e-9, 0.2, 1.0, 5.0, 1e9, 1e200)
    ]
    for fewer, more in pairwise(kept):
        assert all(one <= other for one, other in zip(fewer, more, strict=True))
    assert sum(kept[0]) < sum(kept[2]) < sum(kept[-1])


def test_beta_trades_precision_for_recall_of_content(full: CrfChunker) -> None:
    examples = annotated_examples("www.visit-harborlight.com", "www.miozaki-u.ac.jp")
    totals = []
    for beta in (0.2, 5.0):
        found = with_settings(full, beta=beta).predict_labels(nodes_of(examples))
        totals.append(
            collected([("", score_example(*pair)) for pair in zip(examples, found, strict=True)]).total
        )
    clean, whole = totals
    assert clean.FP_c > whole.FP_c
    assert clean.B_r > whole.B_r
    assert clean.word_P > whole.word_P
    assert clean.word_R < whole.word_R


def test_beta_of_viterbi_is_the_price_of_a_lost_content_node(full: CrfChunker) -> None:
    (page,) = [make_nodes("<p>one")]
    (probability,) = full.predict_marginals([page])
    odds = (1 - probability[0, O]) / probability[0, O]
    rest = max(probability[0, 1:]) / probability[0, O]
    assert rest <= odds
    for beta, label in ((rest * 1.001, "O"), (rest * 0.999, LABELS[1 + int(probability[0, 1:].argmax())])):
        assert with_settings(full, decoding="viterbi", beta=beta).predict([page]) == [[label]]


# Batches


@pytest.mark.parametrize("size", [1, 3, 1000])
def test_predictions_do_not_depend_on_the_borders_of_batches(
    fitted: CrfChunker, size: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    pages = [*X, *NEW]
    before, marginals = fitted.predict(pages), fitted.predict_marginals(pages)
    monkeypatch.setattr(labeller, "BATCH", size)
    assert fitted.predict(pages) == before
    for own, other in zip(fitted.predict_marginals(pages), marginals, strict=True):
        assert np.abs(own - other).max(initial=0) < 1e-12


def test_predictions_do_not_depend_on_the_other_pages(fitted: CrfChunker) -> None:
    pages = [*X, *NEW] * 2
    order = Random(5).sample(range(len(pages)), len(pages))
    shuffled = fitted.predict([pages[at] for at in order])
    expected = fitted.predict(pages)
    assert shuffled == [expected[at] for at in order]
    assert [fitted.predict([page])[0] for page in NEW] == fitted.predict(NEW)


def test_no_pages_and_pages_without_text_have_no_labels(fitted: CrfChunker) -> None:
    empty = make_nodes("<script>x</script>")
    assert fitted.predict([]) == fitted.predict_marginals([]) == fitted.predict_masks([]) == []
    assert fitted.predict([empty, empty]) == [[], []]
    assert [page.shape for page in fitted.predict_marginals([empty, X[0], empty])] == [
        (0, 3),
        (len(X[0]), 3),
        (0, 3),
    ]
    assert with_settings(fitted, decoding="viterbi").predict([empty, X[0], empty])[::2] == [[], []]


def test_all_ways_to_predict_say_the_same(full: CrfChunker) -> None:
    for page, labels, names, mask in zip(
        X, full.predict_labels(X), full.predict(X), full.predict_masks(X), strict=True
    ):
        assert as_names(labels) == names
        assert mask.labels is not None
        assert mask.labels.tolist() == labels.tolist()
        assert mask.content.tolist() == [name == "O" for name in names]
        assert len(mask.score) == len(page)
        assert mask.decided_by == "crf"
        assert all(type(name) is str for name in names)


def test_classes_name_the_columns_of_marginals(full: CrfChunker) -> None:
    assert full.classes_.tolist() == ["O", "B", "I"]
    found = full.predict_marginals(X)
    truth = np.concatenate(Y)
    assert (np.concatenate(found).argmax(axis=1) == truth).mean() > 0.9


# Training


def test_training_twice_gives_the_same_bytes(fitted: CrfChunker) -> None:
    assert clone(fitted).fit(X, Y).model_ == fitted.model_


def test_another_process_learns_the_same_bytes(full: CrfChunker) -> None:
    script = (
        "import hashlib; from ruiji.chunker import CrfChunker\n"
        "from tests.factories import annotated_examples, labels_in, nodes_of\n"
        f"pages = annotated_examples(); model = CrfChunker(**{LIGHT}).fit(nodes_of(pages), "
        "labels_in(pages)).model_\n"
        "print(hashlib.sha256(model).hexdigest())"
    )
    seed = "1" if os.environ.get("PYTHONHASHSEED") != "1" else "2"
    root = ROOT
    run = subprocess.run(
        [sys.executable, "-c", script],
        cwd=root,
        env=os.environ | {"PYTHONHASHSEED": seed},
        capture_output=True,
        text=True,
        check=True,
    )
    assert run.stdout.strip() == hashlib.sha256(full.model_).hexdigest()


def test_labels_may_be_names_or_numbers(fitted: CrfChunker) -> None:
    for own in (
        [as_names(page) for page in Y],
        [page.tolist() for page in Y],
        [page.astype(np.int64) for page in Y],
    ):
        assert clone(fitted).fit(X, own).model_ == fitted.model_


def test_pages_without_text_among_others_change_nothing(fitted: CrfChunker) -> None:
    empty, none = make_nodes("<script>x</script>", url=""), np.zeros(0, dtype=np.int8)
    assert clone(fitted).fit([empty, *X, empty], [none, *Y, none]).model_ == fitted.model_
    assert clone(fitted).fit([empty, *X], [[], *Y]).model_ == fitted.model_


def test_pages_in_another_order_give_other_sums_but_the_same_attributes(full: CrfChunker) -> None:
    other = clone(full).fit(X[::-1], Y[::-1])
    assert sorted(other.attributes_.names()) == sorted(full.attributes_.names())


def test_fit_leaves_pages_and_labels_as_they_were() -> None:
    before = [page.tolist() for page in Y]
    CrfChunker(features="nakamura", max_iterations=2).fit(X, Y)
    assert [page.tolist() for page in Y] == before


def test_it_learns(fitted: CrfChunker) -> None:
    unseen = annotated_examples("www.ocean.miozaki-u.ac.jp", "isobe-lab.ocean.miozaki-u.ac.jp")
    assert fitted.score(X, Y) > 0.95
    assert fitted.score(nodes_of(unseen), labels_in(unseen)) > 0.6


def test_score_is_the_f_of_non_content_nodes(fitted: CrfChunker) -> None:
    pairs = zip(Y, fitted.predict_labels(X), strict=True)
    assert (
        fitted.score(X, [as_names(page) for page in Y])
        == sum((score_labels(*pair) for pair in pairs), Counts()).B_F
    )


# Keywords and other chosen values


def planted(word: str, hosts: str, times: int = 12) -> tuple[list[TextNodes], list[list[str]]]:
    """A page for each host with a word that stands in its non-content."""
    pairs = [labelled(*[f"!{word}", PROSE] * times, host=f"{host}.example") for host in hosts]
    return [page for page, _ in pairs], [labels for _, labels in pairs]


def chosen(chunker: CrfChunker) -> set[str]:
    return {
        name.partition("=")[2]
        for name in chunker.attributes_.names()
        if name.startswith(("keyword=", "word="))
    }


@pytest.mark.parametrize("features", ALONE)
def test_words_are_chosen_from_the_training_pages_alone(features: str) -> None:
    """Each half has a word of its own; whoever learned from one half must not know the word of the other."""
    pages, labels, halves = [], [], []
    for half, (word, hosts) in enumerate((("目次", "abc"), ("広告", "def"))):
        own = planted(word, hosts)
        pages += own[0]
        labels += own[1]
        halves += [half] * len(hosts)
    chunker = CrfChunker(features=features, c1=0, max_iterations=8)
    combined = clone(chunker).fit(pages, labels)
    assert {"目次", "広告"} <= chosen(combined)
    result = cross_validate(
        chunker, pages, labels, groups=halves, cv=GroupKFold(2), return_estimator=True, return_indices=True
    )
    for estimator, train in zip(result["estimator"], result["indices"]["train"], strict=True):
        learned_from = {halves[page] for page in train.tolist()}
        assert len(learned_from) == 1
        (own_word, other_word) = ("目次", "広告") if learned_from == {0} else ("広告", "目次")
        assert own_word in chosen(estimator)
        assert other_word not in chosen(estimator)
        assert other_word.encode() not in estimator.model_


def test_a_keyword_must_be_frequent_in_non_content_of_several_sites() -> None:
    def keywords(*groups: tuple[list[TextNodes], list[list[str]]]) -> set[str]:
        pages, labels = (
            [page for own, _ in groups for page in own],
            [page for _, own in groups for page in own],
        )
        return chosen(CrfChunker(features="nakamura", c1=0, max_iterations=5).fit(pages, labels))

    def content(word: str, host: str) -> tuple[list[TextNodes], list[list[str]]]:
        page, labels = labelled(*[word, "!" + PROSE] * 12, host=host)
        return [page], [labels]

    assert "目次" in keywords(planted("目次", "abc"))
    assert "目次" not in keywords(planted("目次", "a", 40))  # one site: its weight is below 2
    assert "目次" not in keywords(planted("目次", "abc", 6))  # 18 times
    assert "目次" not in keywords(
        planted("目次", "ab"), content("目次", "c.example")
    )  # a third of it in content


def test_fixed_keywords_are_those_of_the_paper_and_no_others() -> None:
    pages, labels = planted("目次", "abc")
    more, others = planted("港町", "def")
    chunker = CrfChunker(features="nakamura", keywords="fixed", c1=0, max_iterations=5).fit(
        pages + more, labels + others
    )
    assert chosen(chunker) == {"目次"}
    assert chosen(chunker) <= set(FIXED_KEYWORDS)
    assert chunker.feature_set().name == "nakamura"


@pytest.mark.parametrize("case", ABLATION)
def test_what_is_left_out_has_no_attribute(case: str) -> None:
    names = ABLATION[case]
    chunker = CrfChunker(features="nakamura", without=names, **LIGHT).fit(X[:4], Y[:4])
    left = {name.partition("=")[0].partition("[")[0] for name in chunker.attributes_.names()}
    assert left
    assert not left & set(names)
    assert not any(
        attribute.startswith(tuple(f"{name}=" for name in names))
        for attribute in read_model(chunker.model_).attributes
    )
    assert len(chunker.predict(X[:4])) == 4


# scikit-learn


def test_settings_are_kept_as_given_and_cloned() -> None:
    settings = {
        "features": "nakamura", "without": ("link",), "keywords": "fixed", "c1": 0.1, "c2": 0.2,
        "max_iterations": 7,
        "per_site": 3, "max_pages": 50,
        "decoding": "viterbi", "beta": 2.0, "sharpness": 0.7, "tree_rounds": 9, "epochs": 4,
        "convention": "element",
    }  # fmt: skip
    chunker = CrfChunker(**settings)  # type: ignore[arg-type]
    assert chunker.get_params() == settings
    assert all(getattr(chunker, name) is value for name, value in settings.items())
    copy = clone(chunker)
    assert copy is not chunker
    assert copy.get_params() == settings
    assert "CrfChunker(" in repr(chunker)
    assert clone(CrfChunker(without=["link"])).without == ["link"]


def test_a_clone_of_a_fitted_chunker_has_learned_nothing(full: CrfChunker) -> None:
    with pytest.raises(NotFittedError):
        clone(full).predict(X)


def test_grid_search_finds_the_better_penalty() -> None:
    sites = [example.site for example in TRAINING]
    search = GridSearchCV(CrfChunker(features="nakamura", **LIGHT), {"c2": [0.1, 1e6]}, cv=GroupKFold(2))
    search.fit(X, Y, groups=sites)
    assert search.best_params_ == {"c2": 0.1}
    assert search.best_estimator_.predict(X[:1]) == search.predict(X[:1])
    assert search.score(X, Y) == search.best_estimator_.score(X, Y)
    assert np.isfinite(search.cv_results_["mean_test_score"]).all()


def test_cross_validate_scores_each_fold() -> None:
    sites = [example.site for example in TRAINING]
    result = cross_validate(
        CrfChunker(features="nakamura", **LIGHT),
        X,
        Y,
        groups=sites,
        cv=GroupKFold(3),
        return_train_score=True,
    )
    assert result["test_score"].shape == (3,)
    assert (result["train_score"] > 0.5).all()
    assert (result["test_score"] <= 1).all()


@pytest.mark.parametrize("how", ["pickle", "joblib"])
def test_a_fitted_chunker_can_be_sent_to_another_process(full: CrfChunker, how: str) -> None:
    if how == "pickle":
        again = pickle.loads(pickle.dumps(full))
    else:
        stream = io.BytesIO()
        joblib.dump(full, stream)
        again = joblib.load(stream)
    assert again.predict(NEW) == full.predict(NEW)
    assert again.model_ == full.model_


# Refusals


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"decoding": "greedy"}, "decoding is one of f1, viterbi, not 'greedy'"),
        ({"beta": 0}, "beta must be above 0"),
        ({"beta": -1.0}, "beta must be above 0"),
        ({"beta": float("nan")}, "beta must be above 0"),
        ({"features": "most"}, "no feature set 'most'; there are full, nakamura"),
        ({"keywords": "good"}, "keywords are selected or fixed"),
        ({"without": ("size", "colour")}, "no feature colour in the set full; it has size"),
    ],
)
def test_settings_that_cannot_be_are_refused_by_fit(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        CrfChunker(**settings).fit(X, Y)


def test_settings_are_looked_at_again_when_they_were_changed(full: CrfChunker) -> None:
    with pytest.raises(ValueError, match="decoding is one of"):
        with_settings(full, decoding="greedy").predict(X)


@pytest.mark.parametrize(
    ("pages", "labels", "message"),
    [
        (X[:2], Y[:1], "2 pages, but labels of 1"),
        (X[:1], Y[:2], "1 pages, but labels of 2"),
        (X[:1], [Y[0][:-1]], f"has {len(X[0])} text nodes, but {len(X[0]) - 1} labels"),
        (X[:1], [["X"] * len(X[0])], "no IOB2 label: 'X'"),
        (X[:1], [np.full(len(X[0]), 7)], "no IOB2 label: 7"),
        ([], [], "no text node to learn from"),
        ([make_nodes("<script>x</script>")], [[]], "no text node to learn from"),
    ],
)
def test_labels_that_do_not_fit_are_refused(
    pages: list[TextNodes], labels: list[LabelArray], message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        CrfChunker(max_iterations=2).fit(pages, labels)


@pytest.mark.parametrize("method", ["predict", "predict_marginals", "predict_masks", "predict_labels"])
def test_who_has_not_learned_cannot_predict(method: str) -> None:
    with pytest.raises(NotFittedError):
        getattr(CrfChunker(), method)(X)
    with pytest.raises(NotFittedError):
        CrfChunker().explain(X[0], 0)


def test_features_that_want_names_of_elements_say_so(full: CrfChunker) -> None:
    from ruiji.features import text_nodes
    from tests.factories import make_page

    with pytest.raises(NamesMissing):
        full.predict([text_nodes(make_page("<p class=x>y"), named=False)])


# Explanations


@pytest.mark.parametrize("place", [0, 1, 7, -1])
def test_reasons_add_up_to_the_score_of_the_node(fitted: CrfChunker, place: int) -> None:
    page = NEW[1]
    node = place % len(page)
    chunker = with_settings(fitted, decoding="viterbi")
    explanation = chunker.explain(page, node)
    scores = fitted.attributes_.columns(forest([page])).scores(fitted.weights_)[node]
    own = [reason for reason in explanation.reasons if not reason[0].startswith(("after ", "before "))]
    assert np.sum([reason[2:] for reason in own], axis=0) == pytest.approx(scores, abs=1e-9)
    assert all("=" in reason[0] for reason in own)
    # Given its neighbours, the node has the label for which all reasons together are strongest.
    total = np.sum([reason[2:] for reason in explanation.reasons], axis=0)
    assert explanation.label == LABELS[int(total.argmax())] == chunker.predict([page])[0][node]


def test_reasons_come_strongest_first_and_name_the_neighbours(fitted: CrfChunker) -> None:
    page = NEW[1]
    labels = fitted.predict([page])[0]
    explanation = fitted.explain(page, 5)
    pulls = [abs(reason[2] - max(reason[3], reason[4])) for reason in explanation.reasons]
    assert pulls == sorted(pulls, reverse=True)
    names = {reason[0] for reason in explanation.reasons}
    assert f"after {labels[4]}" in names
    assert f"before {labels[6]}" in names
    assert explanation.text == page.texts[5]
    assert explanation.probability == pytest.approx(
        dict(zip(LABELS, fitted.predict_marginals([page])[0][5], strict=True))
    )
    shown = str(explanation).splitlines()
    assert labels[5] in shown[0]
    assert explanation.reasons[0][0] in shown[1]


def test_first_and_last_node_have_no_neighbour_on_one_side(fitted: CrfChunker) -> None:
    page = NEW[1]
    assert not any(reason[0].startswith("after ") for reason in fitted.explain(page, 0).reasons)
    assert not any(reason[0].startswith("before ") for reason in fitted.explain(page, len(page) - 1).reasons)
    alone = fitted.explain(make_nodes("<p>one"), 0)
    assert not any(reason[0].startswith(("after ", "before ")) for reason in alone.reasons)


def test_reasons_are_the_attributes_of_the_node_as_often_as_it_has_them(fitted: CrfChunker) -> None:
    page = make_nodes(
        "<div class=menu><ul><li><ul><li><div class=menu><a href=/>目次</a></div></ul></ul></div><p>one</p>"
    )
    names = fitted.attributes_.names()
    for node, row in enumerate(next(item_sequences(fitted.attributes_, [page]))):
        weights = {
            name: fitted.weights_[names.index(name)] for name in (attribute.decode() for attribute in row)
        }
        shown = {reason[0]: reason for reason in fitted.explain(page, node).reasons if "=" in reason[0]}
        assert set(shown) == {name for name, weight in weights.items() if weight.any()}
        for name, count in Counter(attribute.decode() for attribute in row).items():
            if name in shown:
                assert shown[name][1] == count
                assert shown[name][2:] == pytest.approx(tuple(weights[name] * count))


def test_numbers_of_labels_are_read_back(full: CrfChunker) -> None:
    assert as_numbers(full.predict([X[0]])[0]).tolist() == full.predict_labels([X[0]])[0].tolist()
