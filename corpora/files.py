"""Files that appear whole or not at all, and folders that one process writes at a time."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

PARTIAL_SUFFIX = ".partial"


class InUse(Exception):
    """Another process has the lock."""


def partial_path(destination: Path) -> Path:
    """Where a file grows before it takes its name."""
    return destination.with_name(f".{destination.name}{PARTIAL_SUFFIX}")


def final_path(destination: Path) -> Path:
    """The file that a name means: what a link points to. Raises IsADirectoryError for a folder."""
    real = destination.resolve()
    if real.is_dir():
        raise IsADirectoryError(errno.EISDIR, "is a folder", str(destination))
    return real


def is_stream(destination: Path) -> bool:
    """Whether the name is that of a pipe or a device, which cannot be replaced and is written as it is."""
    return destination.exists() and not destination.is_file()


@contextmanager
def replacing(destination: Path) -> Iterator[IO[bytes]]:
    """A stream whose content takes the destination's name when the block ends well, and vanishes when it does
    not.
    """
    destination = final_path(destination)
    if is_stream(destination):
        with destination.open("wb") as stream:
            yield stream
        return
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


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Holds a lock on the file, which need not be there; whatever ends the process ends the lock. Raises
    InUse where another has it.
    """
    with path.open("ab") as stream:
        try:
            _lock(stream)
        except OSError as error:
            raise InUse(str(path)) from error
        yield


def _lock(stream: IO[bytes]) -> None:
    if sys.platform == "win32":
        import msvcrt

        msvcrt.locking(stream.fileno(), msvcrt.LK_NBLCK, 1)
    else:
        import fcntl

        fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
