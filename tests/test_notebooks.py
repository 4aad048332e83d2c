"""Every notebook runs from top to bottom and defines nothing that could be wanted elsewhere."""

from __future__ import annotations

import ast
import json
from pathlib import Path

import pytest

from tests.paths import ROOT

NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))


def code_of(path: Path) -> str:
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    return "\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "code")


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_it_runs(path: Path) -> None:
    exec(compile(code_of(path), path.name, "exec"), {"__name__": "notebook"})


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_it_defines_no_function_or_class(path: Path) -> None:
    defined = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    assert not [node for node in ast.walk(ast.parse(code_of(path))) if isinstance(node, defined)]
