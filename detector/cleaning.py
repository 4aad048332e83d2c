"""A corpus without its repetitions, from pages to a folder: gather documents, join their sentences, cut.

``clean_corpus`` is the whole of ``ruiji clean`` but for its report. What makes documents of pages comes in as
a function, since it belongs to the application. A shard is gathered by ``gather_shard`` and joined with the
others by ``merge_shards``; ``clean_corpus`` is a single shard, gathered and merged.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any

from ruiji.chunker.crf.promise import least_expected_f1
from ruiji.chunker.fitting import fitted_masks
from ruiji.chunker.masking import MaskSettings
from ruiji.corpora.errors import SettingError, json_of, reading_results
from ruiji.corpora.files import refuse_foreign_folder, refuse_inputs, replacing
from ruiji.corpora.page import InputError
from ruiji.corpora.pool.workers import map_pages
from ruiji.corpora.progress import SILENT, Progress
from ruiji.corpora.sources import PageSource
from ruiji.detector.clean.pipeline import Cleaning, CleanRules
from ruiji.detector.clean.staging import DocumentParts
from ruiji.detector.detection import (
    MASTER,
    MEMORY,
    engine_on,
    engine_session,
    library_versions,
)
from ruiji.detector.stopwatch import Stopwatch
from ruiji.detector.work_folder import PARTS, WORK, only_writer, remove_work

FILES = ("corpus", "removed", "left_out")
RUN = "run.json"
SHARD = "shard.json"


@dataclass(frozen=True, slots=True)
class CleanSettings:
    """How a corpus is cleaned, by which engine, and which shard of the pages: (number from 1, of how
    many)."""

    masks: MaskSettings = field(default_factory=MaskSettings)
    rules: CleanRules = field(default_factory=CleanRules)
    engine: str = "duckdb"
    master: str = MASTER
    memory: str = MEMORY
    jobs: int = 1
    shard: tuple[int, int] = (1, 1)


GatherMaker = Callable[[MaskSettings], Any]  # of what makes documents of pages with a mask


@dataclass(frozen=True, slots=True)
class CleanRun:
    """The folder that ``clean`` has written."""

    folder: Path
    description: Mapping[str, Any]

    def file(self, name: str) -> Path:
        return self.folder / f"{name}.parquet"


def read_run(folder: Path) -> CleanRun:
    """The run of a folder. Raises InputError where there is none."""
    try:
        description = json_of((folder / RUN).read_text(encoding="utf-8"))
        if description["command"] == "clean" and all(
            (folder / f"{name}.parquet").is_file() for name in FILES
        ):
            return CleanRun(folder, description)
    except (OSError, ValueError, KeyError, TypeError):
        pass
    raise InputError(f"{folder}: there is no finished run of ruiji clean")


def clean_corpus(
    pages: PageSource, out: Path, settings: CleanSettings, gather: GatherMaker, progress: Progress = SILENT
) -> CleanRun:
    """The corpus in the folder ``out``; an interrupted run with the same settings is continued."""
    watch = Stopwatch()
    refuse_inputs(out, pages.files())
    work = _folder(out, WORK)
    with only_writer(work):
        parts = DocumentParts(work / PARTS, False)
        described = _gather(pages, settings, parts, gather, progress)
        watch.lap("gather")
        run = _join([parts], settings, described, out, watch, progress)
        remove_work(work)
    return run


def gather_shard(
    pages: PageSource, out: Path, settings: CleanSettings, gather: GatherMaker, progress: Progress = SILENT
) -> Path:
    """The folder of a shard: its documents and sentences, for ``merge_shards``."""
    number, shards = settings.shard
    refuse_inputs(out, pages.files())
    folder = _folder(out, f"shard-{number:05}-of-{shards:05}")
    with only_writer(folder):
        (folder / SHARD).unlink(missing_ok=True)  # of an earlier run, whose documents may be replaced now
        parts = DocumentParts(folder / PARTS, False, shard=number - 1, shards=shards)
        described = _gather(pages, settings, parts, gather, progress)
        with replacing(folder / SHARD) as stream:
            stream.write(
                _json(
                    {
                        "shard": number,
                        "shards": shards,
                        "settings": described,
                        "rules": asdict(settings.rules),
                    }
                )
            )
    return folder


def merge_shards(
    folders: Sequence[Path], out: Path, settings: CleanSettings, progress: Progress = SILENT
) -> CleanRun:
    """The corpus of all shards, with the rows of one run over all pages. Raises InputError where one is
    missing or was made otherwise.
    """
    watch = Stopwatch()
    shards = _shards(folders)
    described = shards[0][1]
    with reading_results(shards[0][0]):
        rules = CleanRules(**described["rules"])
    merged = CleanSettings(
        settings.masks, rules, settings.engine, settings.master, settings.memory, settings.jobs
    )
    parts = []
    for folder, shard in shards:
        own = DocumentParts(folder / PARTS, False, shard=shard["shard"] - 1, shards=shard["shards"])
        own.finish()
        parts.append(own)
    work = _folder(out, WORK)
    with only_writer(work):
        run = _join(parts, merged, described["settings"], out, watch, progress)
        remove_work(work)
    return run


def _shards(folders: Sequence[Path]) -> list[tuple[Path, dict[str, Any]]]:
    """The shards in these folders, by their numbers."""
    found: dict[int, tuple[Path, dict[str, Any]]] = {}
    for folder in folders:
        for path in sorted({*folder.glob(f"shard-*/{SHARD}"), *folder.glob(SHARD)}):
            with reading_results(path.parent):
                shard = _shard(path)
            found[shard["shard"]] = path.parent, shard
    if not found:
        raise InputError(
            f"{', '.join(map(str, folders))}: holds no shard that ruiji clean --shard has finished"
        )
    shards = [found[number] for number in sorted(found)]
    total = shards[0][1]["shards"]
    missing = [str(number) for number in range(1, total + 1) if number not in found]
    if missing:
        raise InputError(f"of {total} shards these are not there yet: {', '.join(missing)}")
    for folder, shard in shards:
        if any(shard[name] != shards[0][1][name] for name in ("shards", "rules", "settings")):
            raise InputError(f"{folder}: was made with other settings than {shards[0][0]}; run it anew")
    return shards


def _shard(path: Path) -> dict[str, Any]:
    """What a shard says of itself."""
    shard: dict[str, Any] = json_of(path.read_text(encoding="utf-8"))
    if not 0 < int(shard["shard"]) <= int(shard["shards"]) or not isinstance(shard["rules"], dict):
        raise ValueError("it has no number")
    return {**shard, "settings": dict(shard["settings"])}


def _folder(out: Path, name: str) -> Path:
    if out.exists() and not out.is_dir():
        raise InputError(f"{out}: there is a file of that name; clean writes a folder")
    refuse_foreign_folder(out, "clean")
    try:
        (out / name).mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"{out}: cannot be written: {error.strerror}") from error
    return out / name


def _gather(
    pages: PageSource,
    settings: CleanSettings,
    parts: DocumentParts,
    gather: GatherMaker,
    progress: Progress,
) -> dict[str, Any]:
    """Gathers the documents of the shard into parts, from where an interrupted run stopped; returns what
    run.json says of how.
    """
    with fitted_masks(settings.masks, pages, settings.jobs, progress) as masks:
        described = {
            "pages": list(pages.names),
            "filter": settings.masks.filter,
            "model": settings.masks.model,
            "model_digest": masks.load().digest,
        }
        number, shards = settings.shard
        parts.take_up(pages.signature({**described, "shard": list(settings.shard)}))
        if not parts.complete:
            if parts.pages:
                progress.say(f"going on after {parts.pages} pages of an interrupted run")
            function = gather(masks)
            own = islice(pages, number - 1 + shards * parts.pages, None, shards)
            rows = map_pages(function, own, failed=function.failed, jobs=settings.jobs)
            for row in progress.watch(rows, done=parts.pages):
                if row.page["error"]:
                    progress.page_failed(row.page["id"], row.page["error"])
                parts.add(row)
            parts.finish()
    return described


def _join(
    parts: Sequence[DocumentParts],
    settings: CleanSettings,
    described: Mapping[str, Any],
    out: Path,
    watch: Stopwatch,
    progress: Progress,
) -> CleanRun:
    """Joins what was gathered, and gives the finished files their names; run.json comes last."""
    work = out / WORK
    with engine_session(settings) as session:
        progress.say(f"{sum(part.pages for part in parts)} pages; looking for what they repeat")
        precision, model = settings.rules.precision, str(described["model"])
        least = None if precision is None else least_expected_f1(precision, model)
        cleaning = Cleaning(
            parts,
            settings.rules,
            least,
            lambda tables, folder: engine_on(settings, tables, folder, session),
            work,
        )
        counts = cleaning.run()
    watch.lap("join")
    description = {
        "command": "clean",
        "settings": {**described, **asdict(settings.rules), "engine": settings.engine},
        "versions": library_versions(settings.engine),
        "counts": counts,
        "seconds": watch.seconds,
    }
    (out / RUN).unlink(missing_ok=True)
    for name in FILES:
        (work / f"{name}.parquet").replace(out / f"{name}.parquet")
    with replacing(out / RUN) as stream:
        stream.write(_json(description))
    return CleanRun(out, description)


def shard_number(text: str) -> tuple[int, int]:
    """K and N of ``K/N``. Raises SettingError where that is no shard.

    >>> shard_number("2/8")
    (2, 8)
    """
    number, slash, shards = text.partition("/")
    if not (slash and number.isdecimal() and shards.isdecimal() and 1 <= int(number) <= int(shards)):
        raise SettingError(f"‹shard› is K/N with K from 1 to N, such as 2/8, not {text!r}")
    return int(number), int(shards)


def _json(value: Mapping[str, Any]) -> bytes:
    return json.dumps(value, ensure_ascii=False, indent=1).encode("utf-8", "replace") + b"\n"
