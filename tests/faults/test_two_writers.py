"""Two commands that write to one place at once: one does, the other says so; the result is that of one."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

import pytest

from tests.faults.commands import WRITERS, arguments_of, bytes_below, command_line, ruiji

# The quickest of each kind of output, and every one in a longer run.
LONG = int(os.environ.get("RUIJI_FAULT_ROUNDS", "1")) > 1
REFUSED = re.compile("another (run|process) is writing (that|into that folder|this index)")
NAMES = tuple(WRITERS) if LONG else ("extract", "convert parquet", "convert xml")


@pytest.mark.parametrize("name", NAMES)
def test_two_writers_leave_what_one_does(tmp_path: Path, name: str) -> None:
    for folder in ("one", "two"):
        (tmp_path / folder).mkdir()
    assert ruiji(arguments_of(name, tmp_path / "one" / "out")).returncode == 0
    line = command_line(arguments_of(name, tmp_path / "two" / "out"))
    both = [
        subprocess.Popen(line, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) for _ in range(2)
    ]
    said = [process.communicate(timeout=120)[1] for process in both]
    statuses = sorted(process.returncode for process in both)
    assert statuses in ([0, 0], [0, 2]), said
    for process, message in zip(both, said, strict=True):
        if process.returncode == 2:
            assert "Traceback" not in message
            assert REFUSED.search(message.strip().splitlines()[-1]), message
    if name != "index":  # one that was finished and is built again numbers its parts anew
        assert bytes_below(tmp_path / "two") == bytes_below(tmp_path / "one")
