"""The tables and figures of the two papers about content, each by one command, the paper's figures beside."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest

from ruiji.__main__ import main
from ruiji.chunker.evaluation import nakamura_2007, yoshida_2009
from ruiji.features.nodes.nakamura import ABLATION
from tests.ruiji.commands.annotated import read

pytestmark = pytest.mark.usefixtures("in_this_process")
ONE_JOB = ["--jobs", "1", "-q"]


def printed_rows(text: str) -> dict[str, list[str]]:
    """The rows of the tables in a text, by their first column; of a name that comes again the first."""
    lines = [line for line in text.splitlines() if "|" in line]
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in reversed(lines)]
    return {row[0]: row[1:] for row in cells}


def test_table_4_2_is_the_paper_s_experiment_with_its_figures_beside_ours(
    pages: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Nakamura 2007, sections 3.2.1 and 4.3: its features, an SVM with a quadratic kernel from left to right,
    pages split at random, all of them learned from."""
    destination = tmp_path / "r.json"
    assert (
        main(["crossval", str(pages), "--table", "4.2", "--folds", "2", "-o", str(destination), *ONE_JOB])
        == 0
    )
    settings = read(destination)["settings"]
    expected = {
        "features": "nakamura", "learner": "svm", "kernel": "quadratic", "decoding": "greedy",
        "split": "random", "per_site": None, "max_pages": None,
    }  # fmt: skip
    assert settings | expected == settings
    rows = printed_rows(capsys.readouterr().out)
    paper = [nakamura_2007.L_BL, *nakamura_2007.TABLE_4_2.values()]
    assert rows["Nakamura 2007 (SVM, its 781 pages)"] == [*(f"{value:.3f}" for value in paper), ""]
    ours = read(destination)["metrics"]
    assert rows["svm nakamura"][:3] == [f"{ours[name]:.3f}" for name in ("L_bl", "L_nc", "R_r")]


def test_table_4_4_leaves_out_each_feature_of_table_4_3(
    pages: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = [
        "crossval",
        str(pages),
        "--table",
        "4.4",
        "--folds",
        "2",
        "--learner",
        "crf",
        "--split",
        "site",
    ]
    assert main([*command, "--iterations", "3", "-o", str(tmp_path / "r.json"), *ONE_JOB]) == 0
    result = read(tmp_path / "r.json")
    assert list(result["ablation"]) == list(ABLATION)
    assert (result["settings"]["learner"], result["settings"]["split"]) == ("crf", "site")
    out = capsys.readouterr().out
    rows = printed_rows(out)
    for case, published in nakamura_2007.TABLE_4_4.items():
        assert rows[f"{case}: paper"][0] == f"{published['L_nc']:.3f}"
        assert rows[f"{case}: ours"][0] == f"{result['ablation'][case]['L_nc']:.3f}"
    assert "Table 4.2" not in out
    assert "Table 4.6" not in out


def test_table_4_6_has_fixed_keywords_beside_selected_ones(
    pages: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = ["crossval", str(pages), "--table", "4.6", "--folds", "2", "--learner", "crf"]
    assert main([*command, "--iterations", "3", *ONE_JOB]) == 0
    rows = printed_rows(capsys.readouterr().out)
    assert rows["paper"][0] == "0.732"
    assert {"ours", "paper, selected", "ours, selected"} <= rows.keys()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ("--table 4.2 --features full", "--table goes with --features nakamura"),
        ("--table 4.2 --ablate", "--ablate goes without it"),
        ("--table 4.2 --compare crf", "--compare goes without it"),
    ],
)
def test_a_table_is_nothing_but_that_table(
    pages: Path, options: str, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["crossval", str(pages), *options.split(), "--jobs", "1"]) == 2
    error = capsys.readouterr().err
    assert message in error
    assert len(error.strip().splitlines()) == 1


def test_table_1_has_each_site_alone_and_all_sites_mixed(
    pages: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Yoshida and Yamamoto 2009, section 4.2."""
    assert main(["evaluate", str(pages), "--table", "1", "-o", str(tmp_path / "r.json"), *ONE_JOB]) == 0
    result = read(tmp_path / "r.json")
    printed = capsys.readouterr().out
    rows = printed_rows(printed)
    assert "ahead of alone in block_F by -" not in printed
    assert printed.rstrip().endswith(", by 95 % of draws of 3 sites")
    assert rows["asahi.com (paper)"][:4] == ["0.998", "0.978", "0.988", "0.894"]
    assert rows["all sites mixed (paper)"][2] == f"{yoshida_2009.MIXED['block_F']:.3f}"
    assert rows["micro average (ours)"][2] == f"{result['alone']['metrics']['block_F']:.3f}"
    assert rows["all sites mixed (ours)"][2] == f"{result['mixed']['metrics']['block_F']:.3f}"
    assert set(result["alone"]["by_site"]) <= rows.keys()


def test_figure_8_is_printed_and_drawn(
    pages: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Yoshida and Yamamoto 2009, section 4.4; at 0.9 it is the last row of table 1, by the masks of
    ``--filter unique --plain``."""
    drawing = tmp_path / "figure8.svg"
    command = ["evaluate", str(pages), "--figure-8", str(drawing), "-o", str(tmp_path / "f.json"), *ONE_JOB]
    assert main(command) == 0
    thresholds = read(tmp_path / "f.json")["thresholds"]
    assert next(iter(thresholds)) == "0.50"
    assert list(thresholds)[-1] == "1.00"
    rows = printed_rows(capsys.readouterr().out)
    assert rows["0.90"][2] == f"{thresholds['0.90']['block_F']:.3f}"
    assert drawing.read_text(encoding="utf-8").startswith("<svg")
    plain = ["evaluate", str(pages), "--filter", "unique", "--plain", "--threshold", "0.9"]
    assert main([*plain, "-o", str(tmp_path / "p.json"), *ONE_JOB]) == 0
    masks = read(tmp_path / "p.json")["metrics"]
    assert (masks["B_F"], masks["word_F1"]) == (thresholds["0.90"]["B_F"], thresholds["0.90"]["word_F1"])
    assert main(["evaluate", str(pages), "--table", "1", "-o", str(tmp_path / "t.json"), *ONE_JOB]) == 0
    assert read(tmp_path / "t.json")["mixed"]["metrics"] == thresholds["0.90"]


def test_section_5_2_retrieval_with_and_without_what_is_not_content(
    pages: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = ["evaluate", str(pages), "--retrieval", "--filter", "none", "-o", str(tmp_path / "r.json")]
    assert main([*command, *ONE_JOB]) == 0
    found = read(tmp_path / "r.json")["retrieval"]
    assert found["all text"] == found["content by the filter"]  # the filter leaves everything in
    assert found["true content"]["words_P"] == found["true content"]["words_R"] == 1.0
    assert found["all text"]["words_P"] < 1.0  # menus have words that the content has not
    printed = capsys.readouterr().out
    assert "content by the filter and all text: no difference in MRR that" in printed
    assert "true content" in printed.partition("no difference in MRR")[2]


def test_tables_of_a_cross_validation_are_parquet_for_every_contender(pages: Path, tmp_path: Path) -> None:
    command = ["crossval", str(pages), "--features", "nakamura", "--compare", "baseline", "--iterations", "3"]
    outputs = ["--tables", str(tmp_path / "tables"), "--errors", str(tmp_path / "errors.html")]
    assert main([*command, *outputs, "--folds", "2", *ONE_JOB]) == 0
    by_page = pd.read_parquet(tmp_path / "tables" / "pages.parquet")
    assert set(by_page["contender"]) == {"crf nakamura", "all content"}
    assert len(by_page) == 20
    nodes = pd.read_parquet(tmp_path / "tables" / "nodes.parquet")
    assert {"truth", "label", "score", "path", "fold", "site", "page_kind", "region_kind"} <= set(nodes)
    assert set(nodes["fold"]) == {0, 1}
    assert len(pd.read_parquet(tmp_path / "tables" / "folds.parquet")) == 4
    assert "crf nakamura" in (tmp_path / "errors.html").read_text(encoding="utf-8")


def test_tables_of_a_model_have_its_weights_and_no_other_folder_is_overwritten(
    pages: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = ["evaluate", str(pages), "--model", "nakamura", "--tables"]
    assert main([*command, str(tmp_path / "tables"), *ONE_JOB]) == 0
    weights = pd.read_parquet(tmp_path / "tables" / "weights.parquet")
    assert {"attribute", "O", "B", "I", "pull"} <= set(weights)
    run = tmp_path / "run"
    run.mkdir()
    (run / "pairs.parquet").write_bytes(b"a run of ruiji detect")
    capsys.readouterr()
    assert main([*command, str(run), "--jobs", "1"]) == 2
    assert "holds what ruiji detect has written" in capsys.readouterr().err
    assert (run / "pairs.parquet").read_bytes() == b"a run of ruiji detect"
