"""What the front door returns: tables, in memory or in the folder that was asked for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from ruiji.corpora.errors import json_of
from ruiji.corpora.page import InputError

_NO_CONFLICTS = pa.schema(
    [
        (name, pa.string())
        for name in "id kind field value_a value_b url_a url_b time_a time_b confidence".split()
    ]
)


@dataclass(frozen=True, slots=True, eq=False)
class ResultTables:
    """Tables by name: those of a folder are read when they are asked for, others are held in memory.

    ``counts`` says how much there is of everything. ``folder`` is None where none was asked for.
    """

    tables: Mapping[str, pa.Table | Path]
    counts: Mapping[str, Any]
    folder: Path | None = None

    def table(self, name: str) -> pa.Table:
        """A table by its name. Raises InputError, with the names that there are, for another."""
        if name not in self.tables:
            raise InputError(f"no table {name!r}; there are {', '.join(self.tables)}")
        table = self.tables[name]
        return read_table(table) if isinstance(table, Path) else table

    def to_pandas(self, name: str) -> Any:
        """A table as a pandas DataFrame."""
        table = self.table(name)
        try:
            return table.to_pandas()
        except ModuleNotFoundError as error:
            raise InputError("to_pandas needs pandas: pip install pandas") from error


class Detection(ResultTables):
    """Pages that share content, as ``ruiji.detect`` returns them."""

    __slots__ = ()

    @property
    def pairs(self) -> pa.Table:
        """A row for each two pages that share content: what they share, and what kind of pair it is."""
        return self.table("pairs")

    @property
    def groups(self) -> pa.Table:
        """Pages that are the same, in groups, and which of a group to keep."""
        return self.table("groups")

    @property
    def pages(self) -> pa.Table:
        """A row for each page; ``error`` says why a page failed."""
        return self.table("pages")

    @property
    def sentences(self) -> pa.Table:
        """The sentences of all pages."""
        return self.table("sentences")

    @property
    def links(self) -> pa.Table:
        """The links of all pages."""
        return self.table("links")


class CleanCorpus(ResultTables):
    """A corpus without its repetitions, as ``ruiji.clean`` returns it."""

    __slots__ = ()

    @property
    def corpus(self) -> pa.Table:
        """A row for each page that stays, with its text."""
        return self.table("corpus")

    @property
    def removed(self) -> pa.Table:
        """A row for each stretch that was removed: where it stood, why, and where it is kept."""
        return self.table("removed")

    @property
    def left_out(self) -> pa.Table:
        """A row for each page that is not in the corpus, and why."""
        return self.table("left_out")


class RecordBook(ResultTables):
    """Records of pages and how they compare, as ``ruiji.records`` returns them."""

    __slots__ = ()

    @property
    def records(self) -> pa.Table:
        """A row for each record: a person, an office, a product with its fields."""
        return self.table("records")

    @property
    def correspondences(self) -> pa.Table:
        """A row for each two records that are about the same thing."""
        return self.table("correspondences")

    @property
    def conflicts(self) -> pa.Table:
        """A row for each field in which corresponding records contradict each other."""
        return self.table("conflicts")


def read_table(path: Path) -> pa.Table:
    """The table of a Parquet file, or of JSON lines."""
    if path.suffix == ".parquet":
        return pq.read_table(path)
    rows = [json_of(line) for line in path.read_text(encoding="utf-8").split("\n") if line]
    return pa.Table.from_pylist(rows) if rows else _NO_CONFLICTS.empty_table()
