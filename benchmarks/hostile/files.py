"""Files under ten megabytes that are made to cost gigabytes or hours, of every format.

Each maker takes a random source, which chooses its sizes, and writes one file into a folder.
"""

from __future__ import annotations

import gzip
import io
import json
import random
import struct
import zlib
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from benchmarks.hostile.shapes import SHAPES

MOST_BYTES = 10_000_000  # of a file as it comes
MEGABYTE = 1 << 20
Maker = Callable[[random.Random], bytes]


def packed(pieces: Iterable[bytes], level: int = 9) -> bytes:
    """The pieces as one gzip member."""
    target = io.BytesIO()
    with gzip.GzipFile(fileobj=target, mode="wb", compresslevel=level, mtime=0) as stream:
        for piece in pieces:
            stream.write(piece)
    return target.getvalue()


def repeated(unit: bytes, size: int) -> Iterable[bytes]:
    """About so many bytes of the unit, in pieces of a megabyte."""
    piece = unit * (MEGABYTE // len(unit) + 1)
    for _ in range(size // len(piece)):
        yield piece
    yield unit * (size % len(piece) // len(unit))


def _line(begin: str, unit: str, end: str, megabytes: tuple[int, int]) -> Maker:
    """A packed line of JSON with something that repeats, of so many megabytes, and a good line behind it."""

    def make(random_: random.Random) -> bytes:
        size = random_.randint(*megabytes) * MEGABYTE
        good = b'\n{"url": "http://good.example/", "html": "<p>It rained all day."}\n'
        return packed([begin.encode(), *repeated(unit.encode(), size), end.encode(), good], 6)

    return make


def _lines(unit: str, count: tuple[int, int]) -> Maker:
    """So many lines; ``%d`` counts."""

    def make(random_: random.Random) -> bytes:
        number = random_.randint(*count)
        if "%d" in unit:
            return packed(_numbered(unit, number), 6)
        return packed(repeated((unit + "\n").encode(), number * (len(unit) + 1)), 6)

    return make


def _numbered(unit: str, number: int) -> Iterable[bytes]:
    for start in range(0, number, 10_000):
        yield "".join(unit % n + "\n" for n in range(start, min(number, start + 10_000))).encode()


def _markup(shape: str, megabytes: tuple[int, int], encoding: str = "utf-8") -> Maker:
    """A packed page of a shape of so many megabytes."""

    def make(random_: random.Random) -> bytes:
        page = SHAPES[shape].page(random_.randint(*megabytes) * MEGABYTE)
        return packed([page.decode().encode(encoding, "replace")], 6)

    return make


def _nested_gzip(random_: random.Random) -> bytes:
    body = b"<p>a"
    for _ in range(random_.randint(2, 5)):
        body = gzip.compress(body * 1000)
    return body


def _xml(begin: str, unit: str, end: str, megabytes: tuple[int, int]) -> Maker:
    def make(random_: random.Random) -> bytes:
        size = random_.randint(*megabytes) * MEGABYTE
        return packed([begin.encode(), *repeated(unit.encode(), size), end.encode()], 6)

    return make


def _laughs(random_: random.Random) -> bytes:
    entities = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, random_.randint(9, 30)))
    return (
        f'<!DOCTYPE StandardFormats [<!ENTITY l0 "laugh">{entities}'
        '<!ENTITY file SYSTEM "file:///etc/hostname">]><StandardFormats><StandardFormat Url="&l8;"><Text><S>'
        "<RawString>&l8;&file;</RawString></S></Text></StandardFormat></StandardFormats>"
    ).encode()


def record(body: bytes, head: bytes = b"", url: bytes = b"http://a.example/") -> bytes:
    """A WARC record of an HTTP response."""
    http = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n" + head + b"\r\n" + body
    return (
        (
            b"WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: "
            + url
            + b"\r\nWARC-Record-ID: <urn:uuid:1>\r\n"
            b"Content-Type: application/http; msgtype=response\r\nContent-Length: %d\r\n\r\n" % len(http)
        )
        + http
        + b"\r\n\r\n"
    )


def _warc(kind: str) -> Maker:
    good = record(b"<p>It rained all day.", url=b"http://good.example/")

    def make(random_: random.Random) -> bytes:
        many = random_.randint(40, 60) * MEGABYTE
        match kind:
            case "gzip body":
                bad = record(packed(repeated(b"<b>a", 20 * many)), b"Content-Encoding: gzip\r\n")
            case "gzip body at the limit":
                bad = record(packed(repeated(b"<td>a", many)), b"Content-Encoding: gzip\r\n")
            case "deflate body":
                bad = record(zlib.compress(b"<b>a" * (many // 4)), b"Content-Encoding: deflate\r\n")
            case "chunks":
                bad = record(b"1\r\na\r\n" * (many // 6) + b"0\r\n\r\n", b"Transfer-Encoding: chunked\r\n")
            case "http head":
                bad = record(b"<p>a", b"".join(repeated(b"X-A: b\r\n", many)))
            case "one long header":
                bad = record(b"<p>a", b"X-A: " + b"a" * many + b"\r\n")
            case "long address":
                bad = record(b"<p>a", url=b"http://a.example/" + b"a" * many)
            case "warc head":
                bad = b"WARC/1.0\r\n" + b"X-A: b\r\n" * (many // 8) + b"\r\n"
            case "lying length":
                bad = record(b"<p>a").replace(b"Content-Length: ", b"Content-Length: 99999999")
            case "negative length":
                bad = record(b"<p>a").replace(b"Content-Length: ", b"Content-Length: -")
            case "many records":
                return packed([record(b"a")] * random_.randint(200_000, 400_000), 6)
            case _:
                raise ValueError(kind)
        return gzip.compress(good) + packed([bad], 6) + gzip.compress(good)

    return make


def _parquet(kind: str) -> Maker:
    def make(random_: random.Random) -> bytes:
        import pyarrow as pa
        import pyarrow.parquet as pq

        target, size = io.BytesIO(), 1 if kind == "row groups" else None
        table = _table(kind, random_, pa)
        pq.write_table(table, target, compression="zstd", row_group_size=size)
        body = target.getvalue()
        return _lying_rows(body, table.num_rows) if kind == "lying rows" else body

    return make


def _lying_rows(body: bytes, rows: int) -> bytes:
    """The file with another number of rows in its footer (a zigzag varint of Thrift)."""

    def varint(value: int) -> bytes:
        value, out = value << 1, b""
        while value > 127:
            out, value = out + bytes([value & 127 | 128]), value >> 7
        return out + bytes([value])

    at = struct.unpack("<I", body[-8:-4])[0]
    footer = body[-8 - at : -8].replace(varint(rows), varint(2_000_000))
    return body[: -8 - at] + footer + struct.pack("<I", len(footer)) + b"PAR1"


def _table(kind: str, random_: random.Random, pa: Any) -> Any:
    few = random_.randint(3, 9)
    many = random_.randint(2_000_000, 6_000_000)
    page = {"url": ["http://a.example/"] * few, "html": ["<p>It rained."] * few}
    match kind:
        case "empty rows":
            empty = pa.nulls(many, pa.string())
            return pa.table({"url": empty, "html": empty})
        case "equal rows":
            return pa.table({"url": _same(pa, "u", many), "html": _same(pa, "<p>a", many)})
        case "dictionary of one page":
            return pa.table({"url": _same(pa, "u", 9000), "html": _same(pa, "<p>a" * 2_000_000, 9000)})
        case "list of texts":
            texts = pa.ListArray.from_arrays(pa.array([0, *[many] * few], pa.int32()), _same(pa, "a", many))
            return pa.table({**page, "x": texts})
        case "deep lists":
            column = pa.array(["a"] * few)
            for _ in range(random_.randint(50, 120)):
                column = pa.ListArray.from_arrays(pa.array(range(few + 1), pa.int32()), column)
            return pa.table({**page, "x": column})
        case "structs":
            inner = pa.StructArray.from_arrays([pa.nulls(many, pa.int8())] * 9, [f"a{n}" for n in range(9)])
            lists = pa.ListArray.from_arrays(pa.array([0, *[many] * few], pa.int32()), inner)
            return pa.table({**page, "x": lists})
        case "map":
            maps = pa.MapArray.from_arrays(
                pa.array([0, *[many] * few], pa.int32()), _same(pa, "a", many), _same(pa, "b", many)
            )
            return pa.table({**page, "x": maps})
        case "columns":
            return pa.table({**page, **{f"x{n}": ["a"] * few for n in range(few * 3000)}})
        case "wide texts":
            return pa.table({**page, **{f"x{n}": ["a" * 9_000_000] * few for n in range(9)}})
        case "row groups":
            number = few * 1000
            return pa.table({"url": [f"u{n}" for n in range(number)], "html": ["<p>a"] * number})
        case "lying rows" | "":
            return pa.table(page)
        case "extra":
            text = json.dumps({"a": ["b"] * (few * 4_000_000)})
            return pa.table({**page, "extra": [text] * few})
        case "long address":
            return pa.table({**page, "url": ["http://a.example/" + "a" * (few * 20 * MEGABYTE)] * few})
        case "long text":
            text = "It rained all day, and nobody went out. " * (few * 2 * MEGABYTE // 4)
            return pa.table({"url": page["url"], "text": [text] * few})
        case "text":
            text = "It rained all day, and nobody went out. " * (few * MEGABYTE // 40 * 5)
            return pa.table({"url": page["url"], "text": [text] * few})
        case "odd types":
            import datetime

            return pa.table({
                "url": pa.array([datetime.datetime(2000, 1, 1)] * few, pa.timestamp("ns")),
                "html": pa.array([b"\xff\xfe<\0p\0"] * few),
                "id": pa.array([datetime.timedelta(1)] * few), "title": pa.nulls(few),
                "extra": pa.array([b"{"] * few),
                "last_modified": pa.array([{"a": 1}] * few), "content_type": pa.array([[1]] * few),
            })  # fmt: skip
        case "numbers for pages":
            return pa.table({"url": pa.array(range(few)), "html": pa.array(range(few))})
    raise ValueError(kind)


def _same(pa: Any, value: str, count: int) -> Any:
    return pa.DictionaryArray.from_arrays(pa.array([0]).take(pa.array([0] * count, pa.int8())), [value]).cast(
        pa.dictionary(pa.int64(), pa.string())
    )


_HTML = '{"url": "http://a.example/", "html": "'
FILES: Mapping[str, Maker] = {
    "line of 1-3 GB.jsonl.gz": _line(_HTML, "a", '"}', (1000, 3000)),
    "page of letters.jsonl.gz": _line(_HTML, "a", '"}', (40, 60)),
    "page of kanji.jsonl.gz": _line(_HTML + "<p>", "\\u6f22", '"}', (40, 60)),
    "page of bold.jsonl.gz": _line(_HTML, "<b>", '"}', (40, 60)),
    "page of cells.jsonl.gz": _line(_HTML + "<table><tr>", "<td>a", '"}', (40, 60)),
    "page of links.jsonl.gz": _line(_HTML, "<a href=/a>a</a>", '"}', (40, 60)),
    "page of paragraphs.jsonl.gz": _line(_HTML, "<p>It rained.", '"}', (40, 60)),
    "long address.jsonl.gz": _line('{"html": "<p>a", "url": "http://a.example/', "a/", '"}', (40, 60)),
    "long title.jsonl.gz": _line('{"url": "u", "html": "<p>a", "title": "', "a ", '"}', (40, 60)),
    "long id.jsonl.gz": _line('{"url": "u", "html": "<p>a", "id": "', "\\u001b[2J", '"}', (40, 60)),
    "long type.jsonl.gz": _line('{"url": "u", "html": "<p>a", "content_type": "', "html;", '"}', (40, 60)),
    "long date.jsonl.gz": _line('{"url": "u", "html": "<p>a", "last_modified": "', "1 Jan ", '"}', (40, 60)),
    "text.jsonl.gz": _line('{"url": "u", "text": "', "It rained all day, and nobody went. ", '"}', (40, 60)),
    "text of one word.jsonl.gz": _line('{"url": "u", "text": "', "a", '"}', (40, 60)),
    "text of full stops.jsonl.gz": _line('{"url": "u", "text": "', "。", '"}', (20, 60)),
    "content.jsonl.gz": _line(_HTML + '<p>a b a", "main_content": "', "a b ", '"}', (20, 60)),
    "values.jsonl.gz": _line('{"url": "u", "html": "<p>a", "x": [', "1,", '1]}', (40, 60)),
    "texts.jsonl.gz": _line('{"url": "u", "html": "<p>a", "x": [', '"",', '""]}', (3, 5)),
    "depth.jsonl.gz": _line('{"url": "u", "html": "<p>a", "x": ', "[", "}", (1, 2)),
    "a number.jsonl.gz": _line('{"url": "u", "html": "<p>a", "x": ', "9", "}", (1, 60)),
    "blank lines.jsonl.gz": _line("", "\n", "", (500, 2000)),
    "blank pages.jsonl.gz": _lines("{}", (2_000_000, 6_000_000)),
    "equal pages.jsonl.gz": _lines('{"url":"u","html":"<p>a"}', (2_000_000, 6_000_000)),
    "tiny pages.jsonl.gz": _lines('{"url":"u%d","html":"<p>a"}', (200_000, 400_000)),
    "tiny sites.jsonl.gz": _lines('{"url":"http://a%d.example/","html":"<p>a<p>b"}', (200_000, 400_000)),
    "letters.html.gz": _line("", "a", "", (50, 62)),
    "comments.html.gz": _markup("comments", (50, 62)),
    "attributes.html.gz": _markup("attributes", (20, 30)),
    "cells in UTF-16.html.gz": _markup("cells", (15, 30), "utf-16"),
    "links in EUC-JP.html.gz": _markup("links", (20, 30), "euc-jp"),
    "people.html.gz": _markup("people", (10, 20)),
    "by-lines.html.gz": _markup("by-lines", (20, 30)),
    "sentences.html.gz": _markup("headings with text", (20, 30)),
    "tags of their own.html.gz": _markup("tags of their own", (20, 30)),
    "formulas.html.gz": _markup("formulas", (20, 30)),
    "references.html.gz": _markup("long references", (40, 60)),
    "nested.html.gz": _nested_gzip,
    "laughs.xml": _laughs,
    "elements.xml.gz": _xml("<StandardFormats>", "<a/>", "", (500, 1500)),
    "attribute.xml.gz": _xml('<StandardFormats><StandardFormat Url="', "a", '"/>', (20, 1000)),
    "depth.xml.gz": _xml("<StandardFormats>", "<a>", "", (10, 20)),
    "pages.xml.gz": _xml("<StandardFormats>", '<StandardFormat Url="u"/>', "", (50, 200)),
    "sentences.xml.gz": _xml(
        '<StandardFormats><StandardFormat Url="u"><Text>', "<S><RawString>a</RawString></S>",
        "</Text></StandardFormat></StandardFormats>", (14, 16)),
    "links.xml.gz": _xml(
        '<StandardFormats><StandardFormat Url="u"><Header><OutLinks>',
        '<OutLink><RawString>a</RawString><DocIDs><DocID Url="u"/></DocIDs></OutLink>',
        "</OutLinks></Header></StandardFormat></StandardFormats>", (14, 16)),
    "doctype.xml.gz": _xml("<!DOCTYPE a [", '<!ENTITY a "b">', "]><a/>", (50, 100)),
    **{f"{kind}.warc.gz": _warc(kind) for kind in (
        "gzip body", "gzip body at the limit", "deflate body", "chunks", "http head", "one long header",
        "long address", "warc head", "lying length", "negative length", "many records")},
    **{f"{kind}.parquet": _parquet(kind) for kind in (
        "empty rows", "equal rows", "dictionary of one page", "list of texts", "deep lists", "structs", "map",
        "columns", "wide texts", "row groups", "lying rows", "extra", "long address", "long text", "text",
        "odd types", "numbers for pages")},
}  # fmt: skip


def write_file(name: str, folder: Path, seed: int) -> Path:
    """Writes the file of that name; how large it unpacks depends on the seed."""
    path = folder / name
    path.write_bytes(FILES[name](random.Random(f"{seed} {name}")))
    return path
