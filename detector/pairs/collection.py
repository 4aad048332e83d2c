"""The collection that is joined: the pages that were gathered, and those of earlier runs, as tables of
numbers.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ruiji.corpora.errors import reading_results
from ruiji.detector.gather import schemas
from ruiji.detector.gather.part_tables import NUMBER
from ruiji.detector.gather.parts import Parts
from ruiji.detector.pairs.duck import Tables
from ruiji.detector.pairs.origin import UNKNOWN
from ruiji.detector.pairs.run import Run, old_asides, old_contents, old_occurrences, old_pages, old_targets
from ruiji.detector.parquet import rows_of, table_of, write_rows
from ruiji.detector.sites import path_key, site_key
from ruiji.detector.urls import url_key
from ruiji.features.text.dates import UNDATED

SAME_URL = "an earlier page of the input has the same url; it stands for both"


@dataclass(frozen=True, slots=True)
class JoinInput:
    """The tables of the join; pages from ``first_old`` on are of earlier runs; ``repeated`` are numbers of
    pages whose url came before.
    """

    tables: Tables
    first_old: int
    repeated: frozenset[int]


def join_input(parts: Parts, earlier: Sequence[Run], folder: Path, min_length: int) -> JoinInput:
    """The tables of gathered pages and of earlier runs, the newest of which comes first; a page of a url
    replaces older ones.
    """
    folder.mkdir(parents=True, exist_ok=True)
    columns = [NUMBER.name, *(name for name in schemas.PAGES.names if name != "dropped")]
    pages = pa.concat_tables([table_of(path, columns) for path in parts.files("pages")])
    good = pages.filter(pages["error"].is_null())
    repeated = _repeated(good)
    numbers = good[NUMBER.name].to_numpy()
    good = good.filter(pa.array(~np.isin(numbers, sorted(repeated))))
    tables = {name: parts.files(name) for name in ("occurrences", "asides", "contents", "targets")}
    joined = [good]
    urls = set(good["url"].to_pylist()) if earlier else set()
    first = parts.pages
    for place, run in enumerate(earlier):
        with reading_results(run.folder):
            old = old_pages(run, first, urls)
            first += len(old)
            joined.append(old)
            own = dict(zip(old["url"].to_pylist(), old["page"].to_pylist(), strict=True))
            urls |= own.keys()
            for name, rows, schema in (
                ("occurrences", old_occurrences(run, own, min_length), schemas.OCCURRENCES),
                ("asides", old_asides(run, own, min_length), schemas.ASIDES),
                ("contents", old_contents(run, own), schemas.CONTENTS),
                ("targets", old_targets(run, own), schemas.TARGETS),
            ):
                path = folder / f"{place}.{name}.parquet"
                write_rows(rows, schema, path)
                tables[name] = [*tables[name], path]
    for name, rows, schema in (
        ("pages", _join_pages(joined), schemas.JOIN_PAGES),
        ("left_out", iter([pa.table([sorted(repeated)], schema=schemas.LEFT_OUT)]), schemas.LEFT_OUT),
    ):
        write_rows(rows, schema, folder / f"{name}.parquet")
        tables[name] = [folder / f"{name}.parquet"]
    return JoinInput(tables, parts.pages, frozenset(repeated))


def _repeated(pages: pa.Table) -> set[int]:
    """The numbers of pages whose url an earlier page has."""
    urls = pages["url"].combine_chunks().dictionary_encode()
    codes = (
        urls.indices.to_numpy()
        if not isinstance(urls, pa.ChunkedArray)
        else urls.combine_chunks().indices.to_numpy()
    )
    _, first = np.unique(codes, return_index=True)
    later = np.ones(len(codes), dtype=np.bool_)
    later[first] = False
    return set(pages[NUMBER.name].to_numpy()[later].tolist())


def _join_pages(tables: Sequence[pa.Table]) -> Iterator[pa.Table]:
    for table in tables:
        urls = table["url"].to_pylist()
        yield pa.table({
            "page": table["page"],
            "url": table["url"],
            "url_key": pa.array(map(url_key, urls), pa.int64()),
            "url_length": pa.array(map(len, urls), pa.int64()),
            "site": table["site"],
            "site_key": pa.array(map(site_key, urls), pa.int64()),
            "path_key": pa.array(map(path_key, urls), pa.int64()),
            "changed": table["last_modified"].fill_null(UNDATED),
            "published": pc.binary_join_element_wise(table["published"], table["published_by"],
                " ").fill_null(""),
            "long_sentences": table["long_sentences"],
            "long_chars": table["long_chars"],
            "named": table["named"].fill_null(0),
            "frame_fit": table["frame_fit"].fill_null(UNKNOWN),
            "digest": table["digest"].fill_null(""),
        })  # fmt: skip


def final_pages(parts: Parts, repeated: frozenset[int]) -> Iterator[pa.Table]:
    """pages.parquet: a row a page of the input; pages whose url came before say so."""
    for path in parts.files("pages"):
        table = table_of(path)
        said = [
            SAME_URL if number in repeated else error
            for number, error in zip(table[NUMBER.name].to_pylist(), table["error"].to_pylist(), strict=True)
        ]
        yield table.set_column(
            table.schema.get_field_index("error"), "error", pa.array(said, pa.string())
        ).select(schemas.PAGES.names)


def final_rows(parts: Parts, name: str, repeated: frozenset[int]) -> Iterator[pa.Table]:
    """sentences.parquet or links.parquet, without the pages whose url came before."""
    gone = np.array(sorted(repeated), dtype=np.int64)
    for batch in rows_of(parts.files(name)):
        table = pa.Table.from_batches([batch])
        if len(gone):
            table = table.filter(pa.array(~np.isin(table[NUMBER.name].to_numpy(), gone)))
        yield table.drop_columns([NUMBER.name])
