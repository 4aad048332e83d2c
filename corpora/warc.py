"""Pages of web archives: the HTTP responses of status 2xx that are HTML."""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

from fastwarc.warc import ArchiveIterator, WarcRecord, WarcRecordType

from corpora.page import Page

_HTML_TYPES = ("text/html", "application/xhtml+xml")
_GZIP_OR_ZLIB = 47  # zlib's window bits for either header
_RAW_DEFLATE = -15


def read_warc(path: Path) -> Iterator[Page]:
    """The HTML responses of an archive, in order; a damaged archive ends with one error row that says where."""
    last, position, count, failed = "its beginning", 0, 0, False
    try:
        with path.open("rb") as stream:
            # Not auto_decode: after a response that is both chunked and packed the library loses the rest of the archive.
            for record in ArchiveIterator(stream, record_types=WarcRecordType.any_type, parse_http=True, auto_decode="none"):
                last, position = f"record {record.record_id}", record.stream_pos
                page = _page_of_record(record) if record.record_type == WarcRecordType.response else None
                if page is not None:
                    count += 1
                    failed = bool(page.error)
                    yield page
            if not failed:
                _check_end(stream, position, last)
    except Exception as error:  # the library raises its own, OSError and ValueError for damage of different kinds
        name = f"{path.name}:{count + 1}"
        yield Page(name, name, error=f"the archive cannot be read beyond {last}: {error}")


def _check_end(stream: IO[bytes], position: int, last: str) -> None:
    """Raises EOFError where the archive breaks off after its last record, or has none."""
    if last == "its beginning":
        raise EOFError("it holds no record")
    stream.seek(position)
    if stream.read(2) != b"\x1f\x8b":
        return
    stream.seek(position)
    member, rest = zlib.decompressobj(_GZIP_OR_ZLIB), b""
    while data := rest or stream.read(1 << 20):
        member.decompress(data)
        rest = member.unused_data
        if member.eof:
            member = zlib.decompressobj(_GZIP_OR_ZLIB)
            whole = not rest
        else:
            whole = False
    if not whole:
        raise EOFError("the file breaks off within a record")


def _page_of_record(record: WarcRecord) -> Page | None:
    """The page of a response record, None where it is no HTML or no success."""
    http = record.http_headers
    if http is None or not 200 <= (http.status_code or 0) < 300:
        return None
    content_type = http.get("Content-Type") or ""
    url = (record.headers.get("WARC-Target-URI") or "").strip("<>")
    mime = content_type.split(";")[0].strip().lower()
    if mime and mime not in _HTML_TYPES:
        return None
    extra: dict[str, int | str | None] = {"status": http.status_code}
    if crawled := record.headers.get("WARC-Date"):
        extra["crawled"] = crawled
    last_modified = http.get("Last-Modified") or ""
    try:
        body = _payload(record, http)
    except Exception as error:
        return Page(url, url, error=f"the response cannot be read: {error}", extra=extra)
    if not mime and b"<" not in body[:1024]:
        return None
    return Page(url, url, body, content_type, last_modified, extra)


def _payload(record: WarcRecord, http: Any) -> bytes:
    """The body without chunks and packing. Raises EOFError or ValueError where that cannot be."""
    size = record.content_length
    body = bytes(record.reader.read())
    if len(body) < size:
        raise EOFError(f"it ends after {len(body)} of {size} bytes")
    if "chunked" in (http.get("Transfer-Encoding") or "").lower():
        body = _joined_chunks(body)
    packing = (http.get("Content-Encoding") or "").strip().lower()
    if packing in ("gzip", "x-gzip", "deflate"):
        try:
            zlib_header = packing != "deflate" or body[:1] == b"x"
            return zlib.decompressobj(_GZIP_OR_ZLIB if zlib_header else _RAW_DEFLATE).decompress(body)
        except zlib.error:
            return body  # some crawlers unpack and leave the header
    if packing not in ("", "identity") and b"<" not in body[:1024]:
        raise ValueError(f"it is packed with {packing}")
    return body


def _joined_chunks(body: bytes) -> bytes:
    """The body of a chunked response; as it stands where the crawler has joined the chunks and left the header."""
    pieces: list[bytes] = []
    position = 0
    while (end := body.find(b"\r\n", position, position + 64)) > 0:
        try:
            size = int(body[position:end].partition(b";")[0], 16)
        except ValueError:
            break
        if not size:
            return b"".join(pieces)
        pieces.append(body[end + 2 : end + 2 + size])
        position = end + 2 + size + 2
    return b"".join(pieces) if pieces else body
