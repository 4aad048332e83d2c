"""The forms of annotated sets by name."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from ruiji.chunker.annotation.importers.cleaneval import read_cleaneval
from ruiji.chunker.annotation.importers.dragnet import LABELS as DRAGNET_LABELS
from ruiji.chunker.annotation.importers.dragnet import read_dragnet
from ruiji.chunker.annotation.importers.l3s import LEVELS, read_l3s
from ruiji.chunker.annotation.importers.label_studio import read_label_studio
from ruiji.chunker.annotation.importers.marker_comments import CommentMarkers, read_marked
from ruiji.corpora.errors import SettingError
from ruiji.corpora.page import InputError, Page

LABEL_STUDIO = "label-studio"
FOLDERS: Mapping[str, Callable[..., Iterator[Page]]] = {
    "cleaneval": read_cleaneval, "dragnet": read_dragnet, "l3s": read_l3s,
}  # fmt: skip
COMMENTS = "comments"
# What the annotation of a set tells apart, by name: which of it is content may be chosen.
LABEL_SETS: Mapping[str, Sequence[str]] = {"dragnet": DRAGNET_LABELS, "l3s": LEVELS[1:]}
SET_FORMATS = (*sorted(FOLDERS), COMMENTS, LABEL_STUDIO)


@dataclass(frozen=True, slots=True)
class AnnotatedSets:
    """Sets of one form; ``labels`` are those that mean content, where the form has several, ``markers`` the
    comments of pages that carry them.
    """

    paths: tuple[Path, ...]
    set_format: str
    labels: tuple[str, ...] = ()
    markers: CommentMarkers | None = None

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
            return read_label_studio(path, self.labels)
        if self.markers is not None:
            return read_marked(path, self.markers)
        read = FOLDERS[self.set_format]
        return read(path, self.labels) if self.labels else read(path)

    def files(self) -> Iterator[Path]:
        """Every file of the sets, so that none is written over."""
        for path in self.paths:
            if path.is_dir():
                yield from (file for file in path.rglob("*") if file.is_file())
            else:
                yield path


def annotated_sets(
    names: Sequence[str | Path],
    set_format: str,
    labels: Sequence[str] = (),
    markers: CommentMarkers | None = None,
) -> AnnotatedSets:
    """The sets that these folders hold, or files where the form has no folder. Raises InputError."""
    if labels and set_format != LABEL_STUDIO:
        if set_format not in LABEL_SETS:
            raise SettingError("‹label› goes with ‹from=label-studio›, ‹from=l3s› or ‹from=dragnet›")
        if unknown := [label for label in labels if label not in LABEL_SETS[set_format]]:
            raise SettingError(
                f"{set_format} has no label {unknown[0]}; there are {', '.join(LABEL_SETS[set_format])}"
            )
    if (markers is not None) != (set_format == COMMENTS):
        raise SettingError("‹markers› goes with ‹from=comments›: what the comments at both ends say")
    for path in map(Path, names):
        if set_format == LABEL_STUDIO and not path.is_file():
            raise InputError(f"{path}: there is no such file")
        if set_format in FOLDERS and not path.is_dir():
            raise InputError(f"{path}: there is no such folder")
    return AnnotatedSets(tuple(map(Path, names)), set_format, tuple(labels), markers)
