"""A command loads what it needs and nothing that only training or other commands use."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

PAGE = """<title>日記</title><ul><li><a href="/">ホーム</a></ul>
<div id="content"><h1>日記</h1><p>今日は朝から雨が降った。</p></div>"""
HEAVY = "sklearn pandas scipy duckdb pyarrow lightgbm fugashi unidic_lite lxml jinja2 tqdm fastwarc".split()
RUN_AND_NAME_MODULES = """
import sys
from ruiji.__main__ import main
status = main(sys.argv[1:])
from ruiji.corpora.pool.starting import start_method
print(status, start_method(), *sorted({name.partition(".")[0] for name in sys.modules}), file=sys.stderr)
"""


@pytest.mark.parametrize("form", ["text", "markdown", "jsonl", "html"])
def test_extracting_a_page_imports_no_training_library_and_needs_no_second_start(
    tmp_path: Path, form: str
) -> None:
    page = tmp_path / "page.html"
    page.write_text(PAGE, encoding="utf-8")
    command = [sys.executable, "-c", RUN_AND_NAME_MODULES, "extract", str(page), "--format", form]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    status, method, *modules = done.stderr.split()
    assert "今日は朝から雨が降った。" in done.stdout
    assert (status, method) == ("0", "fork" if sys.platform == "linux" else "spawn")
    assert not set(HEAVY) & set(modules)


RUN_WITH_AN_END = """
import atexit
import sys
from ruiji.__main__ import run

class Watched:
    def __del__(self):
        print("taken apart", flush=True)

watched = Watched()
if sys.argv[1] == "register":
    import ruiji.cli
    real = ruiji.cli.main
    def main(arguments):
        atexit.register(print, "at the exit")
        return real(arguments)
    ruiji.cli.main = main
sys.argv[1:] = sys.argv[2:]
run()
"""


def test_a_command_ends_with_its_status_after_what_is_to_be_done_and_takes_nothing_apart(
    tmp_path: Path,
) -> None:
    page = tmp_path / "page.html"
    page.write_text(PAGE, encoding="utf-8")
    for arguments, status in (([str(page)], 0), ([str(tmp_path / "nowhere.html")], 2)):
        command = [sys.executable, "-c", RUN_WITH_AN_END, "register", "extract", *arguments]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.returncode == status
        assert done.stdout.endswith("at the exit\n")
        assert ("今日は朝から雨が降った。" in done.stdout) == (status == 0)


def test_a_command_line_that_was_not_run_ends_as_python_ends(tmp_path: Path) -> None:
    command = [sys.executable, "-c", RUN_WITH_AN_END, "plain", "extract", "--no-such-option"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stdout == "taken apart\n"
