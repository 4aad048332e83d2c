"""Two versions of ruiji on the same pages, in one run, by CPU time of whole commands.

    python -m benchmarks.versions PAGES.jsonl.gz --old OLD/.venv/bin/python [--rounds 2] [--filters crf]

OLD is a checkout of the other version with an environment of its own, into which it is installed. Both
versions take turns, and the least of the rounds counts: on a busy machine only the ratio means anything.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.commands import Cost, best, cost_of

FILTERS = ("crf", "unique")


def detect_cost(python: str, pages: str, name: str) -> Cost:
    """What ``ruiji detect`` takes with one job and that filter, by the version that a Python has."""
    with TemporaryDirectory(prefix="ruiji-") as folder:
        output = str(Path(folder) / "run")
        # Without -P the folder that this runs in would lend the old version its package.
        command = [python, "-P", "-m", "ruiji", "detect", "--quiet", "--jobs", "1", "--filter", name]
        return cost_of([[*command, pages, "-o", output]])


def compare(pages: str, pythons: Sequence[str], filters: Sequence[str], rounds: int) -> dict[str, list[Cost]]:
    """For each filter the least cost of each version, the versions taking turns."""
    turns = {
        name: [[detect_cost(python, pages, name) for python in pythons] for _ in range(rounds)]
        for name in filters
    }
    return {name: [best(costs) for costs in zip(*own, strict=True)] for name, own in turns.items()}


def table(costs: dict[str, list[Cost]]) -> str:
    """The costs in Markdown, with how many times as fast the new version is."""
    lines = [
        "| detect | old, CPU s | new, CPU s | times as fast | new, MB |",
        "| --- | ---: | ---: | ---: | ---: |",
    ]
    for name, (old, new) in costs.items():
        ratio = old.cpu / new.cpu
        lines.append(
            f"| `--filter {name}` | {old.cpu:.1f} | {new.cpu:.1f} | {ratio:.1f} | {new.megabytes:.0f} |"
        )
    return "\n".join(lines)


def main() -> None:
    """Prints the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("pages")
    parser.add_argument("--old", required=True, help="the Python that has the other version")
    parser.add_argument("--filters", nargs="+", choices=FILTERS, default=list(FILTERS))
    parser.add_argument("--rounds", type=int, default=2)
    options = parser.parse_args()
    print(table(compare(options.pages, (options.old, sys.executable), options.filters, options.rounds)))


if __name__ == "__main__":
    main()
