"""The door of the chunker: estimators by name, and nothing heavy at import."""

from __future__ import annotations

import subprocess
import sys

import pytest

import ruiji.chunker

ESTIMATORS = ("CrfChunker", "SvmChunker", "UniquenessExtractor", "SelfTaughtChunker", "AllContent")


@pytest.mark.parametrize("name", ruiji.chunker.__all__)
def test_every_public_name_is_there(name: str) -> None:
    assert getattr(ruiji.chunker, name) is not None


def test_importing_the_chunker_does_not_import_scikit_learn() -> None:
    code = (
        "import sys, ruiji.chunker; print([name for name in ('sklearn', 'scipy', 'lightgbm') if name in "
        "sys.modules])"
    )
    output = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert output.strip() == "[]"


@pytest.mark.parametrize("name", ESTIMATORS)
def test_estimators_can_be_imported_by_name(name: str) -> None:
    assert getattr(ruiji.chunker, name).__name__ == name
