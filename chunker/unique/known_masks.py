"""The masks of the pages that an extractor was fitted to, so that nothing is worked out twice when the same
pages are read again: a page is known by what its blocks are made of.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from ruiji.chunker.mask import ContentMask
from ruiji.chunker.unique.page_key import page_key
from ruiji.chunker.unique.uniqueness import DECIDED_BY, Uniqueness
from ruiji.corpora.files import replacing
from ruiji.features.page.textnodes import TextNodes

MASKS_FILE = "masks.npz"  # beside the extractor's own files, while its pages are filtered
Scores = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True, eq=False)
class KnownMasks:
    """The scores of the nodes of known pages, by page; in the file one array, with where each page begins."""

    scores: dict[bytes, Scores]

    def save(self, folder: Path) -> None:
        """Writes them beside the extractor."""
        own = list(self.scores.values())
        start = np.cumsum([0, *map(len, own)], dtype=np.int64)
        joined = np.concatenate([np.zeros(0, dtype=np.float32), *own])
        keys = np.frombuffer(b"".join(self.scores), dtype=np.uint64)
        with replacing(folder / MASKS_FILE) as out:
            np.savez(out, allow_pickle=False, keys=keys, start=start, scores=joined)

    @staticmethod
    def load(folder: Path) -> KnownMasks:
        """Those beside an extractor; none where there is no file."""
        if not (folder / MASKS_FILE).is_file():
            return KnownMasks({})
        with np.load(folder / MASKS_FILE, allow_pickle=False) as arrays:
            keys, start, scores = (arrays[name] for name in ("keys", "start", "scores"))
        own = np.split(scores, start[1:-1])
        data = keys.tobytes()
        return KnownMasks({data[16 * place : 16 * place + 16]: page for place, page in enumerate(own)})

    def masks(self, pages: Sequence[TextNodes], extractor: Uniqueness) -> list[ContentMask]:
        """The masks of pages; the extractor judges those that are not known."""
        if not self.scores:
            return extractor.predict_masks(pages)
        found = [
            self.scores.get(page_key(nodes)) if extractor.may_compare(nodes.host) else None for nodes in pages
        ]
        unknown = [nodes for nodes, scores in zip(pages, found, strict=True) if scores is None]
        others: Iterator[ContentMask] = iter(extractor.predict_masks(unknown) if unknown else ())
        return [
            next(others) if scores is None else ContentMask(scores > 0.5, scores, DECIDED_BY)
            for scores in found
        ]
