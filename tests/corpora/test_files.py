"""One writer for an output, and never over an input."""

from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from ruiji.corpora.files import InUse, locked, owned, owned_folder, partial_path, refuse_inputs, replacing
from ruiji.corpora.page import InputError


def write(path: Path, text: str = "x") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


def test_an_input_is_not_written_over(tmp_path: Path) -> None:
    pages = write(tmp_path / "pages.jsonl")
    (tmp_path / "link.jsonl").symlink_to(pages)
    os.link(pages, tmp_path / "same.jsonl")
    for name in ("pages.jsonl", "./pages.jsonl", "link.jsonl", "same.jsonl"):
        with pytest.raises(InputError, match="is read as input"), owned(tmp_path / name, [pages]):
            raise AssertionError
    assert pages.read_text() == "x"
    with owned(tmp_path / "new.jsonl", [pages]):
        pass


def test_a_folder_that_holds_an_input_is_not_written_into(tmp_path: Path) -> None:
    page = write(tmp_path / "site" / "a" / "b.html")
    with pytest.raises(InputError, match="holds the input"):
        refuse_inputs(tmp_path / "site", [page])
    refuse_inputs(tmp_path / "site" / "new", [page])
    refuse_inputs(tmp_path / "elsewhere", [page])


def test_two_writers_of_one_output_exclude_each_other(tmp_path: Path) -> None:
    with owned(tmp_path / "out.jsonl"):
        with pytest.raises(InputError, match="another run is writing"), owned(tmp_path / "out.jsonl"):
            raise AssertionError
        with owned(tmp_path / "other.jsonl"):
            pass
    with owned(tmp_path / "out.jsonl"), replacing(tmp_path / "out.jsonl") as stream:
        stream.write(b"y")
    assert [path.name for path in tmp_path.iterdir()] == ["out.jsonl"]


def test_two_writers_of_a_file_never_mix(tmp_path: Path) -> None:
    """Also where nobody holds the lock of the output."""
    with replacing(tmp_path / "out.json") as stream:
        with pytest.raises(InputError, match="another run is writing"), replacing(tmp_path / "out.json"):
            raise AssertionError
        stream.write(b"y")
    assert (tmp_path / "out.json").read_bytes() == b"y"


def test_what_a_killed_run_has_left_is_written_over(tmp_path: Path) -> None:
    partial_path(tmp_path / "out.json").write_bytes(b"longer than the next")
    with replacing(tmp_path / "out.json") as stream:
        stream.write(b"y")
    assert [(path.name, path.read_bytes()) for path in tmp_path.iterdir()] == [("out.json", b"y")]


def test_a_lock_counts_by_its_name(tmp_path: Path) -> None:
    """Who waits with the file of a lock that was removed holds nothing."""
    lock = tmp_path / "lock"
    with locked(lock):
        lock.unlink()
        with locked(lock), pytest.raises(InUse), locked(lock):
            raise AssertionError


KILLED_BESIDE_ITS_WORKER = """
import multiprocessing, os, signal, sys, time
from pathlib import Path
from ruiji.corpora.files import locked
with locked(Path(sys.argv[1])) as stream:
    worker = multiprocessing.get_context("fork").Process(target=time.sleep, args=(60,))
    worker.start()
    stream.write(b"x")
    stream.flush()
    print(worker.pid, flush=True)
    os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.mark.skipif("fork" not in multiprocessing.get_all_start_methods(), reason="needs copies of processes")
def test_a_worker_that_lives_on_holds_no_lock_of_a_process_that_was_killed(tmp_path: Path) -> None:
    """A command that was killed while a worker was busy, and run again, said that another run is writing."""
    command = [sys.executable, "-c", KILLED_BESIDE_ITS_WORKER, str(tmp_path / "lock")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as killed:
        assert killed.stdout is not None
        worker = int(killed.stdout.readline())
        assert killed.wait() == -signal.SIGKILL
        try:
            with locked(tmp_path / "lock"):
                assert (tmp_path / "lock").read_bytes() == b"x"
        finally:
            os.kill(worker, signal.SIGKILL)


def test_a_device_needs_no_owner(tmp_path: Path) -> None:
    with owned(Path("/dev/null"), [tmp_path / "a"]):
        pass


def test_the_folder_of_another_command_is_refused(tmp_path: Path) -> None:
    write(tmp_path / "run" / "pairs.parquet")
    with (
        pytest.raises(InputError, match="what ruiji detect has written"),
        owned_folder(tmp_path / "run", "records"),
    ):
        raise AssertionError
    with owned_folder(tmp_path / "run", "detect"):
        pass
    assert [path.name for path in (tmp_path / "run").iterdir()] == ["pairs.parquet"]


def test_a_folder_in_which_nothing_came_to_be_is_not_left(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="broken"), owned_folder(tmp_path / "new", "records"):
        raise ValueError("broken")
    assert not (tmp_path / "new").exists()
