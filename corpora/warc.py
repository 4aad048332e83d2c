"""Pages of web archives: the HTTP responses of status 2xx that are HTML."""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

from fastwarc.warc import ArchiveIterator, WarcRecord, WarcRecordType

from ruiji.corpora.limits import GZIP_OR_ZLIB, PAGE_BYTES, RAW_DEFLATE, megabytes, unpack
from ruiji.corpora.page import Page

_HTML_TYPES = ("text/html", "application/xhtml+xml")
_PIECE = 1 << 20  # bytes that are unpacked at once
_MAX_HEAD = 1 << 16  # of a record's own header lines
_BLANK = b" \t\r\n\f\xef\xbb\xbf"  # white space and UTF-8's byte-order mark
_GZIP = b"\x1f\x8b"  # the first bytes of a member
_CHUNK_SIZE = re.compile(rb"[0-9a-fA-F]{1,8}[ \t]*(?:;[^\r\n]*)?\r\n")
_CONTENT_LENGTH = re.compile(rb"^content-length:\s*(\d+)", re.IGNORECASE | re.MULTILINE)


def read_warc(path: Path) -> Iterator[Page]:
    """The HTML responses of an archive, in order; a damaged archive ends with one error row that says
    where.
    """
    last, position, count, failed = "its beginning", 0, 0, False
    try:
        with path.open("rb") as stream:
            # Not auto_decode: after a response that is both chunked and packed the library loses the rest of
            # the archive.
            for record in ArchiveIterator(
                stream, record_types=WarcRecordType.any_type, parse_http=False, auto_decode="none"
            ):
                last, position = f"record {record.record_id}", record.stream_pos
                page = _page_of_record(record) if record.record_type == WarcRecordType.response else None
                if page is not None:
                    count += 1
                    failed = bool(page.error)
                    yield page
            if not failed:
                _check_end(stream, position, last)
    except (
        Exception
    ) as error:  # the library raises its own, OSError and ValueError for damage of different kinds
        name = f"{path.name}:{count + 1}"
        yield Page(name, name, error=f"the archive cannot be read beyond {last}: {error}")


def _check_end(stream: IO[bytes], position: int, last: str) -> None:
    """Raises EOFError where the archive breaks off after its last record, or has none."""
    if last == "its beginning":
        raise EOFError("it holds no record")
    stream.seek(0)
    if stream.read(2) == _GZIP:
        stream.seek(position)
        if stream.read(2) != _GZIP:  # packed as a whole, not record by record
            stream.seek(2)
        whole = _gzip_ends_whole(stream)
    else:
        whole = _plain_ends_whole(stream, position)
    if not whole:
        raise EOFError("the file breaks off within a record")


def _gzip_ends_whole(stream: IO[bytes]) -> bool:
    """Whether the gzip members from two bytes before here on are all complete."""
    stream.seek(-2, 1)
    member, rest, whole = zlib.decompressobj(GZIP_OR_ZLIB), b"", True
    while data := rest or stream.read(1 << 20):
        member.decompress(data, _PIECE)
        rest, whole = member.unconsumed_tail or member.unused_data, member.eof
        if whole:
            member = zlib.decompressobj(GZIP_OR_ZLIB)
    while not whole and member.decompress(b"", _PIECE):  # what it still holds back
        whole = member.eof
    return whole


def _plain_ends_whole(stream: IO[bytes], position: int) -> bool:
    """Whether nothing but white space follows the record that starts at a position."""
    stream.seek(position)
    head = stream.read(_MAX_HEAD)
    length = _CONTENT_LENGTH.search(head)
    end = head.find(b"\r\n\r\n")
    if not length or end < 0:
        return False
    stream.seek(position + end + 4 + int(length.group(1)))
    return not stream.read(_MAX_HEAD).strip()


def _page_of_record(record: WarcRecord) -> Page | None:
    """The page of a response record, None where it is no HTML or no success."""
    url = (record.headers.get("WARC-Target-URI") or "").strip("<>")
    if record.content_length > PAGE_BYTES:  # before anything of it is read
        size = megabytes(record.content_length)
        return Page(
            url, url, error=f"the response has {size}, more than the {megabytes(PAGE_BYTES)} of a page"
        )
    record.parse_http()
    http = record.http_headers
    if http is None or not 200 <= (http.status_code or 0) < 300:
        return None
    content_type = http.get("Content-Type") or ""
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
    if (
        packing in ("", "identity") or body.lstrip(_BLANK)[:1] == b"<"
    ):  # some crawlers unpack and leave the header
        return body
    if packing in ("gzip", "x-gzip", "deflate"):
        return unpack(body, RAW_DEFLATE if packing == "deflate" and body[:1] != b"x" else GZIP_OR_ZLIB)
    raise ValueError(f"it is packed with {packing}, which we do not unpack")


def _joined_chunks(body: bytes) -> bytes:
    """The body of a chunked response; as it stands where the crawler has joined the chunks and left the
    header.
    """
    pieces: list[bytes] = []
    position = 0
    while (end := body.find(b"\r\n", position, position + 64)) > 0:
        try:
            size = int(body[position:end].partition(b";")[0], 16)
        except ValueError:
            break
        if not size:
            return b"".join(pieces)
        piece = body[end + 2 : end + 2 + size]
        if len(piece) < size:
            break
        pieces.append(piece)
        position = end + 2 + size + 2
    if pieces or _CHUNK_SIZE.match(body):
        raise EOFError("its chunks break off")
    return body
