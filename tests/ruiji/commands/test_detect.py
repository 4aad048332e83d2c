"""``ruiji detect``: what it writes, broken pages, interruption, any number of jobs, growing collections."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from ruiji.__main__ import main
from ruiji.corpora import MINIWEB, read_pages, write_parquet
from ruiji.corpora.files import locked
from ruiji.detector.pairs.run import Run

PARQUET = ("pages", "sentences", "links", "pairs", "groups", "evidence", "lineage")
COLUMNS = {
    "pages": "id url site title encoding nodes content_nodes long_chars dropped error",
    "sentences": "url position key text length content",
    "pairs": "url_a url_b shared_sentences shared_chars bits overlap containment url_similarity link "
    "relation category patchwork source",
    "groups": "group url keep lost_chars",
    "evidence": "url_a url_b start_a end_a start_b end_b chars bits",
    "lineage": "group url from_url kind",
}
SITES = ("wiki.umisachi.org", "mirror.kaisou-archive.net", "bbs.tsurinakama.net")
LONG = "この文は港の朝の様子を細かく書いた二十文字より長い文である{}。"


def table(out: Path, name: str) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = pq.read_table(out / f"{name}.parquet").to_pylist()
    return rows


def pair_set(out: Path) -> set[tuple[str, str]]:
    return {(row["url_a"], row["url_b"]) for row in table(out, "pairs")}


def write_pages(path: Path, pages: Mapping[str, str | None]) -> str:
    path.write_text(
        "".join(json.dumps({"url": url, "html": html}) + "\n" for url, html in pages.items()),
        encoding="utf-8",
    )
    return str(path)


def paragraphs(*texts: object) -> str:
    return "".join(f"<p>{LONG.format(text)}</p>" for text in texts)


@pytest.fixture(scope="module")
def sites(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Three sites of the mini-web, two of which share pages."""
    destination = tmp_path_factory.mktemp("pages") / "sites.parquet"
    write_parquet((page for page in read_pages([MINIWEB]) if page.id.partition("/")[0] in SITES), destination)
    return str(destination)


def test_a_run_leaves_its_files_with_the_columns_that_were_promised(
    sites: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    assert main(["detect", sites, "-o", str(out), "--jobs", "2"]) == 0
    assert sorted(path.name for path in out.iterdir()) == sorted(
        [*(f"{name}.parquet" for name in PARQUET), "report.html", "run.json"]
    )
    for name, columns in COLUMNS.items():
        assert pq.read_schema(out / f"{name}.parquet").names[: len(columns.split())] == columns.split()
    run = json.loads((out / "run.json").read_text())
    assert run["settings"]["min_length"] == 20
    assert run["settings"]["max_pages"] == 10
    assert run["counts"]["pages"] == len(table(out, "pages"))
    assert run["counts"]["pairs"] == len(table(out, "pairs")) > 5
    assert run["counts"]["categories"]["mirror"] == 5
    printed = capsys.readouterr().out
    assert re.search(r"\b5  mirror", printed)
    assert "http://wiki.umisachi.org/um-page/um-amamo.html" in printed


def test_sentences_are_enough_to_show_a_page(tmp_path: Path) -> None:
    html = "<p>一つ目の<b>文</b>です。二つ目。</p><p>次の段落。</p>"
    out = tmp_path / "out"
    assert (
        main(
            [
                "detect",
                write_pages(tmp_path / "p.jsonl", {"http://a.example/": html}),
                "-o",
                str(out),
                "--filter",
                "none",
                "-q",
            ]
        )
        == 0
    )
    rows = Run(out).page_sentences("http://a.example/").to_pylist()
    assert [
        (row["position"], row["paragraph"], row["text"], row["first_node"], row["last_node"]) for row in rows
    ] == [
        (0, 0, "一つ目の文です。", 0, 2),
        (1, 0, "二つ目。", 2, 2),
        (2, 1, "次の段落。", 3, 3),
    ]
    assert all(row["content"] for row in rows)
    assert table(out, "pairs") == table(out, "groups") == []


def test_one_job_and_two_give_the_same_bytes(sites: str, tmp_path: Path) -> None:
    outs = [tmp_path / jobs for jobs in ("1", "2")]
    for out in outs:
        assert main(["detect", sites, "-o", str(out), "--jobs", out.name, "-q"]) == 0
    for name in (*(f"{name}.parquet" for name in PARQUET), "report.html"):
        assert (outs[0] / name).read_bytes() == (outs[1] / name).read_bytes(), name


def test_broken_pages_cost_a_row_each(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pages = {
        "http://a.example/": paragraphs(1, 2),
        "http://b.example/": None,
        "http://c.example/": "",
        "http://d.example/": paragraphs(1),
    }
    out = tmp_path / "out"
    assert main(["detect", write_pages(tmp_path / "p.jsonl", pages), "-o", str(out), "--filter", "none"]) == 1
    assert [row["error"] for row in table(out, "pages")] == [
        None, "the row has no html (text or bytes) and no text", "the page is empty (0 bytes)", None,
    ]  # fmt: skip
    assert pair_set(out) == {("http://a.example/", "http://d.example/")}
    printed = capsys.readouterr()
    assert "http://b.example/: the row has no html" in printed.out
    assert "2 pages failed" in printed.out


def test_a_url_that_comes_twice_is_compared_once_and_said(tmp_path: Path) -> None:
    source = tmp_path / "p.jsonl"
    rows = [
        ("http://a.example/", paragraphs(1, 2)),
        ("http://a.example/", paragraphs(1, 3)),
        ("http://b.example/", paragraphs(3, 2)),
    ]
    source.write_text("".join(json.dumps({"url": url, "html": html}) + "\n" for url, html in rows))
    out = tmp_path / "out"
    assert main(["detect", str(source), "-o", str(out), "--filter", "none", "-q"]) == 1
    assert [bool(row["error"]) for row in table(out, "pages")] == [False, True, False]
    (pair,) = table(out, "pairs")
    assert (pair["url_a"], pair["url_b"], pair["shared_sentences"]) == (
        "http://a.example/",
        "http://b.example/",
        1,
    )
    assert [row["position"] for row in table(out, "sentences")] == [0, 1, 0, 1]


def test_a_killed_run_is_taken_up_and_loses_nothing(tmp_path: Path) -> None:
    pages = {
        f"http://a{n}.example/": paragraphs(*(f"{n // 2}番{m}" for m in range(30)), n) for n in range(900)
    }
    source = write_pages(tmp_path / "many.jsonl", pages)
    whole, out = tmp_path / "whole", tmp_path / "out"
    assert main(["detect", source, "-o", str(whole), "--filter", "none", "-q"]) == 0
    command = [
        sys.executable,
        "-m",
        "ruiji",
        "detect",
        source,
        "-o",
        str(out),
        "--filter",
        "none",
        "--jobs",
        "1",
    ]
    process = subprocess.Popen(
        command, start_new_session=True, stderr=subprocess.PIPE, stdout=subprocess.PIPE
    )
    deadline = time.monotonic() + 60
    while not list(out.glob(".work/parts/*.pages.parquet")) and time.monotonic() < deadline:
        time.sleep(0.005)
    os.killpg(process.pid, signal.SIGKILL)
    process.communicate()
    assert not (out / "run.json").exists()

    again = subprocess.run(command, capture_output=True, check=True)
    assert re.search(rb"going on after (?:256|512|768) pages", again.stderr)
    for name in PARQUET:
        assert (out / f"{name}.parquet").read_bytes() == (whole / f"{name}.parquet").read_bytes(), name
    assert len(table(out, "pairs")) == 450
    assert not (out / ".work").exists()


def test_no_pages_give_empty_tables(tmp_path: Path) -> None:
    out = tmp_path / "out"
    assert main(["detect", write_pages(tmp_path / "p.jsonl", {}), "-o", str(out)]) == 0
    assert [table(out, name) for name in PARQUET] == [[]] * len(PARQUET)


def test_two_runs_do_not_write_into_one_folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = write_pages(tmp_path / "p.jsonl", {"http://a.example/": paragraphs(1)})
    (tmp_path / "out" / ".work").mkdir(parents=True)
    with locked(tmp_path / "out" / ".work" / "lock"):
        assert main(["detect", source, "-o", str(tmp_path / "out")]) == 2
    assert "another run is writing into that folder" in capsys.readouterr().err
    assert main(["detect", source, "-o", str(tmp_path / "out"), "-q"]) == 0


def test_what_another_run_left_is_not_taken_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = write_pages(
        tmp_path / "p.jsonl", {f"http://{name}.example/": paragraphs(1, name) for name in "abc"}
    )
    out = tmp_path / "out"
    command = ["detect", source, "-o", str(out), "--filter", "none", "-q"]

    def stopped(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr("ruiji.detector.pairs.pipeline.find_pairs", stopped)
        assert main(command) == 130
    assert (out / ".work" / "parts" / "complete").is_file()
    write_pages(tmp_path / "p.jsonl", {f"http://{name}.example/": paragraphs(1, name) for name in "abd"})
    assert main(command) == 0
    assert {row["url_b"] for row in table(out, "pairs")} == {"http://b.example/", "http://d.example/"}


def test_an_interrupted_join_does_not_read_the_pages_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = write_pages(
        tmp_path / "p.jsonl", {f"http://{name}.example/": paragraphs(1, name) for name in "abc"}
    )
    command = ["detect", source, "-o", str(tmp_path / "out"), "--filter", "none", "-q"]

    def stopped(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr("ruiji.detector.pairs.pipeline.find_pairs", stopped)
        assert main(command) == 130
    monkeypatch.setattr("ruiji.detector.detection.map_pages", stopped)
    assert main(command) == 0
    assert len(pair_set(tmp_path / "out")) == 3


def test_a_full_disk_leaves_what_was_finished(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    import errno

    from ruiji.detector.gather import part_tables as parts

    source = write_pages(
        tmp_path / "p.jsonl", {f"http://a{n}.example/": paragraphs(n // 2, f"自{n}") for n in range(300)}
    )
    out = tmp_path / "out"
    command = ["detect", source, "-o", str(out), "--filter", "none"]
    real, written = parts.write_table, []

    def full(table: Any, destination: Path) -> None:
        written.append(destination)
        if len(written) > 7:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(destination))
        real(table, destination)

    with monkeypatch.context() as patched:
        patched.setattr(parts, "write_table", full)
        assert main(command) == 2
    assert "No space left on device" in capsys.readouterr().err
    assert main(command) == 0
    assert "going on after 256 pages" in capsys.readouterr().err
    assert len(table(out, "pairs")) == 150


def test_new_pages_are_compared_with_an_earlier_run_as_if_all_were_new(tmp_path: Path) -> None:
    """Frequency is counted over both; pairs of two old pages are not told again; a page that was fetched anew
    replaces the old one.
    """
    old = {f"http://old{n}.com/": paragraphs("共通", f"旧{n}") for n in range(2)} | {
        "http://again.com/": paragraphs("旧版")
    }
    new = {f"http://new{n}.com/": paragraphs(("共通", "独自3")[n], f"新{n}") for n in range(2)} | {
        "http://again.com/": paragraphs("新0")
    }
    old["http://linking.com/"] = paragraphs("新1", "独自1", "独自2") + '<a href="http://new1.com/">出典</a>'
    outs = {name: tmp_path / name for name in ("first", "second", "third", "all")}
    for name, pages in (("first", old), ("second", new), ("all", old | new)):
        write_pages(tmp_path / f"{name}.jsonl", pages)
        against = ["--against", str(outs["first"])] if name == "second" else []
        assert (
            main(
                [
                    "detect",
                    str(tmp_path / f"{name}.jsonl"),
                    "-o",
                    str(outs[name]),
                    "--filter",
                    "none",
                    "-q",
                    *against,
                ]
            )
            == 0
        )
    everything = {(row["url_a"], row["url_b"]): row for row in table(outs["all"], "pairs")}
    found = {(row["url_a"], row["url_b"]): row for row in table(outs["second"], "pairs")}
    assert found == {pair: row for pair, row in everything.items() if set(pair) & new.keys()}
    assert everything["http://linking.com/", "http://new1.com/"]["category"] == "citation"
    assert pair_set(outs["first"]) == {pair for pair in everything if not set(pair) & new.keys()}

    write_pages(tmp_path / "third.jsonl", {"http://last.com/": paragraphs("旧0", "新0")})
    against = ["--against", str(outs["second"])]
    assert (
        main(
            [
                "detect",
                str(tmp_path / "third.jsonl"),
                "-o",
                str(outs["third"]),
                "--filter",
                "none",
                "-q",
                *against,
            ]
        )
        == 0
    )
    assert pair_set(outs["third"]) == {
        ("http://again.com/", "http://last.com/"), ("http://last.com/", "http://new0.com/"),
        ("http://last.com/", "http://old0.com/"),
    }  # fmt: skip
    assert len(Run(outs["third"]).page_sentences("http://old0.com/")) == 2


def test_sentences_with_other_particles_match_by_their_skeletons(tmp_path: Path) -> None:
    pages = {
        "http://a.com/": "<p>港町の漁師たちは毎朝早く市場へ新鮮な魚を運んでいる。</p><p>この段落はここにしか"
        "ない長い文なのです。</p>",
        "http://b.net/": "<p>港町の漁師たちが毎朝早く市場に新鮮な魚を運んでいます。</p><p>あちらにはない別の"
        "長い文を書いておきます。</p>",
    }
    sources = [write_pages(tmp_path / f"{url[7]}.jsonl", {url: html}) for url, html in pages.items()]
    common = ["--filter", "none", "-q"]
    assert main(["detect", *sources, "-o", str(tmp_path / "exact"), *common, "--match", "exact"]) == 0
    assert pair_set(tmp_path / "exact") == set()
    skeleton = [*common, "--match", "skeleton"]
    assert main(["detect", *sources, "-o", str(tmp_path / "both"), *skeleton]) == 0
    (pair,) = table(tmp_path / "both", "pairs")
    assert (pair["url_a"], pair["url_b"], pair["shared_sentences"], pair["shared_chars"]) == (
        "http://a.com/",
        "http://b.net/",
        1,
        26,
    )

    assert main(["detect", sources[0], "-o", str(tmp_path / "old"), *skeleton]) == 0
    assert (
        main(
            ["detect", sources[1], "-o", str(tmp_path / "new"), *skeleton, "--against", str(tmp_path / "old")]
        )
        == 0
    )
    assert table(tmp_path / "new", "pairs") == [pair]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--against", "nowhere"], "nowhere: not a finished run of ruiji detect: there is no run.json"),
        (["--memory", "much"], "must be a size such as 500MB or 2GB"),
        (["--min-length", "0"], "must be 1 or more"),
        (["--max-pages", "1"], "must be 2 or more"),
        (["--filter", "crf", "--model", "nowhere"], "nowhere"),
    ],
)
def test_what_cannot_be_done_is_said_in_a_sentence(
    arguments: list[str], message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page = tmp_path / "a.html"
    page.write_text(paragraphs(1))
    try:
        status = main(["detect", str(page), "-o", str(tmp_path / "out"), *arguments])
    except SystemExit as ended:
        status = int(ended.code or 0)
    assert status == 2
    said = capsys.readouterr().err
    assert message in said
    assert "Traceback" not in said


def test_an_earlier_run_with_another_length_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = write_pages(tmp_path / "p.jsonl", {"http://a.example/": paragraphs(1)})
    assert main(["detect", source, "-o", str(tmp_path / "old"), "-q"]) == 0
    assert (
        main(
            [
                "detect",
                source,
                "-o",
                str(tmp_path / "new"),
                "-q",
                "--against",
                str(tmp_path / "old"),
                "--min-length",
                "30",
            ]
        )
        == 2
    )
    assert "was made with --min-length 20; say the same" in capsys.readouterr().err
    assert (
        main(["detect", source, "-o", str(tmp_path / "old"), "-q", "--against", str(tmp_path / "old")]) == 2
    )
    assert "cannot be compared with itself" in capsys.readouterr().err


def test_what_pages_say_is_escaped_in_the_report(tmp_path: Path) -> None:
    pages = {f"http://{name}.example/<script>alert(1)</script>": paragraphs(1, name) for name in "ab"}
    out = tmp_path / "out"
    assert (
        main(["detect", write_pages(tmp_path / "p.jsonl", pages), "-o", str(out), "--filter", "none", "-q"])
        == 0
    )
    report = (out / "report.html").read_text()
    assert "<script>alert" not in report
    assert "&lt;script&gt;alert" in report
