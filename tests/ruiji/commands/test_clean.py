"""``ruiji clean`` on the command line and at the front door, in the forms that other tools write and read."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import ruiji
from ruiji.__main__ import main
from ruiji.detector.cleaning import FILES
from tests.detector.clean.collections import OWN, STORY
from tests.detector.clean.receipts import check_receipt, rows

COLUMNS = "url title author published language text markdown expected_f1 cluster duplicates removed_chars"
RECEIPT = "url start end reason kept_url kept_start kept_end chars"
PASSAGE = "".join(STORY)
TEXTS = {"a": f"{OWN[0]}\n{PASSAGE}", "b": f"{OWN[1]}\n{PASSAGE}", "c": OWN[2]}


def lines(path: Path, records: list[dict[str, Any]]) -> Path:
    path.write_text("".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records), "utf-8")
    return path


def datatrove(path: Path) -> Path:
    """Documents as datatrove writes them."""
    return lines(
        path,
        [
            {"text": text, "id": name, "metadata": {"url": f"http://{name}.example/", "dump": "d1"}}
            for name, text in TEXTS.items()
        ],
    )


def clean(*arguments: object) -> int:
    return main(["clean", *map(str, arguments), "--jobs", "1", "--filter", "none"])


def test_the_files_have_the_columns_of_the_interface(tmp_path: Path, capsys: Any) -> None:
    assert clean(datatrove(tmp_path / "in.jsonl"), "-o", tmp_path / "out", "--keep", "first") == 0
    out = tmp_path / "out"
    assert pq.read_schema(out / "corpus.parquet").names[:11] == COLUMNS.split()
    assert pq.read_schema(out / "removed.parquet").names[:8] == RECEIPT.split()
    assert json.loads((out / "run.json").read_text("utf-8"))["counts"]["removed_chars"] == {
        "passage": len(PASSAGE) + 1
    }
    said = capsys.readouterr().out
    assert "3 pages, 3 in the corpus" in said
    assert "passage" in said
    assert PASSAGE in (out / "report.html").read_text("utf-8")


def test_documents_of_datatrove_keep_id_address_and_metadata(tmp_path: Path) -> None:
    clean(datatrove(tmp_path / "in.jsonl"), "-o", tmp_path / "out", "--keep", "first", "-q")
    corpus = {row["id"]: row for row in rows(tmp_path / "out", "corpus")}
    assert corpus["b"]["text"] == OWN[1]
    assert corpus["b"]["url"] == "http://b.example/"
    assert json.loads(corpus["b"]["metadata"]) == {"dump": "d1", "url": "http://b.example/"}
    check_receipt(tmp_path / "out", TEXTS)


def test_texts_that_nobody_named_are_known_by_their_place(tmp_path: Path) -> None:
    pq.write_table(pa.table({"text": list(TEXTS.values())}), tmp_path / "in.parquet")
    clean(tmp_path / "in.parquet", "-o", tmp_path / "out", "-q")
    assert [row["id"] for row in rows(tmp_path / "out", "corpus")] == [f"in.parquet:{n}" for n in (1, 2, 3)]


def test_a_corpus_can_be_cleaned_again_and_nothing_more_goes(tmp_path: Path) -> None:
    clean(datatrove(tmp_path / "in.jsonl"), "-o", tmp_path / "one", "-q")
    clean(tmp_path / "one/corpus.parquet", "-o", tmp_path / "two", "-q")
    first, second = (rows(tmp_path / name, "corpus") for name in ("one", "two"))
    assert [row["text"] for row in first] == [row["text"] for row in second]
    assert not rows(tmp_path / "two", "removed")


def test_what_extract_writes_is_cleaned_with_its_markdown(tmp_path: Path) -> None:
    page = "<title>{0}</title><h1>{0}</h1><p>{1}</p><ul><li><b>{2}</b><li>{3}</ul>"
    pages = [
        {"url": f"http://{name}.example/", "html": page.format(name, own, STORY[0], STORY[1])}
        for name, own in zip("ab", OWN, strict=False)
    ]
    lines(tmp_path / "pages.jsonl", pages)
    main(
        [
            "extract",
            str(tmp_path / "pages.jsonl"),
            "-o",
            str(tmp_path / "rows.parquet"),
            "--filter",
            "none",
            "-q",
        ]
    )
    clean(tmp_path / "rows.parquet", "-o", tmp_path / "out", "--keep", "first", "-q")
    kept, cut = (row["markdown"] for row in rows(tmp_path / "out", "corpus"))
    assert STORY[0] in kept
    assert cut == OWN[1]


def test_shards_and_merge_give_the_bytes_of_one_run(tmp_path: Path, capsys: Any) -> None:
    pages = datatrove(tmp_path / "in.jsonl")
    clean(pages, "-o", tmp_path / "one", "-q")
    clean(pages, "-o", tmp_path / "work", "--shard", "1/2", "-q")
    assert main(["clean", "merge", str(tmp_path / "work"), "-o", str(tmp_path / "early")]) == 2
    assert "not there yet: 2" in capsys.readouterr().err
    clean(pages, "-o", tmp_path / "work", "--shard", "2/2", "-q")
    assert main(["clean", "merge", str(tmp_path / "work"), "-o", str(tmp_path / "merged"), "-q"]) == 0
    for name in FILES:
        assert (tmp_path / f"one/{name}.parquet").read_bytes() == (
            tmp_path / f"merged/{name}.parquet"
        ).read_bytes()


@pytest.mark.parametrize("shard", ["0/2", "3/2", "x", "1/"])
def test_a_shard_that_is_none_is_refused(tmp_path: Path, shard: str, capsys: Any) -> None:
    assert clean(datatrove(tmp_path / "in.jsonl"), "-o", tmp_path / "out", "--shard", shard) == 2
    assert "--shard is K/N" in capsys.readouterr().err


def test_a_page_that_fails_is_named_and_gives_exit_status_one(tmp_path: Path) -> None:
    pages = lines(
        tmp_path / "in.jsonl", [{"url": "http://a.example/"}, {"url": "http://b.example/", "text": "はい"}]
    )
    assert clean(pages, "-o", tmp_path / "out", "-q") == 1
    (failed,) = rows(tmp_path / "out", "left_out")
    assert (failed["url"], failed["reason"]) == ("http://a.example/", "error")
    assert "html" in failed["error"]


def test_a_folder_of_another_command_is_refused(tmp_path: Path, capsys: Any) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out/pairs.parquet").write_bytes(b"")
    assert clean(datatrove(tmp_path / "in.jsonl"), "-o", tmp_path / "out") == 2
    assert "ruiji detect" in capsys.readouterr().err


def test_a_corpus_is_not_written_over_what_is_read(tmp_path: Path, capsys: Any) -> None:
    clean(datatrove(tmp_path / "in.jsonl"), "-o", tmp_path / "out", "-q")
    before = (tmp_path / "out/corpus.parquet").read_bytes()
    assert clean(tmp_path / "out/corpus.parquet", "-o", tmp_path / "out") == 2
    assert "holds the input" in capsys.readouterr().err
    assert (tmp_path / "out/corpus.parquet").read_bytes() == before


def test_the_front_door_takes_rows_and_tables(tmp_path: Path) -> None:
    table = pa.table({"id": list(TEXTS), "text": list(TEXTS.values())})
    result = ruiji.clean(table, keep="first", filter="none", jobs=0)
    assert result.corpus["text"].to_pylist() == [TEXTS["a"], OWN[1], OWN[2]]
    assert result.removed["kept_url"].to_pylist() == ["a"]
    folder = ruiji.clean(table, tmp_path / "out", filter="none", jobs=0)
    assert (tmp_path / "out/report.html").is_file()
    assert len(folder.to_pandas("corpus")) == 3


def test_a_word_that_is_none_is_refused_at_the_front_door() -> None:
    with pytest.raises(ruiji.InputError, match="keep"):
        ruiji.clean([{"id": "a", "text": "x"}], keep="newest")


def test_a_precision_leaves_out_pages_that_are_not_sure_and_keeps_their_text(tmp_path: Path) -> None:
    sure = {"url": "http://a.example/", "text": OWN[0], "expected_f1": 0.99}
    unsure = {"url": "http://b.example/", "text": OWN[1], "expected_f1": 0.2}
    pages = lines(tmp_path / "in.jsonl", [sure, unsure])
    arguments = ["clean", str(pages), "-o", str(tmp_path / "out"), "--precision", "0.9", "--jobs", "1", "-q"]
    assert main(arguments) == 0
    assert [row["url"] for row in rows(tmp_path / "out", "corpus")] == [sure["url"]]
    (row,) = rows(tmp_path / "out", "removed")
    assert (row["url"], row["reason"], row["text"], row["kept_url"]) == (
        unsure["url"],
        "precision",
        OWN[1],
        None,
    )
    (left_out,) = rows(tmp_path / "out", "left_out")
    assert (left_out["url"], left_out["reason"]) == (unsure["url"], "precision")


def test_a_precision_needs_a_filter_that_knows_how_sure_it_is(tmp_path: Path, capsys: Any) -> None:
    pages = datatrove(tmp_path / "in.jsonl")
    assert clean(pages, "-o", tmp_path / "out", "--precision", "0.9") == 2
    assert "--precision goes with --filter crf" in capsys.readouterr().err


def test_extract_writes_no_text_that_is_not_sure_enough(tmp_path: Path) -> None:
    page = "<ul><li><a href=/>Home</a><li><a href=/x>More</a></ul><p>Short.</p><p><a href=/y>Next</a></p>"
    pages = lines(tmp_path / "pages.jsonl", [{"url": "http://a.example/", "html": page}])
    out = tmp_path / "rows.jsonl"
    assert main(["extract", str(pages), "-o", str(out), "--precision", "0.95", "--jobs", "1", "-q"]) == 0
    row = json.loads(out.read_text("utf-8"))
    assert row["expected_f1"] < 0.95
    assert row["text"] == row["markdown"] == ""
    assert "precision" in row["dropped"]
