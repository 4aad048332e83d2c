"""Imports point to the left only: corpora ← features ← chunker ← detector ← ruiji."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from tests.paths import ROOT

LAYERS = ("corpora", "features", "chunker", "detector", "ruiji")
# What each layer may import from outside; a dependency that is not here has not been thought about.
OUTSIDE = {
    "corpora": {"fastwarc", "lxml", "pyarrow", "resiliparse", "webencodings"},
    "features": {"fugashi", "numpy", "selectolax", "unidic_lite"},
    "chunker": {
        "joblib",
        "lightgbm",
        "numpy",
        "pycrfsuite",
        "scipy",
        "sklearn",
        "sklearn_crfsuite",
        "threadpoolctl",
    },
    "detector": {"duckdb", "numpy", "pyarrow", "pyspark", "xxhash"},
    "ruiji": {"duckdb", "jinja2", "numpy", "pyarrow", "starlette", "tqdm", "uvicorn"},
}


def imported_modules(path: Path) -> set[str]:
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path} imports relatively"
            found.add((node.module or "").partition(".")[0])
    return found


@pytest.mark.parametrize("layer", LAYERS)
def test_a_package_imports_only_packages_to_its_left(layer: str) -> None:
    allowed = set(LAYERS[: LAYERS.index(layer) + 1])
    files = list((ROOT / layer).rglob("*.py"))
    assert files
    for path in files:
        assert imported_modules(path) & set(LAYERS) <= allowed, path


@pytest.mark.parametrize("layer", LAYERS)
def test_a_package_imports_only_libraries_that_were_chosen_for_it(layer: str) -> None:
    import sys

    for path in (ROOT / layer).rglob("*.py"):
        outside = imported_modules(path) - set(LAYERS) - set(sys.stdlib_module_names)
        assert outside <= OUTSIDE[layer], path


def test_notebooks_and_benchmarks_define_nothing_that_a_package_uses() -> None:
    for layer in LAYERS:
        for path in (ROOT / layer).rglob("*.py"):
            assert not imported_modules(path) & {"benchmarks", "notebooks", "tests"}, path
