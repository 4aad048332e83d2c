"""``ruiji evaluate``: the scores of a filter on annotated pages, or of results that people have judged in
``ruiji review``.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ruiji.chunker.annotation.examples import Example
from ruiji.chunker.annotation.loading import load_examples
from ruiji.chunker.crf.folder import load_model, read_card
from ruiji.chunker.evaluation.cautions import counted, model_cautions
from ruiji.chunker.evaluation.crossval import Scores
from ruiji.chunker.evaluation.filters import score_filter
from ruiji.chunker.evaluation.frames import node_frame
from ruiji.chunker.evaluation.plain_rule import THRESHOLDS, by_threshold, sites_and_mixed
from ruiji.chunker.evaluation.retrieval import retrieval
from ruiji.chunker.filters import DEFAULT_FILTER, DEFAULT_MODEL
from ruiji.chunker.fitting import check_masks, fitted_masks
from ruiji.chunker.masking import MaskSettings
from ruiji.chunker.metrics import NAMES
from ruiji.chunker.unique.uniqueness import THRESHOLD
from ruiji.corpora.errors import SettingError
from ruiji.corpora.files import replacing
from ruiji.corpora.page import InputError
from ruiji.corpora.sources import named_pages
from ruiji.detector.verdicts import FILE, Tally, read_verdicts, tallied
from ruiji.options import (
    ANNOTATED_HELP,
    add_common,
    add_comparing,
    add_error_outputs,
    add_filter,
    add_pages,
    mask_settings,
)
from ruiji.outcome import Outcome
from ruiji.progress import Reporter
from ruiji.report.errors import write_errors
from ruiji.tables.frames import write_tables
from ruiji.tables.retrieval import retrieval_table
from ruiji.tables.scores import (
    check_destination,
    check_folder,
    described_settings,
    score_table,
    size_of,
    write_results,
)
from ruiji.tables.verdicts import as_dict, verdict_table
from ruiji.tables.yoshida_2009 import sites_table, threshold_drawing, threshold_table

DESCRIPTION = "Scores one filter on annotated pages, by site and in all."
EPILOG = """\
examples:
  ruiji evaluate annotated/ --filter crf --model model
  ruiji evaluate annotated/ --alone            each page by itself, as ruiji crossval judges
  ruiji evaluate annotated/ --filter blocks -o blocks.json
  ruiji evaluate annotated/ --errors errors.html       the worst pages, truth and label side by side
  ruiji evaluate annotated/ --tables tables/           pages, text nodes, kinds of regions, weights as Parquet
  ruiji evaluate site/ --filter unique --fallback none
  ruiji evaluate sites/ --table 1              table 1 of Yoshida and Yamamoto 2009: sites alone and mixed
  ruiji evaluate sites/ --figure-8 figure8.svg         its figure 8: the threshold
  ruiji evaluate annotated/ --retrieval        does search get better without what is not content?"""


# How a learned model judges pages, as the line above the scores says
TOGETHER, BY_ITSELF = "pages with what their sites repeat", "each page by itself"
TABLE_1, FIGURE_8, RETRIEVAL = EXPERIMENTS = ("table 1", "figure 8", "retrieval")


@dataclass(frozen=True, slots=True)
class EvaluateSettings:
    """Which filter is scored on which pages."""

    pages: tuple[str, ...]
    masks: MaskSettings
    groups: str | None
    errors: Path | None
    output: str | None
    jobs: int
    tables: Path | None = None
    experiment: str = ""  # of EXPERIMENTS, in place of the scores of a filter
    figure: Path | None = None  # where FIGURE_8 is drawn


def add_options(parser: argparse.ArgumentParser) -> None:
    """The options of ``ruiji evaluate``."""
    add_pages(parser, ANNOTATED_HELP)
    add_filter(parser)
    add_comparing(parser)
    add_error_outputs(parser)
    paper = parser.add_mutually_exclusive_group()
    paper.add_argument(
        "--table",
        choices=("1",),
        help="table 1 of Yoshida and Yamamoto 2009 with ours beside it, no filter: the plain rule on each "
        "site alone and on all sites mixed",
    )
    paper.add_argument(
        "--figure-8",
        dest="figure",
        metavar="FILE.svg",
        help="its figure 8 with ours: the plain rule by threshold, printed and drawn",
    )
    paper.add_argument(
        "--retrieval",
        action="store_true",
        help="how well pages are found by their titles (BM25) where all text is searched, the content by "
        "the filter, and the true content (Nakamura 2007, section 5.2)",
    )
    parser.add_argument("-o", "--output", metavar="FILE", help="the results as JSON")
    add_common(parser)


def settings_from(options: argparse.Namespace) -> EvaluateSettings:
    """The settings that the options describe."""
    if options.table or options.figure:
        check_paper_options(options)
    return EvaluateSettings(
        tuple(options.pages),
        mask_settings(options),
        options.groups,
        Path(options.errors) if options.errors else None,
        options.output,
        options.jobs,
        Path(options.tables) if options.tables else None,
        TABLE_1 if options.table else FIGURE_8 if options.figure else RETRIEVAL if options.retrieval else "",
        Path(options.figure) if options.figure else None,
    )


def check_paper_options(options: argparse.Namespace) -> None:
    """Raises SettingError where something is asked for that the experiments of the plain rule do not have."""
    shown = "table" if options.table else "figure_8"
    refused = {
        "errors": options.errors,
        "tables": options.tables,
        "filter": options.filter != DEFAULT_FILTER,
        "model": options.model,
        "fallback": options.fallback,
        "groups": options.groups,
        "plain": options.plain,
        "threshold": options.figure and options.threshold is not None,
    }
    for name, asked in refused.items():
        if asked:
            raise SettingError(f"‹{shown}› is an experiment with the plain rule: ‹{name}› goes without it")


def run(settings: EvaluateSettings, progress: Reporter) -> Outcome:
    """Prints the table and writes the results."""
    for destination in (settings.output, settings.errors, settings.figure):
        check_destination(str(destination) if destination else None, settings.pages)
    check_folder(settings.tables, settings.pages)
    if verdicts := verdict_file(settings.pages):
        write_results(evaluate_verdicts(verdicts), settings.output)
        return Outcome()
    check_masks(settings.masks)
    pages = named_pages(settings.pages)
    groups = None
    if settings.groups is not None:
        from ruiji.detector.pairs.run import page_groups

        groups = page_groups(Path(settings.groups))
    loaded = load_examples(pages, settings.jobs, progress)
    if settings.experiment in (TABLE_1, FIGURE_8):
        print(f"{size_of(loaded.examples)}\n")
        result = plain_rule_experiment(settings, loaded.examples, progress)
        described = described_settings(settings.pages, loaded.examples, {"filter": "unique", "plain": True})
        write_results(result | {"settings": described}, settings.output)
        return Outcome(loaded.failed)
    with fitted_masks(settings.masks, pages, settings.jobs, progress, groups) as fitted:
        scores = score_filter(fitted.load(), loaded.examples)
        way = TOGETHER if fitted.sites else BY_ITSELF
    name, model = settings.masks.filter, settings.masks.model
    if name == "crf":
        for caution in model_cautions(read_card(model or DEFAULT_MODEL), loaded.examples):
            progress.say(caution)
    about = f"{size_of(loaded.examples)}; filter {name}{' with ' + model if model else ''}"
    judged = {"judged": way} if name == DEFAULT_FILTER else {}
    about += "".join(f", {own}" for own in judged.values())
    print(f"{about}\n")
    rows = {site: counts.as_dict() for site, counts in scores.by_site.items()}
    print(score_table(rows | {"all": scores.total.as_dict()}, NAMES))
    described = described_settings(
        settings.pages, loaded.examples, {"filter": name, "model": model, **judged}
    )
    retrieved: dict[str, Any] = {}
    if settings.experiment == RETRIEVAL:
        found = retrieval(scores.pages)
        print(f"\n{retrieval_table(found)}")
        retrieved = {"retrieval": {searched: own.as_dict() for searched, own in found.items()}}
    write_results(scores.as_dict() | retrieved | {"settings": described}, settings.output)
    if settings.tables:
        learned = load_model(model or DEFAULT_MODEL) if name == "crf" else None
        files = write_tables(settings.tables, {name: scores}, name, learned)
        progress.summary(f"{settings.tables}: {', '.join(files)}")
    if settings.errors:
        write_error_report(scores, settings.errors, about, settings.masks)
        progress.summary(f"{settings.errors}: the worst of {counted(len(scores.pages), 'page')}")
    return Outcome(loaded.failed)


def plain_rule_experiment(
    settings: EvaluateSettings, examples: Sequence[Example], progress: Reporter
) -> dict[str, Any]:
    """Prints an experiment of Yoshida and Yamamoto 2009 with ours beside it; returns ours as JSON has it."""
    if settings.experiment == TABLE_1:
        threshold = THRESHOLD if settings.masks.threshold is None else settings.masks.threshold
        with progress.steps(len({example.site for example in examples}) + 1, "collections") as done:
            scores = sites_and_mixed(examples, threshold, done)
        print(sites_table(scores))
        return {"alone": scores.alone.as_dict(), "mixed": scores.mixed.as_dict()}
    with progress.steps(len(THRESHOLDS), "thresholds") as done:
        reached = by_threshold(examples, done=done)
    print(threshold_table(reached))
    assert settings.figure is not None
    with replacing(settings.figure) as stream:
        stream.write(threshold_drawing(reached).encode())
    progress.summary(f"{settings.figure}: drawn")
    return {"thresholds": {f"{threshold:.2f}": counts.as_dict() for threshold, counts in reached.items()}}


def write_error_report(scores: Scores, destination: Path, about: str, masks: MaskSettings) -> None:
    """Writes where the filter is wrong: every text node as Parquet, or the worst pages as HTML."""
    if destination.suffix == ".parquet":
        with replacing(destination) as stream:
            node_frame(scores).to_parquet(stream)
        return
    if masks.filter != "crf":
        write_errors(scores, destination, about)
        return
    model = load_model(masks.model or DEFAULT_MODEL)
    write_errors(scores, destination, about, lambda nodes, node: model.explain(nodes, node).reasons)


def verdict_file(sources: Sequence[str]) -> Path | None:
    """The file of verdicts that the sources name, itself or by the folder of a run; None where they are
    pages.
    """
    if len(sources) != 1:
        return None
    path = Path(sources[0])
    if path.is_dir() and any((path / name).is_file() for name in ("pairs.parquet", "conflicts.jsonl")):
        if not (path / FILE).is_file():
            raise InputError(f"{path}: nobody has judged it yet; run ruiji review {path} first")
        return path / FILE
    return path if path.name.endswith(FILE) and path.is_file() else None


def evaluate_verdicts(path: Path) -> dict[str, Any]:
    """Prints the share of right results by category; returns the same as JSON has it."""
    verdicts = read_verdicts(path)
    if not verdicts:
        raise InputError(f"{path}: holds no verdicts")
    tallies = dict(tallied(verdicts.values()))
    total = Tally()
    for tally in tallies.values():
        total.right += tally.right
        total.wrong += tally.wrong
        total.others += tally.others
    print(f"{counted(len(verdicts), 'verdict')}\n\n{verdict_table(tallies | {'all': total})}")
    return {
        "verdicts": {name: as_dict(tally) for name, tally in tallies.items()},
        "all": as_dict(total),
        "settings": {"file": str(path)},
    }
