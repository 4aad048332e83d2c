"""The pages of a folder as files: which there are, and how one is read."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from ruiji.corpora.page import Page
from ruiji.corpora.reading import URL_LIST, page_from_file, source_files, url_list, url_of_path
from ruiji.web.safety import OutsideFolder, confined


@dataclass(frozen=True, slots=True)
class PageFile:
    """A file of the folder and what the list of addresses says of it."""

    folder: Path
    name: str
    path: Path
    url: str
    last_modified: str = ""

    @property
    def saved_name(self) -> str:
        """Where it is saved in the annotator's folder; packed pages are unpacked."""
        return self.name.removesuffix(".gz").removesuffix(".GZ")

    def size(self) -> int:
        """Its size in bytes; 0 where it has gone."""
        try:
            return self.path.stat().st_size
        except OSError:
            return 0

    def leads_out(self) -> bool:
        """Whether it is a link to somewhere outside of the folder."""
        try:
            confined(self.folder, self.path)
        except OutsideFolder:
            return True
        return False

    def read(self) -> Page:
        """The page as it is in the folder now."""
        if self.leads_out():
            return Page(self.name, self.url, error=f"{self.path}: leads out of {self.folder}")
        return page_from_file(self.path, self.name, self.url, self.last_modified)


def page_files(folder: Path, out: Path) -> Iterator[PageFile]:
    """The pages of the folder, without those that lie in the annotators' own."""
    listed = url_list(folder)
    annotators = out.parent.resolve()
    is_apart = annotators != folder.resolve()
    for path in source_files(str(folder)):
        if path == folder / URL_LIST or (is_apart and path.resolve().is_relative_to(annotators)):
            continue
        name = path.relative_to(folder).as_posix()
        url, last_modified = listed.get(name) or (url_of_path(name), "")
        yield PageFile(folder, name, path, url, last_modified)
