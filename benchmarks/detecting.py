"""``ruiji detect`` as a user runs it, for benchmarks: the pairs that it finds and the CPU time that it takes,
workers included.
"""

from __future__ import annotations

import resource
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pyarrow.parquet as pq

Pair = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Detected:
    """What a run found: the category of each pair, by the ids of its pages in order; and its CPU seconds."""

    pairs: dict[Pair, str]
    pages: int
    seconds: float


def detect(sources: Sequence[str], *options: str) -> Detected:
    """Runs the command. Raises CalledProcessError where nothing could be done."""
    with tempfile.TemporaryDirectory(prefix="ruiji-benchmark-") as folder:
        before = _children_seconds()
        command = [sys.executable, "-m", "ruiji", "detect", *sources, "-o", folder, "-q", *options]
        run = subprocess.run(command, stdout=subprocess.DEVNULL, check=False)
        if run.returncode not in (0, 1):
            raise subprocess.CalledProcessError(run.returncode, command)
        seconds = _children_seconds() - before
        pages = pq.read_table(Path(folder) / "pages.parquet", columns=["id", "url"]).to_pydict()
        name = dict(zip(pages["url"], pages["id"], strict=True))
        found = pq.read_table(
            Path(folder) / "pairs.parquet", columns=["url_a", "url_b", "category"]
        ).to_pydict()
    rows = zip(found["url_a"], found["url_b"], found["category"], strict=True)
    return Detected({pair(name[a], name[b]): category for a, b, category in rows}, len(name), seconds)


def pair(one: str, other: str) -> Pair:
    """A pair of pages whichever comes first."""
    return (one, other) if one < other else (other, one)


def _children_seconds() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def share(part: int, whole: int) -> str:
    """A share as tables have it."""
    return f"{part / whole:.3f}" if whole else "–"
