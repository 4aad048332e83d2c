"""A page by what its blocks are made of."""

from __future__ import annotations

import hashlib

import numpy as np

from ruiji.features.arrays import Column
from ruiji.features.page.elements import CUSTOM_NUMBER
from ruiji.features.page.textnodes import TextNodes


def page_key(nodes: TextNodes) -> bytes:
    """128 bits that stand for everything that the blocks of a page are made of (``page_blocks``)."""
    customs = np.flatnonzero(nodes.number == CUSTOM_NUMBER).tolist()  # elements that only their names tell
    texts = [nodes.host, *nodes.texts, *(nodes.tag[element] for element in customs)]
    columns: list[Column] = [
        nodes.element,
        nodes.block,
        nodes.link,
        nodes.parent,
        nodes.first,
        nodes.end,
        nodes.number,
    ]
    columns.append(np.array(nodes.link_kinds, dtype=np.int32))
    for named in (nodes.names, nodes.described):
        if named is not None:
            texts += named.names
            columns.append(named.elements)
    columns.append(np.fromiter(map(len, texts), np.int32, len(texts)))
    sizes = np.array(list(map(len, columns)), dtype=np.int32)
    key = hashlib.blake2b(digest_size=16)
    for column in (sizes, *columns):
        key.update(column.astype(np.int32).tobytes())
    key.update("".join(texts).encode("utf-8", "surrogatepass"))
    return key.digest()
