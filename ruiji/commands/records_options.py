"""The options of ``ruiji records``."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import Any

EPILOG = """\
examples:
  ruiji records site-a/ site-b/ -o out          records, which correspond, and where they contradict each other
  ruiji records crawl.warc.gz -o out --schema staff.json
  ruiji records crawl2/ -o out2 --since out     the same, and new.jsonl has only what the earlier run did not have
  ruiji records changes out out2                what changed on which page, and which pages still say the old thing

OUT holds records.parquet, correspondences.parquet, lists.parquet, conflicts.jsonl (kind: conflict, age, missing, variant) and report.html.
A schema is JSON or TOML: {"fields": [{"label": "職名", "synonyms": ["役職", "Post"], "kind": "post", "changing": true}]}
kinds: name mail phone date number money url text post place hours code"""


def add_records(
    commands: Any,
    pages_help: str,
    add_filter: Callable[[argparse.ArgumentParser], None],
    add_common: Callable[[argparse.ArgumentParser], None],
) -> None:
    """Adds the command to the command line."""
    records = commands.add_parser(
        "records",
        help="records that correspond, and their contradictions",
        description="Finds records (staff, offices, products …) in tables, lists and cards, which of them on different pages are about the "
        "same thing, and what they contradict each other in. With changes OLD NEW: what changed between two such runs.",
        epilog=EPILOG,
    )
    records.add_argument(
        "pages", nargs="+", metavar="PAGES", help=f"{pages_help}; or: changes OLD NEW, two folders of results"
    )
    records.add_argument(
        "-o", "--output", metavar="OUT", help="folder for the results; with changes: a .jsonl file"
    )
    add_filter(records)
    records.add_argument(
        "--schema",
        metavar="FILE",
        help="labels, their synonyms and kinds, as .json or .toml; they come before the built-in ones",
    )
    records.add_argument(
        "--since",
        metavar="OLD_OUT",
        help="an earlier run: what it did not have is written to new.jsonl and shown",
    )
    records.add_argument(
        "--alpha",
        type=_share,
        default=0.7,
        help="weight of likeness against links (default: %(default)s, the paper's)",
    )
    records.add_argument(
        "--lambda",
        dest="lam",
        type=_share,
        default=0.3,
        metavar="λ",
        help="threshold for pages of the same age (default: %(default)s)",
    )
    records.add_argument(
        "--mu",
        type=_days,
        default=500.0,
        metavar="DAYS",
        help="age from which the threshold is lowest (default: %(default)s, the paper's)",
    )
    add_common(records)


def _share(text: str) -> float:
    try:
        number = float(text)
    except ValueError:
        number = -1.0
    if not 0 <= number <= 1:
        raise argparse.ArgumentTypeError("must be between 0 and 1")
    return number


def _days(text: str) -> float:
    try:
        number = float(text)
    except ValueError:
        number = 0.0
    if not 0 < number < 1e6:
        raise argparse.ArgumentTypeError("must be a number of days above 0")
    return number
