"""Annotation comments in a page ⇄ labels of its text nodes (Nakamura 2007, section 4.1)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from chunker.mask import ContentMask
from features.textnodes import TextNodes

BEGIN = "(((BEGIN NOT CONTENT"
END = ")))END NOT CONTENT"
LONGEST_MISSPELLING = 60  # a comment that is longer only speaks of content


class AnnotationError(ValueError):
    """Markers that do not make regions; the message names each fault and the text it stands before."""


@dataclass(frozen=True, slots=True)
class _Region:
    start: int
    end: int


def annotated_mask(nodes: TextNodes) -> ContentMask:
    """The mask that the annotation comments of a page say. Raises AnnotationError where they are not balanced."""
    content: npt.NDArray[np.bool_] = np.ones(len(nodes), dtype=np.bool_)
    for region in _regions(nodes):
        content[region.start : region.end] = False
    return ContentMask(content, content.astype(np.float32), "annotation")


def _regions(nodes: TextNodes) -> list[_Region]:
    regions, faults = [], []
    start: int | None = None
    for position, comment in nodes.marks:
        # A comment that somebody forgot to close swallows what follows, up to the end of our marker.
        marker = " ".join(comment.rpartition("<!--")[2].split())
        before = repr(nodes.texts[position].strip()[:20]) if position < len(nodes) else "the end of the page"
        if marker == BEGIN:
            if start is not None:
                faults.append(f"a region begins inside another, before {before}")
            start = position
        elif marker == END:
            if start is None:
                faults.append(f"a region ends that never began, before {before}")
            else:
                regions.append(_Region(start, position))
            start = None
        elif "NOT CONTENT" in marker.upper() and len(marker) < LONGEST_MISSPELLING:
            faults.append(f"a misspelt marker {marker!r}, before {before}")
    if start is not None:
        faults.append("the last region never ends")
    if faults:
        raise AnnotationError("; ".join(faults))
    return regions
