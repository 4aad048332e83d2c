"""What the loops in C (``_repeated.c``) take: the columns of pages, and the sizes of the rules in
``repeated`` and ``copies``, which are their reference.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

import numpy as np

from ruiji.chunker.site.copies import ALIKE, LEAST_CHARS, LONGEST
from ruiji.chunker.site.repeated import DOWN, LABELS, NEARLY_ALL, OTHERS, SHARE, SURROUNDED, TOP
from ruiji.chunker.unique.keys import HEADINGS, MOST_CHARS
from ruiji.features.arrays import ByteArray
from ruiji.features.nodes.forest import Forest
from ruiji.features.page import elements

IN_C = "ruiji.chunker.site._repeated"
SIZES: Mapping[str, object] = {
    "SHARE": SHARE, "NEARLY_ALL": NEARLY_ALL, "DOWN": DOWN, "MOST_CHARS": MOST_CHARS, "OTHERS": OTHERS,
    "SURROUNDED": SURROUNDED, "ALIKE": ALIKE, "LEAST_CHARS": LEAST_CHARS,
}  # fmt: skip


def columns(pages: Forest) -> Mapping[str, object]:
    """The columns of nodes and elements."""
    return {
        "page_start": pages.page_start, "element_start": pages.element_start, "parent": pages.parent,
        "first": pages.first, "end": pages.end, "number": pages.number, "element": pages.element,
        "block": pages.block, "length": pages.lengths, "text": pages.text_key, "bits": _bits(),
        "LONGEST": LONGEST,
    }  # fmt: skip


@lru_cache(maxsize=1)
def _bits() -> ByteArray:
    """For each number of an element whether it is a link, block-level, a heading or label, or at the top, as
    bits.
    """
    bits = np.zeros(elements.CUSTOM_NUMBER + 1, dtype=np.uint8)
    for bit, names in enumerate((("a",), elements.BLOCK_LEVEL, (*HEADINGS, *LABELS), TOP)):
        bits |= elements.is_one_of(frozenset(names)).astype(np.uint8) << np.uint8(bit)
    return bits
