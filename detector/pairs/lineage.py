"""Which page was made from which: a directed tree over pages that share text, from the original down.

Each page comes from the page that a pair names as its source and that it shares most with; where a source of
that source shares as much with it, from that one. Pages that are connected so, three or more, are a family;
where two pages would each come from the other, the pair that shares less is not followed.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

import pyarrow as pa

from ruiji.detector.gather import schemas

ORIGINAL, COPY, QUOTATION, PATCHWORK = "original", "copy", "quotation", "patchwork"
FAMILY = 3  # pages at least
_PAIR_COLUMNS = ("url_a", "url_b", "shared_chars", "relation", "patchwork", "source")


@dataclass(slots=True)
class Lineage:
    """Collects pairs, and makes the table of the families with a fresh page."""

    _edges: list[tuple[int, str, str, str]] = field(default_factory=list)
    _fresh: set[str] = field(default_factory=set)

    def add(self, pairs: pa.Table, fresh: Iterable[str]) -> None:
        """Takes in told pairs, those of earlier runs too, and which of their pages are fresh: a family
        without any was told by the run that found it.
        """
        self._fresh.update(fresh)
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
            if len(family) >= FAMILY and not self._fresh.isdisjoint(family):
                for url in family:
                    rows.append((group, url, *parents.get(url, (None, ORIGINAL))))
                group += 1
        return pa.table([[row[place] for row in rows] for place in range(4)], schema=schemas.LINEAGE)


def _parents(edges: Iterable[tuple[int, str, str, str]]) -> dict[str, tuple[str, str]]:
    """Of each page that has one, the page it is from and how; what would close a circle is left out."""
    parents: dict[str, tuple[str, str]] = {}
    for _, made, origin, kind in sorted(_first_sources(sorted(edges))):
        if made in parents:
            continue
        above = origin
        while above in parents and above != made:
            above = parents[above][0]
        if above != made:
            parents[made] = origin, kind
    return parents


def _first_sources(edges: Sequence[tuple[int, str, str, str]]) -> Iterator[tuple[int, str, str, str]]:
    """The edges without those from a page that has the text from another source, which shares as much."""
    shared = {(made, origin): -chars for chars, made, origin, _ in edges}
    sources: dict[str, list[str]] = defaultdict(list)
    for _, made, origin, _ in edges:
        sources[made].append(origin)
    for edge in edges:
        least, made, origin, _ = edge
        older = set(sources[origin]) - {made}
        if not any(shared.get((made, one), 0) >= -least and origin not in sources[one] for one in older):
            yield edge


def _family(root: str, children: dict[str, list[str]]) -> list[str]:
    """The pages below a root, each after its parent."""
    family = [root]
    for url in family:
        family.extend(sorted(children.get(url, ())))
    return family
