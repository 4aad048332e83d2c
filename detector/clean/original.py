"""The order of ``--keep original``: a page comes after those that what it shares was likely taken from.

Each page is compared with those that would keep its passages if the oldest did, by the signs that ``detect``
goes by (``detector.pairs.origin``). Where they tell the original, it comes first; the others stay in their
order. Where the signs contradict each other in a circle, the page that comes first otherwise is taken.
"""

from __future__ import annotations

import heapq
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pyarrow as pa

from ruiji.detector.clean.order import CleanPages
from ruiji.detector.pairs.origin import UNKNOWN, OriginSigns, origin
from ruiji.detector.pairs.patchwork import Partners
from ruiji.detector.pairs.relations import Thresholds, containment, overlap, relations
from ruiji.detector.sites import is_number, site_of
from ruiji.features.arrays import LongArray

Edge = tuple[int, int]  # places: what comes first, what was made from it


def original_first(pages: CleanPages, sharing: pa.Table) -> CleanPages:
    """The pages with the original of each sharing pair first, as far as anything tells it.

    ``sharing`` has the rows of LINKED_PAGES.
    """
    if not len(sharing):
        return pages
    sharing_pages = np.unique(np.append(sharing["place"].to_numpy(), sharing["kept"].to_numpy()))
    ordered = in_order(sharing_pages.tolist(), pages.rank, _edges(pages, sharing))
    rest = pages.ranked[~np.isin(pages.ranked, sharing_pages)]  # which keep nothing for others
    return replace(pages, ranked=np.append(np.array(ordered, dtype=np.int64), rest))


def _edges(pages: CleanPages, sharing: pa.Table) -> list[Edge]:
    columns = {name: sharing[name].to_numpy() for name in sharing.column_names}
    one, other = columns["place"], columns["kept"]
    letters = np.maximum(pages.numbers("letters"), 1)
    shared = columns["shared"]
    relation = relations(
        overlap(shared, letters[one], letters[other]),
        containment(shared, letters[one], letters[other]),
        Thresholds(),
    ).tolist()
    changed, published, url = (pages.table[name] for name in ("changed", "published", "url"))
    named = pages.numbers("named")
    sites = {place: site_of(url[place].as_py()) for place in np.unique(np.append(one, other)).tolist()}
    patchwork = _patchwork(columns, letters, sites)
    edges: list[Edge] = []
    for row, (a, b) in enumerate(zip(one.tolist(), other.tolist(), strict=True)):
        signs = OriginSigns(
            patchwork=(a in patchwork, b in patchwork),
            links=(bool(columns["links_to_kept"][row]), bool(columns["linked_by_kept"][row])),
            changed=(changed[a].as_py(), changed[b].as_py()),
            published=(published[a].as_py(), published[b].as_py()),
            long_chars=(int(letters[a]), int(letters[b])),
            named=(int(named[a]), int(named[b])),
            frame_fit=(UNKNOWN, UNKNOWN),  # not gathered here: what stands around the content is not kept
            fit=(columns["fit"][row] / shared[row], columns["kept_fit"][row] / shared[row]),
            relation=relation[row],
            same_site=sites[a] == sites[b],
            numbered=(is_number(sites[a]), is_number(sites[b])),
        )
        source, _ = origin(signs)
        if source != "undecided":
            edges.append((a, b) if source == "a" else (b, a))
    return edges


def _patchwork(columns: dict[str, Any], letters: Any, sites: dict[int, str]) -> set[int]:
    """The places of pages that are glued together from several."""
    one, other = columns["place"], columns["kept"]
    partners = Partners()
    partners.add(
        {
            "page_a": one,
            "page_b": other,
            "order_a": one,
            "order_b": other,
            "site_a": [sites[place] for place in one.tolist()],
            "site_b": [sites[place] for place in other.tolist()],
            "long_chars_a": letters[one],
            "long_chars_b": letters[other],
            "shared_chars": columns["shared"],
            "a_to_b": columns["links_to_kept"] > 0,
            "b_to_a": columns["linked_by_kept"] > 0,
        }
    )
    return partners.patchwork()


def in_order(places: Sequence[int], rank: LongArray, edges: Iterable[Edge]) -> list[int]:
    """The places, each after those that an edge puts before it; where nothing tells, by rank."""
    after: dict[int, list[int]] = defaultdict(list)
    before: dict[int, int] = defaultdict(int)
    for source, made in dict.fromkeys(edges):
        after[source].append(made)
        before[made] += 1
    by_rank = sorted(places, key=lambda place: int(rank[place]))
    ready = [(int(rank[place]), place) for place in by_rank if not before[place]]
    circles = iter([place for place in by_rank if before[place]])
    ordered: dict[int, None] = {}
    while len(ordered) < len(places):
        if not ready:
            place = next(place for place in circles if place not in ordered)
            ready.append((int(rank[place]), place))
        _, place = heapq.heappop(ready)
        ordered[place] = None
        for made in after[place]:
            before[made] -= 1
            if not before[made] and made not in ordered:
                heapq.heappush(ready, (int(rank[made]), made))
    return list(ordered)
