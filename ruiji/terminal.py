r"""The streams of a process, and foreign text on them: what a terminal would obey is made visible instead.

>>> printable("title\x1b]0;owned\x07")
'title\\x1b]0;owned\\x07'
"""

from __future__ import annotations

import codecs
import io
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout, suppress
from typing import Any, BinaryIO, TextIO

STANDARD_STREAMS = (0, 1, 2)
_LINE_BREAKS = frozenset("\n\t")
# C0 and C1 control characters start escape sequences (ECMA-48); the others end a line or turn the
# direction of writing, so that an address looks like another one (Unicode UAX 9, explicit directional
# formatting).
_OBEYED = frozenset(
    chr(code)
    for codes in (
        range(0x20),
        range(0x7F, 0xA0),
        (0x61C,),
        range(0x200E, 0x2010),
        range(0x2028, 0x202F),
        range(0x2066, 0x206A),
    )
    for code in codes
)
_VISIBLE_IN_LINE = {ord(character): ascii(character)[1:-1] for character in _OBEYED}
_VISIBLE_IN_TEXT = {code: shown for code, shown in _VISIBLE_IN_LINE.items() if chr(code) not in _LINE_BREAKS}


def printable(text: str) -> str:
    """The text on one line: an address, a title, a name of a file."""
    return text.translate(_VISIBLE_IN_LINE)


def printable_text(text: str) -> str:
    """The text with its line breaks and tabs."""
    return text.translate(_VISIBLE_IN_TEXT)


class PrintableText(io.TextIOBase):
    """A stream of text for a person: what is written to it is made printable. Its ``buffer`` is that of the
    stream beneath, unchanged, for results that are data.
    """

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        self._stream.write(printable_text(text))
        return len(text)

    def flush(self) -> None:
        self._stream.flush()

    def isatty(self) -> bool:
        return self._stream.isatty()

    def fileno(self) -> int:
        return self._stream.fileno()

    def writable(self) -> bool:
        return True

    @property
    def buffer(self) -> BinaryIO:
        return self._stream.buffer


class PrintableBytes(io.RawIOBase):
    """A stream of UTF-8 for results that a person looks at: they are made printable on the way."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")

    def write(self, data: Any) -> int:
        size = memoryview(data).nbytes
        self._stream.write(printable_text(self._decoder.decode(bytes(data))).encode("utf-8", "replace"))
        return size

    def flush(self) -> None:
        self._stream.flush()

    def writable(self) -> bool:
        return True


@contextmanager
def printable_output() -> Iterator[None]:
    """Whatever is printed in it is made printable, whichever command prints it; nothing where there is no
    standard output.
    """
    if sys.stdout is None:
        yield
        return
    with redirect_stdout(PrintableText(sys.stdout)):
        yield


def open_streams() -> None:
    """Takes the places of closed streams, so that no file gets their numbers and with them what libraries
    write there, and lets messages that cannot be written go.

    ``sys.stdout`` and ``sys.stdin`` stay None where they were closed: whoever needs one says so.
    """
    for number in STANDARD_STREAMS:
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # gets the lowest number that is free: this one
    sys.stderr = Messages(sys.stderr)


class Messages(io.TextIOBase):
    """A stream of messages: one that cannot be written (a full disk, a reader that has gone) stops no run.
    One that the encoding of the stream does not take (PYTHONIOENCODING may name any) is written as ASCII.
    """

    def __init__(self, stream: TextIO | None) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        with suppress(OSError, ValueError):
            if self._stream is not None:
                try:
                    self._stream.write(text)
                except UnicodeError:
                    self._stream.buffer.write(text.encode("ascii", "backslashreplace"))
                self._stream.flush()
        return len(text)

    def flush(self) -> None:
        """Nothing: what was written is out."""

    def isatty(self) -> bool:
        return self._stream is not None and self._stream.isatty()

    def fileno(self) -> int:
        return 2 if self._stream is None else self._stream.fileno()

    def writable(self) -> bool:
        return True

    @property
    def encoding(self) -> str:  # type: ignore[override]
        """That of the stream; tqdm asks what it can draw with."""
        return "utf-8" if self._stream is None else self._stream.encoding
