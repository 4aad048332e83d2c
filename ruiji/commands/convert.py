"""``ruiji convert``: pages from any form into JSONL, Parquet or the standard format; annotated sets of others
into JSONL or Parquet; tables of a run of ``ruiji detect`` into CSV or JSONL.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from ruiji.chunker.annotation.importers.marker_comments import CommentMarkers
from ruiji.chunker.annotation.importers.sets import SET_FORMATS, AnnotatedSets, annotated_sets
from ruiji.corpora.errors import SettingError, reading_results
from ruiji.corpora.files import owned
from ruiji.corpora.page import Page
from ruiji.corpora.rows import write_jsonl, write_parquet
from ruiji.corpora.sources import NamedPages, named_pages
from ruiji.corpora.standard_format import StandardDocument, write_standard_format
from ruiji.detector.gather.documents import PageDocument, page_documents
from ruiji.detector.pairs.run import FILES, Run
from ruiji.detector.run_tables import is_run
from ruiji.detector.run_tables import write_csv as write_run_csv
from ruiji.detector.run_tables import write_jsonl as write_run_jsonl
from ruiji.detector.sentences.language import in_language
from ruiji.features.page.parser_input import PageFailed
from ruiji.features.page.parsing import text_nodes
from ruiji.options import add_common, add_language, add_pages
from ruiji.outcome import Outcome
from ruiji.progress import Reporter

STANDARD_FORMAT, JSONL, PARQUET, CSV = "standard-format", "jsonl", "parquet", "csv"
TARGETS = (STANDARD_FORMAT, JSONL, PARQUET, CSV)
SET_TARGETS = (JSONL, PARQUET)
RUN_TARGETS = {CSV: write_run_csv, JSONL: write_run_jsonl}

DESCRIPTION = "Pages from any form into another."
EPILOG = """\
examples:
  ruiji convert crawl.warc.gz --language ja --to jsonl -o ja.jsonl.gz
  ruiji convert crawl.warc.gz --to parquet -o pages.parquet     raw bytes, HTTP headers kept
  ruiji convert old-site/ --to jsonl -o pages.jsonl.gz          html as text, whatever its encoding was
  ruiji convert out/ --to csv -o pairs.csv                      the pairs of a run of ruiji detect
  ruiji convert out/ --to jsonl --table groups -o groups.jsonl  another table of it
  ruiji convert pages.jsonl --to standard-format -o xml/        a file a page; -o all.xml for one file
  ruiji convert set/ --from cleaneval --to jsonl -o set.jsonl   an annotated set, for train and crossval

For the standard format the pages are read twice: it names the links to each page, and joins anchors whose
compound is frequent."""


@dataclass(frozen=True, slots=True)
class ConvertSettings:
    """Which pages go into which form, and where to."""

    pages: tuple[str, ...]
    to: str
    destination: Path
    jobs: int
    language: str = ""  # pages in others are left out; "" for all
    table: str = "pairs"  # of a run
    set_format: str = ""  # in which form annotated sets are; "" for pages
    labels: tuple[str, ...] = ()  # those of the sets that mean content
    markers: CommentMarkers | None = None  # comments of another convention


def add_options(parser: argparse.ArgumentParser) -> None:
    """The options of ``ruiji convert``."""
    add_pages(parser)
    parser.add_argument("--to", choices=TARGETS, required=True)
    parser.add_argument("-o", "--output", metavar="DEST", required=True)
    parser.add_argument(
        "--table", choices=FILES, default="pairs", help="of a run of ruiji detect (default: %(default)s)"
    )
    parser.add_argument(
        "--from",
        dest="set_format",
        choices=SET_FORMATS,
        default="",
        help="PAGES are annotated sets in this form: folders, or for label-studio JSON exports; what was "
        "marked as content becomes main_content",
    )
    parser.add_argument(
        "--label",
        type=label_names,
        default=(),
        metavar="NAMES",
        help="with --from label-studio, l3s (headline, full-text, supplemental, related, comments) or "
        "dragnet (article, comments): the labels that mean content, by commas",
    )
    parser.add_argument(
        "--markers",
        nargs=2,
        metavar=("BEGIN", "END"),
        help="with --from comments: what the comments say that begin and end a marked region",
    )
    parser.add_argument(
        "--marked",
        choices=("non-content", "content"),
        default="non-content",
        help="with --from comments: what they mark (default: %(default)s)",
    )
    add_language(parser)
    add_common(parser)


def label_names(text: str) -> tuple[str, ...]:
    """Names of labels, from text with commas."""
    return tuple(name.strip() for name in text.split(",") if name.strip())


def _markers(options: argparse.Namespace) -> CommentMarkers | None:
    if not options.markers:
        return None
    begin, end = options.markers
    return CommentMarkers(begin, end, of_content=options.marked == "content")


def settings_from(options: argparse.Namespace) -> ConvertSettings:
    """The settings that the options describe."""
    return ConvertSettings(
        tuple(options.pages),
        options.to,
        Path(options.output),
        options.jobs,
        options.language,
        options.table,
        options.set_format,
        options.label,
        _markers(options),
    )


def run(settings: ConvertSettings, progress: Reporter) -> Outcome:
    """Writes the pages, or a table of a run, in the other form."""
    if settings.set_format or settings.labels or settings.markers:
        return _convert_sets(settings, progress)
    if settings.to == CSV or any(is_run(Path(name)) for name in settings.pages):
        return _convert_run(settings)
    pages = named_pages(settings.pages)
    with owned(settings.destination, pages.files()):
        if settings.to == STANDARD_FORMAT:
            documents = _Documents(page_documents(pages, settings.jobs, progress), settings.language)
            write_standard_format(documents, settings.destination)
            return Outcome(documents.failed)
        return Outcome(_write_rows(pages, settings, progress))


def _convert_sets(settings: ConvertSettings, progress: Reporter) -> Outcome:
    """Writes the pages of annotated sets with their content."""
    if settings.to not in SET_TARGETS:
        raise SettingError("annotated sets are converted ‹to=jsonl› or ‹to=parquet›")
    sets = annotated_sets(settings.pages, settings.set_format, settings.labels, settings.markers)
    with owned(settings.destination, sets.files()):
        return Outcome(_write_rows(sets, settings, progress))


def _convert_run(settings: ConvertSettings) -> Outcome:
    """Writes a table of a run; pages themselves have no form as CSV."""
    if len(settings.pages) != 1 or settings.to not in RUN_TARGETS:
        raise SettingError("a run of ruiji detect is converted alone, ‹to=csv› or ‹to=jsonl›")
    finished = Run(Path(settings.pages[0]))
    with owned(settings.destination, [finished.file(settings.table)]), reading_results(finished.folder):
        RUN_TARGETS[settings.to](finished, settings.table, settings.destination)
    return Outcome()


def _write_rows(pages: NamedPages | AnnotatedSets, settings: ConvertSettings, progress: Reporter) -> int:
    """Writes a row a page; returns how many pages failed."""
    write = write_jsonl if settings.to == JSONL else write_parquet
    kept: Iterable[Page] = progress.watch(pages)
    if settings.language:
        kept = (page for page in kept if _is_in(page, settings.language))
    problems = write(kept, settings.destination)
    for problem in problems:
        page_id, _, error = problem.partition(": ")
        progress.page_failed(page_id, error)
    return len(problems)


@dataclass(slots=True)
class _Documents:
    """The documents among the results of pages; the pages without one are counted."""

    results: Iterable[PageDocument]
    language: str = ""
    failed: int = 0

    def __iter__(self) -> Iterator[StandardDocument]:
        for result in self.results:
            if result.document is None:
                self.failed += 1
            elif not self.language or in_language(_text(result.document), self.language):
                yield result.document


def _is_in(page: Page, language: str) -> bool:
    """Whether a page is in a language; one that cannot be read goes on, to be reported."""
    try:
        return in_language("".join(text_nodes(page, named=False).texts), language)
    except PageFailed:
        return True


def _text(document: StandardDocument) -> str:
    return "".join(sentence.text for sentence in document.sentences)
