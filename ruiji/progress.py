"""What a person sees while a run goes on: a bar on a terminal, nothing in a pipe, errors by page, one line at
the end.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from importlib.util import find_spec
from typing import TypeVar

from ruiji.terminal import printable, printable_text

Item = TypeVar("Item")
ERRORS_SHOWN = 10  # by default; all with -v
NAMES_SHOWN = 5  # in one message by default; all with -v
# Modules in C that an install without a compiler does not have.
IN_C = (
    "ruiji.corpora._json_line", "ruiji.features.text._characters", "ruiji.features.page._walk",
    "ruiji.features.page._trace", "ruiji.features.page._shown", "ruiji.features.page._survey",
    "ruiji.features.blocks._numbers", "ruiji.chunker.decoding._cut", "ruiji.chunker.stack._odds",
    "ruiji.chunker.stack._network", "ruiji.chunker.stack._containers", "ruiji.features.page._links",
    "ruiji.features.page._markup", "ruiji.chunker.document._document", "ruiji.chunker.document._images",
    "ruiji.chunker.site._repeated", "ruiji.detector.sentences._normalise", "ruiji.detector.copies._mapped",
    "ruiji.detector.sentences._sentences", "ruiji.detector.gather._places", "ruiji.detector._urls",
)  # fmt: skip


class Reporter:
    """Progress and messages on standard error; ``verbosity`` is -1 for quiet, 0, or 1 for verbose."""

    def __init__(self, verbosity: int) -> None:
        self.verbosity = verbosity
        self._errors_named = 0

    def watch(
        self, items: Iterable[Item], unit: str = "page", done: int = 0, stage: str = ""
    ) -> Iterator[Item]:
        """The items, with a bar that counts them where a person is looking, named by the stage."""
        if not self._watched():
            yield from items
            return
        from tqdm import tqdm

        yield from tqdm(
            items, stage or None, unit=f" {unit}s", initial=done, file=sys.stderr, dynamic_ncols=True
        )

    @contextmanager
    def steps(self, total: int, unit: str) -> Iterator[Callable[[], object]]:
        """A bar for a known number of steps; what it yields is called after each."""
        if not self._watched():
            yield lambda: None
            return
        from tqdm import tqdm

        with tqdm(total=total, unit=f" {unit}", file=sys.stderr, dynamic_ncols=True) as bar:
            yield lambda: bar.update(1)

    def page_failed(self, page_id: str, error: str) -> None:
        """Names a page that failed; after the first few only with -v."""
        self._errors_named += 1
        if self.verbosity > 0 or (self.verbosity == 0 and self._errors_named <= ERRORS_SHOWN):
            self._write(f"{printable(page_id)}: {printable(error)}")
        elif self.verbosity == 0 and self._errors_named == ERRORS_SHOWN + 1:
            self._write("further pages that failed are only counted; -v names them all")

    def summary(self, text: str) -> None:
        """The line at the end, for a person or with -v."""
        if self.verbosity > 0 or (self.verbosity == 0 and sys.stderr.isatty()):
            self._write(text)

    def say(self, text: str, names: Sequence[str] = ()) -> None:
        """A message, unless quiet was asked for, with the first few of the names that it is about."""
        if self.verbosity >= 0:
            shown = names if self.verbosity > 0 else names[:NAMES_SHOWN]
            more = ", …" if len(names) > len(shown) else ""
            self._write(f"{text}{', '.join(shown)}{more}")

    def say_if_slow(self) -> None:
        """Says that pages take longer than they might, where what is hot was not built."""
        used = [name for name in IN_C if ".".join(name.split(".")[:2]) in sys.modules]  # its house is
        missing = [name.rpartition(".")[2] for name in used if find_spec(name) is None]
        if missing:
            self.say(
                "installed without a C compiler: the results are the same, but pages take about three times "
                "as long; not built: ",
                missing,
            )

    def _watched(self) -> bool:
        """Whether a person is looking."""
        return self.verbosity >= 0 and sys.stderr.isatty()

    def _write(self, text: str) -> None:
        if not self._watched():  # then there is no bar to write around
            print(printable_text(text), file=sys.stderr)
            return
        from tqdm import tqdm

        tqdm.write(printable_text(text), file=sys.stderr)
