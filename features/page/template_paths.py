"""Where an element stands in the template of its site: a path that is the same on other pages of that
template.

An element with class names or an id is known by these; one without, by its place among its siblings, except
where siblings are alike by nature (list items, paragraphs, inline elements). Digits in names count as one
digit: ``post-123`` and ``post-77`` are the same place.
"""

from __future__ import annotations

import re
from collections import Counter

from ruiji.features.page import elements
from ruiji.features.page.steps import HIDDEN_NAME
from ruiji.features.page.textnodes import TextNodes

# Block-level elements of which a parent has many that mean the same.
ALIKE = frozenset("dd dt li option p".split())

_DIGITS = re.compile(r"\d+")


def template_paths(nodes: TextNodes) -> list[str]:
    """The path of every element: /html/body/div.side/ul[2]/li. The nodes must be named."""
    named = {element: _words(name) for element, name in nodes.names or ()}
    seen: Counter[tuple[int, str]] = Counter()
    paths: list[str] = []
    for element, (parent, tag) in enumerate(zip(nodes.parent.tolist(), nodes.tag, strict=True)):
        seen[parent, tag] += 1
        step = tag
        if words := named.get(element):
            step = ".".join((tag, *words))
        elif tag in elements.BLOCK_LEVEL and tag not in ALIKE and tag not in ("html", "body"):
            step = f"{tag}[{seen[parent, tag]}]"
        paths.append(f"{paths[parent] if parent >= 0 else ''}/{step}")
    return paths


def _words(name: str) -> list[str]:
    """The names of an element in an order of their own, without what a script has changed."""
    return sorted({_DIGITS.sub("0", word) for word in name.split() if word != HIDDEN_NAME})
