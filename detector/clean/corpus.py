"""The files of ``clean``: the corpus, the receipt of what was removed, and the pages that are not in it.

Documents and stretches both come in the order of places, so that one pass over both writes everything,
however large the collection.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from ruiji.corpora.files import replacing
from ruiji.detector.clean import schemas
from ruiji.detector.clean.decide import PRECISION, REASONS
from ruiji.detector.clean.markdown import markdown_without
from ruiji.detector.clean.order import CleanPages
from ruiji.detector.clean.stretches import RemovedStretch, cuts, without
from ruiji.features.arrays import LongArray

GROUP_ROWS = 2_000  # rows of a row group, which is what is held in memory
GROUP_CHARACTERS = 16 << 20
CLUSTER_SHARE = 0.5  # of a page's text that one other page keeps, for both to be of one cluster


@dataclass(frozen=True, slots=True, eq=False)
class Clusters:
    """Of each place, the place of the page that stands for its cluster, and how many pages are in it."""

    head: LongArray
    size: LongArray


def clusters(kept: LongArray, shared: LongArray, chars: LongArray) -> Clusters:
    """The clusters; ``kept`` is the place of the page that keeps most of each page's text, of which
    ``shared`` characters; its own where none does.
    """
    head = np.where(shared >= CLUSTER_SHARE * np.maximum(chars, 1), kept, np.arange(len(kept)))
    while not np.array_equal(above := head[head], head):
        head = above
    return Clusters(head, np.bincount(head, minlength=len(head)).astype(np.int64)[head])


class RowWriter:
    """Rows into a Parquet file that appears when the block ends; where groups end depends on the rows
    alone."""

    def __init__(self, destination: Path, schema: pa.Schema) -> None:
        self._schema, self._destination = schema, destination
        self._rows: list[dict[str, Any]] = []
        self._characters = 0
        self.count = 0

    def __enter__(self) -> RowWriter:
        self._stack = ExitStack()
        stream = self._stack.enter_context(replacing(self._destination))
        self._writer = self._stack.enter_context(pq.ParquetWriter(stream, self._schema, compression="zstd"))
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if error is None:
            self._flush()
        self._stack.__exit__(kind, error, trace)

    def add(self, row: dict[str, Any]) -> None:
        self._rows.append(row)
        self._characters += len(row.get("text") or "") + len(row.get("markdown") or "")
        self.count += 1
        if len(self._rows) >= GROUP_ROWS or self._characters >= GROUP_CHARACTERS:
            self._flush()

    def _flush(self) -> None:
        if self._rows:
            self._writer.write_table(pa.Table.from_pylist(self._rows, self._schema))
        self._rows, self._characters = [], 0


@dataclass(slots=True)
class Totals:
    """What there is to count."""

    pages: int = 0
    chars: int = 0
    removed: Counter[str] = field(default_factory=Counter)  # characters by reason
    stretches: Counter[str] = field(default_factory=Counter)
    sites: Counter[str] = field(default_factory=Counter)  # removed characters by site
    left_out: Counter[str] = field(default_factory=Counter)
    shares: Counter[int] = field(default_factory=Counter)  # pages by tenths of their text that was removed


@dataclass(frozen=True, slots=True, eq=False)
class CorpusWriter:
    """Writes the three files. ``cut`` says whether what is removed leaves the text, or is only marked."""

    pages: CleanPages
    clusters: Clusters
    cut: bool
    totals: Totals = field(default_factory=Totals)

    def write(
        self,
        documents: Iterable[pa.RecordBatch],
        stretches: Iterable[pa.RecordBatch],
        unsure: Iterable[pa.RecordBatch],
        folder: Path,
    ) -> dict[str, int]:
        """Writes the files; returns their numbers of rows. ``unsure`` are the texts of pages that are left
        out for their precision.
        """
        with (
            RowWriter(folder / "corpus.parquet", schemas.CORPUS) as corpus,
            RowWriter(folder / "removed.parquet", schemas.REMOVED) as removed,
            RowWriter(folder / "left_out.parquet", schemas.LEFT_OUT) as left_out,
        ):
            rows = _by_place(stretches)
            waiting = next(rows, None)
            for batch in documents:
                for place, text, record in zip(
                    *(column.to_pylist() for column in batch.columns), strict=True
                ):
                    own: list[dict[str, int]] = []
                    if waiting is not None and waiting[0] == place:
                        own, waiting = waiting[1], next(rows, None)
                    self._write_page(place, text, json.loads(record), own, corpus, removed, left_out)
            self._write_unsure(unsure, removed)
            self._write_missing(left_out)
            return {"corpus": corpus.count, "removed": removed.count, "left_out": left_out.count}

    def _write_page(
        self,
        place: int,
        text: str,
        record: Mapping[str, Any],
        rows: Sequence[dict[str, int]],
        corpus: RowWriter,
        removed: RowWriter,
        left_out: RowWriter,
    ) -> None:
        stretches = cuts(text, rows)
        gone = sum(stretch.end - stretch.start for stretch in stretches)
        self._count(place, text, stretches, gone)
        for stretch in stretches:
            removed.add(self._receipt(place, text, stretch))
        if self.cut and stretches and gone == len(text):
            reason = REASONS[stretches[0].reason]
            self.totals.left_out[reason] += 1
            left_out.add(
                self._named(place)
                | {"reason": reason, "kept_url": self._url(stretches[0].kept), "characters": len(text)}
            )
            return
        rest, markdown = text, record.get("markdown") or ""
        if self.cut and stretches:
            rest = without(text, stretches)
            markdown = markdown_without(markdown, text, stretches)
        corpus.add(
            {
                **record,
                **self._named(place),
                "text": rest,
                "markdown": markdown,
                "cluster": self._url(int(self.clusters.head[place])),
                "duplicates": int(self.clusters.size[place]),
                "removed_chars": gone,
                "characters": len(text),
                "removed_share": round(gone / max(1, len(text)), 4),
            }
        )

    def _count(self, place: int, text: str, stretches: Sequence[RemovedStretch], gone: int) -> None:
        totals = self.totals
        totals.pages += 1
        totals.chars += len(text)
        totals.shares[10 * gone // len(text) if text else 0] += 1
        for stretch in stretches:
            totals.removed[REASONS[stretch.reason]] += stretch.end - stretch.start
            totals.stretches[REASONS[stretch.reason]] += 1
        if gone:
            totals.sites[self.pages.table["site"][place].as_py()] += gone

    def _receipt(self, place: int, text: str, stretch: RemovedStretch) -> dict[str, Any]:
        return {
            **self._named(place),
            "start": stretch.start,
            "end": stretch.end,
            "reason": REASONS[stretch.reason],
            "kept_url": self._url(stretch.kept),
            "kept_id": self.pages.table["id"][stretch.kept].as_py(),
            "kept_start": stretch.kept_start,
            "kept_end": stretch.kept_end,
            "chars": stretch.end - stretch.start,
            "text": text[stretch.start : stretch.end],
        }

    def _write_unsure(self, texts: Iterable[pa.RecordBatch], removed: RowWriter) -> None:
        """The receipts of pages that are not sure enough: kept nowhere."""
        reason = REASONS[PRECISION]
        names = self.pages.unsure
        for batch in texts:
            for place, text in zip(*(column.to_pylist() for column in batch.columns), strict=True):
                row = {name: names[name][place].as_py() for name in ("id", "url")}
                row |= {"start": 0, "end": len(text), "chars": len(text), "reason": reason, "text": text}
                if text:
                    removed.add(row)
                    self.totals.removed[reason] += len(text)
                    self.totals.stretches[reason] += 1
                self.totals.chars += len(text)

    def _write_missing(self, left_out: RowWriter) -> None:
        """The pages that failed, and those that are not sure enough."""
        for table, reason in ((self.pages.unsure, REASONS[PRECISION]), (self.pages.failed, "error")):
            for row in table.select(["id", "url", "chars", "error"]).to_pylist():
                self.totals.left_out[reason] += 1
                left_out.add(
                    {"id": row["id"], "url": row["url"], "reason": reason, "error": row["error"],
                     "characters": row["chars"]}
                )  # fmt: skip

    def _named(self, place: int) -> dict[str, str]:
        return {"id": self.pages.table["id"][place].as_py(), "url": self._url(place)}

    def _url(self, place: int) -> str:
        url: str = self.pages.table["url"][place].as_py()
        return url


def _by_place(batches: Iterable[pa.RecordBatch]) -> Iterator[tuple[int, list[dict[str, int]]]]:
    """The stretches of each page that has some."""
    place = -1
    rows: list[dict[str, int]] = []
    for batch in batches:
        for row in batch.to_pylist():
            if row["place"] != place and rows:
                yield place, rows
                rows = []
            place = row["place"]
            rows.append(row)
    if rows:
        yield place, rows
