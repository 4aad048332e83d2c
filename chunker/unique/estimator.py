"""Block uniqueness: what no other page has is content (Yoshida and Yamamoto 2009), and what the authors
wished for beside it.

extractor = UniquenessExtractor().fit(pages)    # text nodes of the pages of one or more sites, no annotation
masks = extractor.predict_masks(pages)          # the same pages, or new ones of the same sites
print(extractor.explain(pages[0], 12))          # which other pages have the block of this node

The paper's plain rule is UniquenessExtractor(**PLAIN). What differs from the paper there: a mask is of text
nodes, so a block without text, such as an image alone, is in none; ``evaluation/plain_rule.py`` counts those
of an image for the paper's table and figure.
"""

from __future__ import annotations

from sklearn.base import BaseEstimator

from ruiji.chunker.unique.uniqueness import DECIDED_BY, PLAIN, THRESHOLD, Uniqueness


class UniquenessExtractor(Uniqueness, BaseEstimator):  # type: ignore[misc]
    """Block uniqueness as a scikit-learn estimator without labels: its settings are those of ``Uniqueness``,
    and scikit-learn copies and prints it.
    """


__all__ = ["DECIDED_BY", "PLAIN", "THRESHOLD", "UniquenessExtractor"]
