"""Small files that unpack to gigabytes cost neither the memory nor the run: each is named by an error row."""

from __future__ import annotations

import gzip
import io
import json
import os
import random
import subprocess
import sys
import zlib
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from ruiji.corpora import limits, read_pages
from ruiji.corpora.limits import RAW_DEFLATE, TooLarge, unpack
from ruiji.corpora.page import page_of_record
from ruiji.corpora.parquet_sizes import size_of_column
from ruiji.corpora.reading import read_records
from ruiji.corpora.rows import read_parquet

READ = r"""
import json, re, sys
from pathlib import Path
from ruiji.corpora import read_pages
pages = 0
errors = []
for page in read_pages(sys.argv[1:]):
    pages += 1
    errors += [page.error] if page.error else []
peak = re.search(r"VmHWM:\s*(\d+)", Path("/proc/self/status").read_text())  # ru_maxrss has that of the parent
print(json.dumps([pages, errors, int(peak[1]) >> 10]))
"""
MEGABYTES = 900  # of memory that reading may take, whatever the file holds; today it takes up to 650


def reading(path: Path) -> tuple[int, list[str]]:
    """How many pages a process of its own reads, and their errors; it must keep to its memory."""
    done = subprocess.run(
        [sys.executable, "-c", READ, str(path)], capture_output=True, text=True, check=True, timeout=120
    )
    pages, errors, memory = json.loads(done.stdout)
    assert memory < MEGABYTES
    return pages, errors


def packed(pattern: bytes, megabytes: int) -> bytes:
    """Gzip members that hold the pattern again and again."""
    return gzip.compress(pattern * ((16 << 20) // len(pattern)), 1) * (megabytes // 16)


def test_a_line_without_end_is_an_error_row(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl.gz"
    last = gzip.compress(b'\n{"url": "u", "html": "<p>a"}\n')
    path.write_bytes(gzip.compress(b'{"url": "u", "html": "') + packed(b"a", 800) + last)
    pages, errors = reading(path)
    assert pages == 2
    assert errors == ["the line is longer than 64 MB"]


def test_a_line_that_does_not_end_ends_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ruiji.corpora.rows.LONGEST_SKIP", 2 << 20)
    monkeypatch.setattr("ruiji.corpora.rows.LINE_BYTES", 1 << 10)
    path = tmp_path / "a.jsonl"
    path.write_bytes(b"a" * (3 << 20) + b'\n{"url": "u", "html": "<p>a"}\n')
    errors = [page.error for page in read_pages([path])]
    assert errors[0].startswith("the line is longer than")
    assert errors[1] == "the file cannot be read beyond line 1: it does not end"


@pytest.mark.parametrize("value", [b"{},", b"[],", b'"ab",'])
def test_a_line_of_many_small_values_is_an_error_row(tmp_path: Path, value: bytes) -> None:
    path = tmp_path / "a.jsonl.gz"
    opening, closing = b'{"url": "u", "html": "<p>a", "x": [', b'"ab"]}\n'
    path.write_bytes(gzip.compress(opening) + packed(value, 48) + gzip.compress(closing))
    pages, (error,) = reading(path)
    assert pages == 1
    assert "values" in error


@pytest.mark.parametrize("markup", [b"<a/>", b"text ", b"<StandardFormat>", b"<!---->", b"<a><b/></a>"])
def test_xml_without_pages_is_an_error_row(tmp_path: Path, markup: bytes) -> None:
    path = tmp_path / "a.xml.gz"
    path.write_bytes(gzip.compress(b"<StandardFormats>") + packed(markup, 256))
    pages, (error,) = reading(path)
    assert pages == 1
    assert "cannot be read beyond page 0" in error


def test_a_page_of_xml_that_is_too_large_is_an_error_row(tmp_path: Path) -> None:
    path = tmp_path / "a.xml.gz"
    page = b'<StandardFormat Url="u"><Text><S><RawString>a</RawString></S></Text></StandardFormat>'
    sentence = b"<S><RawString>a</RawString></S>"
    path.write_bytes(
        gzip.compress(b"<StandardFormats>" + page + b"<StandardFormat><Text>") + packed(sentence, 128)
    )
    pages, (error,) = reading(path)
    assert pages == 2
    assert "16 MB of XML" in error


def response(body: bytes, head: bytes = b"", length: int | None = None) -> bytes:
    """A WARC record of an HTTP response."""
    http = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n" + head + b"\r\n" + body
    size = len(http) if length is None else length - len(body) + len(http)
    return (
        b"WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://a.example/\r\n"
        b"WARC-Record-ID: <urn:uuid:1>\r\nContent-Type: application/http; msgtype=response\r\n"
        b"Content-Length: %d\r\n\r\n" % size
    ) + http


def test_a_record_that_is_too_large_is_an_error_row_and_the_next_is_read(tmp_path: Path) -> None:
    path = tmp_path / "a.warc.gz"
    large = io.BytesIO()
    with gzip.GzipFile(fileobj=large, mode="wb", compresslevel=1) as stream:
        stream.write(response(b"<p>", length=3 + (1 << 30)))
        for _ in range(64):
            stream.write(b"a" * (16 << 20))
        stream.write(b"\r\n\r\n")
    path.write_bytes(large.getvalue() + gzip.compress(response(b"<p>a") + b"\r\n\r\n"))
    pages, (error,) = reading(path)
    assert pages == 2
    assert "more than the 32 MB of a page" in error


def test_a_packed_response_that_is_too_large_is_an_error_row(tmp_path: Path) -> None:
    path = tmp_path / "a.warc.gz"
    record = response(packed(b"a", 800), b"Content-Encoding: gzip\r\n")
    path.write_bytes(gzip.compress(record + b"\r\n\r\n"))
    pages, (error,) = reading(path)
    assert pages == 1
    assert "more than 32 MB unpacked" in error


def test_a_page_that_is_packed_too_well_is_an_error_row(tmp_path: Path) -> None:
    path = tmp_path / "a.html.gz"
    path.write_bytes(packed(b"<b>", 800))
    pages, (error,) = reading(path)
    assert pages == 1
    assert "more than 32 MB" in error


def test_unpacking_stops_at_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "PAGE_BYTES", 1000)
    raw = zlib.compressobj(9, zlib.DEFLATED, RAW_DEFLATE)
    assert len(unpack(raw.compress(b"a" * 1000) + raw.flush(), RAW_DEFLATE)) == 1000
    with pytest.raises(TooLarge):
        unpack(gzip.compress(b"a" * 600) + gzip.compress(b"a" * 401), limits.GZIP_OR_ZLIB)
    with pytest.raises(EOFError):
        unpack(gzip.compress(b"abc")[:-9], limits.GZIP_OR_ZLIB)


def write_parquet(path: Path, html: pa.Array | pa.ChunkedArray, **options: object) -> None:
    table = pa.table({"url": pa.array([f"u{row}" for row in range(len(html))]), "html": html})
    pq.write_table(table, path, compression="zstd", **options)


def test_a_page_that_stands_in_many_rows_is_kept_once(tmp_path: Path) -> None:
    """A dictionary of one page of 8 MB, 500 times: 4 GB where every row has a copy."""
    path = tmp_path / "a.parquet"
    html = pa.DictionaryArray.from_arrays(
        pa.array([0] * 500, pa.int32()), pa.array(["<p>" + "a" * (8 << 20)])
    )
    write_parquet(path, html)
    assert path.stat().st_size < 1 << 16
    pages, (error,) = reading(path)
    assert pages == 8  # 64 MB and one more
    assert "the file has pages of" in error


def test_columns_that_are_packed_too_well_are_an_error_row(tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    write_parquet(path, pa.array(["a" * (1 << 20)] * 300), use_dictionary=False)
    pages, (error,) = reading(path)
    assert pages == 1
    assert "the column html" in error


def test_a_list_of_a_billion_numbers_is_an_error_row(tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    numbers = pa.ListArray.from_arrays(pa.array([0, 1 << 26]), pa.nulls(1 << 26, pa.int8()))
    pq.write_table(pa.table({"url": ["u"], "html": ["<p>"], "x": numbers}), path, compression="zstd")
    pages, (error,) = reading(path)
    assert pages == 1
    assert "the column x" in error


@pytest.mark.parametrize("column", ["html", "url", "title"])
def test_a_cell_that_is_not_utf8_is_an_error_row(tmp_path: Path, column: str) -> None:
    path = tmp_path / "a.parquet"
    broken = pa.array([b"a", b"\xff\xfe\xff", b"b"], pa.binary()).view(pa.string())
    table = pa.table({"url": ["u", "v", "w"], "html": ["<p>a"] * 3, "title": ["t"] * 3})
    pq.write_table(table.set_column(table.schema.get_field_index(column), column, broken), path)
    first, second, third = read_pages([path])
    assert not first.error
    assert second.error.startswith(f"the column {column} is not UTF-8")
    assert second.id == "a.parquet:2"
    assert not third.error


def test_blank_lines_without_end_are_not_read_to_their_end(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl.gz"
    page = b'{"url": "http://a.example/", "html": "<p>a"}\n'
    path.write_bytes(gzip.compress(page + b"\n" * 1_000_000 + page + b"\n" * 1_000_001 + page))
    pages = list(read_pages([str(path)]))
    assert [bool(page.error) for page in pages] == [False, False, True]
    assert "blank lines" in pages[-1].error


@pytest.mark.parametrize(
    "cells",
    [
        {"tags": pa.array([["a"] * (3 << 20)])},
        {"tags": pa.array([[("a", 1)] * (3 << 19)], pa.map_(pa.string(), pa.int8()))},
        {"extra": pa.array(["[" + "1," * (3 << 20) + "1]"])},
        {"url": pa.array(["u" * (33 << 20)])},
    ],
    ids=["list", "map", "extra", "address"],
)
def test_a_cell_that_is_too_large_for_a_page_is_an_error_row(
    tmp_path: Path, cells: dict[str, pa.Array]
) -> None:
    """Such cells took gigabytes as objects of Python, from a file of some kilobytes."""
    path = tmp_path / "a.parquet"
    pq.write_table(pa.table({"url": ["u"], "html": ["<p>x"], **cells}), path, compression="zstd")
    (page,) = read_parquet(path)
    assert next(iter(cells)) in page.error
    assert "more than" in page.error


@pytest.mark.parametrize("name", ["html", "text"])
def test_a_page_of_a_line_is_no_larger_than_that_of_a_file(
    tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ruiji.corpora.rows.PAGE_BYTES", 1000)
    path = tmp_path / "a.jsonl"
    path.write_text("".join(json.dumps({"url": "u", name: "a" * size}) + "\n" for size in (1000, 1001)))
    for as_utf8 in (False, True):
        fits, larger = (page_of_record(record, as_utf8) for record in read_records([path]))
        assert not fits.error
        assert "more than" in larger.error


def many(kind: str, count: int) -> bytes:
    """A packed file of so many pages that are all the same."""
    page = b'<StandardFormat Url="u"/>'
    match kind:
        case "jsonl.gz":
            return gzip.compress(b'{"url":"u","html":"<p>a"}\n' * count)
        case "xml.gz":
            return gzip.compress(b"<StandardFormats>" + page * count + b"</StandardFormats>")
        case "warc.gz":
            return gzip.compress((response(b"a<") + b"\r\n\r\n") * count)
    target = io.BytesIO()
    empty = pa.nulls(count, pa.string())
    pq.write_table(pa.table({"url": empty, "html": empty}), target)
    return target.getvalue()


@pytest.mark.parametrize("kind", ["jsonl.gz", "xml.gz", "warc.gz", "parquet"])
def test_a_file_of_more_pages_than_fit_ends_with_an_error_row(
    tmp_path: Path, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "PAGES_OF_ANY_FILE", 500)
    path = tmp_path / f"a.{kind}"
    path.write_bytes(many(kind, 5000))
    pages = list(read_pages([path]))
    most = limits.most_pages(path.stat().st_size)
    assert len(pages) == most + 1 < 1000
    assert f"more than {most:,} pages" in pages[-1].error
    path.write_bytes(many(kind, 400))
    assert len(list(read_pages([path]))) == 400


def test_a_row_has_a_bound_for_all_its_cells_together(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nine columns of nine megabytes took 1.9 GB until they were written again."""
    monkeypatch.setattr("ruiji.corpora.rows.ROW_BYTES", 1000)
    path = tmp_path / "a.parquet"
    sizes = {"url": ["a", "b"], "html": ["<p>a", "<p>b"], **{f"x{n}": ["a" * 300, "b"] for n in range(4)}}
    pq.write_table(pa.table(sizes), path)
    first, second = read_parquet(path)
    assert "the row has more than" in first.error
    assert not second.error


def with_another_number(body: bytes, number: int, other: int) -> bytes:
    """A Parquet file whose end says another number in the place of one (a zigzag varint of Thrift)."""

    def varint(value: int) -> bytes:
        value, out = value << 1, b""
        while value > 127:
            out, value = out + bytes([value & 127 | 128]), value >> 7
        return out + bytes([value])

    length = int.from_bytes(body[-8:-4], "little")
    end = body[-8 - length : -8].replace(varint(number), varint(other))
    assert end != body[-8 - length : -8]
    return body[: -8 - length] + end + len(end).to_bytes(4, "little") + b"PAR1"


@pytest.mark.parametrize("version", ["1.0", "2.0"])
@pytest.mark.parametrize("dictionary", [True, False])
def test_what_a_column_unpacks_to_is_looked_up_in_its_pages(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, version: str, dictionary: bool
) -> None:
    """58 kB whose end said 5 kB took more than 4 GB."""
    monkeypatch.setattr(limits, "SMALL_UNPACKED", 1 << 20)
    path = tmp_path / "a.parquet"
    table = pa.table({"url": ["a"], "html": ["<p>a"], "x": pa.array([b"a" * (8 << 20)], pa.large_binary())})
    pq.write_table(table, path, compression="zstd", use_dictionary=dictionary, data_page_version=version)
    group = pq.ParquetFile(path).metadata.row_group(0)
    body = with_another_number(path.read_bytes(), group.column(2).total_uncompressed_size, 5000)
    path.write_bytes(with_another_number(body, group.total_byte_size, 9000))
    assert pq.ParquetFile(path).metadata.row_group(0).column(2).total_uncompressed_size == 5000
    (page,) = read_parquet(path)
    assert "the column x has" in page.error


def test_a_damaged_header_of_a_page_ends_the_file(tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    pq.write_table(pa.table({"url": ["a"], "html": ["<p>a"]}), path)
    column = pq.ParquetFile(path).metadata.row_group(0).column(1)
    body = path.read_bytes()
    for damage in (b"\xff" * 9, b"\x1c" * 40, b"\0"):
        place = column.dictionary_page_offset
        path.write_bytes(body[:place] + damage + body[place + len(damage) :])
        (page,) = read_parquet(path)
        assert "cannot be read beyond row 0: the header of a page" in page.error


def test_a_text_that_repeats_in_a_list_is_counted_each_time(tmp_path: Path) -> None:
    """Three kilobytes of a list of two thousand equal texts of a megabyte are two gigabytes in memory."""
    path = tmp_path / "a.parquet"
    texts = pa.ListArray.from_arrays(
        pa.array([0, 100]), pa.DictionaryArray.from_arrays([0] * 100, ["a" * (1 << 20)])
    )
    pq.write_table(pa.table({"url": ["u"], "html": ["<p>x"], "x": texts}), path, compression="zstd")
    (page,) = read_parquet(path)
    assert "the column x has more than" in page.error


def test_pages_of_a_table_that_are_unpacked_together_have_a_bound(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ninety columns of nine megabytes took 3.5 GB before their row could be refused."""
    monkeypatch.setattr(limits, "SMALL_UNPACKED", 1 << 20)
    path = tmp_path / "a.parquet"
    wide = {f"x{n}": [random.Random(n).randbytes(9000).hex() * 5] for n in range(20)}
    pq.write_table(pa.table({"url": ["u"], "html": ["<p>x"], **wide}), path, compression="zstd")
    assert not next(read_parquet(path)).error
    monkeypatch.setattr(limits, "AT_ONCE_SHARE", 2)
    assert "pages of" in next(read_parquet(path)).error


def test_a_table_that_is_cut_while_it_is_read_ends_with_an_error_row(tmp_path: Path) -> None:
    """It was mapped, and the process ended with a bus error."""
    path = tmp_path / "a.parquet"
    texts = [random.Random(number).randbytes(5000).hex() for number in range(200)]
    table = pa.table({"url": [f"u{number}" for number in range(200)], "html": texts})
    pq.write_table(table, path, row_group_size=10)
    pages = read_parquet(path)
    assert not next(pages).error
    os.truncate(path, 1000)
    *whole, last = pages
    assert not any(page.error for page in whole)
    assert "cannot be read beyond row" in last.error


@pytest.mark.parametrize("version", ["1.0", "2.0"])
def test_dictionaries_are_kept_where_values_repeat(tmp_path: Path, version: str) -> None:
    path = tmp_path / "a.parquet"
    table = pa.table({
        "same": ["a" * 1000] * 100, "own": [f"{n}" * 1000 for n in range(100)],
        "numbers": pa.array(range(100)), "list": [["a", "b"]] * 100,
    })  # fmt: skip
    pq.write_table(table, path, data_page_version=version)
    group = pq.ParquetFile(path).metadata.row_group(0)
    with path.open("rb") as stream:
        sizes = [size_of_column(stream, group.column(place)) for place in range(group.num_columns)]
    assert [size.repeats for size in sizes] == [True, False, False, True]
    assert sizes[0].largest_value >= 1000
    pq.write_table(table, path, data_page_version=version, use_dictionary=False)
    group = pq.ParquetFile(path).metadata.row_group(0)
    with path.open("rb") as stream:
        assert not size_of_column(stream, group.column(0)).repeats
