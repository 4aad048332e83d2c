"""``ruiji detect``: pages that share content, what kind of pairs they are, and the evidence, in a folder."""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ruiji.chunker.fitting import check_masks, reads_pages_first, say_unseen_language
from ruiji.corpora.remembered import RememberedPages
from ruiji.corpora.sources import PageSource, named_pages
from ruiji.detector.detection import DetectSettings, detect_pairs
from ruiji.detector.gather.occurrences import MATCHES, Usable
from ruiji.detector.pairs.relations import (
    CATEGORIES,
    IDENTICAL_ABOVE,
    INCLUDED_ABOVE,
    KEPT_SHARE,
    MIN_BITS,
    URLS,
)
from ruiji.options import (
    add_common,
    add_engine,
    add_filter,
    add_language,
    add_pages,
    integer_from_two,
    mask_settings,
    positive_integer,
    share,
)
from ruiji.outcome import Outcome
from ruiji.progress import Reporter
from ruiji.terminal import printable
from ruiji.words import in_language

if TYPE_CHECKING:  # brings Arrow along (ruiji/detector/detection.py)
    from ruiji.detector.pairs.run import Run

STRONGEST = 10
FAILED_SHOWN = 10

DESCRIPTION = (
    "Finds every pair of pages that share long, rare content sentences, and says what kind of pair it is."
)
EPILOG = """\
examples:
  ruiji detect crawl.warc.gz -o out                    then read out/report.html
  ruiji detect site/ more.parquet -o out --filter crf --model model
  ruiji detect new.warc.gz -o week2 --against week1    new pages with each other and with an earlier run's
  ruiji detect pages.parquet -o out --engine spark --master spark://host:7077
                                                       the same rows; OUT must lie where all workers see it
  interrupted? the same command goes on where it stopped

OUT gets pages, sentences, links, pairs, groups, evidence (each shared passage with its places) and lineage
(which page was made from which) as .parquet, run.json and report.html; ruiji convert writes each as csv or
jsonl. Pages with the same content count as one when the pages that have a sentence are counted."""


@dataclass(frozen=True, slots=True)
class DetectCommand:
    """Which pages are compared, how, and where the run goes."""

    pages: tuple[str, ...]
    out: Path
    detection: DetectSettings


def add_options(parser: argparse.ArgumentParser) -> None:
    """The options of ``ruiji detect``."""
    usable = Usable()
    add_pages(parser)
    parser.add_argument("-o", "--output", metavar="OUT", required=True, help="folder for the results")
    add_filter(parser)
    parser.add_argument(
        "--min-length",
        type=positive_integer,
        default=usable.min_length,
        metavar="N",
        help="shortest sentence that counts (default: %(default)s)",
    )
    parser.add_argument(
        "--max-pages",
        type=integer_from_two,
        default=usable.max_pages,
        metavar="N",
        help="a sentence in more pages does not count (default: %(default)s)",
    )
    parser.add_argument(
        "--match",
        choices=MATCHES,
        default=usable.match,
        help="what makes two sentences the same: their letters but for words that open them or say nothing "
        "(loose, the default), the whole text (exact), or their content words in order (skeleton)",
    )
    parser.add_argument(
        "--against",
        action="append",
        default=[],
        metavar="OLD_OUT",
        help="also compare with an earlier run; may be given again",
    )
    parser.add_argument(
        "--keep-templates",
        action="store_true",
        help="also pairs of one site that share nothing but paragraphs at the same place, which are left "
        "out as leftovers of its template",
    )
    parser.add_argument(
        "--urls",
        choices=URLS,
        default="site",
        help="how addresses are compared: by who runs the pages, or by their parts as published (default: "
        "%(default)s)",
    )
    parser.add_argument(
        "--min-bits",
        type=int,
        default=MIN_BITS,
        metavar="B",
        help="pairs that say less are left out, but for identical pages and pages of two sites that link; "
        "pages of one host that do not link must say twice as much; 0 for all (default: %(default)s)",
    )
    parser.add_argument(
        "--identical",
        type=share,
        default=IDENTICAL_ABOVE,
        metavar="SHARE",
        help="overlap above which two pages are identical (default: %(default)s, as published)",
    )
    parser.add_argument(
        "--contained",
        type=share,
        default=INCLUDED_ABOVE,
        metavar="SHARE",
        help="share of the shorter page above which the other holds it (default: %(default)s, as published)",
    )
    parser.add_argument(
        "--kept",
        type=share,
        default=KEPT_SHARE,
        metavar="SHARE",
        help="share of a page's characters that the kept page must have for it to be dropped in "
        "groups.parquet (default: %(default)s)",
    )
    add_language(parser)
    add_engine(parser)
    add_common(parser)


def settings_from(options: argparse.Namespace) -> DetectCommand:
    """The settings that the options describe."""
    detection = DetectSettings(
        masks=mask_settings(options),
        usable=Usable(options.min_length, options.max_pages, options.match),
        keep_templates=options.keep_templates,
        urls=options.urls,
        min_bits=options.min_bits,
        identical_above=options.identical,
        included_above=options.contained,
        kept_share=options.kept,
        language=options.language,
        against=tuple(options.against),
        engine=options.engine,
        master=options.master,
        memory=options.memory,
        jobs=options.jobs,
    )
    return DetectCommand(tuple(options.pages), Path(options.output), detection)


def run(settings: DetectCommand, progress: Reporter) -> Outcome:
    """Leaves the finished run in its folder, with its report, and prints the summary."""
    finished = detect(settings, progress)
    if progress.verbosity >= 0:
        print_summary(finished)
    return Outcome(finished.description["counts"]["failed"])


def detect(settings: DetectCommand, progress: Reporter) -> Run:
    """The finished run, with its report."""
    check_masks(settings.detection.masks)
    pages: PageSource = named_pages(settings.pages)
    if reads_pages_first(settings.detection.masks):
        pages = RememberedPages(pages)
    say_unseen_language(settings.detection.masks, pages, progress)
    finished = detect_pairs(pages, settings.out, settings.detection, progress)
    from ruiji.report.pairs import write_report

    write_report(finished.folder, finished.folder / "report.html")
    return finished


def print_summary(finished: Run) -> None:
    """Prints counts by category, the strongest pairs and the pages that failed."""
    counts: dict[str, Any] = finished.description["counts"]
    earlier = (
        f", compared with each other and with {counts['compared_with']} of earlier runs"
        if counts["compared_with"]
        else ""
    )
    print(f"{counts['pages']} pages{earlier}: {counts['pairs']} pairs that share content")
    for name in CATEGORIES:
        meaning = in_language(f"meaning_{name}", "en")
        print(f"  {counts['categories'][name]:8}  {name:26} {meaning}")
    print(
        f"{counts['groups']} groups of identical pages ({counts['grouped_pages']} pages), "
        f"{counts['patchwork_pages']} patchwork pages"
    )
    _print_strongest(finished)
    _print_failed(finished)
    print(
        f"\nEverything is in {finished.folder}: report.html for reading, pairs.parquet and the others for "
        "programs"
    )


def strongest_pairs(finished: Run, number: int = STRONGEST) -> list[dict[str, Any]]:
    """The pairs that say most, by address where they say as much."""
    import pyarrow.compute as pc
    import pyarrow.parquet as pq

    from ruiji.detector.run_tables import MOST_FIRST

    columns = [
        "url_a", "url_b", "shared_sentences", "shared_chars", "bits", "overlap", "containment", "category",
    ]  # fmt: skip
    pairs = pq.read_table(finished.file("pairs"), columns=columns)
    order = pc.select_k_unstable(
        pairs,
        k=min(number, len(pairs)),
        sort_keys=MOST_FIRST,
    )
    rows: list[dict[str, Any]] = pairs.take(order).to_pylist()
    return rows


def _print_strongest(finished: Run) -> None:
    pairs = strongest_pairs(finished)
    if pairs:
        print("\nstrongest pairs       sentences  characters  overlap  containment")
    for pair in pairs:
        print(
            f"  {pair['category']:26}{pair['shared_sentences']:4}{pair['shared_chars']:12}"
            f"{pair['overlap']:9.2f}{pair['containment']:13.2f}"
            f"\n    {printable(pair['url_a'])}\n    {printable(pair['url_b'])}"
        )


def _print_failed(finished: Run) -> None:
    import pyarrow.compute as pc
    import pyarrow.parquet as pq

    pages = pq.read_table(finished.file("pages"), columns=["id", "error"])
    failed = pages.filter(pc.is_valid(pages["error"]))
    if len(failed):
        print(f"\n{len(failed)} pages failed:")
    for page in failed.slice(0, FAILED_SHOWN).to_pylist():
        print(f"  {printable(page['id'])}: {printable(page['error'])}")
    if len(failed) > FAILED_SHOWN:
        print("  … (all are in pages.parquet)")
