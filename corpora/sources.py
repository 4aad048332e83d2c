"""Pages to go through, wherever they come from: each source can say whether it may be read twice, and stand
for itself in the signature of a run.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Protocol

from ruiji.corpora.page import Page
from ruiji.corpora.reading import read_pages, source_files

STANDARD_INPUT = "-"


class PageSource(Protocol):
    """Pages in a fixed order."""

    @property
    def names(self) -> Sequence[str]:
        """What the pages are called where a run describes itself: paths, for instance."""

    @property
    def repeatable(self) -> bool:
        """Whether the pages can be read a second time."""

    def __iter__(self) -> Iterator[Page]: ...

    def signature(self, settings: Mapping[str, object]) -> str:
        """What is equal only for a run with the same settings on the same pages; "" where nobody can say."""


@dataclass(frozen=True, slots=True)
class NamedPages:
    """The pages of files and folders, read anew each time; ``-`` is standard input."""

    names: tuple[str, ...]

    @property
    def repeatable(self) -> bool:
        return STANDARD_INPUT not in self.names

    def __iter__(self) -> Iterator[Page]:
        return read_pages(self.names)

    def signature(self, settings: Mapping[str, object]) -> str:
        """Of our version, the settings, and name, size and time of every file."""
        if not self.repeatable:
            return ""
        described = json.dumps([version("ruiji"), dict(settings), list(self.names)], sort_keys=True)
        digest = hashlib.sha256(described.encode())
        for path in self.files():
            stat = path.stat()
            digest.update(f"{path}\t{stat.st_size}\t{stat.st_mtime_ns}\n".encode("utf-8", "surrogateescape"))
        return digest.hexdigest()

    def files(self) -> Iterator[Path]:
        """Every file that is read."""
        for name in self.names:
            yield from source_files(name)


def named_pages(names: Iterable[str | Path]) -> NamedPages:
    """The pages that these files and folders hold. Raises InputError at once where one cannot be read."""
    source = NamedPages(tuple(str(name) for name in names))
    read_pages(source.names)
    return source
