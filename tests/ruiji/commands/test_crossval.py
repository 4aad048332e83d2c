"""``ruiji crossval``: the keys of the interface, the tables of the paper, any number of jobs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from ruiji.__main__ import main
from ruiji.chunker.crf.estimator import CrfChunker
from ruiji.chunker.crf.svm import SvmChunker
from ruiji.chunker.evaluation.contenders import contenders
from ruiji.chunker.evaluation.nakamura_2007 import TABLE_4_7
from ruiji.chunker.metrics import NAMES
from ruiji.corpora import MINIWEB
from ruiji.features.nodes.nakamura import ABLATION
from tests.ruiji.commands.annotated import LIGHT, QUICK, SITES, read

pytestmark = pytest.mark.usefixtures("in_this_process")


@pytest.fixture(scope="module")
def ablation(pages: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[dict[str, Any], str]:
    """The results of one large run, and what it printed."""
    destination = tmp_path_factory.mktemp("results") / "new" / "results.json"
    with pytest.MonkeyPatch.context() as patch:
        printed: list[str] = []
        patch.setattr("builtins.print", lambda *values, **_: printed.append(" ".join(map(str, values))))
        arguments = [
            "crossval",
            str(pages),
            "--ablate",
            "--compare",
            "svm,baseline",
            "--folds",
            "2",
            "-o",
            str(destination),
            "-q",
        ]
        assert main([*arguments, *LIGHT, "--iterations", "3", "--jobs", "1"]) == 0
    return read(destination), "\n".join(printed)


def test_crossval_writes_the_keys_that_the_interface_promises(
    ablation: tuple[dict[str, Any], str], pages: Path
) -> None:
    result, _ = ablation
    assert set(result) == {
        "metrics", "folds", "by_site", "pages", "settings", "ablation", "compared", "contenders",
        "differences",
    }  # fmt: skip
    assert set(result["differences"]) == set(result["contenders"])
    assert len(result["pages"]) == len(result["contenders"]["crf full"]["pages"]) == 10
    assert list(result["metrics"]) == list(NAMES)
    assert len(result["folds"]) == 2
    assert all(set(fold) <= set(NAMES) for fold in result["folds"])
    assert set(result["by_site"]) == {site.removeprefix("www.") for site in SITES}
    assert (
        result["settings"] | {"features": "nakamura", "folds": 2, "pages": 10, "sources": [str(pages)]}
        == result["settings"]
    )
    assert len(result["settings"]["data_sha256"]) == 64
    assert set(result["ablation"]) == set(ABLATION)
    assert all(set(metrics) <= set(NAMES) and "B_F" in metrics for metrics in result["ablation"].values())
    assert set(result["compared"]) == {"crf full", "svm nakamura", "all content", "fixed keywords"}


def test_crossval_prints_the_paper_s_tables_with_ours_beside_them(
    ablation: tuple[dict[str, Any], str],
) -> None:
    result, printed = ablation
    for heading in (
        "Table 4.2",
        "Table 4.4",
        "Table 4.6",
        "Table 4.7",
        "10 pages of 3 sites",
        "2 folds, no site on both sides",
    ):
        assert heading in printed
    assert "0.532" in printed  # B_F of table 4.2
    rows = {line.split("|")[1].strip(): line for line in printed.splitlines() if line.startswith("|")}
    assert f"{result['metrics']['B_F']:.3f}" in rows["crf nakamura"]
    for case in ABLATION:
        assert f"{case}: paper" in rows
        assert f"{result['ablation'][case]['B_F']:.3f}" in rows[f"{case}: ours"]


def test_left_to_right_is_compared_with_the_best_sequence_of_the_same_scores(
    pages: Path, tmp_path: Path
) -> None:
    """Exposure bias: training has the true label before, a first mistake at work has not."""
    command = ["crossval", str(pages), "--features", "nakamura", "--learner", "svm", "--folds", "2"]
    destination = tmp_path / "r.json"
    assert main([*command, "--compare", "viterbi", "-o", str(destination), "-q", "--jobs", "1"]) == 0
    result = read(destination)
    assert set(result["differences"]["svm nakamura, viterbi"]) >= {"B_F", "word_F1"}
    other = tmp_path / "v.json"
    assert main([*command, "--decoding", "viterbi", "-o", str(other), "-q", "--jobs", "1"]) == 0
    assert read(other)["metrics"] == result["compared"]["svm nakamura, viterbi"]


def test_a_learner_has_its_own_decodings(pages: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["crossval", str(pages), "--compare", "greedy", "--jobs", "1"]) == 2
    assert "--compare greedy: with --learner crf there are f1 and viterbi" in capsys.readouterr().err


def test_who_is_compared_learns_from_the_same_pages() -> None:
    for chunker in (CrfChunker("nakamura", per_site=3, max_pages=40), SvmChunker(per_site=3, max_pages=40)):
        for name, other in contenders(chunker, compare=["svm", "crf", "full", "viterbi", "self", "buckets"]):
            learner = getattr(other, "chunker", other)
            assert (learner.per_site, learner.max_pages) == (3, 40), name


def test_keywords_are_listed_without_any_training(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    hosts = ("www.shioji-shimpo.co.jp", "hamakaze.cocolog-mio.ne.jp", "wiki.umisachi.org")
    sites = [str(MINIWEB / host) for host in hosts]
    destination = tmp_path / "keywords.json"
    assert main(["crossval", *sites, "--table", "4.7", "-o", str(destination), "-q", "--jobs", "1"]) == 0
    keywords = read(destination)["keywords"]
    assert keywords
    for keyword in keywords:  # the rule of section 3.3
        assert keyword["occurrences"] >= 20
        assert keyword["non_content"] >= 0.7
        assert keyword["non_content"] * keyword["domains"] >= 2.0
        assert keyword["published"] == (keyword["word"] in {word.lower() for word in TABLE_4_7})
    assert "Table 4.7" in capsys.readouterr().out


def test_crossval_says_the_same_for_any_number_of_jobs(
    pages: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    printed = []
    for jobs in ("1", "2"):
        arguments = [
            "crossval",
            str(pages),
            "--features",
            "nakamura",
            *LIGHT,
            "--iterations",
            "5",
            "-o",
            str(tmp_path / f"{jobs}.json"),
        ]
        assert main([*arguments, "--jobs", jobs]) == 0
        printed.append(capsys.readouterr().out)
    assert (tmp_path / "1.json").read_bytes() == (tmp_path / "2.json").read_bytes()
    assert printed[0] == printed[1]
    result = read(tmp_path / "1.json")
    assert result["compared"] == result["contenders"] == result["differences"] == {}
    assert len(result["folds"]) == result["settings"]["folds"] == 3  # as many as there are sites


def test_sites_that_belong_together_stay_together(pages: Path, tmp_path: Path) -> None:
    arguments = [
        "crossval",
        str(pages),
        "--together",
        "tabi-*,otoku-*",
        "-q",
        "-o",
        str(tmp_path / "r.json"),
        "--features",
        "nakamura",
    ]
    assert main([*arguments, *QUICK]) == 0
    result = read(tmp_path / "r.json")
    assert len(result["folds"]) == 2
    assert result["settings"]["together"] == ["tabi-*,otoku-*"]
    assert len(result["by_site"]) == 3
