"""Pages that a command goes through several times, read once as far as they fit into memory.

Unpacking a crawl takes a tenth of the time that the work on it takes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path

from ruiji.corpora.page import Page, PageRecord, page_of_record
from ruiji.corpora.sources import PageSource

# Of pages as they stand in their files: a thousand of the wide web have 300 MB, three hundred fit, as do all
# of a manual. Beyond that they are read anew, as pages of any number are.
KEPT_BYTES = 128 << 20
OBJECT_BYTES = 512  # that a record takes beside its text


class RememberedPages:
    """The pages of a source, which is gone through at most once where its pages fit into memory."""

    def __init__(self, source: PageSource, most: int = KEPT_BYTES) -> None:
        self._source, self._left = source, most
        self._kept: list[PageRecord] = []
        self._reading: Iterator[PageRecord] | None = None  # of what is not yet kept
        self._fits = source.repeatable

    @property
    def names(self) -> Sequence[str]:
        """What the pages are called where a run describes itself."""
        return self._source.names

    @property
    def repeatable(self) -> bool:
        """Whether the pages can be read a second time."""
        return self._source.repeatable

    def __iter__(self) -> Iterator[Page]:
        for record in self.records():
            yield page_of_record(record)

    def records(self) -> Iterator[PageRecord]:
        """The pages, from memory as far as they are there."""
        number = 0
        while self._fits:
            record = self._kept[number] if number < len(self._kept) else self._next()
            if record is None:
                return
            number += 1
            if self._fits:
                yield record
                continue
            reading, self._reading, self._kept = self._reading, None, []
            yield record  # who comes next reads anew; this one reads on
            yield from reading or ()
            return
        yield from islice(self._source.records(), number, None)

    def _next(self) -> PageRecord | None:
        """One more page, kept; None at the end."""
        if self._reading is None:
            self._reading = self._source.records()
        self._fits = False  # until all went well: who reads again what broke off must see that it does
        record = next(self._reading, None)
        if record is not None:
            self._kept.append(record)
            self._left -= record.size + OBJECT_BYTES
        self._fits = self._left >= 0
        return record

    def files(self) -> Iterator[Path]:
        """Every file that is read."""
        return self._source.files()

    def signature(self, settings: Mapping[str, object]) -> str:
        """What is equal only for a run with the same settings on the same pages."""
        return self._source.signature(settings)
