"""``ruiji index``: what it writes, exit statuses, the same bytes for any number of jobs."""

from __future__ import annotations

import json
import unicodedata
from pathlib import Path

import pytest

from ruiji.__main__ import main
from ruiji.corpora import MINIWEB, load_truth
from tests.detector.copies.test_index import files_in
from tests.detector.copies.test_passages import ARTICLE, OTHER, sentences

FIELDS = ["url", "source_url", "start", "end", "source_start", "source_end", "segments", "score", "text"]


def page_file(folder: Path, name: str, text: str) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / name
    path.write_text(
        f"<title>題</title><h1>見出し</h1><p>{text.replace(chr(10), '<br>')}</p>", encoding="utf-8"
    )
    return path


@pytest.fixture
def sources(tmp_path: Path) -> Path:
    page_file(tmp_path / "sources", "a.html", ARTICLE)
    page_file(tmp_path / "sources", "b.html", OTHER)
    return tmp_path / "sources"


def lines(path: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in path.read_bytes().splitlines()]


def extracted(*arguments: str, capfd: pytest.CaptureFixture[str]) -> dict[str, str]:
    capfd.readouterr()
    assert main(["extract", *arguments, "--format", "jsonl", "--jobs", "1"]) == 0
    return {row["url"]: row["text"] for row in map(json.loads, capfd.readouterr().out.splitlines())}


def test_build_add_and_match(tmp_path: Path, sources: Path, capfd: pytest.CaptureFixture[str]) -> None:
    index, found = str(tmp_path / "idx"), tmp_path / "found.jsonl"
    assert main(["index", "build", str(sources / "a.html"), "-o", index, "--jobs", "1"]) == 0
    assert main(["index", "add", index, str(sources / "b.html"), "--jobs", "1"]) == 0
    page_file(
        tmp_path / "blog",
        "copy.html",
        "きのう読んだ話。" + "".join(sentences(OTHER)[:2]) + "だそうです。" + sentences(ARTICLE)[3],
    )
    assert main(["index", "match", index, str(tmp_path / "blog"), "-o", str(found), "--jobs", "1"]) == 0
    rows = lines(found)
    assert [list(row) for row in rows] == [FIELDS, FIELDS]
    names = [(row["url"], Path(str(row["source_url"])).name, row["segments"]) for row in rows]
    assert names == [("copy.html", "b.html", 2), ("copy.html", "a.html", 1)]
    ours, theirs = extracted(str(tmp_path / "blog"), capfd=capfd), extracted(str(sources), capfd=capfd)
    for row in rows:
        assert ours["copy.html"][row["start"] : row["end"]] == row["text"]  # type: ignore[misc]
        assert (
            theirs[Path(str(row["source_url"])).name][row["source_start"] : row["source_end"]] == row["text"]
        )  # type: ignore[misc]
    assert main(["index", "match", index, str(tmp_path / "blog"), "--rule", "plain"]) == 0
    assert capfd.readouterr().out == ""


def test_a_known_address_is_replaced_described_and_removed(
    tmp_path: Path, sources: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    index = str(tmp_path / "idx")
    assert main(["index", "build", str(sources), "-o", index, "--jobs", "1", "--filter", "none"]) == 0
    page_file(tmp_path / "newer", "b.html", sentences(ARTICLE)[3] + "あとは何も残っていない。")
    add = ["index", "add", index, str(tmp_path / "newer"), "--jobs", "1", "--filter", "none"]
    assert main(add) == 0
    assert "1 pages took the place" in capfd.readouterr().err
    assert main(["index", "info", index]) == 0
    described = dict(line.rsplit(maxsplit=1) for line in capfd.readouterr().out.splitlines())
    assert (described["documents"], described["filter"]) == ("2", "none")
    assert main(["index", "remove", index, "b.html", "http://nowhere.example/"]) == 1
    assert "http://nowhere.example/: the index has no such address" in capfd.readouterr().err
    assert main(["index", "info", index]) == 0
    assert "documents        1\n" in capfd.readouterr().out
    assert main(add) == 0  # what was removed can be added again
    assert main(["index", "info", index]) == 0
    assert "documents        2\n" in capfd.readouterr().out
    assert main(["index", "info", str(tmp_path)]) == main(["index", "remove", str(tmp_path), "x"]) == 2


def test_the_mini_web_has_every_passage_of_its_truth_and_any_number_of_jobs_the_same_bytes(
    tmp_path: Path,
) -> None:
    for jobs in ("1", "2"):
        arguments = ["--filter", "blocks", "--jobs", jobs, "-q"]
        assert main(["index", "build", str(MINIWEB), "-o", str(tmp_path / f"idx{jobs}"), *arguments]) == 0
        found = tmp_path / f"{jobs}.jsonl"
        assert (
            main(["index", "match", str(tmp_path / f"idx{jobs}"), str(MINIWEB), "-o", str(found), *arguments])
            == 0
        )
    assert files_in(tmp_path / "idx1") == files_in(tmp_path / "idx2")
    assert (tmp_path / "1.jsonl").read_bytes() == (tmp_path / "2.jsonl").read_bytes()
    urls = dict(
        line.split("\t")[:2] for line in (MINIWEB / "urls.tsv").read_text(encoding="utf-8").splitlines()[1:]
    )
    texts: dict[tuple[object, object], str] = {}
    for row in lines(tmp_path / "1.jsonl"):
        assert row["url"] != row["source_url"]
        texts[row["url"], row["source_url"]] = (
            texts.get((row["url"], row["source_url"]), "") + letters(str(row["text"])) + "\n"
        )
    truth = load_truth()
    missed = [
        one
        for one in truth["passages"]
        if letters(one["text"]) not in texts.get((urls[one["page"]], urls[one["source"]]), "")
    ]
    assert missed == []
    pairs = {frozenset((urls[pair["a"]], urls[pair["b"]])) for pair in truth["pairs"]}
    pairs |= {frozenset((urls[one["page"]], urls[one["source"]])) for one in truth["passages"]}
    wrong = [pair for pair in texts if frozenset(pair) not in pairs and _host(pair[0]) != _host(pair[1])]
    assert wrong == []


def letters(text: str) -> str:
    return "".join(char for char in unicodedata.normalize("NFKC", text) if char.isalnum())


def _host(url: object) -> str:
    return str(url).split("/")[2]


def test_pages_that_fail_are_named_and_the_status_is_1(
    tmp_path: Path, sources: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (sources / "broken.html").write_bytes(b"")
    index = str(tmp_path / "idx")
    assert main(["index", "build", str(sources), "-o", index, "--jobs", "1"]) == 1
    assert "broken.html: the page is empty" in capfd.readouterr().err
    assert main(["index", "match", index, str(sources), "--jobs", "1"]) == 1
    out, err = capfd.readouterr()
    assert "broken.html: the page is empty" in err
    assert out == ""


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["index"], "required"),
        (["index", "match", "nowhere", "page.html"], "there is no index; build one there first"),
        (["index", "add", "nowhere", "page.html"], "there is no index"),
        (["index", "match", ".", "page.html"], "holds no index"),
        (["index", "build", "no-such.html", "-o", "idx"], "there is no such file or folder"),
        (["index", "build", "page.html", "-o", "."], "holds other files"),
        (["index", "match", "idx", "page.html", "--rule", "heavy"], "invalid choice"),
    ],
)
def test_what_cannot_be_done_is_said_in_one_sentence(
    arguments: list[str],
    message: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    page_file(tmp_path, "page.html", ARTICLE)
    monkeypatch.chdir(tmp_path)
    try:
        status = main(arguments)
    except SystemExit as end:
        status = int(end.code or 0)
    assert status == 2
    err = capfd.readouterr().err
    assert message in err
    assert err.count("\n") == 1
    assert not (tmp_path / "idx").exists()


def test_a_damaged_index_is_refused_when_asked_to_verify(
    tmp_path: Path, sources: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    index = tmp_path / "idx"
    assert main(["index", "build", str(sources), "-o", str(index), "--jobs", "1"]) == 0
    path = next(index.glob("part-*/order"))
    path.write_bytes(b"\x01" + path.read_bytes()[1:])
    assert main(["index", "match", str(index), str(sources), "--verify"]) == 2
    assert "order: damaged" in capfd.readouterr().err


def test_pages_of_standard_input_and_jsonl(tmp_path: Path, sources: Path) -> None:
    rows = [
        {"url": f"http://host{number}.example/", "html": f"<p>{text}</p>"}
        for number, text in enumerate([ARTICLE, OTHER])
    ]
    table = tmp_path / "pages.jsonl"
    table.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")
    index, found = str(tmp_path / "idx"), tmp_path / "found.jsonl"
    assert main(["index", "build", str(table), "-o", index, "--jobs", "1"]) == 0
    assert main(["index", "match", index, str(sources), "-o", str(found), "--jobs", "1"]) == 0
    assert [(row["url"], row["source_url"]) for row in lines(found)] == [
        ("a.html", "http://host0.example/"),
        ("b.html", "http://host1.example/"),
    ]


def test_adding_with_other_masks_is_said(
    tmp_path: Path, sources: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    index = str(tmp_path / "idx")
    build = ["index", "build", str(sources / "a.html"), "-o", index, "--jobs", "1", "--alone"]
    add = ["index", "add", index, str(sources / "b.html"), "--jobs", "1"]
    assert main(build) == main([*add, "--alone"]) == 0
    assert "other masks" not in capfd.readouterr().err
    assert main(add) == 0
    assert capfd.readouterr().err.count("the pages added now have other masks") == 1
    assert main(add) == 0  # they are in it already: nothing is added
    assert "other masks" not in capfd.readouterr().err
