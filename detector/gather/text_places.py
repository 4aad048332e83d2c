"""Where sentences stand in the extracted text of their page, which is what results are shown by."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from ruiji.detector.sentences.normalise import PARAGRAPH, normalised
from ruiji.features.arrays import IntArray

NOWHERE = -1


def text_places(texts: Sequence[str], sentences: Sequence[Sequence[str]]) -> list[tuple[IntArray, IntArray]]:
    """Start and end of each of the normalised sentences of each text, given in order, in that text; NOWHERE
    where it is not there, since nodes that are no content stood between its parts.
    """
    joined = normalised(texts, PARAGRAPH)
    counts = [len(own) for own in sentences]
    borders = joined.starts.tolist()
    found: list[int] = []
    for text, own in enumerate(sentences):
        first, end = borders[text], borders[text + 1]
        cursor = first
        for sentence in own:
            place = joined.text.find(sentence, cursor, end)
            if place < 0:
                place = joined.text.find(sentence, first, end)
            found.append(place)
            if place >= 0:
                cursor = place + len(sentence)
    places = np.array(found, dtype=np.int32)
    sizes = np.fromiter((len(sentence) for own in sentences for sentence in own), np.int32, len(places))
    there = places >= 0
    number = np.repeat(np.arange(len(counts), dtype=np.int32), counts)[there]
    columns = np.full((2, len(places)), NOWHERE, dtype=np.int32)
    columns[0, there] = joined.given(places[there], number)
    columns[1, there] = joined.given((places + sizes - 1)[there], number, ends=True)
    ends = np.cumsum([0, *counts]).tolist()
    return [(columns[0, start:end], columns[1, start:end]) for start, end in pairwise(ends)]
