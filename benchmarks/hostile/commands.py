"""Every command over hostile files of every format: what it takes, and how it ends.

python -m benchmarks.hostile.commands [--files WORD …] [--commands WORD …] [--seed 1] [--seconds 300]

Prints a line a run: CPU seconds and the most memory of all its processes together, the exit status and what
was said last. A run that breaks a promise is marked with "!": a traceback, a mistake of ours, an exit status
that is none of ours, more than 2 GB, more than the seconds that were allowed.
"""

from __future__ import annotations

import argparse
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.hostile.files import FILES, write_file
from ruiji.corpora.miniweb import MINIWEB

MEMORY = 2 << 30  # bytes that a run may take
LOOK_SECONDS = 0.1
QUICK = ("--jobs", "1", "-q")
GOOD = str(MINIWEB / "fjordnotes.org")
# {in}: the hostile file; {out}: a name for what is written; {index}: an index of good pages
COMMANDS: Mapping[str, tuple[str, ...]] = {
    "extract": ("extract", "{in}", "-o", "{out}.jsonl", *QUICK),
    "extract text": ("extract", "{in}", "--format", "text", "-o", "{out}.txt", *QUICK),
    "extract markdown": ("extract", "{in}", "--format", "markdown", "-o", "{out}.md", *QUICK),
    "extract parquet": ("extract", "{in}", "--format", "parquet", "-o", "{out}.parquet", *QUICK),
    "extract tei": ("extract", "{in}", "--format", "tei", "-o", "{out}", *QUICK),
    "extract html": ("extract", "{in}", "--format", "html", "-o", "{out}", *QUICK),
    "extract nodes": ("extract", "{in}", "--nodes", "-o", "{out}.jsonl", *QUICK),
    "extract blocks": ("extract", "{in}", "--filter", "blocks", "-o", "{out}.jsonl", *QUICK),
    "extract unique": ("extract", "{in}", "--filter", "unique", "-o", "{out}.jsonl", *QUICK),
    "detect": ("detect", "{in}", "-o", "{out}", *QUICK),
    "detect none": ("detect", "{in}", "--filter", "none", "-o", "{out}", *QUICK),
    "clean": ("clean", "{in}", "--filter", "none", "-o", "{out}", *QUICK),
    "clean page": ("clean", "{in}", "--filter", "none", "--level", "page", "-o", "{out}", *QUICK),
    "index build": ("index", "build", "{in}", "--filter", "none", "-o", "{out}", *QUICK),
    "index match": ("index", "match", "{index}", "{in}", "--filter", "none", "-o", "{out}.jsonl", *QUICK),
    "records": ("records", "{in}", "--filter", "none", "-o", "{out}", *QUICK),
    "convert jsonl": ("convert", "{in}", "--to", "jsonl", "-o", "{out}.jsonl", *QUICK),
    "convert parquet": ("convert", "{in}", "--to", "parquet", "-o", "{out}.parquet", *QUICK),
    "convert xml": ("convert", "{in}", "--to", "standard-format", "-o", "{out}.xml", *QUICK),
    "train": ("train", "{in}", GOOD, "--features", "nakamura", "-o", "{out}", *QUICK),
    "train self": ("train", "--self", "{in}", "--features", "nakamura", "-o", "{out}", *QUICK),
    "evaluate": ("evaluate", "{in}", GOOD, "-o", "{out}.json", *QUICK),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Run:
    """How a command ended, and what it took."""

    status: int | None  # None where it was ended for the time that it took
    seconds: float
    memory: int
    said: str

    def problem(self) -> str:
        """Which promise it breaks; "" where none."""
        if "Traceback" in self.said or "a mistake in ruiji" in self.said:
            return "traceback"
        if self.memory > MEMORY:
            return "memory"
        if self.status is None:
            return "time"
        return "" if self.status in (0, 1, 2) else f"exit status {self.status}"


def processes_below(process: int) -> list[int]:
    """A process and all that it has started."""
    parents: dict[int, list[int]] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                fields = (entry / "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            parents.setdefault(int(fields[1]), []).append(int(entry.name))
    found = [process]
    for parent in found:
        found += parents.get(parent, [])
    return found


def memory_of(processes: Sequence[int]) -> int:
    """Bytes that they have together; what several share counts once, what is mapped of a file too."""
    total = 0
    for process in processes:
        try:
            lines = Path(f"/proc/{process}/smaps_rollup").read_text().splitlines()
        except OSError:
            continue
        total += sum(int(line.split()[1]) << 10 for line in lines if line.startswith("Pss:"))
    return total


def measured(arguments: Sequence[str], seconds: float) -> Run:
    """Runs a command line, for so many seconds by the clock at most."""
    before = os.times()
    process = subprocess.Popen(
        [sys.executable, "-m", "ruiji", *arguments],
        stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, errors="replace",
        start_new_session=True,
    )  # fmt: skip
    end, most, ended = time.monotonic() + seconds, 0, False
    while process.poll() is None:
        most = max(most, memory_of(processes_below(process.pid)))
        if time.monotonic() > end or most > 2 * MEMORY:
            ended = True
            os.killpg(process.pid, signal.SIGKILL)
            break
        time.sleep(LOOK_SECONDS)
    said = process.communicate()[1]
    after = os.times()
    spent = after.children_user + after.children_system - before.children_user - before.children_system
    return Run(None if ended else process.returncode, spent, most, said.strip())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--files", nargs="+", default=[""], help="words that their names have")
    parser.add_argument("--commands", nargs="+", default=list(COMMANDS))
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=300)
    options = parser.parse_args()
    with TemporaryDirectory() as folder:
        index = Path(folder, "index")
        measured(["index", "build", GOOD, "--filter", "none", "-o", str(index), *QUICK], 300)
        for name in FILES:
            if not any(word in name for word in options.files):
                continue
            path = write_file(name, Path(folder), options.seed)
            for command in options.commands:
                out = Path(folder, "out")
                out.mkdir()
                values = {"{in}": str(path), "{out}": str(out / "out"), "{index}": str(index)}
                arguments = list(COMMANDS[command])
                for key, value in values.items():
                    arguments = [part.replace(key, value) for part in arguments]
                run = measured(arguments, options.seconds)
                shutil.rmtree(out)
                mark = f"! {run.problem()}" if run.problem() else ""
                print(
                    f"{mark:12} {command:16} {name:32} "
                    f"{path.stat().st_size / 1e6:5.2f} MB {run.seconds:6.1f} s {run.memory >> 20:5} MB "
                    f"{run.status} {run.said.splitlines()[-1][:100] if run.said else ''}",
                    flush=True,
                )
            path.unlink()


if __name__ == "__main__":
    main()
