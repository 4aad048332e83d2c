"""Whether ``--precision P`` keeps its promise on sets that the calibration did not see.

    python -m benchmarks.promise $DATA/measure/l3s.jsonl.gz $DATA/measure/dragnet.jsonl.gz …

Of each set: how many pages are kept, and how many of those have the precision, by words, against the text
that the set says is the content.
"""

from __future__ import annotations

import argparse

import numpy as np

from ruiji.chunker.annotation.examples import examples_of
from ruiji.chunker.crf.folder import load_model
from ruiji.chunker.crf.promise import least_expected_f1
from ruiji.chunker.evaluation.crossval import score_example
from ruiji.corpora.sources import named_pages
from ruiji.features.arrays import FloatArray

BATCH = 32  # pages read together
PRECISIONS = (0.8, 0.9, 0.95)


def judged(path: str) -> tuple[FloatArray, FloatArray]:
    """(expected F1, precision) of the pages of a set."""
    model = load_model("default")
    expected, precision = [], []
    pages = list(named_pages([path]))
    for batch in (pages[start : start + BATCH] for start in range(0, len(pages), BATCH)):
        examples = [example for example in examples_of(batch) if example.nodes is not None]
        nodes = [example.nodes for example in examples if example.nodes is not None]
        for example, page in zip(examples, model.decoded(nodes), strict=True):
            expected.append(page.expected_f1)
            precision.append(score_example(example, page.labels).word_P)
    return np.array(expected), np.array(precision)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("sets", nargs="+")
    options = parser.parse_args()
    print("| set | pages | precision | kept | have it | all pages that have it |")
    print("| --- | ---: | ---: | ---: | ---: | ---: |")
    for path in options.sets:
        expected, reached = judged(path)
        for precision in PRECISIONS:
            kept = expected >= least_expected_f1(precision)
            have = (reached[kept] >= precision).mean() if kept.any() else float("nan")
            name, all_pages = path.rpartition("/")[2], (reached >= precision).mean()
            shares = f"{kept.mean():.2f} | {have:.2f} | {all_pages:.2f}"
            print(f"| {name} | {len(expected)} | {precision} | {shares} |", flush=True)


if __name__ == "__main__":
    main()
