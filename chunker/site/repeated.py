"""What a page repeats of its site, node by node: the same text at the same place as on most other pages.

A model that sees one page takes the menu of a page with next to no content for the content. Other pages of
the site have that menu too. What they repeat is not always furniture: manuals repeat headings, and shops
their terms. So it goes down as far as a model may be wrong and no farther, and stays where it heads or stands
among text that only this page has (docs/decisions, 0110).
"""

from __future__ import annotations

import numpy as np

from ruiji.chunker.unique.keys import HEADINGS, MOST_CHARS, mixed_keys
from ruiji.features.arrays import BoolArray, FloatArray, KeyArray
from ruiji.features.nodes.forest import NOWHERE, Forest

# Of the site's other pages that have a text for it to be repeated; our measurement: 0.6 to 0.8 alike, 0.5
# takes what shops say of each offer
SHARE = 2 / 3
OTHERS = 3  # pages there must be to compare with: what one or two have is as often content
DOWN = 4.0  # log-odds by which repeated nodes go down; 3 is worse, 6 costs whole pages (our measurement)
# Share at which a text is part of the template though it stands among content, and the share of its
# surroundings that must be the page's own for it to stay otherwise (those of block uniqueness)
NEARLY_ALL, SURROUNDED = 0.9, 0.5
# Elements whose text says what the text after it is; those of block uniqueness, and headings
LABELS = ("th", "dt", "caption", "legend", "summary")
TOP = ("html", "body")  # what stands right below these has no surroundings of its own


def node_keys(pages: Forest) -> KeyArray:
    """A number for each node that stands for its text, white space around it apart, and for its place: the
    elements above it, without what they are called.
    """
    place = mixed_keys(pages.depth.astype(np.uint64), pages.number.astype(np.uint64))
    place[NOWHERE] = 0
    above = pages.parent
    while above.any():
        place += place[above]
        above = above[above]
    return mixed_keys(place[pages.element], pages.text_key)


def shift_of_repeated(pages: Forest, share: FloatArray) -> FloatArray:
    """What is to be added to the log-odds of each node, ``share`` of the other pages of whose site have it
    too.
    """
    again, nearly_everywhere = (mostly(pages, share >= least) for least in (SHARE, NEARLY_ALL))
    own, whole = pages.inside(pages.lengths * ~again), pages.lengths_inside
    around = pages.parent[pages.block_element[pages.element]]
    among_own = (own[around] >= SURROUNDED * whole[around]) & ~pages.named(*TOP)[around]
    kept = ~again | (among_own & (around != NOWHERE) & ~nearly_everywhere)
    shift: FloatArray = np.where(kept | heads(pages, kept), 0.0, -DOWN)
    return shift


def mostly(pages: Forest, which: BoolArray) -> BoolArray:
    """The nodes of the blocks that most of the text of is ``which``: the counter in a line of the template is
    part of it, and a bracket of a program listing is not, though all listings have it.
    """
    whole = np.bincount(pages.block, pages.lengths)
    part = np.bincount(pages.block, pages.lengths * which)
    of_nodes: BoolArray = (part >= MOST_CHARS * whole)[pages.block]
    return of_nodes


def heads(pages: Forest, kept: BoolArray) -> BoolArray:
    """Which nodes are headings or labels of what is kept: it follows them in the page, other such nodes
    aside.
    """
    heading = pages.nearest(pages.named(*HEADINGS, *LABELS))[pages.element] != NOWHERE
    place = np.where(heading, len(pages), np.arange(len(pages)))
    following = np.minimum.accumulate(place[::-1])[::-1]
    page = np.append(pages.page, -1)  # of what follows the last text
    is_head: BoolArray = heading & np.append(kept, False)[following] & (page[following] == pages.page)
    return is_head
