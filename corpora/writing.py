"""Files that appear whole or not at all."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

PARTIAL_SUFFIX = ".partial"


def partial_path(destination: Path) -> Path:
    """Where a file grows before it takes its name."""
    return destination.with_name(f".{destination.name}{PARTIAL_SUFFIX}")


@contextmanager
def replacing(destination: Path) -> Iterator[IO[bytes]]:
    """A stream whose content takes the destination's name when the block ends well, and vanishes when it does not."""
    partial = partial_path(destination)
    destination.parent.mkdir(parents=True, exist_ok=True)
    try:
        with partial.open("wb") as stream:
            yield stream
            stream.flush()
            os.fsync(stream.fileno())
        partial.replace(destination)
    except BaseException:
        partial.unlink(missing_ok=True)
        raise
