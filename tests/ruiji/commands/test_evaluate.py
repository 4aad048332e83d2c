"""``ruiji evaluate``: scores by site and in all."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from ruiji.__main__ import main
from ruiji.chunker.metrics import NAMES
from tests.ruiji.commands.annotated import SITES, read

pytestmark = pytest.mark.usefixtures("in_this_process")


def test_evaluate_scores_a_model_by_site_and_in_all(
    model: Path, pages: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    destination = tmp_path / "r.json"
    assert (
        main(
            [
                "evaluate",
                str(pages),
                "--filter",
                "crf",
                "--model",
                str(model),
                "-o",
                str(destination),
                "--jobs",
                "1",
            ]
        )
        == 0
    )
    result, printed = read(destination), capsys.readouterr().out
    assert set(result) == {"metrics", "folds", "by_site", "pages", "settings"}
    assert list(result["metrics"]) == list(NAMES)
    assert result["metrics"]["B_F"] > 0.9
    assert set(result["by_site"]) == {site.removeprefix("www.") for site in SITES}
    assert result["settings"]["filter"] == "crf"
    assert result["settings"]["model"] == str(model)
    for name in ("all", *result["by_site"]):
        assert re.search(rf"^\| {re.escape(name)} +\|", printed, re.MULTILINE)


def test_evaluate_without_a_filter_is_the_baseline(pages: Path, tmp_path: Path) -> None:
    assert (
        main(
            ["evaluate", str(pages), "--filter", "none", "-q", "-o", str(tmp_path / "r.json"), "--jobs", "1"]
        )
        == 0
    )
    metrics = read(tmp_path / "r.json")["metrics"]
    assert metrics["L_nc"] == metrics["L_bl"]
    assert metrics["B_r"] == 0
    assert "B_p" not in metrics  # nothing was called non-content: it does not apply


def test_evaluate_says_how_pages_are_judged(
    pages: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ways = {}
    for name, options in (
        ("together", ["--filter", "crf"]),
        ("alone", ["--alone"]),
        ("none", ["--filter", "none"]),
    ):
        out = tmp_path / f"{name}.json"
        assert main(["evaluate", str(pages), *options, "-q", "-o", str(out), "--jobs", "1"]) == 0
        ways[name] = read(out)["settings"].get("judged", "")
        assert ways[name] in capsys.readouterr().out.splitlines()[0]
    assert ways == {
        "together": "pages with what their sites repeat",
        "alone": "each page by itself",
        "none": "",
    }
