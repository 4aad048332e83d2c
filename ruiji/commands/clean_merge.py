"""``ruiji clean merge``: the corpus of all shards that ``ruiji clean --shard`` has gathered."""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from pathlib import Path

from ruiji.commands.clean import finish
from ruiji.detector.cleaning import CleanSettings, merge_shards
from ruiji.options import add_common, add_engine
from ruiji.outcome import Outcome
from ruiji.progress import Reporter

DESCRIPTION = "The corpus of all shards that ruiji clean --shard has gathered, with the rows of one run."
EPILOG = """\
examples:
  for K in 1 2 3 4; do ruiji clean crawl/ -o work --shard $K/4; done
  ruiji clean merge work -o corpus

Levels, what is kept and the filter are those that the shards were made with."""


@dataclass(frozen=True, slots=True)
class MergeCommand:
    """The folders with shards, and where the corpus goes."""

    shards: tuple[Path, ...]
    out: Path
    cleaning: CleanSettings


def add_options(parser: argparse.ArgumentParser) -> None:
    """The options of ``ruiji clean merge``."""
    parser.add_argument("shards", nargs="+", metavar="SHARDS", help="folders that clean --shard wrote")
    parser.add_argument("-o", "--output", metavar="OUT", required=True, help="folder for the corpus")
    add_engine(parser)
    add_common(parser)


def settings_from(options: argparse.Namespace) -> MergeCommand:
    """The settings that the options describe."""
    cleaning = CleanSettings(
        engine=options.engine, master=options.master, memory=options.memory, jobs=options.jobs
    )
    return MergeCommand(tuple(map(Path, options.shards)), Path(options.output), cleaning)


def run(settings: MergeCommand, progress: Reporter) -> Outcome:
    """Leaves the corpus in its folder, with its report, and prints the summary."""
    return finish(merge_shards(settings.shards, settings.out, settings.cleaning, progress), progress)
