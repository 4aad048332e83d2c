"""A part of a copy index as files: raw little-endian arrays that are mapped, never read, and packed texts.

Files are written once, under a folder that no index names yet, and forced to disk before one does.
"""

from __future__ import annotations

import mmap
import os
import shutil
import weakref
import zlib
from collections.abc import Iterator, Mapping, Sequence, Set
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from ruiji.corpora.c_modules import compiled
from ruiji.detector.copies.fingerprints import HashArray
from ruiji.detector.copies.part import IndexPart, host_counts, host_number
from ruiji.detector.copies.suffixes import MAX_POSITIONS, Suffixes, sort_suffixes
from ruiji.detector.copies.texts import BLOCK, BlockArray, IndexRefused, PackedSources, TextWriter

SEARCHED = ("digest", "order", "table", "chunks", "first", "host", "hosts", "host_sources")
_BLOCKS, _BLOCK_FIRST = (
    "blocks",
    "block_first",
)  # the second is a column of the first by itself, for searching
_CHECK_BYTES = 1 << 22  # read at once for a checksum
_GUARD = "ruiji.detector.copies._mapped"


@dataclass(frozen=True, slots=True)
class Entry:
    """What an index knows of a part: its folder, its size, and of each file the size and the CRC-32."""

    folder: str
    documents: int
    positions: int
    files: Mapping[str, tuple[int, int]]

    def text_files(self) -> list[str]:
        """The files of texts by number, as blocks name them: text-2 before text-10."""
        names = (name for name in self.files if name.startswith("text-"))
        return sorted(names, key=lambda name: int(name.removeprefix("text-")))

    def searched_bytes(self) -> int:
        """The size of the arrays that a query touches."""
        return sum(self.files[name][0] for name in SEARCHED)


@dataclass(slots=True)
class PartWriter:
    """A part that grows: texts go to disk at once, digests when it is closed."""

    folder: Path
    documents: int = 0
    positions: int = 0
    _digests: list[bytes] = field(default_factory=list)
    _marks: list[bytes] = field(default_factory=list)
    _first: list[int] = field(default_factory=list)
    _hosts: list[int] = field(default_factory=list)
    _texts: Any = None
    _stream: Any = None

    def add(self, url: str, text: str, digest: bytes, marks: bytes) -> None:
        """Adds a document with its digest."""
        if self._stream is None:
            self.folder.mkdir(parents=True)
            self._stream = (self.folder / "text-0").open("wb")
            self._texts = TextWriter(self._stream)
        self._texts.add(url, text)
        self._first.append(self.positions)
        self._hosts.append(host_number(url))
        self._digests.append(digest)
        self._marks.append(marks)
        self.documents += 1
        self.positions += len(marks)

    def close(self) -> Entry:
        """Sorts, writes, and forces everything to disk."""
        blocks = self._texts.close()
        self._stream.close()
        digest = np.frombuffer(b"".join(self._digests), dtype=np.uint32)
        marks = np.frombuffer(b"".join(self._marks), dtype=np.uint8)
        self._digests, self._marks = [], []
        first, host = np.array(self._first, dtype=np.uint32), np.array(self._hosts, dtype=np.uint32)
        return _written(self.folder, digest, marks, first, host, blocks)

    def abandon(self) -> None:
        """Removes what was written."""
        if self._stream is not None:
            self._stream.close()
        shutil.rmtree(self.folder, ignore_errors=True)


def _written(
    folder: Path,
    digest: HashArray,
    marks: npt.NDArray[np.uint8],
    first: npt.NDArray[np.uint32],
    host: npt.NDArray[np.uint32],
    blocks: BlockArray,
) -> Entry:
    """The entry of a folder that has its text files already."""
    suffixes = sort_suffixes(digest, marks)
    hosts, host_sources = host_counts(host)
    arrays: dict[str, npt.NDArray[Any]] = {
        "digest": suffixes.digest, "order": suffixes.order, "table": suffixes.table,
        "chunks": suffixes.chunks,
        "first": first, "host": host, "hosts": hosts, "host_sources": host_sources,
        _BLOCKS: blocks, _BLOCK_FIRST: np.ascontiguousarray(blocks["first"]),
    }  # fmt: skip
    for name, array in arrays.items():
        with (folder / name).open("wb") as stream:
            array.astype(array.dtype.newbyteorder("<"), copy=False).tofile(stream)
    files = {}
    for path in sorted(folder.iterdir()):
        with path.open("rb") as stream:
            os.fsync(stream.fileno())
        files[path.name] = (path.stat().st_size, checksum(path))
    sync_folder(folder)
    return Entry(folder.name, len(first), len(digest), files)


def merged(root: Path, entries: Sequence[Entry], folder: Path) -> Entry:
    """A new part with the documents of several, in order; text files are shared by links where the file
    system has them.

    Raises IndexRefused where one of them is damaged: an error must not spread.
    """
    digests, marks, firsts, hosts, blocks = [], [], [], [], []
    positions = documents = files = 0
    folder.mkdir(parents=True)
    for entry in entries:
        verify(root, entry, texts=False)
        part = open_part(root, entry)
        digests.append(np.array(part.suffixes.digest))
        marks.append(part.suffixes.marks())
        firsts.append(np.asarray(part.first) + np.uint32(positions))
        hosts.append(np.asarray(part.host))
        own = np.array(mapped_array(root / entry.folder / _BLOCKS, BLOCK))
        own["first"] += documents
        own["file"] += files
        blocks.append(own)
        for name in entry.text_files():
            _link(root / entry.folder / name, folder / f"text-{files}")
            files += 1
        positions += entry.positions
        documents += entry.documents
    columns = (np.concatenate(column) for column in (digests, marks, firsts, hosts, blocks))
    return _written(folder, *columns)


def documents_of(part: IndexPart, urls: Set[str]) -> dict[int, str]:
    """The documents that have one of the addresses, by number; only those of the same hosts are read."""
    hosts = np.array(sorted({host_number(url) for url in urls}), dtype=np.uint32)
    near = np.flatnonzero(np.isin(np.asarray(part.host), hosts)).tolist()
    known = ((number, part.sources[number].url) for number in near)
    return {number: url for number, url in known if url in urls}


def part_without(root: Path, entry: Entry, gone: Set[int], folder: Path) -> Entry:
    """A new part with the documents of one, without those of some numbers.

    Raises IndexRefused where it is damaged.
    """
    verify(root, entry, texts=False)
    part = open_part(root, entry)
    digest, marks = np.asarray(part.suffixes.digest), part.suffixes.marks()
    borders = [*np.asarray(part.first).tolist(), entry.positions]
    writer = PartWriter(folder)
    for number, (start, end) in enumerate(pairwise(borders)):
        if number not in gone:
            source = part.sources[number]
            writer.add(source.url, source.text, digest[start:end].tobytes(), marks[start:end].tobytes())
    return writer.close()


def _link(source: Path, destination: Path) -> None:
    try:
        os.link(source, destination)
    except OSError:  # a file system without links
        shutil.copyfile(source, destination)


def open_part(root: Path, entry: Entry, in_memory: bool = False) -> IndexPart:
    """The part, mapped or read into memory. Raises IndexRefused where a file is missing or has another size
    than it should.
    """
    folder = root / entry.folder
    for name, (size, _) in entry.files.items():
        path = folder / name
        if not path.is_file():
            raise IndexRefused(f"{path}: missing; build the index again")
        if path.stat().st_size != size:
            raise IndexRefused(
                f"{path}: damaged ({path.stat().st_size} bytes instead of {size}); build the index again"
            )
    array = _read_array if in_memory else mapped_array
    arrays = {name: array(folder / name, np.dtype("u1" if name == "chunks" else "<u4")) for name in SEARCHED}
    blocks, block_first = array(folder / _BLOCKS, BLOCK), array(folder / _BLOCK_FIRST, np.dtype("<u4"))
    sources = PackedSources(
        [folder / name for name in entry.text_files()], blocks, block_first, entry.documents
    )
    suffixes = Suffixes(arrays["digest"], arrays["order"], arrays["table"], arrays["chunks"])
    return IndexPart(
        suffixes, arrays["first"], arrays["host"], arrays["hosts"], arrays["host_sources"], sources
    )


def check_sizes(entry: Entry) -> None:
    """Raises ValueError where the sizes of a part's files do not go with the number of its documents and
    positions, or a file is missing.
    """
    size = {name: own for name, (own, _) in entry.files.items()}
    missing = {*SEARCHED, _BLOCKS, _BLOCK_FIRST} - size.keys()
    if missing:
        raise ValueError(f"a part has no {min(missing)}")
    slots = size["table"] // 4 - 1
    fits = (
        size["digest"] == 4 * entry.positions <= 4 * MAX_POSITIONS
        and size["order"] <= size["digest"] and size["order"] % 4 == 0
        and size["table"] % 4 == 0 and slots > 0 and slots & (slots - 1) == 0
        and size["chunks"] & (size["chunks"] - 1) == 0
        and size["first"] == size["host"] == 4 * entry.documents
        and size["hosts"] == size["host_sources"] <= size["host"] and size["hosts"] % 4 == 0
        and size[_BLOCKS] % BLOCK.itemsize == 0
        and size[_BLOCK_FIRST] * BLOCK.itemsize == 4 * size[_BLOCKS]
    )  # fmt: skip
    if not fits:
        raise ValueError("the files of a part do not go together")


def _read_array(path: Path, dtype: np.dtype[Any]) -> npt.NDArray[Any]:
    """A file as an array of its own, which nobody can cut short."""
    return np.frombuffer(path.read_bytes(), dtype=dtype)


def verify(root: Path, entry: Entry, texts: bool = True) -> None:
    """Reads every file and compares checksums. Raises IndexRefused naming the first that is damaged."""
    for name, (_, expected) in entry.files.items():
        if (texts or not name.startswith("text-")) and checksum(root / entry.folder / name) != expected:
            raise IndexRefused(
                f"{root / entry.folder / name}: damaged (its checksum is another); build the index again"
            )


def checksum(path: Path) -> int:
    """The CRC-32 of a file."""
    value = 0
    with path.open("rb") as stream:
        while chunk := stream.read(_CHECK_BYTES):
            value = zlib.crc32(chunk, value)
    return value


def sync_folder(folder: Path) -> None:
    """Forces the names in a folder to disk, where the system can."""
    if os.name == "nt":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


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
