"""``ruiji agree``: how far two annotators of the same pages agree."""

from __future__ import annotations

import argparse
import math
from collections.abc import Mapping
from dataclasses import dataclass

from ruiji.chunker.annotation.annotators import Agreement, agreement
from ruiji.chunker.annotation.loading import load_examples
from ruiji.chunker.evaluation import nakamura_2007
from ruiji.chunker.evaluation.cautions import counted
from ruiji.chunker.evaluation.crossval import collected
from ruiji.chunker.evaluation.statistics import RESAMPLES, Interval, interval
from ruiji.chunker.metrics import Counts
from ruiji.corpora.page import InputError
from ruiji.corpora.sources import named_pages
from ruiji.options import add_common
from ruiji.outcome import Outcome
from ruiji.progress import Reporter
from ruiji.tables.differences import as_dict
from ruiji.tables.scores import check_destination, score_table, write_results

BY_REGION, BY_NODE = "by region", "by text node"

DESCRIPTION = "How far two annotators of the same pages agree, by region and by text node."
EPILOG = "example:\n  ruiji agree annotated/hanako annotated/taro"


@dataclass(frozen=True, slots=True)
class AgreeSettings:
    """Whose annotations are compared."""

    first: str
    second: str
    output: str | None
    jobs: int


def add_options(parser: argparse.ArgumentParser) -> None:
    """The options of ``ruiji agree``."""
    parser.add_argument("first", metavar="DIR_A", help="pages as one annotator left them")
    parser.add_argument("second", metavar="DIR_B", help="the same pages, under the same names, by the other")
    parser.add_argument("-o", "--output", metavar="FILE", help="the results as JSON")
    add_common(parser)


def settings_from(options: argparse.Namespace) -> AgreeSettings:
    """The settings that the options describe."""
    return AgreeSettings(options.first, options.second, options.output, options.jobs)


def run(settings: AgreeSettings, progress: Reporter) -> Outcome:
    """Compares the annotators, prints the table of section 4.1.1 and writes the results."""
    first, second = settings.first, settings.second
    check_destination(settings.output, (first, second))
    loaded = [load_examples(named_pages([source]), settings.jobs, progress) for source in (first, second)]
    ours, theirs = ({example.id: example for example in side.examples} for side in loaded)
    compared = agreement(ours, theirs)
    for name in compared.different:
        progress.page_failed(name, "the two versions have different texts: not the same page")
    if not compared.by_page:
        raise InputError(
            f"{first} and {second} have no page in common (the same relative path, or the same id)"
        )
    for name in sorted(ours.keys() ^ theirs.keys()):
        progress.say(f"{name}: only in {first if name in ours else second}")
    rows = {name: _agreement(counts) for name, counts in compared.by_page.items()}
    rows |= {"all": _agreement(compared.total)}
    rows |= {
        f"(Nakamura 2007, {pair})": {
            BY_REGION: nakamura_2007.TABLE_4_1["region"][place],
            BY_NODE: nakamura_2007.TABLE_4_1["text node"][place],
        }
        for place, pair in enumerate(("H1-H2", "H3-H4"))
    }
    pages = len(compared.by_page)
    print(f"{counted(pages, 'page')}\n\n{score_table(rows, (BY_REGION, BY_NODE))}")
    sites = {name: ours[name].site for name in compared.by_page}
    of_one_site = len(set(sites.values())) == 1
    limits = _intervals(compared, {name: name for name in sites} if of_one_site else sites)
    if limits:
        said = " · ".join(f"{name} {own}" for name, own in limits.items())
        drawn = f"{pages} pages" if of_one_site else f"{len(set(sites.values()))} sites"
        print(f"\nall: {said} (95 % of {RESAMPLES:,} draws of {drawn})")
    result = {
        "agreement": rows["all"],
        "intervals": {name: as_dict(own) for name, own in limits.items()},
        "by_page": {name: rows[name] for name in compared.by_page},
        "pages": pages,
        "settings": {"first": first, "second": second},
    }
    write_results(result, settings.output)
    return Outcome(sum(side.failed for side in loaded) + len(compared.different))


def _agreement(counts: Counts) -> dict[str, float]:
    """By region and by text node, where there is anything to agree about."""
    shares = {BY_REGION: counts.region_agreement, BY_NODE: counts.node_agreement}
    return {name: value for name, value in shares.items() if not math.isnan(value)}


def _intervals(compared: Agreement, group_of: Mapping[str, str]) -> dict[str, Interval]:
    """The agreement with its intervals, by draws of groups of pages; none for a single group."""
    scores = collected([(group_of[name], counts) for name, counts in compared.by_page.items()])
    if len(scores.by_site) < 2:
        return {}
    return {
        name: interval(scores, metric)
        for name, metric in ((BY_REGION, "R_F"), (BY_NODE, "B_F"))
        if not math.isnan(getattr(scores.total, metric))
    }
