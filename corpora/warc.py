"""Pages of web archives: the HTTP responses of status 2xx that are HTML."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from fastwarc.warc import ArchiveIterator, WarcRecord, WarcRecordType

from corpora.page import Page

_HTML_TYPES = ("text/html", "application/xhtml+xml")


def read_warc(path: Path) -> Iterator[Page]:
    """The HTML responses of an archive, in order; a damaged archive ends with one error row that says where."""
    last = "its beginning"
    count = 0
    try:
        # Transfer and content encodings (chunked, gzip, br) are undone by the library.
        for record in ArchiveIterator(
            path.open("rb"), record_types=WarcRecordType.response, parse_http=True, auto_decode="all", fsspec_args=False
        ):
            last = f"record {record.record_id}"
            page = _page_of_record(record)
            if page is not None:
                count += 1
                yield page
    except Exception as error:  # the library raises its own, OSError and ValueError for damage of different kinds
        name = f"{path.name}:{count + 1}"
        yield Page(name, name, error=f"the archive cannot be read beyond {last}: {error}")


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
        body = bytes(record.reader.read())
    except Exception as error:
        return Page(url, url, error=f"the response cannot be read: {error}", extra=extra)
    if not mime and b"<" not in body[:1024]:
        return None
    return Page(url, url, body, content_type, last_modified, extra)
