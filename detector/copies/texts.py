"""The texts of sources on disk, to check matches on: packed in blocks, each with a checksum, read one block
at a time.

This is not part of what is searched. A block holds some documents, url and text in UTF-8, packed with
Zstandard: Japanese prose takes about as many bytes as it has characters.
"""

from __future__ import annotations

import os
import weakref
import zlib
from collections import OrderedDict
from collections.abc import Sequence
from itertools import accumulate, pairwise
from pathlib import Path
from typing import IO

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from ruiji.corpora.page import InputError
from ruiji.detector.copies.part import SourceText

BLOCK_BYTES = 8 << 10  # before packing; more packs better, and every match then unpacks more
_BLOCKS_KEPT = 64  # unpacked, for sources that are matched again and again
_BYTES_KEPT = 64 << 20
MOST_BLOCK = (
    256 << 20
)  # bytes of a block: one page of the largest size, in the longest form of its characters
_CODEC = "zstd"

BLOCK = np.dtype(
    [
        ("file", "<u4"),
        ("first", "<u4"),
        ("offset", "<u8"),
        ("packed", "<u4"),
        ("size", "<u4"),
        ("checksum", "<u4"),
        ("unused", "<u4"),
    ]
)  # the number of the file and of the block's first document, where the block is, and its CRC-32
BlockArray = npt.NDArray[np.void]


class IndexRefused(InputError):
    """An index that cannot be used; the message is one sentence for the user."""


class TextWriter:
    """Writes documents into a file, block by block."""

    def __init__(self, stream: IO[bytes]) -> None:
        self._stream = stream
        self._codec = pa.Codec(_CODEC)
        self._waiting: list[bytes] = []
        self._size = 0
        self._offset = 0
        self._documents = 0
        self._blocks: list[tuple[int, int, int, int, int, int, int]] = []

    def add(self, url: str, text: str) -> None:
        """Adds a document."""
        for part in (url, text):
            encoded = part.encode("utf-8", "surrogatepass")
            self._waiting.append(encoded)
            self._size += len(encoded)
        if self._size >= BLOCK_BYTES:
            self._flush()

    def close(self) -> BlockArray:
        """Writes what is left; returns the blocks."""
        self._flush()
        return np.array(self._blocks, dtype=BLOCK)

    def _flush(self) -> None:
        if not self._waiting:
            return
        lengths = np.array([len(self._waiting) // 2, *map(len, self._waiting)], dtype="<u4")
        block = lengths.tobytes() + b"".join(self._waiting)
        packed = self._codec.compress(block, asbytes=True)
        self._stream.write(packed)
        self._blocks.append(
            (0, self._documents, self._offset, len(packed), len(block), zlib.crc32(packed), 0)
        )
        self._documents += len(self._waiting) // 2
        self._offset += len(packed)
        self._waiting, self._size = [], 0


class PackedSources:
    """The documents of a part by number, from its text files."""

    def __init__(
        self, files: Sequence[Path], blocks: BlockArray, first: npt.NDArray[np.uint32], documents: int
    ) -> None:
        self._files, self._blocks, self._first, self._documents = files, blocks, first, documents
        self._codec = pa.Codec(_CODEC)
        # Read, not mapped: of a file that somebody cuts short meanwhile a mapping ends the process.
        self._open = [_opened(path, self) for path in files]
        self._kept: OrderedDict[int, tuple[bytes, list[int]]] = OrderedDict()
        self._kept_bytes = 0

    def __len__(self) -> int:
        return self._documents

    def __getitem__(self, number: int, /) -> SourceText:
        block = (
            int(self._first.searchsorted(np.uint32(number), side="right")) - 1
        )  # with another type it would copy the array
        content, borders = self._read(block)
        at = 2 * (number - int(self._first[block]))
        url, text = (content[a:b].decode("utf-8", "surrogatepass") for a, b in pairwise(borders[at : at + 3]))
        return SourceText(url, text)

    def _read(self, number: int) -> tuple[bytes, list[int]]:
        """A block, and where each url and each text begins in it."""
        if number in self._kept:
            self._kept.move_to_end(number)
            return self._kept[number]
        file, first, offset, packed_size, size, checksum, _ = self._blocks[number].tolist()
        if file >= len(self._open) or max(size, packed_size) > MOST_BLOCK:
            raise IndexRefused(f"the index is damaged (the block of document {first}); build it again")
        try:
            packed = os.pread(self._open[file], packed_size, offset)
        except (OSError, OverflowError) as error:
            raise IndexRefused(f"{self._files[file]}: cannot be read: {error}") from error
        if zlib.crc32(packed) != checksum:
            raise IndexRefused(
                f"{self._files[file]}: damaged (the block of document {first} has another checksum); build "
                "the index again"
            )
        try:
            block = self._codec.decompress(packed, size, asbytes=True)
            count = int(np.frombuffer(block, dtype="<u4", count=1)[0])
            lengths = np.frombuffer(block, dtype="<u4", count=2 * count, offset=4).tolist()
        except (ValueError, OSError, pa.ArrowException) as error:
            raise IndexRefused(
                f"{self._files[file]}: damaged (the block of document {first}: {error}); build the index "
                "again"
            ) from error
        self._kept[number] = block, list(accumulate(lengths, initial=4 + 8 * count))
        self._kept_bytes += len(block)
        while len(self._kept) > _BLOCKS_KEPT or (len(self._kept) > 1 and self._kept_bytes > _BYTES_KEPT):
            oldest, _ = self._kept.popitem(last=False)[1]
            self._kept_bytes -= len(oldest)
        return self._kept[number]


def _opened(path: Path, owner: object) -> int:
    """The number of an open file, which is closed when its owner is gone."""
    number = os.open(path, os.O_RDONLY | getattr(os, "O_CLOEXEC", 0))
    weakref.finalize(owner, os.close, number)
    return number
