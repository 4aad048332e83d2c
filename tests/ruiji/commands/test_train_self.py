"""``ruiji train --self`` and ``--fallback``: no annotation needed, the same bytes for any number of jobs,
clear refusals.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ruiji.__main__ import main
from ruiji.corpora import MINIWEB

SITES = [
    str(MINIWEB / site) for site in ("tabi-no-kakera.com", "www.cs.miozaki-u.ac.jp", "www.kaido-seiki.co.jp")
]


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("self") / "model"
    assert (
        main(["train", "--self", *SITES, "-o", str(folder), "--iterations", "15", "--jobs", "1", "-q"]) == 0
    )
    return folder


def test_train_self_makes_a_model_that_extract_takes(model: Path, tmp_path: Path) -> None:
    card = json.loads((model / "card.json").read_text())
    assert (card["kind"], card["data"]["labelled_by"]) == ("crf", "unique")
    output = tmp_path / "out.jsonl"
    assert (
        main(
            [
                "extract",
                str(MINIWEB / "fjordnotes.org"),
                "--filter",
                "crf",
                "--model",
                str(model),
                "-o",
                str(output),
            ]
        )
        == 0
    )
    records = [json.loads(line) for line in output.read_text(encoding="utf-8").splitlines()]
    assert all(0 < record["content_nodes"] <= record["nodes"] for record in records)


def test_train_self_gives_the_same_bytes_for_any_number_of_jobs(model: Path, tmp_path: Path) -> None:
    assert (
        main(
            [
                "train",
                "--self",
                *SITES,
                "-o",
                str(tmp_path / "again"),
                "--iterations",
                "15",
                "--jobs",
                "2",
                "-q",
            ]
        )
        == 0
    )
    for name in ("model.crfsuite", "card.json"):
        assert (tmp_path / "again" / name).read_bytes() == (model / name).read_bytes()


def test_train_self_needs_pages_to_compare(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert (
        main(
            ["train", "--self", str(MINIWEB / "fjordnotes.org" / "index.html"), "-o", str(tmp_path / "model")]
        )
        == 2
    )
    assert "nothing to learn from: none of 1 pages" in capfd.readouterr().err
    assert not (tmp_path / "model").exists()
    assert main(["train", "--self", "-", "-o", str(tmp_path / "model")]) == 2
    assert "reads the pages twice" in capfd.readouterr().err


def test_a_page_alone_on_its_site_is_named_and_falls_back_as_chosen(
    model: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    page = tmp_path / "alone.example" / "index.html"
    page.parent.mkdir()
    page.write_text(
        "<meta charset=utf-8><ul><li><a href=/>家</a></ul><p>この頁のほかには何もない、と書いてある。</p>",
        encoding="utf-8",
    )
    texts = {}
    for fallback in ("", "none", "blocks", f"crf:{model}"):
        chosen = ["--fallback", fallback] if fallback else []
        assert main(["extract", str(tmp_path), "--filter", "unique", "--jobs", "1", *chosen]) == 0
        out, err = capfd.readouterr()
        texts[fallback] = out
        assert (
            f"alone on the site and cannot be compared; there, {fallback or 'blocks'} decides: "
            "alone.example/index.html" in err
        )
    assert "家" in texts["none"]
    assert "家" not in texts["blocks"]
    assert texts[""] == texts["blocks"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--filter", "unique", "--fallback", "nosuch"], "no fallback 'nosuch'; there are blocks, crf, none"),
        (["--filter", "unique", "--fallback", "unique"], "no fallback 'unique'"),
        (["--filter", "unique", "--fallback", "crf:/nowhere"], "no model '/nowhere'"),
        (["--filter", "blocks", "--fallback", "none"], "takes no fallback"),
    ],
)
def test_a_fallback_that_cannot_be_used_is_refused_before_any_page_is_read(
    arguments: list[str], message: str, capfd: pytest.CaptureFixture[str]
) -> None:
    for command in ("extract", "evaluate"):
        assert main([command, str(MINIWEB / "fjordnotes.org"), *arguments]) == 2
        assert message in capfd.readouterr().err
