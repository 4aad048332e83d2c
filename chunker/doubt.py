"""How sure a mask is: which nodes a person should look at, and which pages first."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from ruiji.chunker.mask import ContentMask
from ruiji.features.page.textnodes import TextNodes

DOUBTFUL = 0.5  # a node is doubtful from here on: a probability between one and three quarters

DoubtArray = npt.NDArray[np.float32]


def node_doubts(mask: ContentMask) -> DoubtArray:
    """The doubt about each node: 0 where the mask is sure, 1 where it might as well have thrown a coin."""
    return (1 - np.abs(2 * mask.score - 1)).astype(np.float32)


def page_doubt(nodes: TextNodes, mask: ContentMask) -> float:
    """The mean doubt about a character of the page; 0 for a page without text."""
    lengths = np.array([len(text) for text in nodes.texts], dtype=np.float64)
    return float((node_doubts(mask) * lengths).sum() / max(lengths.sum(), 1.0))
