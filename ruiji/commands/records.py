"""``ruiji records``: corresponding records and their contradictions, in a folder; ``ruiji records changes``:
what changed since.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from importlib.metadata import version
from operator import itemgetter
from pathlib import Path
from typing import Any

from ruiji.chunker import load_filter
from ruiji.chunker.filters import DEFAULT_FILTER
from ruiji.corpora import InputError, map_pages, read_pages
from ruiji.corpora.files import replacing
from ruiji.corpora.page import Page
from ruiji.detector.records.book import PageRecords, compared_pages, page_records
from ruiji.detector.records.changes import Notice, changes
from ruiji.detector.records.compare.relevance import DEFAULT_RULE, Rule
from ruiji.detector.records.fields.concepts import Schema, SchemaError, built_in, load_schema
from ruiji.detector.records.folder import DESCRIPTION, NEW, Written, write_book
from ruiji.features.page.parser_input import PageFailed
from ruiji.features.page.parsing import text_nodes_of
from ruiji.fitted_filter import prepared
from ruiji.progress import Reporter
from ruiji.report.records import write_records_report

SHOWN = 12  # contradictions on the terminal


@dataclass(frozen=True, slots=True)
class FindRecords:
    """The function that is mapped over pages: decode, parse, walk, mask, find records."""

    filter: str = DEFAULT_FILTER
    model: str = ""
    schema: str = ""

    def __call__(self, pages: Sequence[Page]) -> list[PageRecords]:
        chosen = load_filter(self.filter, self.model)
        schema = schema_of(self.schema)
        found = text_nodes_of(pages, named=True)
        masks = iter(chosen.masks([nodes for nodes in found if not isinstance(nodes, PageFailed)]))
        return [
            self.failed(page, str(nodes))
            if isinstance(nodes, PageFailed)
            else page_records(page, nodes, next(masks).content, schema)
            for page, nodes in zip(pages, found, strict=True)
        ]

    def failed(self, page: Page, error: str) -> PageRecords:
        """The row of a page that gives no records: why."""
        return PageRecords(page.id, page.url, error=error)


def schema_of(path: str) -> Schema:
    """The schema of a file, or the built-in one. Raises InputError."""
    try:
        return load_schema(Path(path)) if path else built_in()
    except SchemaError as error:
        raise InputError(str(error)) from error


@dataclass(frozen=True, slots=True)
class Task:
    """What the command line asked for."""

    pages: tuple[str, ...]
    out: Path
    filter: str = DEFAULT_FILTER
    model: str = ""
    schema: str = ""
    since: str = ""
    rule: Rule = DEFAULT_RULE
    jobs: int = 1


def records(options: argparse.Namespace, reporter: Reporter) -> None:
    """Runs the command; what failed is counted by the reporter."""
    if options.pages[0] == "changes" and not Path("changes").exists():
        _changes(options)
        return
    if options.output is None:
        raise InputError("-o OUT is needed: a folder for the results")
    rule = Rule(options.alpha, options.lam, options.mu)
    out = Path(options.output)
    task = Task(
        tuple(options.pages),
        out,
        options.filter,
        options.model,
        options.schema or "",
        options.since or "",
        rule,
        options.jobs,
    )
    _print_summary(out, find_records(task, reporter))


def find_records(task: Task, reporter: Reporter) -> dict[str, Any]:
    """Runs a task and leaves its folder of results; returns the counts."""
    if task.out.exists() and not task.out.is_dir():
        raise InputError(f"{task.out}: there is a file of that name; records writes a folder")
    schema = schema_of(task.schema)
    since = Written(Path(task.since)) if task.since else None
    if since is not None and since.folder.resolve() == task.out.resolve():
        raise InputError(f"{task.out}: --since names the folder that is to be written; give -o another one")
    with prepared(task.filter, task.model, task.pages, task.jobs, reporter) as model:
        learned = load_filter(task.filter, model).digest
        function = FindRecords(task.filter, model, task.schema)
        rows = map_pages(function, read_pages(task.pages), failed=function.failed, jobs=task.jobs)
        pages = list(_each_address_once(rows, reporter))
    reporter.say(f"{sum(len(page.records) for page in pages)} records on {len(pages)} pages; comparing them")
    book = compared_pages([page for page in pages if not page.error], schema, task.rule)
    counts = write_book(book, task.out, since)
    failed = [{"id": page.id, "url": page.url, "error": page.error} for page in pages if page.error]
    description = {
        "settings": {
            "filter": task.filter, "model": learned, "schema": task.schema, "since": task.since,
            "alpha": task.rule.alpha, "lambda": task.rule.lam, "mu": task.rule.mu,
        },
        "versions": {"ruiji": version("ruiji")},
        "counts": counts,
        "learned_labels": dict(sorted(book.learned.items())),
        "failed": sorted(failed, key=itemgetter("url", "id")),
    }  # fmt: skip
    with replacing(task.out / DESCRIPTION) as stream:
        stream.write(json.dumps(description, ensure_ascii=False, indent=1).encode("utf-8", "replace") + b"\n")
    write_records_report(task.out, task.out / "report.html")
    return counts


def _each_address_once(rows: Iterator[PageRecords], reporter: Reporter) -> Iterator[PageRecords]:
    """The rows, of pages with one address only the first; the others count as failed."""
    seen: set[str] = set()
    for row in reporter.watch(rows):
        if not row.error and row.url in seen:
            row = PageRecords(
                row.id, row.url, error="another page came with the same address; the first one counts"
            )
        seen.add(row.url)
        if row.error:
            reporter.page_failed(row.id, row.error)
        yield row


def _print_summary(out: Path, counts: dict[str, Any]) -> None:
    kinds = ", ".join(f"{number} {kind}" for kind, number in counts["contradictions"].items())
    found = (
        f"{counts['records']} records on {counts['pages']} pages, {counts['correspondences']} correspondences"
    )
    print(f"{found} in {counts['sets']} sets: {kinds}")
    if "new" in counts:
        print("new: " + ", ".join(f"{number} {kind}" for kind, number in counts["new"].items()))
    with (out / (NEW if "new" in counts else "conflicts.jsonl")).open(encoding="utf-8") as stream:
        for number, line in enumerate(stream):
            row = json.loads(line)
            if number == SHOWN or row["kind"] == "variant":
                break
            print(
                f"  {row['kind']:8} {row['label']}  {row['field']}: {row['value_a'] or '–'} | {row['value_b'] or '–'}"
            )
            print(f"           {row['url_a']}\n           {row['url_b']}")
    print(f"side by side: {out / 'report.html'}")


def _changes(options: argparse.Namespace) -> None:
    """Prints the notices between two runs, or writes them as JSON lines."""
    if len(options.pages) != 3:
        raise InputError("changes compares two runs: ruiji records changes OLD NEW")
    notices = changes(Written(Path(options.pages[1])), Written(Path(options.pages[2])))
    if options.output:
        with replacing(Path(options.output)) as stream:
            for notice in notices:
                stream.write(
                    json.dumps(asdict(notice), ensure_ascii=False).encode("utf-8", "replace") + b"\n"
                )
        return
    sys.stdout.write("".join(map(_told, notices)) or "nothing changed\n")


def _told(notice: Notice) -> str:
    """A notice as a person reads it."""
    what = notice.label or notice.path
    if notice.kind in ("added", "removed"):
        text = f"{notice.url}\n  {what}: {notice.kind} ({notice.new or notice.old})\n"
    else:
        text = f"{notice.url}\n  {what}  {notice.field}: {notice.old or '–'} → {notice.new or '–'}" + (
            " (another notation)\n" if notice.kind == "rewritten" else "\n"
        )
    for page in notice.outdated:
        text += f"    still {page.value}: {page.url}" + (f" ({page.time[:10]})\n" if page.time else "\n")
    return text
