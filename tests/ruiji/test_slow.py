"""An install without a compiler says once that it is slower."""

from __future__ import annotations

import tomllib
from importlib.machinery import ModuleSpec

import pytest

from ruiji import progress
from tests.paths import ROOT


def test_every_module_in_c_is_looked_for() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    assert {module["name"] for module in project["tool"]["setuptools"]["ext-modules"]} == set(progress.IN_C)


@pytest.mark.parametrize(("verbosity", "lines"), [(0, 1), (-1, 0)])
def test_what_was_not_built_is_named_once(
    verbosity: int, lines: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    spec = ModuleSpec("x", None)
    monkeypatch.setattr(progress, "find_spec", lambda name: None if name.endswith("_walk") else spec)
    progress.Reporter(verbosity).say_if_slow()
    said = capsys.readouterr().err
    assert said.count("\n") == lines
    assert said.endswith("not built: _walk\n") == bool(lines)


def test_nothing_is_said_where_all_was_built(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(progress, "find_spec", lambda name: ModuleSpec(name, None))
    progress.Reporter(0).say_if_slow()
    assert capsys.readouterr().err == ""
