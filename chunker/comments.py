"""Comments of readers: text in elements that are called so."""

from __future__ import annotations

import re

import numpy as np

from ruiji.features.arrays import BoolArray
from ruiji.features.page.textnodes import TextNodes

# Names of the frames that blogs, news sites and comment services put around comments. What only counts them,
# leads to them or asks for one is called so, too, and has names of its own.
_FRAME = re.compile(
    r"(?:^|[\s_])(?:(?:reader|user|post|article|entry|dsq)[-_]?)?"
    r"(?:comments|comments?[-_]?(?:master[-_]?)?(?:list|area|section|wrapper|container|thread|block|body)"
    r"|comment[-_]?(?:content|text|entry|message|tpl)|disqus_thread)(?:-\d+)?(?=$|\s)",
    re.IGNORECASE,
)
# From this share on, what is called a comment is what the page is for (a forum, questions). Comments
# below an article may well be longer than it. Chosen on pages of dragnet.
_MOST = 0.85


def comment_nodes(nodes: TextNodes, content: BoolArray) -> BoolArray:
    """Which text nodes are comments of readers; none where most of the content is in such elements."""
    inside = np.zeros(len(nodes), dtype=np.bool_)
    if nodes.names is not None and "omment" in "\0".join(nodes.names.names):
        for element, names in nodes.names:
            if "omment" in names and _FRAME.search(names):
                inside[nodes.first[element] : nodes.end[element]] = True
    if not inside.any():
        return inside
    lengths = np.fromiter(map(len, nodes.texts), dtype=np.int64, count=len(nodes))
    if int(lengths[inside & content].sum()) > _MOST * int(lengths[content].sum()):
        return np.zeros(len(nodes), dtype=np.bool_)
    return inside
