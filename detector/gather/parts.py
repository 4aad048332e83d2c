"""What is known of the pages so far, in parts: an interrupted run is taken up after the last part that is
whole.

A part is a few Parquet files: of its pages, sentences and links, and of what the join reads. That of the
pages gets its name last, and the part counts when it is there. Where parts are cut does not change a byte of
what comes of them. Arrow is imported when the first part is written or read: it starts threads, and a process
with threads cannot be copied for workers.
"""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ruiji.corpora.files import replacing

PART_PAGES = 256  # pages in memory before they are written, and the most that is lost by a kill
NOTE = "run"  # the file that says which run the parts are of
PART_CHARACTERS = 4 << 20  # a part of long pages is closed early


@dataclass(slots=True)
class Parts:
    """The parts in a folder; ``pages`` counts the pages of those that are there."""

    folder: Path
    with_skeletons: bool
    pages: int = 0
    failed: int = 0
    count: int = 0
    _waiting: list[Any] = field(default_factory=list)
    _characters: int = 0

    def take_up(self, signature: str) -> None:
        """Counts what a run of the same signature has left behind; what another has left is removed."""
        note = self.folder / NOTE
        if not (note.is_file() and signature and note.read_bytes() == signature.encode()):
            note.unlink(missing_ok=True)  # first: without it nobody takes up what is being removed
            shutil.rmtree(self.folder, ignore_errors=True)
            self.folder.mkdir(parents=True)
            with replacing(note) as stream:
                stream.write(signature.encode())
        self._count()

    def _count(self) -> None:
        self.count = self.pages = self.failed = 0
        while (path := self.file("pages", self.count)).is_file():
            from ruiji.detector.gather.part_tables import pages_and_failures

            pages, failures = pages_and_failures(path)
            self.count, self.pages, self.failed = self.count + 1, self.pages + pages, self.failed + failures

    @property
    def complete(self) -> bool:
        """Whether the last page of the input is in."""
        return (self.folder / "complete").is_file()

    def file(self, name: str, number: int) -> Path:
        return self.folder / f"{number:06}.{name}.parquet"

    def files(self, name: str) -> list[Path]:
        return [self.file(name, number) for number in range(self.count)]

    def add(self, row: Any) -> None:
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

    def write(self, rows: Sequence[Any], first: int, number: int) -> None:
        """Writes the files of one part, whose first page has the number ``first``; the file of the pages
        comes last.
        """
        from ruiji.detector.gather.part_tables import part_tables, write_table

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
