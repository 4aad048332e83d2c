"""``ruiji records``: corresponding records and their contradictions, in a folder."""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from ruiji.chunker.fitting import check_masks
from ruiji.corpora.errors import SettingError
from ruiji.corpora.sources import named_pages
from ruiji.detector.records.compare.relevance import DEFAULT_RULE, PaperRule
from ruiji.detector.records.disagreements import disagreements
from ruiji.detector.records.folder import CONFLICTS, NEW
from ruiji.detector.records.pipeline import DEFAULT, METHODS, RecordCounts, RecordSettings, compare_records
from ruiji.features.text.dates import moment_of
from ruiji.options import add_common, add_filter, add_pages, mask_settings, share
from ruiji.outcome import Outcome
from ruiji.progress import Reporter
from ruiji.report.records import write_records_report
from ruiji.terminal import printable

SHOWN = 12  # contradictions on the terminal
MOST_DAYS = 1e6

DESCRIPTION = (
    "Finds records (staff, offices, products …) in tables, lists and cards, which of them on different "
    "pages are "
    "about the same thing, and what they contradict each other in. With changes OLD NEW: what changed "
    "between two "
    "such runs."
)
EPILOG = """\
examples:
  ruiji records site-a/ site-b/ -o out       records, which correspond, and where they contradict each other
  ruiji records crawl.warc.gz -o out --schema staff.json
  ruiji records crawl2/ -o out2 --since out  the same, and new.jsonl has what the earlier run did not have
  ruiji records changes out out2             what changed on which page, and which pages still have the old
                                             (a folder of pages called changes is given as ./changes)

OUT holds records.parquet, correspondences.parquet, lists.parquet, conflicts.jsonl (kind: conflict, age,
missing, variant) and report.html. A schema is JSON or TOML:
{"fields": [{"label": "職名", "synonyms": ["役職", "Post"], "kind": "post", "changing": true}]}
kinds: name mail phone date number money url text post place hours code"""


@dataclass(frozen=True, slots=True)
class RecordsCommand:
    """Which pages' records are compared, how, and where the results go."""

    pages: tuple[str, ...]
    out: Path
    comparison: RecordSettings


def add_options(parser: argparse.ArgumentParser) -> None:
    """The options of ``ruiji records``."""
    add_pages(parser)
    parser.add_argument("-o", "--output", metavar="OUT", help="folder for the results")
    add_filter(parser)
    parser.add_argument(
        "--schema",
        metavar="FILE",
        help="labels, their synonyms and kinds, as .json or .toml; they come before the built-in ones",
    )
    parser.add_argument(
        "--since",
        metavar="OLD_OUT",
        help="an earlier run: what it did not have is written to new.jsonl and shown",
    )
    parser.add_argument(
        "--crawled",
        type=day,
        metavar="DATE",
        help="when pages were fetched that do not say it themselves, as 2024-05-01; with --since, a page "
        "that has not changed keeps the time of the earlier run",
    )
    parser.add_argument(
        "--method",
        choices=METHODS,
        default=DEFAULT,
        help="how records are matched: weights of evidence, or the paper's formula (4) as published "
        "(default: %(default)s)",
    )
    parser.add_argument(
        "--min-confidence",
        type=share,
        default=0.0,
        metavar="C",
        help="tell only contradictions that are at least so sure, 0 to 1 (default: %(default)s, all)",
    )
    parser.add_argument(
        "--alpha",
        type=share,
        default=DEFAULT_RULE.alpha,
        help="with --method paper: weight of likeness against links (default: %(default)s, the paper's)",
    )
    parser.add_argument(
        "--lambda",
        dest="lam",
        type=share,
        default=DEFAULT_RULE.lam,
        metavar="λ",
        help="with --method paper: threshold for pages of the same age (default: %(default)s)",
    )
    parser.add_argument(
        "--mu",
        type=days,
        default=DEFAULT_RULE.mu,
        metavar="DAYS",
        help="with --method paper: age from which the threshold is lowest (default: %(default)s, the "
        "paper's)",
    )
    add_common(parser)


def day(text: str) -> str:
    """A date as it was written."""
    if moment_of(text) is None:
        raise argparse.ArgumentTypeError("must be a date such as 2024-05-01")
    return text


def days(text: str) -> float:
    """A number of days above 0."""
    try:
        number = float(text)
    except ValueError:
        number = 0.0
    if not 0 < number < MOST_DAYS:
        raise argparse.ArgumentTypeError("must be a number of days above 0")
    return number


def settings_from(options: argparse.Namespace) -> RecordsCommand:
    """The settings that the options describe. Raises SettingError where the folder for the results is
    missing.
    """
    if options.pages[0] == "changes":
        raise SettingError(
            "changes comes first, before options: ruiji records changes OLD NEW; a folder of pages that is "
            "called changes is given as ./changes"
        )
    if options.output is None:
        raise SettingError("‹out=OUT› is needed: a folder for the results")
    comparison = RecordSettings(
        mask_settings(options),
        options.schema or "",
        options.since or "",
        options.method,
        options.min_confidence,
        PaperRule(options.alpha, options.lam, options.mu),
        options.jobs,
        options.crawled or "",
    )
    return RecordsCommand(tuple(options.pages), Path(options.output), comparison)


def run(settings: RecordsCommand, progress: Reporter) -> Outcome:
    """Leaves the results in their folder, with a report, and prints what was found."""
    result = compare(settings, progress)
    print_summary(settings.out, result.counts)
    return Outcome(result.failed)


def compare(settings: RecordsCommand, progress: Reporter) -> RecordCounts:
    """The counts of the comparison, whose results are in their folder with a report."""
    check_masks(settings.comparison.masks)
    result = compare_records(named_pages(settings.pages), settings.out, settings.comparison, progress)
    write_records_report(settings.out, settings.out / "report.html")
    return result


def print_summary(out: Path, counts: Mapping[str, Any]) -> None:
    """Prints counts by kind and the first contradictions."""
    facts = counts["facts"]
    kinds = ", ".join(
        f"{number} {kind}" + (f" (of {facts[kind]} facts)" if facts[kind] < number else "")
        for kind, number in counts["contradictions"].items()
    )
    print(
        f"{counts['records']} records on {counts['pages']} pages, {counts['correspondences']} "
        "correspondences "
        f"in {counts['sets']} sets: {kinds}"
    )
    if "new" in counts:
        print("new: " + ", ".join(f"{number} {kind}" for kind, number in counts["new"].items()))
    with (out / (NEW if "new" in counts else CONFLICTS)).open(encoding="utf-8") as stream:
        told = disagreements(map(json.loads, stream))
        for one in islice((one for one in told if one.surest["kind"] != "variant"), SHOWN):
            row, more = one.surest, one.elsewhere()
            values = f"{row['value_a'] or '–'} | {row['value_b'] or '–'}"
            print(printable(f"  {row['kind']:8} {row['label']}  {row['field']}: {values}"))
            print(f"           {printable(row['url_a'])}\n           {printable(row['url_b'])}")
            if more:
                print(f"           and on {len(more)} more page{'s' * (len(more) > 1)}")
    print(f"side by side: {out / 'report.html'}")
