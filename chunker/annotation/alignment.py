"""Labels from plain text: which text nodes of a page make up the text that somebody wrote down as its
content.

The units of page and text (words; characters where words have no spaces between them) are matched one to one
in rounds. A round finds runs of units that both have, chains those that come in the same order with few and
short gaps, and fills the gaps with shorter runs. What is left over goes into the next round, so a text in
another order than the page's is found too. A node is content when about half of its units are matched; nodes
of one block, and those too short to tell, follow their neighbours.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ruiji.chunker.annotation.common_runs import NOWHERE, align_units, matched_units
from ruiji.chunker.mask import ContentMask
from ruiji.chunker.metrics import UNSPACED
from ruiji.features.arrays import BoolArray, LongArray, covered
from ruiji.features.page.textnodes import SPACE_BEFORE, TextNodes

ROUNDS = 4
FEWEST_LEFT = 3  # units of the text that another round is worth
# Of a node's units that must be matched; half would be right for a word F1 near 1, but texts leave out words
# more often
MAJORITY = 0.45
SWITCH = 0.4  # what a change of label between two blocks costs, in matched units
SWITCH_IN_BLOCK = 1.0
# Of a text; where there are fewer, changes cost so much less, or a very short text would never be worth them
FEW_UNITS = 20

_UNIT = re.compile(rf"[{UNSPACED}]|[^\W_{UNSPACED}]+")


@dataclass(frozen=True, slots=True, eq=False)
class _Units:
    """The units of a page, and for each node its first unit and the one after its last; a word may be in
    several nodes.
    """

    words: Sequence[str]
    first: LongArray
    end: LongArray


def aligned_mask(nodes: TextNodes, main_content: str) -> ContentMask:
    """The mask whose text reproduces ``main_content``; a node's score is the share of its units that were
    found there.
    """
    wanted = _UNIT.findall(main_content.lower())
    units = _units_of(nodes, set(wanted))
    if not wanted or not units.words:
        nothing = np.zeros(len(nodes), dtype=np.bool_)
        return ContentMask(nothing, nothing.astype(np.float32), "alignment")
    page, text = _numbered(units.words, wanted)
    place = np.full(len(page), NOWHERE, dtype=np.int64)
    content = np.zeros(len(nodes), dtype=np.bool_)
    for number in range(ROUNDS):
        free_page, free_text = _left_over(place, content, units, len(text))
        if not len(free_page) or len(free_text) < (FEWEST_LEFT if number else 1):
            break
        places = align_units(page[free_page], text[free_text], any_order=number > 0)
        matched = places != NOWHERE
        place[free_page] = NOWHERE  # matches that made no node content do not keep the text from others
        place[free_page[matched]] = free_text[places[matched]]
        content = _decided(nodes, units, place, min(1.0, len(text) / FEW_UNITS))
    return ContentMask(content, _shares(units, place, content), "alignment")


def _units_of(nodes: TextNodes, known: Collection[str]) -> _Units:
    """The units of a page in the order of its text."""
    line, flags = nodes.line.tolist(), nodes.flags.tolist()
    parts, seams = [], []
    for node, text in enumerate(nodes.texts):
        joined = node > 0 and line[node] == line[node - 1] and not flags[node] & SPACE_BEFORE
        seams.append(joined)
        parts.append(text.lower() if joined else " " + text.lower())
    ends = np.fromiter(map(len, parts), dtype=np.int64, count=len(parts)).cumsum()
    starts = ends - np.fromiter(map(len, parts), dtype=np.int64, count=len(parts))
    whole = "".join(parts)
    spans = np.array([match.span() for match in _UNIT.finditer(whole)], dtype=np.int64).reshape(-1, 2)
    cuts = _cuts(whole, spans, starts[np.array(seams, dtype=np.bool_)], known)
    unit_start, unit_end = np.sort(np.append(spans[:, 0], cuts)), np.sort(np.append(spans[:, 1], cuts))
    words = [whole[start:end] for start, end in zip(unit_start.tolist(), unit_end.tolist(), strict=True)]
    return _Units(
        words, unit_end.searchsorted(starts, side="right"), unit_start.searchsorted(ends, side="left")
    )


def _cuts(whole: str, spans: LongArray, seams: LongArray, known: Collection[str]) -> LongArray:
    """The seams between nodes that end a word: those inside what is not a known word, for styles often set
    nodes apart without a space.
    """
    unit = spans[:, 1].searchsorted(seams, side="right")
    inside = unit < len(spans)
    inside[inside] = spans[unit[inside], 0] < seams[inside]
    around = spans[unit[inside]].tolist()
    unknown = np.array([whole[start:end] not in known for start, end in around], dtype=np.bool_)
    return seams[inside][unknown]


def _numbered(page: Sequence[str], text: Sequence[str]) -> tuple[LongArray, LongArray]:
    """The units as numbers, equal where the units are."""
    numbers: dict[str, int] = {}
    both = np.fromiter(
        (numbers.setdefault(unit, len(numbers)) for part in (page, text) for unit in part), dtype=np.int64
    )
    return both[: len(page)], both[len(page) :]


def _left_over(place: LongArray, content: BoolArray, units: _Units, size: int) -> tuple[LongArray, LongArray]:
    """The units of the page that are in no content node, and those of the text that no content node has."""
    inside = covered(units.first[content], units.end[content], len(place))
    return np.flatnonzero(~inside), np.flatnonzero(~matched_units(place[inside], size))


def _decided(nodes: TextNodes, units: _Units, place: LongArray, scale: float) -> BoolArray:
    """The labels with the most matched units over their share, less what changes of label cost (two states,
    Viterbi).
    """
    gains = (_matches(units, place) - MAJORITY * (units.end - units.first)).tolist()
    switches = (
        scale * np.where(np.diff(nodes.block, prepend=nodes.block[:1]) != 0, SWITCH, SWITCH_IN_BLOCK)
    ).tolist()
    outside, inside = 0.0, 0.0
    from_inside, from_outside = [], []
    for gain, switch in zip(gains, switches, strict=True):
        from_inside.append(inside - switch > outside)
        from_outside.append(outside - switch > inside)
        outside, inside = max(outside, inside - switch), max(inside, outside - switch) + gain
    content = np.zeros(len(nodes), dtype=np.bool_)
    state = inside > outside
    for node in range(len(nodes) - 1, -1, -1):
        content[node] = state
        state = not from_outside[node] if state else from_inside[node]
    return content


def _matches(units: _Units, place: LongArray) -> LongArray:
    """The number of matched units in each node."""
    sums = np.concatenate(([0], (place != NOWHERE).cumsum()))
    return np.asarray(sums[units.end] - sums[units.first], dtype=np.int64)


def _shares(units: _Units, place: LongArray, content: BoolArray) -> npt.NDArray[np.float32]:
    """The share of matched units in each node; a node without units has what was decided."""
    size = units.end - units.first
    return np.where(size > 0, _matches(units, place) / np.maximum(size, 1), content).astype(np.float32)
