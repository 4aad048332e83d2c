"""The Parquet files of a part (``parts.py``): what was gathered of its pages, as tables of Arrow."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from ruiji.corpora.files import replacing
from ruiji.detector.gather import schemas
from ruiji.detector.gather.gathered import Gathered, SentenceRows, Texts
from ruiji.detector.gather.occurrences import COLUMNS
from ruiji.detector.parquet import table_of
from ruiji.detector.sentences.table import keys
from ruiji.features.arrays import Column, LongArray

OCCURRENCE_COLUMNS = (
    "key", "text_key", "length", "bits", "fit", "names", "text_start", "text_end", "place", "paragraph_key",
)  # fmt: skip
REPEATED = ["url"]  # columns in which one value stands row after row
NUMBER = pa.field("page", pa.int64())  # a page's place in the input, the first column in the files of a part
_Rows = tuple[int, str, SentenceRows]  # number and address of a page, and its sentences


def write_table(table: pa.Table, destination: Path) -> None:
    """Writes a table that appears whole or not at all: packed lightly, since what reads it writes it anew."""
    repeated = [name for name in REPEATED if name in table.schema.names]
    with replacing(destination) as stream:
        pq.write_table(table, stream, compression="lz4", use_dictionary=repeated or False)


def pages_and_failures(path: Path) -> tuple[int, int]:
    """How many pages the file of a part's pages has, and how many of them failed."""
    errors = table_of(path, ["error"])["error"]
    return len(errors), len(errors) - errors.null_count


def part_tables(rows: Sequence[Gathered], first: int, with_skeletons: bool) -> dict[str, pa.Table]:
    """The tables of a part."""
    numbers = np.arange(first, first + len(rows), dtype=np.int64)
    records = {name: [row.record[name] for row in rows] for name in schemas.PAGES.names}
    known = [
        (number, row.record["url"], row.sentences)
        for number, row in enumerate(rows, start=first)
        if row.sentences is not None
    ]
    keys_of_links = [row.links.keys for row in rows]
    return {
        "pages": pa.Table.from_pydict(records, schemas.PAGES).add_column(0, NUMBER, pa.array(numbers)),
        "sentences": _sentences_table(known, with_skeletons),
        "occurrences": _occurrences_table(known),
        "asides": pa.table(
            [
                _numbers(known, [len(own.asides) for *_, own in known]),
                _joined(own.asides for *_, own in known),
            ],
            schema=schemas.ASIDES,
        ),
        "contents": pa.table(
            [
                _numbers(known, [len(own.contents) for *_, own in known]),
                _joined(own.contents for *_, own in known),
                _joined(own.content_chars for *_, own in known),
            ],
            schema=schemas.CONTENTS,
        ),
        "links": _links_table(rows, numbers),
        "targets": pa.table(
            [np.repeat(numbers, list(map(len, keys_of_links))), _joined(keys_of_links)],
            schema=schemas.TARGETS,
        ),
    }


def _sentences_table(known: Sequence[_Rows], with_skeletons: bool) -> pa.Table:
    sizes = [len(own.texts) for *_, own in known]
    columns = np.concatenate([np.empty(0, dtype=COLUMNS), *(own.columns for *_, own in known)])
    arrays: dict[str, Any] = {
        NUMBER.name: _numbers(known, sizes),
        "url": repeated_texts([url for _, url, _ in known], sizes),
        "position": np.concatenate(
            [np.empty(0, dtype=np.int32), *(np.arange(n, dtype=np.int32) for n in sizes)]
        ),
        "text": arrow_texts([own.texts for *_, own in known]),
    } | {name: np.ascontiguousarray(columns[name]) for name in COLUMNS.names or ()}
    schema = pa.schema([NUMBER, *schemas.SENTENCES])
    if with_skeletons:
        schema = schema.append(schemas.SKELETON)
        arrays[schemas.SKELETON.name] = arrow_texts(
            [own.skeletons or Texts(b"", np.zeros(len(own.texts), dtype=np.int32)) for *_, own in known]
        )
    return pa.table({name: arrays[name] for name in schema.names}, schema)


def _occurrences_table(known: Sequence[_Rows]) -> pa.Table:
    columns = np.concatenate([np.empty(0, dtype=COLUMNS), *(own.columns[own.chosen] for *_, own in known)])
    return pa.table(
        [
            _numbers(known, [len(own.chosen) for *_, own in known]),
            *(columns[name].astype(np.int64) for name in OCCURRENCE_COLUMNS),
            arrow_texts([own.matched for *_, own in known]),
        ],
        schema=schemas.OCCURRENCES,
    )


def _links_table(rows: Sequence[Gathered], numbers: LongArray) -> pa.Table:
    sizes = [len(row.links.texts) for row in rows]
    columns = [
        np.repeat(numbers, sizes),
        repeated_texts([row.record["url"] for row in rows], sizes),
        arrow_texts([row.links.addresses for row in rows]),
        arrow_texts([row.links.texts for row in rows]),
    ]
    return pa.table(columns, schema=pa.schema([NUMBER, *schemas.LINKS]))


def content_rows(page: int, texts: Sequence[str]) -> pa.Table:
    """The different content sentences of a page, short ones too: keys of their texts, and characters."""
    different = list(dict.fromkeys(texts))
    numbers = np.full(len(different), page, dtype=np.int64)
    chars = np.fromiter(map(len, different), np.int64, len(different))
    return pa.table([numbers, keys(different).view(np.int64), chars], schema=schemas.CONTENTS)


def arrow_texts(pages: Sequence[Texts]) -> pa.StringArray:
    """The strings of all pages as one column."""
    sizes = np.concatenate([np.empty(0, dtype=np.int32), *(texts.sizes for texts in pages)])
    ends = np.zeros(len(sizes) + 1, dtype=np.int32)
    np.cumsum(sizes, out=ends[1:])
    utf8 = b"".join(texts.utf8 for texts in pages)
    return pa.StringArray.from_buffers(len(sizes), pa.py_buffer(ends), pa.py_buffer(utf8))


def repeated_texts(texts: Sequence[str], times: Sequence[int]) -> pa.StringArray:
    """A column with each string so many times."""
    return pa.array(texts, pa.string()).take(pa.array(np.repeat(np.arange(len(texts)), times)))


def _numbers(known: Sequence[_Rows], times: Sequence[int]) -> LongArray:
    """The number of each page, so many times."""
    return np.repeat(np.array([number for number, *_ in known], dtype=np.int64), times)


def _joined(columns: Iterable[Column]) -> LongArray:
    return np.concatenate([np.empty(0, dtype=np.int64), *columns])
