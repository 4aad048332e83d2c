"""A disk without room ends a command with one sentence, and leaves no half of a result."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.faults.commands import WRITERS, arguments_of, assert_one_sentence, ruiji

# Bytes that a file may have. No output of these commands fits into the first, some of their tables fit into
# the second.
SMALL, MIDDLING = 100, 20_000


@pytest.mark.parametrize("name", WRITERS)
def test_a_full_disk_is_said_in_one_sentence(tmp_path: Path, name: str) -> None:
    assert_one_sentence(ruiji(arguments_of(name, tmp_path / "out"), most_bytes=SMALL))
    names = [path.relative_to(tmp_path).parts for path in tmp_path.rglob("*") if path.is_file()]
    assert all(any(part.startswith(".") for part in parts) for parts in names), names


@pytest.mark.parametrize("name", ["convert xml", "detect", "index"])
def test_a_disk_that_fills_later_is_said_in_one_sentence(tmp_path: Path, name: str) -> None:
    assert_one_sentence(ruiji(arguments_of(name, tmp_path / "out"), most_bytes=MIDDLING))
