"""The commands that are put to the test, as processes of their own."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from ruiji.corpora.miniweb import MINIWEB

# Annotated pages of several sites, enough for folds; small, since every test runs a command over them.
PAGES = tuple(str(MINIWEB / site) for site in ("tabi-no-kakera.com", "fjordnotes.org"))
QUICK = ("--filter", "none", "--jobs", "1")
# A command with its output; {out} stands for the name of that.
WRITERS: Mapping[str, tuple[str, ...]] = {
    "extract": ("extract", *PAGES, *QUICK, "-o", "{out}.jsonl"),
    "extract parquet": ("extract", *PAGES, *QUICK, "--format", "parquet", "-o", "{out}.parquet"),
    "extract html": ("extract", *PAGES, *QUICK, "--format", "html", "-o", "{out}"),
    "unique": ("extract", *PAGES, "--filter", "unique", "--jobs", "1", "-o", "{out}.jsonl"),
    "convert jsonl": ("convert", *PAGES, "--to", "jsonl", "-o", "{out}.jsonl.gz"),
    "convert parquet": ("convert", *PAGES, "--to", "parquet", "-o", "{out}.parquet"),
    "convert xml": ("convert", *PAGES, "--to", "standard-format", "--jobs", "1", "-o", "{out}.xml"),
    "index": ("index", "build", *PAGES, *QUICK, "-o", "{out}"),
    "records": ("records", *PAGES, *QUICK, "-o", "{out}"),
    "clean": ("clean", *PAGES, *QUICK, "-o", "{out}"),
    "detect": ("detect", *PAGES, *QUICK, "-o", "{out}"),
    "train": ("train", *PAGES, "--features", "nakamura", "--jobs", "1", "-o", "{out}"),
}


def arguments_of(name: str, out: Path) -> list[str]:
    """The arguments of a command that writes to ``out``."""
    return [part.replace("{out}", str(out)) for part in WRITERS[name]]


def ruiji(
    arguments: Sequence[str | Path], *, most_bytes: int = 0, environment: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """Runs a command line to its end; no file may grow beyond ``most_bytes``, where that is given."""
    return subprocess.run(
        command_line(arguments),
        capture_output=True,
        text=True,
        encoding="utf-8",
        errors="replace",
        timeout=120,
        check=False,
        env={**os.environ, **(environment or {})},
        preexec_fn=(lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (most_bytes,) * 2))
        if most_bytes
        else None,
    )


def command_line(arguments: Sequence[str | Path]) -> list[str]:
    """A command line as a process has it."""
    return [sys.executable, "-m", "ruiji", *map(str, arguments)]


def bytes_below(folder: Path) -> dict[str, bytes]:
    """Every file below a folder by its name; what says how long a run took is left out."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.name not in ("run.json", "lock", ".lock")
    }


def assert_one_sentence(done: subprocess.CompletedProcess[str]) -> None:
    """A command that could not do its work says why, in one line at the end, and nothing of its inside."""
    assert done.returncode == 2, (done.returncode, done.stderr)
    assert "Traceback" not in done.stderr
    assert "Exception ignored" not in done.stderr
    assert "a mistake in ruiji" not in done.stderr, done.stderr
    assert done.stderr.strip().splitlines()[-1].startswith("ruiji ")
