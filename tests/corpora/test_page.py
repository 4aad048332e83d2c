"""Pages without markup: texts in files and rows, all of which is content."""

from __future__ import annotations

import json
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from ruiji.chunker.masking import MaskedPage, MaskSettings, masked_pages
from ruiji.corpora import read_pages
from ruiji.corpora.page import Page

TEXT = "港の船\n\n1 < 2 & 3 <b>は文字です。\n* [a](b)"


def content(page: Page) -> str:
    (result,) = masked_pages([page], MaskSettings("blocks").load())
    assert isinstance(result, MaskedPage)
    return result.text


@pytest.mark.parametrize("encoding", ["utf-8", "cp932", "utf-16"])
def test_a_text_file_is_a_page_of_which_all_is_content(tmp_path: Path, encoding: str) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes(TEXT.encode(encoding))
    (page,) = read_pages([str(path)])
    assert content(page) == TEXT.replace("\n\n", "\n")


def test_rows_with_text_are_pages_and_what_extract_wrote_goes_in_again(tmp_path: Path) -> None:
    rows = [
        {"url": "http://a.example/", "title": "T", "text": TEXT, "error": None},
        {"url": "http://b.example/", "text": "", "error": "empty"},
    ]
    lines = tmp_path / "a.jsonl"
    lines.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    table = tmp_path / "a.parquet"
    pq.write_table(pa.Table.from_pylist(rows), table)
    for source in (lines, table):
        first, second = read_pages([str(source)])
        assert content(first) == TEXT.replace("\n\n", "\n")
        assert second.error == "empty"


def test_a_folder_of_pages_may_hold_texts_that_are_none(tmp_path: Path) -> None:
    (tmp_path / "robots.txt").write_text("User-agent: *")
    (tmp_path / "a.html").write_text("<p>a")
    assert [page.id for page in read_pages([str(tmp_path)])] == ["a.html"]
