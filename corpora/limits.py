"""What one page, line, record or cell may take, and reading that keeps to it: a stranger's file of some
megabytes must not cost gigabytes.
"""

from __future__ import annotations

import gzip
import zlib
from pathlib import Path
from typing import IO, Any, cast

try:  # unpacks in less than half the time; where it is not installed, zlib does
    from isal import igzip, isal_zlib

    _gzip, _zlib = cast(Any, igzip), cast(Any, isal_zlib)
except ImportError:
    _gzip, _zlib = cast(Any, gzip), cast(Any, zlib)

# Bytes of a page as it comes, unpacked. The largest single pages that people publish (the HTML standard,
# whole books) have about 15 MB; the parser reads no more, and a worker takes up to thirty times as much.
PAGE_BYTES = 32 << 20
# Bytes of a line of JSON: escapes make a page longer, and parsed JSON takes up to twenty times as much
# memory.
LINE_BYTES = 64 << 20
LINE_VALUES = 1 << 21  # lists, objects or strings in a line; a page with its fields has dozens
# Bytes of XML that make one page of standard format: the tree takes up to forty times as much.
XML_BYTES = 16 << 20
# Pages that any file may have, and packed bytes that each further one takes at least. Of the files of $DATA
# none has fewer than 760 bytes a page.
PAGES_OF_ANY_FILE, LEAST_PACKED_PAGE = 100_000, 16
UNPACKED_SHARE = 100  # how many times its packed size a file or column may have; pages pack to a tenth or so
SMALL_UNPACKED = 2 * PAGE_BYTES  # whatever it is packed to (decision 128)

# How many times its packed size what is unpacked at once may have, where it is not small: the reader of
# Parquet holds it four times (810 MB took 3.5 GB). Groups of pages in $DATA pack to a fourth at most.
AT_ONCE_SHARE = 20

GZIP_OR_ZLIB = 47  # zlib's window bits for either header
RAW_DEFLATE = -15


# What reading an input can raise: it is not there, breaks off, or is damaged.
READING_ERRORS: tuple[type[Exception], ...] = (OSError, EOFError, zlib.error, _zlib.error)


class TooLarge(ValueError):
    """Something is larger than one page may be; the message says what and how large."""


def megabytes(size: int) -> str:
    """A size as messages have it."""
    return f"{size / (1 << 20):g} MB"


def open_file(path: Path) -> IO[bytes]:
    """The bytes of a file, unpacked where its name ends in .gz."""
    if path.name.lower().endswith(".gz"):
        return cast(IO[bytes], _gzip.open(path, "rb"))
    return path.open("rb")


def read_page_bytes(stream: IO[bytes]) -> bytes:
    """All that the stream holds. Raises TooLarge where that is more than a page may be."""
    body = stream.read(PAGE_BYTES + 1)
    if len(body) > PAGE_BYTES:
        raise TooLarge(f"more than {megabytes(PAGE_BYTES)}")
    return body


def unpack(body: bytes, window_bits: int) -> bytes:
    """The bytes of all gzip members. Raises TooLarge beyond the size of a page, EOFError where the last
    member is cut, zlib.error where one is damaged.
    """
    pieces: list[bytes] = []
    left = PAGE_BYTES
    while body:
        member = zlib.decompressobj(window_bits)
        piece = member.decompress(body, left + 1)
        left -= len(piece)
        if left < 0:
            raise TooLarge(f"more than {megabytes(PAGE_BYTES)} unpacked")
        pieces.append(piece)
        if not member.eof:
            raise EOFError("its packed body breaks off")
        body = member.unused_data if member.unused_data.startswith(b"\x1f\x8b") else b""
    return b"".join(pieces)


def most_pages(packed: int) -> int:
    """How many pages a file of so many bytes may have: three kilobytes of gzip can hold millions."""
    return PAGES_OF_ANY_FILE + packed // LEAST_PACKED_PAGE


def most_unpacked(packed: int) -> int:
    """How many bytes all that comes of so many may have."""
    return max(SMALL_UNPACKED, UNPACKED_SHARE * packed)


def most_at_once(packed: int) -> int:
    """How many bytes may have to be in memory together for so many packed ones."""
    return max(SMALL_UNPACKED, AT_ONCE_SHARE * packed)


class PageStream:
    """A stream that raises TooLarge after so many bytes without the start of a new page."""

    def __init__(self, stream: IO[bytes], most: int) -> None:
        self._stream, self._most, self._left = stream, most, most

    def start_page(self) -> None:
        """Counts from here."""
        self._left = self._most

    def read(self, size: int = -1) -> bytes:
        data = self._stream.read(size)
        self._left -= len(data)
        if self._left < 0:
            raise TooLarge(f"more than {megabytes(self._most)} of XML for one page")
        return data
