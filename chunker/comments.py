"""Comments of readers: text in elements that are called so."""

from __future__ import annotations

import numpy as np

from ruiji.chunker.stack.frames import COMMENTS, nodes_inside
from ruiji.features.arrays import BoolArray
from ruiji.features.page.textnodes import TextNodes

# From this share on, what is called a comment is what the page is for (a forum, questions). Comments
# below an article may well be longer than it. Chosen on pages of dragnet.
_MOST = 0.85


def comment_nodes(nodes: TextNodes, content: BoolArray) -> BoolArray:
    """Which text nodes are comments of readers; none where most of the content is in such elements."""
    inside = nodes_inside(nodes, COMMENTS, "omment")
    if not inside.any():
        return inside
    lengths = np.fromiter(map(len, nodes.texts), dtype=np.int64, count=len(nodes))
    if int(lengths[inside & content].sum()) > _MOST * int(lengths[content].sum()):
        return np.zeros(len(nodes), dtype=np.bool_)
    return inside
