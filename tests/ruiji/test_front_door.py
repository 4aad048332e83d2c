"""``import ruiji``: what the command line does, as calls on the pages that a program has."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import ruiji
from ruiji.__main__ import main
from ruiji.corpora import MINIWEB
from ruiji.corpora.errors import SettingError

STORY = "港のそばに住んでいると、海の様子で季節の移り変わりがわかるようになる。"
PAGES = [
    {
        "url": "http://a.example/one.html",
        "html": f"<p>{STORY}</p><p>一つめの頁にだけある、ほかの文章である。</p>",
    },
    {
        "url": "http://b.example/two.html",
        "html": f"<p>{STORY}</p><p>二つめの頁のほうには、別の話が続いている。</p>",
    },
    {"url": "http://c.example/", "html": b""},
]
HEAVY = ("numpy", "pyarrow", "sklearn", "duckdb", "lxml", "selectolax")


def test_importing_imports_nothing_heavy() -> None:
    code = f"import sys, ruiji; print([name for name in {HEAVY!r} if name in sys.modules])"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"


def test_every_public_name_is_there_and_no_other() -> None:
    assert set(ruiji.__all__) <= set(dir(ruiji))
    for name in ruiji.__all__:
        assert getattr(ruiji, name)
    assert ruiji.chunker.BlockRules().predict_masks
    with pytest.raises(AttributeError, match="no attribute 'exctract'"):
        ruiji.exctract  # type: ignore[attr-defined]  # noqa: B018


def test_extract_gives_what_the_command_line_gives(capfd: pytest.CaptureFixture[str]) -> None:
    path = MINIWEB / "fjordnotes.org" / "index.html"
    assert main(["extract", str(path), "--jobs", "1"]) == 0
    document = ruiji.extract(path)
    assert capfd.readouterr().out == f"{document.text}\n"
    assert document.id == str(path)
    assert document.encoding == "UTF-8"
    assert document.expected_f1
    assert document.nodes is not None
    assert document.mask is not None
    assert document.content_nodes == document.mask.content.sum() <= len(document.nodes)


def test_extract_of_no_page_raises_a_named_error() -> None:
    with pytest.raises(ruiji.PageFailed, match="the page is empty"):
        ruiji.extract(b"")
    with pytest.raises(ruiji.InputError, match="neither markup"):
        ruiji.extract("some words")
    with pytest.raises(ruiji.InputError, match="pass them to extract_many"):
        ruiji.extract("<p>text", filter="unique")
    with pytest.raises(ruiji.ModelError, match="no model 'nowhere'"):
        ruiji.extract("<p>text", model="nowhere")


def test_extract_many_keeps_order_and_has_a_row_for_what_failed() -> None:
    documents = list(ruiji.extract_many(PAGES, jobs=0, filter="none"))
    assert [document.url for document in documents] == [page["url"] for page in PAGES]
    assert documents[0].text.startswith(STORY)
    assert (documents[2].error, documents[2].text) == ("the page is empty (0 bytes)", "")
    assert documents[2].nodes is documents[2].mask is None


def test_extract_many_comes_as_it_is_read() -> None:
    read = []

    def pages() -> object:
        for number in range(1000):
            read.append(number)
            yield {"url": f"http://a.example/{number}", "html": "<p>text"}

    first = next(ruiji.extract_many(pages(), jobs=0, filter="none"))
    assert first.text == "text"
    assert len(read) < 100


def test_unique_reads_an_iterator_twice() -> None:
    menu = "<ul><li><a href=/>ホーム</a><li><a href=/about>会社案内</a></ul>"
    pages = (
        {"url": f"http://n.example/{number}", "html": f"{menu}<p>港の記事の第{number}号は潮の話である。"}
        for number in range(5)
    )
    texts = [document.text for document in ruiji.extract_many(pages, jobs=0, filter="unique")]
    assert texts == [f"港の記事の第{number}号は潮の話である。" for number in range(5)]


def test_detect_returns_tables_and_leaves_nothing_behind(tmp_path: Path) -> None:
    run = ruiji.detect(PAGES, filter="none", jobs=0)
    assert run.folder is None
    assert run.pairs.select(["url_a", "url_b", "shared_sentences"]).to_pylist() == [
        {"url_a": PAGES[0]["url"], "url_b": PAGES[1]["url"], "shared_sentences": 1}
    ]
    assert run.pages["error"].to_pylist() == [None, None, "the page is empty (0 bytes)"]
    assert run.groups.column_names == ["group", "url", "keep", "lost_chars"]
    assert list(run.to_pandas("pairs")["url_a"]) == [PAGES[0]["url"]]
    with pytest.raises(
        ruiji.InputError, match="no table 'pears'; there are pages, sentences, links, pairs, groups"
    ):
        run.table("pears")


def test_detect_into_a_folder_is_the_run_of_the_command_line(tmp_path: Path) -> None:
    source = tmp_path / "pages.parquet"
    pq.write_table(pa.Table.from_pylist([page | {"html": str(page["html"])} for page in PAGES[:2]]), source)
    run = ruiji.detect(source, out=tmp_path / "python", filter="none", jobs=0)
    assert main(["detect", str(source), "-o", str(tmp_path / "command"), "--filter", "none", "-q"]) == 0
    names = sorted(path.name for path in (tmp_path / "command").iterdir())
    assert sorted(path.name for path in (tmp_path / "python").iterdir()) == names
    for name in names:
        if name.endswith(".parquet"):
            assert (tmp_path / "python" / name).read_bytes() == (tmp_path / "command" / name).read_bytes()
    assert run.pairs.equals(pq.read_table(tmp_path / "command" / "pairs.parquet"))


def test_an_index_is_built_and_asked(tmp_path: Path) -> None:
    index = ruiji.build_index(PAGES[:2], tmp_path / "idx", filter="none", jobs=0)
    assert index.contents.documents == 2
    passages = ruiji.open_index(str(tmp_path / "idx")).match(f"はじめに。{STORY}おわり。")
    assert {passage.source_url for passage in passages} == {page["url"] for page in PAGES[:2]}
    assert passages[0].text == STORY
    assert index.match(STORY, url="http://elsewhere.example/") == index.match(STORY)


def test_records_are_found_in_memory_and_in_a_folder(tmp_path: Path) -> None:
    row = "<table><tr><th>氏名<th>内線<th>メール<tr><td>大庭 律<td>{}<td>oba@a.example</table>"
    pages = [
        {"url": f"http://{name}.a.example/", "html": row.format(n)}
        for name, n in (("cs", 3454), ("www", 3445))
    ]
    book = ruiji.records(pages, filter="none", jobs=0)
    assert len(book.records) == 2
    assert len(book.correspondences) == 1
    assert book.conflicts["field"].to_pylist() == ["内線"]
    written = ruiji.records(pages, tmp_path / "out", filter="none", jobs=0)
    assert written.conflicts.equals(book.conflicts)
    assert (tmp_path / "out" / "report.html").is_file()
    none = ruiji.records(pages[:1], filter="none", jobs=0)
    assert len(none.conflicts) == 0
    assert "value_a" in none.conflicts.column_names


def test_settings_of_detect_and_records_that_are_none_are_refused_by_name() -> None:
    page = [{"url": "http://a.example/", "html": "<p>a</p>"}]
    for settings, words in (
        ({"urls": "letters"}, "urls is one of site, paper"),
        ({"match": "all"}, "match is"),
        ({"language": "xx"}, "'xx' is no language that pages are told by: there are af, ar, .*, ja, .*, zh$"),
    ):
        with pytest.raises(ruiji.InputError, match=words):
            ruiji.detect(page, filter="none", jobs=0, **settings)  # type: ignore[arg-type]
    with pytest.raises(ruiji.InputError, match="there are default and paper"):
        ruiji.records(page, filter="none", jobs=0, method="other")


def test_detect_takes_the_thresholds_of_the_command() -> None:
    story = "<p>港のそばに住んでいると、海の様子で季節の移り変わりがわかるようになる。</p>"
    pages = [{"url": f"http://{name}.example/", "html": story} for name in ("a", "b")]
    assert len(ruiji.detect(pages, filter="none", jobs=0, min_bits=0, language="ja").pairs) == 1
    assert len(ruiji.detect(pages, filter="none", jobs=0, min_bits=0, language="el").pairs) == 0


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: ruiji.extract("<p>x", url=None), "url is a text, not None"),  # type: ignore[arg-type]
        (
            lambda: ruiji.extract("<p>x", filter="zzz"),
            "filter is one of blocks, crf, none, unique",
        ),
        (lambda: ruiji.extract("<p>x", links="no"), "links is True or False"),  # type: ignore[arg-type]
        (lambda: ruiji.extract_many(PAGES, jobs="2"), "jobs is a whole number"),  # type: ignore[arg-type]
        (lambda: ruiji.open_index(None), "folder is a name or a path"),  # type: ignore[arg-type]
        (lambda: ruiji.detect(PAGES, min_length="x"), "min_length is a whole"),  # type: ignore[arg-type]
        (lambda: ruiji.detect(PAGES, memory="lots"), "memory is a size such as 500MB"),
        (lambda: ruiji.detect(PAGES, against=5), "against is a list of folders"),  # type: ignore[arg-type]
        (lambda: ruiji.clean(PAGES, precision="high"), "precision is a number"),  # type: ignore[arg-type]
        (lambda: ruiji.records(PAGES, crawled="yesterday"), "crawled is a day such as 2024-05-01"),
    ],
)
def test_a_setting_of_a_wrong_kind_is_refused_in_one_sentence(call: Callable[[], object], said: str) -> None:
    with pytest.raises(SettingError, match=said):
        call()


def test_missing_values_of_rows_are_none() -> None:
    rows = [{"url": float("nan"), "html": "<p>one"}, {"url": "http://b.example/", "html": float("nan")}]
    first, second = ruiji.extract_many(rows, jobs=0, filter="none")
    assert first.error == "the row has no url"
    assert second.error == "the row has no html (text or bytes) and no text"
