"""The benchmark of whole commands measures what runs."""

from __future__ import annotations

import gzip
import json
import sys
from pathlib import Path

import pytest

from benchmarks.commands import (
    PEERS,
    Cost,
    best,
    contenders,
    cost_of,
    possible_speed_up,
    reader_and_worker,
    table,
)


def test_the_cost_of_commands_is_that_of_all_of_them() -> None:
    work = [sys.executable, "-c", "sum(range(10**7)); b'x' * (64 << 20)"]
    one, two = cost_of([work]), cost_of([work, work])
    assert 0 < one.cpu < 1.7 * two.cpu
    assert one.megabytes > 64


def test_a_command_that_fails_is_no_result() -> None:
    with pytest.raises(SystemExit, match="ended with 3"):
        cost_of([[sys.executable, "-c", "raise SystemExit(3)"]])


def test_peers_take_the_same_file(tmp_path: Path) -> None:
    pages = tmp_path / "pages.jsonl.gz"
    with gzip.open(pages, "wt", encoding="utf-8") as stream:
        stream.write(json.dumps({"url": "u", "html": "<p>A page of one sentence.</p>"}) + "\n")
    commands = contenders(str(pages), str(pages))
    assert set(PEERS) < set(commands)
    assert cost_of(commands["resiliparse"]).cpu > 0


def test_ratios_are_to_trafilatura_and_the_best_counts() -> None:
    least = best([Cost(2, 9, 50), Cost(3, 6, 40)])
    assert least == Cost(2, 6, 40)
    costs = dict.fromkeys(contenders("pages", "small"), least) | {"trafilatura": Cost(20, 20, 100)}
    assert "| ruiji | 2.00 | 10.0 | 6.00 | 40 |" in table(costs)
    assert "1.00 times as fast as one; two that only count 2.00 times" in table(costs)


def test_reader_and_worker_are_told_apart(tmp_path: Path) -> None:
    pages, small = tmp_path / "pages.jsonl", tmp_path / "page.html"
    html = "<p>A page of many sentences.</p>" * 2000
    pages.write_text((json.dumps({"url": "u", "html": html}) + "\n") * 40, encoding="utf-8")
    small.write_text("<p>A page of one sentence.</p>", encoding="utf-8")
    _, worker = reader_and_worker(str(pages), str(small))
    assert worker > 0
    assert possible_speed_up(1.0, 1.0) == 1.0
