"""Records from pages to a folder of results: find them page by page, compare them, write what they say.

``compare_records`` is the whole of ``ruiji records`` but for its report; ``ruiji.records`` calls it too.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from importlib.metadata import version
from operator import itemgetter
from pathlib import Path
from typing import Any

from ruiji.chunker.fitting import fitted_masks
from ruiji.chunker.masking import MaskedPage, MaskSettings, masked_pages
from ruiji.corpora.errors import SettingError, reading_results
from ruiji.corpora.files import owned_folder, refuse_inputs, replacing
from ruiji.corpora.page import InputError, Page
from ruiji.corpora.pool.workers import map_pages
from ruiji.corpora.progress import SILENT, Progress
from ruiji.corpora.sources import PageSource
from ruiji.detector.records.compare.paper import PAPER, PaperSettings
from ruiji.detector.records.compare.relevance import DEFAULT_RULE, PaperRule
from ruiji.detector.records.comparison import CompareSettings, compare_pages
from ruiji.detector.records.fields.concepts import Schema, SchemaError, built_in, load_schema
from ruiji.detector.records.folder import DESCRIPTION, RecordsFolder
from ruiji.detector.records.model import PageRecords
from ruiji.detector.records.page import page_records
from ruiji.detector.records.page_time import CRAWL, TWO_CRAWLS, UNKNOWN

DEFAULT = "default"
METHODS = (DEFAULT, PAPER)


@dataclass(frozen=True, slots=True)
class FindRecords:
    """The function that is mapped over pages."""

    masks: MaskSettings = field(default_factory=MaskSettings)
    schema: str = ""
    crawled: str = ""

    def __call__(self, pages: Sequence[Page]) -> list[PageRecords]:
        schema = schema_from(self.schema)
        return [
            page_records(result.page, result.nodes, result.mask.content, schema, self.crawled)
            if isinstance(result, MaskedPage)
            else self.failed(result.page, result.error)
            for result in masked_pages(pages, self.masks.load(), named=True, detailed=True)
        ]

    def failed(self, page: Page, error: str) -> PageRecords:
        """The row of a page that gives no records: why."""
        return PageRecords(page.id, page.url, error=error)


def schema_from(path: str) -> Schema:
    """The schema of a file, or the built-in one. Raises InputError."""
    try:
        return load_schema(Path(path)) if path else built_in()
    except SchemaError as error:
        raise InputError(str(error)) from error


@dataclass(frozen=True, slots=True)
class RecordSettings:
    """How records are found and compared; ``since`` is the folder of an earlier run, ``rule`` that of the
    paper, ``crawled`` the day on which pages were fetched that do not say it.
    """

    masks: MaskSettings = field(default_factory=MaskSettings)
    schema: str = ""
    since: str = ""
    method: str = DEFAULT
    min_confidence: float = 0.0
    rule: PaperRule = DEFAULT_RULE
    jobs: int = 1
    crawled: str = ""


@dataclass(frozen=True, slots=True)
class RecordCounts:
    """What a comparison amounts to: ``counts`` as run.json has them, and how many pages failed."""

    counts: Mapping[str, Any]
    failed: int


def compare_records(
    pages: PageSource, out: Path, settings: RecordSettings, progress: Progress = SILENT
) -> RecordCounts:
    """Writes the records of the pages and how they compare into the folder ``out``. Raises InputError."""
    if out.exists() and not out.is_dir():
        raise InputError(f"{out}: there is a file of that name; records writes a folder")
    schema = schema_from(settings.schema)
    since = RecordsFolder(Path(settings.since)) if settings.since else None
    if since is not None and since.folder.resolve() == out.resolve():
        raise SettingError(f"{out}: ‹since› names the folder that is to be written; give ‹out› another one")
    refuse_inputs(out, pages.files())
    with owned_folder(out, "records"):
        return _write_records(pages, out, settings, schema, since, progress)


def _write_records(
    pages: PageSource,
    out: Path,
    settings: RecordSettings,
    schema: Schema,
    since: RecordsFolder | None,
    progress: Progress,
) -> RecordCounts:
    """Finds, compares and writes."""
    failed: list[dict[str, str]] = []
    with fitted_masks(settings.masks, pages, settings.jobs, progress) as masks:
        model_digest = masks.load().digest
        function = FindRecords(masks, settings.schema, settings.crawled)
        results = map_pages(function, pages, failed=function.failed, jobs=settings.jobs)
        rows = _without_failed(_first_of_each_url(progress.watch(results)), failed, progress)
        if since is not None:
            rows = _dated_by_two_crawls(rows, since)
        counts = compare_pages(rows, out, schema, _compare_settings(settings), since)
    description = {
        "settings": {
            "filter": settings.masks.filter,
            "model": model_digest,
            "schema": settings.schema,
            "since": settings.since,
            "crawled": settings.crawled,
            "method": settings.method,
            "min_confidence": settings.min_confidence,
            **(
                {"alpha": settings.rule.alpha, "lambda": settings.rule.lam, "mu": settings.rule.mu}
                if settings.method == PAPER
                else {}
            ),
        },
        "versions": {"ruiji": version("ruiji")},
        "counts": counts,
        "failed": sorted(failed, key=itemgetter("url", "id")),
    }
    with replacing(out / DESCRIPTION) as stream:
        stream.write(json.dumps(description, ensure_ascii=False, indent=1).encode("utf-8", "replace") + b"\n")
    return RecordCounts(counts, len(failed))


def _compare_settings(settings: RecordSettings) -> CompareSettings:
    if settings.method not in METHODS:
        raise SettingError(f"‹method={settings.method}›: there are {' and '.join(METHODS)}")
    paper = PaperSettings(settings.rule) if settings.method == PAPER else None
    return CompareSettings(settings.min_confidence, paper=paper)


def _dated_by_two_crawls(rows: Iterable[PageRecords], since: RecordsFolder) -> Iterator[PageRecords]:
    """The rows; a page that only its crawl dates, and that has not changed since, keeps the time of the
    earlier crawl.

    The third source of time of the paper (section 3.1.3).
    """
    with reading_results(since.folder):
        known = {
            url: (page["digest"], datetime.fromisoformat(page["time"]))
            for url, page in since.pages().items()
            if page["time"]
        }
    for row in rows:
        digest, time = known.get(row.url, ("", None))
        if time is not None and row.time_source in (CRAWL, UNKNOWN) and digest == row.digest:
            row = replace(row, time=time, time_source=TWO_CRAWLS)
        yield row


def _without_failed(
    rows: Iterable[PageRecords], failed: list[dict[str, str]], progress: Progress
) -> Iterator[PageRecords]:
    """The rows of pages that were read; the others are told and noted."""
    for row in rows:
        if row.error:
            progress.page_failed(row.id, row.error)
            failed.append({"id": row.id, "url": row.url, "error": row.error})
        else:
            yield row


def _first_of_each_url(rows: Iterable[PageRecords]) -> Iterator[PageRecords]:
    """The rows; of pages with one address, all but the first as failed."""
    seen: set[str] = set()
    for row in rows:
        if not row.error and row.url in seen:
            reason = "another page came with the same address; the first one counts"
            row = PageRecords(row.id, row.url, error=reason)
        seen.add(row.url)
        yield row
