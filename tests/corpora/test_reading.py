"""Every form of input, mixes of them, and inputs that are broken."""

from __future__ import annotations

import gzip
import io
import json
import sys
from pathlib import Path
from types import SimpleNamespace

import pyarrow
import pyarrow.parquet
import pytest

from ruiji.corpora import limits
from ruiji.corpora.page import InputError, Page
from ruiji.corpora.reading import read_pages, source_files, url_of_path

HTML = "<title>港</title><p>朝は早い。".encode()


def only(source: Path | str) -> Page:
    (page,) = read_pages([source])
    return page


def write(path: Path, body: bytes) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(gzip.compress(body) if path.name.lower().endswith(".gz") else body)
    return path


def lines(*rows: object) -> bytes:
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows).encode()


# -- files and folders


@pytest.mark.parametrize(
    "name", ["a.html", "a.htm", "a.xhtml", "A.HTML", "a.html.gz", "a.htm.gz", "A.Html.GZ"]
)
def test_an_html_file_is_a_page_with_its_bytes(tmp_path: Path, name: str) -> None:
    path = write(tmp_path / name, HTML)
    assert only(path) == Page(str(path), str(path), HTML)


def test_a_folder_is_read_in_sorted_order_by_relative_path(tmp_path: Path) -> None:
    for name in ("b.html", "a/z.htm", "a/b/c.html.gz", "c.xhtml", "notes.txt", "data.jsonl", "a.html"):
        write(tmp_path / name, HTML)
    pages = list(read_pages([tmp_path]))
    assert [page.id for page in pages] == ["a/b/c.html.gz", "a/z.htm", "a.html", "b.html", "c.xhtml"]
    assert {page.html for page in pages} == {HTML}
    assert [page.url for page in pages] == [page.id for page in pages]


def test_urls_tsv_gives_urls_and_times(tmp_path: Path) -> None:
    write(tmp_path / "a.html", HTML)
    write(tmp_path / "sub/b.html", HTML)
    write(tmp_path / "c.html", HTML)
    write(
        tmp_path / "urls.tsv",
        "path\turl\tlast_modified\na.html\thttp://x.example/あ\t2009-01-02\nsub/b.html\thttp://"
        "x.example/b\n\n".encode(),
    )
    found = {page.id: (page.url, page.last_modified) for page in read_pages([tmp_path])}
    assert found == {
        "a.html": ("http://x.example/あ", "2009-01-02"),
        "sub/b.html": ("http://x.example/b", ""),
        "c.html": ("c.html", ""),
    }


def test_urls_tsv_also_serves_a_file_that_is_named_itself(tmp_path: Path) -> None:
    write(tmp_path / "urls.tsv", b"a.html\thttp://x.example/a\t\n")
    assert only(write(tmp_path / "a.html", HTML)).url == "http://x.example/a"


@pytest.mark.parametrize("newline", [b"\n", b"\r\n"])
@pytest.mark.parametrize("bom", [b"", b"\xef\xbb\xbf"])
def test_urls_tsv_may_come_from_any_editor(tmp_path: Path, newline: bytes, bom: bytes) -> None:
    write(tmp_path / "a.html", HTML)
    write(tmp_path / "urls.tsv", bom + b"a.html\thttp://x.example/a\t2009-01-02" + newline)
    page = only(tmp_path)
    assert (page.url, page.last_modified) == ("http://x.example/a", "2009-01-02")


@pytest.mark.parametrize(
    "listing",
    [b"a.html http://x.example/a\n", "a.html\thttp://x.example/é\n".encode("latin-1")],
    ids=["no tab", "not UTF-8"],
)
def test_a_broken_urls_tsv_is_an_input_error_before_the_first_page(tmp_path: Path, listing: bytes) -> None:
    good = write(tmp_path / "good.html", HTML)
    write(tmp_path / "folder/a.html", HTML)
    write(tmp_path / "folder/urls.tsv", listing)
    with pytest.raises(InputError, match=r"urls\.tsv"):
        read_pages([good, tmp_path / "folder"])


@pytest.mark.parametrize(
    ("path", "url"),
    [
        ("host.example/dir/page.html", "http://host.example/dir/page.html"),
        ("www.host.co.jp/index.html", "http://www.host.co.jp/index.html"),
        ("dir/page.html", "dir/page.html"),
        ("page.html", "page.html"),
        ("host.example", "host.example"),
        ("host.example/", "host.example/"),
        ("v1.2/page.html", "v1.2/page.html"),
        (".hidden/page.html", ".hidden/page.html"),
        ("../page.html", "../page.html"),
        ("page.html/other.html", "page.html/other.html"),
        ("/abs/host.example/page.html", "/abs/host.example/page.html"),
    ],
)
def test_a_path_that_starts_with_a_host_is_a_url(path: str, url: str) -> None:
    assert url_of_path(path) == url


def test_a_mirrored_folder_gives_urls(tmp_path: Path) -> None:
    write(tmp_path / "host.example/dir/page.html", HTML)
    page = only(tmp_path)
    assert (page.id, page.url) == ("host.example/dir/page.html", "http://host.example/dir/page.html")


def test_a_link_to_a_folder_above_does_not_repeat_pages(tmp_path: Path) -> None:
    write(tmp_path / "a.html", HTML)
    (tmp_path / "again").symlink_to(tmp_path)
    assert len(list(read_pages([tmp_path]))) == 1


def test_folders_that_link_to_each_other_are_read_once(tmp_path: Path) -> None:
    """Nine folders, each with a link to every other: by all ways through them it would be a million files."""
    folders = [tmp_path / f"f{number}" for number in range(9)]
    for folder in folders:
        write(folder / "a.html", HTML)
    for folder in folders:
        for other in folders:
            (folder / f"to-{other.name}").symlink_to(other)
    assert [page.id for page in read_pages([tmp_path])] == [f"{folder.name}/a.html" for folder in folders]
    assert len(list(read_pages([folders[0]]))) == 9


def test_a_link_to_a_folder_elsewhere_is_followed(tmp_path: Path) -> None:
    write(tmp_path / "elsewhere" / "a.html", HTML)
    (tmp_path / "here").mkdir()
    (tmp_path / "here" / "link").symlink_to(tmp_path / "elsewhere")
    assert [page.id for page in read_pages([tmp_path / "here"])] == ["link/a.html"]


def test_standard_input_is_one_page(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(HTML)))
    assert only("-") == Page("-", "-", HTML)


# -- tables


@pytest.mark.parametrize("name", ["a.jsonl", "a.jsonl.gz", "A.JSONL", "A.JSONL.GZ"])
def test_jsonl_lines_are_pages(tmp_path: Path, name: str) -> None:
    row = {
        "id": 7,
        "url": "http://x.example/",
        "html": "<p>港",
        "content_type": "text/html",
        "last_modified": "2009",
        "topic": ["a"],
        "n": None,
    }
    pages = list(read_pages([write(tmp_path / name, lines(row, {"url": "u", "html": ""}))]))
    assert pages[0] == Page(
        "7", "http://x.example/", "<p>港", "text/html", "2009", {"topic": ["a"], "n": None}
    )
    assert pages[1] == Page("u", "u", "")


def test_a_broken_line_is_one_error_row(tmp_path: Path) -> None:
    good = lines({"url": "u", "html": "<p>"})
    bad = [b'{"url": \n', b"[1]\n", b"null\n", b"\xff\xfe\n", b"[" * 100000 + b"\n", lines({"html": "<p>"}),
        lines({"url": "", "html": ""}),
           lines({"url": "u", "html": None}), lines({"url": "u"}),
           lines({"url": "u", "html": 5})]  # fmt: skip
    pages = list(read_pages([write(tmp_path / "a.jsonl", good + b"\n" + b"".join(bad) + good)]))
    assert [bool(page.error) for page in pages] == [False, *[True] * len(bad), False]
    assert pages[1].id == "a.jsonl:3"
    assert all(page.html == b"" for page in pages if page.error)
    assert {page.url for page in pages[-4:-1]} == {"u"}


def test_jsonl_without_a_last_line_end_is_read(tmp_path: Path) -> None:
    assert only(write(tmp_path / "a.jsonl", lines({"url": "u", "html": "<p>"}).rstrip())).html == "<p>"


def test_an_empty_jsonl_has_no_pages(tmp_path: Path) -> None:
    assert list(read_pages([write(tmp_path / "a.jsonl", b"")])) == []


def test_parquet_rows_are_pages_with_text_or_bytes(tmp_path: Path) -> None:
    for html in ("<p>港", "<p>港".encode("cp932")):
        table = {
            "url": ["u", "v"],
            "html": [html, html],
            "id": ["1", None],
            "topic": [None, "t"],
            "content_type": [None, "text/html"],
        }
        pyarrow.parquet.write_table(pyarrow.table(table), tmp_path / "a.parquet")
        assert list(read_pages([tmp_path / "a.parquet"])) == [
            Page("1", "u", html),
            Page("v", "v", html, "text/html", extra={"topic": "t"}),
        ]


def test_parquet_rows_without_url_or_html_are_error_rows(tmp_path: Path) -> None:
    pyarrow.parquet.write_table(
        pyarrow.table({"url": ["u", None, "w"], "html": [None, "<p>", "<p>"]}), tmp_path / "a.parquet"
    )
    assert [bool(page.error) for page in read_pages([tmp_path / "a.parquet"])] == [True, True, False]


def broken_parquet(path: Path) -> Path:
    return write(path, b"PAR1 and nothing of the kind")


def parquet_without_html(path: Path) -> Path:
    pyarrow.parquet.write_table(pyarrow.table({"url": ["u"]}), path)
    return path


@pytest.mark.parametrize("make", [broken_parquet, parquet_without_html])
def test_a_parquet_file_that_is_none_stops_the_run_before_it_starts(tmp_path: Path, make: object) -> None:
    assert callable(make)
    good = write(tmp_path / "good.html", HTML)
    with pytest.raises(InputError, match=r"a\.parquet"):
        read_pages([good, make(tmp_path / "a.parquet")])


def test_damage_inside_a_parquet_file_is_an_error_row_after_the_good_ones(tmp_path: Path) -> None:
    table = pyarrow.table(
        {"url": [f"u{n}" for n in range(600)], "html": [f"<p>{n}" * 50 for n in range(600)]}
    )
    pyarrow.parquet.write_table(
        table, tmp_path / "a.parquet", row_group_size=256, compression="zstd", use_dictionary=False
    )
    body = bytearray((tmp_path / "a.parquet").read_bytes())
    last = pyarrow.parquet.ParquetFile(tmp_path / "a.parquet").metadata.row_group(2).column(1)
    start = last.data_page_offset
    body[start : start + last.total_compressed_size] = b"\xff" * last.total_compressed_size
    (tmp_path / "a.parquet").write_bytes(body)
    pages = list(read_pages([tmp_path / "a.parquet"]))
    assert len(pages) == 513
    assert [bool(page.error) for page in pages[-2:]] == [False, True]


# -- web archives


def record(url: str, http: bytes, kind: str = "response") -> bytes:
    head = (
        f"WARC/1.0\r\nWARC-Type: {kind}\r\nWARC-Record-ID: "
        "<urn:uuid:00000000-0000-0000-0000-000000000000>\r\n"
        f"WARC-Date: 2009-01-02T03:04:05Z\r\nWARC-Target-URI: {url}\r\nContent-Type: application/http; "
        f"msgtype={kind}\r\n"
        f"Content-Length: {len(http)}\r\n\r\n"
    )
    return head.encode() + http + b"\r\n\r\n"


def response(
    body: bytes = HTML,
    status: str = "200 OK",
    content_type: str | None = "text/html; charset=utf-8",
    **headers: str,
) -> bytes:
    head = f"HTTP/1.1 {status}\r\n" + (f"Content-Type: {content_type}\r\n" if content_type else "")
    head += "".join(f"{name.replace('_', '-')}: {value}\r\n" for name, value in headers.items())
    return head.encode() + b"\r\n" + body


def chunked(body: bytes) -> bytes:
    pieces = [body[start : start + 7] for start in range(0, len(body), 7)]
    return b"".join(f"{len(piece):x}\r\n".encode() + piece + b"\r\n" for piece in pieces) + b"0\r\n\r\n"


def archive(path: Path, *records: bytes) -> Path:
    path.write_bytes(b"".join(gzip.compress(part) if path.suffix == ".gz" else part for part in records))
    return path


@pytest.mark.parametrize("name", ["a.warc", "a.warc.gz"])
def test_html_responses_of_an_archive_are_pages(tmp_path: Path, name: str) -> None:
    path = archive(
        tmp_path / name,
        record("http://x.example/q", b"GET / HTTP/1.1\r\nHost: x\r\n\r\n", "request"),
        record("http://x.example/1", response(Last_Modified="Fri, 02 Jan 2009 00:00:00 GMT")),
        record("http://x.example/404", response(status="404 Not Found")),
        record("http://x.example/301", response(status="301 Moved")),
        record("http://x.example/png", response(b"\x89PNG", content_type="image/png")),
        record("<http://x.example/2>", response(content_type="Application/XHTML+xml")),
        record("http://x.example/untyped", response(content_type=None)),
        record("http://x.example/untyped-text", response(b"no markup", content_type=None)),
    )
    pages = list(read_pages([path]))
    assert [page.url for page in pages] == [
        "http://x.example/1",
        "http://x.example/2",
        "http://x.example/untyped",
    ]
    assert {page.html for page in pages} == {HTML}
    assert pages[0] == Page(
        "http://x.example/1", "http://x.example/1", HTML, "text/html; charset=utf-8", "Fri, 02 Jan 2009 "
                                                                                      "00:00:00 GMT",
        {"status": 200, "crawled": "2009-01-02T03:04:05Z"},
    )  # fmt: skip


@pytest.mark.parametrize("name", ["a.warc", "a.warc.gz"])
def test_transfer_and_content_encodings_are_undone(tmp_path: Path, name: str) -> None:
    path = archive(
        tmp_path / name,
        record("http://x.example/1", response(chunked(HTML), Transfer_Encoding="chunked")),
        record("http://x.example/2", response(gzip.compress(HTML), Content_Encoding="gzip")),
        record(
            "http://x.example/3",
            response(chunked(gzip.compress(HTML)), Transfer_Encoding="chunked", Content_Encoding="gzip"),
        ),
        record("http://x.example/4", response()),
    )
    assert [(page.url[-1], page.html, page.error) for page in read_pages([path])] == [
        (str(n), HTML, "") for n in range(1, 5)
    ]


def test_a_crawler_that_left_the_header_and_undid_the_encoding_loses_no_page(tmp_path: Path) -> None:
    path = archive(
        tmp_path / "a.warc",
        record("http://x.example/1", response(HTML, Content_Encoding="gzip")),
        record("http://x.example/2", response(HTML, Transfer_Encoding="chunked")),
        record("http://x.example/3", response()),
    )
    pages = list(read_pages([path]))
    assert [page.url[-1] for page in pages] == ["1", "2", "3"]
    assert all(page.error or page.html == HTML for page in pages)


@pytest.mark.parametrize("keep", [0.4, 0.7, 0.95])
def test_a_truncated_archive_gives_its_first_pages_and_one_error_row(tmp_path: Path, keep: float) -> None:
    body = HTML * 50
    path = archive(
        tmp_path / "a.warc.gz", *(record(f"http://x.example/{n}", response(body)) for n in range(3))
    )
    whole = path.read_bytes()
    path.write_bytes(whole[: int(len(whole) * keep)])
    pages = list(read_pages([path]))
    assert pages[-1].error
    assert not any(page.error for page in pages[:-1])
    assert all(page.html == body for page in pages[:-1])
    assert len(pages) == int(keep * 3) + 1


def test_a_truncated_uncompressed_archive_does_not_pass_half_a_page_as_whole(tmp_path: Path) -> None:
    path = archive(
        tmp_path / "a.warc",
        record("http://x.example/1", response()),
        record("http://x.example/2", response(HTML * 50)),
    )
    path.write_bytes(path.read_bytes()[:-500])
    pages = list(read_pages([path]))
    assert [bool(page.error) for page in pages] == [False, True]


@pytest.mark.parametrize("name", ["a.warc", "a.warc.gz"])
def test_junk_under_an_archive_name_is_one_error_row(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_bytes(b"<p>no archive</p>" * 20)
    assert only(tmp_path / name).error


# -- broken inputs of any form


@pytest.mark.parametrize("keep", [5, 15, 100])
def test_a_truncated_gz_is_an_error_row(tmp_path: Path, keep: int) -> None:
    path = write(tmp_path / "a.html.gz", bytes(range(256)) * 5)
    path.write_bytes(path.read_bytes()[:keep])
    page = only(path)
    assert page.error.startswith("cannot be read")
    assert page.html == b""


def test_what_is_no_gz_is_an_error_row(tmp_path: Path) -> None:
    (tmp_path / "a.html.gz").write_bytes(HTML)
    assert only(tmp_path / "a.html.gz").error


def test_a_truncated_jsonl_gz_gives_its_first_pages_and_one_error_row(tmp_path: Path) -> None:
    rows = [
        {"url": f"u{n}", "html": f"<p>{n}" + "".join(chr(33 + (n * k) % 90) for k in range(500))}
        for n in range(300)
    ]
    path = write(tmp_path / "a.jsonl.gz", lines(*rows))
    path.write_bytes(path.read_bytes()[: path.stat().st_size * 2 // 3])
    pages = list(read_pages([path]))
    assert pages[-1].error
    assert len(pages) > 10
    assert not any(page.error for page in pages[:-1])
    assert [page.url for page in pages[:-1]] == [f"u{n}" for n in range(len(pages) - 1)]


def test_a_page_beyond_the_size_limit_is_an_error_row(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "PAGE_BYTES", 1000)
    assert not only(write(tmp_path / "a.html", b"x" * 1000)).error
    assert "more than" in only(write(tmp_path / "b.html.gz", b"x" * 1001)).error


@pytest.mark.parametrize("name", ["a.doc", "a.pdf", "a.json", "noname", "a.gz", "html", "a.warc.bz2"])
def test_an_unknown_kind_of_file_is_an_input_error(tmp_path: Path, name: str) -> None:
    good = write(tmp_path / "good.html", HTML)
    (tmp_path / name).write_bytes(b"x")
    with pytest.raises(InputError, match="unknown kind of file"):
        read_pages([good, tmp_path / name])


def test_a_missing_file_is_an_input_error_before_the_first_page(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such file"):
        read_pages([write(tmp_path / "good.html", HTML), tmp_path / "gone.html"])


def test_a_folder_of_texts_alone_is_a_folder_of_pages(tmp_path: Path) -> None:
    write(tmp_path / "a" / "one.txt", b"first")
    write(tmp_path / "two.txt", b"second")
    write(tmp_path / "data.csv", b"1,2")
    assert [(page.url, page.error) for page in read_pages([tmp_path])] == [("a/one.txt", ""), ("two.txt", "")]
    assert [path.name for path in source_files(str(tmp_path))] == ["one.txt", "two.txt"]


def test_a_folder_without_pages_is_an_input_error(tmp_path: Path) -> None:
    write(tmp_path / "data.csv", b"x")
    with pytest.raises(InputError, match="holds no"):
        read_pages([tmp_path])


def test_a_file_that_vanishes_after_the_check_is_an_error_row(tmp_path: Path) -> None:
    pages = read_pages([write(tmp_path / "a.html", HTML), write(tmp_path / "b.html", HTML)])
    assert next(pages).html == HTML
    (tmp_path / "b.html").unlink()
    assert next(pages).error


# -- all together


def test_a_mix_of_forms_is_read_in_the_order_given(tmp_path: Path) -> None:
    sources = [
        archive(tmp_path / "a.warc.gz", record("w", response())),
        write(tmp_path / "b.jsonl", lines({"url": "j", "html": ""})),
        write(
            tmp_path / "c.xml", b"<StandardFormat Url='x' OriginalEncoding='utf-8'><Text/></StandardFormat>"
        ),
        write(tmp_path / "sub/d.html", HTML).parent,
        tmp_path / "b.jsonl",
    ]
    assert [page.url for page in read_pages(sources)] == ["w", "j", "x", "d.html", "j"]


def test_nothing_is_read_before_it_is_asked_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    taken: list[int] = []

    class Stream(io.BytesIO):
        def read1(self, size: int | None = -1, /) -> bytes:
            taken.append(len(taken))
            return lines({"url": f"u{taken[-1]}", "html": ""})

    write(tmp_path / "a.jsonl", b"")
    monkeypatch.setattr("ruiji.corpora.rows.open_file", lambda *_: Stream())
    pages = read_pages([tmp_path / "a.jsonl"])
    assert taken == []
    assert next(pages).url == "u0"
    assert taken == [0]
    assert next(pages).url == "u1"
    assert taken == [0, 1]


def test_reading_closes_its_files(tmp_path: Path) -> None:
    """An unclosed file is a ResourceWarning, which is an error here."""
    sources = [
        write(tmp_path / "a.jsonl", lines({"url": "u", "html": ""}) * 3),
        archive(tmp_path / "b.warc", record("w", response()) * 3),
    ]
    for source in sources:
        pages = read_pages([source])
        next(pages)
        pages.close()  # type: ignore[attr-defined]
        list(read_pages([source]))


@pytest.mark.parametrize("cut", [20, 60, 150])
def test_a_plain_archive_cut_in_the_last_records_headers_is_an_error_row(tmp_path: Path, cut: int) -> None:
    first, second = record("http://x.example/1", response()), record("http://x.example/2", response())
    path = archive(tmp_path / "a.warc", first, second[:cut])
    assert [bool(page.error) for page in read_pages([path])] == [False, True]


def test_an_archive_may_be_packed_as_a_whole(tmp_path: Path) -> None:
    """As gzip leaves it, which knows nothing of records."""
    pages = [f"http://x.example/{number}" for number in range(5)]
    packed = gzip.compress(b"".join(record(url, response(HTML * 9)) for url in pages))
    whole, cut = tmp_path / "whole.warc.gz", tmp_path / "cut.warc.gz"
    whole.write_bytes(packed)
    cut.write_bytes(packed[:-12])
    assert [(page.url, page.error) for page in read_pages([whole])] == [(url, "") for url in pages]
    assert any(page.error for page in read_pages([cut]))


def test_broken_bodies_of_an_archive_are_named(tmp_path: Path) -> None:
    packed = gzip.compress(HTML * 20)
    path = archive(
        tmp_path / "a.warc.gz",
        record("http://x.example/cut", response(packed[:-20], Content_Encoding="gzip")),
        record(
            "http://x.example/damaged",
            response(packed[:30] + b"\x00\x00" + packed[32:], Content_Encoding="gzip"),
        ),
        record("http://x.example/chunk", response(b"1000\r\n<p>only little", Transfer_Encoding="chunked")),
        record("http://x.example/br", response(b"\x8b\x05\x80abc", Content_Encoding="br")),
        record(
            "http://x.example/members",
            response(gzip.compress(HTML) + gzip.compress(HTML), Content_Encoding="gzip"),
        ),
    )
    pages = {page.url.rpartition("/")[2]: page for page in read_pages([path])}
    assert [name for name, page in pages.items() if page.error] == ["cut", "damaged", "chunk", "br"]
    assert "packed with br" in pages["br"].error
    assert pages["members"].html == HTML * 2
