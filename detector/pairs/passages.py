"""Shared sentences that follow each other in both pages of a pair, as passages: the rows of
evidence.parquet.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import pyarrow as pa

from ruiji.detector.gather import schemas

GAP = 3  # characters between two sentences of one passage: white space, the end of a line, a bracket


def shared_passages(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.Table]:
    """The passages of each batch of shared sentences, which come pair by pair in the order of the first
    text.
    """
    last: dict[str, Any] | None = None
    for batch in batches:
        passages = []
        for row in batch.to_pylist():
            if last is not None and _goes_on(last, row):
                last |= {"end_a": row["end_a"], "end_b": row["end_b"], "bits": last["bits"] + row["bits"]}
                continue
            if last is not None:
                passages.append(last)
            last = row
        yield _table(passages)
    if last is not None:
        yield _table([last])


def _goes_on(passage: dict[str, Any], row: dict[str, Any]) -> bool:
    """Whether a sentence follows a passage in both texts."""
    same_pair = (row["url_a"], row["url_b"]) == (passage["url_a"], passage["url_b"])
    gaps = [row[f"start_{side}"] - passage[f"end_{side}"] for side in "ab"]
    return same_pair and all(0 <= gap <= GAP for gap in gaps)


def _table(passages: list[dict[str, Any]]) -> pa.Table:
    rows = [passage | {"chars": passage["end_a"] - passage["start_a"]} for passage in passages]
    return pa.Table.from_pylist(rows, schemas.EVIDENCE)
