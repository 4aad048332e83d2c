"""``ruiji convert``: pages from any form into JSONL, Parquet or the standard format."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from ruiji.corpora.files import owned
from ruiji.corpora.rows import write_jsonl, write_parquet
from ruiji.corpora.sources import NamedPages, named_pages
from ruiji.corpora.standard_format import Document, write_standard_format
from ruiji.detector.gather.documents import PageDocument, page_documents
from ruiji.options import add_common, add_pages
from ruiji.outcome import Outcome
from ruiji.progress import Reporter

STANDARD_FORMAT, JSONL, PARQUET = "standard-format", "jsonl", "parquet"
TARGETS = (STANDARD_FORMAT, JSONL, PARQUET)

DESCRIPTION = "Pages from any form into another."
EPILOG = """\
examples:
  ruiji convert crawl.warc.gz --to parquet -o pages.parquet     raw bytes, HTTP headers kept
  ruiji convert old-site/ --to jsonl -o pages.jsonl.gz          html as text, whatever its encoding was
  ruiji convert pages.jsonl --to standard-format -o xml/        a file a page; -o all.xml for one file

For the standard format the pages are read twice: it names the links to each page, and joins anchors whose
compound is frequent."""


@dataclass(frozen=True, slots=True)
class ConvertSettings:
    """Which pages go into which form, and where to."""

    pages: tuple[str, ...]
    to: str
    destination: Path
    jobs: int


def add_options(parser: argparse.ArgumentParser) -> None:
    """The options of ``ruiji convert``."""
    add_pages(parser)
    parser.add_argument("--to", choices=TARGETS, required=True)
    parser.add_argument("-o", "--output", metavar="DEST", required=True)
    add_common(parser)


def settings_from(options: argparse.Namespace) -> ConvertSettings:
    """The settings that the options describe."""
    return ConvertSettings(tuple(options.pages), options.to, Path(options.output), options.jobs)


def run(settings: ConvertSettings, progress: Reporter) -> Outcome:
    """Writes the pages in the other form."""
    pages = named_pages(settings.pages)
    with owned(settings.destination, pages.files()):
        if settings.to == STANDARD_FORMAT:
            documents = _Documents(page_documents(pages, settings.jobs, progress))
            write_standard_format(documents, settings.destination)
            return Outcome(documents.failed)
        return Outcome(_write_rows(pages, settings, progress))


def _write_rows(pages: NamedPages, settings: ConvertSettings, progress: Reporter) -> int:
    """Writes a row a page; returns how many pages failed."""
    write = write_jsonl if settings.to == JSONL else write_parquet
    problems = write(progress.watch(pages), settings.destination)
    for problem in problems:
        page_id, _, error = problem.partition(": ")
        progress.page_failed(page_id, error)
    return len(problems)


@dataclass(slots=True)
class _Documents:
    """The documents among the results of pages; the pages without one are counted."""

    results: Iterable[PageDocument]
    failed: int = 0

    def __iter__(self) -> Iterator[Document]:
        for result in self.results:
            if result.document is None:
                self.failed += 1
            else:
                yield result.document
