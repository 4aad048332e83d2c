"""A worker ends with its parent, whatever both are at, and says nothing about it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.paths import ROOT

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="asks /proc")

# A worker that is stuck in a module in C, which lets no other thread of Python go on.
STUCK = """
import ctypes, os, sys
from ruiji.corpora.page import Page
from ruiji.corpora.pool.workers import map_pages

def hang(pages):
    print(os.getpid(), flush=True)
    ctypes.PyDLL(None).sleep(600)

if __name__ == "__main__":
    list(map_pages(hang, [Page("a", "a", "x")], failed=lambda page, error: error, jobs=1))
"""
# Workers that start anew, beside a thread, and take a megabyte to begin with.
SLOW_START = """
import sys, threading
from ruiji.corpora.page import Page
from ruiji.corpora.pool.starting import start_method
from ruiji.corpora.pool.workers import map_pages
from tests.corpora.page_functions import failed, obey

class Large:
    def __init__(self, weight): self.weight = weight
    def __call__(self, pages): return obey(pages)

if __name__ == "__main__":
    threading.Thread(target=threading.Event().wait, daemon=True).start()
    assert start_method() == "spawn"
    print("begin", flush=True)
    for _ in range(100):
        list(map_pages(Large(b"x" * 1_000_000), [Page("a", "a", b"<p>")], failed=failed, jobs=1))
"""


def start(script: str, folder: Path) -> subprocess.Popen[str]:
    (folder / "script.py").write_text(script)
    return subprocess.Popen(
        [sys.executable, str(folder / "script.py")],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        cwd=ROOT, env={**os.environ, "PYTHONPATH": str(ROOT), "OPENBLAS_NUM_THREADS": "1"},
    )  # fmt: skip


def is_alive(process: int) -> bool:
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def within(seconds: float, done: Callable[[], bool]) -> bool:
    end = time.monotonic() + seconds
    while not done() and time.monotonic() < end:
        time.sleep(0.02)
    return done()


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
def test_a_worker_that_is_stuck_ends_with_its_parent(tmp_path: Path, number: signal.Signals) -> None:
    with start(STUCK, tmp_path) as parent:
        assert parent.stdout is not None
        worker = int(parent.stdout.readline())
        parent.send_signal(number)
    assert within(5, lambda: not is_alive(worker))


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_parent_that_is_ended_while_a_worker_starts_leaves_no_traceback_of_it(
    tmp_path: Path, number: signal.Signals
) -> None:
    for moment in (0.0, 0.02, 0.05, 0.1, 0.15):
        with start(SLOW_START, tmp_path) as parent:
            assert parent.stdout is not None
            parent.stdout.readline()
            time.sleep(moment)
            parent.send_signal(number)
            said = parent.communicate(timeout=30)[1]
        assert "SpawnProcess" not in said
        assert "spawn_main" not in said
        assert said.count("Traceback") <= (number == signal.SIGINT), said  # of the script's own interrupt
