"""The lines of a stream, none longer than it may be. Imports nothing of the project."""

from __future__ import annotations

from collections.abc import Iterator
from typing import IO, Any, cast

# At a time: lines of pages are long, and a reader of lines copies them piece by piece. Of a file that is cut
# off, what was unpacked with the end is lost: no more than a reader of lines would lose.
READ_BYTES = 1 << 16


def bounded_lines(stream: IO[bytes], longest: int, farthest: int) -> Iterator[bytes | None]:
    """Each line with its end; None for one of more than ``longest`` bytes, which is passed over.

    Raises what reading raises, after the lines before, and EOFError where a line goes on for ``farthest``
    bytes beyond that.

    >>> from io import BytesIO
    >>> list(bounded_lines(BytesIO(b"one\\ntwo and three\\nfour"), longest=5, farthest=20))
    [b'one\\n', None, b'four']
    """
    parts: list[bytes] = []
    size = 0
    while chunk := cast(Any, stream).read1(READ_BYTES):
        start = 0
        while start < len(chunk):
            end = chunk.find(b"\n", start) + 1
            piece = chunk[start : end or len(chunk)]
            if size <= longest < size + len(piece):
                parts = []
                yield None
            size += len(piece)
            if size > longest + farthest:
                raise EOFError("it does not end")
            if size <= longest:
                parts.append(piece)
            start += len(piece)
            if end:
                if parts:
                    yield b"".join(parts)
                parts, size = [], 0
    if parts:
        yield b"".join(parts)
