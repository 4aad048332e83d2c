"""The tables of a run as CSV and JSONL, for spreadsheets and programs that do not read Parquet."""

from __future__ import annotations

import codecs
import csv
import io
import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from ruiji.corpora.files import replacing
from ruiji.detector.pairs.run import RUN, Run

ROWS = 4096  # read at once
MOST_FIRST = [("bits", "descending"), ("url_a", "ascending"), ("url_b", "ascending")]  # of pairs


def is_run(folder: Path) -> bool:
    """Whether a folder is one that ``detect`` has written."""
    return (folder / RUN).is_file() and (folder / "pairs.parquet").is_file()


def write_csv(run: Run, table: str, destination: Path) -> None:
    """Writes a table with a header, as RFC 4180 has it; with the mark that spreadsheets want to see before
    they read UTF-8. Pairs that say most come first.
    """
    _write(destination, [codecs.BOM_UTF8.decode()], _csv_lines(run, table))


def write_jsonl(run: Run, table: str, destination: Path) -> None:
    """Writes a table, an object a line. Pairs that say most come first."""
    _write(destination, [], (json.dumps(row, ensure_ascii=False) + "\n" for row in _rows(run, table)))


def _write(destination: Path, head: Iterable[str], lines: Iterable[str]) -> None:
    with replacing(destination) as stream:
        for texts in (head, lines):
            stream.writelines(text.encode("utf-8", "replace") for text in texts)


def _batches(run: Run, table: str) -> Iterator[pa.RecordBatch]:
    if table == "pairs":
        yield from pq.read_table(run.file(table)).sort_by(MOST_FIRST).to_batches(ROWS)
    else:
        yield from pq.ParquetFile(run.file(table)).iter_batches(ROWS)


def _rows(run: Run, table: str) -> Iterator[dict[str, Any]]:
    """The rows of a table; maps come as dictionaries."""
    for batch in _batches(run, table):
        for row in batch.to_pylist():
            yield {name: dict(value) if isinstance(value, list) else value for name, value in row.items()}


def _csv_lines(run: Run, table: str) -> Iterator[str]:
    line = io.StringIO()
    writer = csv.DictWriter(line, pq.read_schema(run.file(table)).names, lineterminator="\n")
    writer.writeheader()
    yield line.getvalue()
    for row in _rows(run, table):
        line.seek(0)
        line.truncate()
        cells = row.items()
        writer.writerow({
            name: json.dumps(cell, ensure_ascii=False) if isinstance(cell, dict) else cell
            for name, cell in cells
        })  # fmt: skip
        yield line.getvalue()
