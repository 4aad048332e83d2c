"""The masks of the pages that an extractor was fitted to, so that nothing is worked out twice when the same
pages are read again: a page is known by what its blocks are made of.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import numpy.typing as npt

from ruiji.chunker.mask import ContentMask
from ruiji.chunker.unique.page_key import KEY_BYTES, page_key
from ruiji.chunker.unique.uniqueness import DECIDED_BY, Uniqueness
from ruiji.corpora.files import replacing
from ruiji.features.page.textnodes import TextNodes

MASKS_FILE = "masks.npz"  # beside the extractor's own files, while its pages are filtered
Scores = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True, eq=False)
class KnownMasks:
    """The scores of the nodes of known pages, by page; in the file one array, with where each page begins.
    ``alone`` are the pages that nothing is compared with, which the extractor's fallback judges.
    """

    scores: dict[bytes, Scores]
    alone: frozenset[bytes] = field(default=frozenset())

    def save(self, folder: Path) -> None:
        """Writes them beside the extractor."""
        own = list(self.scores.values())
        start = np.cumsum([0, *map(len, own)], dtype=np.int64)
        joined = np.concatenate([np.zeros(0, dtype=np.float32), *own])
        keys, alone = (
            np.frombuffer(b"".join(pages), np.uint64) for pages in (self.scores, sorted(self.alone))
        )
        with replacing(folder / MASKS_FILE) as out:
            np.savez(out, allow_pickle=False, keys=keys, start=start, scores=joined, alone=alone)

    @staticmethod
    def load(folder: Path) -> KnownMasks:
        """Those beside an extractor; none where there is no file."""
        if not (folder / MASKS_FILE).is_file():
            return KnownMasks({})
        with np.load(folder / MASKS_FILE, allow_pickle=False) as arrays:
            start, scores = arrays["start"], arrays["scores"]
            keys, alone = _pages(arrays["keys"]), _pages(arrays["alone"])
        own = np.split(scores, start[1:-1]) if keys else []
        return KnownMasks(dict(zip(keys, own, strict=True)), frozenset(alone))

    def masks(self, pages: Sequence[TextNodes], extractor: Uniqueness) -> list[ContentMask]:
        """The masks of pages; the extractor judges those that are not known."""
        if not self.scores and not self.alone:
            return extractor.predict_masks(pages)
        keys = [page_key(nodes) for nodes in pages]
        unknown = [
            nodes
            for nodes, key in zip(pages, keys, strict=True)
            if key not in self.scores and key not in self.alone
        ]
        others: Iterator[ContentMask] = iter(extractor.predict_masks(unknown) if unknown else ())
        return [
            ContentMask(scores > 0.5, scores, DECIDED_BY)
            if (scores := self.scores.get(key)) is not None
            else extractor.mask_alone(nodes)
            if key in self.alone
            else next(others)
            for nodes, key in zip(pages, keys, strict=True)
        ]


def _pages(numbers: npt.NDArray[np.uint64]) -> list[bytes]:
    """The keys of pages, of two numbers each."""
    data = numbers.tobytes()
    return [data[start : start + KEY_BYTES] for start in range(0, len(data), KEY_BYTES)]
