"""The blocks of a page, which a person selects: the elements that hold text."""

from __future__ import annotations

from typing import Any

from ruiji.features.page.textnodes import TextNodes

LONGEST_LABEL = 60  # characters: the element's name and the first words of its class or id


def blocks_of(nodes: TextNodes) -> dict[str, Any]:
    """The elements that hold text, as columns; one around another with the same text counts once, the outer
    one.

    Of each block: its element, the block around it (-1 for none), its first node and the one after its last,
    how many elements its element lies above the one that holds the first node, and what it is called, as a
    place in ``labels``.
    """
    first, end = nodes.first.tolist(), nodes.end.tolist()
    depth = nodes.depths()
    text_depth = depth[nodes.element].tolist()
    depths = depth.tolist()
    named = dict(nodes.names or ())
    block_of: list[int] = []  # element → the block that stands for it
    labels: dict[str, int] = {}
    columns: dict[str, list[Any]] = {
        "element": [],
        "parent": [],
        "first": [],
        "end": [],
        "above": [],
        "label": [],
    }
    for element, parent in enumerate(nodes.parent.tolist()):
        above = block_of[parent] if parent >= 0 else -1
        same = (
            above >= 0 and columns["first"][above] == first[element] and columns["end"][above] == end[element]
        )
        if first[element] == end[element] or same:
            block_of.append(above)
            continue
        block_of.append(len(columns["element"]))
        words = named.get(element, "").split()
        label = ".".join((nodes.tag[element], *words[:2]))[:LONGEST_LABEL]
        columns["element"].append(element)
        columns["parent"].append(above)
        columns["first"].append(first[element])
        columns["end"].append(end[element])
        columns["above"].append(text_depth[first[element]] - depths[element])
        columns["label"].append(labels.setdefault(label, len(labels)))
    return columns | {"labels": list(labels)}
