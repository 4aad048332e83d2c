"""Parquet files whose bytes depend on their rows alone, however the rows came in."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from ruiji.corpora.files import replacing

GROUP_ROWS = 65_536  # rows of a row group, which is what is held in memory


def write_rows(batches: Iterable[pa.RecordBatch | pa.Table], schema: pa.Schema, destination: Path) -> int:
    """Writes the rows into a file that appears whole or not at all; returns how many there were."""
    total = 0
    with replacing(destination) as stream, pq.ParquetWriter(stream, schema, compression="zstd") as writer:
        for group in regrouped(batches, schema):
            writer.write_table(group)
            total += len(group)
    return total


def regrouped(batches: Iterable[pa.RecordBatch | pa.Table], schema: pa.Schema) -> Iterator[pa.Table]:
    """The same rows in tables of GROUP_ROWS, the last one shorter."""
    waiting: list[pa.Table] = []
    rows = 0
    for batch in batches:
        table = pa.Table.from_batches([batch]) if isinstance(batch, pa.RecordBatch) else batch
        waiting.append(table.select(schema.names).cast(schema))
        rows += len(table)
        while rows >= GROUP_ROWS:
            whole = pa.concat_tables(waiting)
            yield whole.slice(0, GROUP_ROWS).combine_chunks()
            waiting, rows = [whole.slice(GROUP_ROWS)], rows - GROUP_ROWS
    if rows:
        yield pa.concat_tables(waiting).combine_chunks()


def table_of(path: Path, columns: list[str] | None = None) -> pa.Table:
    """The rows of a Parquet file. PyArrow's own function for it imports what reads whole folders, too."""
    with pq.ParquetFile(path) as file:
        return file.read(columns)


def rows_of(files: Iterable[Path], columns: list[str] | None = None) -> Iterator[pa.RecordBatch]:
    """The rows of several Parquet files, one after another."""
    for path in files:
        with pq.ParquetFile(path) as file:
            yield from file.iter_batches(batch_size=GROUP_ROWS, columns=columns)
