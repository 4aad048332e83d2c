"""Pages a second of each stage and of the whole, beside peers, on the same pages in one run, on one core.

    python -m benchmarks.stages                        the bundled mini-web
    python -m benchmarks.stages PAGES… [--pages 300]   your own: any input that ruiji reads

Times are CPU seconds, the best of several rounds in which all take turns, so that a busy machine disturbs
none for long. Ratios are to trafilatura with its default settings; rows marked + include those above them.
"""

from __future__ import annotations

import argparse
import gc
import time
from collections.abc import Callable, Sequence
from functools import partial
from itertools import islice
from typing import Any

from resiliparse.extract.html2text import extract_plain_text
from selectolax.lexbor import LexborHTMLParser
from trafilatura import extract as trafilatura_extract

from ruiji.chunker.masking import MaskSettings
from ruiji.corpora import MINIWEB, NotHtml, Page, decode, read_pages
from ruiji.features import text_nodes_of
from ruiji.page_writing import WritePages

ROUNDS = 5
# Pages that all stages work on before the next: a burst of other load then spoils one round of a few pages
CHUNK = 32
WARM_UP = 5  # pages, so that tables and imports are not measured


def decoded(pages: Sequence[Page]) -> object:
    return [decode(page) for page in pages]


def parsed(pages: Sequence[Page]) -> object:
    for page in pages:
        LexborHTMLParser(decode(page).utf8)
    return None


def as_text(page: Page) -> str:
    return page.html if isinstance(page.html, str) else decode(page).text


def trafilatura(pages: Sequence[Page]) -> object:
    return [trafilatura_extract(page.html) for page in pages]


def resiliparse(pages: Sequence[Page]) -> object:
    return [extract_plain_text(as_text(page), main_content=True) for page in pages]


STAGES: dict[str, Callable[[Sequence[Page]], Any]] = {
    "decode": decoded,
    "+ parse": parsed,
    "+ walk: text nodes": partial(text_nodes_of, named=False),
    "+ write: extract --filter none": WritePages(MaskSettings("none")),
    "resiliparse, main content": resiliparse,
    "trafilatura": trafilatura,
}
BASELINE = "trafilatura"
LEARNED = "extract --filter crf"


def usable(pages: Sequence[Page]) -> list[Page]:
    """Pages that are HTML at all; peers fail on the others in their own ways."""
    kept = []
    for page in pages:
        try:
            decode(page)
        except NotHtml:
            continue
        kept.append(page)
    return kept


def stages(model: str) -> dict[str, Callable[[Sequence[Page]], Any]]:
    """What is measured: the learned filter too where a model is given."""
    learned = {LEARNED: WritePages(MaskSettings("crf", model))} if model else {}
    return learned | STAGES


def measure(pages: Sequence[Page], model: str = "") -> dict[str, float]:
    """CPU seconds of each stage over all pages: the sum, over chunks of pages, of each chunk's best round."""
    measured = stages(model)
    for function in measured.values():
        function(pages[:WARM_UP])
    gc.collect()
    gc.freeze()
    total = dict.fromkeys(measured, 0.0)
    for start in range(0, len(pages), CHUNK):
        best = dict.fromkeys(measured, float("inf"))
        for _ in range(ROUNDS):
            for name, function in measured.items():
                best[name] = min(best[name], _seconds(function, pages[start : start + CHUNK]))
        for name in measured:
            total[name] += best[name]
    return total


def _seconds(function: Callable[[Sequence[Page]], Any], pages: Sequence[Page]) -> float:
    gc.collect()  # nobody pays for what the one before left behind
    begun = time.process_time()
    function(pages)
    return time.process_time() - begun


def table(pages: Sequence[Page], seconds: dict[str, float]) -> str:
    size = sum(len(page.html) for page in pages) / 1e6
    lines = [
        f"{len(pages)} pages, {size:.1f} million bytes or characters, one core",
        "",
        "| stage | pages a second | trafilatura = 1 |",
        "| --- | ---: | ---: |",
    ]
    for name, taken in seconds.items():
        lines.append(f"| {name} | {len(pages) / taken:,.0f} | {seconds[BASELINE] / taken:.1f} |")
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.stages", description=__doc__.split("\n")[0])
    parser.add_argument("sources", nargs="*", default=[str(MINIWEB)], metavar="PAGES")
    parser.add_argument("--pages", type=int, default=300, help="at most so many pages (default: %(default)s)")
    parser.add_argument(
        "--model", default="", help="a model folder of ruiji train: also extract --filter crf"
    )
    options = parser.parse_args()
    pages = usable(
        [page for page in islice(read_pages(options.sources), options.pages) if not page.error and page.html]
    )
    print(table(pages, measure(pages, options.model)))


if __name__ == "__main__":
    main()
