"""The order of the houses and of the rooms in them: an import points to the left or upwards in this list
only.

corpora ← features ← chunker ← detector ← ruiji
"""

from __future__ import annotations

import ast
import sys
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from tests.paths import ROOT

HOUSES = ("corpora", "features", "chunker", "detector", "ruiji")
# Each line is a room, or modules that stand together in a house; data passes from top to bottom. A module
# belongs to the line with the longest name that fits.
ROOMS = (
    "ruiji.corpora",
    "ruiji.features.arrays",
    "ruiji.features.text",
    "ruiji.features.page",
    "ruiji.features.nodes",
    "ruiji.features.blocks",
    "ruiji.features",
    "ruiji.chunker.labels ruiji.chunker.mask ruiji.chunker.conventions ruiji.chunker.metrics "
    "ruiji.chunker.block_rules",
    "ruiji.chunker.document",
    "ruiji.chunker.annotation",
    "ruiji.chunker.decoding",
    "ruiji.chunker.stack",
    "ruiji.chunker.crf",
    "ruiji.chunker.unique",
    "ruiji.chunker.site",
    "ruiji.chunker.self_taught ruiji.chunker.filters",
    "ruiji.chunker.evaluation",
    "ruiji.chunker",
    "ruiji.detector.public_suffixes",
    "ruiji.detector.urls ruiji.detector.sites ruiji.detector.parquet ruiji.detector.stopwatch "
    "ruiji.detector.verdicts",
    "ruiji.detector.sentences",
    "ruiji.detector.gather",
    "ruiji.detector.pairs",
    "ruiji.detector.copies",
    "ruiji.detector.clean",
    "ruiji.detector.records.fields",
    "ruiji.detector.records.model",
    "ruiji.detector.records.markup",
    "ruiji.detector.records.things",
    "ruiji.detector.records.compare",
    "ruiji.detector.records",
    "ruiji.detector",
    "ruiji.terminal ruiji.words",
    "ruiji.progress ruiji.resume ruiji.document ruiji.corpus_documents ruiji.document_table ruiji.options "
    "ruiji.outcome ruiji.results ruiji.learning ruiji.page_writing ruiji.tables",
    "ruiji.report",
    "ruiji.front_door",
    "ruiji.web.foreign",
    "ruiji.web",
    "ruiji.web.annotate",
    "ruiji.web.review",
    "ruiji.commands",
    "ruiji",
)
# What each house may import from outside; a dependency that is not here has not been thought about.
OUTSIDE = {
    "corpora": {"fastwarc", "isal", "lxml", "orjson", "pyarrow", "resiliparse", "webencodings"},
    "features": {"fugashi", "numpy", "selectolax", "unidic_lite"},
    "chunker": {
        "joblib", "lightgbm", "numpy", "pandas", "pycrfsuite", "resiliparse", "scipy", "sklearn",
        "sklearn_crfsuite",
        "threadpoolctl",
    },
    "detector": {"duckdb", "numpy", "pyarrow", "pyspark", "xxhash"},
    "ruiji": {"duckdb", "jinja2", "numpy", "pyarrow", "selectolax", "starlette", "tinycss2", "tqdm",
        "uvicorn"},
}  # fmt: skip
MOST_MODULES = 16  # of a room: with more of them there is a second room in it


def module_name(path: Path) -> str:
    """The name by which a file of the repository is imported."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    parts = parts if parts[0] == "ruiji" else ("ruiji", *parts)
    return ".".join(parts).removesuffix(".__init__")


@cache
def modules() -> dict[str, Path]:
    return {module_name(path): path for house in HOUSES for path in sorted((ROOT / house).rglob("*.py"))}


def imports(path: Path) -> Iterator[str]:
    """The modules that a file imports; of ``from package import module``, the module."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path} imports relatively"
            for alias in node.names:
                module = f"{node.module}.{alias.name}"
                yield module if module in modules() else (node.module or "")


@cache
def place(module: str) -> int:
    """The number of the room that a module stands in."""
    fitting = [
        (len(name), number)
        for number, room in enumerate(ROOMS)
        for name in room.split()
        if module == name or module.startswith(f"{name}.")
    ]
    return max(fitting)[1]


def test_an_import_points_to_an_earlier_room_or_stays_in_its_own() -> None:
    wrong = [
        f"{name} imports {other}"
        for name, path in modules().items()
        for other in imports(path)
        if other.startswith("ruiji") and place(other) > place(name)
    ]
    assert not wrong


@pytest.mark.parametrize("room", ROOMS)
def test_every_room_that_is_listed_is_there(room: str) -> None:
    assert set(room.split()) <= modules().keys()


@pytest.mark.parametrize("house", HOUSES)
def test_a_house_imports_only_libraries_that_were_chosen_for_it(house: str) -> None:
    for name, path in modules().items():
        if path.relative_to(ROOT).parts[0] == house:
            top = {other.partition(".")[0] for other in imports(path)}
            assert top - {"ruiji"} - set(sys.stdlib_module_names) <= OUTSIDE[house], name


def test_no_package_uses_what_notebooks_benchmarks_or_tests_define() -> None:
    for name, path in modules().items():
        top = {other.partition(".")[0] for other in imports(path)}
        assert not top & {"benchmarks", "notebooks", "scripts", "tests"}, name


def test_nothing_but_ruiji_is_installed_and_every_room_is() -> None:
    listed = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["setuptools"][
        "packages"
    ]
    packages = {name for name, path in modules().items() if path.name == "__init__.py"}
    assert set(listed) == packages
    assert {name.partition(".")[0] for name in listed} == {"ruiji"}


def test_a_room_says_what_it_does() -> None:
    for name, path in modules().items():
        if path.name == "__init__.py":
            assert ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))), name


def test_a_room_is_no_crowd() -> None:
    folders = {path.parent for path in modules().values()}
    crowds = {str(folder): len(list(folder.glob("*.py"))) - 1 for folder in folders}
    assert not {folder for folder, number in crowds.items() if number > MOST_MODULES}
