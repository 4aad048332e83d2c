"""How long the stages of a run take, by the clock."""

from __future__ import annotations

import time


class Stopwatch:
    """Seconds by stage."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}
        self._since = time.perf_counter()

    def lap(self, name: str) -> None:
        """The time since the last lap was for this."""
        now = time.perf_counter()
        self.seconds[name] = round(now - self._since, 3)
        self._since = now
