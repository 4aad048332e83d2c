"""Hostile pages among good ones: what is lost, and what it costs.

python -m benchmarks.hostile.crawl PAGES.jsonl.gz [--good 10000] [--hostile 1000] [--seed 1] [--jobs 2]

Runs ``ruiji extract`` twice: over good pages (those of the file, again and again under new addresses), and
over the same with hostile ones between them, of all shapes and of 1 kB to 1 MB. Prints the CPU seconds of
both, and the good pages whose row is another one, which must be none.
"""

from __future__ import annotations

import argparse
import json
import random
import resource
import subprocess
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import cycle, islice
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.hostile.shapes import random_page
from ruiji.corpora.reading import read_pages

SMALLEST, LARGEST = 3, 6  # powers of ten: bytes of a hostile page
HOSTILE_HOST = "http://hostile.example/"


@dataclass(frozen=True, slots=True)
class CrawlRun:
    """What a run over a crawl took, and the row of each page as it was written."""

    seconds: float
    rows: dict[str, str]


def good_rows(source: Iterable[str], count: int) -> Iterator[dict[str, str]]:
    """So many good pages, each with an address of its own."""
    texts = [page.html for page in read_pages(list(source)) if isinstance(page.html, str)]
    for number, html in enumerate(islice(cycle(texts), count)):
        yield {"url": f"http://{number % 100}.good.example/{number}", "html": html}


def hostile_rows(count: int, random_: random.Random, largest: float = LARGEST) -> Iterator[dict[str, str]]:
    """So many hostile pages, most of them small."""
    for number in range(count):
        size = int(10 ** random_.uniform(SMALLEST, largest))
        html = random_page(random_, size).decode("utf-8", "replace")
        yield {"url": f"{HOSTILE_HOST}{number}", "html": html}


def crawled(rows: Sequence[dict[str, str]], folder: Path, jobs: int) -> CrawlRun:
    """Runs the command over the rows."""
    pages, out = folder / "pages.jsonl", folder / "out.jsonl"
    pages.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")
    out.unlink(missing_ok=True)
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    command = [
        sys.executable,
        "-m",
        "ruiji",
        "extract",
        str(pages),
        "-o",
        str(out),
        "--jobs",
        str(jobs),
        "-q",
    ]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode not in (0, 1):
        raise RuntimeError(f"exit status {done.returncode}: {done.stderr[-2000:]}")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    with out.open(encoding="utf-8") as lines:
        return CrawlRun(seconds, {json.loads(line)["url"]: line for line in lines})


def lost(alone: CrawlRun, mixed: CrawlRun) -> list[str]:
    """The good pages whose row is not the same among hostile ones."""
    return [url for url, row in alone.rows.items() if mixed.rows.get(url) != row]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("pages", nargs="+")
    parser.add_argument("--good", type=int, default=10_000)
    parser.add_argument("--hostile", type=int, default=1_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    random_ = random.Random(options.seed)
    good = list(good_rows(options.pages, options.good))
    mixed = [*good, *hostile_rows(options.hostile, random_)]
    random_.shuffle(mixed)
    with TemporaryDirectory() as folder:
        alone = crawled(good, Path(folder), options.jobs)
        print(f"{len(good):,} good pages: {alone.seconds:.0f} CPU s", flush=True)
        together = crawled(mixed, Path(folder), options.jobs)
    failed = [url for url, row in together.rows.items() if json.loads(row)["error"]]
    print(f"with {options.hostile:,} hostile ones: {together.seconds:.0f} CPU s", flush=True)
    hostile = sum(url.startswith(HOSTILE_HOST) for url in failed)
    print(f"{len(lost(alone, together))} good pages lost or changed; {hostile} hostile ones are errors")
    for url in failed:
        if url.startswith(HOSTILE_HOST):
            print(json.loads(together.rows[url])["error"][:100])


if __name__ == "__main__":
    main()
