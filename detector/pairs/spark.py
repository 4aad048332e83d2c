"""Spark: a session, the join on it, and the gathering of pages spread over its workers.

The folder of the run must lie where driver and workers see it. Pages are staged there in parts; a worker
takes a part, maps the same function over it as one machine does, and writes the part's files, so that an
interrupted run is taken up part by part here too.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from ruiji.corpora import map_pages
from ruiji.corpora.errors import SettingError
from ruiji.corpora.files import replacing
from ruiji.corpora.page import InputError, Page
from ruiji.detector.gather.gathered import Gathered
from ruiji.detector.gather.parts import PART_PAGES, Parts
from ruiji.detector.pairs.duck import Tables
from ruiji.detector.pairs.join import READ_ONCE
from ruiji.detector.parquet import rows_of

OLDEST_JAVA = 17  # that Spark 4 runs on
STAGED_BYTES = 64 << 20  # of html in a part
TASKS_PER_CORE = 4  # so that a slow part does not keep the others waiting
SETTINGS = {
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    "spark.log.level": "ERROR",
    "spark.sql.session.timeZone": "UTC",
}
STAGED = pa.schema([
    ("id", pa.string()), ("url", pa.string()), ("html", pa.large_binary()), ("is_text", pa.bool_()),
    ("content_type", pa.string()),
    ("last_modified", pa.string()), ("error", pa.string()),
])  # fmt: skip


@contextmanager
def spark_session(master: str, memory: str) -> Iterator[Any]:
    """A session on the master, whose workers use this interpreter; one that is there already is used and left
    as it is.

    Raises SettingError where there is no Spark or no Java.
    """
    try:
        from pyspark.sql import SparkSession
    except ImportError as error:
        raise SettingError("‹engine=spark› needs pyspark: pip install 'ruiji[spark]'") from error
    active = SparkSession.getActiveSession()
    if active is not None:
        yield active
        return
    _check_java()
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    os.environ.setdefault("PYSPARK_DRIVER_PYTHON", sys.executable)
    builder = (
        SparkSession.builder.master(master)
        .appName("ruiji detect")
        .config("spark.driver.memory", _java_size(memory))
    )
    for name, value in SETTINGS.items():
        builder = builder.config(name, value)
    try:
        with _without_pandas_warning():
            session = builder.getOrCreate()
    except Exception as error:  # whatever Java throws comes as one of several types
        raise InputError(
            f"Spark cannot be started on {master}: {str(error).strip().splitlines()[0]}"
        ) from error
    try:
        yield session
    finally:
        session.stop()


@contextmanager
def _without_pandas_warning() -> Iterator[None]:
    """Spark warns of pandas 3 wherever Arrow comes in; we use Arrow, and no pandas."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "PySpark does not yet fully support pandas", FutureWarning)
        yield


def java_version() -> int:
    """The version of the Java that Spark would run on; 0 where there is none."""
    home = os.environ.get("JAVA_HOME")
    try:
        said = subprocess.run(
            [f"{home}/bin/java" if home else "java", "-version"], capture_output=True, text=True, check=True
        ).stderr
    except (OSError, subprocess.CalledProcessError):
        return 0
    match = re.search(r'version "(?:1\.)?(\d+)', said)
    return int(match.group(1)) if match else 0


def _check_java() -> None:
    found = java_version()
    if found < OLDEST_JAVA:
        there = f"this machine has version {found}" if found else "none was found"
        raise SettingError(
            f"‹engine=spark› needs Java {OLDEST_JAVA} or newer, and {there}; on Debian: apt-get install "
            "default-jre-headless (JAVA_HOME or PATH must lead to it); ‹engine=duckdb› needs none"
        )


def _java_size(memory: str) -> str:
    return memory[:-1].lower()  # 2GB → 2g


class SparkEngine:
    """The join on Spark; each step is written as Parquet into a folder that all workers see."""

    def __init__(self, session: Any, tables: Tables, folder: Path) -> None:
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        self._session, self._folder = session, folder
        self._answers = 0
        for name, files in tables.items():
            self.add(name, files)

    def add(self, name: str, files: Sequence[Path]) -> None:
        paths = (str(path.resolve()) for path in files)
        self._session.read.schema(_columns(files[0])).parquet(*paths).createOrReplaceTempView(name)

    def step(self, name: str, select: str) -> None:
        if name in READ_ONCE:  # part of the statement that reads it: every table that is written costs a job
            self._session.sql(select).createOrReplaceTempView(name)
            return
        destination = self._folder / name
        schema = self._write(select, destination)
        self._session.read.schema(schema).parquet(str(destination.resolve())).createOrReplaceTempView(name)

    def rows(self, select: str) -> Iterator[pa.RecordBatch]:
        self._answers += 1
        destination = self._folder / f"answer{self._answers}"
        self._write(select, destination)
        yield from rows_of(
            sorted(destination.glob("part-*.parquet"))
        )  # in order: Spark sorts by ranges, a file a range

    def _write(self, select: str, destination: Path) -> Any:
        """Writes what a statement selects; returns its schema, so that Spark need not look for it again."""
        selected = self._session.sql(select)
        selected.write.parquet(str(destination.resolve()))
        return selected.schema

    def close(self) -> None:
        shutil.rmtree(self._folder, ignore_errors=True)


def _columns(path: Path) -> str:
    """The columns of our own tables, so that Spark need not look into the files for them."""
    types = {pa.int64(): "BIGINT", pa.string(): "STRING"}
    return ", ".join(f"{field.name} {types[field.type]}" for field in pq.read_schema(path))


def stage(pages: Iterable[Page], folder: Path) -> int:
    """Writes the pages in parts for the workers, unless an interrupted run has done so; returns the number of
    parts.
    """
    note = folder / "complete"
    if note.is_file():
        return int(note.read_text())
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    parts = 0
    first = 0
    waiting: list[Page] = []
    size = 0
    for page in pages:
        waiting.append(page)
        size += len(page.html)
        if len(waiting) >= PART_PAGES or size >= STAGED_BYTES:
            _write_staged(waiting, first, _staged(folder, parts))
            parts, first, waiting, size = parts + 1, first + len(waiting), [], 0
    if waiting:
        _write_staged(waiting, first, _staged(folder, parts))
        parts += 1
    with replacing(note) as stream:
        stream.write(str(parts).encode())
    return parts


def _staged(folder: Path, number: int) -> Path:
    return folder / f"{number:06}.parquet"


def _write_staged(pages: Sequence[Page], first: int, destination: Path) -> None:
    rows = [
        (
            page.id, page.url,
            page.html.encode("utf-8", "surrogatepass") if isinstance(page.html, str) else page.html,
            isinstance(page.html, str), page.content_type, page.last_modified, page.error,
        )
        for page in pages
    ]  # fmt: skip
    texts = [
        [value.encode("utf-8", "replace").decode() if isinstance(value, str) else value for value in row]
        for row in rows
    ]
    table = pa.table([[row[place] for row in texts] for place in range(len(STAGED))], schema=STAGED)
    with replacing(destination) as stream:
        pq.write_table(table.replace_schema_metadata({"first": str(first)}), stream, compression="zstd")


def _read_staged(path: Path) -> tuple[int, list[Page]]:
    """(number of the first page, pages) of a part."""
    table = pq.read_table(path)
    pages = [
        Page(
            row["id"], row["url"],
            row["html"].decode("utf-8", "surrogatepass") if row["is_text"] else row["html"],
            row["content_type"],
            row["last_modified"], error=row["error"],
        )
        for row in table.to_pylist()
    ]  # fmt: skip
    return int(json.loads(table.schema.metadata[b"first"])), pages


@dataclass(frozen=True, slots=True)
class GatherParts:
    """What a worker does: takes numbers of parts, writes their files, and tells how many pages there were and
    how many failed.

    The pages go through a process of its own: one that kills it costs an error row, as on one machine, and
    not the worker.
    """

    gather: Any
    staged: str
    parts: str
    with_skeletons: bool

    def __call__(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        numbers = [number for batch in batches for number in batch["id"].to_pylist()]
        sizes: list[tuple[int, int]] = []
        rows = iter(map_pages(self.gather, self._pages(numbers, sizes), failed=self.gather.failed, jobs=1))
        for place, number in enumerate(numbers):
            row = next(rows)  # by now the sizes of this part are known
            first, size = sizes[place]
            gathered: list[Gathered] = [row, *islice(rows, size - 1)]
            parts = Parts(Path(self.parts), self.with_skeletons)
            parts.write(gathered, first, number)
            failed = sum(row.record["error"] is not None for row in gathered)
            yield pa.record_batch({"part": [number], "pages": [size], "failed": [failed]})

    def _pages(self, numbers: Sequence[int], sizes: list[tuple[int, int]]) -> Iterator[Page]:
        for number in numbers:
            first, pages = _read_staged(_staged(Path(self.staged), number))
            sizes.append((first, len(pages)))
            yield from pages


def gather_on(
    session: Any,
    gather: Callable[..., Any],
    staged: Path,
    count: int,
    parts: Parts,
    done: Callable[[int], object],
) -> None:
    """Gathers the staged parts that are not there yet; ``done`` is called with the number of pages of
    each.
    """
    missing = [number for number in range(count) if not parts.file("pages", number).is_file()]
    if not missing:
        return
    worker = GatherParts(gather, str(staged.resolve()), str(parts.folder.resolve()), parts.with_skeletons)
    tasks = min(len(missing), TASKS_PER_CORE * session.sparkContext.defaultParallelism)
    numbers = session.createDataFrame([(number,) for number in missing], "id long").repartition(tasks)
    with _without_pandas_warning():
        told = numbers.mapInArrow(worker, "part long, pages long, failed long")
    for row in told.toLocalIterator():
        done(row["pages"])
