"""The forms of annotated sets by name."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from ruiji.chunker.annotation.importers.cleaneval import read_cleaneval
from ruiji.chunker.annotation.importers.dragnet import read_dragnet
from ruiji.chunker.annotation.importers.l3s import read_l3s
from ruiji.chunker.annotation.importers.label_studio import read_label_studio
from ruiji.corpora.errors import SettingError
from ruiji.corpora.page import InputError, Page

LABEL_STUDIO = "label-studio"
FOLDERS: Mapping[str, Callable[[Path], Iterator[Page]]] = {
    "cleaneval": read_cleaneval, "dragnet": read_dragnet, "l3s": read_l3s,
}  # fmt: skip
SET_FORMATS = (*sorted(FOLDERS), LABEL_STUDIO)


@dataclass(frozen=True, slots=True)
class AnnotatedSets:
    """Sets of one form; ``label`` is what Label Studio calls content."""

    paths: tuple[Path, ...]
    set_format: str
    label: str = ""

    def __iter__(self) -> Iterator[Page]:
        for path in self.paths:
            pages = self._pages_of(path)
            first = next(pages, None)
            if first is None:
                raise InputError(f"{path}: holds no pages in the form {self.set_format}")
            yield first
            yield from pages

    def _pages_of(self, path: Path) -> Iterator[Page]:
        if self.set_format == LABEL_STUDIO:
            return read_label_studio(path, self.label)
        return FOLDERS[self.set_format](path)

    def files(self) -> Iterator[Path]:
        """Every file of the sets, so that none is written over."""
        for path in self.paths:
            if path.is_dir():
                yield from (file for file in path.rglob("*") if file.is_file())
            else:
                yield path


def annotated_sets(names: Sequence[str | Path], set_format: str, label: str = "") -> AnnotatedSets:
    """The sets that these folders or, of Label Studio, files hold. Raises InputError."""
    if label and set_format != LABEL_STUDIO:
        raise SettingError("‹label› needs ‹from=label-studio›")
    for path in map(Path, names):
        if set_format == LABEL_STUDIO and not path.is_file():
            raise InputError(f"{path}: there is no such file")
        if set_format != LABEL_STUDIO and not path.is_dir():
            raise InputError(f"{path}: there is no such folder")
    return AnnotatedSets(tuple(map(Path, names)), set_format, label)
