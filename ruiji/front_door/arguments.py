"""What the calls on a collection of pages make of their arguments."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from ruiji.chunker.fitting import learns_from_pages
from ruiji.chunker.masking import MaskSettings
from ruiji.corpora.sources import PageSource, page_source, repeatable_source


def source_for(masks: MaskSettings, pages: Any) -> PageSource:
    """The pages, so that they can be read twice where the filter wants to."""
    source = page_source(pages)
    return repeatable_source(source) if learns_from_pages(masks) else source


def given(**settings: Any) -> dict[str, Any]:
    """The settings that the caller has made; the others have the defaults of the command line."""
    return {name: value for name, value in settings.items() if value is not None}


def jobs_or_cores(jobs: int | None) -> int:
    return (os.cpu_count() or 1) if jobs is None else jobs


@contextmanager
def folder_for(out: str | Path | None) -> Iterator[Path]:
    """The folder for results: as asked for, or one that is gone afterwards."""
    if out is not None:
        yield Path(out)
        return
    with TemporaryDirectory(prefix="ruiji-") as folder:
        yield Path(folder)
