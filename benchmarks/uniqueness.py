"""Time and memory of block uniqueness on synthetic sites: how both grow with the pages.

    python -m benchmarks.uniqueness                        200, 2,000 pages with 100 blocks each
    python -m benchmarks.uniqueness --pages 2000 20000

Each size runs in a process of its own, so that the peak is its own. A tenth of the blocks is the site's menu,
some of the rest are lists of links that differ from page to page by one, the hard case for a search by
cosine. Seconds are of one core.
"""

from __future__ import annotations

import argparse
import random
import resource
import subprocess
import sys
import time
from collections.abc import Iterator
from typing import Any

from ruiji.chunker.unique.estimator import UniquenessExtractor
from ruiji.chunker.unique.page_blocks import PageBlocks, page_blocks
from ruiji.corpora import Page
from ruiji.features.page.parsing import text_nodes
from ruiji.features.page.textnodes import TextNodes

SITES = 10
BLOCKS = 100
WORDS = [
    f"{first}{second}"
    for first in "港海船魚町駅朝空風波"
    for second in "の話題記事写真地図予定歴史人々市場灯台天気"
]


def synthetic_pages(count: int, seed: int = 4) -> Iterator[Page]:
    """Pages of some sites with menus, articles, and lists of links that differ by one."""
    dice = random.Random(seed)
    for number in range(count):
        site = number % SITES
        menu = "".join(f"<li><a href=/{item}>メニュー{site}の{item}</a></li>" for item in range(BLOCKS // 10))
        links = (
            " ".join(f"<a href=/{item}>項目{site}の{item}</a>" for item in range(12))
            + f" <a href=/now>頁{number}</a>"
        )
        related = "".join(
            f"<p>{' '.join(f'<a href=/{item}>{dice.choice(WORDS)}</a>' for item in range(6))}</p>"
            for _ in range(4)
        )
        article = "".join(
            f"<p>{''.join(dice.choices(WORDS, k=12))}<b>{dice.choice(WORDS)}</b></p>"
            for _ in range(BLOCKS * 9 // 10 - 6)
        )
        yield Page(
            f"{number}",
            f"http://site{site}.example/{number}.html",
            f"<body><ul class=menu>{menu}</ul><div class=main>{article}</div><div "
            f"class=links>{links}</div><div>{related}</div>"
            f"<div class=foot>Copyright site{site}</div></body>",
        )


def blocks_of(count: int) -> list[PageBlocks]:
    return [page_blocks(text_nodes(page)) for page in synthetic_pages(count)]


def batches(count: int, size: int = 32) -> Iterator[list[TextNodes]]:
    batch = []
    for page in synthetic_pages(count):
        batch.append(text_nodes(page))
        if len(batch) == size:
            yield batch
            batch = []
    yield batch


def measure(count: int, plain: bool) -> None:
    """Prints the row of one size."""
    switches: dict[str, Any] = dict.fromkeys(("duplicates", "dates", "shares", "places"), not plain)
    begun = time.process_time()
    pages = blocks_of(count)
    read = time.process_time()
    extractor = UniquenessExtractor(**switches).fit_blocks(pages)
    blocks = sum(map(len, pages))
    del pages
    fitted = time.process_time()
    content = 0
    if plain:  # one call builds its index once
        content = sum(
            int(mask.content.sum())
            for mask in extractor.predict_masks([nodes for batch in batches(count) for nodes in batch])
        )
    else:
        content = sum(
            int(mask.content.sum()) for batch in batches(count) for mask in extractor.predict_masks(batch)
        )
    done = time.process_time()
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(
        f"| {'plain' if plain else 'all on'} | {count:,} | {blocks:,} | {read - begun:.1f} | "
        f"{fitted - read:.1f} | {done - fitted:.1f} "
        f"| {done - begun:.1f} | {peak:,.0f} | {content:,} |",
        flush=True,
    )


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.uniqueness", description=__doc__.split("\n")[0]
    )
    parser.add_argument("--pages", type=int, nargs="+", default=[200, 2000])
    parser.add_argument("--one", choices=("plain", "all"), help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.one:
        measure(options.pages[0], options.one == "plain")
        return
    print(
        "| rule | pages | blocks | read (s) | fit (s) | read and predict (s) | all (s) | peak MB | content "
        "nodes |"
    )
    print("| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |", flush=True)
    for count in options.pages:
        for rule in ("all", "plain"):
            command = [sys.executable, "-m", "benchmarks.uniqueness", "--pages", str(count), "--one", rule]
            subprocess.run(command, check=True)


if __name__ == "__main__":
    main()
