"""How well plain main_content can be told by text nodes at all: the word F1 of the aligned nodes (the
oracle), page by page.

python -m benchmarks.alignment pages.jsonl.gz
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from itertools import islice

import numpy as np

from ruiji.chunker.annotation.examples import MAIN_CONTENT, examples_of
from ruiji.chunker.labels import O
from ruiji.chunker.metrics import word_scores
from ruiji.corpora import Page, read_pages

BATCH = 32


def scores(pages: Iterable[Page]) -> Iterator[tuple[float, str]]:
    """The oracle F1 and the id of each page that has a main_content."""
    for batch in batched(pages, BATCH):
        for example in examples_of(batch):
            if example.nodes is not None:
                yield word_scores(example.text, example.nodes.shown_text(example.labels == O))[2], example.id


def batched(pages: Iterable[Page], size: int) -> Iterator[list[Page]]:
    """The pages, so many at a time."""
    remaining = iter(pages)
    while batch := list(islice(remaining, size)):
        yield batch


def main() -> None:
    pages = (page for page in read_pages(sys.argv[1:]) if MAIN_CONTENT in page.extra)
    ranked = sorted(scores(pages))
    values = np.array([value for value, _ in ranked])
    print(f"{len(values)} pages, mean oracle F1 {values.mean():.4f}")
    print(
        "percentiles "
        + ", ".join(f"{percent} %: {np.percentile(values, percent):.3f}" for percent in (1, 5, 10, 25, 50))
    )
    print("lowest " + ", ".join(f"{name} {value:.2f}" for value, name in ranked[:10]))


if __name__ == "__main__":
    main()
