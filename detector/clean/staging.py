"""Documents with their units, in parts on disk, from which an interrupted run goes on and which shards are
merged by.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pyarrow as pa

from ruiji.detector.clean import schemas
from ruiji.detector.clean.units import Units
from ruiji.detector.gather.part_tables import write_table
from ruiji.detector.gather.parts import PART_CHARACTERS, Parts
from ruiji.features.arrays import LongArray

PART_DOCUMENTS = 4096  # in memory before they are written
UNIT_COLUMNS = {
    "bits": "bits", "length": "length", "unit_start": "start", "unit_end": "end", "unit_until": "until",
    "unit_left": "left",
}  # fmt: skip


@dataclass(frozen=True, slots=True, eq=False)
class GatheredDocument:
    """A document as it goes into a part: the row of its page, the fields that go into the corpus as they are,
    its text, units, how well each unit fits the page, and the keys of the addresses that it links to.
    """

    page: Mapping[str, Any]
    record: Mapping[str, Any] = field(default_factory=dict)
    text: str = ""
    units: Units | None = None
    fit: LongArray | None = None
    targets: Sequence[int] = ()

    @property
    def characters(self) -> int:
        return len(self.text)


@dataclass(slots=True)
class DocumentParts(Parts):
    """The parts of a shard: of ``shards`` shards the one with number ``shard``, counted from 0, has every
    page
    of the input whose number leaves that rest.
    """

    shard: int = 0
    shards: int = 1

    def add(self, row: Any) -> None:
        """Takes a document; writes a part when there is enough of them, which are smaller than pages."""
        self._waiting.append(row)
        self._characters += row.characters
        if len(self._waiting) >= PART_DOCUMENTS or self._characters >= PART_CHARACTERS:
            self.flush()

    def write(self, rows: Sequence[Any], first: int, number: int) -> None:
        """Writes the files of one part; that of the pages comes last."""
        tables = part_tables(
            rows, [self.shard + self.shards * place for place in range(first, first + len(rows))]
        )
        for name in ("documents", "units", "targets", "pages"):
            write_table(tables[name], self.file(name, number))


def part_tables(rows: Sequence[GatheredDocument], numbers: Sequence[int]) -> dict[str, pa.Table]:
    """The tables of a part, whose pages have these numbers in the input."""
    pages = [{**row.page, "page": number} for row, number in zip(rows, numbers, strict=True)]
    good = [
        (number, row, row.units) for number, row in zip(numbers, rows, strict=True) if row.units is not None
    ]
    documents = [
        (number, row.text, writable(json.dumps(row.record, ensure_ascii=False, default=str)))
        for number, row, _ in good
    ]
    targets = [(number, key) for number, row, _ in good for key in row.targets]
    return {
        "pages": pa.Table.from_pylist(pages, schemas.PAGES),
        "documents": _table(documents, schemas.DOCUMENTS),
        "units": _units_table(good),
        "targets": _table(targets, schemas.TARGETS),
    }


def writable(text: str) -> str:
    """The text as it can be written: what is no character becomes a question mark."""
    return text.encode("utf-8", "replace").decode("utf-8")


def _table(rows: Sequence[Sequence[Any]], schema: pa.Schema) -> pa.Table:
    return pa.table([[row[place] for row in rows] for place in range(len(schema))], schema=schema)


def _units_table(rows: Sequence[tuple[int, GatheredDocument, Units]]) -> pa.Table:
    if not rows:
        return schemas.UNITS.empty_table()
    sizes = [len(units) for _, _, units in rows]
    keys = np.concatenate([units.keys for _, _, units in rows])
    columns = {
        "page": np.repeat(np.array([number for number, _, _ in rows], dtype=np.int64), sizes),
        "position": np.concatenate([np.arange(size, dtype=np.int64) for size in sizes]),
        "key_high": np.ascontiguousarray(keys[:, 0]),
        "key_low": np.ascontiguousarray(keys[:, 1]),
        "fit": np.concatenate(
            [np.zeros(len(units), dtype=np.int64) if row.fit is None else row.fit for _, row, units in rows]
        ),
    }
    for name, attribute in UNIT_COLUMNS.items():
        columns[name] = np.concatenate([getattr(units, attribute) for _, _, units in rows])
    return pa.table([columns[name] for name in schemas.UNITS.names], schema=schemas.UNITS)
