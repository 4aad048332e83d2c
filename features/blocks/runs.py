"""Numbers about runs of prose: paragraphs with little between them.

An article is mostly one run. Comments of readers and lists of other articles are many, with names, dates and
links between them, and stand after a larger one; the entries of an overview page are many alike and none is
before them.
"""

from __future__ import annotations

import numpy as np

from ruiji.features.arrays import FloatArray, IntArray
from ruiji.features.blocks.table import FAR, LONG, Blocks, Numbers, ratio

GAP = (
    3  # blocks from one paragraph to the next of the same run: a heading or a caption may stand between them
)


def runs(blocks: Blocks) -> Numbers:
    """The run that each block stands in, and the runs before and after it."""
    prose = blocks.chars * ((blocks.chars >= LONG) & (blocks.linked_chars < blocks.chars / 3))
    paragraph = np.flatnonzero(prose)
    page = blocks.page[paragraph]
    apart = np.ones(len(paragraph), dtype=bool)
    apart[1:] = (np.diff(paragraph) > GAP) | (page[1:] != page[:-1])
    first = paragraph[apart]
    last = paragraph[np.append(apart[1:], True)[: len(paragraph)]]
    page = page[apart]
    share = ratio(np.bincount(apart.cumsum() - 1, prose[paragraph], len(first)), blocks.of_page(prose)[page])
    # Of no block a run that is one more than the last: what is asked of it is nothing.
    nothing = len(first)
    share = np.append(share, 0.0)
    before, after = _largest_until(share[:-1], page), _largest_until(share[-2::-1], -page[::-1])[::-1]
    start = page.searchsorted(np.arange(len(blocks.page_start) - 1))[blocks.page]
    end = page.searchsorted(np.arange(len(blocks.page_start) - 1), side="right")[blocks.page]
    at = np.arange(len(blocks))
    ended, begun = last.searchsorted(at), first.searchsorted(at, side="right")
    own = np.where(begun > ended, ended, nothing)
    previous = np.maximum(ended, start) - 1
    following = np.minimum(begun, end)
    has_before, has_after = previous >= start, following < end
    largest_before = np.where(
        has_before, np.append(before, 0.0)[np.where(has_before, previous, nothing)], 0.0
    )
    gap = np.append(first, 0)[own] - np.append(last, 0)[np.where(has_before, previous, nothing)]
    return {
        "run_share": share[own],
        "runs_before": np.maximum(ended - start, 0),
        "runs_after": np.maximum(end - begun, 0),
        "largest_run_before": largest_before,
        "largest_run_after": np.where(
            has_after, np.append(after, 0.0)[np.where(has_after, following, nothing)], 0.0
        ),
        "run_beside_before": np.where(own < nothing, ratio(share[own], share[own] + largest_before), -1.0),
        "run_gap": np.where((own < nothing) & has_before, np.minimum(gap, FAR), FAR),
    }


def _largest_until(share: FloatArray, page: IntArray) -> FloatArray:
    """The largest of the shares of each page so far; pages come in rising order."""
    order = share.argsort()
    rank = np.empty(len(share), dtype=np.int64)
    rank[order] = np.arange(len(share))
    level = page.astype(np.int64) * len(share)  # whole numbers: a page's shares do not depend on its batch
    largest: FloatArray = share[order[np.maximum.accumulate(rank + level) - level]]
    return largest
