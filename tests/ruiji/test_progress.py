"""What a person sees on a terminal."""

from __future__ import annotations

import sys

import pytest

from ruiji.progress import Reporter


def test_a_bar_is_named_by_its_stage(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    assert [*Reporter(0).watch(range(3), stage="comparing sites")] == [0, 1, 2]
    assert capsys.readouterr().err.lstrip("\r").startswith("comparing sites: ")
    assert [*Reporter(0).watch(range(3))] == [0, 1, 2]
    assert capsys.readouterr().err.lstrip("\r").startswith("  0%|")


def test_nothing_is_drawn_where_nobody_looks(capsys: pytest.CaptureFixture[str]) -> None:
    assert [*Reporter(0).watch(range(3), stage="comparing sites")] == [0, 1, 2]
    assert capsys.readouterr().err == ""
