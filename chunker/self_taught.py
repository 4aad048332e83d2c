"""A chunker that nobody teaches: what block uniqueness is sure of on the pages of a crawl are the lessons of
a CRF.

Yoshida and Yamamoto 2009, section 5, wished for this: their method needs several pages of a site, a model
needs one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Self

import numpy as np

from ruiji.chunker.crf.estimator import CrfChunker
from ruiji.chunker.crf.sampling import Labels
from ruiji.chunker.labels import UNSURE, LabelArray, labels_of_mask
from ruiji.chunker.mask import ContentMask
from ruiji.chunker.unique.estimator import UniquenessExtractor
from ruiji.chunker.unique.uniqueness import DECIDED_BY, Uniqueness
from ruiji.features.arrays import BoolArray
from ruiji.features.page.textnodes import TextNodes

LEAST_COMPARED = 3  # pages that a page must be compared with: with fewer, chance repeats and misses decide
# Score from which on a node is surely content; our measurement: on two folds of the mini-web B_F was 0.914
# with all
SURE_CONTENT = 0.9
# nodes, 0.948 with 0.8, 0.957 with 0.9, and 0.976 when taught by annotation. What repeats at all is not
# surely content.
SURE_OTHER = 0.3  # score up to which it is surely not; our measurement: a little better than 0.5
LEAST_SURE = 0.5  # share of a page's characters that must be sure for the page to teach
TWICE = 2  # candidates for each page that is wanted: some will not be sure


class NoLessons(ValueError):
    """Pages of which block uniqueness can say nothing surely; the message says what is needed."""

    def __init__(self, pages: int) -> None:
        super().__init__(
            f"nothing to learn from: none of {pages} pages could be compared with {LEAST_COMPARED} or more "
            "pages of its site and be judged surely; give more pages of each site, or annotated ones"
        )


class SelfTaughtChunker(CrfChunker):
    """A CrfChunker whose labels come from block uniqueness over the very pages that it is fitted to; ``y``,
    ``sample_weight`` and ``conventions`` are not looked at.
    """

    def fit(
        self,
        X: Sequence[TextNodes],  # noqa: N803  scikit-learn's name
        y: Sequence[Labels] | None = None,
        watch: Callable[[], object] = lambda: None,
        sample_weight: Sequence[float] | None = None,
        conventions: Sequence[str] | None = None,
    ) -> Self:
        """Learns from what repeats among the pages and what does not. Raises NoLessons."""
        extractor = UniquenessExtractor().fit(X)
        chosen = [X[number] for number in candidates(extractor, self.per_site)]
        masks = extractor.predict_masks(chosen)
        training = [
            (nodes, lesson(mask)) for nodes, mask in zip(chosen, masks, strict=True) if teaches(nodes, mask)
        ]
        if not training:
            raise NoLessons(len(X))
        return super().fit([nodes for nodes, _ in training], [labels for _, labels in training], watch)


def candidates(extractor: Uniqueness, per_site: int | None) -> list[int]:
    """The numbers of the pages that may teach: compared with enough others, one of each set of twins, of a
    site no more than needed.
    """
    taken: set[int] = set()
    of_site: dict[int, list[int]] = {}
    for number, site in enumerate(extractor.site_.tolist()):
        twins = extractor.twins_.of(number).tolist()
        own = sum(extractor.site_[other] == site for other in twins)
        if extractor.site_pages_[site] - 1 - own >= LEAST_COMPARED and taken.isdisjoint(twins):
            taken.add(number)
            of_site.setdefault(site, []).append(number)
    most = None if per_site is None else TWICE * per_site
    return sorted(number for own_site in of_site.values() for number in _evenly(own_site, most))


def _evenly(numbers: list[int], most: int | None) -> list[int]:
    if most is None or len(numbers) <= most:
        return numbers
    return [numbers[place * len(numbers) // most] for place in range(most)]


def lesson(mask: ContentMask) -> LabelArray:
    """The labels that a mask teaches: those of which it is sure."""
    return np.where(_sure(mask), labels_of_mask(mask.content), UNSURE).astype(np.int8)


def teaches(nodes: TextNodes, mask: ContentMask) -> bool:
    """Whether a page can teach: it was compared, enough of it is surely content or surely not, and it has
    some of both.
    """
    sure = _sure(mask)
    if mask.decided_by != DECIDED_BY or not (sure & mask.content).any() or not (sure & ~mask.content).any():
        return False
    size = np.array([len(text) for text in nodes.texts])
    return bool((size * sure).sum() >= LEAST_SURE * size.sum())


def _sure(mask: ContentMask) -> BoolArray:
    sure: BoolArray = (mask.score >= SURE_CONTENT) | (mask.score <= SURE_OTHER)
    return sure
