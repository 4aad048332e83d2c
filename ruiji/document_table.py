"""Documents as rows of a Parquet file."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import islice
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from ruiji.corpora.files import replacing

_BATCH = 500  # rows that are held before they are written
_COUNTS = pa.map_(pa.string(), pa.int64())
_LABELS = pa.list_(
    pa.struct(
        [("text", pa.string()), ("content", pa.bool_()), ("score", pa.float64()), ("path", pa.string())]
    )
)
SCHEMA = pa.schema(
    [
        *((name, pa.string()) for name in "id url title author published modified language encoding".split()),
        *((name, pa.string()) for name in "text markdown comments".split()),
        ("content_nodes", pa.int64()),
        ("nodes", pa.int64()),
        ("expected_f1", pa.float64()),
        ("dropped", _COUNTS),
        ("error", pa.string()),
        *((name, pa.string()) for name in "encoding_evidence site canonical image license".split()),
        ("sources", pa.map_(pa.string(), pa.string())),
    ]
)


def write_rows(destination: Path, rows: Iterable[Mapping[str, Any]], with_nodes: bool) -> None:
    """Writes the records of documents, in order, into a file that appears when it is whole."""
    schema = SCHEMA.append(pa.field("labels", _LABELS)) if with_nodes else SCHEMA
    with replacing(destination) as stream, pq.ParquetWriter(stream, schema) as writer:
        records = iter(rows)
        while batch := [_row(row) for row in islice(records, _BATCH)]:
            writer.write_table(pa.Table.from_pylist(batch, schema=schema))


def _row(record: Mapping[str, Any]) -> dict[str, Any]:
    return {**record, "dropped": list(record["dropped"].items()), "sources": list(record["sources"].items())}
