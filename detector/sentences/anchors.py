"""Adjacent anchor texts: one sentence or several (Kang 2009, section 4.1, step 3).

京都市 and 左京区, linked side by side, are one name; 福地寿樹 and 捕鯨問題 are two entries of a list. The
compound decides: where it stands often enough in the running text of the collection, the two are joined. Only
lines of links are in question; links within prose are part of its sentences.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import numpy.typing as npt
from xxhash import xxh3_64_intdigest

from ruiji.detector.sentences.normalise import normalise
from ruiji.features.arrays import IntArray, KeyArray
from ruiji.features.page.textnodes import TextNodes

# How often a compound must stand in the collection. The paper counts in the whole web and gives no number;
# ours may be one site.
COMPOUND_COUNT = 2
# Compounds in running text: whole runs of kanji and katakana. Longer ones are no names.
_COMPOUND = re.compile("(?<![一-鿿々ァ-ヺー])[一-鿿々ァ-ヺー]{3,24}(?![一-鿿々ァ-ヺー])")
_PROSE = re.compile("[ぁ-ゖ]|[a-z] ")  # in the unlinked text of a line: it is prose and not a list of links

_SLOTS = (
    1 << 24
    # Of each of two tables of counts, 16 MB each: a compound is overcounted where both its places are taken
    # by others
)
_MOST = 255


@dataclass(frozen=True, slots=True, eq=False)
class CompoundCounts:
    """How often compounds stand in a collection, in bounded memory: never too few, and too many only by
    chance (a count-min sketch).
    """

    slots: npt.NDArray[np.uint8] = field(default_factory=lambda: np.zeros((2, _SLOTS), dtype=np.uint8))

    def add(self, keys: KeyArray) -> None:
        """Counts the keys of compounds as ``compound_keys`` gives them."""
        for row, places in zip(self.slots, _places(keys), strict=True):
            unique, count = np.unique(places, return_counts=True)
            row[unique] = np.minimum(row[unique].astype(np.int64) + count, _MOST)

    def frequent(self, compounds: Sequence[str], at_least: int = COMPOUND_COUNT) -> npt.NDArray[np.bool_]:
        """Which of the compounds stand in the collection often enough."""
        first, second = (
            row[places] for row, places in zip(self.slots, _places(_keys(compounds)), strict=True)
        )
        found: npt.NDArray[np.bool_] = np.minimum(first, second) >= at_least
        return found

    def save(self, path: Path) -> None:
        """Writes the counts into a file, for workers."""
        np.save(path, self.slots)

    @staticmethod
    def load(path: Path) -> CompoundCounts:
        """Counts that were saved; they stay on disk and are read where they are looked at."""
        return CompoundCounts(np.load(path, mmap_mode="r"))


def compound_keys(pages: Sequence[TextNodes]) -> KeyArray:
    """The keys of the compounds in the texts of pages, repeated where they are; what only stands side by side
    as links is none.
    """
    return _keys(
        [
            compound
            for page in pages
            for text in page.texts
            if not text.isascii()
            for compound in _COMPOUND.findall(normalise(text))
        ]
    )


def _keys(compounds: Sequence[str]) -> KeyArray:
    return np.fromiter(
        (xxh3_64_intdigest(compound.encode("utf-8", "surrogatepass")) for compound in compounds),
        np.uint64,
        len(compounds),
    )


def _places(keys: KeyArray) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """The places of keys in the two tables."""
    mask = np.uint64(_SLOTS - 1)
    return (keys & mask).astype(np.int64), ((keys >> np.uint64(32)) & mask).astype(np.int64)


def separate_anchors(
    texts: Sequence[str], link: IntArray, line: IntArray, counts: CompoundCounts | None = None
) -> IntArray:
    """The nodes that begin a sentence of their own: anchors right after another anchor in a line of links.

    ``line`` numbers are different in different pages. With counts, anchors whose compound with the one before
    is frequent are left out; without, nothing is known of any.
    """
    adjacent = (link[1:] >= 0) & (link[:-1] >= 0) & (link[1:] != link[:-1]) & (line[1:] == line[:-1])
    found = np.flatnonzero(adjacent).astype(np.int32) + 1
    if not len(found):
        return found
    unlinked = np.flatnonzero((link < 0) & np.isin(line, line[found]))
    prose = [line[node] for node in unlinked.tolist() if _PROSE.search(texts[node])]
    found = found[~np.isin(line[found], prose)]
    if counts is not None and len(found):
        compounds = [normalise(texts[node - 1].strip() + texts[node].strip()) for node in found.tolist()]
        found = found[~counts.frequent(compounds)]
    return found
