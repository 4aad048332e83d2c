"""A page by what its blocks are made of."""

from __future__ import annotations

import hashlib
from itertools import chain

import numpy as np

from ruiji.features.page.textnodes import TextNodes


def page_key(nodes: TextNodes) -> bytes:
    """128 bits that stand for everything that the blocks of a page are made of (``page_blocks``)."""
    key = hashlib.blake2b(digest_size=16)
    names = chain(nodes.names or (), [(-1, "")], nodes.described or ())
    for text in (nodes.host, *nodes.texts, *(str(part) for pair in names for part in pair), *nodes.tag):
        data = text.encode("utf-8", "surrogatepass")
        key.update(len(data).to_bytes(8, "little"))
        key.update(data)
    for column in (nodes.element, nodes.block, nodes.link, nodes.parent, nodes.first, nodes.end):
        key.update(np.ascontiguousarray(column, dtype=np.int32).tobytes())
    key.update(np.array(nodes.link_kinds, dtype=np.int8).tobytes())
    return key.digest()
