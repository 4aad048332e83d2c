"""Block uniqueness against annotations: the plain rule, each improvement switched off, all on. Sites alone
against sites mixed, and the threshold, are ``ruiji evaluate --table 1`` and ``--figure-8``.

    python -m benchmarks.masks                       the bundled mini-web
    python -m benchmarks.masks SITE.jsonl.gz …       annotated pages, each source a collection of its own
    python -m benchmarks.masks --per-site 5 SITE…    five pages of each site only, evenly spread
    python -m benchmarks.masks --nameless SITE…      without the names that classes and ids give to elements

Block precision, recall and F, the share of perfect pages (Yoshida and Yamamoto 2009, section 4.1) and word F1
as ``ruiji evaluate`` has them.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from ruiji.chunker.annotation.examples import Example, examples_of
from ruiji.chunker.block_rules import BlockRules
from ruiji.chunker.evaluation.crossval import score_example
from ruiji.chunker.evaluation.plain_rule import unique_scores
from ruiji.chunker.labels import labels_of_mask
from ruiji.chunker.mask import ContentMask, everything
from ruiji.chunker.metrics import Counts
from ruiji.chunker.unique.estimator import PLAIN
from ruiji.corpora import MINIWEB, read_pages
from ruiji.features.page.textnodes import TextNodes

IMPROVEMENTS = tuple(PLAIN)
RULES: Mapping[str, Mapping[str, Any]] = {
    "plain": PLAIN,
    **{f"plain with {name}": {**PLAIN, name: True} for name in IMPROVEMENTS},
    **{f"without {name}": {name: False} for name in IMPROVEMENTS},
    "all on": {},
}
SHOWN = ("block_P", "block_R", "block_F", "perfect", "B_F", "word_F1")


def collection(source: str) -> list[Example]:
    """The annotated pages of a source."""
    return [example for example in examples_of(list(read_pages([source]))) if not example.error]


def nodes_of(examples: Sequence[Example]) -> list[TextNodes]:
    return [example.nodes for example in examples if example.nodes is not None]


def scored(examples: Sequence[Example], masks: Sequence[ContentMask]) -> Counts:
    """The counts of all pages."""
    pairs = zip(examples, masks, strict=True)
    return sum((score_example(example, labels_of_mask(mask.content)) for example, mask in pairs), Counts())


def of_rule(examples: Sequence[Example], settings: Mapping[str, Any]) -> Counts:
    """The counts of the extractor with these settings, learned from the very pages."""
    return unique_scores(examples, **settings).total


def row(name: str, rule: str, counts: Counts) -> str:
    figures = counts.as_dict()
    return f"| {name} | {rule} | " + " | ".join(f"{figures.get(column, 0):.3f}" for column in SHOWN) + " |"


def thinned(examples: Sequence[Example], per_site: int | None, nameless: bool) -> list[Example]:
    """The examples, or some of each site, with names or without."""
    sites: dict[str, list[Example]] = {}
    for example in examples:
        sites.setdefault(example.site, []).append(example)
    chosen = []
    for own in sites.values():
        most = len(own) if per_site is None else min(per_site, len(own))
        chosen += [own[place * len(own) // most] for place in range(most)]
    if nameless:
        chosen = [
            replace(example, nodes=replace(example.nodes, names=None))
            for example in chosen
            if example.nodes is not None
        ]
    return chosen


def short_table(sources: Sequence[str], per_site: int | None, nameless: bool) -> None:
    """Prints what the extractor reaches on each source with all improvements, and the mean and the least of
    it.
    """
    print("| pages | " + " | ".join(SHOWN) + " |\n| --- |" + " ---: |" * len(SHOWN), flush=True)
    rows = []
    for source in sources:
        counts = of_rule(thinned(collection(source), per_site, nameless), {})
        rows.append([counts.as_dict().get(column, 0.0) for column in SHOWN])
        print(
            f"| {Path(source).name.removesuffix('.jsonl.gz')} | "
            + " | ".join(f"{figure:.3f}" for figure in rows[-1])
            + " |",
            flush=True,
        )
    for name, reduced in (("mean", np.mean(rows, axis=0)), ("least", np.min(rows, axis=0))):
        print(f"| {name} | " + " | ".join(f"{figure:.3f}" for figure in reduced) + " |", flush=True)


def rules_table(sources: Sequence[str]) -> None:
    """Prints what each rule reaches on each source."""
    print("| pages | rule | " + " | ".join(SHOWN) + " |\n| --- | --- |" + " ---: |" * len(SHOWN), flush=True)
    for source in sources:
        examples = collection(source)
        name = Path(source).name.removesuffix(".jsonl.gz")
        print(
            row(name, "none", scored(examples, [everything(nodes) for nodes in nodes_of(examples)])),
            flush=True,
        )
        print(
            row(name, "blocks (system 3)", scored(examples, BlockRules().predict_masks(nodes_of(examples)))),
            flush=True,
        )
        for rule, settings in RULES.items():
            print(row(name, rule, of_rule(examples, settings)), flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.masks", description=__doc__.split("\n")[0])
    parser.add_argument("sources", nargs="*", default=[str(MINIWEB)], metavar="PAGES")
    parser.add_argument(
        "--per-site", type=int, metavar="N", help="so many pages of each site only; all improvements on"
    )
    parser.add_argument(
        "--nameless", action="store_true", help="without names of elements; all improvements on"
    )
    options = parser.parse_args()
    if options.per_site or options.nameless:
        short_table(options.sources, options.per_site, options.nameless)
    else:
        rules_table(options.sources)


if __name__ == "__main__":
    main()
