"""Streams that are closed, full or cut off: results go where they can, and the exit status tells."""

from __future__ import annotations

import io
import subprocess
import sys
from pathlib import Path

import pytest

from ruiji.cli import main
from tests.faults.commands import PAGES, QUICK, command_line

PAGE = "<title>Diary</title><p>It rained all day, and nobody went to the harbour.</p>"


@pytest.fixture
def page(tmp_path: Path) -> Path:
    path = tmp_path / "page.html"
    path.write_text(PAGE)
    return path


def shell(line: str, arguments: list[str]) -> subprocess.CompletedProcess[str]:
    """Runs a command line in a shell that redirects; "$@" stands for it."""
    return subprocess.run(
        ["bash", "-c", line, "bash", *command_line(arguments)],
        capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip


@pytest.mark.parametrize("stream", ["2>&-", "2>/dev/full", "<&-", "2>&- <&-"])
def test_messages_that_cannot_be_written_stop_nothing(page: Path, stream: str) -> None:
    done = shell(f'"$@" {stream}', ["extract", str(page), *QUICK])
    assert done.returncode == 0, done.stderr
    assert "nobody went to the harbour" in done.stdout


def test_a_run_with_closed_streams_is_whole(tmp_path: Path) -> None:
    arguments = ["detect", *PAGES, *QUICK, "-o"]
    assert shell('"$@"', [*arguments, str(tmp_path / "open")]).returncode == 0
    assert shell('"$@" >&- 2>&- <&-', [*arguments, str(tmp_path / "closed")]).returncode == 0
    for name in ("pages.parquet", "pairs.parquet", "sentences.parquet"):
        assert (tmp_path / "open" / name).read_bytes() == (tmp_path / "closed" / name).read_bytes()


def test_the_exit_status_tells_even_where_no_message_can(tmp_path: Path) -> None:
    for stream in ("2>&-", "2>/dev/full"):
        assert shell(f'"$@" {stream}', ["extract", str(tmp_path / "nothing.html")]).returncode == 2


@pytest.mark.parametrize("stream", [">&-", ">/dev/full"])
def test_results_that_cannot_be_written_are_a_sentence(page: Path, stream: str) -> None:
    done = shell(f'"$@" {stream}', ["extract", str(page), *QUICK])
    assert done.returncode == 2
    assert len(done.stderr.splitlines()) == 1, done.stderr
    assert done.stderr.startswith("ruiji extract: ")


def test_a_reader_that_has_seen_enough_is_no_fault(page: Path) -> None:
    for arguments in (["extract", str(page), *QUICK], ["--help"]):
        done = shell('set -o pipefail; "$@" | true', arguments)
        assert (done.returncode, done.stderr) == (0, "")


INTERRUPTED_IMPORT = """
import os
import signal
import sys

from ruiji.__main__ import run

signal.signal(signal.SIGINT, signal.default_int_handler)  # also in the background of a shell
page, module = sys.argv[1:]

class Interrupt:
    def find_spec(self, name, path=None, target=None):
        if name == module:
            try:
                os.kill(os.getpid(), signal.SIGINT)
            except KeyboardInterrupt:
                raise ImportError("what some libraries make of an interrupt") from None

sys.meta_path.insert(0, Interrupt())
sys.argv[1:] = ["detect", page, "--filter", "none", "--jobs", "1", "-o", f"{page}.out"]
run()
"""


@pytest.mark.parametrize("module", ["ruiji.cli", "argparse", "ruiji.commands.detect", "duckdb"])
def test_an_interrupt_during_start_is_one_whatever_a_library_makes_of_it(page: Path, module: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", INTERRUPTED_IMPORT, str(page), module],
        capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert done.returncode == 130, done.stderr
    assert "Traceback" not in done.stderr
    assert done.stderr == "" or done.stderr.endswith(": interrupted\n")


def test_a_command_in_the_background_is_not_interrupted(page: Path) -> None:
    """A shell ignores interrupts for it, and so do we."""
    ignoring = 'trap "" INT; "$@" & sleep 0.3; kill -INT $!; wait $!'
    done = shell(ignoring, ["extract", str(page), *QUICK])
    assert done.returncode == 0, done.stderr
    assert "nobody went to the harbour" in done.stdout


def test_a_message_is_written_with_its_end(monkeypatch: pytest.MonkeyPatch) -> None:
    pieces: list[str] = []

    class Pieces(io.StringIO):
        def write(self, text: str) -> int:
            pieces.append(text)
            return len(text)

    monkeypatch.setattr("sys.stderr", Pieces())
    assert main(["extract", "/nowhere/page.html"]) == 2
    assert [piece for piece in pieces if piece and not piece.endswith("\n")] == []
    assert "".join(pieces).startswith("ruiji extract: ")
