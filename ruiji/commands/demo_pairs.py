"""The part of ``ruiji demo`` about similar pages: what ``detect`` finds in the mini-web, beside what is true
of it.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pyarrow.parquet as pq

from ruiji.chunker.filters import DEFAULT_FILTER
from ruiji.commands.detect import MEMORY, Task, run
from ruiji.corpora import MINIWEB, load_truth
from ruiji.detector.gather.occurrences import Usable
from ruiji.detector.pairs.relations import CATEGORIES
from ruiji.detector.pairs.run import Run
from ruiji.progress import Reporter

EXAMPLES = 3  # pairs that are shown with what they share


def show_pairs(out: Path, jobs: int, reporter: Reporter) -> None:
    """Runs detect on the mini-web into ``out`` and prints pairs by category beside truth.json."""
    run(Task((str(MINIWEB),), out, DEFAULT_FILTER, "", "duckdb", "", MEMORY, jobs, Usable(), ()), reporter)
    found = Run(out)
    ids = dict(
        zip(
            *(
                pq.read_table(found.file("pages"), columns=["url", "id"])[name].to_pylist()
                for name in ("url", "id")
            ),
            strict=True,
        )
    )
    rows = pq.read_table(found.file("pairs")).to_pylist()
    ours = {tuple(sorted((ids[row["url_a"]], ids[row["url_b"]]))): row["category"] for row in rows}
    truth = {tuple(sorted((pair["a"], pair["b"]))): pair["category"] for pair in load_truth()["pairs"]}
    right = Counter(category for pair, category in ours.items() if truth.get(pair) == category)
    print(
        f"\nPages that share content, found by ruiji detect with --filter {DEFAULT_FILTER}, and what is true (truth.json)\n"
    )
    print(f"  {'category':27}{'true':>6}{'found':>7}{'right':>7}")
    true, told = Counter(truth.values()), Counter(ours.values())
    for name in CATEGORIES:
        print(f"  {name:27}{true[name]:6}{told[name]:7}{right[name]:7}")
    print(f"  {'all':27}{len(truth):6}{len(ours):7}{sum(right.values()):7}")
    counts = found.description["counts"]
    print(f"  {counts['groups']} groups of identical pages, {counts['patchwork_pages']} patchwork pages")
    for row in [row for row in rows if row["category"] == "citation"][:EXAMPLES]:
        _print_example(found, row["url_a"], row["url_b"])
    print(f"\nThe report, for a browser: {out / 'report.html'}")


def _print_example(found: Run, one: str, other: str) -> None:
    """Two pages and the first sentence that both have."""
    shared = {row["text"] for row in found.page_sentences(other).to_pylist() if row["content"]}
    text = next(
        row["text"]
        for row in found.page_sentences(one).to_pylist()
        if row["length"] >= Usable().min_length and row["text"] in shared
    )
    print(f"\n  {one}\n  {other}\n    「{text[:60]}{'…' if len(text) > 60 else ''}」")
