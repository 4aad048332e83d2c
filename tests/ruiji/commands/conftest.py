"""Annotated pages and a model of them, made once for all commands."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from ruiji.__main__ import main
from ruiji.chunker.annotation import loading
from ruiji.commands import extract
from ruiji.corpora import MINIWEB
from ruiji.corpora.pool import workers
from tests.ruiji.commands.annotated import QUICK, SITES


@pytest.fixture(scope="session")
def in_this_process() -> Iterator[None]:
    """Workers take seconds to start: one job works here, only several are processes of their own."""
    real = workers.map_pages

    def mapped(*given: Any, jobs: int, **options: Any) -> Iterator[Any]:
        return real(*given, jobs=jobs if jobs > 1 else 0, **options)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(extract, "PagePool", lambda jobs: workers.PagePool(jobs if jobs > 1 else 0))
        patch.setattr(loading, "map_pages", mapped)
        yield


@pytest.fixture(scope="session")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("annotated")
    for site in SITES:
        shutil.copytree(MINIWEB / site, folder / site)
    return folder


@pytest.fixture(scope="session")
def model(in_this_process: None, pages: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    destination = tmp_path_factory.mktemp("trained") / "model"
    assert main(["train", str(pages), "-o", str(destination), "-q", *QUICK]) == 0
    return destination
