"""No command writes over what it reads, whatever the input is called, nor into the folder of another one."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from ruiji.__main__ import main
from ruiji.corpora.miniweb import MINIWEB

SITE = str(MINIWEB / "fjordnotes.org")
QUICK = ("--filter", "none", "--jobs", "1", "-q")
FOLDERS: dict[str, tuple[str, ...]] = {
    "detect": QUICK, "clean": QUICK, "records": QUICK,
    "extract": ("--format", "html", *QUICK), "convert": ("--to", "standard-format", "--jobs", "1", "-q"),
    "train": ("--features", "nakamura", "--jobs", "1", "-q"),
}  # fmt: skip


def refused(arguments: list[str], kept: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The command ends with a sentence and leaves the file as it was."""
    before = kept.read_bytes()
    capsys.readouterr()
    assert main(arguments) == 2
    said = capsys.readouterr().err
    assert "name another" in said, said
    assert kept.read_bytes() == before


@pytest.mark.parametrize("command", FOLDERS)
def test_a_folder_that_holds_the_input_is_not_written_into(
    tmp_path: Path, command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Also where the input has the name of a table that the command writes, and stands deeper."""
    assert main(["convert", SITE, "--to", "parquet", "-o", str(tmp_path / "a.parquet"), "-q"]) == 0
    body = (tmp_path / "a.parquet").read_bytes()
    for number, name in enumerate(
        ("sentences.parquet", "lists.parquet", "removed.parquet", "deep/a.parquet")
    ):
        pages = tmp_path / f"{number}" / name
        pages.parent.mkdir(parents=True)
        pages.write_bytes(body)
        refused([command, str(pages), *FOLDERS[command], "-o", str(tmp_path / f"{number}")], pages, capsys)


Results = Callable[[str], Path]


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Results:
    folder = tmp_path_factory.mktemp("runs")
    assert main(["records", SITE, *QUICK, "-o", str(folder / "records")]) == 0
    assert main(["detect", SITE, *QUICK, "-o", str(folder / "detect")]) == 0
    assert main(["index", "build", SITE, *QUICK, "-o", str(folder / "index")]) == 0
    return lambda name: folder / name


@pytest.mark.parametrize("name", ["records.parquet", "conflicts.jsonl", "run.json"])
def test_changes_are_not_written_over_records(
    runs: Results, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    old = str(runs("records"))
    refused(["records", "changes", old, old, "-o", f"{old}/{name}"], runs("records") / name, capsys)


def test_changes_are_not_written_over_their_owners(
    runs: Results, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    owners = tmp_path / "owners.tsv"
    owners.write_text("http://fjordnotes.org/\twriter@a.example\n")
    old = str(runs("records"))
    refused(["records", "changes", old, old, "--owners", str(owners), "-o", str(owners)], owners, capsys)


@pytest.mark.parametrize("other", ["records", "detect"])
def test_mails_do_not_go_among_other_results(
    runs: Results, other: str, capsys: pytest.CaptureFixture[str]
) -> None:
    old, out = str(runs("records")), str(runs(other))
    refused(["records", "changes", old, old, "--format", "mail", "-o", out], runs(other) / "run.json", capsys)


def test_agreement_is_not_written_over_an_annotation(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pages = tmp_path / "a.jsonl"
    assert main(["convert", SITE, "--to", "jsonl", "-o", str(pages), "-q"]) == 0
    refused(["agree", str(pages), SITE, "-o", str(pages)], pages, capsys)


@pytest.mark.parametrize("name", ["index.json", "part-000001/digest"])
def test_passages_are_not_written_over_the_index(
    runs: Results, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    index = runs("index")
    refused(["index", "match", str(index), SITE, *QUICK, "-o", str(index / name)], index / name, capsys)


def test_content_is_not_written_over_the_run_that_names_groups(
    runs: Results, capsys: pytest.CaptureFixture[str]
) -> None:
    run = runs("detect")
    arguments = ["extract", SITE, "--filter", "unique", "--groups", str(run), "--jobs", "1", "-q"]
    refused([*arguments, "-o", str(run / "pairs.parquet")], run / "pairs.parquet", capsys)


@pytest.mark.parametrize(("command", "other"), [("detect", "records"), ("records", "detect")])
def test_runs_are_not_written_over_those_of_another_command(
    runs: Results, command: str, other: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Both write a table of pages."""
    there = runs(other)
    refused([command, SITE, *QUICK, "-o", str(there)], there / "pages.parquet", capsys)


@pytest.mark.parametrize("command", [("evaluate",), ("crossval", "--features", "nakamura")])
def test_tables_of_figures_are_not_written_over_pages(
    tmp_path: Path, command: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    pages = tmp_path / "pages.parquet"
    assert main(["convert", SITE, "--to", "parquet", "-o", str(pages), "-q"]) == 0
    name, *options = command
    refused([name, str(pages), *options, "--tables", str(tmp_path), "--jobs", "1", "-q"], pages, capsys)


@pytest.mark.parametrize("command", FOLDERS)
def test_links_in_circles_are_no_outputs(
    tmp_path: Path, command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    link = tmp_path / "link"
    link.symlink_to("link")
    assert main([command, SITE, *FOLDERS[command], "-o", str(link)]) == 2
    assert "a mistake in ruiji" not in capsys.readouterr().err
    assert link.is_symlink()
