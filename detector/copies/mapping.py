"""Files as arrays that are mapped, not read, and what is told when somebody else cuts one short meanwhile."""

from __future__ import annotations

import mmap
import weakref
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from ruiji.corpora.c_modules import compiled
from ruiji.detector.copies.texts import IndexRefused

_GUARD = "ruiji.detector.copies._mapped"


def mapped_array(path: Path, dtype: np.dtype[Any]) -> npt.NDArray[Any]:
    """A file as an array; a plain view of the mapping, because numpy's own memmap class costs on every
    access. What is cut off the file later reads as zeros, where the guard in C was built.
    """
    if not path.stat().st_size:
        return np.zeros(0, dtype=dtype)
    with path.open("rb") as stream:
        mapping = mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ)
    if (guard := compiled(_GUARD)) is not None:
        weakref.finalize(mapping, guard.forget, guard.guard(mapping)).atexit = False
    return np.frombuffer(mapping, dtype=dtype)


@contextmanager
def whole_files() -> Iterator[None]:
    """Raises IndexRefused where a mapped file was cut short while it was used in here."""
    guard = compiled(_GUARD)
    before = guard.lost() if guard else 0
    failed: Exception | None = None
    try:
        yield
    except Exception as error:
        failed = error
    if guard and guard.lost() != before:
        raise IndexRefused(
            "a file of the index was cut short while it was used; build the index again"
        ) from failed
    if failed:
        raise failed
