"""``ruiji train``: a chunker learns from annotated pages, or from what repeats on each site."""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from ruiji.corpora.files import owned_folder, refuse_inputs
from ruiji.corpora.page import InputError
from ruiji.corpora.sources import named_pages
from ruiji.learning import add_learning, chunker_from
from ruiji.options import ANNOTATED_HELP, add_common, add_pages
from ruiji.outcome import Outcome
from ruiji.progress import Reporter

if TYPE_CHECKING:
    from ruiji.chunker.annotation.loading import LoadedExamples
    from ruiji.chunker.crf.estimator import CrfChunker

ANNOTATIONS, UNIQUE = "annotations", "unique"  # who labels the pages, as the model's card says

DESCRIPTION = "Learns a chunker from annotated pages."
EPILOG = """\
examples:
  ruiji train annotated/ -o model              then: ruiji extract page.html --filter crf --model model
  ruiji train a.jsonl.gz b.jsonl.gz -o model --features nakamura
  ruiji train annotated/ -o model --beta 2     a model that would rather keep too much
  ruiji train --self crawl.warc.gz -o model    no annotation: taught by what repeats on each site"""


@dataclass(frozen=True, slots=True)
class TrainSettings:
    """Which pages teach which chunker, and where the model goes; ``teacher`` labels the pages."""

    pages: tuple[str, ...]
    model: Path
    chunker: CrfChunker
    teacher: str
    jobs: int


def add_options(parser: argparse.ArgumentParser) -> None:
    """The options of ``ruiji train``."""
    add_pages(parser, ANNOTATED_HELP)
    parser.add_argument(
        "--self",
        dest="without_annotation",
        action="store_true",
        help="pages without annotation, several of each site: what repeats there and what does not is the "
        "lesson",
    )
    parser.add_argument(
        "-o", "--output", metavar="MODEL", required=True, help="a folder: CRFsuite file and card.json"
    )
    add_learning(parser)
    add_common(parser)


def settings_from(options: argparse.Namespace) -> TrainSettings:
    """The settings that the options describe."""
    chunker = chunker_from(options, options.features or "full")
    teacher = UNIQUE if options.without_annotation else ANNOTATIONS
    return TrainSettings(tuple(options.pages), Path(options.output), chunker, teacher, options.jobs)


def run(settings: TrainSettings, progress: Reporter) -> Outcome:
    """Learns a chunker and writes its model."""
    from ruiji.chunker.crf.folder import save_model
    from ruiji.chunker.crf.sampling import spread_numbers
    from ruiji.chunker.evaluation.cautions import training_cautions
    from ruiji.tables.scores import size_of

    chunker, destination = settings.chunker, settings.model
    if destination.exists() and not destination.is_dir():
        raise InputError(f"{destination}: there is a file of that name; a model is a folder")
    loaded = _examples(settings, progress)
    examples = loaded.examples
    pages = [example.nodes for example in examples if example.nodes is not None]
    learned = len(spread_numbers(pages, chunker.per_site, chunker.max_pages))
    progress.say(f"learning from {_part(learned, len(pages), chunker)}{size_of(examples)}")
    for caution in training_cautions(examples, learned):
        progress.say(caution)
    refuse_inputs(destination, named_pages(settings.pages).files())
    with (
        owned_folder(destination, "train"),
        progress.steps(chunker.max_iterations, "rounds") as done,
    ):
        chunker.fit(
            pages,
            [example.labels for example in examples],
            done,
            conventions=[example.convention for example in examples if example.nodes is not None],
        )
        save_model(chunker, destination, examples, teacher=settings.teacher)
    progress.summary(
        f"{destination}: {len(chunker.attributes_.names())} attributes, {len(chunker.model_) / 1e6:.1f} MB"
    )
    return Outcome(loaded.failed)


def _part(learned: int, pages: int, chunker: CrfChunker) -> str:
    """How many of the pages are learned from, where it is not all of them."""
    if learned == pages:
        return ""
    return f"{learned} pages (at most {chunker.per_site} a site and {chunker.max_pages} in all) of "


def _examples(settings: TrainSettings, progress: Reporter) -> LoadedExamples:
    pages = named_pages(settings.pages)
    if settings.teacher == UNIQUE:
        from ruiji.chunker.lessons import find_lessons

        return find_lessons(pages, settings.chunker.per_site, settings.jobs, progress)
    from ruiji.chunker.annotation.loading import load_examples

    return load_examples(pages, settings.jobs, progress)
