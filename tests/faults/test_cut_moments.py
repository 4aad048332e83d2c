"""A command that dies before any of its changes of files leaves nothing that spoils the same command, run
again: a marker before its data, a name before its bytes, a folder that is half gone.
"""

from __future__ import annotations

import os
import random
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from ruiji.corpora.miniweb import MINIWEB
from ruiji.detector.copies.contents import read_contents
from tests.faults.commands import QUICK, WRITERS, arguments_of, bytes_below
from tests.faults.killed_at import KILLED
from tests.paths import ROOT

ROUNDS = int(os.environ.get("RUIJI_FAULT_ROUNDS", "1"))  # moments of each command
SEED = int(os.environ.get("RUIJI_FAULT_SEED", "1"))
CUT = tuple(WRITERS) if ROUNDS > 1 else ("extract", "detect")
MORE = str(MINIWEB / "www.miozaki-u.ac.jp")


def killed_at(moment: int, arguments: Sequence[str | Path]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "tests.faults.killed_at", str(moment), *map(str, arguments)],
        cwd=ROOT, capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip


def moments_of(changes: int, name: str) -> list[int]:
    """Some of the moments; among few rounds one near the end, where results get their names."""
    random_ = random.Random(f"{SEED} {name}")
    late = max(1, changes - 12)
    chosen = [random_.randint(late, changes), *(random_.randint(1, changes) for _ in range(ROUNDS - 1))]
    return sorted(set(chosen)) if changes > ROUNDS else list(range(1, changes + 1))


@pytest.mark.parametrize("name", CUT)
def test_a_command_that_dies_before_a_change_is_taken_up(tmp_path: Path, name: str) -> None:
    (tmp_path / "whole").mkdir()
    done = killed_at(0, arguments_of(name, tmp_path / "whole" / "out"))
    assert done.returncode == 0, done.stderr
    for moment in moments_of(int(done.stdout.splitlines()[-1]), name):
        folder = tmp_path / str(moment)
        folder.mkdir()
        arguments = arguments_of(name, folder / "out")
        assert killed_at(moment, arguments).returncode == KILLED
        again = killed_at(0, arguments)
        assert again.returncode == 0, (moment, again.stderr)
        if name == "index":
            counts = [read_contents(root / "out").documents for root in (folder, tmp_path / "whole")]
            assert counts[0] == counts[1] > 0
        else:
            assert bytes_below(folder) == bytes_below(tmp_path / "whole"), moment


def test_an_addition_that_dies_before_a_change_adds_once(tmp_path: Path) -> None:
    def built(folder: Path) -> list[str]:
        (folder / "in").mkdir(parents=True)
        assert killed_at(0, arguments_of("index", folder / "idx")).returncode == 0
        return ["index", "add", str(folder / "idx"), MORE, *QUICK]

    done = killed_at(0, built(tmp_path / "whole"))
    documents = read_contents(tmp_path / "whole" / "idx").documents
    for moment in moments_of(int(done.stdout.splitlines()[-1]), "add"):
        arguments = built(tmp_path / str(moment))
        assert killed_at(moment, arguments).returncode == KILLED
        assert killed_at(0, arguments).returncode == 0
        assert read_contents(tmp_path / str(moment) / "idx").documents == documents, moment
