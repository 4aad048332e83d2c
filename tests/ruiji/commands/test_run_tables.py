"""Tables of a run as CSV and JSONL, and pages of one language."""

from __future__ import annotations

import csv
import json
import re
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from ruiji.__main__ import main

JAPANESE = (
    "<p>漁師たちは毎朝早く市場へ新鮮な魚を運んでいる。</p><p>{}だけにある長い文も一つ書いておきます。</p>"
)
ENGLISH = (
    "<p>The fishermen of the port carry their fresh fish to the market early in the morning.</p><p>{}</p>"
)


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("pages") / "pages.jsonl"
    rows = [{"url": f"http://{name}.com/", "html": JAPANESE.format(name)} for name in ("a", "b")]
    rows += [{"url": f"http://{name}.org/", "html": ENGLISH.format(name)} for name in ("a", "b")]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def run(pages: Path) -> Path:
    out = pages.parent / "run"
    assert main(["detect", str(pages), "-o", str(out), "--filter", "none", "-q"]) == 0
    return out


def test_pairs_as_csv_and_jsonl_are_those_of_the_table_those_that_say_most_first(run: Path) -> None:
    for to in ("csv", "jsonl"):
        assert main(["convert", str(run), "--to", to, "-o", str(run.parent / f"pairs.{to}"), "-q"]) == 0
    rows = sorted(pq.read_table(run / "pairs.parquet").to_pylist(), key=lambda row: -row["bits"])
    lines = (run.parent / "pairs.jsonl").read_text(encoding="utf-8").splitlines()
    assert [json.loads(line) for line in lines] == rows
    assert len(rows) == 2
    with (run.parent / "pairs.csv").open(encoding="utf-8-sig", newline="") as stream:
        cells = list(csv.DictReader(stream))
    assert cells == [{name: str(cell) for name, cell in row.items()} for row in rows]


def test_maps_of_a_table_are_json_in_csv(run: Path) -> None:
    destination = run.parent / "pages.csv"
    assert main(["convert", str(run), "--to", "csv", "--table", "pages", "-o", str(destination), "-q"]) == 0
    with destination.open(encoding="utf-8-sig", newline="") as stream:
        assert [json.loads(row["dropped"]) for row in csv.DictReader(stream)] == [{}] * 4


def test_pages_have_no_form_as_csv(pages: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["convert", str(pages), "--to", "csv", "-o", str(tmp_path / "x.csv")]) == 2
    assert "not a finished run of ruiji detect" in capsys.readouterr().err


@pytest.mark.parametrize(("language", "end"), [("ja", ".com/"), ("en", ".org/")])
def test_only_pages_of_a_language_take_part(pages: Path, tmp_path: Path, language: str, end: str) -> None:
    chosen = ["--language", language, "-q"]
    assert main(["detect", str(pages), "-o", str(tmp_path / "run"), "--filter", "none", *chosen]) == 0
    (pair,) = pq.read_table(tmp_path / "run" / "pairs.parquet").to_pylist()
    assert (pair["url_a"], pair["url_b"]) == (f"http://a{end}", f"http://b{end}")
    rows = pq.read_table(tmp_path / "run" / "pages.parquet").to_pylist()
    assert [bool(row["dropped"]) for row in rows] == [not row["url"].endswith(end) for row in rows]
    kept = tmp_path / "kept.jsonl"
    assert main(["convert", str(pages), "--to", "jsonl", "-o", str(kept), *chosen]) == 0
    urls = [json.loads(line)["url"] for line in kept.read_text(encoding="utf-8").splitlines()]
    assert urls == [f"http://a{end}", f"http://b{end}"]
    assert main(["convert", str(pages), "--to", "standard-format", "-o", str(tmp_path / "x"), *chosen]) == 0
    assert len(list((tmp_path / "x").iterdir())) == 2


@pytest.mark.parametrize("language", ["xx", "tlh", "日本語"])
def test_a_language_that_none_is_told_by_is_refused(
    pages: Path, tmp_path: Path, language: str, capsys: pytest.CaptureFixture[str]
) -> None:
    for command in (["detect"], ["convert", "--to", "jsonl"]):
        out = tmp_path / "out"
        with pytest.raises(SystemExit) as stopped:
            main([*command, str(pages), "-o", str(out), "--language", language])
        assert stopped.value.code == 2
        (said,) = [line for line in capsys.readouterr().err.splitlines() if "is no language" in line]
        assert repr(language) in said
        assert {"de", "en", "ja", "zh"} < set(re.findall("[a-z]{2}", said.partition("there are ")[2]))
        assert not out.exists()


def test_a_threshold_of_the_tree_changes_what_a_pair_is_called(pages: Path, tmp_path: Path) -> None:
    relations = []
    for number, thresholds in enumerate(
        (["--identical", "0.95", "--contained", "0.95"], ["--identical", "0.1"])
    ):
        out = tmp_path / str(number)
        assert main(["detect", str(pages), "-o", str(out), "--filter", "none", "-q", *thresholds]) == 0
        relations.append({row["relation"] for row in pq.read_table(out / "pairs.parquet").to_pylist()})
    assert relations == [{"partial", "identical"}, {"identical"}], "the English ones share all long sentences"


def test_how_much_of_a_dropped_page_must_be_in_the_kept_one(tmp_path: Path) -> None:
    story = "<p>港のそばに住んでいると、海の様子で季節の移り変わりがわかるようになる。</p>"
    rows = [
        {"url": "http://a.example/", "html": story},
        {"url": "http://b.example/", "html": f"{story}<p>短い一行</p><p>別の短い行</p>"},
    ]
    pages = tmp_path / "pages.jsonl"
    pages.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    groups = []
    for kept in ("0.95", "0.7"):
        out = tmp_path / kept
        assert main(["detect", str(pages), "-o", str(out), "--filter", "none", "-q", "--kept", kept]) == 0
        groups.append(pq.read_table(out / "groups.parquet")["lost_chars"].to_pylist())
    assert groups == [[0, 0], [0, 9]], "the fuller page is kept, or the first"
