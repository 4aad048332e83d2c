"""No command writes over what it reads, or into what another command has written."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ruiji.__main__ import main
from ruiji.corpora.miniweb import MINIWEB


def pages_file(folder: Path) -> Path:
    path = folder / "pages.jsonl"
    path.write_text(json.dumps({"url": "http://a.example/", "html": "<p>A page with some text."}) + "\n")
    return path


@pytest.mark.parametrize(
    "command",
    [
        ["extract", "--filter", "none"],
        ["extract", "--filter", "none", "--format", "html"],
        ["convert", "--to", "jsonl"],
        ["convert", "--to", "parquet"],
        ["evaluate", "--filter", "blocks"],
        ["crossval"],
    ],
    ids=" ".join,
)
def test_the_input_is_not_written_over(
    tmp_path: Path, command: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    path = pages_file(tmp_path)
    before = path.read_bytes()
    assert main([*command, str(path), "-o", str(path), "--jobs", "1"]) == 2
    assert "is read as input" in capsys.readouterr().err
    assert path.read_bytes() == before
    assert [found.name for found in tmp_path.iterdir()] == [path.name]


def test_pages_are_not_written_into_their_own_folder(tmp_path: Path) -> None:
    page = tmp_path / "site" / "a.html"
    page.parent.mkdir()
    page.write_text("<p>A page with some text.")
    folder = str(page.parent)
    assert main(["extract", folder, "--filter", "none", "--format", "html", "-o", folder, "--jobs", "1"]) == 2
    assert page.read_text() == "<p>A page with some text."


def test_records_and_detect_do_not_share_a_folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, out = pages_file(tmp_path), tmp_path / "out"
    common = [str(path), "-o", str(out), "--filter", "none", "--jobs", "1"]
    assert main(["detect", *common]) == 0
    files = sorted(found.name for found in out.iterdir())
    assert main(["records", *common]) == 2
    assert "what ruiji detect has written" in capsys.readouterr().err
    assert sorted(found.name for found in out.iterdir()) == files


def test_a_report_is_not_written_over_the_tables_that_it_reads(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    common = ["--filter", "none", "--jobs", "1"]
    assert main(["detect", str(pages_file(tmp_path)), "-o", str(out), *common]) == 0
    before = (out / "pairs.parquet").read_bytes()
    assert main(["report", str(out), "-o", str(out / "pairs.parquet")]) == 2
    assert "is read as input" in capsys.readouterr().err
    assert (out / "pairs.parquet").read_bytes() == before
    assert main(["report", str(out)]) == main(["report", str(out)]) == 0


def test_a_model_is_not_written_into_a_run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "out"
    assert main(["detect", str(pages_file(tmp_path)), "-o", str(out), "--filter", "none", "--jobs", "1"]) == 0
    site = str(MINIWEB / "tabi-no-kakera.com")
    assert main(["train", site, "--features", "nakamura", "-o", str(out), "--jobs", "1"]) == 2
    assert "what ruiji detect has written" in capsys.readouterr().err
    assert not (out / "card.json").exists()


def test_pages_that_fail_are_told_by_the_status_in_every_format(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "good.html").write_text("<p>one")
    (tmp_path / "in" / "bad.html").write_text("")
    for output in ("out.jsonl", "out.parquet", "out.md", "out.xml", "out.html", "folder/"):
        arguments = ["extract", str(tmp_path / "in"), "--filter", "none", "--jobs", "1", "-q"]
        form = ["--format", "html"] if output == "folder/" else []
        assert main([*arguments, *form, "-o", f"{tmp_path}/{output}"]) == 1, output
