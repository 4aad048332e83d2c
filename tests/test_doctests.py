"""The examples in docstrings run."""

from __future__ import annotations

import doctest
from importlib import import_module

import pytest

import ruiji
from tests.test_architecture import modules

WITH_EXAMPLES = sorted(name for name, path in modules().items() if ">>>" in path.read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", WITH_EXAMPLES)
def test_the_examples_of_a_module_run(name: str) -> None:
    result = doctest.testmod(import_module(name))
    assert result.attempted
    assert not result.failed


@pytest.mark.parametrize("name", [name for name in ruiji.__all__ if name != "__version__"])
def test_every_public_name_has_an_example(name: str) -> None:
    assert ">>>" in (getattr(ruiji, name).__doc__ or "")
