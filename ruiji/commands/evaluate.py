"""``ruiji evaluate``: the scores of a filter on annotated pages, or of results that people have judged in
``ruiji review``.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ruiji.chunker.annotation.loading import load_examples
from ruiji.chunker.crf.folder import load_model, read_card
from ruiji.chunker.evaluation.cautions import model_cautions
from ruiji.chunker.evaluation.crossval import Scores
from ruiji.chunker.evaluation.filters import score_filter
from ruiji.chunker.evaluation.frames import node_frame
from ruiji.chunker.filters import DEFAULT_MODEL
from ruiji.chunker.fitting import check_masks, fitted_masks
from ruiji.chunker.masking import MaskSettings
from ruiji.chunker.metrics import NAMES
from ruiji.corpora.files import replacing
from ruiji.corpora.page import InputError
from ruiji.corpora.sources import named_pages
from ruiji.detector.verdicts import FILE, Tally, read_verdicts, tallied
from ruiji.options import (
    ANNOTATED_HELP,
    add_common,
    add_comparing,
    add_filter,
    add_pages,
    mask_settings,
)
from ruiji.outcome import Outcome
from ruiji.progress import Reporter
from ruiji.report.errors import write_errors
from ruiji.score_tables import (
    check_destination,
    described_settings,
    score_table,
    size_of,
    write_results,
)

DESCRIPTION = "Scores one filter on annotated pages, by site and in all."
EPILOG = """\
examples:
  ruiji evaluate annotated/ --filter crf --model model
  ruiji evaluate annotated/ --filter blocks -o blocks.json
  ruiji evaluate annotated/ --errors errors.html       the worst pages, truth and label side by side
  ruiji evaluate site/ --filter unique --fallback none"""


@dataclass(frozen=True, slots=True)
class EvaluateSettings:
    """Which filter is scored on which pages."""

    pages: tuple[str, ...]
    masks: MaskSettings
    groups: str | None
    errors: Path | None
    output: str | None
    jobs: int


def add_options(parser: argparse.ArgumentParser) -> None:
    """The options of ``ruiji evaluate``."""
    add_pages(parser, ANNOTATED_HELP)
    add_filter(parser)
    add_comparing(parser)
    parser.add_argument(
        "--errors",
        metavar="OUT",
        help="also an HTML page with the worst pages, or with a name that ends in .parquet every text "
        "node: truth, "
        "label, score, path, kind of region",
    )
    parser.add_argument("-o", "--output", metavar="FILE", help="the results as JSON")
    add_common(parser)


def settings_from(options: argparse.Namespace) -> EvaluateSettings:
    """The settings that the options describe."""
    return EvaluateSettings(
        tuple(options.pages),
        mask_settings(options),
        options.groups,
        Path(options.errors) if options.errors else None,
        options.output,
        options.jobs,
    )


def run(settings: EvaluateSettings, progress: Reporter) -> Outcome:
    """Prints the table and writes the results."""
    check_destination(settings.output, settings.pages)
    check_destination(str(settings.errors) if settings.errors else None, settings.pages)
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
    with fitted_masks(settings.masks, pages, settings.jobs, progress, groups) as fitted:
        scores = score_filter(fitted.load(), loaded.examples)
    name, model = settings.masks.filter, settings.masks.model
    if name == "crf":
        for caution in model_cautions(read_card(model or DEFAULT_MODEL), loaded.examples):
            progress.say(caution)
    about = f"{size_of(loaded.examples)}; filter {name}{' with ' + model if model else ''}"
    print(f"{about}\n")
    rows = {site: counts.as_dict() for site, counts in scores.by_site.items()}
    print(score_table(rows | {"all": scores.total.as_dict()}, NAMES))
    described = described_settings(settings.pages, loaded.examples, {"filter": name, "model": model})
    write_results(scores.as_dict() | {"settings": described}, settings.output)
    if settings.errors:
        write_error_report(scores, settings.errors, about, settings.masks)
        progress.summary(f"{settings.errors}: the worst of {len(scores.pages)} pages")
    return Outcome(loaded.failed)


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
    print(f"{len(verdicts)} verdicts\n\n{verdict_table(tallies | {'all': total})}")
    return {
        "verdicts": {name: _as_dict(tally) for name, tally in tallies.items()},
        "all": _as_dict(total),
        "settings": {"file": str(path)},
    }


def _as_dict(tally: Tally) -> dict[str, Any]:
    low, high = tally.interval()
    return {
        "judged": tally.judged,
        "right": tally.right,
        "wrong": tally.wrong,
        "other": dict(sorted(tally.others.items())),
        "precision": round(tally.share_right, 4),
        "interval": [round(low, 4), round(high, 4)],
    }


def verdict_table(tallies: Mapping[str, Tally]) -> str:
    """Verdicts by category as a Markdown table."""
    width = max(len(name) for name in tallies)
    lines = [
        f"| {'':{width}} | judged | right | wrong | other | share right (95 %) |",
        f"| {'-' * width} | -----: | ----: | ----: | ----: | :----------------- |",
    ]
    for name, tally in tallies.items():
        low, high = tally.interval()
        share = f"{tally.share_right:.3f} ({low:.2f}–{high:.2f})"
        instead = ", ".join(f"{other} {count}" for other, count in tally.others.most_common())
        lines.append(
            f"| {name:{width}} | {tally.judged:6} | {tally.right:5} | {tally.wrong:5} | "
            f"{tally.others.total():5} | {share:18} |"
        )
        if instead:
            lines[-1] += f" instead: {instead}"
    return "\n".join(lines)
