"""``ruiji crossval``: a chunker learns on some sites and is scored on others, in turn."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from ruiji.chunker.annotation.loading import load_examples
from ruiji.chunker.crf.estimator import CrfChunker
from ruiji.chunker.crf.svm import SvmChunker
from ruiji.chunker.evaluation import nakamura_2007
from ruiji.chunker.evaluation.cautions import fold_cautions
from ruiji.chunker.evaluation.contenders import (
    FIXED_KEYWORDS,
    LEARNERS,
    WITHOUT,
    check_comparison,
    contenders,
    learner_of,
    name_of,
)
from ruiji.chunker.evaluation.crossval import Scores, cross_validated, grouped_folds, random_folds
from ruiji.chunker.evaluation.keywords import selected_keywords
from ruiji.chunker.evaluation.statistics import (
    RESAMPLES,
    CurvePoint,
    Interval,
    difference,
    doubling_sizes,
    interval,
    learning_curve,
)
from ruiji.corpora.errors import SettingError
from ruiji.corpora.sources import named_pages
from ruiji.features.nodes.nakamura import ABLATION
from ruiji.features.nodes.sets import set_name
from ruiji.learning import add_learning, chunker_from, find_modules_here, svm_from
from ruiji.options import ANNOTATED_HELP, add_common, add_pages, integer_from_two
from ruiji.outcome import Outcome
from ruiji.progress import Reporter
from ruiji.score_tables import (
    check_destination,
    described_settings,
    keyword_table,
    score_table,
    size_of,
    text_table,
    write_results,
)

SHOWN = ("L_bl", "L_nc", "R_r", "R_p", "R_F", "B_r", "B_p", "B_F", "FP_c", "word_F1")
TESTED = ("R_F", "B_F", "word_F1")  # the metrics whose differences have intervals
FOLDS = 5
SITE, RANDOM = "site", "random"
CURVES = ("pages", "sites")

DESCRIPTION = "Cross-validates a chunker; pages of one site are never on both sides of a split."
EPILOG = """\
examples:
  ruiji crossval annotated/                    metrics of the feature set full
  ruiji crossval annotated/ --ablate           tables 4.2, 4.4 and 4.6 of Nakamura 2007 with ours beside them
  ruiji crossval annotated/ --list-keywords    table 4.7: the keywords that these pages give
  ruiji crossval annotated/ --features full --ablate      what each family of features brings
  ruiji crossval annotated/ --compare svm,baseline -o results.json
  ruiji crossval annotated/ --compare self     how near a model comes that is taught by train --self
  ruiji crossval annotated/ --features my_features:MINE --compare full  a feature of one's own, with intervals
  ruiji crossval annotated/ --features nakamura --learner svm --split random --ablate    as in 2007
  ruiji crossval annotated/ --curve sites      what more sites bring

L_nc label accuracy (L_bl of calling all content) · R_ regions · B_ text nodes: recall, precision, F of
non-content · FP_c content called non-content · block_ and perfect: blocks of content · word_ words of the
extracted text (character pairs in Japanese), mean over pages"""


_PAPERS = frozenset(f"{learner} nakamura" for learner in LEARNERS)  # chunkers with the paper's features


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
    list_keywords: bool = False


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
        help="also these, by commas: crf, svm, baseline, self, or another feature set; with the intervals "
        "of the "
        "differences",
    )
    parser.add_argument(
        "--learner",
        choices=LEARNERS,
        default="crf",
        help="crf, or the SVM chunker of the paper (default: %(default)s)",
    )
    parser.add_argument(
        "--split",
        choices=(SITE, RANDOM),
        default=SITE,
        help="site: no site on both sides; random: page by page, as in the paper (default: %(default)s)",
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
        "--list-keywords",
        action="store_true",
        help="no validation: the keywords that all pages give, table 4.7 of Nakamura 2007",
    )
    parser.add_argument("-o", "--output", metavar="FILE", help="the results as JSON")
    add_learning(parser)
    add_common(parser)


def comparisons(text: str) -> tuple[str, ...]:
    """Names of what a chunker is compared with, from text with commas."""
    return tuple(name.strip() for name in text.split(",") if name.strip())


def settings_from(options: argparse.Namespace) -> CrossvalSettings:
    """The settings that the options describe."""
    # The paper's tables are about its own features.
    features = options.features or ("nakamura" if options.ablate else "full")
    for name in options.compare:
        find_modules_here(name)
        check_comparison(name)
    if options.split == RANDOM and options.together:
        raise SettingError("‹together› goes with ‹split=site›")
    return CrossvalSettings(
        tuple(options.pages),
        (svm_from if options.learner == "svm" else chunker_from)(options, features),
        options.folds,
        options.split,
        options.curve,
        tuple(options.together),
        options.ablate,
        tuple(options.compare),
        options.output,
        options.jobs,
        options.list_keywords,
    )


def run(settings: CrossvalSettings, progress: Reporter) -> Outcome:
    """Cross-validates, prints the tables and writes the results."""
    check_destination(settings.output, settings.pages)
    chunker = settings.chunker
    loaded = load_examples(named_pages(settings.pages), settings.jobs, progress)
    examples = loaded.examples
    if settings.list_keywords:
        keywords = selected_keywords(examples)
        print(f"{size_of(examples)}\n\n{keyword_table(keywords)}")
        write_results({"keywords": [asdict(keyword) for keyword in keywords]}, settings.output)
        return Outcome(loaded.failed)
    if settings.split == RANDOM:
        splits = random_folds(examples, settings.folds)
        progress.say("pages of one site are on both sides of a random split: scores are those of known sites")
    else:
        splits = grouped_folds(examples, settings.folds, settings.together)
    for caution in fold_cautions(examples, splits):
        progress.say(caution)
    taking_part = dict(contenders(chunker, settings.ablate, settings.compare))
    sizes = doubling_sizes(examples, splits, settings.curve) if settings.curve else []
    scores: dict[str, Scores] = {}
    with progress.steps((len(taking_part) + len(sizes)) * len(splits), "folds") as done:
        for name, contender in taking_part.items():
            scores[name] = cross_validated(contender, examples, splits, settings.jobs, done)
        curve = (
            learning_curve(chunker, examples, splits, sizes, settings.curve, settings.jobs, done)
            if settings.curve
            else []
        )
    main = name_of(chunker)
    sides = "no site on both sides" if settings.split == SITE else "split at random"
    print(f"{size_of(examples)}; {len(splits)} folds, {sides}; decoding {chunker.decoding}\n")
    print(score_tables(scores, main, settings.ablate))
    if settings.ablate and main in _PAPERS:
        print(f"\n{keyword_table(selected_keywords(examples))}")
    differences = _differences(scores, main)
    print(f"\n{difference_table(scores[main], main, differences)}")
    if curve:
        print(f"\nLearning curve: training sets in the mean of the folds\n\n{curve_table(curve)}")
    result = _result(scores, main, settings.ablate)
    result["differences"] = {
        name: {metric: _as_dict(ahead) for metric, ahead in own.items()} for name, own in differences.items()
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
    return Outcome(loaded.failed)


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


def score_tables(scores: Mapping[str, Scores], main: str, ablate: bool) -> str:
    """The tables of the paper with ours beside them."""
    ours = {name: own.total.as_dict() for name, own in scores.items()}
    paper = main in _PAPERS
    compared = {name: row for name, row in ours.items() if not name.startswith((WITHOUT, FIXED_KEYWORDS))}
    published = {
        "Nakamura 2007 (SVM, its 781 pages)": {"L_bl": nakamura_2007.L_BL, **nakamura_2007.TABLE_4_2}
    }
    parts = [score_table((published if paper or ablate else {}) | compared, SHOWN)]
    if paper and ablate:
        parts[0] = "Table 4.2: all features\n\n" + parts[0]
        parts.append("Table 4.4: one feature left out\n\n" + score_table(_ablation_rows(ours), SHOWN[1:]))
        fixed = {
            "paper": nakamura_2007.TABLE_4_6,
            "ours": ours[FIXED_KEYWORDS],
            "ours, selected": ours[main],
        }
        parts.append(
            "Table 4.6: fixed keywords in place of selected ones\n\n" + score_table(fixed, SHOWN[1:])
        )
    elif ablate:
        left_out = {name: row for name, row in ours.items() if name.startswith(WITHOUT)}
        rows = {main: ours[main]} | left_out
        parts.append("One family of features left out\n\n" + score_table(rows, SHOWN[1:]))
    return "\n\n".join(parts)


def _differences(scores: Mapping[str, Scores], main: str) -> dict[str, dict[str, Interval]]:
    """How far the chunker is ahead of each of the others, by metric."""
    return {
        name: {metric: difference(scores[main], own, metric) for metric in TESTED}
        for name, own in scores.items()
        if name != main
    }


def difference_table(own: Scores, main: str, differences: Mapping[str, Mapping[str, Interval]]) -> str:
    """The chunker's scores with their intervals, and how far it is ahead of the others."""
    rows = {main: [str(interval(own, metric)) for metric in TESTED]}
    for name, by_metric in differences.items():
        rows[f"ahead of {name}"] = [
            f"{by_metric[metric]}{'' if by_metric[metric].sure else ' ?'}" for metric in TESTED
        ]
    sites = len(own.by_site)
    note = " (?: 0 lies between)" if differences else ""
    return f"With intervals: 95 % of {RESAMPLES:,} draws of {sites} sites{note}\n\n" + text_table(
        rows, TESTED
    )


def curve_table(curve: Sequence[CurvePoint]) -> str:
    """The points of a learning curve."""
    rows = {
        f"{point.pages:.0f} pages of {point.sites:.0f} sites": [
            str(interval(point.scores, metric)) for metric in TESTED
        ]
        for point in curve
    }
    return text_table(rows, TESTED)


def _as_dict(own: Interval) -> dict[str, float]:
    return {"value": own.value, "low": own.low, "high": own.high}


def _ablation_rows(
    ours: Mapping[str, Mapping[str, float]], cases: Sequence[str] = tuple(ABLATION)
) -> dict[str, Mapping[str, float]]:
    """The paper's row and ours, for each feature that is left out."""
    rows: dict[str, Mapping[str, float]] = {}
    for case in cases:
        rows[f"{case}: paper"] = nakamura_2007.TABLE_4_4[case]
        rows[f"{case}: ours"] = ours[f"{WITHOUT}{case}"]
    return rows
