"""What a command returns."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Outcome:
    """A command that ran to its end; ``failed`` counts the pages that did not make it, each of which is in
    the output with its error.
    """

    failed: int = 0
