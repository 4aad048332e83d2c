"""Markdown without what was removed from the text that it shows.

The letters of the Markdown are those of the text in the same order, with marks, addresses and the like
between them. Lines are laid beside the text from the start; a line whose letters stand there next is known
character by character, and what was removed of it goes. A line that is not found in the text stays as it is.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from ruiji.detector.clean.stretches import RemovedStretch
from ruiji.features.arrays import BoolArray

# What Markdown has that the text has not: targets of links (bounded, so that hostile lines stay linear),
# images, escapes, tags.
_MARKUP = re.compile(r"!\[[^\]\n]*\]\([^)\n]{0,4000}\)|\]\([^)\n]{0,4000}\)|<[^>\n]*>|\\(?=\W)")
WINDOW = (
    2_000  # letters of the text that may be missing from the Markdown between two lines: comments, a title
)
_SPARE = re.compile(r"\n{3,}")


def markdown_without(markdown: str, text: str, stretches: Sequence[RemovedStretch]) -> str:
    """The Markdown of a text without the stretches that were removed from it.

    >>> markdown_without("**One.** [Two](x).", "One. Two.", [RemovedStretch(4, 9, 0, 0, 0, 0)])
    '**One.**'
    """
    if not stretches or not markdown:
        return markdown
    letters, gone = _letters(text, stretches)
    place = 0
    lines = []
    for line in markdown.split("\n"):
        own, where = _line_letters(line)
        at = letters.find(own, place, place + len(own) + WINDOW) if own else -1
        if at < 0:
            lines.append(line)
            continue
        place = at + len(own)
        lines.append(_cut_line(line, where, gone[at:place]))
    return _SPARE.sub("\n\n", "\n".join(lines)).strip("\n")


def _letters(text: str, stretches: Sequence[RemovedStretch]) -> tuple[str, BoolArray]:
    """The letters and digits of a text, and which of them were removed."""
    removed = np.zeros(len(text), dtype=np.bool_)
    for stretch in stretches:
        removed[stretch.start : stretch.end] = True
    where = [place for place, character in enumerate(text) if character.isalnum()]
    return "".join(text[place] for place in where), removed[where]


def _line_letters(line: str) -> tuple[str, list[int]]:
    """The letters and digits of a line of Markdown that the text has too, and their places."""
    masked = _MARKUP.sub(lambda match: " " * len(match.group()), line)
    where = [place for place, character in enumerate(masked) if character.isalnum()]
    return "".join(line[place] for place in where), where


def _cut_line(line: str, where: Sequence[int], gone: BoolArray) -> str:
    """The line without the letters that are gone, and without what stands among them and behind them; ""
    where
    all are.
    """
    if not gone.any():
        return line
    if gone.all():
        return ""
    kept, place = [], 0
    for number in np.flatnonzero(gone).tolist():
        before = where[number - 1] + 1 if number and not gone[number - 1] else None
        if before is not None:
            kept.append(line[place:before] + _closing(line[before : where[number]]))
        elif number == 0:
            kept.append(line[: where[0]])
        place = where[number + 1] if number + 1 < len(where) else len(line)
    return ("".join(kept) + line[place:]).rstrip()


def _closing(between: str) -> str:
    """What stands between a letter that stays and one that goes, up to the white space: it ends what
    stays."""
    return between.split(" ")[0].rstrip("[!")
