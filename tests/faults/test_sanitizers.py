"""The modules in C read no byte that is not theirs: a short run of ``benchmarks.hostile.sanitizers``."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from benchmarks.hostile import sanitizers

ROUNDS = int(os.environ.get("RUIJI_FAULT_ROUNDS", "60"))
SEED = int(os.environ.get("RUIJI_FAULT_SEED", "1"))
LACKING = sanitizers.missing()

pytestmark = pytest.mark.skipif(bool(LACKING), reason=f"{LACKING}: install gcc with its sanitizers")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("sanitized")
    sanitizers.build(folder)
    return folder


def test_mutated_pages_lines_and_models_break_no_rule_of_c(folder: Path) -> None:
    done = sanitizers.fuzzed(folder, ROUNDS, SEED)
    assert done.returncode == 0, done.stderr[-4000:]
    pages, modules = map(int, re.findall(r"(\d+) (?:of|modules)", done.stdout))
    assert modules == len(sanitizers.modules_in_c())
    assert pages > ROUNDS // 2


WRONG = """
#include <Python.h>
PyMODINIT_FUNC PyInit_wrong(void) {
    volatile char *bytes = malloc(4);
    volatile int place = 4;
    bytes[place] = 1;
    return NULL;
}
"""


def test_a_module_that_breaks_one_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "wrong.c").write_text(WRONG)
    monkeypatch.setattr(sanitizers, "modules_in_c", lambda: {"wrong": tmp_path / "wrong.c"})
    sanitizers.build(tmp_path)
    done = sanitizers.fuzzed(tmp_path, 1, SEED)
    assert done.returncode != 0
    assert "wrong.c:6" in done.stderr or "heap-buffer-overflow" in done.stderr
