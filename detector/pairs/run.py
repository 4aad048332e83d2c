"""A folder that ``detect`` has written, read again: to compare new pages with its pages, or to show them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from ruiji.corpora.errors import json_of
from ruiji.corpora.page import InputError
from ruiji.detector.gather import schemas
from ruiji.detector.gather.part_tables import content_rows
from ruiji.detector.parquet import rows_of
from ruiji.detector.sentences.table import keys
from ruiji.detector.sites import naming
from ruiji.detector.urls import url_key

FILES = ("pages", "sentences", "links", "pairs", "groups", "evidence", "lineage")
RUN = "run.json"


@dataclass(frozen=True)
class Run:
    """A finished run in its folder. Raises InputError where there is none."""

    folder: Path

    def __post_init__(self) -> None:
        missing = [
            name
            for name in (RUN, *(f"{name}.parquet" for name in FILES))
            if not (self.folder / name).is_file()
        ]
        if missing:
            raise InputError(f"{self.folder}: not a finished run of ruiji detect: there is no {missing[0]}")

    def file(self, name: str) -> Path:
        return self.folder / f"{name}.parquet"

    @cached_property
    def description(self) -> dict[str, Any]:
        """run.json: settings, versions, counts, timings."""
        try:
            found: dict[str, Any] = json_of((self.folder / RUN).read_text(encoding="utf-8"))
            found["settings"]["against"]
        except (ValueError, KeyError, TypeError) as error:
            raise InputError(f"{self.folder / RUN}: cannot be read: {error}") from error
        return found

    @property
    def settings(self) -> dict[str, Any]:
        settings: dict[str, Any] = self.description["settings"]
        return settings

    def with_earlier(self) -> list[Run]:
        """This run and those that its pages were compared with, the newest first."""
        return [self, *(Run(Path(folder)) for folder in self.settings["against"])]

    def page_sentences(self, url: str) -> pa.Table:
        """The sentences of a page in order, from this run or an earlier one; none where no run has the
        page.
        """
        for run in self.with_earlier():
            found = pq.read_table(run.file("sentences"), filters=pc.field("url") == url)
            if len(found):
                return found
        return found


def old_pages(run: Run, first: int, gone: set[str]) -> pa.Table:
    """The pages of an earlier run as the join has them, numbered from ``first``; without the urls that are
    ``gone``.
    """
    names = [name for name in schemas.PAGES.names if name != "dropped"]
    there = set(pq.read_schema(run.file("pages")).names)
    pages = pq.read_table(run.file("pages"), columns=[name for name in names if name in there])
    for name in names:
        if name not in there:  # runs of earlier versions did not ask when a page was published
            pages = pages.append_column(name, pa.nulls(len(pages), schemas.PAGES.field(name).type))
    pages = pages.filter(pc.is_null(pages["error"]))
    if gone:
        pages = pages.filter(pc.invert(pc.is_in(pages["url"], pa.array(sorted(gone), pa.string()))))
    return pages.add_column(0, "page", pa.array(range(first, first + len(pages)), pa.int64()))


def _sentences(run: Run, columns: list[str]) -> Iterator[pa.Table]:
    """These columns of the sentences of a run. Raises ValueError where a value is missing."""
    for batch in rows_of([run.file("sentences")], columns):
        table = pa.Table.from_batches([batch])
        if empty := [name for name in columns if table[name].null_count]:
            raise ValueError(f"the column {empty[0]} of its sentences has no value in a row")
        yield table


def old_occurrences(run: Run, numbers: dict[str, int], min_length: int) -> Iterator[pa.Table]:
    """The occurrences in the pages of an earlier run whose numbers are given."""
    skeletons = run.settings["match"] != "exact"
    columns = [
        "url",
        "key",
        "length",
        "bits",
        "fit",
        "text_start",
        "text_end",
        "place",
        "paragraph_key",
        "text",
        "content",
        *([schemas.SKELETON.name] if skeletons else []),
    ]
    rest: pa.Table | None = None
    for table in _sentences(run, columns):
        table = table.filter(pc.and_(table["content"], pc.greater_equal(table["length"], min_length)))
        table = _numbered(table, numbers)
        own_keys = pa.array(keys(table["text"].to_pylist()).view(np.int64))
        table = table.append_column("text_key", own_keys)
        table = table.append_column("names", pa.array(map(int, _names(table)), pa.int64()))
        if skeletons:
            skeleton = table[schemas.SKELETON.name]
            table = table.set_column(
                table.schema.get_field_index("text"),
                "text",
                pc.if_else(pc.equal(skeleton, ""), table["text"], skeleton),
            )
        table = table.select(schemas.OCCURRENCES.names)
        whole = table if rest is None else pa.concat_tables([rest, table])
        if len(whole):  # the last page may go on in the next batch
            last = pc.equal(whole["page"], whole["page"][-1])
            yield _different(whole.filter(pc.invert(last)))
            rest = whole.filter(last)
    if rest is not None:
        yield _different(rest)


def old_asides(run: Run, numbers: dict[str, int], min_length: int) -> Iterator[pa.Table]:
    """The long sentences that are no content in the pages of an earlier run whose numbers are given."""
    for table in _sentences(run, ["url", "key", "length", "content"]):
        long = pc.greater_equal(table["length"], min_length)
        table = _numbered(table.filter(pc.and_(long, pc.invert(table["content"]))), numbers)
        yield (
            table.select(schemas.ASIDES.names).group_by(schemas.ASIDES.names, use_threads=False).aggregate([])
        )


def old_contents(run: Run, numbers: dict[str, int]) -> Iterator[pa.Table]:
    """The content of the pages of an earlier run whose numbers are given."""
    waiting: tuple[int, list[str]] | None = None
    for table in _sentences(run, ["url", "text", "content"]):
        table = _numbered(table.filter(table["content"]), numbers)
        for page, text in zip(table["page"].to_pylist(), table["text"].to_pylist(), strict=True):
            if waiting is None or waiting[0] != page:
                if waiting is not None:
                    yield content_rows(*waiting)
                waiting = (page, [])
            waiting[1].append(text)
    if waiting is not None:
        yield content_rows(*waiting)


def old_targets(run: Run, numbers: dict[str, int]) -> Iterator[pa.Table]:
    """The links in the pages of an earlier run whose numbers are given."""
    for batch in rows_of([run.file("links")], ["url", "target"]):
        table = _numbered(pa.Table.from_batches([batch]), numbers)
        keys = pa.array(map(url_key, table["target"].to_pylist()), pa.int64())
        yield (
            pa.table([table["page"], keys], schema=schemas.TARGETS)
            .group_by(schemas.TARGETS.names, use_threads=False)
            .aggregate([])
        )


def _numbered(table: pa.Table, numbers: dict[str, int]) -> pa.Table:
    """The rows of pages that have a number, with it."""
    urls = table["url"].combine_chunks().dictionary_encode()
    if isinstance(urls, pa.ChunkedArray):
        urls = urls.combine_chunks()
    known = pa.array([numbers.get(url) for url in urls.dictionary.to_pylist()], pa.int64())
    table = table.append_column("page", known.take(urls.indices))
    return table.filter(pc.is_valid(table["page"]))


def _names(table: pa.Table) -> list[bool]:
    """Which sentences name the site of their page; the sentences of a page stand together."""
    rows = zip(table["url"].to_pylist(), table["text"].to_pylist(), strict=True)
    pages = groupby(rows, key=itemgetter(0))
    return [names for url, page in pages for names in naming(url, (text for _, text in page))]


def _different(table: pa.Table) -> pa.Table:
    """Each different text of a page once: of several sentences of one form the longest, the first of
    equals.
    """
    rest = [name for name in schemas.OCCURRENCES.names if name not in ("page", "key", "text")]
    places = pa.array(range(len(table)), pa.int64())
    ordered = table.append_column("row", places).sort_by([("length", "descending"), ("row", "ascending")])
    grouped = ordered.group_by(["page", "key", "text"], use_threads=False).aggregate(
        [(name, "first") for name in rest]
    )
    return (
        grouped.rename_columns([name.removesuffix("_first") for name in grouped.schema.names])
        .select(schemas.OCCURRENCES.names)
        .cast(schemas.OCCURRENCES)
    )


def page_groups(folder: Path) -> dict[str, str]:
    """The group of each page, by its url, that a run in the folder found. Raises InputError."""
    path = folder / "groups.parquet"
    try:
        table = pq.read_table(path, columns=["group", "url"])
    except (OSError, pa.ArrowException) as error:
        reason = str(error).partition("\n")[0]
        raise InputError(
            f"{folder}: not the output of ruiji detect, its {path.name} cannot be read: {reason}"
        ) from error
    groups, urls = table["group"].to_pylist(), table["url"].to_pylist()
    return {str(url): str(group) for group, url in zip(groups, urls, strict=True)}
