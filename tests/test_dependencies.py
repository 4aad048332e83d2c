"""What the packages import is declared, and no version is admitted that has a known advisory."""

from __future__ import annotations

import re
import sys
import tomllib
from collections.abc import Iterator
from functools import cache
from importlib.metadata import packages_distributions
from itertools import chain

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

from tests.paths import ROOT
from tests.test_architecture import imports, modules

NOT_INSTALLED = ("dev", "notebooks")  # extras that the packages do not import
# The first version without the advisory, also of those in what we do not call: a scanner does not know that.
MENDED = {
    "duckdb": "1.4.2",  # CVE-2025-64429
    "jinja2": "3.1.6",  # CVE-2025-27516
    "joblib": "1.2.0",  # CVE-2022-21797
    "lightgbm": "4.6.0",  # CVE-2024-43598
    "lxml": "6.1.0",  # CVE-2026-41066
    "orjson": "3.11.6",  # CVE-2025-67221
    "pyarrow": "23.0.1",  # CVE-2026-25087
    "pyspark": "4.0.1",  # CVE-2025-54920
    "scikit-learn": "1.5.0",  # CVE-2024-5206
    "starlette": "1.3.1",  # CVE-2025-62727 and those of 2026
    "tqdm": "4.66.3",  # CVE-2024-34062
}


@cache
def declared() -> dict[str, Requirement]:
    """The requirements of the package and of the extras that it imports."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"]
    named = chain(project["dependencies"], *(extras[name] for name in extras if name not in NOT_INSTALLED))
    return {canonicalize_name(one.name): one for one in map(Requirement, named)}


def outside() -> Iterator[tuple[str, str]]:
    """The third-party modules that are imported, and by what."""
    known = {"ruiji", *sys.stdlib_module_names}
    for name, path in modules().items():
        for other in imports(path):
            if (top := other.partition(".")[0]) not in known:
                yield top, name


def test_every_package_that_is_imported_is_declared() -> None:
    belongs = packages_distributions()
    undeclared = {
        f"{name} imports {top}"
        for top, name in outside()
        if not {canonicalize_name(one) for one in belongs.get(top, ())} & declared().keys()
    }
    assert not undeclared


def test_every_package_that_is_declared_is_used() -> None:
    belongs = packages_distributions()
    used = {canonicalize_name(one) for top, _ in outside() for one in belongs.get(top, ())}
    found = re.findall(
        r'find_spec\("(\w+)"\)', "".join(path.read_text(encoding="utf-8") for path in modules().values())
    )
    assert declared().keys() <= used | {canonicalize_name(name) for name in found}


@pytest.mark.parametrize("name", MENDED)
def test_no_version_with_a_known_advisory_is_admitted(name: str) -> None:
    (bound,) = (one.version for one in declared()[name].specifier if one.operator == ">=")
    assert Version(bound) >= Version(MENDED[name])
