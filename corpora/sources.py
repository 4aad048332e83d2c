"""Pages to go through, wherever they come from: files, folders, data frames, tables, rows, markup.

Each source knows whether it can be read twice, and stands for itself in the signature of a run.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Protocol

from ruiji.corpora.page import InputError, Page, PageRecord
from ruiji.corpora.reading import read_pages, read_records, source_files
from ruiji.corpora.rows import page_from_row

STANDARD_INPUT = "-"
UNNAMED = "page"  # the id of a page of which only the markup is known
FRAME_ROWS = 256  # rows of a data frame that are turned into pages at a time
WHAT_TO_PASS = (
    "pass paths, Pages, dicts with url and html, a pandas DataFrame or an Arrow table with "
    "these columns, or markup"
)


class PageSource(Protocol):
    """Pages in a fixed order."""

    @property
    def names(self) -> Sequence[str]:
        """What the pages are called where a run describes itself: paths, for instance."""

    @property
    def repeatable(self) -> bool:
        """Whether the pages can be read a second time."""

    def __iter__(self) -> Iterator[Page]: ...

    def records(self) -> Iterator[PageRecord]:
        """The pages for ``map_pages``, whose workers read what takes time."""

    def files(self) -> Iterator[Path]:
        """Every file that is read."""

    def signature(self, settings: Mapping[str, object]) -> str:
        """What is equal only for a run with the same settings on the same pages; "" where nobody can say."""


@dataclass(frozen=True, slots=True)
class NamedPages:
    """The pages of files and folders, read anew each time; ``-`` is standard input."""

    names: tuple[str, ...]

    @property
    def repeatable(self) -> bool:
        return STANDARD_INPUT not in self.names

    def __iter__(self) -> Iterator[Page]:
        return read_pages(self.names)

    def records(self) -> Iterator[PageRecord]:
        """The pages, some as they stand in their files."""
        return read_records(self.names)

    def signature(self, settings: Mapping[str, object]) -> str:
        """Of our version, the settings, and name, size and time of every file."""
        if not self.repeatable:
            return ""
        from importlib.metadata import version  # which takes a while

        described = json.dumps([version("ruiji"), dict(settings), list(self.names)], sort_keys=True)
        digest = hashlib.sha256(described.encode())
        for path in self.files():
            stat = path.stat()
            line = f"{path}\t{stat.st_size}\t{stat.st_mtime_ns}\n"
            digest.update(line.encode("utf-8", "surrogateescape"))
        return digest.hexdigest()

    def files(self) -> Iterator[Path]:
        """Every file that is read."""
        for name in self.names:
            yield from source_files(name)


@dataclass(frozen=True, slots=True, eq=False)
class GivenPages:
    """Pages that a program holds: ``items`` are Pages, rows, paths or markup."""

    items: Iterable[Any]
    names: tuple[str, ...] = ()

    @property
    def repeatable(self) -> bool:
        return iter(self.items) is not self.items

    def __iter__(self) -> Iterator[Page]:
        for number, item in enumerate(self.items, start=1):
            yield from _pages_of_item(item, f"{UNNAMED} {number}")

    def records(self) -> Iterator[PageRecord]:
        """The pages as they are."""
        return iter(self)

    def files(self) -> Iterator[Path]:
        """None: what a program holds is not in a file that could be written over."""
        return iter(())

    def signature(self, settings: Mapping[str, object]) -> str:
        """ "": nobody knows whether a program will hold the same pages again."""
        return ""


@dataclass(frozen=True, slots=True, eq=False)
class _FrameRows:
    """The rows of a pandas DataFrame as dicts."""

    frame: Any

    def __iter__(self) -> Iterator[dict[str, Any]]:
        for start in range(0, len(self.frame), FRAME_ROWS):
            for row in self.frame.iloc[start : start + FRAME_ROWS].to_dict("records"):
                yield {str(name): value for name, value in row.items()}


@dataclass(frozen=True, slots=True, eq=False)
class _TableRows:
    """The rows of an Arrow table as dicts, without their missing values."""

    table: Any

    def __iter__(self) -> Iterator[dict[str, Any]]:
        for batch in self.table.to_batches(max_chunksize=FRAME_ROWS):
            for row in batch.to_pylist():
                yield {name: value for name, value in row.items() if value is not None}


def named_pages(names: Iterable[str | Path]) -> NamedPages:
    """The pages that these files and folders hold. Raises InputError at once where one cannot be read."""
    source = NamedPages(tuple(str(name) for name in names))
    read_pages(source.names)
    return source


def page_source(pages: Any) -> PageSource:
    """The pages that a program passes, in whatever form. Raises InputError that says what to pass.

    >>> [page.url for page in page_source([{"url": "http://a.example/", "html": "<p>text"}])]
    ['http://a.example/']
    >>> page_source(42)
    Traceback (most recent call last):
    ...
    ruiji.corpora.page.InputError: pages of type int: pass paths, Pages, dicts with url and html, a pandas \
DataFrame or an Arrow table with these columns, or markup
    """
    if isinstance(pages, (NamedPages, GivenPages)):
        return pages
    if isinstance(pages, (str, Path)) and not is_markup(pages):
        return named_pages([pages])
    if isinstance(pages, (str, bytes, bytearray, Mapping, Page)):
        return GivenPages((pages,))
    if hasattr(pages, "iloc") and hasattr(pages, "columns"):
        _check_columns(pages.columns)
        return GivenPages(_FrameRows(pages))
    if hasattr(pages, "__arrow_c_stream__"):
        import pyarrow

        table = pyarrow.table(pages)
        _check_columns(table.column_names)
        return GivenPages(_TableRows(table))
    if isinstance(pages, (list, tuple)) and pages and all(map(_is_path, pages)):
        return named_pages(pages)
    if not isinstance(pages, Iterable):
        raise InputError(f"pages of type {type(pages).__name__}: {WHAT_TO_PASS}")
    return GivenPages(pages)


def repeatable_source(pages: PageSource) -> PageSource:
    """The pages as a source that can be read twice; those of an iterator are then held in memory."""
    return pages if pages.repeatable else GivenPages(list(pages))


def single_page(source: Any, url: str = "") -> Page:
    """The one page that a program passes as markup, path, dict or Page; ``url`` where it is from.

    A text with ``<`` or a line break is markup; any other is a path. Raises InputError, which says what to
    pass.

    >>> single_page("<p>text", "http://a.example/").url
    'http://a.example/'
    """
    if isinstance(source, Page):
        return source
    if isinstance(source, Mapping):
        return page_from_row({"url": url or UNNAMED, **source}, UNNAMED)
    if isinstance(source, (bytes, bytearray)) or is_markup(source):
        html = bytes(source) if isinstance(source, bytearray) else source
        return Page(url or UNNAMED, url, html)
    if not isinstance(source, (str, Path)):
        raise InputError(
            f"a page of type {type(source).__name__}: pass HTML as str or bytes, a path, a dict with url "
            "and html, "
            "or a Page"
        )
    path = Path(source)
    if str(source) and path.is_dir():
        raise InputError(f"{path}: is a folder; pass it to extract_many")
    if not str(source).strip() or not path.is_file():
        raise InputError(
            f"{str(source)[:80]!r}: neither markup, which has a < in it, nor a file; pass HTML or the path "
            "of an "
            "HTML file"
        )
    pages = list(read_pages([path]))
    if len(pages) != 1:
        raise InputError(f"{path}: holds {len(pages)} pages; pass it to extract_many")
    return replace(pages[0], url=url) if url else pages[0]


def is_markup(source: Any) -> bool:
    """Whether a text is markup and no path."""
    return isinstance(source, str) and ("<" in source or "\n" in source)


def _is_path(item: Any) -> bool:
    return isinstance(item, (str, Path)) and not is_markup(item)


def _pages_of_item(item: Any, name: str) -> Iterator[Page]:
    """The pages of one item of a list or iterator; ``name`` is for what has none."""
    if isinstance(item, Page):
        yield item
    elif isinstance(item, Mapping):
        yield page_from_row({key: value for key, value in item.items() if not _is_missing(value)}, name)
    elif _is_path(item):
        yield from read_pages([item])
    elif isinstance(item, (str, bytes, bytearray)):
        yield Page(name, name, bytes(item) if isinstance(item, bytearray) else item)
    else:
        raise InputError(f"{name} is of type {type(item).__name__}: {WHAT_TO_PASS}")


def _check_columns(columns: Iterable[Any]) -> None:
    names = list(columns)
    missing = [name for name in ("url", "html") if name not in names]
    if missing and "text" not in names:
        raise InputError(
            f"the table has no column {' and no column '.join(missing)}; pass one with url and html, or text"
        )


def _is_missing(value: Any) -> bool:
    """Whether a value of a data frame stands for none: None, NaN, NaT or NA."""
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return True
    return type(value).__name__ in ("NaTType", "NAType")
