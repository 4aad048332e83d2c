"""Which page keeps what several have: an order of all pages, by which the first keeps it.

``oldest`` by the day that a page says, or its header; ``longest`` by its characters; ``first`` by its place
in the input; ``original`` by the signs of ``detector.pairs.origin`` on the pages that share most, put in
order by ``original``. All but ``first`` are the same for any order of the input.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from ruiji.detector.clean import schemas
from ruiji.detector.parquet import write_rows
from ruiji.detector.sites import site_key
from ruiji.detector.urls import url_key
from ruiji.features.arrays import BoolArray, LongArray
from ruiji.features.text.dates import UNDATED

KEEP = ("original", "oldest", "longest", "first")
SAME_ID = "another page of the input has the same id; it stands for both"


@dataclass(frozen=True, slots=True, eq=False)
class CleanPages:
    """The pages that take part, by place: in the order of their addresses; and those that do not.

    ``twin`` is a number that pages with the same units have in common, another one for each page without any.
    ``ranked`` are the places in the order in which pages keep what they share.
    """

    table: pa.Table
    failed: pa.Table
    unsure: pa.Table
    twin: LongArray
    ranked: LongArray

    def __len__(self) -> int:
        return len(self.table)

    def numbers(self, name: str) -> LongArray:
        """A column of numbers, by place."""
        found: LongArray = self.table[name].to_numpy()
        return found

    @property
    def rank(self) -> LongArray:
        """The rank of each place."""
        return inverse(self.ranked)

    @property
    def identical(self) -> BoolArray:
        """Whether a page with the same units has a lower rank."""
        first = np.full(int(self.twin.max(initial=-1)) + 1, len(self), dtype=np.int64)
        np.minimum.at(first, self.twin, self.rank)
        return np.asarray(first[self.twin] < self.rank)


def inverse(order: LongArray) -> LongArray:
    """Where each number stands in an order of all of them."""
    found = np.empty_like(order)
    found[order] = np.arange(len(order), dtype=order.dtype)
    return found


def clean_pages(files: Sequence[Path], keep: str, least: float | None) -> CleanPages:
    """The pages of these files, without those whose expected F1 is lower than the ``least``."""
    read = pa.concat_tables([pq.read_table(path) for path in files])
    read = read.take(
        pc.sort_indices(
            read,
            sort_keys=[
                (name, "ascending") for name in ("url", "id", "digest", "changed", "published", "page")
            ],
        )
    )
    bad = pc.is_valid(read["error"])
    failed, good = read.filter(bad), read.filter(pc.invert(bad))
    repeated = _repeated(good["id"])
    failed = pa.concat_tables([failed, _with_error(good.filter(pa.array(repeated)))])
    good = good.filter(pa.array(~repeated))
    sure = np.ones(len(good), dtype=np.bool_)
    if least is not None:
        sure = good["expected_f1"].fill_null(1.0).to_numpy() >= least
    unsure, good = good.filter(pa.array(~sure)), good.filter(pa.array(sure)).combine_chunks()
    return CleanPages(good, failed, unsure, _twins(good), _ranked(good, keep))


def _repeated(ids: pa.ChunkedArray) -> BoolArray:
    """Which ids an earlier row has."""
    codes = pc.dictionary_encode(ids.combine_chunks()).indices.to_numpy()
    _, first = np.unique(codes, return_index=True)
    later = np.ones(len(codes), dtype=np.bool_)
    later[first] = False
    return later


def _with_error(pages: pa.Table) -> pa.Table:
    column = pages.schema.get_field_index("error")
    return pages.set_column(
        column, pages.schema.field("error"), pa.array([SAME_ID] * len(pages), pa.string())
    )


def _twins(pages: pa.Table) -> LongArray:
    """Numbers of digests; a page without units is alone."""
    digests = pages["digest"].combine_chunks().dictionary_encode()
    twin: LongArray = digests.indices.to_numpy().astype(np.int64)
    empty = np.flatnonzero(pages["units"].to_numpy() == 0)
    twin[empty] = len(digests.dictionary) + np.arange(len(empty))
    return twin


def _ranked(pages: pa.Table, keep: str) -> LongArray:
    """The places in the order of ranks; ``original`` begins with the oldest."""
    if keep == "first":
        return np.asarray(np.argsort(pages["page"].to_numpy(), kind="stable"), dtype=np.int64)
    longest = -pages["chars"].to_numpy()
    columns = {
        "day": oldest_day(pages),
        "changed": pages["changed"],
        "fewer_chars": pa.array(longest),
        "url_length": pc.utf8_length(pages["url"]),
        "place": pa.array(np.arange(len(pages), dtype=np.int64)),
    }
    names = list(columns)
    if keep == "longest":
        names.insert(0, names.pop(names.index("fewer_chars")))
    order = pc.sort_indices(pa.table(columns), sort_keys=[(name, "ascending") for name in names])
    return np.asarray(order.to_numpy(), dtype=np.int64)


def oldest_day(pages: pa.Table) -> pa.ChunkedArray:
    """The day that a page says it was published, else when it was last changed; UNDATED where nobody
    knows."""
    said = pc.utf8_slice_codeunits(pages["published"], 0, 10)
    said = pc.utf8_trim_whitespace(pc.replace_substring_regex(said, " .*", ""))
    changed = pc.utf8_slice_codeunits(pages["changed"], 0, 10)
    return pc.if_else(pc.equal(said, ""), pc.fill_null(changed, UNDATED), said)


def write_ranks(pages: CleanPages, destination: Path) -> None:
    """Writes what the statements know of the pages."""
    urls = pages.table["url"].to_pylist()
    sites = np.fromiter(map(site_key, urls), np.int64, len(urls))
    table = pa.table(
        [
            pages.numbers("page"),
            pages.rank,
            np.arange(len(pages), dtype=np.int64),
            sites,
            _site_pages(sites, pages.twin),
            pages.twin,
            pages.numbers("different"),
            np.fromiter(map(url_key, urls), np.int64, len(urls)),
        ],
        schema=schemas.RANKS,
    )
    write_rows([table], schemas.RANKS, destination)


def _site_pages(sites: LongArray, twin: LongArray) -> LongArray:
    """How many different pages the site of each page has."""
    if not len(sites):
        return sites
    _, site = np.unique(sites, return_inverse=True)
    different = np.unique(np.stack((site.astype(np.int64), twin)), axis=1)[0]
    return np.bincount(different)[site].astype(np.int64)
