"""What is known of the pages so far, in parts: an interrupted run is taken up after the last part that is
whole.

A part is a few Parquet files: of its pages, sentences and links, and of what the join reads. That of the
pages gets its name last, and the part counts when it is there. Where parts are cut does not change a byte of
what comes of them.
"""

from __future__ import annotations

import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from ruiji.corpora.files import replacing
from ruiji.detector.gather import schemas
from ruiji.detector.gather.occurrences import COLUMNS, PageSentences
from ruiji.detector.sentences.table import keys

PART_PAGES = 256  # pages in memory before they are written, and the most that is lost by a kill
PART_CHARACTERS = 4 << 20  # a part of long pages is closed early
OCCURRENCE_COLUMNS = (
    "key", "text_key", "length", "bits", "fit", "names", "text_start", "text_end", "place", "paragraph_key",
)  # fmt: skip
_NO_KEYS = np.empty(0, dtype=np.int64)
NUMBER = pa.field("page", pa.int64())  # a page's place in the input, the first column in the files of a part


@dataclass(frozen=True, slots=True, eq=False)
class Gathered:
    """All that is kept of a page: its row in pages.parquet, sentences, (address, text) of its links, and the
    keys of those addresses.
    """

    record: Mapping[str, Any]
    sentences: PageSentences | None = None
    links: Sequence[tuple[str, str]] = ()
    targets: Sequence[int] = ()

    @property
    def characters(self) -> int:
        return sum(map(len, self.sentences.texts)) if self.sentences else 0


@dataclass(slots=True)
class Parts:
    """The parts in a folder; ``pages`` counts the pages of those that are there."""

    folder: Path
    with_skeletons: bool
    pages: int = 0
    failed: int = 0
    count: int = 0
    _waiting: list[Gathered] = field(default_factory=list)
    _characters: int = 0

    def take_up(self, signature: str) -> None:
        """Counts what a run of the same signature has left behind; what another has left is removed."""
        note = self.folder / "run"
        if not (note.is_file() and signature and note.read_text() == signature):
            shutil.rmtree(self.folder, ignore_errors=True)
            self.folder.mkdir(parents=True)
            with replacing(note) as stream:
                stream.write(signature.encode())
        self._count()

    def _count(self) -> None:
        self.count = self.pages = self.failed = 0
        while (path := self.file("pages", self.count)).is_file():
            errors = pq.read_table(path, columns=["error"])["error"]
            self.count, self.pages, self.failed = (
                self.count + 1,
                self.pages + len(errors),
                self.failed + len(errors) - errors.null_count,
            )

    @property
    def complete(self) -> bool:
        """Whether the last page of the input is in."""
        return (self.folder / "complete").is_file()

    def file(self, name: str, number: int) -> Path:
        return self.folder / f"{number:06}.{name}.parquet"

    def files(self, name: str) -> list[Path]:
        return [self.file(name, number) for number in range(self.count)]

    def add(self, row: Gathered) -> None:
        """Takes a page; writes a part when there is enough of them."""
        self._waiting.append(row)
        self._characters += row.characters
        if len(self._waiting) >= PART_PAGES or self._characters >= PART_CHARACTERS:
            self.flush()

    def flush(self) -> None:
        """Writes the pages that wait."""
        if self._waiting:
            self.write(self._waiting, self.pages, self.count)
            self.pages += len(self._waiting)
            self.count += 1
            self._waiting, self._characters = [], 0

    def write(self, rows: Sequence[Gathered], first: int, number: int) -> None:
        """Writes the files of one part, whose first page has the number ``first``; the file of the pages
        comes last.
        """
        tables = part_tables(rows, first, self.with_skeletons)
        for name in ("sentences", "links", "occurrences", "asides", "contents", "targets", "pages"):
            write_table(tables[name], self.file(name, number))

    def finish(self) -> None:
        """Writes what waits, and that there is no more; also counts parts that others have written."""
        self.flush()
        self._count()
        if not self.count:  # no page at all: empty tables
            self.write([], 0, 0)
            self._count()
        with replacing(self.folder / "complete") as stream:
            stream.write(b"")


def write_table(table: pa.Table, destination: Path) -> None:
    """Writes a table that appears whole or not at all."""
    with replacing(destination) as stream:
        pq.write_table(table, stream, compression="zstd")


def part_tables(rows: Sequence[Gathered], first: int, with_skeletons: bool) -> dict[str, pa.Table]:
    """The tables of a part."""
    pages = pa.array(range(first, first + len(rows)), pa.int64())
    records = {name: [row.record[name] for row in rows] for name in schemas.PAGES.names}
    known = [
        (number, row.record["url"], row.sentences)
        for number, row in enumerate(rows, start=first)
        if row.sentences is not None
    ]
    tables = {"pages": pa.Table.from_pydict(records, schemas.PAGES).add_column(0, NUMBER, pages)}
    tables["sentences"] = _sentences_table(known, with_skeletons)
    tables["occurrences"] = _occurrences_table(known)
    tables["asides"] = _asides_table(known)
    tables["contents"] = _contents_table(known)
    links = [
        (number, row.record["url"], *link)
        for number, row in enumerate(rows, start=first)
        for link in row.links
    ]
    schema = pa.schema([NUMBER, *schemas.LINKS])
    tables["links"] = pa.table(
        {name: [link[place] for link in links] for place, name in enumerate(schema.names)}, schema
    )
    numbers = np.repeat(
        np.arange(first, first + len(rows), dtype=np.int64), [len(row.targets) for row in rows]
    )
    tables["targets"] = pa.table([numbers, [key for row in rows for key in row.targets]], schemas.TARGETS)
    return tables


def _sentences_table(known: Sequence[tuple[int, str, PageSentences]], with_skeletons: bool) -> pa.Table:
    sizes = [len(sentences.texts) for _, _, sentences in known]
    numbers = np.repeat(np.array([number for number, _, _ in known], dtype=np.int64), sizes)
    urls = pa.array([url for _, url, _ in known], pa.string()).take(
        pa.array(np.repeat(np.arange(len(known)), sizes))
    )
    columns = (
        np.concatenate([sentences.columns for _, _, sentences in known])
        if known
        else np.empty(0, dtype=COLUMNS)
    )
    arrays = {
        NUMBER.name: numbers,
        "url": urls,
        "position": np.concatenate([np.arange(size, dtype=np.int32) for size in sizes])
        if sizes
        else np.empty(0, dtype=np.int32),
        "text": pa.array([text for _, _, sentences in known for text in sentences.texts], pa.string()),
    } | {name: np.ascontiguousarray(columns[name]) for name in COLUMNS.names or ()}
    schema = pa.schema([NUMBER, *schemas.SENTENCES])
    if with_skeletons:
        schema = schema.append(schemas.SKELETON)
        arrays[schemas.SKELETON.name] = pa.array(
            [
                text
                for _, _, sentences in known
                for text in sentences.skeletons or [""] * len(sentences.texts)
            ],
            pa.string(),
        )
    return pa.table({name: arrays[name] for name in schema.names}, schema)


def _asides_table(known: Sequence[tuple[int, str, PageSentences]]) -> pa.Table:
    keys_by_page = [np.unique(own.columns["key"][own.asides]) for _, _, own in known]
    numbers = np.array([number for number, _, _ in known], dtype=np.int64)
    columns = [np.repeat(numbers, list(map(len, keys_by_page))), np.concatenate([_NO_KEYS, *keys_by_page])]
    return pa.table(columns, schema=schemas.ASIDES)


def _contents_table(known: Sequence[tuple[int, str, PageSentences]]) -> pa.Table:
    tables = [
        content_rows(
            number,
            [
                text
                for text, is_content in zip(own.texts, own.columns["content"].tolist(), strict=True)
                if is_content
            ],
        )
        for number, _, own in known
    ]
    return pa.concat_tables([schemas.CONTENTS.empty_table(), *tables])


def content_rows(page: int, texts: Sequence[str]) -> pa.Table:
    """The different content sentences of a page, short ones too: keys of their texts, and characters."""
    different = list(dict.fromkeys(texts))
    numbers = np.full(len(different), page, dtype=np.int64)
    chars = np.fromiter(map(len, different), np.int64, len(different))
    return pa.table([numbers, keys(different).view(np.int64), chars], schema=schemas.CONTENTS)


def _occurrences_table(known: Sequence[tuple[int, str, PageSentences]]) -> pa.Table:
    numbers = np.repeat(
        np.array([number for number, _, _ in known], dtype=np.int64), [len(one.chosen) for _, _, one in known]
    )
    chosen = [one.columns[one.chosen] for _, _, one in known]
    columns = np.concatenate(chosen) if chosen else np.empty(0, dtype=COLUMNS)
    texts = pa.array([text for _, _, one in known for text in one.matched], pa.string())
    kept = [columns[name].astype(np.int64) for name in OCCURRENCE_COLUMNS]
    return pa.table([numbers, *kept, texts], schema=schemas.OCCURRENCES)
