"""Pages in whatever form a program has them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pandas as pd
import pyarrow as pa
import pytest

from ruiji.corpora.errors import SettingError
from ruiji.corpora.page import InputError, Page
from ruiji.corpora.sources import NamedPages, page_source, repeatable_source, single_page

ROWS = [
    {"url": "http://a.example/", "html": "<p>一つめ</p>", "last_modified": "2009-05-12"},
    {"url": "http://b.example/", "html": "<p>二つめ</p>", "last_modified": None},
]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "page.html"
    path.write_text("<meta charset=utf-8><p>一つめ</p>", encoding="utf-8")
    return path


@pytest.mark.parametrize(
    "given",
    [
        ROWS,
        tuple(ROWS),
        (dict(row) for row in ROWS),
        pd.DataFrame(ROWS),
        pa.Table.from_pylist(ROWS),
        [Page(row["url"] or "", row["url"] or "", row["html"] or "") for row in ROWS],
    ],
    ids=["list", "tuple", "iterator", "DataFrame", "Arrow table", "Pages"],
)
def test_every_form_gives_the_same_pages(given: object) -> None:
    pages = list(page_source(given))
    assert [(page.id, page.url, page.html, page.error) for page in pages] == [
        (row["url"], row["url"], row["html"], "") for row in ROWS
    ]


@pytest.mark.parametrize("given", [pd.DataFrame(ROWS), pa.Table.from_pylist(ROWS)])
def test_a_missing_value_of_a_table_is_none_and_no_text(given: object) -> None:
    assert [page.last_modified for page in page_source(given)] == ["2009-05-12", ""]
    missing = pd.DataFrame({"url": ["http://a.example/"], "html": [float("nan")]})
    (page,) = page_source(missing)
    assert page.error == "the row has no html (text or bytes) and no text"


def test_paths_are_read_as_the_command_line_reads_them(file: Path) -> None:
    assert [page.id for page in page_source(str(file))] == [str(file)]
    assert [page.id for page in page_source(file.parent)] == ["page.html"]
    source = page_source([file, str(file)])
    assert isinstance(source, NamedPages)
    assert len(list(source)) == 2
    mixed = page_source([file, "<p>markup", b"<p>bytes", ROWS[0]])
    assert [page.id for page in mixed] == [str(file), "page 2", "page 3", "http://a.example/"]


def test_an_iterator_is_held_where_pages_are_read_twice() -> None:
    source = page_source(iter(ROWS))
    assert not source.repeatable
    held = repeatable_source(source)
    assert held.repeatable
    assert list(held) == list(held) == list(page_source(ROWS))
    assert repeatable_source(held) is held


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (42, "pages of type int: pass paths, Pages, dicts with url and html"),
        ("nowhere.jsonl", "nowhere.jsonl: there is no such file or folder"),
        (["nowhere.html"], "nowhere.html: there is no such file or folder"),
        (
            pd.DataFrame({"address": ["x"]}),
            "the table has no column url and no column html; pass one with url",
        ),
        (pa.table({"url": ["x"]}), "the table has no column html"),
        ([ROWS[0], 42], "page 2 is of type int: pass paths"),
    ],
)
def test_wrong_pages_get_one_sentence_that_says_what_to_pass(given: object, message: str) -> None:
    with pytest.raises(InputError, match=message):
        list(page_source(given))


def test_one_page_is_markup_or_a_path_or_a_row(file: Path) -> None:
    assert single_page("<p>markup") == Page("page", "", "<p>markup")
    assert single_page("no tag\nbut two lines").html == "no tag\nbut two lines"
    assert single_page(b"<p>", "http://a.example/") == Page("http://a.example/", "http://a.example/", b"<p>")
    assert single_page(ROWS[0]).url == "http://a.example/"
    assert single_page(file, "http://a.example/").url == "http://a.example/"
    assert single_page(str(file)).html == file.read_bytes()


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (
            "plain words",
            "'plain words': neither markup, which has a < in it, nor a file; pass HTML or the path",
        ),
        ("", "neither markup"),
        (3.5, "a page of type float: pass HTML as str or bytes, a path, a dict"),
        (Path(__file__).parent, "is a folder; pass it to extract_many"),
    ],
)
def test_a_wrong_page_gets_one_sentence_that_says_what_to_pass(given: object, message: str) -> None:
    with pytest.raises(InputError, match=message):
        single_page(given)


def test_a_changed_file_changes_the_signature(file: Path) -> None:
    source = NamedPages((str(file.parent),))
    before = source.signature({"filter": "none"})
    assert source.signature({"filter": "none"}) == before != source.signature({"filter": "crf"})
    file.write_text("<p>another")
    assert source.signature({"filter": "none"}) != before
    assert NamedPages(("-",)).signature({}) == ""


def test_an_error_about_settings_is_worded_for_its_reader() -> None:
    error = SettingError("‹groups› goes with ‹filter=unique›")
    assert str(error) == "groups goes with filter='unique'"
    assert error.worded(lambda name, value: f"--{name} {value or ''}".strip()) == (
        "--groups goes with --filter unique"
    )


def test_workers_do_not_run_a_script_again(tmp_path: Path) -> None:
    """A script without a guard around its work: spawned processes run the script, ours do not."""
    script = tmp_path / "script.py"
    script.write_text(
        "import ruiji\n"
        "print('started', flush=True)\n"
        "pages = [{'url': 'http://a.example/', 'html': '<p>text'}]\n"
        "print([page.text for page in ruiji.extract_many(pages, jobs=1, filter='none')])\n"
    )
    run = subprocess.run(
        [sys.executable, str(script)], capture_output=True, text=True, timeout=120, check=True
    )
    assert run.stdout.splitlines() == ["started", "['text']"]
