"""What annotators take for the content of a page differs, and no page tells: a convention has a name.

``blocks``: the main text, block by block; a headline is in where the model has learned it so, and mostly out.
``headline``: block by block too, with the headline. ``element``: the headline, and all that stands in the
element of the content, tables and lists with the paragraphs. ``auto``: ``element`` on Japanese pages and
``blocks`` on others, as most annotated pages of the two have it.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ruiji.features.arrays import BoolArray

AUTO, BLOCKS, HEADLINE, ELEMENT = CONVENTIONS = ("auto", "blocks", "headline", "element")
CONVENTION = "convention"  # the field of an annotated page that names the one of its annotators


def check_convention(name: str) -> None:
    """Raises ValueError where there is none of that name."""
    if name not in CONVENTIONS:
        raise ValueError(f"there is no convention {name!r}; there are {', '.join(CONVENTIONS)}")


def with_headline(conventions: Sequence[str], japanese: BoolArray) -> BoolArray:
    """Which pages count their headlines, each by its own convention."""
    return _among(conventions, (HEADLINE, ELEMENT)) | (_among(conventions, (AUTO,)) & japanese)


def with_element(conventions: Sequence[str], japanese: BoolArray) -> BoolArray:
    """Which pages count the whole element."""
    return _among(conventions, (ELEMENT,)) | (_among(conventions, (AUTO,)) & japanese)


def _among(conventions: Sequence[str], names: Sequence[str]) -> BoolArray:
    return np.array([name in names for name in conventions], dtype=np.bool_)
