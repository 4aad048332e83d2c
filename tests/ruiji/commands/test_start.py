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
from ruiji.corpora.workers import start_method
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
