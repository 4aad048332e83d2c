"""When an interrupt is raised, each in a process of its own."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

BEGIN = """
import os, signal, sys, time
sys.path.insert(0, os.getcwd())
from ruiji import interrupts
signal.signal(signal.SIGINT, signal.default_int_handler)
interrupts.watch()
def interrupt():
    os.kill(os.getpid(), signal.SIGINT)
    for _ in range(100):
        pass
"""
WAIT = """
    time.sleep(20)
except KeyboardInterrupt:
    print("interrupted")
"""


def said(folder: Path, module: str, program: str) -> str:
    """What a program prints that may import ``module`` as imported_here."""
    (folder / "imported_here.py").write_text(module)
    done = subprocess.run(
        [sys.executable, "-c", BEGIN + program],
        cwd=folder, capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def test_an_import_is_brought_to_its_end_first(tmp_path: Path) -> None:
    module = "from __main__ import interrupt, time\ninterrupt()\ntime.sleep(0.1)\nprint('imported')"
    assert said(tmp_path, module, "try:\n    import imported_here" + WAIT) == "imported\ninterrupted\n"


def test_an_import_that_does_not_end_is_interrupted(tmp_path: Path) -> None:
    module = "from __main__ import interrupt, time\ninterrupt()\ntime.sleep(20)\nprint('imported')"
    assert said(tmp_path, module, "try:\n    import imported_here" + WAIT) == "interrupted\n"


def test_an_interrupt_that_a_finalizer_meets_is_not_forgotten(tmp_path: Path) -> None:
    program = """
class Finalized:
    def __del__(self):
        interrupt()
        print("not reached")

try:
    Finalized()"""
    assert said(tmp_path, "", program + WAIT) == "interrupted\n"


@pytest.mark.parametrize("code", ["interrupt()", "import imported_here"])
def test_when_all_is_done_nothing_is_raised(tmp_path: Path, code: str) -> None:
    ignoring = "signal.signal(signal.SIGINT, signal.SIG_IGN)"
    program = f"{'' if 'import' in code else ignoring}\n{code}\n{ignoring}\ntime.sleep(0.1)\nprint('done')"
    assert said(tmp_path, "from __main__ import interrupt\ninterrupt()", program) == "done\n"


def test_one_that_waits_is_given_up_where_a_command_ends_first(tmp_path: Path) -> None:
    """The system would end the process for it, once Python has given up its handlers."""
    program = """
import atexit
from ruiji.__main__ import run
class Interrupt:
    def find_spec(self, name, path=None, target=None):
        if name == "importlib.metadata":
            interrupt()
sys.modules.pop("importlib.metadata", None)
sys.meta_path.insert(0, Interrupt())
atexit.register(lambda: print(signal.getitimer(signal.ITIMER_REAL)[0]))
interrupts.LOOK_AGAIN = 10
signal.signal(signal.SIGINT, signal.default_int_handler)
sys.argv[1:] = ["--version"]
run()
"""
    assert said(tmp_path, "", program).splitlines()[1:] == ["0.0"]
