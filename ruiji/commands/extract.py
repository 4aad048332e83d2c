"""``ruiji extract``: the content of each page, as text, Markdown, JSON lines, Parquet, TEI or HTML."""

from __future__ import annotations

import argparse
import hashlib
import json
import re
from collections.abc import Iterable, Iterator
from contextlib import nullcontext
from dataclasses import dataclass, field
from itertools import chain, islice
from pathlib import Path, PurePosixPath

from ruiji.chunker.fitting import check_masks, fitted_masks, reads_pages_first, say_unseen_language
from ruiji.chunker.masking import MaskSettings
from ruiji.corpora.errors import SettingError
from ruiji.corpora.files import files_below, is_stream, owned, replacing
from ruiji.corpora.page import PageRecord
from ruiji.corpora.pool.workers import PagePool
from ruiji.corpora.remembered import RememberedPages
from ruiji.corpora.sources import PageSource, named_pages
from ruiji.document import (
    COMMENTS,
    DocumentSettings,
    least_for,
)
from ruiji.options import add_common, add_comparing, add_filter, add_pages, add_precision, mask_settings
from ruiji.outcome import Outcome
from ruiji.page_writing import GUESS, ROWS, WritePages, WrittenPage
from ruiji.progress import NAMES_SHOWN, Reporter
from ruiji.resume import ResumableLines, standard_output

FORMATS = ("text", "markdown", "jsonl", "parquet", "tei", "html")
FORMAT_OF_SUFFIX = {
    "": "text", ".txt": "text", ".md": "markdown", ".markdown": "markdown", ".jsonl": "jsonl",
    ".parquet": "parquet",
    ".xml": "tei", ".tei": "tei", ".html": "html", ".htm": "html",
}  # fmt: skip
PARTED = frozenset(("text", "markdown"))  # formats in which a line with the address stands between pages
CORPUS_START = b'<?xml version="1.0" encoding="UTF-8"?>\n<teiCorpus xmlns="http://www.tei-c.org/ns/1.0">\n'
CORPUS_END = b"</teiCorpus>\n"
LONGEST_PART, LONGEST_NAME = 100, 200  # characters of a folder's name and of a path that we write

DESCRIPTION = "The content of each page."
EPILOG = """\
examples:
  ruiji extract page.html                              the content on the terminal
  ruiji extract page.html --filter none                the whole text
  curl -s http://localhost/ | ruiji extract -          a page from a pipe
  ruiji extract site/ --format jsonl --nodes | head -1  every text node with its path
  ruiji extract crawl.warc.gz more.parquet -o out.jsonl
                                                       interrupted? the same command goes on where it stopped

The format follows the name of -o (.jsonl, .parquet, .md, .xml, .html, .txt); on standard output it is text.
Several pages as text or Markdown are parted by a line with the address.

A row of jsonl and parquet has: id url title author published modified language encoding text markdown
comments content_nodes nodes expected_f1 dropped error, and behind them encoding_evidence site canonical
image license sources. markdown is without the headline that is the title; expected_f1 is how good a
learned model expects its own text to be (sort by it to see the doubtful pages first; below 0.5 the text is
a guess, and a message names such pages); dropped counts the characters that are in no text node, by
reason."""


@dataclass(frozen=True, slots=True)
class ExtractSettings:
    """Which pages, by which filter, in which format and where to; ``output`` is None for standard output."""

    pages: tuple[str, ...]
    output: str | None
    format: str
    with_nodes: bool
    masks: MaskSettings
    groups: str | None
    jobs: int
    documents: DocumentSettings = field(default_factory=DocumentSettings)
    precision: float | None = None


def add_options(parser: argparse.ArgumentParser) -> None:
    """The options of ``ruiji extract``."""
    add_pages(parser)
    add_filter(parser)
    add_comparing(parser)
    add_precision(parser)
    parser.add_argument("--format", choices=FORMATS, help="default: text, or what the name of -o says")
    parser.add_argument(
        "--comments",
        choices=COMMENTS,
        default="auto",
        help="comments of readers: in the text (keep), in the field comments alone (field), left out of "
        "everything (drop); auto has them in the field and, where the filter keeps them, in the text "
        "(default: %(default)s)",
    )
    parser.add_argument(
        "--ruby",
        choices=("keep", "drop"),
        default="drop",
        help="readings of ruby in Markdown: behind their text, 漢字《かんじ》, or left out (default: "
        "%(default)s)",
    )
    for name, meaning in (("links", "links"), ("images", "images"), ("tables", "tables of data")):
        parser.add_argument(
            f"--{name}",
            action=argparse.BooleanOptionalAction,
            default=True,
            help=f"{meaning} in Markdown (default: with)",
        )
    parser.add_argument(
        "--nodes",
        action="store_true",
        help="with jsonl: the text nodes, as labels (text, content, score, path)",
    )
    parser.add_argument(
        "-o", "--output", metavar="FILE", help="default: standard output; with html also a folder"
    )
    add_common(parser)


def settings_from(options: argparse.Namespace) -> ExtractSettings:
    """The settings that the options describe. Raises InputError where they do not go together."""
    form = options.format or format_of(options.output)
    if options.nodes and form not in ROWS:
        raise SettingError("‹nodes› goes with ‹format=jsonl› or ‹format=parquet›")
    if form == "parquet" and options.output is None:
        raise SettingError("‹format=parquet› is written into a file: name it with ‹output›")
    return ExtractSettings(
        tuple(options.pages),
        options.output,
        form,
        options.nodes,
        mask_settings(options),
        options.groups,
        options.jobs,
        DocumentSettings(options.links, options.images, options.tables, options.ruby, options.comments),
        options.precision,
    )


def run(settings: ExtractSettings, progress: Reporter) -> Outcome:
    """Writes the content of each page, in the order of the input."""
    check_masks(settings.masks)
    pages: PageSource = named_pages(settings.pages)
    if reads_pages_first(settings.masks):
        pages = RememberedPages(pages)
    progress.say_if_slow()
    say_unseen_language(settings.masks, pages, progress)
    groups = None
    if settings.groups is not None:
        from ruiji.detector.pairs.run import page_groups

        groups = page_groups(Path(settings.groups))
    inputs = chain(pages.files(), files_below(settings.groups, settings.masks.model))
    with (
        owned(Path(settings.output), inputs) if settings.output is not None else nullcontext(),
        PagePool(settings.jobs) as pool,
        fitted_masks(
            settings.masks,
            pages,
            settings.jobs,
            progress,
            groups,
            pool=pool if settings.format == "text" else None,
        ) as masks,
    ):
        several = settings.format in PARTED and _are_several(pages)
        least = least_for(settings.masks, settings.precision)
        function = WritePages(masks, settings.format, settings.with_nodes, settings.documents, several, least)
        return Outcome(_write(function, pages, settings, pool, progress))


def _are_several(pages: PageSource) -> bool:
    """Whether there is more than one page; standard input is one."""
    return len(pages.names) > 1 or (pages.repeatable and len(list(islice(pages.records(), 2))) > 1)


def format_of(output: str | None) -> str:
    """The format that the name of the output says. Raises InputError where it says another."""
    destination = None if output is None else Path(output)
    suffix = destination.suffix.lower() if destination and not destination.is_dir() else ""
    if suffix not in FORMAT_OF_SUFFIX:
        raise SettingError(
            f"{destination}: which format is that? Say ‹format={', '.join(FORMATS)}› (packed files are not "
            "written)"
        )
    return FORMAT_OF_SUFFIX[suffix]


def _write(
    function: WritePages, pages: PageSource, settings: ExtractSettings, pool: PagePool, progress: Reporter
) -> int:
    """Writes the pages where they are wanted; returns how many failed."""
    model_digest = function.masks.load().digest
    rows = _Rows(function, pool, progress)
    destination = Path(settings.output) if settings.output is not None else None
    if destination is None:
        with standard_output() as stream:
            stream.write(CORPUS_START if settings.format == "tei" else b"")
            for row in rows.of(pages.records()):
                stream.write(row.output)
            stream.write(CORPUS_END if settings.format == "tei" else b"")
    elif settings.format == "html" and (destination.is_dir() or str(settings.output).endswith("/")):
        unwritten = _write_folder(rows.of(pages.records()), destination, progress)
        rows.failed += unwritten  # not in one line: it would forget the pages that failed meanwhile
    elif settings.format == "parquet":
        from ruiji.document_table import write_rows  # brings pyarrow along

        documents = (json.loads(row.output) for row in rows.of(pages.records()))
        write_rows(destination, documents, settings.with_nodes)
    elif settings.format == "tei":
        with replacing(destination) as stream:
            stream.write(CORPUS_START)
            for row in rows.of(pages.records()):
                stream.write(row.output)
            stream.write(CORPUS_END)
    elif settings.format == "jsonl" and pages.repeatable and not is_stream(destination):
        decisive = {"filter": settings.masks.filter, "model": model_digest, "nodes": settings.with_nodes}
        decisive |= {"documents": repr(settings.documents), "precision": settings.precision}
        lines = ResumableLines(destination, pages.signature(decisive))
        with lines.open() as stream:
            if lines.done:
                progress.say(f"going on after {lines.done} pages of an interrupted run")
            rows.failed = lines.failed
            for row in rows.of(islice(pages.records(), lines.done, None), lines.done):
                stream.write(row.output)
    else:
        with replacing(destination) as stream:
            for row in rows.of(pages.records()):
                stream.write(row.output)
    return rows.failed


@dataclass(slots=True)
class _Rows:
    """The rows of pages, with the failed ones counted and named."""

    function: WritePages
    pool: PagePool
    progress: Reporter
    failed: int = 0

    def of(self, pages: Iterable[PageRecord], done: int = 0) -> Iterator[WrittenPage]:
        """The row of each page; ``done`` pages were written by an earlier run."""
        count, nodes = done, 0
        empty: list[str] = []
        guesses: list[str] = []
        rows = self.pool.map(self.function, pages, failed=self.function.failed)
        for row in self.progress.watch(rows, done=done):
            count += 1
            nodes += row.nodes
            if row.error:
                self.failed += 1
                self.progress.page_failed(row.id, row.error)
            for told, names in ((row.is_empty, empty), (row.is_guess, guesses)):
                if told and len(names) <= NAMES_SHOWN:
                    names.append(row.id)
            yield row
        if empty:
            self.progress.say("no content found in ", empty)
        if guesses:
            self.progress.say(f"what is kept is a guess (expected_f1 below {GUESS:g}) in ", guesses)
        self.progress.summary(f"{count} pages, {nodes} text nodes, {self.failed} failed")


def _write_folder(rows: Iterator[WrittenPage], folder: Path, progress: Reporter) -> int:
    """Writes each page into a file of its own; returns how many could not be written."""
    taken: set[str] = set()
    failed = 0
    for row in rows:
        if row.error:
            continue
        try:
            with replacing(folder / file_name(row.id, taken)) as stream:
                stream.write(row.output)
        except OSError as error:
            failed += 1
            progress.page_failed(row.id, f"cannot be written: {error.strerror}")
    return failed


def file_name(page_id: str, taken: set[str]) -> str:
    """A relative file name for a page id or url, not yet taken, that cannot leave the folder; a digest where
    it had to be changed.
    """
    name = re.sub(r"^[a-z]+://", "", page_id)
    parts = [
        re.sub(r'[<>:"|?*\x00-\x1f\\]', "_", part)[:LONGEST_PART]
        for part in PurePosixPath(name).parts
        if part not in ("/", "..", ".")
    ]
    joined = "/".join(parts)[:LONGEST_NAME] or "page"
    stem, _, suffix = joined.rpartition(".")
    if suffix not in ("html", "htm", "xhtml"):
        stem, suffix = joined, "html"
    plain = f"{stem}.{suffix}"
    if plain != name or plain in taken:
        plain = f"{stem}-{hashlib.sha256(page_id.encode('utf-8', 'replace')).hexdigest()[:8]}.{suffix}"
    taken.add(plain)
    return plain
