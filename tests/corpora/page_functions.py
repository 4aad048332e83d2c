"""Functions that the worker processes of test_batches import; a page's html says what happens to it."""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ruiji.corpora.page import Page

Row = tuple[str, str]


def obey(pages: Sequence[Page]) -> list[Row]:
    """(id, "fine") of each page, unless its html orders something else."""
    return [_obey(page) for page in pages]


def _obey(page: Page) -> Row:
    if page.html == b"raise":
        raise ValueError("as ordered")
    if page.html == b"recurse":
        return _obey(page)
    if page.html == b"exit":
        os._exit(7)
    if page.html == b"sys.exit":
        sys.exit(3)
    if page.html == b"kill":
        os.kill(os.getpid(), signal.SIGKILL)
    if page.html == b"hang":
        time.sleep(600)
    while page.html == b"work":
        pass
    held = []
    while page.html == b"grow":
        held.append(bytes(1 << 20).replace(b"\0", b"x"))
        time.sleep(0.001)
    return page.id, "fine"


def process_ids(pages: Sequence[Page]) -> list[int]:
    return [os.getpid() for _ in pages]


def sizes(pages: Sequence[Page]) -> list[int]:
    """The number of pages that came together, for each."""
    return [len(pages)] * len(pages)


def too_few(pages: Sequence[Page]) -> list[Row]:
    return [(page.id, "fine") for page in pages if page.html != b"vanish"]


def large_rows(pages: Sequence[Page]) -> list[bytes]:
    """More than a pipe holds."""
    return [page.id.encode() * 1_000_000 for page in pages]


def unpicklable(pages: Sequence[Page]) -> list[object]:
    return [(lambda: None) if page.html == b"raise" else (page.id, "fine") for page in pages]


def failed(page: Page, reason: str) -> Row:
    return page.id, reason


def failed_size(page: Page, reason: str) -> int:
    return -1


def failed_bytes(page: Page, reason: str) -> bytes:
    return reason.encode()


def times_at_work(pages: Sequence[Page]) -> list[tuple[float, float]]:
    """When the work on the pages began and ended, for each."""
    begin = time.monotonic()
    time.sleep(0.2)
    return [(begin, time.monotonic())] * len(pages)


def failed_times(page: Page, reason: str) -> tuple[float, float]:
    raise AssertionError(reason)


@dataclass(frozen=True)
class SizesAtSecondStart:
    """``sizes``, in a worker that starts anew; the first such worker dies before it begins."""

    seen: Path

    def __call__(self, pages: Sequence[Page]) -> list[int]:
        raise AssertionError("a worker has sizes instead")

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        return _sizes_at_second_start, (self.seen,)


def _sizes_at_second_start(seen: Path) -> Callable[[Sequence[Page]], list[int]]:
    if not seen.exists():
        seen.touch()
        os._exit(1)
    return sizes


@dataclass(frozen=True)
class Unreadable:
    """A page that cannot be read where it arrives."""

    made: Page
    size: int = 10

    def page(self, as_utf8: bool = False) -> Page:
        return self.made

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        return _refuse, ()


def _refuse() -> None:
    raise ValueError("as ordered")
