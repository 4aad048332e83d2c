"""Pages from whatever a user names: files, folders, tables, web archives, standard format, standard input.

Every reader streams. A record that cannot be read becomes a page with an ``error``; only an input that does
not exist or is of no known kind stops the run, before it starts, with InputError.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

from ruiji.corpora import rows
from ruiji.corpora.encoding.decoding import decode
from ruiji.corpora.limits import (
    READING_ERRORS,
    TooLarge,
    megabytes,
    most_pages,
    most_unpacked,
    open_file,
    read_page_bytes,
)
from ruiji.corpora.page import InputError, Page, PageRecord, page_of_record, page_of_text, well_formed

HTML_SUFFIXES = (".html", ".htm", ".xhtml")
TEXT_SUFFIX = ".txt"  # beside pages a text is mostly none (robots.txt): see _page_files
URL_LIST = "urls.tsv"

# Why a file may give no page
PAGE_ERRORS: tuple[type[Exception], ...] = (*READING_ERRORS, TooLarge)
UrlList = Callable[[Path], dict[str, tuple[str, str]]]


def _read_warc(path: Path) -> Iterator[Page]:
    from ruiji.corpora.warc import read_warc  # brings FastWARC along

    return read_warc(path)


def _read_standard_format(path: Path) -> Iterator[Page]:
    from ruiji.corpora.standard_format import read_standard_format  # brings lxml along

    return read_standard_format(path)


_READERS: dict[str, Callable[[Path], Iterator[PageRecord]]] = {
    ".jsonl": rows.read_lines, ".jsonl.gz": rows.read_lines, ".parquet": rows.read_parquet,
    ".warc": _read_warc, ".warc.gz": _read_warc, ".xml": _read_standard_format,
    ".xml.gz": _read_standard_format,
}  # fmt: skip


def read_pages(sources: Iterable[str | Path]) -> Iterator[Page]:
    """The pages of all sources, in the order given. Raises InputError at once where a source cannot be
    read.
    """
    return _pages_of(read_records(sources))


def _pages_of(records: Iterator[PageRecord]) -> Iterator[Page]:
    """The pages of records; a generator, so that closing it closes the files that it reads."""
    for record in records:
        yield page_of_record(record)


def read_records(sources: Iterable[str | Path]) -> Iterator[PageRecord]:
    """As ``read_pages``, but what takes time to become a page may still be as it stands in its source."""
    checked = [str(source) for source in sources]
    for source in checked:
        _check(source)
    return _read_all(checked)


def _read_all(sources: list[str]) -> Iterator[PageRecord]:
    lists = lru_cache(maxsize=8)(url_list)  # files of one folder share its list
    for source in sources:
        yield from _read_one(source, lists)


def source_files(source: str) -> Iterator[Path]:
    """The files that a source consists of, with the list of urls; none for standard input."""
    path = Path(source)
    if source != "-" and path.is_dir():
        yield from (entry for entry in _page_files(path) if isinstance(entry, Path))
        path = path / URL_LIST
    if source != "-" and path.is_file():
        yield path


def _check(source: str) -> None:
    if source == "-":
        return
    path = Path(source)
    if not source or not path.exists():
        raise InputError(f"{source or repr(source)}: there is no such file or folder")
    if path.is_dir():
        url_list(path)
        if next(_page_files(path), None) is None:
            raise InputError(f"{source}: the folder holds no {' '.join((*HTML_SUFFIXES, TEXT_SUFFIX))} files")
        return
    suffix = _suffix(path)
    if suffix is None:
        known = ", ".join((*HTML_SUFFIXES, TEXT_SUFFIX, *_READERS))
        raise InputError(
            f"{source}: unknown kind of file; known are {known}, folders, and - for standard input"
        )
    try:
        path.open("rb").close()
    except OSError as error:
        raise InputError(f"{source}: {error.strerror}") from error
    if suffix == ".parquet":
        rows.open_parquet(path).close()
    elif suffix not in _READERS:
        url_list(path.parent)


def _suffix(path: Path) -> str | None:
    name = path.name.lower()
    pages = (*HTML_SUFFIXES, TEXT_SUFFIX)
    packed = (*_READERS, *pages, *(suffix + ".gz" for suffix in pages))
    return next((suffix for suffix in sorted(packed, key=len, reverse=True) if name.endswith(suffix)), None)


def _read_one(source: str, lists: UrlList) -> Iterator[PageRecord]:
    if source == "-":
        yield _page_from_standard_input()
        return
    path = Path(source)
    if path.is_dir():
        yield from read_folder(path)
    elif reader := _READERS.get(_suffix(path) or ""):
        yield from _no_more_than_fit(reader(path), path)
    else:
        known = lists(path.parent)
        yield _page_from_file(path, path.name if path.name in known else source, known)


def _no_more_than_fit(records: Iterator[PageRecord], path: Path) -> Iterator[PageRecord]:
    """The records of a file; an error row ends them where they are more, or larger, than its bytes can
    hold.
    """
    packed = path.stat().st_size
    pages, unpacked = most_pages(packed), most_unpacked(packed)
    size = 0
    for number, record in enumerate(records, start=1):
        size += record.size
        if number > pages or size > unpacked:
            what = f"more than {pages:,} pages" if number > pages else f"pages of {megabytes(size)}"
            name = f"{path.name}:{number}"
            yield Page(name, name, error=f"the file has {what} in its {packed:,} bytes; the rest is not read")
            return
        yield record


def read_folder(folder: Path) -> Iterator[Page]:
    """The pages below a folder in sorted order: HTML files, or texts where there is no HTML; ``urls.tsv`` or
    a path that starts with a host name gives the url.
    """
    known = url_list(folder)
    for path in _page_files(folder):
        if isinstance(path, OSError):
            name = Path(str(path.filename)).relative_to(folder).as_posix()
            yield Page(name, name, error=f"the folder cannot be read: {path.strerror}")
        else:
            yield _page_from_file(path, path.relative_to(folder).as_posix(), known)


def _page_files(folder: Path) -> Iterator[Path | OSError]:
    """The files below a folder that are pages: HTML, or texts where it holds no HTML; beside pages texts are
    mostly none (robots.txt).
    """
    holds_html = any(isinstance(entry, Path) for entry in _files(folder, HTML_SUFFIXES))
    return _files(folder, HTML_SUFFIXES if holds_html else (TEXT_SUFFIX,))


def _files(
    folder: Path, suffixes: tuple[str, ...], seen: set[Path] | None = None
) -> Iterator[Path | OSError]:
    """Files below a folder with these endings, sorted part by part, one directory's names in memory at a
    time; or why a folder cannot be read.

    A link to a folder that lies in the first one is passed over, since that is read under its own name; one
    that leads elsewhere is followed once. So links in circles cost nothing.
    """
    top = folder.resolve()
    seen = {top} if seen is None else seen
    try:
        entries = sorted(folder.iterdir(), key=lambda path: path.name)
    except OSError as error:
        yield error
        return
    for entry in entries:
        if entry.is_dir():
            real = entry.resolve()
            if entry.is_symlink() and any(real.is_relative_to(read) for read in seen):
                continue
            if entry.is_symlink():
                seen.add(real)
            yield from _files(entry, suffixes, seen)
        elif entry.is_file() and (_suffix(entry) or "").removesuffix(".gz") in suffixes:
            yield entry


def url_list(folder: Path) -> dict[str, tuple[str, str]]:
    """path → (url, last_modified) of a folder's ``urls.tsv``, empty where there is none."""
    listing = folder / URL_LIST
    if not listing.is_file():
        return {}
    try:
        lines = listing.read_text(encoding="utf-8-sig").split("\n")
    except UnicodeDecodeError as error:
        raise InputError(f"{listing}: is not UTF-8") from error
    known = {}
    for number, line in enumerate(lines, start=1):
        path, *rest = line.split("\t")
        if not line.strip() or path.startswith("#") or [path, *rest][:2] == ["path", "url"]:
            continue
        if not rest:
            raise InputError(f"{listing}: line {number} needs path, url and last_modified, separated by tabs")
        known[path] = (rest[0], rest[1] if len(rest) > 1 else "")
    return known


def _page_from_file(path: Path, name: str, known: dict[str, tuple[str, str]]) -> Page:
    url, last_modified = known.get(name) or (url_of_path(name), "")
    return page_from_file(path, name, url, last_modified)


def page_from_file(path: Path, name: str, url: str, last_modified: str = "") -> Page:
    """The page that a file holds, unpacked; with an error where it cannot be read."""
    name, url = well_formed(name), well_formed(url)
    try:
        with open_file(path) as stream:
            body = read_page_bytes(stream)
    except PAGE_ERRORS as error:
        return Page(name, url, error=f"cannot be read: {error}", last_modified=last_modified)
    page = Page(name, url, body, last_modified=last_modified)
    return _page_of_text_file(page) if (_suffix(path) or "").removesuffix(".gz") == TEXT_SUFFIX else page


def _page_of_text_file(page: Page) -> Page:
    """A page whose bytes are a text, in whatever encoding."""
    try:
        text = decode(page).utf8.decode("utf-8", "replace")
    except ValueError as error:
        return replace(page, html=b"", error=str(error))
    return page_of_text(text, page.id, page.url, last_modified=page.last_modified)


def _page_from_standard_input() -> Page:
    if sys.stdin is None:
        return Page("-", "-", error="standard input is closed")
    try:
        return Page("-", "-", read_page_bytes(sys.stdin.buffer))
    except TooLarge as error:
        return Page("-", "-", error=f"cannot be read: {error}")


def url_of_path(name: str) -> str:
    """``host.example/dir/page.html`` as mirroring tools save it → its url; any other path stays what it
    is.
    """
    host, slash, rest = name.partition("/")
    labels = host.split(".")
    looks_like_host = len(labels) > 1 and all(labels) and labels[-1].isalpha() and len(labels[-1]) > 1
    if slash and rest and looks_like_host and not host.lower().endswith((*HTML_SUFFIXES, ".gz")):
        return f"http://{host}/{rest}"
    return name
