"""``ruiji``: parses the command line, runs the command, and tells the truth with the exit status."""

from __future__ import annotations

import argparse
import hashlib
import io
import os
import re
import sys
from collections.abc import Iterator, Mapping
from itertools import islice
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any

from ruiji import cli
from ruiji.chunker import ModelError, load_filter
from ruiji.chunker.filters import DEFAULT_FILTER
from ruiji.commands.convert import documents
from ruiji.commands.demo import show_miniweb
from ruiji.commands.extract import FORMATS, Extract, Extracted
from ruiji.corpora import InputError, map_pages, read_pages, write_jsonl, write_parquet
from ruiji.corpora.files import final_path, is_stream, replacing
from ruiji.corpora.page import Page
from ruiji.corpora.standard_format import write_standard_format
from ruiji.fitted_filter import check_fallback, prepared
from ruiji.progress import Reporter
from ruiji.resume import ResumableLines, signature, standard_output

if TYPE_CHECKING:
    from ruiji.chunker.crf.estimator import CrfChunker

OK, SOME_FAILED, NOTHING_DONE, INTERRUPTED = 0, 1, 2, 130


def run() -> None:
    """The console command."""
    sys.exit(main(sys.argv[1:]))


def main(arguments: list[str]) -> int:
    """Runs a command line; returns its exit status."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")  # a terminal that has no kanji shows question marks
    options = cli.parser().parse_args(arguments)
    if "filter" in options and options.filter is None:
        options.filter = DEFAULT_FILTER
    reporter = Reporter(options.verbosity)
    command = {
        "extract": extract,
        "train": train,
        "crossval": crossval,
        "evaluate": evaluate,
        "agree": agree,
        "detect": detect,
        "records": records,
        "index": index,
        "convert": convert,
        "annotate": annotate,
        "review": review,
        "report": report,
        "demo": demo,
    }[options.command]
    try:
        return command(options, reporter)
    except (InputError, ModelError) as error:
        print(f"ruiji {options.command}: {error}", file=sys.stderr)
        return NOTHING_DONE
    except BrokenPipeError:  # a reader that has seen enough, such as head
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return OK
    except OSError as error:
        print(
            f"ruiji {options.command}: {error.filename or 'output'}: {error.strerror or error}",
            file=sys.stderr,
        )
        return NOTHING_DONE
    except KeyboardInterrupt:
        print(f"ruiji {options.command}: interrupted", file=sys.stderr)
        return INTERRUPTED


def extract(options: argparse.Namespace, reporter: Reporter) -> int:
    """The content of each page, in the order of the input."""
    destination = Path(options.output) if options.output is not None else None
    form = options.format or _format_of(destination)
    if options.nodes and form != "jsonl":
        raise InputError("--nodes goes with --format jsonl")
    check_fallback(options.filter, options.fallback)
    with prepared(
        options.filter, options.model, options.pages, options.jobs, reporter, options.fallback, options.groups
    ) as model:
        _extract(
            Extract(options.filter, form, options.nodes, model, options.fallback),
            destination,
            options,
            reporter,
        )
    return SOME_FAILED if reporter.failed else OK


def _extract(
    settings: Extract, destination: Path | None, options: argparse.Namespace, reporter: Reporter
) -> None:
    """Writes the pages where they are wanted."""
    learned = load_filter(
        settings.filter, settings.model, settings.fallback
    ).digest  # a model that cannot be used is said before any page is read
    pages = read_pages(options.pages)
    if destination is None:
        with standard_output() as stream:
            for row in _rows(settings, pages, options.jobs, reporter):
                stream.write(row.output)
    elif settings.format == "html" and (destination.is_dir() or options.output.endswith("/")):
        _write_folder(_rows(settings, pages, options.jobs, reporter), destination, reporter)
    elif settings.format == "jsonl" and "-" not in options.pages and not is_stream(destination):
        run_signature = signature(
            {"filter": settings.filter, "model": learned, "nodes": settings.with_nodes}, options.pages
        )
        lines = ResumableLines(destination, run_signature)
        with lines.open() as stream:
            if lines.done:
                reporter.say(f"going on after {lines.done} pages of an interrupted run")
                reporter.failed = lines.failed
            for row in _rows(settings, islice(pages, lines.done, None), options.jobs, reporter, lines.done):
                stream.write(row.output)
    else:
        with replacing(destination) as stream:
            for row in _rows(settings, pages, options.jobs, reporter):
                stream.write(row.output)


def _format_of(destination: Path | None) -> str:
    """The format that the name of the output says. Raises InputError where it says another."""
    suffix = destination.suffix.lower() if destination and not destination.is_dir() else ""
    known = {"": "text", ".txt": "text", ".jsonl": "jsonl", ".html": "html", ".htm": "html"}
    if suffix not in known:
        raise InputError(
            f"{destination}: which format is that? Say --format {', '.join(FORMATS)} (packed files are not written)"
        )
    return known[suffix]


def _write_folder(rows: Iterator[Extracted], folder: Path, reporter: Reporter) -> None:
    """Writes each page into a file of its own."""
    taken: set[str] = set()
    for row in rows:
        if row.error:
            continue
        try:
            with replacing(folder / _file_name(row.id, taken)) as stream:
                stream.write(row.output)
        except OSError as error:
            reporter.page_failed(row.id, f"cannot be written: {error.strerror}")


def _rows(
    settings: Extract, pages: Iterator[Page], jobs: int, reporter: Reporter, done: int = 0
) -> Iterator[Extracted]:
    count = nodes = 0
    for row in reporter.watch(map_pages(settings, pages, failed=settings.failed, jobs=jobs), done=done):
        count += 1
        nodes += row.nodes
        if row.error:
            reporter.page_failed(row.id, row.error)
        yield row
    reporter.summary(f"{count + done} pages, {nodes} text nodes, {reporter.failed} failed")


def _file_name(page_id: str, taken: set[str]) -> str:
    """A relative file name for a page id or url, not yet taken, that cannot leave the folder; a digest where
    it had to be changed.
    """
    name = re.sub(r"^[a-z]+://", "", page_id)
    parts = [
        re.sub(r'[<>:"|?*\x00-\x1f\\]', "_", part)[:100]
        for part in PurePosixPath(name).parts
        if part not in ("/", "..", ".")
    ]
    joined = "/".join(parts)[:200] or "page"
    stem, _, suffix = joined.rpartition(".")
    if suffix not in ("html", "htm", "xhtml"):
        stem, suffix = joined, "html"
    plain = f"{stem}.{suffix}"
    if plain != name or plain in taken:
        plain = f"{stem}-{hashlib.sha256(page_id.encode('utf-8', 'replace')).hexdigest()[:8]}.{suffix}"
    taken.add(plain)
    return plain


def train(options: argparse.Namespace, reporter: Reporter) -> int:
    """Learns a chunker and writes its model."""
    if options.without_annotation:
        from ruiji.commands.self_training import train as teach
    else:
        from ruiji.commands.validating import train as teach

    teach(
        options.pages,
        Path(options.output),
        _chunker(options, options.features or "full"),
        options.jobs,
        reporter,
    )
    return SOME_FAILED if reporter.failed else OK


def crossval(options: argparse.Namespace, reporter: Reporter) -> int:
    """Cross-validates a chunker."""
    from ruiji.commands import validating

    _check_output(options)
    features = options.features or (
        "nakamura" if options.ablate else "full"
    )  # the paper's tables are about its own features
    result = validating.crossval(
        options.pages,
        _chunker(options, features),
        folds=options.folds,
        together=options.together,
        ablate=options.ablate,
        compare=options.compare,
        jobs=options.jobs,
        reporter=reporter,
    )
    return _scored(result, options, reporter)


def evaluate(options: argparse.Namespace, reporter: Reporter) -> int:
    """Scores a filter on annotated pages, or what people said of the results in their review."""
    from ruiji.commands import validating
    from ruiji.commands.judging import evaluate_verdicts, verdict_file

    _check_output(options)
    if verdicts := verdict_file(options.pages):
        return _scored(evaluate_verdicts(verdicts), options, reporter)
    check_fallback(options.filter, options.fallback)
    found = validating.evaluate(
        options.pages, options.filter, options.model, options.jobs, reporter, options.fallback, options.groups
    )
    return _scored(found, options, reporter)


def agree(options: argparse.Namespace, reporter: Reporter) -> int:
    """Compares two annotators."""
    from ruiji.commands import validating

    _check_output(options)
    return _scored(validating.agree(options.first, options.second, options.jobs, reporter), options, reporter)


def _check_output(options: argparse.Namespace) -> None:
    """Raises OSError where the results could not be written; better said before the work than after it."""
    if options.output:
        final_path(Path(options.output)).parent.mkdir(parents=True, exist_ok=True)


def _scored(result: Mapping[str, Any], options: argparse.Namespace, reporter: Reporter) -> int:
    if options.output:
        from ruiji.commands import validating

        validating.write_json(result, Path(options.output))
    return SOME_FAILED if reporter.failed else OK


def _chunker(options: argparse.Namespace, features: str) -> CrfChunker:
    """The chunker that the options describe; what they leave open is the chunker's own default."""
    from ruiji.chunker.crf.estimator import CrfChunker

    given = {"c1": options.c1, "c2": options.c2, "max_iterations": options.iterations}
    chosen = {name: value for name, value in given.items() if value is not None}
    chunker = CrfChunker(
        features=features, keywords=options.keywords, decoding=options.decoding, beta=options.beta, **chosen
    )
    try:
        chunker.feature_set()
    except ValueError as error:
        raise InputError(str(error)) from error
    return chunker


def detect(options: argparse.Namespace, reporter: Reporter) -> int:
    """Similar pages and what they are."""
    from ruiji.commands import detect as detecting

    detecting.detect(detecting.task_of(options), reporter)
    return SOME_FAILED if reporter.failed else OK


def records(options: argparse.Namespace, reporter: Reporter) -> int:
    """Corresponding records and their contradictions."""
    from ruiji.commands import records as recording

    recording.records(options, reporter)
    return SOME_FAILED if reporter.failed else OK


def index(options: argparse.Namespace, reporter: Reporter) -> int:
    """Builds, adds to or asks a partial-copy index."""
    from ruiji.commands import index as indexing

    indexing.run(options, reporter)
    return SOME_FAILED if reporter.failed else OK


def convert(options: argparse.Namespace, reporter: Reporter) -> int:
    """Pages from any form into another."""
    destination = Path(options.output)
    if options.to == "standard-format":
        write_standard_format(documents(options.pages, options.jobs, reporter), destination)
    else:
        write = write_jsonl if options.to == "jsonl" else write_parquet
        for problem in write(reporter.watch(read_pages(options.pages)), destination):
            page_id, _, error = problem.partition(": ")
            reporter.page_failed(page_id, error)
    return SOME_FAILED if reporter.failed else OK


def annotate(options: argparse.Namespace, reporter: Reporter) -> int:
    """The web application for annotating pages."""
    from ruiji.commands.web_commands import annotate as run_annotate

    run_annotate(options, reporter)
    return OK


def review(options: argparse.Namespace, reporter: Reporter) -> int:
    """The web application for reviewing results."""
    from ruiji.commands.web_commands import review as run_review

    run_review(options, reporter)
    return OK


def report(options: argparse.Namespace, reporter: Reporter) -> int:
    """The report of a run as one file."""
    from ruiji.report.pairs import write_report

    destination = Path(options.output) if options.output else Path(options.out) / "report.html"
    write_report(Path(options.out), destination, options.lang)
    reporter.say(f"{destination}")
    return OK


def demo(options: argparse.Namespace, reporter: Reporter) -> int:
    """The bundled mini-web, from bytes to text nodes."""
    show_miniweb(Path(options.output), options.jobs, reporter)
    return OK


if __name__ == "__main__":
    run()
