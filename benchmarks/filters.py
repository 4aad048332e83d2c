"""What a mask is worth to the detector: precision and recall of pairs by filter.

    python -m benchmarks.filters                                           the bundled mini-web
    python -m benchmarks.filters --pairs $DATA/pairs-ja                    with near-duplicate manuals in
    Japanese python -m benchmarks.filters --model MODEL                             with a learned filter

The mini-web's truth knows every pair; its columns by category have precision / recall. Of the manuals some
pairs are labelled: releases and variants of one document and measured reuse ought to be found; pairs of
different documents that share no sentence ought not.
"""

from __future__ import annotations

import argparse
import csv
from collections.abc import Sequence
from pathlib import Path

from benchmarks.detecting import Detected, detect, pair, share
from ruiji.corpora import MINIWEB, load_truth
from ruiji.detector.pairs.relations import CATEGORIES

FILTERS = ("none", "blocks", "unique")
WANTED = {"other-release": "releases", "arch-variant": "variants", "cross-site-reuse(measured)": "reuse"}


def runs(source: str, filters: Sequence[str], options: Sequence[str], model: str) -> dict[str, Detected]:
    """What each filter leads to; the learned one too where there is a model."""
    found = {name: detect([source], "--filter", name, *options) for name in filters}
    if model:
        found["crf"] = detect([source], "--filter", "crf", "--model", model, *options)
    return found


def of_miniweb(found: dict[str, Detected]) -> str:
    """Precision and recall of pairs, of pairs in their right category, and recall by category."""
    truth = {pair(one["a"], one["b"]): one["category"] for one in load_truth()["pairs"]}
    lines = [
        "| filter | pairs | precision | recall | right category | " + " | ".join(CATEGORIES) + " |",
        "| --- | ---: | ---: | ---: | ---: |" + " ---: |" * len(CATEGORIES),
    ]
    for name, run in found.items():
        right = run.pairs.keys() & truth.keys()
        named = {one for one in right if run.pairs[one] == truth[one]}
        cells = [
            len(run.pairs),
            share(len(right), len(run.pairs)),
            share(len(right), len(truth)),
            share(len(named), len(right)),
        ]
        for category in CATEGORIES:
            said = {one for one, told in run.pairs.items() if told == category}
            true = {one for one, told in truth.items() if told == category}
            cells.append(f"{share(len(said & true), len(said))} / {share(len(said & true), len(true))}")
        lines.append(f"| {name} | " + " | ".join(map(str, cells)) + " |")
    return "\n".join(lines)


def of_manuals(found: dict[str, Detected], gold: Path) -> str:
    """Recall by label, and how many of the pairs without a common sentence were reported."""
    with gold.open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream, delimiter="\t"))
    wanted = {
        label: [pair(row["id_a"], row["id_b"]) for row in rows if row["label"] == label] for label in WANTED
    }
    sharing = {
        pair(row["id_a"], row["id_b"]) for row in rows if row["label"] in WANTED and int(row["shared"])
    }
    unwanted = {
        pair(row["id_a"], row["id_b"])
        for row in rows
        if row["label"] not in WANTED and not int(row["shared"])
    }
    lines = [
        f"{sum(map(len, wanted.values()))} pairs to be found, {len(sharing)} of which share a sentence; "
        f"{len(unwanted)} not to be found",
        "",
        "| filter | pairs | precision | recall | recall of those that share | "
        + " | ".join(WANTED.values())
        + " |",
        "| --- | ---: | ---: | ---: | ---: |" + " ---: |" * len(WANTED),
    ]
    for name, run in found.items():
        hits = {label: sum(one in run.pairs for one in pairs) for label, pairs in wanted.items()}
        right, wrong = sum(hits.values()), len(run.pairs.keys() & unwanted)
        cells = [len(run.pairs), share(right, right + wrong), share(right, sum(map(len, wanted.values())))]
        cells.append(share(len(run.pairs.keys() & sharing), len(sharing)))
        cells += [share(hits[label], len(pairs)) for label, pairs in wanted.items()]
        lines.append(f"| {name} | " + " | ".join(map(str, cells)) + " |")
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.filters", description=__doc__.split("\n")[0])
    parser.add_argument("--pairs", metavar="FOLDER", help="a folder with pages.jsonl.gz and gold.tsv")
    parser.add_argument("--model", default="", help="a model of ruiji train: also --filter crf")
    parser.add_argument("--match", default="exact", help="exact or skeleton (default: %(default)s)")
    parser.add_argument("--filters", default=",".join(FILTERS), help="by commas (default: %(default)s)")
    options = parser.parse_args()
    filters = [name for name in options.filters.split(",") if name]
    print(of_miniweb(runs(str(MINIWEB), filters, ["--match", options.match], options.model)), flush=True)
    if options.pairs:
        folder = Path(options.pairs)
        found = runs(str(folder / "pages.jsonl.gz"), filters, ["--match", options.match], options.model)
        print("", of_manuals(found, folder / "gold.tsv"), sep="\n")


if __name__ == "__main__":
    main()
