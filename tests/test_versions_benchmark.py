"""The benchmark of two versions measures whole commands of both."""

from __future__ import annotations

import sys
from pathlib import Path

from benchmarks.commands import Cost
from benchmarks.versions import compare, table


def test_both_versions_are_measured_on_the_same_pages(tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    page.write_text("<title>Ferry</title><p>It leaves at seven, every day of the week.</p>", encoding="utf-8")
    costs = compare(str(page), (sys.executable, sys.executable), ["crf"], rounds=1)
    assert [cost.cpu > 0 for cost in costs["crf"]] == [True, True]


def test_the_table_says_how_many_times_as_fast_the_new_version_is() -> None:
    costs = {"crf": [Cost(9.0, 9.0, 300.0), Cost(3.0, 3.0, 200.0)]}
    assert "| `--filter crf` | 9.0 | 3.0 | 3.0 | 200 |" in table(costs)
