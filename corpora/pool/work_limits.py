"""What pages may take while a worker has them: seconds by their size, and memory."""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from ruiji.corpora.page import PageRecord

# A worker that got less than this share of a processor has not been working: it sleeps or waits.
IDLE_SHARE = 0.1
# Of the seconds a megabyte, for a batch: honest ones stay within a half of that, and one page that hangs does
# not cost the time of all.
TOGETHER = 0.25
IDLE_FACTOR = 3  # times the limit that it may do so


@dataclass(frozen=True, slots=True)
class WorkLimit:
    """Seconds of work for any page, those that each megabyte of it adds, and bytes of memory beyond what the
    worker had before.

    A page of 16 MB of list items takes 1.2 seconds a megabyte from its bytes to the features of its blocks.
    """

    seconds: float = 10.0
    seconds_per_megabyte: float = 10.0
    memory: int = 1536 << 20

    def seconds_for(self, pages: Sequence[PageRecord]) -> float:
        """The seconds that these pages may take: together fewer than one by one, which is how they are tried
        again.
        """
        share = TOGETHER if len(pages) > 1 else 1.0
        return self.seconds + share * self.seconds_per_megabyte * sum(page.size for page in pages) / (1 << 20)


@dataclass(frozen=True, slots=True)
class Usage:
    """What a process has taken: seconds by the clock, seconds of work, bytes of memory."""

    clock: float
    work: float
    memory: int

    def problem(self, now: Usage, limit: WorkLimit, pages: Sequence[PageRecord]) -> str:
        """What a process that began these pages here has taken too much of by now; "" where nothing."""
        seconds, clock, work = limit.seconds_for(pages), now.clock - self.clock, now.work - self.work
        if work > seconds or (clock > IDLE_FACTOR * seconds and work < IDLE_SHARE * clock):
            return f"took longer than {seconds:.3g} seconds"
        if now.memory - self.memory > limit.memory:
            return f"took more than {limit.memory / (1 << 20):g} MB of memory"
        return ""


def usage(process: int) -> Usage:
    """What a process has taken so far; where the system does not say (no /proc), all time counts as work."""
    clock = time.monotonic()
    try:
        fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
        pages = int(Path(f"/proc/{process}/statm").read_text().split()[1])
    except (OSError, IndexError, ValueError):
        return Usage(clock, clock, 0)
    ticks = int(fields[11]) + int(fields[12])  # proc(5): utime and stime
    return Usage(clock, ticks / os.sysconf("SC_CLK_TCK"), pages * os.sysconf("SC_PAGE_SIZE"))
