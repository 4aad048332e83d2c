"""The content mask: for each text node of a page whether it is content, who decided, and how sure.

From how sure it is follows which nodes a person should look at, and which pages first.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ruiji.chunker.labels import LabelArray
from ruiji.features.page.textnodes import TextNodes

UNCERTAIN = 0.5  # a node is uncertain from here on: a probability between one and three quarters


@dataclass(frozen=True, slots=True, eq=False)
class ContentMask:
    """``content[i]`` says whether node i is content; ``score[i]`` is the probability of that, by
    ``decided_by``.

    ``labels`` are IOB2 labels where the decision also parts regions that stand side by side. ``expected_f1``
    is how good the content is likely to be, as the F1 of its words, by the same probabilities; None where
    nobody can say.
    """

    content: npt.NDArray[np.bool_]
    score: npt.NDArray[np.float32]
    decided_by: str
    labels: LabelArray | None = None
    expected_f1: float | None = None


def everything(nodes: TextNodes) -> ContentMask:
    """The mask of ``--filter none``: all is content, and nobody has decided anything."""
    size = len(nodes)
    return ContentMask(np.ones(size, dtype=np.bool_), np.ones(size, dtype=np.float32), "none")


def node_uncertainty(mask: ContentMask) -> npt.NDArray[np.float32]:
    """The uncertainty of each node: 0 where the mask is sure, 1 where its probability is one half."""
    return (1 - np.abs(2 * mask.score - 1)).astype(np.float32)


def page_uncertainty(nodes: TextNodes, mask: ContentMask) -> float:
    """The mean uncertainty of a character of the page; 0 for a page without text."""
    lengths = np.array([len(text) for text in nodes.texts], dtype=np.float64)
    return float((node_uncertainty(mask) * lengths).sum() / max(lengths.sum(), 1.0))
