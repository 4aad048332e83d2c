"""``ruiji extract --filter crf``: from a model back to pages."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from ruiji import page_writing
from ruiji.__main__ import main
from ruiji.chunker.annotation.reading import read_annotation
from ruiji.chunker.crf.folder import load_model
from ruiji.chunker.labels import regions_of
from ruiji.commands import extract
from ruiji.corpora import read_pages
from ruiji.corpora.files import partial_path
from ruiji.corpora.pool import workers
from ruiji.features import text_nodes
from ruiji.page_writing import WritePages
from tests.ruiji.commands.annotated import QUICK, read, records, write

pytestmark = pytest.mark.usefixtures("in_this_process")


def test_extract_with_a_model_leaves_out_what_it_calls_non_content(
    model: Path, pages: Path, tmp_path: Path
) -> None:
    arguments = ["extract", str(pages), "--filter", "crf", "--model", str(model), "--nodes", "-q"]
    for jobs in ("1", "2"):
        assert main([*arguments, "--jobs", jobs, "-o", str(tmp_path / f"{jobs}.jsonl")]) == 0
    assert (tmp_path / "1.jsonl").read_bytes() == (tmp_path / "2.jsonl").read_bytes()
    chunker = load_model(str(model))
    for row, page in zip(records(tmp_path / "1.jsonl"), read_pages([pages]), strict=True):
        nodes = text_nodes(page)
        (mask,) = chunker.predict_masks([nodes])
        assert row["text"] == nodes.shown_text(mask.content)
        assert [label["content"] for label in row["labels"]] == mask.content.tolist()
        assert [label["score"] for label in row["labels"]] == pytest.approx(mask.score.tolist(), abs=1e-4)
        assert 0 < row["content_nodes"] == mask.content.sum() < row["nodes"] == len(nodes)


def test_html_read_back_has_the_regions_that_were_predicted(model: Path, pages: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    assert (
        main(
            [
                "extract",
                str(pages),
                "--filter",
                "crf",
                "--model",
                str(model),
                "--format",
                "html",
                "-q",
                "-o",
                f"{out}/",
                "--jobs",
                "1",
            ]
        )
        == 0
    )
    chunker = load_model(str(model))
    found = 0
    for before, after in zip(read_pages([pages]), read_pages([out]), strict=True):
        assert after.id == before.id
        (labels,) = chunker.predict_labels([text_nodes(before)])
        regions = read_annotation(after, text_nodes(after))
        assert regions == regions_of(labels)
        found += len(regions)
        assert list(text_nodes(after).texts) == list(text_nodes(before).texts)
    assert found >= 10
    assert (
        main(
            [
                "evaluate",
                str(out),
                "--filter",
                "crf",
                "--model",
                str(model),
                "-q",
                "-o",
                str(tmp_path / "r.json"),
                "--jobs",
                "1",
            ]
        )
        == 0
    )
    assert read(tmp_path / "r.json")["metrics"]["R_F"] == 1.0


def test_a_page_that_fails_keeps_its_place_among_those_that_do_not(model: Path, tmp_path: Path) -> None:
    folder = write(tmp_path / "pages", a="<p>a", b="", c="<script>x</script>", d="<p>d")
    assert (
        main(
            [
                "extract",
                str(folder),
                "--filter",
                "crf",
                "--model",
                str(model),
                "-q",
                "-o",
                str(tmp_path / "out.jsonl"),
                "--jobs",
                "1",
            ]
        )
        == 1
    )
    rows = records(tmp_path / "out.jsonl")
    assert [row["id"] for row in rows] == ["a.html", "b.html", "c.html", "d.html"]
    assert [row["error"] for row in rows] == [None, "the page is empty (0 bytes)", None, None]
    assert [row["nodes"] for row in rows] == [1, 0, 0, 1]


def interrupted(arguments: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Runs a command that is stopped after two pages."""

    class Stopped(workers.PagePool):
        def map(self, function: Any, pages: Any, **options: Any) -> Iterator[Any]:
            rows = super().map(function, pages, **options)
            yield from islice(rows, 2) if isinstance(function, WritePages) else rows
            if isinstance(function, WritePages):
                raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(extract, "PagePool", lambda jobs: Stopped(0))
        assert main(arguments) == 130


def test_an_interrupted_run_is_taken_up_with_the_same_model_only(
    model: Path,
    pages: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    used, destination, whole = tmp_path / "used", tmp_path / "out.jsonl", tmp_path / "whole.jsonl"
    shutil.copytree(model, used)
    arguments = [
        "extract",
        str(pages),
        "--filter",
        "crf",
        "--model",
        str(used),
        "--nodes",
        "--jobs",
        "1",
        "-o",
    ]

    interrupted([*arguments, str(destination)], monkeypatch)
    assert partial_path(destination).read_bytes().count(b"\n") == 2
    capsys.readouterr()
    assert main([*arguments, str(destination)]) == 0
    assert "going on after 2 pages" in capsys.readouterr().err
    assert main([*arguments, str(whole)]) == 0
    assert destination.read_bytes() == whole.read_bytes()

    interrupted([*arguments, str(destination)], monkeypatch)
    assert (
        main(["train", str(pages), "-o", str(used), "-q", *QUICK, "--c2", "3000"]) == 0
    )  # in the same place
    capsys.readouterr()
    assert main([*arguments, str(destination)]) == 0
    assert "going on" not in capsys.readouterr().err
    assert destination.read_bytes() != whole.read_bytes()
    assert main([*arguments, str(whole)]) == 0
    assert destination.read_bytes() == whole.read_bytes()


def test_a_run_with_another_model_or_none_starts_anew(
    model: Path,
    pages: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    destination = tmp_path / "out.jsonl"
    interrupted(
        [
            "extract",
            str(pages),
            "--filter",
            "crf",
            "--model",
            str(model),
            "--jobs",
            "1",
            "-o",
            str(destination),
        ],
        monkeypatch,
    )
    capsys.readouterr()
    assert main(["extract", str(pages), "--filter", "none", "--jobs", "1", "-o", str(destination)]) == 0
    assert "going on" not in capsys.readouterr().err
    assert all(row["content_nodes"] == row["nodes"] for row in records(destination))


@pytest.mark.parametrize(("least", "told"), [(1.01, True), (0.0, False)])
def test_pages_of_which_the_mask_is_a_guess_are_named(
    least: float,
    told: bool,
    model: Path,
    pages: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(page_writing, "GUESS", least)
    arguments = ["extract", str(pages), "--filter", "crf", "--model", str(model), "--jobs", "1"]
    assert main([*arguments, "-o", str(tmp_path / "out.jsonl")]) == 0
    first, *_ = read_pages([pages])
    said = capsys.readouterr().err
    assert ("what is kept is a guess" in said) is told
    assert (first.id in said) is told
