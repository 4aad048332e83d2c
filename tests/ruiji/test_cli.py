"""The command line: outputs, exit statuses, interruption, the same bytes for any number of jobs."""

from __future__ import annotations

import io
import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from ruiji.__main__ import main
from ruiji.corpora import MINIWEB
from ruiji.corpora.files import partial_path
from tests.factories import PROSE
from tests.paths import ROOT

FIELDS = (
    "id url title author published modified language encoding text markdown comments content_nodes nodes "
    "expected_f1 dropped error encoding_evidence site canonical image license sources"
).split()
PAGE = (
    "<title>題</title><p>本文の<b>文</b>です。</p><script>x</script><!-- (((BEGIN NOT CONTENT "
    "--><p>広告</p><!-- )))END NOT CONTENT -->"
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    pages = tmp_path / "pages"
    pages.mkdir()
    (pages / "a.html").write_bytes(PAGE.encode("cp932"))
    (pages / "b.html").write_bytes(b"")
    (pages / "c.html").write_bytes(b"%PDF-1.7")
    (pages / "d.htm").write_text("<p>four", encoding="utf-8")
    return pages


def records(text: bytes) -> list[dict[str, object]]:
    return [json.loads(line) for line in text.splitlines()]


def test_extract_prints_the_text_of_a_page(folder: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    assert main(["extract", str(folder / "a.html"), "--filter", "none"]) == 0
    out, err = capfdbinary.readouterr()
    assert out.decode() == "本文の文です。\n広告\n"
    assert err == b""


def test_without_a_filter_named_the_shipped_model_decides(
    tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    page = tmp_path / "a.html"
    page.write_text(
        f"<div><a href=1>ホーム</a> <a href=2>サイトマップとお問い合わせ</a></div><h1>港</h1><p>{PROSE}</p>",
        encoding="utf-8",
    )
    assert main(["extract", str(page)]) == 0
    by_default = capfdbinary.readouterr().out
    assert PROSE in by_default.decode()
    assert "サイトマップ" not in by_default.decode()
    assert main(["extract", str(page), "--filter", "crf", "--model", "default"]) == 0
    assert capfdbinary.readouterr().out == by_default


def test_a_page_that_fails_is_one_row_with_its_error_and_status_1(
    folder: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    assert main(["extract", str(folder), "--format", "jsonl", "--jobs", "2"]) == 1
    out, err = capfdbinary.readouterr()
    rows = records(out)
    assert [row["id"] for row in rows] == ["a.html", "b.html", "c.html", "d.htm"]
    assert all(list(row) == FIELDS for row in rows)
    assert [row["error"] for row in rows] == [
        None,
        "the page is empty (0 bytes)",
        "not HTML: the bytes are a PDF document",
        None,
    ]
    assert rows[0]["encoding"] == "Shift_JIS"
    assert rows[0]["title"] == "題"
    assert rows[0]["dropped"] == {"script": 1}
    assert b"b.html: the page is empty" in err


def test_nodes_are_listed_with_text_content_score_and_path(
    folder: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    assert main(["extract", str(folder / "a.html"), "--filter", "none", "--format", "jsonl", "--nodes"]) == 0
    (row,) = records(capfdbinary.readouterr().out)
    assert row["labels"] == [
        {"text": "本文の", "content": True, "score": 1.0, "path": "/html/body/p[1]"},
        {"text": "文", "content": True, "score": 1.0, "path": "/html/body/p[1]/b"},
        {"text": "です。", "content": True, "score": 1.0, "path": "/html/body/p[1]"},
        {"text": "広告", "content": True, "score": 1.0, "path": "/html/body/p[2]"},
    ]
    assert row["nodes"] == row["content_nodes"] == 4


def test_html_is_the_page_without_markers_where_all_is_content(folder: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    out.mkdir()
    pages = [str(folder / "a.html"), str(folder / "d.htm")]
    assert main(["extract", *pages, "--filter", "none", "--format", "html", "-o", str(out)]) == 0
    expected = re.sub("<!--.*?-->", "", PAGE).encode("cp932")
    assert [path.read_bytes() for path in sorted(out.rglob("*.htm*"))] == [expected, b"<p>four"]


def test_one_job_and_two_give_the_same_bytes(tmp_path: Path) -> None:
    outputs = []
    for jobs in ("1", "2"):
        destination = tmp_path / f"{jobs}.jsonl"
        assert main(["extract", str(MINIWEB), "--nodes", "--jobs", jobs, "-q", "-o", str(destination)]) == 0
        outputs.append(destination.read_bytes())
    assert outputs[0] == outputs[1]
    assert len(records(outputs[0])) > 100


def test_a_page_on_standard_input(
    monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO("<p>から</p>".encode("euc_jp"))))
    assert main(["extract", "-", "--filter", "none"]) == 0
    assert capfdbinary.readouterr().out.decode() == "から\n"


def test_a_page_of_which_nothing_is_content_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page = tmp_path / "blank.html"
    page.write_text("<p> </p>")
    assert main(["extract", str(page), "--format", "markdown"]) == 0
    assert capsys.readouterr().err == f"no content found in {page}\n"
    assert main(["extract", str(page), "--format", "markdown", "-q"]) == 0
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["extract", "no-such.html"], "there is no such file or folder"),
        (["extract", "."], "holds no"),
        (["extract", "page.html", "--filter", "nonsense"], "invalid choice"),
        (["extract", "page.html", "--jobs", "0"], "must be 1 or more"),
        (["extract", "page.html", "--nodes"], "--nodes goes with --format jsonl"),
        (["extract", "page.doc"], "unknown kind of file"),
        (["convert", "page.html", "--to", "jsonl", "-o", "page.html/x.jsonl"], "page.html"),
        (["extract", "page.html", "-o", "page.html/x.jsonl"], "cannot be written"),
    ],
)
def test_what_cannot_be_done_is_one_clear_sentence_and_status_2(
    arguments: list[str],
    message: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    (tmp_path / "empty").mkdir()
    monkeypatch.chdir(tmp_path / "empty" if arguments[1] == "." else tmp_path)
    for name in ("page.html", "page.doc"):
        (tmp_path / name).write_text("<p>x")
    try:
        status = main(arguments)
    except SystemExit as stop:
        status = stop.code  # type: ignore[assignment]
    out, err = capsys.readouterr()
    assert status == 2
    assert out == ""
    assert message in err
    assert len(err.strip().splitlines()) == 1
    assert "Traceback" not in err


@pytest.mark.parametrize("command", [[], ["extract"], ["convert"], ["demo"]])
def test_help_teaches_by_example(command: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stop:
        main([*command, "--help"])
    assert stop.value.code == 0
    assert re.search(r"examples?:\n  ruiji ", capsys.readouterr().out)


def test_a_killed_run_leaves_no_half_file_and_is_taken_up_where_it_stopped(tmp_path: Path) -> None:
    source = tmp_path / "many.jsonl"
    page = {"html": "<p>文です。</p>" * 3000}
    source.write_text(
        "".join(json.dumps({"url": f"http://a.example/{n}", **page}) + "\n" for n in range(400))
    )
    destination = tmp_path / "out.jsonl"
    command = [
        sys.executable,
        "-m",
        "ruiji",
        "extract",
        str(source),
        "--filter",
        "none",
        "-o",
        str(destination),
        "--jobs",
        "1",
    ]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, cwd=ROOT)
    deadline = time.monotonic() + 60
    while not (partial_path(destination).is_file() and partial_path(destination).stat().st_size > 100_000):
        assert process.poll() is None
        assert time.monotonic() < deadline
        time.sleep(0.01)
    os.kill(process.pid, signal.SIGKILL)
    process.communicate()
    assert not destination.exists()

    again = subprocess.run(command, capture_output=True, check=True, cwd=ROOT)
    assert b"going on after" in again.stderr
    assert [row["url"] for row in records(destination.read_bytes())] == [
        f"http://a.example/{n}" for n in range(400)
    ]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["many.jsonl", "out.jsonl"]


def test_a_partial_run_with_other_settings_is_not_taken_up(folder: Path, tmp_path: Path) -> None:
    destination = tmp_path / "out.jsonl"
    partial_path(destination).write_text('{"error": null}\n')
    partial_path(destination).with_suffix(".run").write_text("another run")
    assert main(["extract", str(folder), "-q", "-o", str(destination)]) == 1
    assert len(records(destination.read_bytes())) == 4


@pytest.mark.parametrize(
    ("target", "name"), [("jsonl", "p.jsonl"), ("jsonl", "p.jsonl.gz"), ("parquet", "p.parquet")]
)
def test_converted_pages_have_the_same_text(target: str, name: str, folder: Path, tmp_path: Path) -> None:
    direct, converted, again = tmp_path / "direct.jsonl", tmp_path / name, tmp_path / "again.jsonl"
    pages = [str(folder / "a.html"), str(folder / "d.htm"), str(MINIWEB / "www.ocean.miozaki-u.ac.jp")]
    assert main(["convert", *pages, "--to", target, "-q", "-o", str(converted)]) == 0
    for sources, out in ((pages, direct), ([str(converted)], again)):
        assert main(["extract", *sources, "--filter", "none", "-o", str(out)]) == 0
    keep = ("id", "url", "title", "encoding", "text", "nodes", "dropped")
    assert [[row[key] for key in keep] for row in records(again.read_bytes())] == [
        [row[key] for key in keep] for row in records(direct.read_bytes())
    ]


@pytest.mark.parametrize("name", ["all.xml", "folder"])
def test_standard_format_keeps_url_title_encoding_and_every_sentence(
    name: str, folder: Path, tmp_path: Path
) -> None:
    destination = tmp_path / name
    assert (
        main(
            [
                "convert",
                str(folder / "a.html"),
                str(folder / "d.htm"),
                "--to",
                "standard-format",
                "-o",
                str(destination),
            ]
        )
        == 0
    )
    files = [destination] if destination.is_file() else sorted(destination.iterdir())
    again = tmp_path / "again.jsonl"
    assert main(["extract", *map(str, files), "--filter", "none", "-o", str(again)]) == 0
    rows = records(again.read_bytes())
    assert [row["text"] for row in rows] == ["本文の文です。\n広告", "four"]
    assert (rows[0]["url"], rows[0]["title"], rows[0]["encoding"]) == (
        str(folder / "a.html"),
        "題",
        "Shift_JIS",
    )


def test_conversion_names_pages_that_are_no_pages(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["convert", str(folder), "--to", "jsonl", "-o", str(tmp_path / "p.jsonl")]) == 1
    assert "c.html: not HTML: the bytes are a PDF document" in capsys.readouterr().err


def test_demo_shows_every_site_and_writes_every_node(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["demo", "-o", str(tmp_path / "out"), "--jobs", "2"]) == 0
    out = capsys.readouterr().out
    article, rest = out.split("\n\nsite ", 1)
    assert article.startswith("One page before and after extraction: www.shioji-shimpo.co.jp/")
    assert "スポーツ" in article
    assert "  ## レールの跡を遊歩道に" in article
    assert "| 2027年4月 | 全面開業 |" in article
    for site in ("www.shioji-shimpo.co.jp", "www2.nagisanet.ne.jp", "fjordnotes.org"):
        assert site in rest
    assert all(row["labels"] for row in records((tmp_path / "out" / "extract.jsonl").read_bytes()))


def test_a_page_without_text_keeps_what_is_known_of_it(
    tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    (tmp_path / "a.html").write_text("<meta charset=utf-8><title>T</title><script>abc</script>")
    assert main(["extract", str(tmp_path / "a.html"), "--format", "jsonl", "--nodes"]) == 0
    (row,) = records(capfdbinary.readouterr().out)
    assert (row["title"], row["encoding"], row["dropped"], row["nodes"], row["labels"]) == (
        "T",
        "UTF-8",
        {"script": 3},
        0,
        [],
    )


def test_output_goes_into_a_pipe_and_through_a_link_as_it_is(folder: Path, tmp_path: Path) -> None:
    target, link = tmp_path / "target.jsonl", tmp_path / "link.jsonl"
    target.write_text("old")
    link.symlink_to(target)
    assert main(["extract", str(folder / "a.html"), "-o", str(link)]) == 0
    assert link.is_symlink()
    assert len(records(target.read_bytes())) == 1
    assert main(["extract", str(folder / "a.html"), "--format", "jsonl", "-o", "/dev/null"]) == 0
    assert not Path("/dev/null").is_file()


def test_pages_of_like_names_get_files_of_their_own(tmp_path: Path) -> None:
    urls = [
        "http://h/a",
        "https://h/a",
        "http://h/a.html",
        "http://h/a?x",
        "http://h/../../b",
        "http://h/" + "x" * 300,
    ]
    source = tmp_path / "p.jsonl"
    source.write_text("".join(json.dumps({"url": url, "html": f"<p>{url}"}) + "\n" for url in urls))
    out = tmp_path / "out"
    assert main(["extract", str(source), "--filter", "none", "--format", "html", "-o", f"{out}/"]) == 0
    assert sorted(path.read_text() for path in out.rglob("*.html")) == sorted(f"<p>{url}" for url in urls)


def test_a_changed_page_in_a_folder_starts_an_interrupted_run_anew(folder: Path) -> None:
    from ruiji.corpora.sources import NamedPages

    (folder / "sub").mkdir()
    page = folder / "sub" / "e.html"
    page.write_text("<p>one")
    before = NamedPages((str(folder),)).signature({})
    page.write_text("<p>another")
    assert NamedPages((str(folder),)).signature({}) != before


def test_a_folder_that_cannot_be_read_costs_one_row(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from ruiji.corpora import read_pages

    (folder / "closed").mkdir()
    real = Path.iterdir

    def iterdir(path: Path) -> object:
        if path.name == "closed":
            raise PermissionError(13, "Permission denied", str(path))
        return real(path)

    monkeypatch.setattr(Path, "iterdir", iterdir)
    pages = {page.id: page.error for page in read_pages([folder])}
    assert pages["closed"] == "the folder cannot be read: Permission denied"
    assert len(pages) == 5


def test_a_command_imports_no_other_command() -> None:
    code = (
        "import sys; from ruiji.cli import parser; parser(['extract', 'x']); "
        "print(sorted(name for name in sys.modules if name.startswith('ruiji.commands.')))"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "['ruiji.commands.extract']"


def test_every_command_has_one_module_of_one_form() -> None:
    from ruiji import cli

    for name in (*cli.COMMANDS, *cli.ACTIONS.values()):
        command = cli.command_module(name)
        assert command.DESCRIPTION
        assert "ruiji" in command.EPILOG
        assert callable(command.add_options)
        assert callable(command.settings_from)
        assert callable(command.run)


def test_a_setting_is_worded_as_an_option() -> None:
    from ruiji.cli import option_name

    assert option_name("min_length", "20") == "--min-length 20"
    assert option_name("out") == "-o"
