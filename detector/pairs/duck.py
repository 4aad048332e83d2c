"""DuckDB as what runs the join: in this process, out of core within a stated memory."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

import pyarrow as pa

from ruiji.corpora.errors import SettingError
from ruiji.corpora.page import InputError

BATCH_ROWS = 65_536

Tables = Mapping[str, Sequence[Path]]  # table → its Parquet files


class DuckEngine:
    """DuckDB with its tables in a folder, so that what does not fit into memory lies there."""

    def __init__(self, tables: Tables, folder: Path, memory: str, threads: int) -> None:
        import duckdb

        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        self._folder, self._memory = folder, memory
        self._connection = duckdb.connect(str(folder / "join.duckdb"))
        for setting, value in {"memory_limit": memory, "temp_directory": str(folder / "spill")}.items():
            self._connection.execute(f"SET {setting} = {quoted(value)}")
        self._connection.execute(f"SET threads = {threads}")
        self._connection.execute(
            "SET preserve_insertion_order = false"
        )  # every order that matters is asked for
        for name, files in tables.items():
            self.add(name, files)

    def add(self, name: str, files: Sequence[Path]) -> None:
        listed = ", ".join(quoted(str(path)) for path in files)
        self._connection.execute(f"CREATE VIEW {name} AS SELECT * FROM read_parquet([{listed}])")

    def step(self, name: str, select: str) -> None:
        with self._troubles():
            self._connection.execute(f"CREATE TABLE {name} AS {select}")

    def rows(self, select: str) -> Iterator[pa.RecordBatch]:
        with self._troubles():
            yield from self._connection.sql(select).to_arrow_reader(BATCH_ROWS)

    @contextmanager
    def _troubles(self) -> Iterator[None]:
        """Says what a user can do about too little memory or disk; what was gathered is kept, and the same
        command goes on from there.
        """
        import duckdb

        try:
            yield
        except duckdb.OutOfMemoryException as error:
            raise SettingError(
                f"the join does not fit into ‹memory={self._memory}›, give it more: {_first_line(error)}"
            ) from error
        except duckdb.IOException as error:
            raise InputError(
                f"{self._folder}: cannot be written, is the disk full? {_first_line(error)}"
            ) from error

    def close(self) -> None:
        self._connection.close()
        shutil.rmtree(self._folder, ignore_errors=True)


def _first_line(error: Exception) -> str:
    return str(error).strip().splitlines()[0]


def quoted(text: str | Path) -> str:
    """The text as it stands in a statement."""
    return "'" + str(text).replace("'", "''") + "'"
