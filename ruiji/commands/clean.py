"""``ruiji clean``: a corpus without its repetitions, each kept once, with a receipt for every character."""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ruiji.chunker.fitting import check_masks
from ruiji.corpora.sources import named_pages
from ruiji.corpus_documents import GatherDocuments
from ruiji.detector.clean.order import KEEP
from ruiji.detector.clean.pipeline import LEVELS, QUOTATIONS, CleanRules
from ruiji.detector.cleaning import CleanRun, CleanSettings, clean_corpus, gather_shard, shard_number
from ruiji.document import least_for
from ruiji.options import add_common, add_engine, add_filter, add_pages, add_precision, mask_settings
from ruiji.outcome import Outcome
from ruiji.progress import Reporter
from ruiji.report.clean import write_clean_report

DESCRIPTION = "A corpus without its repetitions: what several pages have is kept once, at sentence borders."
EPILOG = """\
examples:
  ruiji clean crawl.warc.gz -o corpus                  then read corpus/report.html
  ruiji clean pages.parquet more.jsonl -o corpus       rows of extract, Hugging Face or datatrove
  ruiji clean pages.parquet -o corpus --level page     only whole pages go
  ruiji clean pages.parquet -o corpus --level mark     nothing goes; columns and receipt say what would
  ruiji clean crawl/ -o work --shard 3/8               one of eight tasks, and when all are done:
  ruiji clean merge work -o corpus                     the rows of one run
  interrupted? the same command goes on where it stopped

OUT gets corpus.parquet (url title author published language text markdown expected_f1 cluster duplicates
removed_chars and others), removed.parquet (url start end reason kept_url kept_start kept_end chars text:
where each removed stretch stood in the extracted text, and where it is kept), left_out.parquet (pages that
are not in the corpus, and why), run.json and report.html. Sentences are the same when their letters are,
whatever their width, case, white space, punctuation and opening words."""


@dataclass(frozen=True, slots=True)
class CleanCommand:
    """Which pages, how, and where the corpus goes; ``sharded`` gathers one shard only."""

    pages: tuple[str, ...]
    out: Path
    cleaning: CleanSettings
    sharded: bool = False


def add_options(parser: argparse.ArgumentParser) -> None:
    """The options of ``ruiji clean``."""
    rules = CleanRules()
    add_pages(parser)
    parser.add_argument("-o", "--output", metavar="OUT", required=True, help="folder for the corpus")
    parser.add_argument(
        "--level",
        choices=LEVELS,
        default=rules.level,
        help="whole pages that others hold go (page), and passages too (passage, the default), or nothing "
        "does and all is only marked (mark)",
    )
    parser.add_argument(
        "--keep",
        choices=KEEP,
        default=rules.keep,
        help="which page keeps what several have: the likely original, the oldest, the longest, or the first "
        "of the input (default: %(default)s)",
    )
    parser.add_argument(
        "--quotations",
        choices=QUOTATIONS,
        default=rules.quotations,
        help="single quoted sentences stay (keep) or go (drop) (default: %(default)s)",
    )
    parser.add_argument(
        "--shard", metavar="K/N", help="gather only every Nth page, from the Kth on; join with clean merge"
    )
    add_precision(parser)
    add_filter(parser)
    add_engine(parser)
    add_common(parser)


def settings_from(options: argparse.Namespace) -> CleanCommand:
    """The settings that the options describe."""
    cleaning = CleanSettings(
        masks=mask_settings(options),
        rules=CleanRules(options.keep, options.level, options.quotations, options.precision),
        engine=options.engine,
        master=options.master,
        memory=options.memory,
        jobs=options.jobs,
        shard=(1, 1) if options.shard is None else shard_number(options.shard),
    )
    return CleanCommand(tuple(options.pages), Path(options.output), cleaning, options.shard is not None)


def run(settings: CleanCommand, progress: Reporter) -> Outcome:
    """Leaves the corpus in its folder, with its report, and prints the summary; or gathers a shard."""
    check_masks(settings.cleaning.masks)
    least_for(settings.cleaning.masks, settings.cleaning.rules.precision)
    pages = named_pages(settings.pages)
    if settings.sharded:
        folder = gather_shard(pages, settings.out, settings.cleaning, GatherDocuments, progress)
        if progress.verbosity >= 0:
            print(f"the shard is in {folder}; when all are there: ruiji clean merge {settings.out} -o OUT")
        return Outcome(0)
    finished = clean_corpus(pages, settings.out, settings.cleaning, GatherDocuments, progress)
    return finish(finished, progress)


def finish(finished: CleanRun, progress: Reporter) -> Outcome:
    """Writes the report and prints the summary."""
    write_clean_report(finished.folder, finished.folder / "report.html")
    if progress.verbosity >= 0:
        print_summary(finished)
    return Outcome(finished.description["counts"]["failed"])


def print_summary(finished: CleanRun) -> None:
    """Prints how much went, and why."""
    counts: dict[str, Any] = finished.description["counts"]
    removed, characters = counts["removed_chars"], counts["characters"]
    gone = sum(removed.values())
    marked = finished.description["settings"]["level"] == "mark"
    verb = "would go" if marked else "removed"
    print(
        f"{counts['pages']} pages, {counts['kept']} in the corpus; {gone} of {characters} characters {verb}"
    )
    for reason in sorted(removed, key=lambda name: -removed[name]):
        share = 100 * removed[reason] / max(1, characters)
        print(f"  {removed[reason]:12}  {share:5.1f} %  {reason:12} {counts['stretches'][reason]} stretches")
    for reason, pages in counts["left_out"].items():
        print(f"  {pages:12} pages left out: {reason}")
    print(
        f"\nEverything is in {finished.folder}: corpus.parquet, the receipt removed.parquet, report.html for "
        "reading"
    )
