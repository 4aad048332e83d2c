"""A feature of one's own: fitted, validated, saved, loaded, and refused where it is missing."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest
from sklearn.base import clone

from ruiji.chunker.crf.estimator import CrfChunker
from ruiji.chunker.crf.folder import ModelError, load_model, save_model
from ruiji.chunker.crf.svm import SvmChunker
from ruiji.chunker.evaluation.crossval import cross_validated, grouped_folds
from ruiji.features.nodes.attributes import Closed, FeatureSet
from ruiji.features.nodes.forest import Forest
from ruiji.features.nodes.nakamura import NAKAMURA
from tests.factories import annotated_examples, labels_in, nodes_of

EXAMPLES = annotated_examples("tabi-no-kakera.com", "www.cs.miozaki-u.ac.jp", "fjordnotes.org")
X, Y = nodes_of(EXAMPLES), labels_in(EXAMPLES)
QUICK = {"c2": 0.5, "max_iterations": 8}

MODULE = """
import numpy as np
from ruiji.features.nodes.attributes import Closed
from ruiji.features.nodes.nakamura import NAKAMURA

def has_bar(pages):
    return np.array(["|" in text or "｜" in text for text in pages.texts])

MINE = NAKAMURA.extended("mine", Closed(has_bar, ("no", "yes"), offsets=(-1, 0, 1)))
"""
LOAD = """
import sys
from ruiji.chunker.crf.folder import ModelError, load_model
try:
    chunker = load_model(sys.argv[1])
except ModelError as error:
    print("refused:", error)
else:
    print("loaded:", chunker.feature_set().name, chunker.feature_set().features[-1].name)
"""


def has_bar(pages: Forest) -> npt.NDArray[np.bool_]:
    return np.array(["|" in text or "｜" in text for text in pages.texts])


BARS = NAKAMURA.extended("bars", Closed(has_bar, ("no", "yes")))


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A model trained with the set of a module beside it."""
    (tmp_path / "code").mkdir()
    (tmp_path / "code" / "bar_features.py").write_text(MODULE, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path / "code")
    monkeypatch.delitem(sys.modules, "bar_features", raising=False)
    chunker = CrfChunker(features="bar_features:MINE", **QUICK).fit(X, Y)
    save_model(chunker, tmp_path / "model", EXAMPLES)
    return tmp_path / "model"


def loaded_elsewhere(folder: Path, path: str) -> str:
    """What a new process says when it loads the model."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    command = [sys.executable, "-c", LOAD, folder]
    run = subprocess.run(
        command,
        env=environment | {"PYTHONPATH": path},
        cwd=folder,
        capture_output=True,
        text=True,
        check=True,
    )
    return run.stdout.strip()


def test_a_set_as_an_object_fits_and_its_feature_has_weights() -> None:
    chunker = clone(CrfChunker(features=BARS, **QUICK)).fit(X, Y)
    names = chunker.attributes_.names()
    assert {"has_bar=no", "has_bar=yes"} <= set(names)
    assert np.abs(chunker.weights_[names.index("has_bar=yes")]).sum() > 0
    assert any(reason.attribute.startswith("has_bar=") for reason in chunker.explain(X[0], 0).reasons)


def test_an_svm_takes_it_too() -> None:
    labels = SvmChunker(features=BARS).fit(X, Y).predict_labels(X)
    assert [len(own) for own in labels] == [len(page) for page in X]


def test_it_is_cross_validated_by_two_jobs_as_by_one() -> None:
    folds = grouped_folds(EXAMPLES, 2)
    chunker = CrfChunker(features=BARS, **QUICK)
    first, second = (cross_validated(chunker, EXAMPLES, folds, jobs=jobs) for jobs in (1, 2))
    assert first == second


def test_the_card_names_where_the_feature_comes_from(folder: Path) -> None:
    card = json.loads((folder / "card.json").read_text(encoding="utf-8"))
    assert card["settings"]["features"] == "bar_features:MINE"
    assert card["features_from"] == {"has_bar": "bar_features.has_bar"}


def test_the_card_of_a_set_of_ours_says_nothing_of_that(tmp_path: Path) -> None:
    save_model(CrfChunker(features=NAKAMURA, **QUICK).fit(X, Y), tmp_path)
    card = json.loads((tmp_path / "card.json").read_text(encoding="utf-8"))
    assert card["settings"]["features"] == "nakamura"
    assert "features_from" not in card


def test_it_comes_back_the_same(folder: Path) -> None:
    trained = CrfChunker(features="bar_features:MINE", **QUICK).fit(X, Y)
    assert load_model(folder).predict(X) == trained.predict(X)


def test_another_process_loads_it_where_the_module_is_on_the_path(folder: Path) -> None:
    assert loaded_elsewhere(folder, str(folder.parent / "code")) == "loaded: mine has_bar"


def test_it_is_refused_in_one_sentence_where_the_module_is_missing(folder: Path) -> None:
    said = loaded_elsewhere(folder, "")
    assert said.startswith("refused:")
    assert "the features bar_features:MINE are missing: there is no module bar_features" in said
    assert "\n" not in said


def test_nothing_is_imported_from_the_folder_of_a_model(folder: Path) -> None:
    """A model from elsewhere must not bring code along."""
    (folder / "bar_features.py").write_text("raise SystemExit('code of the model ran')", encoding="utf-8")
    command = [sys.executable, "-P", "-c", LOAD, folder]
    run = subprocess.run(command, capture_output=True, text=True, check=True)
    assert "there is no module bar_features" in run.stdout


def test_a_set_that_no_module_holds_is_passed_when_loading(tmp_path: Path) -> None:
    nowhere = FeatureSet("nowhere", (*NAKAMURA.features, Closed(has_bar, ("no", "yes"), (0, 1))))
    chunker = CrfChunker(features=nowhere, **QUICK).fit(X, Y)
    save_model(chunker, tmp_path)
    with pytest.raises(ModelError, match=r"no module holds the feature set \(nowhere\)") as refused:
        load_model(tmp_path)
    assert "features=" not in str(refused.value)  # which a command line prints
    assert refused.value.__notes__ == ["load_model(folder, features=...) takes them as they are"]
    assert load_model(tmp_path, features=nowhere).predict(X) == chunker.predict(X)
    with pytest.raises(ModelError, match="its features are not those"):
        load_model(tmp_path, features=BARS)
