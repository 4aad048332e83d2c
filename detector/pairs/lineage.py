"""Which page was made from which: a directed tree over pages that share text, from the original down.

Each page comes from the page that a pair names as its source and that it shares most with. Pages that are
connected so, three or more, are a family; where two pages would each come from the other, the pair that
shares less is not followed.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field

import pyarrow as pa

from ruiji.detector.gather import schemas

ORIGINAL, COPY, QUOTATION, PATCHWORK = "original", "copy", "quotation", "patchwork"
FAMILY = 3  # pages at least
_PAIR_COLUMNS = ("url_a", "url_b", "shared_chars", "relation", "patchwork", "source")


@dataclass(slots=True)
class Lineage:
    """Collects reported pairs, and makes the table of families."""

    _edges: list[tuple[int, str, str, str]] = field(default_factory=list)

    def add(self, pairs: pa.Table) -> None:
        """Takes in rows of pairs.parquet."""
        columns = (pairs[name].to_pylist() for name in _PAIR_COLUMNS)
        for url_a, url_b, chars, relation, patchwork, source in zip(*columns, strict=True):
            if source == "undecided":
                continue
            origin, made, side = (url_a, url_b, "b") if source == "a" else (url_b, url_a, "a")
            whole = COPY if relation != "partial" else QUOTATION
            kind = PATCHWORK if patchwork in (side, "both") else whole
            self._edges.append((-chars, made, origin, kind))

    def table(self) -> pa.Table:
        """lineage.parquet: families by the address of their original, each page after the one it is from."""
        parents = _parents(self._edges)
        children: dict[str, list[str]] = defaultdict(list)
        for made, (origin, _) in parents.items():
            children[origin].append(made)
        rows: list[tuple[int, str, str | None, str]] = []
        group = 0
        for root in sorted(children.keys() - parents.keys()):
            family = _family(root, children)
            if len(family) >= FAMILY:
                for url in family:
                    rows.append((group, url, *parents.get(url, (None, ORIGINAL))))
                group += 1
        return pa.table([[row[place] for row in rows] for place in range(4)], schema=schemas.LINEAGE)


def _parents(edges: Iterable[tuple[int, str, str, str]]) -> dict[str, tuple[str, str]]:
    """Of each page that has one, the page it is from and how; what would close a circle is left out."""
    parents: dict[str, tuple[str, str]] = {}
    for _, made, origin, kind in sorted(edges):
        if made in parents:
            continue
        above = origin
        while above in parents and above != made:
            above = parents[above][0]
        if above != made:
            parents[made] = origin, kind
    return parents


def _family(root: str, children: dict[str, list[str]]) -> list[str]:
    """The pages below a root, each after its parent."""
    family = [root]
    for url in family:
        family.extend(sorted(children.get(url, ())))
    return family
