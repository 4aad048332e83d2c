"""Shared sentences that follow each other in both pages of a pair, as passages: the rows of
evidence.parquet; and how the texts of a pair differ where they share.

A sentence may count though the extracted text of its page does not have it (a quotation that the mask leaves
out): it is a passage by itself, without a place in that page.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

import pyarrow as pa

from ruiji.detector.gather import schemas
from ruiji.detector.gather.text_places import NOWHERE

GAP = 3  # characters between two sentences of one passage: white space, the end of a line, a bracket


@dataclass(slots=True)
class Differences:
    """How the texts of pairs differ where they share: sentences that match but are written otherwise, and
    passages that stand in another order.
    """

    _edited: dict[tuple[str, str], int] = field(default_factory=dict)
    _moved: dict[tuple[str, str], int] = field(default_factory=dict)

    def add(self, row: dict[str, Any], last: dict[str, Any] | None) -> None:
        """Takes in a shared sentence and the one before it."""
        pair = (row["url_a"], row["url_b"])
        self._edited[pair] = self._edited.get(pair, 0) + row["edited"]
        if (
            last is not None
            and (last["url_a"], last["url_b"]) == pair
            and not row["hidden"]
            and row["start_b"] < last["start_b"]
        ):
            self._moved[pair] = self._moved.get(pair, 0) + 1

    def edited(self, url_a: str, url_b: str) -> int:
        return self._edited.get((url_a, url_b), 0)

    def moved(self, url_a: str, url_b: str) -> int:
        return self._moved.get((url_a, url_b), 0)


def shared_passages(batches: Iterable[pa.RecordBatch], differences: Differences) -> Iterator[pa.Table]:
    """The passages of each batch of shared sentences, which come pair by pair in the order of the first
    text; ``differences`` takes in how they differ.
    """
    last: dict[str, Any] | None = None
    for batch in batches:
        passages = []
        for row in batch.to_pylist():
            differences.add(row, last)
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
    if row["hidden"]:
        return False
    gaps = [row[f"start_{side}"] - passage[f"end_{side}"] for side in "ab"]
    return same_pair and all(0 <= gap <= GAP for gap in gaps)


def _table(passages: list[dict[str, Any]]) -> pa.Table:
    rows = []
    for passage in passages:
        row = {name: passage[name] for name in schemas.EVIDENCE.names if name != "chars"}
        row["chars"] = passage["length"]
        for side in "ba":
            if row[f"start_{side}"] == NOWHERE:
                row |= {f"start_{side}": None, f"end_{side}": None}
            else:
                row["chars"] = row[f"end_{side}"] - row[f"start_{side}"]
        rows.append(row)
    return pa.Table.from_pylist(rows, schemas.EVIDENCE)
