"""Floors under the shipped model's scores, which a change may raise but not sink.

    python -m benchmarks.floors DATA            checks them
    python -m benchmarks.floors DATA --raise    writes higher ones where more is reached
    python -m benchmarks.floors DATA --lower    writes what is reached, also where that is less: a decision

A floor holds for pages with a hash: other pages, other floor. Sets that the model has learned from are marked
``seen``: a fall there says that something broke, their height says nothing about new pages.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from itertools import islice
from pathlib import Path

from ruiji.chunker.annotation.examples import Example, digest, examples_of
from ruiji.chunker.evaluation.crossval import score_example
from ruiji.chunker.filters import load_filter
from ruiji.chunker.labels import labels_of_mask
from ruiji.chunker.metrics import Counts
from ruiji.corpora import read_pages

FILE = Path(__file__).parent / "floors.json"
SLACK = 0.003  # below what was reached: rounding of other processors must not fail a build
METRIC = "word_F1"


@dataclass(frozen=True, slots=True)
class Sample:
    """Pages that are scored: every so manyth of a file under DATA, and whether the shipped model has learned
    from them.
    """

    name: str
    file: str
    every: int
    seen: bool


SAMPLES = (
    Sample("ja-web", "ja-web/news-dev.jsonl.gz", 1, seen=False),
    Sample("wcxb-dev, every 25th", "web/wcxb-dev.jsonl.gz", 25, seen=True),
    Sample("groonga-ja, every 10th", "ja-sites/groonga-ja.jsonl.gz", 10, seen=True),
    Sample("jser.info, every 10th", "ja-sites/jser.info.jsonl.gz", 10, seen=True),
)


@dataclass(frozen=True, slots=True)
class Floor:
    """What a sample of pages, known by its hash, must reach."""

    sha256: str
    word_F1: float  # noqa: N815  the metric's name
    seen: bool


def sampled(data: Path, sample: Sample) -> list[Example]:
    """The annotated pages of a sample."""
    pages = list(islice(read_pages([str(data / sample.file)]), 0, None, sample.every))
    return [example for example in examples_of(pages) if example.nodes is not None and example.marked]


def reached(examples: Sequence[Example], model: str = "") -> float:
    """The word F1 of the shipped model on these pages."""
    masks = load_filter("crf", model).masks(
        [example.nodes for example in examples if example.nodes is not None]
    )
    labels = (labels_of_mask(mask.content) if mask.labels is None else mask.labels for mask in masks)
    total = sum(
        (score_example(example, own) for example, own in zip(examples, labels, strict=True)), Counts()
    )
    return total.word_F1


def read_floors(path: Path = FILE) -> dict[str, Floor]:
    """The floors that were written."""
    return {name: Floor(**floor) for name, floor in json.loads(path.read_text(encoding="utf-8")).items()}


def failures(data: Path, floors: dict[str, Floor]) -> list[str]:
    """A sentence for each floor that is not reached, or that is of other pages."""
    sentences = []
    for sample in SAMPLES:
        examples = sampled(data, sample)
        floor = floors.get(sample.name)
        if floor is None or floor.sha256 != digest(examples):
            sentences.append(
                f"{sample.name}: no floor for these pages; write one with: python -m benchmarks.floors "
                "DATA --lower"
            )
        elif (value := reached(examples)) < floor.word_F1:
            sentences.append(
                f"{sample.name}: {METRIC} is {value:.4f}, below the floor of {floor.word_F1:.4f}"
            )
    return sentences


def renewed(data: Path, floors: dict[str, Floor], lower: bool) -> dict[str, Floor]:
    """Floors at what is reached now, less the slack; an old one of the same pages that is higher stays,
    unless it may be lowered.
    """
    new_floors = {}
    for sample in SAMPLES:
        examples = sampled(data, sample)
        new = Floor(digest(examples), round(reached(examples) - SLACK, 4), sample.seen)
        old = floors.get(sample.name)
        keep = old is not None and old.sha256 == new.sha256 and old.word_F1 > new.word_F1 and not lower
        new_floors[sample.name] = old if keep and old is not None else new
    return new_floors


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.floors", description=__doc__.split("\n")[0])
    parser.add_argument("data", type=Path, metavar="DATA")
    parser.add_argument(
        "--raise", dest="up", action="store_true", help="write higher floors where more is reached"
    )
    parser.add_argument("--lower", action="store_true", help="write what is reached, also where that is less")
    options = parser.parse_args()
    floors = read_floors() if FILE.exists() else {}
    if options.up or options.lower:
        floors = renewed(options.data, floors, options.lower)
        FILE.write_text(
            json.dumps({name: asdict(floor) for name, floor in floors.items()}, indent=1) + "\n",
            encoding="utf-8",
        )
        print("\n".join(f"{name}: {floor.word_F1:.4f}" for name, floor in floors.items()))
        return 0
    below = failures(options.data, floors)
    print("\n".join(below) or f"all {len(SAMPLES)} floors hold")
    return 1 if below else 0


if __name__ == "__main__":
    sys.exit(main())
