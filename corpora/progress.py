"""What long work reports while it runs. The command line shows it on a terminal; a library call stays
silent.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import Protocol, TypeVar

Item = TypeVar("Item")


class Progress(Protocol):
    """Where a run reports how far it is, and what a person should know."""

    def watch(
        self, items: Iterable[Item], unit: str = "page", done: int = 0, stage: str = ""
    ) -> Iterator[Item]:
        """The items, counted as they pass; ``done`` of them were handled by an earlier run. ``stage`` is what
        is done with them, where a run passes over its pages more than once.
        """

    def steps(self, total: int, unit: str) -> AbstractContextManager[Callable[[], object]]:
        """A counter for a known number of steps; call what it yields after each."""

    def page_failed(self, page_id: str, error: str) -> None:
        """Names a page that failed."""

    def say(self, text: str, names: Sequence[str] = ()) -> None:
        """A message, with the names that it is about; of many names only the first may be shown."""


class Silent:
    """Reports nothing."""

    def watch(
        self, items: Iterable[Item], unit: str = "page", done: int = 0, stage: str = ""
    ) -> Iterator[Item]:
        """The items."""
        yield from items

    def steps(self, total: int, unit: str) -> AbstractContextManager[Callable[[], object]]:
        """A counter that counts nothing."""
        return nullcontext(lambda: None)

    def page_failed(self, page_id: str, error: str) -> None:
        """Nothing: the page's row carries its error."""

    def say(self, text: str, names: Sequence[str] = ()) -> None:
        """Nothing."""


SILENT = Silent()
