"""Where sentences stand in the extracted text of their page, which is what results are shown by."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ruiji.detector.sentences.normalise import NOTHING, normalised
from ruiji.features.arrays import IntArray

NOWHERE = -1


def text_places(text: str, sentences: Sequence[str]) -> tuple[IntArray, IntArray]:
    """Start and end of each of the normalised sentences, given in order, in a text; NOWHERE where it is not
    there, since nodes that are no content stood between its parts.
    """
    joined = normalised([text], NOTHING)
    places = np.full(len(sentences), NOWHERE, dtype=np.int32)
    cursor = 0
    for number, sentence in enumerate(sentences):
        place = joined.text.find(sentence, cursor)
        if place < 0:
            place = joined.text.find(sentence)
        if place >= 0:
            places[number], cursor = place, place + len(sentence)
    there = places >= 0
    sizes = np.array([len(sentence) for sentence in sentences], dtype=np.int32)
    first = np.zeros(int(there.sum()), dtype=np.int32)
    start, end = np.full((2, len(sentences)), NOWHERE, dtype=np.int32)
    start[there] = joined.given(places[there], first)
    end[there] = joined.given(places[there] + sizes[there] - 1, first, ends=True)
    return start, end
