"""Contradictions as a person reads them: one for each thing and field, whatever number of pages."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

Row = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Disagreement:
    """All contradictions of one kind between the records of one set in one field, the surest first."""

    rows: Sequence[Row]

    @property
    def surest(self) -> Row:
        return self.rows[0]

    def elsewhere(self) -> list[tuple[str, str]]:
        """What the pages say that the surest contradiction does not name: value and address, each page
        once.
        """
        shown = {self.surest["url_a"], self.surest["url_b"]}
        said: dict[str, str] = {}
        for row in self.rows[1:]:
            for side in "ab":
                if row[f"url_{side}"] not in shown:
                    said.setdefault(row[f"url_{side}"], row[f"value_{side}"])
        return sorted((value, url) for url, value in said.items())


def disagreements(rows: Iterable[Row]) -> Iterator[Disagreement]:
    """The contradictions by what they are about, in the order of the surest of each."""
    found: dict[tuple[Any, ...], list[Row]] = {}
    for row in rows:
        about = row.get("set", (row["record_a"], row["record_b"]))
        found.setdefault((about, row.get("concept", row["field"]), row["kind"]), []).append(row)
    yield from map(Disagreement, found.values())
