"""Whole commands beside loops over peers, on the same file of pages, in one run, by CPU time.

    python -m benchmarks.commands PAGES.jsonl.gz [--rounds 2] [--only ruiji resiliparse] [-o commands.json]

Each contender is a process of its own that reads the file, extracts each page and writes the text; its CPU
time is that of all its processes, its memory that of the largest. All take turns, and the best of the rounds
counts, so that a busy machine disturbs none for long. Ratios are to trafilatura with its default settings.
``--jobs 2`` is measured by the clock, beside two processes that only count: as much faster as these two are
together, no program can be. On a busy machine the clock says little, so what two workers could reach is also
computed from CPU times: while one reads for p seconds, two work for w, which takes (p + w) / 2 at best.

Before the rounds each contender runs once on a small page and may write bytecode, as an installed program
has it: where ``PYTHONDONTWRITEBYTECODE`` is set, each start would parse all sources of an editable install.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

PEER_LOOP = """
import gzip, json, sys
{setup}
with gzip.open(sys.argv[1], "rt", encoding="utf-8") as lines:
    for line in lines:
        html = json.loads(line)["html"]
        try:
            print({call})
        except Exception as error:
            print(f"failed: {{error}}", file=sys.stderr)
"""
PEERS = {
    "trafilatura": ("from trafilatura import extract", "extract(html)"),
    "resiliparse": (
        "from resiliparse.extract.html2text import extract_plain_text",
        "extract_plain_text(html, main_content=True)",
    ),
    "readability-lxml": ("from readability import Document", "Document(html).summary()"),
    "jusText": (
        "import justext; words = justext.get_stoplist('English')",
        "[p.text for p in justext.justext(html.encode(), words, encoding='utf-8') if not p.is_boilerplate]",
    ),
}
BASE = "trafilatura"  # what ratios are to
SPIN = "n = 0\nfor n in range({count}): n += 1"
SPIN_COUNT = 30_000_000
# The CPU time of the process that reads, and that of its workers.
BY_PROCESS = """
import resource, sys
from ruiji.__main__ import main
main(sys.argv[1:])
for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN):
    usage = resource.getrusage(who)
    print(usage.ru_utime + usage.ru_stime, file=sys.stderr)
"""
SMALL_PAGE = (
    "<title>Ferry</title><ul><li><a href='/'>Home</a></ul><p>It leaves at seven, every day of the week.</p>"
)


@dataclass(frozen=True, slots=True)
class Cost:
    """What a command took: CPU seconds of all processes, seconds by the clock, megabytes of the largest."""

    cpu: float
    clock: float
    megabytes: float


def cost_of(commands: Sequence[Sequence[str]]) -> Cost:
    """What commands take that run side by side."""
    before, start = os.times(), time.monotonic()
    processes = [
        subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=_with_bytecode())
        for command in commands
    ]
    largest = 0
    for process, command in zip(processes, commands, strict=True):
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            raise SystemExit(f"{' '.join(command)[:80]} ended with {process.returncode}")
        largest = max(largest, usage.ru_maxrss)
    clock, after = time.monotonic() - start, os.times()
    cpu = after.children_user + after.children_system - before.children_user - before.children_system
    return Cost(cpu, clock, largest / 1024)


def _with_bytecode() -> dict[str, str]:
    """The environment, without what forbids to write bytecode."""
    return {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}


def contenders(pages: str, small: str) -> dict[str, list[list[str]]]:
    """The commands of each contender."""
    ruiji = [sys.executable, "-m", "ruiji", "extract", "--quiet"]
    spin = [sys.executable, "-c", SPIN.format(count=SPIN_COUNT)]
    loops = {
        name: [[sys.executable, "-c", PEER_LOOP.format(setup=setup, call=call), pages]]
        for name, (setup, call) in PEERS.items()
    }
    return loops | {
        "ruiji": [[*ruiji, "--jobs", "1", pages]],
        "ruiji, Markdown": [[*ruiji, "--jobs", "1", "--format", "markdown", pages]],
        "ruiji, two jobs": [[*ruiji, "--jobs", "2", pages]],
        "ruiji, one small page": [[*ruiji, small]],
        "one process that counts": [spin],
        "two processes that count": [spin, spin],
    }


def seconds_by_process(pages: str) -> tuple[float, float]:
    """CPU seconds of the process that reads these pages, and of its worker."""
    command = [sys.executable, "-c", BY_PROCESS, "extract", "--quiet", "--jobs", "1", pages]
    done = subprocess.run(
        command,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        check=True,
        env=_with_bytecode(),
    )
    reader, worker = map(float, done.stderr.split()[-2:])
    return reader, worker


def reader_and_worker(pages: str, small: str) -> tuple[float, float]:
    """The same without what a small page takes: the start."""
    whole, start = seconds_by_process(pages), seconds_by_process(small)
    return max(whole[0] - start[0], 0.0), max(whole[1] - start[1], 0.0)


def possible_speed_up(reader: float, worker: float) -> float:
    """How many times as fast as one job two can be, by CPU seconds of reading and working.

    >>> possible_speed_up(1.0, 9.0)
    1.8
    """
    return 2 * worker / (reader + worker) if reader < worker else 1.0


def best(costs: Sequence[Cost]) -> Cost:
    """The least of each cost."""
    return Cost(*(min(column) for column in zip(*(asdict(cost).values() for cost in costs), strict=True)))


def _packed(folder: str) -> str:
    """A file with the small page as the only one."""
    path = Path(folder) / "page.jsonl.gz"
    path.write_bytes(gzip.compress(json.dumps({"url": "http://a.example/", "html": SMALL_PAGE}).encode()))
    return str(path)


def measure(pages: str, rounds: int, only: Sequence[str] = ()) -> tuple[dict[str, Cost], tuple[float, float]]:
    """The best of the rounds of each contender, which take turns; and what reader and worker take."""
    with TemporaryDirectory(prefix="ruiji-") as folder:
        small = Path(folder) / "page.html"
        small.write_text(SMALL_PAGE, encoding="utf-8")
        commands = contenders(pages, str(small))
        if only:
            commands = {name: own for name, own in commands.items() if name in (BASE, *only)}
        for name, own in contenders(_packed(folder), str(small)).items():
            if name in commands and "count" not in name:
                cost_of(own)
        turns = [{name: cost_of(own) for name, own in commands.items()} for _ in range(rounds)]
        processes = reader_and_worker(pages, str(small))
    return {name: best([turn[name] for turn in turns]) for name in commands}, processes


def table(costs: dict[str, Cost]) -> str:
    """The costs as a table in Markdown, with how many times trafilatura's speed each has."""
    base = costs[BASE].cpu
    lines = ["| | CPU s | times trafilatura | s by the clock | MB |", "| --- | --- | --- | --- | --- |"]
    for name, cost in costs.items():
        times = "" if "count" in name or "small" in name else f"{base / cost.cpu:.1f}"
        lines.append(f"| {name} | {cost.cpu:.2f} | {times} | {cost.clock:.2f} | {cost.megabytes:.0f} |")
    if (
        not {"ruiji", "ruiji, two jobs", "one process that counts", "two processes that count"}
        <= costs.keys()
    ):
        return "\n".join(lines)
    speed_up = costs["ruiji"].clock / costs["ruiji, two jobs"].clock
    free = 2 * costs["one process that counts"].clock / costs["two processes that count"].clock
    lines += ["", f"Two jobs are {speed_up:.2f} times as fast as one; two that only count {free:.2f} times."]
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.commands", description=__doc__.split("\n")[0])
    parser.add_argument("pages", help="a .jsonl.gz of pages, html as text")
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--only", nargs="*", default=(), help="these beside trafilatura, not all")
    parser.add_argument("-o", "--output", type=Path, help="the costs as JSON")
    options = parser.parse_args()
    costs, (reader, worker) = measure(options.pages, options.rounds, options.only)
    print(table(costs))
    print(
        f"\nReading takes {reader:.2f} CPU s, working {worker:.2f}: two jobs can be "
        f"{possible_speed_up(reader, worker):.2f} times as fast as one."
    )
    if options.output:
        options.output.write_text(
            json.dumps({name: asdict(cost) for name, cost in costs.items()}, indent=1) + "\n"
        )


if __name__ == "__main__":
    main()
