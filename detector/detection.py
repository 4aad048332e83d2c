"""Detection from pages to a run folder: gather what each page says, join it, say what kind each pair is.

``detect_pairs`` is the whole of ``ruiji detect`` but for its report; ``ruiji.detect`` calls it too. What
needs Arrow is imported after the workers have begun: it starts threads, and beside threads a worker cannot be
a copy of this process but has to import everything anew.
"""

from __future__ import annotations

import platform
import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib.metadata import version
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from ruiji.chunker.fitting import fitted_masks
from ruiji.chunker.masking import MaskSettings
from ruiji.corpora.errors import SettingError
from ruiji.corpora.files import refuse_foreign_folder, refuse_inputs
from ruiji.corpora.page import InputError
from ruiji.corpora.pool.workers import map_pages
from ruiji.corpora.progress import SILENT, Progress
from ruiji.corpora.sources import PageSource
from ruiji.detector.gather.occurrences import Usable
from ruiji.detector.gather.page import Gather
from ruiji.detector.gather.parts import Parts
from ruiji.detector.pairs.relations import IDENTICAL_ABOVE, INCLUDED_ABOVE, KEPT_SHARE, MIN_BITS, Thresholds
from ruiji.detector.stopwatch import Stopwatch
from ruiji.detector.work_folder import PARTS, WORK, only_writer, remove_work

if TYPE_CHECKING:
    from ruiji.detector.pairs.pipeline import Rules
    from ruiji.detector.pairs.run import Run

ENGINES = ("duckdb", "spark")
MEMORY = "2GB"  # of the engine, unless one says otherwise
MASTER = "local[*]"  # of Spark: this machine, all its cores


class EngineSettings(Protocol):
    """What runs the statements, where, and with how much."""

    @property
    def engine(self) -> str: ...
    @property
    def master(self) -> str: ...
    @property
    def memory(self) -> str: ...
    @property
    def jobs(self) -> int: ...


@dataclass(frozen=True, slots=True)
class DetectSettings:
    """How pages are compared. ``against`` are folders of earlier runs whose pages are compared too."""

    masks: MaskSettings = field(default_factory=MaskSettings)
    usable: Usable = field(default_factory=Usable)
    keep_templates: bool = False
    urls: str = "site"
    min_bits: int = MIN_BITS
    identical_above: float = IDENTICAL_ABOVE
    included_above: float = INCLUDED_ABOVE
    kept_share: float = KEPT_SHARE
    language: str = ""  # pages in others take no part; "" for all
    against: tuple[str, ...] = ()
    engine: str = "duckdb"
    master: str = MASTER
    memory: str = MEMORY
    jobs: int = 1

    @property
    def rules(self) -> Rules:
        """What decides what is a pair, and of which kind."""
        from ruiji.detector.pairs.pipeline import Rules

        return Rules(
            self.usable,
            Thresholds(
                identical_above=self.identical_above,
                included_above=self.included_above,
                keep_templates=self.keep_templates,
                urls=self.urls,
                min_bits=self.min_bits,
                kept_share=self.kept_share,
            ),
        )


def detect_pairs(pages: PageSource, out: Path, settings: DetectSettings, progress: Progress = SILENT) -> Run:
    """The finished run in the folder ``out``; an interrupted run with the same settings is continued.

    Raises InputError where the folder cannot be written, or earlier runs do not fit.
    """
    earlier = _earlier_runs(out, settings, progress)
    work = _work_folder(out, pages)
    with only_writer(work):
        description = _write_files(pages, settings, earlier, work, progress)
        from ruiji.detector.pairs.pipeline import publish
        from ruiji.detector.pairs.run import Run

        publish(work, out, description)
        remove_work(work)
    return Run(out)


def _write_files(
    pages: PageSource, settings: DetectSettings, earlier: Sequence[Run], work: Path, progress: Progress
) -> dict[str, Any]:
    """Leaves the files of the run in the work folder; returns what run.json says."""
    watch = Stopwatch()
    with engine_session(settings) as session:
        parts = Parts(work / PARTS, settings.usable.by_form)
        model_digest = _gather(pages, settings, parts, session, progress)
        watch.lap("gather")
        from ruiji.detector.pairs.collection import join_input
        from ruiji.detector.pairs.pipeline import find_pairs, write_gathered

        collection = join_input(parts, earlier, work / "tables", settings.usable.min_length)
        counts: dict[str, Any] = dict(write_gathered(parts, collection, work))
        watch.lap("tables")
        progress.say(
            f"{counts['pages']} pages, {counts['sentences']} sentences; looking for those that share some"
        )
        engine = engine_on(settings, collection.tables, work / "engine", session)
        try:
            counts |= find_pairs(collection, engine, settings.rules, work)
        finally:
            engine.close()
        watch.lap("join")
    counts |= {
        "failed": parts.failed + len(collection.repeated),
        "compared_with": sum(run.description["counts"]["pages"] for run in earlier),
    }
    return {
        "settings": _described_settings(pages, settings, model_digest, earlier),
        "versions": library_versions(settings.engine),
        "counts": counts,
        "seconds": watch.seconds,
    }


def _work_folder(out: Path, pages: PageSource) -> Path:
    if out.exists() and not out.is_dir():
        raise InputError(f"{out}: there is a file of that name; detect writes a folder")
    refuse_foreign_folder(out, "detect")
    refuse_inputs(out, pages.files())
    try:
        (out / WORK).mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"{out}: cannot be written: {error.strerror}") from error
    return out / WORK


def _earlier_runs(out: Path, settings: DetectSettings, progress: Progress) -> list[Run]:
    """The earlier runs, and those that they were compared with, each once. Raises SettingError where they do
    not fit.
    """
    if not settings.against:
        return []
    from ruiji.detector.pairs.run import Run

    runs: dict[Path, Run] = {}
    for folder in settings.against:
        for run in Run(Path(folder)).with_earlier():
            runs.setdefault(run.folder.resolve(), run)
    if out.resolve() in runs:
        raise SettingError(f"{out}: a run cannot be compared with itself; give ‹out› another folder")
    for run in runs.values():
        for name, wanted in (("match", settings.usable.match), ("min_length", settings.usable.min_length)):
            if run.settings[name] != wanted:
                made_with = f"‹{name}={run.settings[name]}›"
                raise SettingError(f"{run.folder}: was made with {made_with}; say the same, or run it anew")
        if run.settings["filter"] != settings.masks.filter:
            progress.say(
                f"{run.folder} was made with filter {run.settings['filter']}, this run uses "
                f"{settings.masks.filter}"
            )
    return list(runs.values())


def _gather(
    pages: PageSource, settings: DetectSettings, parts: Parts, session: Any, progress: Progress
) -> str:
    """Gathers the pages into parts, from where an interrupted run stopped; returns the digest of what the
    filter has learned.
    """
    beside = None if session is None else parts.folder.parent.resolve()  # where all workers see it
    with fitted_masks(settings.masks, pages, settings.jobs, progress, beside=beside) as masks:
        model_digest = masks.load().digest
        parts.take_up(_gathering_signature(pages, settings, model_digest))
        if not parts.complete:
            if parts.pages:
                progress.say(f"going on after {parts.pages} pages of an interrupted run")
            gather = Gather(masks, settings.usable, settings.language)
            if session is None:
                _gather_here(pages, gather, parts, settings.jobs, progress)
            else:
                _gather_on_spark(pages, gather, parts, session, progress)
            parts.finish()
    return model_digest


def _gathering_signature(pages: PageSource, settings: DetectSettings, model_digest: str) -> str:
    """What must be the same for gathered pages to be used again."""
    decisive: Mapping[str, object] = {
        "filter": settings.masks.filter,
        "model": model_digest,
        "min_length": settings.usable.min_length,
        "match": settings.usable.match,
        "language": settings.language,
        "engine": settings.engine,
    }
    return pages.signature(decisive)


def _gather_here(pages: PageSource, gather: Gather, parts: Parts, jobs: int, progress: Progress) -> None:
    remaining = islice(pages.records(), parts.pages, None)
    rows = map_pages(gather, remaining, failed=gather.failed, jobs=jobs)
    for row in progress.watch(rows, done=parts.pages):
        if row.record["error"]:
            progress.page_failed(row.record["id"], row.record["error"])
        parts.add(row)


def _gather_on_spark(
    pages: PageSource, gather: Gather, parts: Parts, session: Any, progress: Progress
) -> None:
    from ruiji.detector.pairs.spark import gather_on, stage

    staged = parts.folder / "staged"
    count = stage(progress.watch(pages), staged)
    with progress.steps(count, "parts") as done:
        gather_on(session, gather, staged, count, parts, lambda pages: done())
    shutil.rmtree(staged)


@contextmanager
def engine_session(settings: EngineSettings) -> Iterator[Any]:
    """Spark's session, None for DuckDB. Started before the first page is read: that there is no Java is
    better said at once than after hours.
    """
    if settings.engine == "duckdb":
        yield None
        return
    from ruiji.detector.pairs.spark import spark_session

    with spark_session(settings.master, settings.memory) as session:
        yield session


def engine_on(settings: EngineSettings, tables: Any, folder: Path, session: Any) -> Any:
    """The engine on its tables, which are Parquet files; its own files go into the folder."""
    if session is None:
        from ruiji.detector.pairs.duck import DuckEngine

        return DuckEngine(tables, folder, settings.memory, max(settings.jobs, 1))
    from ruiji.detector.pairs.spark import SparkEngine

    return SparkEngine(session, tables, folder)


def _described_settings(
    pages: PageSource, settings: DetectSettings, model_digest: str, earlier: Sequence[Run]
) -> dict[str, Any]:
    return {
        "pages": list(pages.names),
        "filter": settings.masks.filter,
        "model": settings.masks.model,
        "model_digest": model_digest,
        "language": settings.language,
        "engine": settings.engine,
        "against": [str(run.folder.resolve()) for run in earlier],
        **settings.rules.as_dict(),
    }


def library_versions(engine: str) -> dict[str, str]:
    """The versions of what a run was made with."""
    libraries = ("ruiji", "pyarrow", "pyspark" if engine == "spark" else "duckdb")
    return {"python": platform.python_version(), **{name: version(name) for name in libraries}}
