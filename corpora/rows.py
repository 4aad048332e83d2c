"""Pages in JSONL and Parquet: one row a page, with at least ``url`` and ``html``, or ``text`` in its
place.
"""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from operator import attrgetter
from pathlib import Path
from pickle import PickleBuffer
from typing import IO, Any, cast

from ruiji.corpora.c_modules import compiled
from ruiji.corpora.encoding.decoding import decode
from ruiji.corpora.encoding.sniffing import NotHtml
from ruiji.corpora.files import replacing
from ruiji.corpora.limits import (
    LINE_BYTES,
    LINE_VALUES,
    PAGE_BYTES,
    READING_ERRORS,
    TooLarge,
    megabytes,
    most_at_once,
    most_unpacked,
    open_file,
)
from ruiji.corpora.lines import bounded_lines
from ruiji.corpora.page import InputError, Page, PageRecord, page_of_text, well_formed
from ruiji.corpora.parquet_sizes import size_of_cells, size_of_column

try:
    import orjson as _orjson
except ImportError:
    _orjson = None  # type: ignore[assignment]

LEAST_ROUNDED = 2.0**63  # what orjson reads as an integer is smaller
ROWS_PER_GROUP = 256  # a row group is what is held in memory when it is written or read
BYTES_PER_GROUP = 64 << 20
ROW_BYTES = LINE_BYTES  # of all columns of a row: it is one page, as a line of JSON is
LONGEST_SKIP = 1 << 30  # bytes of a line that is passed over; what is longer ends the file
BLANK_LINES = 1_000_000  # one behind the other; three megabytes of gzip can hold billions
EXTRA_COLUMN = "extra"  # where write_parquet puts fields that are not common to all pages
# Inside a string quotation marks have a backslash before them, so a markup that talks of JSON does not match.
_URL = re.compile(rb'"url"\s*:\s*"((?:[^"\\]|\\.)*)"')
_FIELDS = ("id", "url", "html", "content_type", "last_modified")


@dataclass(frozen=True, slots=True)
class JsonLine:
    """A line of JSONL, with the name of its place for messages."""

    data: bytes | memoryview
    name: str

    @property
    def size(self) -> int:
        """Bytes of the line."""
        return len(self.data)

    @property
    def address(self) -> str:
        """The first thing in the line that is called url."""
        found = _URL.search(self.data)
        return found.group(1).decode("utf-8", "replace").replace("\\/", "/") if found else ""

    def __reduce_ex__(self, protocol: Any) -> Any:
        """The bytes as a buffer, which need not go where the rest of a pickle goes."""
        return JsonLine, (PickleBuffer(self.data) if int(protocol) >= 5 else self.data, self.name)

    def page(self, as_utf8: bool = False) -> Page:
        """The page of the line; one that is no page is an error row. ``as_utf8``: its markup may come as
        UTF-8, with ``is_text``.
        """
        in_c = compiled("ruiji.corpora._json_line")
        parts = in_c.html_of_line(self.data) if as_utf8 and in_c is not None else None
        if parts is not None and len(parts[0]) <= PAGE_BYTES:
            page = _page_from_line(parts[1], self.name)
            if not page.error:
                return replace(page, html=parts[0], is_text=True)
        return _page_from_line(bytes(self.data), self.name)


def read_lines(path: Path) -> Iterator[PageRecord]:
    """The lines of a file of pages, unread; one that is too long is an error row."""
    number = blank = 0
    try:
        with open_file(path) as stream:
            for line in bounded_lines(stream, LINE_BYTES, LONGEST_SKIP):
                number += 1
                name = f"{path.name}:{number}"
                if line is None:
                    yield Page(name, name, error=f"the line is longer than {megabytes(LINE_BYTES)}")
                elif not line.isspace():
                    blank = 0
                    yield JsonLine(line, name)
                elif (blank := blank + 1) > BLANK_LINES:
                    said = f"{blank:,} blank lines follow each other; the rest is not read"
                    yield Page(name, name, error=said)
                    return
    except READING_ERRORS as error:
        name = f"{path.name}:{number + 1}"
        yield Page(name, name, error=f"the file cannot be read beyond line {number}: {error}")


def _page_from_line(line: bytes, name: str) -> Page:
    values = _most_values(line)
    if values > LINE_VALUES:  # each takes dozens of bytes for the two that it has in the line
        return Page(name, name, error=f"the line has {values} values; a page has {LINE_VALUES} at most")
    try:
        row = _json_of(line)
    except (ValueError, RecursionError) as error:
        return Page(name, name, error=f"not JSON: {error}")
    if not isinstance(row, dict):
        return Page(name, name, error="not a JSON object with url and html")
    return page_from_row(row, name)


def _json_of(line: bytes) -> Any:
    """The value that a line of JSON holds. Raises ValueError, RecursionError.

    orjson takes half the time. What it refuses and Python's reader takes is left to that: lone surrogates,
    NaN, other encodings than UTF-8; so are numbers that it would round.
    """
    if _orjson is not None:
        try:
            value = _orjson.loads(line)
        except ValueError:
            return json.loads(line)
        if not _is_rounded(value):
            return value
    return json.loads(line)


def _is_rounded(value: Any) -> bool:
    """Whether a number in it may have been an integer of more than 64 bits."""
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list):  # mostly of texts, which need not be asked
        return any(_is_rounded(item) for item in value if not isinstance(item, str))
    return isinstance(value, float) and abs(value) >= LEAST_ROUNDED


def _most_values(line: bytes) -> int:
    """How many values a line of JSON can have; they are counted only where they can be too many."""
    if len(line) <= LINE_VALUES:
        return len(line)
    return line.count(b"[") + line.count(b"{") + (line.count(b'"') - line.count(b'\\"')) // 2


def page_from_row(row: Mapping[str, Any], name: str) -> Page:
    """The page of a table row, or an error page under ``name`` where url or html is missing."""
    html = row.get("html")
    names = [_text(row, "id"), _text(row, "url") or _nested_url(row)]
    if not any(names):
        if not isinstance(row.get("text"), str):
            return Page(name, name, error="the row has no url")
        names = [name, name]  # a text that nobody named is known by its place
    page_id, url = (
        names[0] or names[1],
        names[1] or names[0],
    )  # some collections have pages whose address nobody kept
    extra = {key: value for key, value in row.items() if key not in _FIELDS}
    if max(_length(html), _length(extra.get("text"))) > PAGE_BYTES:
        return Page(page_id, url, error=f"the page has more than {megabytes(PAGE_BYTES)}")
    if not isinstance(html, (str, bytes)):
        error = extra.pop("error", None)
        if isinstance(text := extra.get("text"), str) and not error:
            extra.pop("text")
            return page_of_text(text, page_id, url, _text(row, "title"), _text(row, "last_modified"), extra)
        return Page(
            page_id, url, extra=extra, error=str(error or "the row has no html (text or bytes) and no text")
        )
    return Page(page_id, url, html, _text(row, "content_type"), _text(row, "last_modified"), extra)


def _length(value: Any) -> int:
    return len(value) if isinstance(value, (str, bytes)) else 0


def _nested_url(row: Mapping[str, Any]) -> str:
    """The url in a row's metadata, where datatrove has it."""
    metadata = row.get("metadata")
    return _text(metadata, "url") if isinstance(metadata, Mapping) else ""


def _text(row: Mapping[str, Any], key: str) -> str:
    value = row.get(key)
    if value is None:
        return ""
    return well_formed(value.isoformat() if hasattr(value, "isoformat") else str(value))


def open_parquet(path: Path) -> Any:
    """The Parquet file. Raises InputError where it is none, or has no pages."""
    import pyarrow
    import pyarrow.parquet

    try:
        file = pyarrow.parquet.ParquetFile(path)
    except (OSError, pyarrow.ArrowException) as error:
        raise InputError(f"{path}: cannot be read as Parquet: {error}") from error
    names = set(file.schema_arrow.names)
    missing = set() if "text" in names else {"url", "html"} - names
    if missing:
        file.close()
        raise InputError(f"{path}: the table has no column {' and no column '.join(sorted(missing))}")
    return file


def read_parquet(path: Path) -> Iterator[Page]:
    """A page a row, few rows in memory at a time; a row that cannot be read is an error row named by its
    place.
    """
    import pyarrow
    import pyarrow.parquet

    number = 0
    with open_parquet(path) as file, path.open("rb") as stream:
        try:
            for group in range(file.num_row_groups):
                rows, repeating = _reading_of_group(file.metadata.row_group(group), stream)
                # Values that repeat are kept once: a dictionary of one large page may stand in a million
                # rows, or in a list of one.
                with pyarrow.parquet.ParquetFile(
                    path, metadata=file.metadata, read_dictionary=repeating, pre_buffer=False
                ) as opened:
                    for batch in opened.iter_batches(rows, row_groups=[group]):
                        for row in range(batch.num_rows):
                            number += 1
                            yield _page_from_cells(batch, row, f"{path.name}:{number}")
        except (OSError, TooLarge, pyarrow.ArrowException) as error:
            name = f"{path.name}:{number + 1}"
            yield Page(name, name, error=f"the file cannot be read beyond row {number}: {error}")


def _reading_of_group(group: Any, stream: IO[bytes]) -> tuple[int, list[str]]:
    """How many rows of a group to read at once, by the largest that they can be, and the columns whose values
    repeat. Raises TooLarge for a group that is much larger than its packed form; the columns count together,
    since many small bombs are a large one.
    """
    columns = [group.column(place) for place in range(group.num_columns)]
    sizes = [size_of_column(stream, column) for column in columns]
    packed = sum(column.total_compressed_size for column in columns)
    for most, kind, bytes_of in (
        (most_unpacked(packed), "", attrgetter("memory")),
        (most_at_once(packed), "pages of ", attrgetter("largest_page")),
    ):
        if sum(map(bytes_of, sizes)) > most:
            named = zip(map(bytes_of, sizes), (column.path_in_schema for column in columns), strict=True)
            size, name = max(named)
            raise TooLarge(
                f"the column {name} has {kind}{megabytes(size)}, all have {packed} bytes in the file"
            )
    row_bytes = sum(size.largest_value for size in sizes if not size.repeats)
    rows = max(1, min(ROWS_PER_GROUP, int(BYTES_PER_GROUP / max(1.0, row_bytes))))
    return rows, [column.path_in_schema for column, size in zip(columns, sizes, strict=True) if size.repeats]


def _page_from_cells(batch: Any, row: int, name: str) -> Page:
    """The page of a row of Parquet, or an error page that says which cell is at fault."""
    cells, left = {}, ROW_BYTES
    for field, column in zip(batch.schema.names, batch.columns, strict=True):
        try:
            size = size_of_cells(column.slice(row, 1))
            left -= size
            if size > PAGE_BYTES:
                what = "page" if field == "html" else f"column {field}"
                raise TooLarge(f"the {what} has more than {megabytes(PAGE_BYTES)} in a row")
            if left < 0:
                raise TooLarge(f"the row has more than {megabytes(ROW_BYTES)} up to the column {field}")
            cells[field] = column[row].as_py()
        except TooLarge as error:
            return Page(name, name, error=str(error))
        except UnicodeDecodeError as error:
            return Page(name, name, error=f"the column {field} is not UTF-8: {error}")
    try:
        return page_from_row(_unpacked(cells), name)
    except TooLarge as error:
        return Page(name, name, error=str(error))


def _unpacked(row: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of a Parquet row that have a value, with those of the JSON column ``extra`` among them.

    Raises TooLarge where that has too many values.
    """
    present = {key: value for key, value in row.items() if value is not None}
    text = present.get(EXTRA_COLUMN)
    if isinstance(text, str) and len(text) > LINE_VALUES and text.count(",") > LINE_VALUES:
        raise TooLarge(f"the column {EXTRA_COLUMN} has more than {LINE_VALUES} values in a row")
    try:
        extra = json.loads(text or "")
    except (ValueError, TypeError, RecursionError):
        return present
    if not isinstance(extra, dict):
        return present
    del present[EXTRA_COLUMN]
    return extra | present


def write_jsonl(pages: Iterable[Page], destination: Path) -> list[str]:
    """Writes a line a page, ``html`` as text; returns what could not be written whole, a sentence a page."""
    problems = []
    with replacing(destination) as plain, _packed(plain, destination.name) as stream:
        for page in pages:
            row, problem = _text_row(page)
            problems += [f"{page.id}: {problem}"] if problem else []
            stream.write(json.dumps(row, ensure_ascii=False, default=str).encode("utf-8", "replace") + b"\n")
    return problems


@contextmanager
def _packed(stream: IO[bytes], name: str) -> Iterator[IO[bytes]]:
    """The stream, through gzip where the name says so; without a time stamp, so that equal input gives equal
    bytes.
    """
    if not name.endswith(".gz"):
        yield stream
        return
    with gzip.GzipFile(filename="", fileobj=stream, mode="wb", mtime=0) as packed:
        yield cast(IO[bytes], packed)


def _text_row(page: Page) -> tuple[dict[str, Any], str]:
    row: dict[str, Any] = {"id": page.id, "url": page.url, "html": ""}
    if page.content_type:
        row["content_type"] = page.content_type
    if page.last_modified:
        row["last_modified"] = page.last_modified
    row |= page.extra
    if page.error:
        return row | {"html": None, "error": page.error}, page.error
    try:
        decoded = decode(page)
    except NotHtml as error:
        return row | {"html": None, "error": str(error)}, str(error)
    lost = (
        f"{decoded.undecodable} places cannot be decoded as {decoded.encoding}" if decoded.undecodable else ""
    )
    return row | {"html": decoded.text, "encoding": decoded.encoding}, lost


def write_parquet(pages: Iterable[Page], destination: Path) -> list[str]:
    """Writes a row a page, ``html`` as the bytes it came in; returns what could not be written, a sentence a
    page.

    Fields that have no column of their own go, as JSON, into the column ``extra``.
    """
    import pyarrow
    import pyarrow.parquet

    names = [*_FIELDS, EXTRA_COLUMN, "error"]
    schema = pyarrow.schema(
        [(name, pyarrow.binary() if name == "html" else pyarrow.string()) for name in names]
    )
    problems = []
    rows: list[dict[str, Any]] = []
    size = 0
    with (
        replacing(destination) as stream,
        pyarrow.parquet.ParquetWriter(stream, schema, compression="zstd") as writer,
    ):
        for page in pages:
            if page.error:
                problems.append(f"{page.id}: {page.error}")
            rows.append(_bytes_row(page))
            size += len(page.html)
            if len(rows) == ROWS_PER_GROUP or size >= BYTES_PER_GROUP:
                writer.write_table(pyarrow.Table.from_pylist(rows, schema))
                rows, size = [], 0
        if rows:
            writer.write_table(pyarrow.Table.from_pylist(rows, schema))
    return problems


def _bytes_row(page: Page) -> dict[str, Any]:
    html, content_type, extra = page.html, page.content_type, dict(page.extra)
    if isinstance(html, str):  # bytes carry no encoding; the header of a page that was text says UTF-8
        decoded = decode(page)
        html, content_type = decoded.utf8, "text/html; charset=utf-8"
        extra["encoding"] = decoded.encoding
    texts = {
        "id": page.id, "url": page.url, "content_type": content_type, "last_modified": page.last_modified,
        "error": page.error or None,
        EXTRA_COLUMN: json.dumps(extra, ensure_ascii=False, default=str) if extra else None,
    }  # fmt: skip
    clean = {key: value and value.encode("utf-8", "replace").decode("utf-8") for key, value in texts.items()}
    return clean | {"html": None if page.error else html}
