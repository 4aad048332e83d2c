"""A command that is killed at any moment and run again leaves the bytes of a run that nobody disturbed."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import time
from pathlib import Path

import pytest

from ruiji.detector.copies.contents import read_contents
from tests.faults.commands import WRITERS, arguments_of, bytes_below, command_line, ruiji

ROUNDS = int(os.environ.get("RUIJI_FAULT_ROUNDS", "1"))  # kills of each command
SEED = int(os.environ.get("RUIJI_FAULT_SEED", "1"))


# Four of them, and every one in a longer run.
KILLED = tuple(WRITERS) if ROUNDS > 1 else ("extract", "convert parquet", "index", "clean")
SIGNALS = (signal.SIGKILL, signal.SIGTERM, signal.SIGINT)


@pytest.mark.parametrize("name", KILLED)
def test_a_killed_command_is_taken_up(tmp_path: Path, name: str) -> None:
    begin = time.monotonic()
    (tmp_path / "whole").mkdir()
    assert ruiji(arguments_of(name, tmp_path / "whole" / "out")).returncode == 0
    seconds = time.monotonic() - begin
    random_ = random.Random(f"{SEED} {name}")
    (tmp_path / "killed").mkdir()
    arguments = arguments_of(name, tmp_path / "killed" / "out")
    for _ in range(ROUNDS):
        process = subprocess.Popen(
            command_line(arguments), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        time.sleep(random_.uniform(0.3, 1.0) * seconds)
        process.send_signal(random_.choice(SIGNALS))
        process.wait()
    done = ruiji(arguments)
    assert done.returncode == 0, done.stderr
    if name == "index":  # one that was finished and is built again numbers its parts anew
        counts = [read_contents(tmp_path / run / "out").documents for run in ("killed", "whole")]
        assert counts[0] == counts[1] > 0
        return
    assert bytes_below(tmp_path / "killed") == bytes_below(tmp_path / "whole")


@pytest.mark.parametrize(
    "environment", [{"LC_ALL": "C"}, {"PYTHONIOENCODING": "ascii"}, {"LC_ALL": "ja_JP.SJIS"}]
)
def test_locales_change_no_bytes(tmp_path: Path, environment: dict[str, str]) -> None:
    assert ruiji(arguments_of("extract", tmp_path / "a")).returncode == 0
    assert ruiji(arguments_of("extract", tmp_path / "b"), environment=environment).returncode == 0
    assert (tmp_path / "a.jsonl").read_bytes() == (tmp_path / "b.jsonl").read_bytes()


def test_folders_with_any_name_are_written(tmp_path: Path) -> None:
    assert ruiji(arguments_of("records", tmp_path / "it's 星")).returncode == 0
