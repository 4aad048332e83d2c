"""What the mask of a page gains by what its site repeats (docs/decisions, 0110).

    python -m benchmarks.site_evidence $DATA/ja-sites/*.jsonl.gz

Of each site with enough pages: F of nodes by words, with the log-odds of the shipped model as they are and
with what its site says; for pages as they are, and for every second one cut down to its first words.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from itertools import groupby

import numpy as np

from ruiji.chunker.annotation.examples import Example, examples_of
from ruiji.chunker.crf.folder import load_labeller
from ruiji.chunker.decoding.expected_f import best_kept, node_weights
from ruiji.chunker.labels import O
from ruiji.chunker.site.evidence import SiteEvidence, evidence_of, site_pages
from ruiji.chunker.site.gathering import sampled_numbers
from ruiji.chunker.site.repeated import OTHERS
from ruiji.chunker.stack.augmentation import beginning, with_nodes
from ruiji.chunker.stack.ensemble import Ensemble
from ruiji.corpora import read_pages
from ruiji.features.arrays import BoolArray
from ruiji.features.nodes.forest import forest
from ruiji.features.page.textnodes import TextNodes

BATCH = 32  # pages that are read together
WORDS = 5.0  # of content that a page which is cut has left

Judged = tuple[TextNodes, BoolArray, bool]  # a page, its content, and whether it was cut


def cut(examples: Sequence[Example], words: float | None) -> Iterator[Judged]:
    """The pages, every second one with its first words of content alone where they are to be cut."""
    for number, example in enumerate(examples):
        nodes, labels = example.nodes, example.labels
        if nodes is None or not len(nodes):
            continue
        kept = beginning(nodes, labels, words) if words is not None and number % 2 else None
        if kept is not None:
            nodes, labels = with_nodes(nodes, kept), labels[kept]
        yield nodes, labels == O, kept is not None


def known_of(pages: Sequence[TextNodes]) -> SiteEvidence:
    """What is known of a site by those of its pages that a run samples."""
    numbers = sampled_numbers()
    sampled = [nodes for place, nodes in enumerate(pages, start=1) if place in numbers]
    return evidence_of(site_pages(sampled))


def node_f(
    ensemble: Ensemble, beta: float, nodes: TextNodes, content: BoolArray, known: SiteEvidence
) -> tuple[float, float]:
    """F of what is kept of a page by itself, and with what is known of its site."""
    page = forest([nodes])
    odds, weight = ensemble.log_odds(page), node_weights(page)
    shift = known.shift(page)
    reached = []
    for added in (0.0, 0.0 if shift is None else shift):
        moved = np.ascontiguousarray(odds + added)
        kept, _ = best_kept(page.page_start[:-1], moved, weight, beta, page.text_number)
        both = float(weight[kept].sum() + weight[content].sum())
        reached.append(2 * float(weight[kept & content].sum()) / both if both else 1.0)
    return reached[0], reached[1]


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("sets", nargs="+")
    options = parser.parse_args()
    labeller = load_labeller("default")
    ensemble = labeller.ensemble
    if ensemble is None:
        raise SystemExit("the shipped model has no ensemble")
    print("| site | pages | cut | by itself | with the site |\n| --- | ---: | --- | ---: | ---: |")
    for path in options.sets:
        pages = sorted(read_pages([path]), key=lambda page: page.url.split("/")[2:3])
        for host, own in groupby(pages, key=lambda page: page.url.split("/")[2:3]):
            site = list(own)
            if len(site) <= OTHERS:
                continue
            examples = [
                example
                for start in range(0, len(site), BATCH)
                for example in examples_of(site[start : start + BATCH])
                if example.marked
            ]
            for words in (None, WORDS):
                judged = list(cut(examples, words))
                known = known_of([nodes for nodes, _, _ in judged])
                reached = [
                    node_f(ensemble, labeller.beta, nodes, content, known)
                    for nodes, content, was_cut in judged
                    if was_cut == (words is not None)
                ]
                if reached:
                    alone, together = np.mean(reached, axis=0)
                    label = "" if words is None else f"{words:g} words"
                    name = "".join(host)
                    print(f"| {name} | {len(reached)} | {label} | {alone:.4f} | {together:.4f} |", flush=True)


if __name__ == "__main__":
    main()
