"""Sentences: characters a second of the splitter, beside a plain ``re.split`` that neither normalises nor
knows any rule.

    python -m benchmarks.sentences [PAGES…]

CPU time, one core, the best of several rounds in turn. Texts are cut into documents of about 1,000
characters.
"""

from __future__ import annotations

import argparse
import gc
import re
import time
import unicodedata
from collections.abc import Callable, Sequence
from itertools import islice
from typing import Any

from ruiji.corpora import MINIWEB, read_pages
from ruiji.detector.sentences.skeleton import skeletons
from ruiji.detector.sentences.table import keys, sentence_table, split_texts
from ruiji.features.page.parsing import text_nodes_of
from ruiji.features.page.textnodes import TextNodes

DOCUMENT = 1000  # characters
BATCH = 100  # documents
PAGES = 32  # a batch of pages
ROUNDS = 7
_PLAIN = re.compile("(?<=[。！？!?」])|\n")


def documents(pages: Sequence[TextNodes]) -> list[str]:
    """The shown texts in pieces."""
    whole = "\n".join(page.shown_text() for page in pages)
    return [whole[start : start + DOCUMENT] for start in range(0, len(whole), DOCUMENT)]


def measured(rounds: dict[str, Callable[[], Any]]) -> dict[str, float]:
    """The CPU seconds of each, in its best round."""
    best = dict.fromkeys(rounds, float("inf"))
    for _ in range(ROUNDS):
        for name, function in rounds.items():
            gc.collect()
            begun = time.process_time()
            function()
            best[name] = min(best[name], time.process_time() - begun)
    return best


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.sentences", description=__doc__.split("\n")[0]
    )
    parser.add_argument("sources", nargs="*", default=[str(MINIWEB)], metavar="PAGES")
    parser.add_argument("--pages", type=int, default=160, help="at most so many pages (default: %(default)s)")
    options = parser.parse_args()
    pages = [
        nodes
        for nodes in text_nodes_of(list(islice(read_pages(options.sources), options.pages)))
        if isinstance(nodes, TextNodes)
    ]
    texts = documents(pages)
    batches = [texts[start : start + BATCH] for start in range(0, len(texts), BATCH)]
    page_batches = [pages[start : start + PAGES] for start in range(0, len(pages), PAGES)]
    found = [sentence for batch in batches for sentence in split_texts(batch).texts]
    seconds = measured({
        "re.split alone": lambda: [_PLAIN.split(text) for text in texts],
        "NFKC and re.split": lambda: [_PLAIN.split(unicodedata.normalize("NFKC", text)) for text in texts],
        "split_texts": lambda: [split_texts(batch) for batch in batches],
        "split_texts and keys": lambda: [keys(split_texts(batch).texts) for batch in batches],
        "sentence_table of pages": lambda: [sentence_table(batch) for batch in page_batches],
        "skeletons": lambda: skeletons(found),
    })  # fmt: skip
    characters = sum(map(len, texts))
    inside = sum(len(text) for page in pages for text in page.texts)
    print(
        f"{len(texts)} documents, {characters} characters, {len(found)} sentences; {len(pages)} pages, "
        f"{inside} characters in their nodes\n"
    )
    print(
        "| | million characters a second | re.split = 1 | microseconds a document |\n| --- | ---: | ---: "
        "| ---: |"
    )
    plain = characters / seconds["re.split alone"]
    for name, taken in seconds.items():
        speed = (inside if "pages" in name else characters) / taken
        print(f"| {name} | {speed / 1e6:.1f} | {speed / plain:.2f} | {1e6 * DOCUMENT / speed:.0f} |")


if __name__ == "__main__":
    main()
