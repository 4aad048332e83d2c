"""The feature set ``wished``: that of Nakamura 2007 with what its author wished for.

Section 5.2: whether a text has 、 or 。, and for lists (ul, ol, dl) the averages that tables have. Section
4.5: the text that follows is looked at too ("INDEX" before links was taken for content), and the distance to
the element that a text shares with the one before stands beside the change of depth (two tables side by side
were taken for one). Better steps of the numbers, the fourth wish, are chosen from training pages:
``chunker/evaluation/buckets.py``.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ruiji.features.nodes.attributes import Closed, FeatureSet
from ruiji.features.nodes.buckets import DISTANCES
from ruiji.features.nodes.forest import Forest
from ruiji.features.nodes.nakamura import (
    NAKAMURA,
    TABLE_LENGTHS,
    TABLE_LINKS,
    YES_NO,
    Codes,
    length_steps,
    link_ratio_steps,
)
from ruiji.features.nodes.structure import around, average
from ruiji.features.nodes.tags import climb
from ruiji.features.nodes.texts import commas, sentence_ends

LISTS = ("ul", "ol", "dl")  # section 5.2
LOOKED_AHEAD = frozenset(("text_length", "verb_or_adjective", "link"))  # of the next text too (section 4.5)


def punctuation(pages: Forest) -> Codes:
    """Whether the text has a comma or a full stop, Japanese or not."""
    return ((sentence_ends(pages) + commas(pages)) > 0).astype(np.int32)


def list_text_length(pages: Forest) -> Codes:
    """The average number of characters of the texts in the list around this one, in steps of table 3.4."""
    return length_steps(average(pages, around(pages, *LISTS), pages.lengths_inside))


def list_link_ratio(pages: Forest) -> Codes:
    """The share of links among the texts in the list around this one, in steps of table 3.5."""
    return link_ratio_steps(average(pages, around(pages, *LISTS), pages.linked_inside))


WISHED = FeatureSet(
    "wished",
    (
        *(
            replace(feature, offsets=(0, 1))
            if isinstance(feature, Closed) and feature.name in LOOKED_AHEAD
            else feature
            for feature in NAKAMURA.features
        ),
        Closed(punctuation, YES_NO),
        Closed(list_text_length, TABLE_LENGTHS),
        Closed(list_link_ratio, TABLE_LINKS),
        Closed(climb, DISTANCES),
    ),
)

# What each wish brings: what is left out.
WISHES = {
    "wish 5.2 punctuation": ("punctuation",),
    "wish 5.2 list averages": ("list_text_length", "list_link_ratio"),
    "wish 4.5 common element": ("climb",),
}
