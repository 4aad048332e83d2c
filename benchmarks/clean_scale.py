"""How the time and memory of ``ruiji clean`` grow with the number of documents.

    python -m benchmarks.clean_scale 10000 100000 1000000 [--jobs 2] [--folder WORK]

Documents of 2 kB are made up of sentences that are drawn from a vocabulary: four of ten are new, three of ten
share a passage with another document, one of ten is another document again, two of ten have a notice that
thousands have. Peak memory is that of all processes together, as the kernel counts it (proportional set
size).
"""

from __future__ import annotations

import argparse
import random
import resource
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

SIZE = 2_000  # characters of a document
WORDS = 20_000
BATCH = 10_000
BETWEEN = 0.5  # seconds between two looks at the memory
NOTICE = "All rights reserved by the people of the harbour, who wrote this notice for every page of the town."


def documents(count: int, seed: int = 1) -> Iterator[dict[str, str]]:
    """The documents, each made when it is asked for."""
    vocabulary = random.Random(seed)
    words = [
        "".join(vocabulary.choices("aeioubcdfgklmnprst", k=vocabulary.randint(3, 9))) for _ in range(WORDS)
    ]
    earlier: list[str] = []
    chance = random.Random(seed + 1)
    for number in range(count):
        own = chance.random()
        if own < 0.1 and earlier:
            text = chance.choice(earlier)
        else:
            lines = list(_sentences(words, chance))
            if own < 0.4 and earlier:
                lines[5:9] = chance.choice(earlier).split("\n")[2:7]
            elif own < 0.6:
                lines.append(NOTICE)
            text = "\n".join(lines)
            if len(earlier) < BATCH or chance.random() < 0.01:
                earlier.append(text) if len(earlier) < BATCH else earlier.__setitem__(number % BATCH, text)
        yield {"id": f"doc-{number:08}", "url": f"http://site{number % 1000}.example/{number}", "text": text}


def _sentences(words: list[str], chance: random.Random) -> Iterator[str]:
    """Sentences of some eighty characters, a document's worth of them."""
    length = 0
    while length < SIZE:
        sentence = " ".join(chance.choices(words, k=12)).capitalize() + "."
        length += len(sentence) + 1
        yield sentence


def write_documents(path: Path, count: int) -> None:
    """Writes the documents as Parquet, a batch at a time."""
    schema = pa.schema([(name, pa.string()) for name in ("id", "url", "text")])
    rows = documents(count)
    with pq.ParquetWriter(path, schema, compression="zstd") as writer:
        for _ in range(0, count, BATCH):
            batch = [row for _, row in zip(range(min(BATCH, count)), rows, strict=False)]
            writer.write_table(pa.Table.from_pylist(batch, schema))


def family_memory(parent: int) -> int:
    """Bytes that a process and those it started have between them."""
    total = 0
    for process in [parent, *_children(parent)]:
        try:
            for line in Path(f"/proc/{process}/smaps_rollup").read_text().splitlines():
                if line.startswith("Pss:"):
                    total += 1024 * int(line.split()[1])
        except OSError:
            continue
    return total


def _children(parent: int) -> list[int]:
    found: list[int] = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = path.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[1]) == parent:
            child = int(path.parent.name)
            found += [child, *_children(child)]
    return found


def _cpu_seconds() -> float:
    """What ended children, and theirs, have taken: it does not depend on what else the machine does."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def measure(count: int, folder: Path, jobs: int, memory: str) -> None:
    """Prints a row of the table."""
    source, out = folder / f"{count}.parquet", folder / f"out-{count}"
    if not source.is_file():
        write_documents(source, count)
    shutil.rmtree(out, ignore_errors=True)
    command = [sys.executable, "-m", "ruiji", "clean", str(source), "-o", str(out), "-q"]
    command += ["--filter", "none", "--jobs", str(jobs), "--memory", memory]
    started, before = time.perf_counter(), _cpu_seconds()
    process = subprocess.Popen(command)
    peak = 0
    done = threading.Event()

    def watch() -> None:
        nonlocal peak
        while not done.wait(BETWEEN):
            peak = max(peak, family_memory(process.pid))

    watcher = threading.Thread(target=watch)
    watcher.start()
    status = process.wait()
    done.set()
    watcher.join()
    seconds = time.perf_counter() - started
    cpu = _cpu_seconds() - before
    figures = f"{seconds:.0f} | {cpu:.0f} | {1000 * cpu / count:.3f} | {peak / 2**30:.2f}"
    print(f"| {count:,} | {figures} | {status} |", flush=True)
    shutil.rmtree(out, ignore_errors=True)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("counts", type=int, nargs="+")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--memory", default="2GB")
    parser.add_argument("--folder", type=Path, default=Path("clean-scale"))
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    print("| documents | seconds | CPU seconds | CPU ms a document | peak GB | exit status |")
    print("| --- | --- | --- | --- | --- | --- |")
    for count in options.counts:
        measure(count, options.folder, options.jobs, options.memory)


if __name__ == "__main__":
    main()
