"""The content mask: for each text node of a page whether it is content, who decided, and how sure."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ruiji.chunker.labels import LabelArray
from ruiji.features.page.textnodes import TextNodes


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
