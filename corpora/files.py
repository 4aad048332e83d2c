"""Outputs: files that appear whole or not at all, each with one writer, and never over an input."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

from ruiji.corpora.page import InputError

PARTIAL_SUFFIX = ".partial"
LOCK_SUFFIX = ".lock"
WRITE_WITHOUT_EMPTYING = os.O_WRONLY | os.O_CREAT | getattr(os, "O_BINARY", 0)
# The file by which a folder is known that a command has written.
FOLDER_MARKS = {
    "detect": "pairs.parquet", "records": "records.parquet", "clean": "corpus.parquet", "index": "index.json",
    "train": "card.json", "evaluate": "kinds.parquet",
}  # fmt: skip


_locked: set[int] = set()  # the files that this process holds locked, as the system numbers them


class InUse(Exception):
    """Another process has the lock."""


def partial_path(destination: Path) -> Path:
    """Where a file grows before it takes its name."""
    return destination.with_name(f".{destination.name}{PARTIAL_SUFFIX}")


def final_path(destination: Path) -> Path:
    """The file that a name means: what a link points to. Raises IsADirectoryError for a folder."""
    real = real_path(destination)
    if real.is_dir():
        raise IsADirectoryError(errno.EISDIR, "is a folder", str(destination))
    return real


def real_path(path: Path) -> Path:
    """Where a name leads through links. Raises OSError where they lead in circles."""
    try:
        return path.resolve()
    except RuntimeError as error:  # Python before 3.13
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), str(path)) from error


def is_stream(destination: Path) -> bool:
    """Whether the name is that of a pipe or a device, which cannot be replaced and is written as it is."""
    return destination.exists() and not destination.is_file()


@contextmanager
def replacing(destination: Path) -> Iterator[IO[bytes]]:
    """A stream whose content takes the destination's name when the block ends well, and vanishes when it does
    not.

    Raises InputError where another process is writing the same.
    """
    destination = final_path(destination)
    if is_stream(destination):
        with destination.open("wb") as stream:
            yield stream
        return
    partial = partial_path(destination)
    destination.parent.mkdir(parents=True, exist_ok=True)
    with _alone(partial, destination) as stream:
        yield stream


@contextmanager
def _alone(partial: Path, destination: Path) -> Iterator[IO[bytes]]:
    """The partial file, empty, of which this process is the only writer; at the end it takes its name."""
    try:
        with locked(partial) as stream:
            try:
                stream.truncate(0)  # what a killed run has left
                yield stream
                stream.flush()
                os.fsync(stream.fileno())
                partial.replace(destination)
            except BaseException as error:
                if _is_file_at(stream, partial):  # it has not taken its name yet
                    partial.unlink(missing_ok=True)
                if isinstance(error, OSError) and not isinstance(error, BrokenPipeError):
                    error.filename = error.filename or str(destination)  # a failed write does not say it
                raise
    except InUse as error:
        raise _in_use(destination) from error


@contextmanager
def owned(destination: Path, inputs: Iterable[Path] = ()) -> Iterator[None]:
    """This process is the only one that writes a file, or into a folder, until the block ends.

    Raises InputError where another one is, where the file is among the inputs, or where the folder holds one.
    """
    refuse_inputs(destination, inputs)
    if is_stream(destination) and not destination.is_dir():
        yield
        return
    lock = _lock_path(destination)
    try:
        lock.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"{destination}: cannot be written: {error.strerror}") from error
    try:
        with locked(lock):
            try:
                yield
            finally:
                lock.unlink(missing_ok=True)
    except InUse as error:
        raise _in_use(destination) from error


def _in_use(destination: Path) -> InputError:
    return InputError(f"{destination}: another run is writing that; wait for it, or name another output")


def _lock_path(destination: Path) -> Path:
    real = real_path(destination)
    return real / LOCK_SUFFIX if real.is_dir() else real.with_name(f".{real.name}{LOCK_SUFFIX}")


def refuse_inputs(destination: Path, inputs: Iterable[Path]) -> None:
    """Raises InputError where a destination is one of the inputs, or a folder that holds one."""
    if not destination.exists() or (is_stream(destination) and not destination.is_dir()):
        return
    real = real_path(destination)
    for path in inputs:
        if real_path(path) == real or (path.exists() and path.samefile(real)):
            raise InputError(f"{destination}: is read as input; name another output")
        if real.is_dir() and real_path(path).is_relative_to(real):
            raise InputError(f"{destination}: holds the input {path}; name another folder")


def files_below(*names: str | Path | None) -> Iterator[Path]:
    """The files that these names stand for where they are read beside pages: a run, an index, a model."""
    for name in names:
        if name and Path(name).is_dir():
            yield from (path for path in Path(name).rglob("*") if path.is_file())


@contextmanager
def owned_folder(folder: Path, command: str) -> Iterator[None]:
    """The folder is there, and this process is the only one that writes into it until the block ends.

    Raises InputError where another one is, or where another command has written the folder.
    """
    refuse_foreign_folder(folder, command)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"{folder}: cannot be written: {error.strerror}") from error
    try:
        with owned(folder):
            yield
    finally:
        with suppress(OSError):  # it stays where there is anything in it
            folder.rmdir()


def refuse_foreign_folder(folder: Path, command: str) -> None:
    """Raises InputError where a folder holds what another command has written."""
    for other, mark in FOLDER_MARKS.items():
        own = FOLDER_MARKS.get(command)
        is_own = own is not None and (folder / own).is_file()
        if other != command and (folder / mark).is_file() and not is_own:
            raise InputError(f"{folder}: holds what ruiji {other} has written ({mark}); name another folder")


@contextmanager
def locked(path: Path) -> Iterator[IO[bytes]]:
    """Holds a lock on the file, which need not be there, and yields it open; whatever ends the process ends
    the lock, whether its workers live on or not. Raises InUse where another has it.
    """
    while True:
        with os.fdopen(os.open(path, WRITE_WITHOUT_EMPTYING, 0o666), "wb") as stream:
            try:
                _lock(stream)
            except OSError as error:
                raise InUse(str(path)) from error
            if _is_file_at(stream, path):
                _locked.add(stream.fileno())
                try:
                    yield stream
                finally:
                    _locked.discard(stream.fileno())
                return


def _let_go() -> None:
    """A copy of this process (a worker) gives up the locks that it was copied with: it may outlive its parent
    for a moment, in which the same command, run again, would find its output in use.
    """
    if _locked:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        for number in _locked:
            os.dup2(nowhere, number, inheritable=False)
        os.close(nowhere)
        _locked.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_let_go)


def _is_file_at(stream: IO[bytes], path: Path) -> bool:
    """Whether a file still has its name: who had the lock before may have removed it."""
    try:
        return os.path.samestat(os.fstat(stream.fileno()), path.stat())
    except FileNotFoundError:
        return False


def _lock(stream: IO[bytes]) -> None:
    if sys.platform == "win32":
        import msvcrt

        msvcrt.locking(stream.fileno(), msvcrt.LK_NBLCK, 1)
    else:
        import fcntl

        fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
