"""The clocks of ``benchmarks.page_steps`` are around what runs."""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.paths import ROOT


@pytest.mark.parametrize("option", [(), ("--without-c",)])
def test_every_step_takes_time(tmp_path: Path, option: tuple[str, ...]) -> None:
    pages = tmp_path / "pages.jsonl.gz"
    with gzip.open(pages, "wt", encoding="utf-8") as stream:
        stream.write(
            json.dumps({"url": "u", "html": "<h1>Ferry</h1><p>It leaves at <b>seven</b>.</p>"}) + "\n"
        )
    command = [sys.executable, "-m", "benchmarks.page_steps", str(pages), "--rounds", "1", *option]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    rows = [line.split("|")[1].strip() for line in done.stdout.splitlines() if line.startswith("| ")]
    assert {"all", "line to page", "parser and walk", "numbers of blocks", "network", "text"} <= set(rows)
