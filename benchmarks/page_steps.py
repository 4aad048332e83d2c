"""Where the time of a page goes in its worker: CPU ms of each step of ``ruiji extract``.

One process, batches as a worker gets them.

    python -m benchmarks.page_steps PAGES.jsonl.gz [--rounds 3] [--without-c]

A clock runs around each step, which costs some; the best of the rounds counts. ``--without-c`` is what a
machine without a compiler takes.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from collections.abc import Callable
from typing import Any

from ruiji.progress import IN_C


def clocked(times: Counter[str], name: str, function: Callable[..., Any]) -> Callable[..., Any]:
    """The function, with the CPU time that it takes added up under that name."""

    def run(*arguments: Any, **options: Any) -> Any:
        start = time.process_time_ns()
        try:
            return function(*arguments, **options)
        finally:
            times[name] += time.process_time_ns() - start

    return run


def set_clocks(times: Counter[str]) -> None:
    """Sets a clock around each step."""
    from ruiji import document
    from ruiji.chunker.crf import labeller
    from ruiji.chunker.stack import ensemble
    from ruiji.chunker.stack.network import BlockNetwork
    from ruiji.chunker.stack.trees import BlockTrees
    from ruiji.features.page import parsing
    from ruiji.features.page.textnodes import TextNodes

    steps: tuple[tuple[str, Any, str], ...] = (
        ("encoding, limits", parsing, "parser_input"),
        ("parser and walk", parsing, "steps_through"),
        ("kinds of links", parsing, "link_kinds"),
        ("numbers of blocks", ensemble, "numbers"),
        ("trees", BlockTrees, "of_rows"),
        ("network", BlockNetwork, "odds"),
        ("cut", labeller, "best_kept"),
        ("comments", document, "_with_comments_decided"),
        ("text", TextNodes, "shown_text"),
    )
    for name, owner, attribute in steps:
        setattr(owner, attribute, clocked(times, name, getattr(owner, attribute)))


def measure(path: str, rounds: int) -> tuple[int, Counter[str]]:
    """The number of pages, and the nanoseconds of each step in the best round."""
    from ruiji.corpora.pool.workers import batched
    from ruiji.corpora.sources import named_pages
    from ruiji.page_writing import WritePages

    times: Counter[str] = Counter()
    set_clocks(times)
    write = WritePages(format="text", several=True)
    batches = list(batched(named_pages((path,)).records()))
    best: Counter[str] = Counter()
    read = clocked(times, "line to page", _pages)
    for _ in range(rounds):
        times.clear()
        clocked(times, "all", lambda: [write(read(batch, write.takes_utf8)) for batch in batches])()
        best = times.copy() if not best or times["all"] < best["all"] else best
    return sum(map(len, batches)), best


def _pages(batch: list[Any], as_utf8: bool) -> list[Any]:
    from ruiji.corpora.page import page_of_record

    return [page_of_record(record, as_utf8) for record in batch]


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.page_steps", description=__doc__.split("\n")[0]
    )
    parser.add_argument("pages")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--without-c", action="store_true")
    options = parser.parse_args()
    if options.without_c:
        sys.modules.update(dict.fromkeys(IN_C))  # type: ignore[arg-type]  # which makes importing them fail
    pages, times = measure(options.pages, options.rounds)
    print(f"{pages} pages\n\n| | CPU ms a page |\n| --- | ---: |")
    for name, nanoseconds in times.items():
        print(f"| {name} | {nanoseconds / pages / 1e6:.2f} |")


if __name__ == "__main__":
    main()
