"""What kind of pair two pages are: relation and category by the tree of Kang 2009, section 6.2 (figure
16).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

RELATIONS = ("identical", "inclusion", "partial")
IDENTICAL, INCLUSION, PARTIAL = range(3)
CATEGORIES = (
    "mirror",
    "boilerplate_or_plagiarism",
    "archive",
    "link_collection",
    "same_site",
    "citation",
    "shared_passage",
)
MIRROR, SAME_SITE = 0, 4  # numbers in CATEGORIES; before SAME_SITE an even one is that of similar addresses
# A little less than one Japanese sentence of 20 letters says (41). On the transplanted pages every threshold
# from 25 to 45 reports the same designed pairs and no stock text.
MIN_BITS = 35
IDENTICAL_ABOVE, INCLUDED_ABOVE = 0.6, 0.5  # overlap, containment: section 6.2, by preliminary experiments
KEPT_SHARE = 0.95  # of a page's content, by characters, must be in the page that is kept for it to be dropped
URLS = ("site", "paper")
LINKS = ("none", "a_to_b", "b_to_a", "both")

Numbers = npt.NDArray[Any]


@dataclass(frozen=True, slots=True)
class Thresholds:
    """Where the tree parts; the defaults are those of section 6.2."""

    identical_above: float = IDENTICAL_ABOVE  # not 1, since sentences of many pages do not count as shared
    included_above: float = INCLUDED_ABOVE
    similar_above: float = 0.0  # URL similarity
    # Whether whole paragraphs at the same place of two pages of a site make a pair by themselves
    keep_templates: bool = False
    # How addresses are compared: by who runs the pages, or by their parts as in section 6.1.2
    urls: str = "site"
    min_bits: int = MIN_BITS  # pairs that say less are left out, but for identical pages
    kept_share: float = KEPT_SHARE


def overlap(shared: Numbers, one: Numbers, other: Numbers) -> npt.NDArray[np.float64]:
    """Equation 3: twice the shared characters by those of both pages' long sentences."""
    return np.asarray(2 * shared / (one + other), dtype=np.float64)


def containment(shared: Numbers, one: Numbers, other: Numbers) -> npt.NDArray[np.float64]:
    """Equation 4, Simpson's coefficient: the shared characters by those of the shorter page's long
    sentences.
    """
    return np.asarray(shared / np.minimum(one, other), dtype=np.float64)


def relations(overlap: Numbers, containment: Numbers, thresholds: Thresholds) -> npt.NDArray[np.int8]:
    """The number of each pair's relation in RELATIONS."""
    partial_or_inclusion = np.where(containment > thresholds.included_above, INCLUSION, PARTIAL)
    return np.where(overlap > thresholds.identical_above, IDENTICAL, partial_or_inclusion).astype(np.int8)


def categories(
    relation: Numbers, url_similarity: Numbers, linked: Numbers, thresholds: Thresholds
) -> npt.NDArray[np.int8]:
    """The number of each pair's category in CATEGORIES; ``linked`` says whether one of the pages links to the
    other.
    """
    similar = url_similarity > thresholds.similar_above
    partial = np.where(similar, 4, np.where(linked, 5, 6))
    return np.where(relation == PARTIAL, partial, 2 * relation + ~similar).astype(np.int8)
