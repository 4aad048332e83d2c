"""How the join grows: synthetic pages of twenty long sentences, by the million.

python -m benchmarks.join --pages 100000 --pages 1000000 --memory 2GB

A tenth of the pages copies another: a few sentences, half of it, all but one, or the whole page. Most pages
also have one of a thousand stock sentences. The table says how long the join took after extraction, in CPU
seconds and by the clock, how many pairs there were, and how large the process grew.
"""

from __future__ import annotations

import argparse
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from ruiji.detector.gather import schemas
from ruiji.detector.pairs.collection import JoinInput
from ruiji.detector.pairs.duck import DuckEngine
from ruiji.detector.pairs.pipeline import Rules, find_pairs
from ruiji.detector.parquet import write_rows
from ruiji.detector.sentences.information import length_bits
from ruiji.detector.sites import path_key, site_key
from ruiji.detector.urls import url_key
from ruiji.features.arrays import golden_hash
from ruiji.features.text.dates import UNDATED

TABLES = ("pages", "occurrences", "asides", "contents", "targets", "left_out")
SENTENCES = 20
STOCK = 1000  # sentences that stand on many pages
PIECE = 50_000  # pages made at a time
COLUMNS = ("pages", "pairs", "CPU seconds", "seconds", "CPU microseconds a page", "peak memory, GB")
PADDING = (
    "、その日の港の様子を詳しく書き留めた長い文がここに続いている。"  # a sentence of about 45 characters
)


def sentence_numbers(pages: int, seed: int = 5) -> Iterator[tuple[int, npt.NDArray[np.int64]]]:
    """(first page, numbers of the sentences of each page), piece by piece."""
    random = np.random.default_rng(seed)
    for first in range(0, pages, PIECE):
        size = min(PIECE, pages - first)
        own = (STOCK + np.arange(first * SENTENCES, (first + size) * SENTENCES, dtype=np.int64)).reshape(
            size, SENTENCES
        )
        copies = np.flatnonzero(random.random(size) < 0.10)
        copies = copies[copies > 0]
        origins = (random.random(len(copies)) * copies).astype(np.int64)  # an earlier page of the piece
        amounts = random.choice([3, 10, 19, 20], len(copies), p=[0.5, 0.2, 0.2, 0.1])
        for copy, origin, amount in zip(copies.tolist(), origins.tolist(), amounts.tolist(), strict=True):
            own[copy, :amount] = own[origin, :amount]
        stock = random.integers(0, STOCK, size)
        whole = np.zeros(size, dtype=np.bool_)
        whole[copies[amounts == SENTENCES]] = True
        own[~whole, SENTENCES - 1] = stock[~whole]
        yield first, own


def write_collection(pages: int, folder: Path) -> JoinInput:
    """The tables of so many pages, in parts, as gathering leaves them."""
    folder.mkdir(parents=True)
    files: dict[str, list[Path]] = {name: [] for name in TABLES}

    def write(name: str, table: pa.Table, number: int) -> None:
        path = folder / f"{number:06}.{name}.parquet"
        write_rows([table], table.schema, path)
        files[name].append(path)

    for first, numbers in sentence_numbers(pages):
        size = len(numbers)
        page = np.repeat(np.arange(first, first + size, dtype=np.int64), SENTENCES)
        flat = numbers.ravel()
        keys = golden_hash(flat.astype(np.uint64)).view(np.int64)  # a bijection that spreads
        texts = pc.binary_join_element_wise(pa.array(flat).cast(pa.string()), pa.scalar(PADDING), "番")
        lengths = pc.utf8_length(texts).cast(pa.int64())
        bits = length_bits(lengths.to_numpy())
        nowhere = np.zeros(len(page), dtype=np.int64)
        occurrences = [page, keys, keys, lengths, bits, *[nowhere] * 3, lengths, page, page, texts]
        write("occurrences", pa.table(occurrences, schema=schemas.OCCURRENCES), first)
        write("contents", pa.table([page, keys, lengths], schema=schemas.CONTENTS), first)
        urls = [
            f"http://site{number // 100}.example/{number % 100}.html" for number in range(first, first + size)
        ]
        chars = lengths.to_numpy().reshape(size, SENTENCES).sum(axis=1)
        digest = np.sort(numbers, axis=1)
        write(
            "pages",
            pa.table(
                [
                    np.arange(first, first + size), urls, [url_key(url) for url in urls],
                    list(map(len, urls)),
                    [url.split("/")[2] for url in urls], list(map(site_key, urls)), list(map(path_key, urls)),
                    [UNDATED] * size, [""] * size, [SENTENCES] * size, chars, [0] * size, [0] * size,
                    [row.tobytes().hex() for row in digest[:, [0, 5, 10, 15, 17, 19]]],
                ],
                schema=schemas.JOIN_PAGES,
            ),
            first,
        )  # fmt: skip
        write(
            "targets",
            pa.table([np.arange(first, first + size), [url_key(urls[0])] * size], schema=schemas.TARGETS),
            first,
        )
    write("left_out", pa.table([[]], schema=schemas.LEFT_OUT), 0)
    write("asides", schemas.ASIDES.empty_table(), 0)
    return JoinInput(files, pages, frozenset())


def measure(pages: int, memory: str, threads: int, folder: Path) -> str:
    """A row of the table."""
    collection = write_collection(pages, folder / "tables")
    clock, cpu = time.perf_counter(), time.process_time()
    engine = DuckEngine(collection.tables, folder / "engine", memory, threads)
    counts = find_pairs(collection, engine, Rules(), folder)
    engine.close()
    clock, cpu = time.perf_counter() - clock, time.process_time() - cpu
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
    return (
        f"| {pages:,} | {counts['pairs']:,} | {cpu:.1f} | {clock:.1f} | {1e6 * cpu / pages:.1f} | "
        f"{peak:.2f} |"
    )


def main() -> None:
    """Prints the table; each size is measured in a process of its own, so that its memory is its own."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--pages", type=int, action="append", metavar="N", help="default: 100000 and 1000000")
    parser.add_argument("--memory", default="2GB", help="limit of the engine (default: %(default)s)")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument(
        "--folder",
        default="",
        help="where tables and what does not fit into memory go (default: a temporary folder)",
    )
    parser.add_argument("--only", type=int, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.only:
        print(measure(options.only, options.memory, options.threads, Path(options.folder)), flush=True)
        return
    print(
        f"| {' | '.join(COLUMNS)} |\n|{' ---: |' * len(COLUMNS)}",
        flush=True,
    )
    for pages in options.pages or (100_000, 1_000_000):
        folder = tempfile.mkdtemp(prefix="ruiji-join-", dir=options.folder or None)
        command = [sys.executable, "-m", "benchmarks.join", "--only", str(pages), "--memory", options.memory]
        try:
            subprocess.run([*command, "--threads", str(options.threads), "--folder", folder], check=True)
        finally:
            shutil.rmtree(folder)


if __name__ == "__main__":
    main()
