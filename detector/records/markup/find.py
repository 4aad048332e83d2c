"""Records of a page, found without a schema: rows of tables, definition lists, cards, lists, headings with
lines below them.

Every line gives pieces (pieces.py); pieces that belong together are a part (regions.py); a part that has a
name and says something is a record (titles.py).
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import numpy.typing as npt

from ruiji.detector.records.fields.concepts import Schema
from ruiji.detector.records.markup.reading import page_pieces
from ruiji.detector.records.markup.regions import regions
from ruiji.detector.records.markup.titles import finished
from ruiji.detector.records.markup.tree import page_tree, readable
from ruiji.detector.records.model import Field, Record
from ruiji.features.page.textnodes import TextNodes

__all__ = ["Field", "Record", "records_of"]


def records_of(
    nodes: TextNodes,
    content: npt.NDArray[np.bool_],
    schema: Schema,
    spans: Mapping[int, tuple[int, int]] | None = None,
) -> list[Record]:
    """The records of a page in the order in which they stand; ``content`` is the mask, ``spans`` comes from
    features.tables.
    """
    if not len(nodes) or not content.any():
        return []
    tree = page_tree(nodes, readable(nodes, content), spans or {})
    pieces = page_pieces(tree, schema)
    return finished(pieces, [*pieces.closed, *regions(pieces, schema)], schema)
