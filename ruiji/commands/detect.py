"""``ruiji detect``: pages that share content, what kind of pairs they are, and the evidence, in a folder."""

from __future__ import annotations

import argparse
import platform
import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.metadata import version
from itertools import islice
from pathlib import Path
from typing import Any

from ruiji.chunker import load_filter
from ruiji.commands.showing import print_summary
from ruiji.corpora import InputError, map_pages, read_pages
from ruiji.corpora.files import InUse, locked
from ruiji.detector.gather.occurrences import Usable
from ruiji.detector.gather.page import Gather
from ruiji.detector.gather.staging import Parts
from ruiji.detector.pairs.collection import join_input
from ruiji.detector.pairs.duck import DuckEngine
from ruiji.detector.pairs.pipeline import Rules, Stopwatch, find_pairs, publish, write_gathered
from ruiji.detector.pairs.relations import Thresholds
from ruiji.detector.pairs.run import Run
from ruiji.fitted_filter import prepared
from ruiji.progress import Reporter
from ruiji.report.pairs import write_report
from ruiji.resume import signature

MEMORY = "2GB"  # of the engine, unless one says otherwise
WORK = ".work"  # in the run's folder: what an interrupted run has done so far; gone when it is finished


@dataclass(frozen=True, slots=True)
class Task:
    """What the command line asked for."""

    pages: tuple[str, ...]
    out: Path
    filter: str
    model: str
    engine: str
    master: str
    memory: str
    jobs: int
    usable: Usable
    against: tuple[str, ...]
    keep_templates: bool = False


def task_of(options: argparse.Namespace) -> Task:
    """The task that the options describe."""
    usable = Usable(options.min_length, options.max_pages, options.match)
    return Task(
        tuple(options.pages), Path(options.output), options.filter, options.model, options.engine, options.master, options.memory,
        options.jobs, usable, tuple(options.against), options.keep_templates,
    )  # fmt: skip


def detect(task: Task, reporter: Reporter) -> None:
    """Runs the task and prints what was found."""
    run(task, reporter)
    if reporter.verbosity >= 0:
        print_summary(task.out)


def run(task: Task, reporter: Reporter) -> None:
    """Leaves the finished run in its folder, with its report."""
    earlier = _earlier(task, reporter)
    work = _work_folder(task.out)
    with _alone(work):
        publish(work, task.out, _found(task, earlier, work, reporter))
        shutil.rmtree(work)
    write_report(task.out, task.out / "report.html")


def _found(task: Task, earlier: Sequence[Run], work: Path, reporter: Reporter) -> dict[str, Any]:
    """Leaves the files of the run in the work folder; returns what run.json says."""
    rules = Rules(task.usable, Thresholds(keep_templates=task.keep_templates))
    watch = Stopwatch()
    with _engine_ready(task) as session:
        parts = Parts(work / "parts", task.usable.match == "skeleton")
        learned = _gather(task, parts, session, reporter)
        reporter.failed = parts.failed
        watch.lap("gather")
        collection = join_input(parts, earlier, work / "tables", task.usable.min_length)
        counts = write_gathered(parts, collection, work)
        watch.lap("tables")
        reporter.say(
            f"{counts['pages']} pages, {counts['sentences']} sentences; looking for those that share some"
        )
        engine = _engine(task, collection.tables, work / "engine", session)
        try:
            counts |= find_pairs(collection, engine, rules, work)
        finally:
            engine.close()
        watch.lap("join")
    reporter.failed += len(collection.repeated)
    settings = _settings(task, learned, rules, earlier)
    counts |= {"failed": reporter.failed, "compared_with": _compared(earlier)}
    return {"settings": settings, "versions": _versions(task), "counts": counts, "seconds": watch.seconds}


def _work_folder(out: Path) -> Path:
    if out.exists() and not out.is_dir():
        raise InputError(f"{out}: there is a file of that name; detect writes a folder")
    try:
        (out / WORK).mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"{out}: cannot be written: {error.strerror}") from error
    return out / WORK


@contextmanager
def _alone(work: Path) -> Iterator[None]:
    """Two runs that write into one folder would mix their pages; the second is told so. The lock goes with
    the process that holds it.
    """
    try:
        with locked(work / "lock"):
            yield
    except InUse as error:
        raise InputError(
            f"{work.parent}: another run is writing into that folder; wait for it, or give -o another one"
        ) from error


def _earlier(task: Task, reporter: Reporter) -> list[Run]:
    """The earlier runs, and those that they were compared with, each once. Raises InputError where they do
    not fit.
    """
    found: dict[Path, Run] = {}
    for folder in task.against:
        for run in Run(Path(folder)).with_earlier():
            found.setdefault(run.folder.resolve(), run)
    if task.out.resolve() in found:
        raise InputError(f"{task.out}: a run cannot be compared with itself; give -o another folder")
    for run in found.values():
        for name, wanted in (("match", task.usable.match), ("min_length", task.usable.min_length)):
            if run.settings[name] != wanted:
                option = f"--{name.replace('_', '-')} {run.settings[name]}"
                raise InputError(f"{run.folder}: was made with {option}; say the same, or run it anew")
        if run.settings["filter"] != task.filter:
            reporter.say(
                f"{run.folder} was made with --filter {run.settings['filter']}, this run uses {task.filter}"
            )
    return list(found.values())


def _gather(task: Task, parts: Parts, session: Any, reporter: Reporter) -> str:
    """Gathers the pages into parts, from where an interrupted run stopped; returns the digest of what the
    filter has learned.
    """
    with prepared(task.filter, task.model, task.pages, task.jobs, reporter) as model:
        learned = load_filter(task.filter, model).digest
        parts.take_up(_gathering_signature(task, learned))
        if not parts.complete:
            if parts.pages:
                reporter.say(f"going on after {parts.pages} pages of an interrupted run")
            gather = Gather(task.filter, model, task.usable)
            if session is None:
                _gather_here(task, gather, parts, reporter)
            else:
                _gather_on_spark(task, gather, parts, session, reporter)
            parts.finish()
    return learned


def _gathering_signature(task: Task, learned: str) -> str:
    """What must be the same for gathered pages to be used; standard input is never the same."""
    if "-" in task.pages:
        return ""
    settings = {
        "filter": task.filter,
        "model": learned,
        "min_length": task.usable.min_length,
        "match": task.usable.match,
    }
    return signature(settings | {"engine": task.engine}, list(task.pages))


def _gather_here(task: Task, gather: Gather, parts: Parts, reporter: Reporter) -> None:
    pages = islice(read_pages(task.pages), parts.pages, None)
    for row in reporter.watch(
        map_pages(gather, pages, failed=gather.failed, jobs=task.jobs), done=parts.pages
    ):
        if row.record["error"]:
            reporter.page_failed(row.record["id"], row.record["error"])
        parts.add(row)


def _gather_on_spark(task: Task, gather: Gather, parts: Parts, session: Any, reporter: Reporter) -> None:
    from ruiji.detector.pairs.spark import gather_on, stage

    staged = parts.folder / "staged"
    count = stage(reporter.watch(read_pages(task.pages)), staged)
    with reporter.steps(count, "parts") as done:
        gather_on(session, gather, staged, count, parts, lambda pages: done())
    shutil.rmtree(staged)


@contextmanager
def _engine_ready(task: Task) -> Iterator[Any]:
    """What the engine needs before the first page is read: better said at once that there is no Java than
    after hours.
    """
    if task.engine == "duckdb":
        yield None
        return
    from ruiji.detector.pairs.spark import spark_session

    with spark_session(task.master, task.memory) as session:
        yield session


def _engine(task: Task, tables: Any, folder: Path, session: Any) -> Any:
    if session is None:
        return DuckEngine(tables, folder, task.memory, task.jobs)
    from ruiji.detector.pairs.spark import SparkEngine

    return SparkEngine(session, tables, folder)


def _settings(task: Task, learned: str, rules: Rules, earlier: Sequence[Run]) -> dict[str, Any]:
    return {
        "pages": list(task.pages), "filter": task.filter, "model": task.model, "model_digest": learned, "engine": task.engine,
        "against": [str(run.folder.resolve()) for run in earlier], **rules.as_dict(),
    }  # fmt: skip


def _versions(task: Task) -> dict[str, str]:
    engine = "pyspark" if task.engine == "spark" else "duckdb"
    return {
        "python": platform.python_version(),
        **{name: version(name) for name in ("ruiji", "pyarrow", engine)},
    }


def _compared(earlier: Sequence[Run]) -> int:
    """The number of pages of earlier runs."""
    return sum(run.description["counts"]["pages"] for run in earlier)
