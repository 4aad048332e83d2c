"""What people said of results: one line a verdict in a file that only grows; the last one about a thing
counts.

write_verdict(path, Verdict("pair", (url_a, url_b), "mirror", RIGHT))
for category, tally in tallied(read_verdicts(path).values()).items():
    tally.share_right
"""

from __future__ import annotations

import json
import math
import os
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from ruiji.corpora.errors import json_of
from ruiji.corpora.page import InputError

FILE = "verdicts.jsonl"  # in the folder of a run
RIGHT, WRONG, OTHER, NONE = "right", "wrong", "other", "none"
VERDICTS = (RIGHT, WRONG, OTHER, NONE)
KINDS = ("pair", "passage", "conflict")
Z = 1.96  # standard deviations on each side of 95 %


@dataclass(frozen=True, slots=True)
class Verdict:
    """One judgement. ``said`` is what the program said (a category), ``other`` what it should have said where
    that is another category.
    """

    kind: str
    key: tuple[str, ...]
    said: str
    verdict: str
    other: str = ""
    time: str = ""

    def __post_init__(self) -> None:
        if (
            self.kind not in KINDS
            or self.verdict not in VERDICTS
            or (self.verdict == OTHER) != bool(self.other)
        ):
            raise ValueError(f"no verdict: {self.kind} {self.verdict} {self.other}")


def write_verdict(path: Path, verdict: Verdict) -> None:
    """Appends a verdict; it is on the disk when this returns."""
    line = {
        "kind": verdict.kind,
        "key": verdict.key,
        "said": verdict.said,
        "verdict": verdict.verdict,
        "other": verdict.other or None,
    }
    with path.open("ab") as stream:
        stream.write(
            json.dumps(line | {"time": verdict.time}, ensure_ascii=False).encode("utf-8", "replace") + b"\n"
        )
        stream.flush()
        os.fsync(stream.fileno())


def read_verdicts(path: Path) -> dict[tuple[str, tuple[str, ...]], Verdict]:
    """The last verdict about each thing, by kind and key; those that were taken back are left out. Raises
    InputError.
    """
    found = {}
    for verdict in _lines(path):
        found[verdict.kind, verdict.key] = verdict
    return {key: verdict for key, verdict in found.items() if verdict.verdict != NONE}


def _lines(path: Path) -> Iterator[Verdict]:
    try:
        lines = path.read_bytes().split(b"\n")
    except FileNotFoundError:
        return
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            record = json_of(line)
            key = tuple(str(part) for part in record["key"])
            yield Verdict(
                record["kind"],
                key,
                str(record["said"]),
                record["verdict"],
                record.get("other") or "",
                record.get("time") or "",
            )
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            if number == len(lines):  # cut off while it was written
                return
            raise InputError(f"{path}: line {number} is no verdict ({error})") from error


@dataclass(slots=True)
class Tally:
    """How many were judged right, wrong, and of another category; ``others`` counts which."""

    right: int = 0
    wrong: int = 0
    others: Counter[str] = field(default_factory=Counter)

    @property
    def judged(self) -> int:
        return self.right + self.wrong + self.others.total()

    @property
    def share_right(self) -> float:
        """The precision of the category, as far as people have looked; NaN where nobody has."""
        return self.right / self.judged if self.judged else math.nan

    def interval(self) -> tuple[float, float]:
        """Where the share lies with 95 % confidence (Wilson's score interval); all of it where nobody has
        looked.
        """
        size = self.judged
        if not size:
            return 0.0, 1.0
        middle = (self.share_right + Z * Z / (2 * size)) / (1 + Z * Z / size)
        spread = (
            Z
            / (1 + Z * Z / size)
            * math.sqrt(self.share_right * (1 - self.share_right) / size + Z * Z / (4 * size * size))
        )
        return max(0.0, middle - spread), min(1.0, middle + spread)


def tallied(verdicts: Iterable[Verdict]) -> Mapping[str, Tally]:
    """The tally of each category that was said, in order of names."""
    found: dict[str, Tally] = defaultdict(Tally)
    for verdict in verdicts:
        tally = found[verdict.said]
        if verdict.verdict == RIGHT:
            tally.right += 1
        elif verdict.verdict == WRONG:
            tally.wrong += 1
        elif verdict.verdict == OTHER:
            tally.others[verdict.other] += 1
    return dict(sorted(found.items()))
