"""What runs the join: DuckDB in this process, out of core within a stated memory; Spark on a cluster. Both run the same statements."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pyarrow as pa

from corpora.page import InputError

ENGINES = ("duckdb", "spark")
BATCH_ROWS = 65_536
JAVA_WANTED = 17  # the oldest that Spark 4 runs on

Tables = Mapping[str, Sequence[Path]]  # table → its Parquet files


class DuckEngine:
    """DuckDB with its tables in a folder, so that what does not fit into memory lies there."""

    def __init__(self, tables: Tables, folder: Path, memory: str, threads: int) -> None:
        import duckdb

        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        self._folder = folder
        self._connection = duckdb.connect(str(folder / "join.duckdb"))
        for setting, value in {"memory_limit": memory, "temp_directory": str(folder / "spill")}.items():
            self._connection.execute(f"SET {setting} = {_quoted(value)}")
        self._connection.execute(f"SET threads = {threads}")
        self._connection.execute("SET preserve_insertion_order = false")  # every order that matters is asked for
        for name, files in tables.items():
            listed = ", ".join(_quoted(str(path)) for path in files)
            self._connection.execute(f"CREATE VIEW {name} AS SELECT * FROM read_parquet([{listed}])")

    def step(self, name: str, select: str) -> None:
        self._connection.execute(f"CREATE TABLE {name} AS {select}")

    def rows(self, select: str) -> Iterator[pa.RecordBatch]:
        yield from self._connection.sql(select).to_arrow_reader(BATCH_ROWS)

    def close(self) -> None:
        self._connection.close()
        shutil.rmtree(self._folder, ignore_errors=True)


class SparkEngine:
    """Spark, with each step written as Parquet into a folder that all workers see."""

    def __init__(self, session: Any, tables: Tables, folder: Path) -> None:
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        self._session, self._folder = session, folder
        for name, files in tables.items():
            session.read.parquet(*(str(path.resolve()) for path in files)).createOrReplaceTempView(name)

    def step(self, name: str, select: str) -> None:
        destination = str((self._folder / name).resolve())
        self._session.sql(select).write.parquet(destination)
        self._session.read.parquet(destination).createOrReplaceTempView(name)

    def rows(self, select: str) -> Iterator[pa.RecordBatch]:
        yield from self._session.sql(select).toArrow().to_batches(BATCH_ROWS)

    def close(self) -> None:
        shutil.rmtree(self._folder, ignore_errors=True)


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


@contextmanager
def spark_session(master: str, memory: str) -> Iterator[Any]:
    """A Spark session on the master, with this interpreter as that of its workers. Raises InputError where there is no Spark or no Java."""
    try:
        from pyspark.sql import SparkSession
    except ImportError as error:
        raise InputError("--engine spark needs pyspark: pip install 'ruiji[spark]'") from error
    if not master.startswith("sc://"):
        _check_java()
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    os.environ.setdefault("PYSPARK_DRIVER_PYTHON", sys.executable)
    builder = SparkSession.builder.master(master).appName("ruiji detect")
    for name, value in SPARK_SETTINGS.items():
        builder = builder.config(name, value)
    try:
        session = builder.config("spark.driver.memory", memory).getOrCreate()
    except Exception as error:  # py4j wraps whatever Java says
        raise InputError(f"Spark cannot be started on {master}: {str(error).splitlines()[0]}") from error
    try:
        yield session
    finally:
        session.stop()


SPARK_SETTINGS = {
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    "spark.sql.session.timeZone": "UTC",
    "spark.sql.execution.arrow.pyspark.enabled": "true",
}


def java_version() -> int:
    """The version of the Java that Spark would run on; 0 where there is none."""
    import re
    import subprocess

    home = os.environ.get("JAVA_HOME")
    try:
        said = subprocess.run([f"{home}/bin/java" if home else "java", "-version"], capture_output=True, text=True, check=True).stderr
    except (OSError, subprocess.CalledProcessError):
        return 0
    match = re.search(r'version "(?:1\.)?(\d+)', said)
    return int(match.group(1)) if match else 0


def _check_java() -> None:
    found = java_version()
    if found < JAVA_WANTED:
        there = f"this machine has version {found}" if found else "none was found"
        raise InputError(
            f"--engine spark needs Java {JAVA_WANTED} or newer, and {there}; on Debian: apt-get install openjdk-17-jre-headless, "
            "then JAVA_HOME or PATH must lead to it"
        )
