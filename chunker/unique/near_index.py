"""What repeats among pages: which keys which pages have, and which block vectors match by cosine.

Equal vectors are found by their key. Near ones are found through an inverted index over prefixes (Bayardo et
al. 2007): a vector's texts are ordered from the rarest to the commonest, and its prefix is the shortest
beginning that holds 1 − t² of its squared length. By the inequality of Cauchy and Schwarz, two vectors
without a common text in both prefixes have a cosine of at most t. The bound is exact: the result is that of
comparing everything with everything.

Tags are in every vector and would make every posting list as long as the collection, so they are left out of
the index. Vectors whose texts hold less than 1 − t² (many tags, such as lists of links) can match without a
common text; what decides then is only the counts of tags and the length of the vector, and vectors that are
equal in these are one class: classes are compared instead of vectors.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from ruiji.chunker.unique.page_blocks import TAG, PageBlocks
from ruiji.features.arrays import BoolArray, FloatArray, IntArray, KeyArray, long_ranges

# Candidates that are compared at once; a search that only asks whether anything matches stops after the chunk
# that does
CHUNK = 512

KeysOf = Callable[[IntArray], IntArray]


def matches_by_cosine(
    dot: FloatArray, squares: FloatArray, square: FloatArray | float, threshold: float
) -> BoolArray:
    """Whether the cosine is above the threshold; dot products and squared lengths are whole numbers, so this
    rounds only once.
    """
    matches: BoolArray = dot > threshold * np.sqrt(squares * square)
    return matches


def sums(owner: npt.NDArray[Any], weights: npt.NDArray[Any], size: int) -> FloatArray:
    """The sum of the weights of each owner."""
    return np.bincount(owner, weights=weights, minlength=size).astype(np.float64)


@dataclass(frozen=True, eq=False)
class Presence:
    """Which pages have which keys: ``keys`` in order, the number of pages that have each, and for each page
    the keys it has.
    """

    keys: KeyArray
    pages: IntArray
    start: IntArray  # of each page in ``has``, and one more
    has: IntArray  # places in ``keys``, in order within a page

    def places(self, keys: KeyArray) -> IntArray:
        """The place of each key, or -1."""
        if not len(self.keys):
            return np.full(len(keys), -1, dtype=np.int32)
        at = np.minimum(self.keys.searchsorted(keys), len(self.keys) - 1)
        return np.where(self.keys[at] == keys, at, -1).astype(np.int32)

    def others(self, keys: KeyArray, without: IntArray) -> IntArray:
        """How many pages have each key, those left out of whose keys the places are given, in order."""
        at = self.places(keys)
        counts = np.where(at >= 0, self.pages[at] if len(self.pages) else 0, 0).astype(np.int32)
        if len(without):
            less = without.searchsorted(at, side="right") - without.searchsorted(at)
            counts -= less.astype(np.int32)
        return counts

    def keys_of(self, pages: IntArray) -> IntArray:
        """The places of the keys of some pages, in order, each as often as pages have it."""
        first = self.start[pages]
        return np.sort(self.has[long_ranges(first, self.start[pages + 1] - first)])

    def remembering(self) -> KeysOf:
        """``keys_of`` that looks at the same pages once: a thousand equal pages leave out the same ones."""
        known: dict[bytes, IntArray] = {}

        def keys_of(pages: IntArray) -> IntArray:
            together = pages.tobytes()
            if together not in known:
                known[together] = self.keys_of(pages)
            return known[together]

        return keys_of

    def of_page(self, page: int) -> IntArray:
        """The places of the keys that a page has."""
        return self.has[self.start[page] : self.start[page + 1]]

    def pages_with(self, key: int) -> list[int]:
        """The pages that have a key."""
        (at,) = self.places(np.array([key], dtype=np.uint64)).tolist()
        if at < 0:
            return []
        owners: list[int] = (
            self.start.searchsorted(np.flatnonzero(self.has == at), side="right") - 1
        ).tolist()
        return owners


def presence(pages: Sequence[KeyArray]) -> Presence:
    """What the pages have, from the keys of each."""
    own = [np.unique(keys) for keys in pages]
    sizes = [len(keys) for keys in own]
    if not sum(sizes):
        nothing = np.zeros(0, dtype=np.int32)
        return Presence(nothing.astype(np.uint64), nothing, np.zeros(len(pages) + 1, dtype=np.int32), nothing)
    keys, place, counts = np.unique(np.concatenate(own), return_inverse=True, return_counts=True)
    return Presence(
        keys, counts.astype(np.int32), np.cumsum([0, *sizes], dtype=np.int32), place.astype(np.int32)
    )


@dataclass(frozen=True, eq=False)
class Vectors:
    """Different block vectors in the order of their keys; ``of_page`` has the vectors of each page from
    ``page_start[i]`` on.
    """

    key: KeyArray
    at: IntArray  # where each begins in ``feature``, and one more
    feature: IntArray  # places in ``features``
    count: IntArray
    features: KeyArray  # in order
    page_start: IntArray
    of_page: IntArray

    def __len__(self) -> int:
        return len(self.key)

    @cached_property
    def pages_of(self) -> tuple[IntArray, IntArray]:
        """For each vector the pages that have it: where they begin, and the pages."""
        pages = np.repeat(np.arange(len(self.page_start) - 1, dtype=np.int32), np.diff(self.page_start))
        order = self.of_page.argsort(kind="stable")
        start = np.cumsum(
            np.concatenate([[0], np.bincount(self.of_page, minlength=len(self))]), dtype=np.int32
        )
        return start, pages[order]

    def pages(self, vectors: IntArray) -> IntArray:
        """The pages that have one of the vectors, each once."""
        start, pages = self.pages_of
        return np.unique(pages[long_ranges(start[vectors], start[vectors + 1] - start[vectors])])


def vectors_of(pages: Sequence[PageBlocks]) -> Vectors:
    """The different vectors of the pages."""
    keys = np.concatenate([np.zeros(0, dtype=np.uint64), *(page.vector for page in pages)])
    key, first, inverse = np.unique(keys, return_index=True, return_inverse=True)
    raw = np.concatenate([np.zeros(0, dtype=np.uint64), *(page.keys for page in pages)])
    counts = np.concatenate([np.zeros(0, dtype=np.int32), *(page.counts for page in pages)])
    sizes = np.concatenate([np.zeros(0, dtype=np.int32), *(np.diff(page.at) for page in pages)]).astype(
        np.int64
    )
    starts = np.cumsum(sizes) - sizes
    chosen = long_ranges(starts[first], sizes[first])
    features, feature = np.unique(raw[chosen], return_inverse=True)
    borders = np.cumsum([0, *(len(page) for page in pages)])
    own = [np.unique(inverse[start:end]) for start, end in pairwise(borders.tolist())]
    return Vectors(
        key,
        np.cumsum([0, *sizes[first]], dtype=np.int32),
        feature.astype(np.int32),
        counts[chosen].astype(np.int32),
        features,
        np.cumsum([0, *map(len, own)], dtype=np.int32),
        np.concatenate([np.zeros(0, dtype=np.int32), *own]).astype(np.int32),
    )


@dataclass(frozen=True, eq=False)
class BlockQuery:
    """A vector that is searched for: its features as places in the index (-1 for one that no page has), and
    their counts.
    """

    feature: IntArray
    count: IntArray
    text: BoolArray


class NearIndex:
    """Which vectors have a cosine above the threshold with a given one."""

    def __init__(self, vectors: Vectors, threshold: float) -> None:
        self.vectors = vectors
        self.threshold = threshold
        size = len(vectors)
        count = vectors.count.astype(np.float64)
        owner = np.repeat(np.arange(size, dtype=np.int32), np.diff(vectors.at))
        text = (
            (vectors.features & TAG == 0)[vectors.feature]
            if len(vectors.feature)
            else np.zeros(0, dtype=np.bool_)
        )
        self._square = sums(owner, count**2, size)
        frequency = np.bincount(vectors.feature, minlength=len(vectors.features))
        self._rank = np.empty(len(vectors.features), dtype=np.int64)  # from the rarest to the commonest
        self._rank[frequency.argsort(kind="stable")] = np.arange(len(vectors.features))
        self._post(owner[text], vectors.feature[text], count[text])
        self._classify(owner[~text], vectors.feature[~text], count[~text])

    def _post(self, owner: IntArray, feature: IntArray, count: FloatArray) -> None:
        """Makes the posting lists of the prefixes."""
        size = len(self.vectors)
        order = np.lexsort((self._rank[feature], owner))
        owner, feature, squares = owner[order], feature[order], count[order] ** 2
        total = sums(owner, squares, size)
        self._light = total >= self._needed(self._square)
        before = np.cumsum(squares) - squares - (np.cumsum(total) - total)[owner]
        within = before < self._needed(self._square)[owner]
        owner, feature = owner[within], feature[within]
        by_feature = feature.argsort(kind="stable")
        self._posting = owner[by_feature]
        sizes = np.bincount(feature, minlength=len(self.vectors.features))
        self._posting_start = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
        # Most vectors share no text of their prefix with any other: for these there is nothing to search.
        self.lonely = self._light & (sums(owner, sizes[feature] > 1, size) == 0)

    def _needed(self, square: FloatArray) -> FloatArray:
        """How much of a squared length a prefix must hold; a little more than exact, so that rounding loses
        nothing.
        """
        needed: FloatArray = max(1.0 - self.threshold**2, 0.0) * square * (1 + 1e-9) + 1e-9
        return needed

    def _classify(self, owner: IntArray, feature: IntArray, count: FloatArray) -> None:
        """Groups the vectors that can match without a common text by tags and length."""
        tags, column = np.unique(feature, return_inverse=True)
        self._tags = tags
        heavy = np.flatnonzero(~self._light)
        rows = np.zeros((len(heavy), len(tags) + 1))
        row = np.full(len(self.vectors), -1)
        row[heavy] = np.arange(len(heavy))
        mine = ~self._light[owner]
        rows[row[owner[mine]], column[mine]] = count[mine]
        rows[:, -1] = self._square[heavy]
        self._classes, of_heavy = np.unique(rows, axis=0, return_inverse=True)
        order = of_heavy.argsort(kind="stable")
        self._members = heavy[order].astype(np.int32)
        self._members_start = np.concatenate(
            [[0], np.cumsum(np.bincount(of_heavy, minlength=len(self._classes)))]
        )

    def query(self, keys: KeyArray, counts: IntArray) -> BlockQuery:
        """A vector to search for, of a page of the collection or of another."""
        features = self.vectors.features
        at = np.minimum(features.searchsorted(keys), max(len(features) - 1, 0))
        known = features[at] == keys if len(features) else np.zeros(len(keys), dtype=np.bool_)
        return BlockQuery(np.where(known, at, -1).astype(np.int32), counts, keys & TAG == 0)

    def search(self, query: BlockQuery) -> Iterator[IntArray]:
        """The vectors that match, part by part, so that who needs no more can stop; a vector may come
        twice.
        """
        square = float((query.count.astype(np.float64) ** 2).sum())
        count = query.count.astype(np.float64)
        yield from self._without_common_text(query, count, square)
        known = np.flatnonzero(query.feature >= 0)
        known = known[query.feature[known].argsort()]
        feature, times = np.append(query.feature[known], -1), np.append(count[known], 0.0)
        for chunk in self._candidates(query, count, square):
            first, end = self.vectors.at[chunk], self.vectors.at[chunk + 1]
            inside = long_ranges(first, end - first)
            place = feature[:-1].searchsorted(self.vectors.feature[inside])
            products = (
                np.where(feature[place] == self.vectors.feature[inside], times[place], 0.0)
                * self.vectors.count[inside]
            )
            sizes = end - first
            dot = np.add.reduceat(products, np.cumsum(sizes) - sizes)
            yield chunk[matches_by_cosine(dot, self._square[chunk], square, self.threshold)]

    def _without_common_text(self, query: BlockQuery, count: FloatArray, square: float) -> Iterator[IntArray]:
        if (count[query.text] ** 2).sum() >= self._needed(np.array([square]))[0]:
            return
        scratch = np.zeros(len(self._tags))
        column = {feature: number for number, feature in enumerate(self._tags.tolist())}
        for feature, times in zip(query.feature.tolist(), query.count.tolist(), strict=True):
            if feature in column:
                scratch[column[feature]] = times
        dot = self._classes[:, :-1] @ scratch
        for matching in np.flatnonzero(
            matches_by_cosine(dot, self._classes[:, -1], square, self.threshold)
        ).tolist():
            yield from _parts(
                self._members[self._members_start[matching] : self._members_start[matching + 1]]
            )

    def _candidates(self, query: BlockQuery, count: FloatArray, square: float) -> Iterator[IntArray]:
        """The vectors that have a text of the query's prefix in theirs: those with its rarest text first."""
        feature, squares = query.feature[query.text], count[query.text] ** 2
        order = np.where(feature >= 0, self._rank[feature] if len(self._rank) else -1, -1).argsort(
            kind="stable"
        )
        feature, squares = feature[order], squares[order]
        within = np.cumsum(squares) - squares < self._needed(np.array([square]))[0]
        for single in feature[within & (feature >= 0)].tolist():
            yield from _parts(self._posting[self._posting_start[single] : self._posting_start[single + 1]])


def _parts(vectors: IntArray) -> Iterator[IntArray]:
    for start in range(0, len(vectors), CHUNK):
        yield vectors[start : start + CHUNK]
