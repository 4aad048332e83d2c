"""Results to review, of three kinds, in one shape: a table in DuckDB that is filtered and paged there, and
the details of one row.

results = open_results(Path("OUT"))       # of detect, of records, or the lines of index match
results.rows(Query(category="mirror"))    # a page of rows, how many there are, how many of each category
results.detail(17)                        # both sides
"""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, ClassVar

import duckdb
import pyarrow as pa

from ruiji.corpora import InputError
from ruiji.detector.verdicts import NONE, Verdict, read_verdicts, write_verdict

TextsOf = Callable[[Collection[str]], Mapping[str, str]]
"""The texts of the pages at some addresses, as far as they are at hand."""

PAGE_SIZE = 50
UNJUDGED = "unjudged"


@dataclass(frozen=True, slots=True)
class Query:
    """What is to be listed; empty fields do not restrict."""

    category: str = ""
    relation: str = ""
    site: str = ""
    text: str = ""
    verdict: str = ""
    patchwork: bool = False
    least: float = 0.0
    sort: str = ""
    offset: int = 0
    limit: int = PAGE_SIZE


class Results(ABC):
    """A table ``items`` with a column ``number``, ``category``, ``verdict`` and those of its kind; subclasses
    fill it.
    """

    kind = ""
    categories: Sequence[str] = ()
    key_columns: Sequence[str] = ()  # what tells one row from another, in the file of verdicts
    orders: ClassVar[Mapping[str, str]] = {}  # name → ORDER BY

    def __init__(self, verdict_file: Path) -> None:
        self.verdict_file = verdict_file
        self._database = duckdb.connect(
            ":memory:",
            config={"threads": 2, "autoinstall_known_extensions": False, "autoload_known_extensions": False},
        )
        self._lock = threading.Lock()  # of writes to the table and the file

    def _finish(self) -> None:
        """Gives the filled table its verdicts."""
        self._run("ALTER TABLE items ADD COLUMN verdict VARCHAR DEFAULT 'none'")
        self._run("ALTER TABLE items ADD COLUMN other VARCHAR DEFAULT ''")
        known = [
            [*key, verdict.verdict, verdict.other]
            for (kind, key), verdict in read_verdicts(self.verdict_file).items()
            if kind == self.kind
        ]
        names = self.key_columns
        fitting = [row for row in known if len(row) == len(names) + 2]
        if fitting:
            columns = [*(f"k{place}" for place in range(len(names))), "verdict", "other"]
            same = " AND ".join(
                f"CAST(items.{name} AS VARCHAR) = judged.k{place}" for place, name in enumerate(names)
            )
            update = (
                f"UPDATE items SET verdict = judged.verdict, other = judged.other FROM judged WHERE {same}"
            )
            self._run_on(
                update, "judged", pa.table(dict(zip(columns, zip(*fitting, strict=True), strict=True)))
            )

    def _run_on(self, statement: str, name: str, table: pa.Table) -> None:
        """Runs a statement that reads a table of ours."""
        cursor = self._database.cursor()
        cursor.register(name, table)
        cursor.execute(statement)
        cursor.unregister(name)

    def _run(self, statement: str, values: Sequence[Any] = ()) -> list[dict[str, Any]]:
        cursor = self._database.cursor()
        cursor.execute(statement, list(values))
        names = [column[0] for column in cursor.description or ()]
        return [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]

    def _condition(self, query: Query) -> tuple[list[str], list[Any]]:
        """Conditions of SQL and their values; what the user typed is only ever a value."""
        conditions, values = [], []
        for column, value in (("category", query.category), ("verdict", query.verdict)):
            if value:
                conditions.append(f"{column} = ?")
                values.append(NONE if value == UNJUDGED else value)
        return conditions, values

    def rows(self, query: Query) -> dict[str, Any]:
        """One page of rows, and how many there are in all and of each category."""
        conditions, values = self._condition(query)
        where = f"WHERE {' AND '.join(conditions)}" if conditions else ""
        order = self.orders.get(query.sort) or next(iter(self.orders.values()))
        limit, offset = max(1, min(query.limit, 200)), max(0, query.offset)
        rows = self._run(
            f"SELECT * FROM items {where} ORDER BY {order}, number LIMIT {limit} OFFSET {offset}", values
        )
        (total,) = self._run(f"SELECT count(*) AS size FROM items {where}", values)
        return {"rows": rows, "total": total["size"], **self.counts()}

    def counts(self) -> dict[str, Any]:
        """How many there are of each category, and how many are judged."""
        categories = self._run(
            "SELECT category, count(*) AS size, count(*) FILTER (verdict <> 'none') AS judged FROM items "
            "GROUP BY 1 ORDER BY 1"
        )
        return {
            "categories": {row["category"]: row["size"] for row in categories},
            "all": sum(row["size"] for row in categories),
            "judged": sum(row["judged"] for row in categories),
        }

    def sites(self) -> list[str]:
        """The sites to choose from, those with the most rows first."""
        return []

    def row(self, number: int) -> dict[str, Any] | None:
        """The row of that number, None where there is none."""
        rows = self._run("SELECT * FROM items WHERE number = ?", [number])
        return rows[0] if rows else None

    @abstractmethod
    def detail(self, number: int) -> dict[str, Any] | None:
        """The row with everything that is shown of it."""

    def judge(self, number: int, verdict: str, other: str = "") -> dict[str, Any] | None:
        """Keeps a verdict; returns the counts, None where there is no such row. Raises ValueError for what is
        no verdict.
        """
        with self._lock:
            row = self.row(number)
            if row is None:
                return None
            if other and other not in self.categories:
                raise ValueError(f"no category: {other}")
            key = tuple(str(row[name]) for name in self.key_columns)
            now = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
            write_verdict(self.verdict_file, Verdict(self.kind, key, row["category"], verdict, other, now))
            self._run("UPDATE items SET verdict = ?, other = ? WHERE number = ?", [verdict, other, number])
        return self.counts()


def open_results(path: Path, texts_of: TextsOf | None = None) -> Results:
    """The results at a path: a folder of ``detect`` or ``records``, or a file of ``index match``. Raises
    InputError.
    """
    from ruiji.web.review.pairs import PairResults
    from ruiji.web.review.passages import ConflictResults, PassageResults

    if path.is_dir():
        if (path / "pairs.parquet").is_file():
            return PairResults(path)
        if (path / "conflicts.jsonl").is_file():
            return ConflictResults(path / "conflicts.jsonl")
        raise InputError(
            f"{path}: neither a folder of ruiji detect (pairs.parquet) nor one of ruiji records "
            f"(conflicts.jsonl)"
        )
    if not path.is_file():
        raise InputError(f"{path}: there is no such file or folder")
    if path.name == "conflicts.jsonl":
        return ConflictResults(path)
    passages = PassageResults(path)
    if texts_of is not None:
        passages.texts = texts_of(passages.addresses())
    return passages
