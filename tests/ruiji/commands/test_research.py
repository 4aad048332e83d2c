"""What a researcher asks of crossval, evaluate and train: features of one's own, the paper's learner and
split,
intervals, errors, and cautions.
"""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from ruiji.__main__ import main
from ruiji.corpora import MINIWEB

SITES = ("tabi-no-kakera.com", "otoku-joho-navi777.com", "www.cs.miozaki-u.ac.jp")
QUICK = ["--iterations", "6", "--jobs", "1"]
MODULE = """
import numpy as np
from ruiji.features.nodes.attributes import Closed
from ruiji.features.nodes.nakamura import NAKAMURA

def has_bar(pages):
    return np.array(["|" in text for text in pages.texts])

MINE = NAKAMURA.extended("mine", Closed(has_bar, ("no", "yes")))
"""


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("annotated")
    for site in SITES:
        shutil.copytree(MINIWEB / site, folder / site)
    return folder


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder to work in, with a module of features."""
    (tmp_path / "bar_set.py").write_text(MODULE, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    monkeypatch.setenv("PYTHONPATH", "")
    yield tmp_path
    sys.modules.pop("bar_set", None)


def read(path: Path) -> dict[str, Any]:
    result: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return result


def test_a_feature_of_the_current_folder_is_validated_against_another_set_with_an_interval(
    pages: Path, here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = ["crossval", str(pages), "--features", "bar_set:MINE", "--compare", "nakamura", "-o", "r.json"]
    assert main([*command, *QUICK]) == 0
    result = read(here / "r.json")
    assert result["settings"]["features"] == "bar_set:MINE"
    ahead = result["differences"]["crf nakamura"]["word_F1"]
    assert ahead["low"] <= ahead["value"] <= ahead["high"]
    printed = capsys.readouterr().out
    assert "| crf bar_set:MINE" in printed
    assert "ahead of crf nakamura" in printed
    assert "95 % of 2,000 draws of 3 sites" in printed


def test_a_model_with_it_is_trained_used_and_refused_elsewhere(
    pages: Path, here: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert main(["train", str(pages), "-o", "model", "--features", "bar_set:MINE", *QUICK]) == 0
    assert read(here / "model" / "card.json")["features_from"] == {"has_bar": "bar_set.has_bar"}
    monkeypatch.setattr(sys, "path", [entry for entry in sys.path if entry not in ("", str(here))])
    monkeypatch.delitem(sys.modules, "bar_set")
    page = next((pages / SITES[0]).rglob("*.html"))
    capsys.readouterr()
    assert main(["extract", str(page), "--model", "model", "--jobs", "1"]) == 2
    error = capsys.readouterr().err
    assert "the features bar_set:MINE are missing: there is no module bar_set" in error
    assert len(error.strip().splitlines()) == 1


def test_ablation_of_one_s_own_set_leaves_out_what_is_from_outside(pages: Path, here: Path) -> None:
    assert (
        main(["crossval", str(pages), "--features", "bar_set:MINE", "--ablate", "-o", "r.json", *QUICK]) == 0
    )
    assert set(read(here / "r.json")["ablation"]) == {"has_bar"}


def test_the_paper_s_learner_and_split(pages: Path, here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Nakamura 2007, sections 3.2.1 and 4.3: an SVM from left to right, pages split at random."""
    command = ["crossval", str(pages), "--features", "nakamura", "--learner", "svm", "--split", "random"]
    assert main([*command, "--compare", "crf", "--folds", "2", "-o", "r.json", "--jobs", "1"]) == 0
    result = read(here / "r.json")
    settings = result["settings"]
    assert (settings["learner"], settings["split"]) == ("svm", "random")
    assert (settings["kernel"], settings["decoding"]) == ("quadratic", "greedy")
    sites = [{page["site"] for page in result["pages"] if page["fold"] == fold} for fold in (0, 1)]
    assert sites[0] & sites[1]
    out, err = capsys.readouterr()
    assert "Nakamura 2007 (SVM, its 781 pages)" in out
    assert "split at random" in out
    assert "pages of one site are on both sides" in err


def test_one_site_split_at_random_has_no_interval(
    pages: Path, here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = ["crossval", str(pages / SITES[0]), "--features", "nakamura", "--split", "random"]
    assert main([*command, "--compare", "baseline", "--curve", "pages", "-o", "r.json", *QUICK]) == 0
    out, err = capsys.readouterr()
    assert "Without intervals: one site" in out
    assert not {"[", "?"} & set(out)
    assert "of 1 site " in out
    assert "1 sites" not in out
    assert "interval" not in err
    assert set(read(here / "r.json")["differences"]["all content"]["B_F"]) == {"value"}


def test_a_learning_curve_by_sites(pages: Path, here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = ["crossval", str(pages), "--features", "nakamura", "--curve", "pages", "-o", "r.json"]
    assert main([*command, *QUICK]) == 0
    curve = read(here / "r.json")["curve"]
    assert [point["pages"] for point in curve] == sorted(point["pages"] for point in curve)
    assert len(curve) > 1
    assert curve[-1]["B_F"] == pytest.approx(read(here / "r.json")["metrics"]["B_F"])
    printed = capsys.readouterr().out
    assert "Learning curve" in printed
    assert "learning from" not in printed.partition("\n")[0]  # it learns from all that it is given


def test_the_header_says_how_many_pages_a_fold_learns_from_where_not_from_all(
    pages: Path, here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = ["crossval", str(pages), "--features", "nakamura", "--per-site", "1", "--curve", "pages"]
    assert main([*command, *QUICK]) == 0
    printed = capsys.readouterr().out
    assert "no site on both sides, learning from 2 of 7 pages in the mean; decoding" in printed
    assert "| 2 pages of 2 sites" in printed
    assert "pages of 3 sites |" not in printed


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ("--learner svm --decoding f1", "--decoding f1 goes with --learner crf"),
        ("--decoding greedy", "--decoding greedy goes with --learner svm"),
        ("--learner svm --c2 1", "--c2 goes with --learner crf"),
        ("--compare nonsense", "no nonsense to compare with"),
        ("--features nonsense", "no feature set 'nonsense'"),
        ("--features no_module:MINE", "there is no module no_module"),
        ("--split random --together a*", "--together goes with --split site"),
    ],
)
def test_what_does_not_go_together_is_one_sentence(
    pages: Path, here: Path, options: str, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["crossval", str(pages), *options.split(), "--jobs", "1"]) == 2
    error = capsys.readouterr().err
    assert message in error
    assert len(error.strip().splitlines()) == 1


def test_errors_are_shown_as_a_page_and_as_a_table(pages: Path, here: Path) -> None:
    for name in ("errors.html", "nodes.parquet"):
        assert (
            main(["evaluate", str(pages), "--model", "nakamura", "--errors", name, "--jobs", "1", "-q"]) == 0
        )
    page = (here / "errors.html").read_text(encoding="utf-8")
    assert "<details><summary>Why" in page
    nodes = pd.read_parquet(here / "nodes.parquet")
    assert {"truth", "label", "score", "path", "fold", "site", "page_kind", "region_kind"} <= set(nodes)


def test_evaluating_on_training_pages_is_said(
    pages: Path, here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["train", str(pages), "-o", "model", "--features", "nakamura", *QUICK]) == 0
    said = capsys.readouterr().err
    assert "only 10 pages to learn from" in said
    assert main(["evaluate", str(pages), "--model", "model", "--jobs", "1"]) == 0
    assert "10 of 10 pages were given to the training of the model" in capsys.readouterr().err
    assert main(["train", str(pages / SITES[0]), "-o", "small", "--features", "nakamura", *QUICK]) == 0
    assert "all pages are of one site" in capsys.readouterr().err


def test_how_many_pages_are_learned_from_is_said(
    pages: Path, here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = ["train", str(pages), "-o", "model", "--features", "nakamura", "--per-site", "2", *QUICK]
    assert main(command) == 0
    assert "learning from 6 pages (at most 2 a site and 800 in all) of 10 pages" in capsys.readouterr().err


def test_a_model_that_has_not_seen_the_language_says_so(
    pages: Path, here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["train", str(pages / SITES[0]), "-o", "model", "--features", "nakamura", *QUICK]) == 0
    english = here / "english"
    english.mkdir()
    prose = "All the ships in the harbour were painted blue this summer, and nobody knows why. " * 3
    for number in range(2):
        (english / f"{number}.html").write_text(f"<p>{prose}{number}", encoding="utf-8")
    capsys.readouterr()
    size = len(list((pages / SITES[0]).rglob("*.html")))
    caution = (
        "these pages are in another language (en) than those that taught the model: "
        f"0 of its {size} pages are in it"
    )
    assert main(["extract", str(english), "--model", "model", "-o", "a.jsonl", "--jobs", "1"]) == 0
    assert caution in capsys.readouterr().err
    assert main(["detect", str(english), "--model", "model", "-o", "run", "--jobs", "1"]) == 0
    assert caution in capsys.readouterr().err
    assert main(["extract", str(pages / SITES[0]), "--model", "model", "-o", "b.jsonl", "--jobs", "1"]) == 0
    assert "language" not in capsys.readouterr().err
