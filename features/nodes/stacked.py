"""The feature set ``stacked``: the log-odds that models under the CRF give each block, and what is needed to
part regions beside it.

The models have seen sizes, links, names and the whole page; so the list is short, which makes tagging fast.
"""

from __future__ import annotations

import numpy as np

from ruiji.features.nodes.attributes import Closed, FeatureSet, Open
from ruiji.features.nodes.buckets import DISTANCES, SIZES, Codes, bucket
from ruiji.features.nodes.forest import Forest
from ruiji.features.nodes.nakamura import LINKS, TAGS, link
from ruiji.features.nodes.names import HINTS, hint_key, hint_opens, nearest_hint
from ruiji.features.nodes.surroundings import block_place
from ruiji.features.nodes.tags import block_tag, climb, closed_before, descent, opens, tag_key
from ruiji.features.nodes.texts import size

# Logarithms of odds: half steps near the middle, where they differ most in what they mean.
ODDS_BORDERS = (
    -7.0,
    -5.5,
    -4.5,
    -3.75,
    -3.0,
    -2.5,
    -2.0,
    -1.5,
    -1.0,
    -0.5,
    0.0,
    0.5,
    1.0,
    1.5,
    2.0,
    2.5,
    3.0,
    3.75,
    4.5,
    5.5,
    7.0,
)
ODDS = ("less", *(f"{border:g}" for border in ODDS_BORDERS))


class OddsMissing(ValueError):
    """Pages came to the CRF without the log-odds of the models under it."""


def odds(pages: Forest) -> Codes:
    """How likely the models find the block to be content."""
    if pages.odds is None:
        raise OddsMissing(
            "the set stacked needs log-odds of models below it; CrfChunker trains them when it is fitted"
        )
    return bucket(pages.odds, ODDS_BORDERS)


def odds_change(pages: Forest) -> Codes:
    """How the odds differ from those of the node before, in half steps."""
    if pages.odds is None:
        raise OddsMissing(
            "the set stacked needs log-odds of models below it; CrfChunker trains them when it is fitted"
        )
    change = np.diff(pages.odds, prepend=pages.odds[:1])
    change[pages.page_start[:-1][np.diff(pages.page_start) > 0]] = 0.0
    return bucket(change, CHANGE_BORDERS)


CHANGE_BORDERS = (-4.0, -2.0, -1.0, -0.3, 0.3, 1.0, 2.0, 4.0)
CHANGES = ("-4", "-2", "-1", "-.3", "same", "+.3", "+1", "+2", "+4")
NEAR = (-2, -1, 0, 1, 2)

STACKED = FeatureSet(
    "stacked",
    (
        Closed(odds, ODDS, NEAR),
        Closed(odds_change, CHANGES, (0, 1)),
        Closed(size, SIZES),
        Closed(link, LINKS),
        Closed(block_tag, TAGS),
        Closed(nearest_hint, HINTS, (-1, 0)),
        Closed(block_place, ("only", "first", "last", "between")),
        Closed(climb, DISTANCES, (0, 1)),
        Closed(descent, DISTANCES, (0, 1)),
        Open(opens, tag_key),
        Open(closed_before, tag_key),
        Open(hint_opens, hint_key),
    ),
)
