"""Writing the partial-copy index on disk: one folder of parts, named by a list that is replaced as a whole.

New documents go into new parts; parts of similar size are merged, as in a log-structured store, so that there
are few and adding never rebuilds everything. A document whose address is known takes the place of the one
before; only the parts that have such documents are written anew. Whatever moment a writer is killed at, the
list names whole parts only: those of before or those of after. What an interrupted writer had finished is
kept in a note, and the same writer goes on from there.
"""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Iterator, Mapping, Sequence, Set
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

from ruiji.corpora.files import InUse, locked, partial_path
from ruiji.detector.copies.contents import (
    LIST,
    LOCK,
    Contents,
    checksum_of,
    list_record,
    read_contents,
    read_list,
    write_list,
)
from ruiji.detector.copies.files import (
    Entry,
    PartWriter,
    documents_of,
    merged,
    open_part,
    part_without,
    whole_files,
)
from ruiji.detector.copies.suffixes import MAX_POSITIONS
from ruiji.detector.copies.texts import IndexRefused

NOTE = "unfinished.json"
PART_POSITIONS = (
    1 << 24
    # A part is closed at so many positions while documents come in: 640,000 documents of 25 segments, 0.5 GB
    # to sort
)
GROWTH = 4  # a part that is less than so many times as large as what came after it is merged with it


@contextmanager
def writing(
    folder: Path,
    settings: Mapping[str, Any],
    signature: str,
    anew: bool,
    part_positions: int = PART_POSITIONS,
    inputs: str = "",
) -> Iterator[Writer]:
    """A writer of the index in a folder, which alone may write; when the block ends well, what it was given
    is part of the index, in place of documents with the same addresses.

    ``anew`` replaces what is there. ``signature`` stands for the documents to come: where a writer with the
    same signature was interrupted, this one goes on, and its ``done`` says how many documents are there
    already. ``inputs`` is a digest of what the documents are made from, which the list keeps with the number
    of pages that failed. Raises IndexRefused.
    """
    if anew:
        _check_replaceable(folder)
        folder.mkdir(parents=True, exist_ok=True)
    else:
        read_contents(folder)
    with _alone(folder):
        before = Contents() if anew else read_contents(folder)
        base = replace(
            before, parts=(), parts_made=_parts_made(folder, before), settings=before.settings or settings
        )
        signature = hashlib.sha256(
            f"{signature} {checksum_of(list_record(before))} {part_positions}".encode()
        ).hexdigest()
        writer = Writer(folder, signature, base, part_positions)
        writer.take_up()
        try:
            with whole_files():
                yield writer
                contents = writer.finish(before.parts)
        finally:
            writer.abandon()
            _remove_traces(folder)
        if inputs:
            earlier = {} if writer.replaced else before.inputs
            contents = replace(contents, inputs={**earlier, inputs: writer.failed})
        folder.mkdir(exist_ok=True)
        write_list(folder / LIST, contents)
        (folder / NOTE).unlink(missing_ok=True)
        _remove_others(folder, contents.parts)


def remove_documents(folder: Path, urls: Set[str]) -> Set[str]:
    """Takes the documents of some addresses out of an index; returns those that it had. Raises
    IndexRefused.
    """
    read_contents(folder)
    with _alone(folder):
        before = read_contents(folder)
        writer = Writer(folder, "", replace(before, parts=(), parts_made=_parts_made(folder, before)), 0)
        with whole_files():
            contents = replace(before, parts=writer.without(before.parts, urls), inputs={})
        contents = replace(contents, parts_made=writer.parts_made)
        write_list(folder / LIST, contents)
        _remove_others(folder, contents.parts)
    return writer.replaced


def _check_replaceable(folder: Path) -> None:
    """Raises IndexRefused where the folder holds something else."""
    if folder.exists() and not folder.is_dir():
        raise IndexRefused(f"{folder}: a file is there; an index is a folder")
    ours = (LIST, NOTE, LOCK)
    if folder.is_dir() and any(folder.iterdir()) and not any((folder / name).is_file() for name in ours):
        raise IndexRefused(f"{folder}: the folder holds other files; name a new one for the index")


def _parts_made(folder: Path, contents: Contents) -> int:
    """How many parts were ever numbered; a new index in the place of an old one must not reuse the names of
    its parts.
    """
    made = contents.parts_made
    if (folder / LIST).is_file():
        try:
            made = max(made, read_list(folder / LIST).parts_made)
        except IndexRefused:  # it is about to be replaced
            made = max(
                [made, *(int(path.name[5:]) for path in folder.glob("part-*") if path.name[5:].isdecimal())]
            )
    return made


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    try:
        with locked(folder / LOCK):
            yield
    except InUse as error:
        raise IndexRefused(
            f"{folder}: another process is writing this index; wait until it is done"
        ) from error


def _remove_traces(folder: Path) -> None:
    """Removes a folder in which nothing came to be."""
    if not any((folder / name).exists() for name in (LIST, NOTE)) and not any(folder.glob("part-*")):
        (folder / LOCK).unlink(missing_ok=True)
        with suppress(OSError):
            folder.rmdir()


def _remove_others(folder: Path, parts: Sequence[Entry]) -> None:
    """Removes the parts that nobody names."""
    named = {part.folder for part in parts}
    for path in folder.glob("part-*"):
        if path.name not in named:
            shutil.rmtree(path, ignore_errors=True)
    for path in (partial_path(folder / LIST), partial_path(folder / NOTE)):
        path.unlink(missing_ok=True)


class Writer:
    """Takes documents and makes parts of them."""

    def __init__(self, folder: Path, signature: str, base: Contents, part_positions: int) -> None:
        self._folder, self._signature = folder, signature
        self._made, self._part_positions = base, part_positions
        self._open: PartWriter | None = None
        self.done = 0  # documents, failed pages included, of an interrupted writer
        self.failed = 0
        self.replaced: set[str] = set()  # addresses that the index had

    def take_up(self) -> None:
        """Goes on after an interrupted writer of the same documents; removes what any other left behind."""
        kept: tuple[Entry, ...] = ()
        if (self._folder / NOTE).is_file():
            try:
                note = read_list(self._folder / NOTE)
            except IndexRefused:
                note = Contents()
            if note.settings.get("signature") == self._signature:
                kept, self.done, self.failed = note.parts, note.settings["done"], note.settings["failed"]
                self._made = replace(self._made, parts=kept, parts_made=note.parts_made)
            else:
                (self._folder / NOTE).unlink()
        current = read_list(self._folder / LIST).parts if _usable(self._folder / LIST) else ()
        if current or not (self._folder / LIST).exists():
            _remove_others(self._folder, (*current, *kept))

    def add(self, url: str, text: str, digest: bytes, marks: bytes) -> None:
        """Adds a document with what ``digested`` made of it. Raises IndexRefused for one that no part can
        hold.
        """
        if len(marks) > MAX_POSITIONS:
            raise IndexRefused(f"{url}: a document of {len(marks)} segments is too large for an index")
        if self._open is not None and self._open.positions + len(marks) > self._part_positions:
            self._close()
        if self._open is None:
            self._open = PartWriter(self._next_folder())
        self._open.add(url, text, digest, marks)

    def seen(self, pages: int, failed: int) -> None:
        """Notes that so many pages are through, so that an interrupted run can be taken up at the last whole
        part.
        """
        self.done, self.failed = pages, failed

    @property
    def parts_made(self) -> int:
        """How many parts were ever numbered."""
        return self._made.parts_made

    def _next_folder(self) -> Path:
        self._made = replace(self._made, parts_made=self._made.parts_made + 1)
        return self._folder / f"part-{self._made.parts_made:06}"

    def _close(self) -> None:
        assert self._open is not None
        entry = self._open.close()
        self._open = None
        self._made = replace(self._made, parts=(*self._made.parts, entry))
        progress = {"signature": self._signature, "done": self.done, "failed": self.failed}
        write_list(self._folder / NOTE, replace(self._made, settings=progress))

    def finish(self, before: Sequence[Entry]) -> Contents:
        """All parts, those that were there first, merged where they are of similar size."""
        if self._open is not None:
            self._close()
        known = self.without(before, self._addresses()) if before else ()
        entries = (*known, *self._made.parts)
        parts = []
        for group in grouped([entry.positions for entry in entries]):
            members = [entries[number] for number in group]
            parts.append(
                members[0] if len(members) == 1 else merged(self._folder, members, self._next_folder())
            )
        return replace(self._made, parts=tuple(parts))

    def _addresses(self) -> Set[str]:
        parts = (open_part(self._folder, entry) for entry in self._made.parts)
        return {part.sources[number].url for part in parts for number in range(len(part.sources))} - {""}

    def without(self, entries: Sequence[Entry], urls: Set[str]) -> tuple[Entry, ...]:
        """The parts without the documents of some addresses: those that have one are written anew."""
        kept = []
        for entry in entries:
            gone = documents_of(open_part(self._folder, entry), urls)
            self.replaced |= set(gone.values())
            if gone and len(gone) < entry.documents:
                kept.append(part_without(self._folder, entry, gone.keys(), self._next_folder()))
            elif not gone:
                kept.append(entry)
        return tuple(kept)

    def abandon(self) -> None:
        """Lets go of a part that was not finished."""
        if self._open is not None:
            self._open.abandon()
            self._open = None


def grouped(sizes: Sequence[int]) -> list[range]:
    """Which neighbours to merge: from the last on, each that is not much larger than all after it, as far as
    a part can hold them.
    """
    groups: list[range] = []
    end = len(sizes)
    while end:
        start, total = end - 1, sizes[end - 1]
        while start and sizes[start - 1] < GROWTH * total and sizes[start - 1] + total <= MAX_POSITIONS:
            start -= 1
            total += sizes[start]
        groups.append(range(start, end))
        end = start
    return groups[::-1]


def _usable(path: Path) -> bool:
    try:
        read_list(path)
    except (IndexRefused, OSError):
        return False
    return True
