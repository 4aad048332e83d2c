"""How much it says that two texts have the same segment, in bits.

The paper counts segments, and asks for their information instead (sections 6.2 and 6.3): one long rare
sentence is a copy, three stock phrases are none. A segment says the more the longer it is, and the less the
more often it occurs: in the index, or among the pages of the source's own site, where it is furniture.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ruiji.detector.copies import folding
from ruiji.detector.copies.digest import Digest
from ruiji.detector.copies.hits import Hits
from ruiji.detector.copies.part import FURNITURE_PAGES, IndexPart
from ruiji.features.arrays import BoolArray, FloatArray, LongArray

RULES = ("weighted", "plain")
WEIGHT_STEPS = 1 << 20  # a letter


@dataclass(frozen=True, slots=True)
class PassageRule:
    """What counts as a copy: ``plain`` is a run of three segments, ``weighted`` a passage of at least
    ``bits``.

    The first ``stock`` letters of a segment say little, since phrases of that length recur by themselves:
    ``phrase_bits`` a letter. Those beyond bring ``prose_bits`` each. Letters of alphabets count ``latin``, so
    that a sentence weighs about the same in English. So a lone Japanese sentence counts from 20 letters on,
    as in Kang 2009 (section 4.2). What occurs more than ``copies`` times (same place) is in common use and
    says at most the logarithm of its rarity. What at least three pages and the share ``furniture`` of a
    site's pages have says nothing. Pages of one site share lines of every kind: between them only whole
    sentences count, they must be half of the passage, and it takes ``at_home`` times the bits (infinity
    leaves such sources out). ``gap`` is the number of letters that may differ between two shared stretches of
    a passage.
    """

    name: str = "weighted"
    bits: float = 40.0
    stock: int = 12
    phrase_bits: float = 0.75
    prose_bits: float = 4.0
    latin: float = 0.45
    copies: int = 10
    furniture: float = 0.5
    at_home: float = 2.0
    gap: int = 200

    def __post_init__(self) -> None:
        if self.name not in RULES:
            raise ValueError(f"no rule {self.name}; there are {', '.join(RULES)}")

    def information(self, weight: FloatArray, occurrences: LongArray, documents: int) -> FloatArray:
        """The bits of segments of so many (weighted) letters that occur so often in an index of so many
        documents.
        """
        by_length = (
            np.minimum(weight, self.stock) * self.phrase_bits
            + np.maximum(weight - self.stock, 0) * self.prose_bits
        )
        common = np.maximum(occurrences - self.copies, 0)
        rarity = np.log2(np.maximum(documents, common) / np.maximum(common, 1))
        return np.where(common > 0, np.minimum(by_length, rarity), by_length)


@dataclass(frozen=True, slots=True, eq=False)
class LetterWeights:
    """Running sums of what the letters of a digest count."""

    sums: FloatArray

    def between(self, start: npt.NDArray[np.integer], end: npt.NDArray[np.integer]) -> FloatArray:
        """The weight of the letters from each start to before each end."""
        found: FloatArray = self.sums[end] - self.sums[start]
        return found


def letter_weights(digest: Digest, rule: PassageRule) -> LetterWeights:
    """The weights of all letters: in steps of a binary fraction, so that sums are exact and what a text has
    does not depend on the texts before it.
    """
    sums = np.zeros(len(digest.folded.letters) + 1)
    latin = round(rule.latin * WEIGHT_STEPS) / WEIGHT_STEPS
    np.cumsum(np.where(digest.folded.letters >= folding.FIRST_JAPANESE, 1.0, latin), out=sums[1:])
    return LetterWeights(sums)


@dataclass(frozen=True, slots=True, eq=False)
class Furniture:
    """Which segments of the query are furniture of which hosts."""

    keys: LongArray

    def has(self, segment: npt.NDArray[np.integer], host: npt.NDArray[np.integer]) -> BoolArray:
        """Whether each segment is furniture of the host beside it."""
        if not len(self.keys):
            return np.zeros(len(segment), dtype=bool)
        return np.isin((segment.astype(np.int64) << 32) | host, self.keys)


def furniture(
    parts: Sequence[IndexPart], found: Sequence[Hits], documents: Sequence[LongArray], rule: PassageRule
) -> Furniture:
    """The segments that stand on many pages of one host; ``documents`` are those of the hits."""
    keys, places = [], []
    for number, (part, hits, document) in enumerate(zip(parts, found, documents, strict=True)):
        keys.append((hits.segment << 32) | part.host[document])
        places.append((number << 32) | document)
    key, place = np.concatenate(keys), np.concatenate(places)
    known = (key & 0xFFFFFFFF) != 0
    order = np.lexsort((place[known], key[known]))
    key, place = key[known][order], place[known][order]
    new = np.ones(len(key), dtype=bool)
    new[1:] = (key[1:] != key[:-1]) | (place[1:] != place[:-1])
    distinct, pages = np.unique(key[new], return_counts=True)
    distinct, pages = distinct[pages >= FURNITURE_PAGES], pages[pages >= FURNITURE_PAGES]
    if not len(distinct):
        return Furniture(distinct)
    in_all = sum(part.sources_of(distinct & 0xFFFFFFFF) for part in parts)
    return Furniture(distinct[pages >= rule.furniture * in_all])
