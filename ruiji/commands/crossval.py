"""``ruiji crossval``: a chunker learns on some sites and is scored on others, in turn."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import mean
from typing import Any

from ruiji.chunker.annotation.examples import Example
from ruiji.chunker.annotation.loading import load_examples
from ruiji.chunker.crf.estimator import CrfChunker
from ruiji.chunker.crf.svm import SvmChunker
from ruiji.chunker.evaluation.cautions import counted, fold_cautions
from ruiji.chunker.evaluation.contenders import (
    BUCKETS,
    LEARNERS,
    WITHOUT,
    check_comparison,
    contenders,
    learner_of,
    name_of,
)
from ruiji.chunker.evaluation.crossval import Fold, Scores, cross_validated, grouped_folds, random_folds
from ruiji.chunker.evaluation.keywords import selected_keywords
from ruiji.chunker.evaluation.statistics import doubling_sizes, learned_folds, learning_curve
from ruiji.corpora.errors import SettingError
from ruiji.corpora.sources import named_pages
from ruiji.features.nodes.sets import set_name
from ruiji.learning import add_learning, chunker_from, find_modules_here, svm_from
from ruiji.options import ANNOTATED_HELP, add_common, add_error_outputs, add_pages, integer_from_two
from ruiji.outcome import Outcome
from ruiji.progress import Reporter
from ruiji.report.errors import write_errors
from ruiji.tables.differences import as_dict, curve_table, difference_table, differences_from
from ruiji.tables.frames import write_tables
from ruiji.tables.nakamura_2007 import (
    TABLES,
    bucket_table,
    contender_tables,
    has_paper_features,
    keyword_table,
    paper_table,
    wanted,
)
from ruiji.tables.scores import check_destination, check_folder, described_settings, size_of, write_results

FOLDS = 5
SITE, RANDOM = "site", "random"
CURVES = ("pages", "sites")

DESCRIPTION = (
    "Cross-validates a chunker; pages of one site are never on both sides of a split, "
    "and each is judged by itself."
)
EPILOG = """\
examples:
  ruiji crossval annotated/                    metrics of the feature set full
  ruiji crossval annotated/ --table 4.4        a table of Nakamura 2007, ours beside it, with its features,
                                               learner and split: 4.2, 4.4, 4.6 or 4.7
  ruiji crossval annotated/ --ablate           the same three experiments with a CRF and folds by site
  ruiji crossval annotated/ --features full --ablate      what each family of features brings
  ruiji crossval annotated/ --compare svm,baseline -o results.json
  ruiji crossval annotated/ --compare self     how near a model comes that is taught by train --self
  ruiji crossval annotated/ --features nakamura --learner svm --compare viterbi   left to right, or the best
                                               sequence of the same scores
  ruiji crossval annotated/ --features my_features:MINE --compare full  a feature of one's own, with intervals
  ruiji crossval annotated/ --errors errors.html          the worst pages, truth and label side by side
  ruiji crossval annotated/ --tables tables/   pages, text nodes, folds and kinds of regions as Parquet
  ruiji crossval annotated/ --curve sites      what more sites bring
  ruiji crossval annotated/ --features wished --ablate --compare nakamura,buckets   wishes of section 5.2

L_nc label accuracy (L_bl of calling all content) · R_ regions · B_ text nodes: recall, precision, F of
non-content · FP_c content called non-content · block_ and perfect: blocks of content · word_ words of the
extracted text (character pairs in Japanese), mean over pages"""


@dataclass(frozen=True, slots=True)
class CrossvalSettings:
    """Which chunker is validated on which pages, and beside what."""

    pages: tuple[str, ...]
    chunker: CrfChunker | SvmChunker
    folds: int
    split: str
    curve: str | None
    together: tuple[str, ...]
    ablate: bool
    compare: tuple[str, ...]
    output: str | None
    jobs: int
    table: str = ""  # of Nakamura 2007, instead of what everybody reached
    errors: Path | None = None
    tables: Path | None = None


def add_options(parser: argparse.ArgumentParser) -> None:
    """The options of ``ruiji crossval``."""
    add_pages(parser, ANNOTATED_HELP)
    parser.add_argument(
        "--folds",
        type=integer_from_two,
        default=FOLDS,
        metavar="N",
        help="default: %(default)s, or as many as there are sites",
    )
    parser.add_argument(
        "--ablate",
        action="store_true",
        help="also leave out one feature at a time: the paper's tables, ours beside them",
    )
    parser.add_argument(
        "--compare",
        type=comparisons,
        default=(),
        metavar="LIST",
        help="also these, by commas: crf, svm, baseline, self, buckets (steps of numbers chosen from the "
        "training pages), another decoding (f1, viterbi, greedy), or another feature set; with the intervals "
        "of the differences",
    )
    parser.add_argument(
        "--learner",
        choices=LEARNERS,
        help="crf (default), or the SVM chunker of the paper (default with --table)",
    )
    parser.add_argument(
        "--split",
        choices=(SITE, RANDOM),
        help="site: no site on both sides (default); random: page by page, as in the paper (default with "
        "--table)",
    )
    parser.add_argument(
        "--curve",
        choices=CURVES,
        default=None,
        help="also a learning curve: training sets of fewer pages, or of fewer sites",
    )
    parser.add_argument(
        "--together",
        action="append",
        default=[],
        metavar="PATTERNS",
        help="sites that share a template and must stay on one side, as patterns by commas: "
        "debian-*,gnucash-*; may be given again",
    )
    parser.add_argument(
        "--table",
        choices=TABLES,
        default="",
        help="this table of Nakamura 2007 with ours beside it: its features, an SVM, pages split at random, "
        "all of them learned from, unless other options say otherwise; 4.7 are the keywords of all pages",
    )
    add_error_outputs(parser)
    parser.add_argument("-o", "--output", metavar="FILE", help="the results as JSON")
    add_learning(parser)
    add_common(parser)


def comparisons(text: str) -> tuple[str, ...]:
    """Names of what a chunker is compared with, from text with commas."""
    return tuple(name.strip() for name in text.split(",") if name.strip())


def settings_from(options: argparse.Namespace) -> CrossvalSettings:
    """The settings that the options describe."""
    # The paper's tables are about its own features.
    features = options.features or ("nakamura" if options.ablate or options.table else "full")
    learner = options.learner or ("svm" if options.table else "crf")
    split = options.split or (RANDOM if options.table else SITE)
    if options.table:
        check_paper_options(options, features)
    for name in options.compare:
        find_modules_here(name)
        check_comparison(name)
    if split == RANDOM and options.together:
        raise SettingError("‹together› goes with ‹split=site›")
    chunker: CrfChunker | SvmChunker = (svm_from if learner == "svm" else chunker_from)(options, features)
    if options.table:  # the paper learned from all pages
        every = {"per_site": options.per_site, "max_pages": options.max_pages}
        chunker.set_params(**every)
    return CrossvalSettings(
        tuple(options.pages),
        chunker,
        options.folds,
        split,
        options.curve,
        tuple(options.together),
        options.ablate,
        tuple(options.compare),
        options.output,
        options.jobs,
        options.table,
        Path(options.errors) if options.errors else None,
        Path(options.tables) if options.tables else None,
    )


def check_paper_options(options: argparse.Namespace, features: str) -> None:
    """Raises SettingError where something is asked for that a table of the paper does not have."""
    if features != "nakamura":
        raise SettingError("‹table› goes with ‹features=nakamura›: the tables are about its features")
    for name in ("ablate", "compare", "curve"):
        if getattr(options, name):
            raise SettingError(f"‹table› is one table of the paper: ‹{name}› goes without it")


def run(settings: CrossvalSettings, progress: Reporter) -> Outcome:
    """Cross-validates, prints the tables and writes the results."""
    for destination in (settings.output, settings.errors):
        check_destination(str(destination) if destination else None, settings.pages)
    check_folder(settings.tables, settings.pages)
    chunker, main = settings.chunker, name_of(settings.chunker)
    loaded = load_examples(named_pages(settings.pages), settings.jobs, progress)
    examples = loaded.examples
    if settings.table == "4.7":
        keywords = selected_keywords(examples)
        print(f"{size_of(examples)}\n\n{keyword_table(keywords)}")
        write_results({"keywords": [asdict(keyword) for keyword in keywords]}, settings.output)
        return Outcome(loaded.failed)
    splits = _folds(settings, examples, progress)
    taking_part = dict(contenders(chunker, settings.ablate or bool(settings.table), settings.compare))
    if settings.table:
        taking_part = {
            name: own for name, own in taking_part.items() if name == main or wanted(settings.table, name)
        }
    learned = learned_folds(chunker, examples, splits)
    sizes = doubling_sizes(examples, learned, settings.curve) if settings.curve else []
    scores: dict[str, Scores] = {}
    with progress.steps((len(taking_part) + len(sizes)) * len(splits), "folds") as done:
        for name, contender in taking_part.items():
            scores[name] = cross_validated(contender, examples, splits, settings.jobs, done)
        curve = (
            learning_curve(chunker, examples, splits, sizes, settings.curve, settings.jobs, done)
            if settings.curve
            else []
        )
    sides = "no site on both sides" if settings.split == SITE else "split at random"
    sides += _thinned(splits, learned)
    about = f"{size_of(examples)}; {len(splits)} folds, {sides}; decoding {chunker.decoding}"
    differences = differences_from(scores, main)
    print(f"{about}\n")
    if settings.table:
        print(paper_table(settings.table, scores, main))
    else:
        print(contender_tables(scores, main, settings.ablate))
    if settings.ablate and has_paper_features(main):
        print(f"\n{keyword_table(selected_keywords(examples))}")
    if BUCKETS in settings.compare:
        print(f"\n{bucket_table(examples)}")
    print(f"\n{difference_table(scores[main], main, differences)}")
    if curve:
        print(f"\nLearning curve: training sets in the mean of the folds\n\n{curve_table(curve)}")
    result = _result(scores, main, settings.ablate or settings.table == "4.4")
    result["differences"] = {
        name: {metric: as_dict(ahead) for metric, ahead in own.items()} for name, own in differences.items()
    }
    if curve:
        result["curve"] = [
            {"pages": point.pages, "sites": point.sites, **point.scores.total.as_dict()} for point in curve
        ]
    parameters = chunker.get_params() | {"features": set_name(chunker.features)}
    result["settings"] = described_settings(settings.pages, examples, parameters) | {
        "learner": learner_of(chunker),
        "split": settings.split,
        "folds": len(splits),
        "together": list(settings.together),
    }
    write_results(result, settings.output)
    if settings.errors:
        write_errors(scores[main], settings.errors, f"{main}: {about}")
        progress.summary(f"{settings.errors}: the worst of {counted(len(scores[main].pages), 'page')}")
    if settings.tables:
        files = write_tables(settings.tables, scores, main)
        progress.summary(f"{settings.tables}: {', '.join(files)}")
    return Outcome(loaded.failed)


def _folds(settings: CrossvalSettings, examples: Sequence[Example], progress: Reporter) -> list[Fold]:
    """The folds, after saying what is thin about them."""
    if settings.split == RANDOM:
        splits = random_folds(examples, settings.folds)
        progress.say("pages of one site are on both sides of a random split: scores are those of known sites")
    else:
        splits = grouped_folds(examples, settings.folds, settings.together)
    for caution in fold_cautions(examples, splits):
        progress.say(caution)
    return splits


def _thinned(splits: Sequence[Fold], learned: Sequence[Fold]) -> str:
    """How many pages a fold learns from, where those are not all that it has."""
    given, used = (mean(len(fold.train) for fold in folds) for folds in (splits, learned))
    return "" if used == given else f", learning from {used:.0f} of {given:.0f} pages in the mean"


def _result(scores: Mapping[str, Scores], main: str, ablate: bool) -> dict[str, Any]:
    """The scores as JSON has them."""
    totals = {name: own.total.as_dict() for name, own in scores.items()}
    result = scores[main].as_dict()
    result["compared"] = {
        name: total for name, total in totals.items() if name != main and not name.startswith(WITHOUT)
    }
    result["contenders"] = {name: own.as_dict() for name, own in scores.items() if name != main}
    if ablate:
        result["ablation"] = {
            name.removeprefix(WITHOUT): total for name, total in totals.items() if name.startswith(WITHOUT)
        }
    return result
