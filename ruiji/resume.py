"""Where results go: standard output, a file that appears whole, or one that an interrupted run takes up
again.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, cast

from ruiji.corpora.files import final_path, partial_path
from ruiji.corpora.page import InputError
from ruiji.terminal import PrintableBytes


@contextmanager
def standard_output() -> Iterator[IO[bytes]]:
    """Standard output as bytes: as they are in a pipe or a file, made printable where a person looks."""
    if sys.stdout is None:
        raise InputError("standard output is closed; name a file with -o")
    stream = sys.stdout.buffer
    yield cast(IO[bytes], PrintableBytes(stream)) if sys.stdout.isatty() else stream
    stream.flush()


@dataclass(slots=True)
class ResumableLines:
    """A file of lines, one a page, that grows under another name and takes its own when all pages are in.

    ``done`` lines are there from an interrupted run with the same signature, ``failed`` of them with an
    error.
    """

    destination: Path
    signature: str
    done: int = 0
    failed: int = 0

    @property
    def _partial(self) -> Path:
        return partial_path(self.destination)

    @property
    def _note(self) -> Path:
        return self._partial.with_suffix(".run")

    @contextmanager
    def open(self) -> Iterator[IO[bytes]]:
        try:
            self.destination = final_path(self.destination)
            self.destination.parent.mkdir(parents=True, exist_ok=True)
            self._take_up()
            stream = self._partial.open("ab")
        except OSError as error:
            raise InputError(f"{self.destination}: cannot be written: {error.strerror}") from error
        with stream:
            yield stream
            stream.flush()
            os.fsync(stream.fileno())
        self._partial.replace(self.destination)
        self._note.unlink(missing_ok=True)

    def _take_up(self) -> None:
        """Counts the whole lines of an earlier run of the same kind and cuts off the rest; else starts
        anew.
        """
        same = self._note.is_file() and self._note.read_bytes() == self.signature.encode()
        if not (same and self._partial.is_file()):
            self._partial.unlink(missing_ok=True)
            self._note.write_text(self.signature)
            return
        whole = 0
        with self._partial.open("rb+") as stream:
            for line in stream:
                if not (line.startswith(b"{") and line.endswith(b"}\n")):  # or what a power cut has left
                    break
                whole += len(line)
                self.done += 1
                self.failed += b'"error": null' not in line
            stream.truncate(whole)
