"""Commands that do without pandas, and processes in which it must stay."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = """
import os, sys
from ruiji.__main__ import hide_pandas
hide_pandas(sys.argv[1:])
child = os.fork()
if not child:
    import pandas
    os._exit(0)
_, status = os.waitpid(child, 0)
try:
    import pandas
except ModuleNotFoundError:
    print("hidden", status)
else:
    print("there", status)
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no copies of processes here")
@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["detect", "pages.jsonl"], "hidden 0"),
        (["detect", "--model", "mine", "pages.jsonl"], "there 0"),
        (["crossval", "detect"], "there 0"),
    ],
)
def test_pandas_is_hidden_from_arrow_alone(arguments: list[str], expected: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, *arguments], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == expected


def test_detect_finds_the_same_with_and_without(tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    page.write_text("<p>The ferry leaves the harbour at seven, every day of the week but Sunday.</p>")
    for command in ("detect", "clean"):
        out = tmp_path / command
        subprocess.run([sys.executable, "-m", "ruiji", command, "-q", str(page), "-o", str(out)], check=True)
        assert (out / "run.json").is_file()
