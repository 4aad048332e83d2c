"""What a worker hands over of a page: numbers as arrays, texts in one piece, so that nothing is made of them
on the way that Arrow would take apart again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from ruiji.detector.gather.occurrences import PageSentences
from ruiji.features.arrays import IntArray, LongArray

_NO_KEYS: LongArray = np.empty(0, dtype=np.int64)


@dataclass(frozen=True, slots=True, eq=False)
class Texts:
    """Strings as Arrow keeps them: their UTF-8 in one piece, and how many bytes each has."""

    utf8: bytes
    sizes: IntArray

    @staticmethod
    def of(texts: Sequence[str]) -> Texts:
        """The strings in one piece."""
        joined = "".join(texts)
        utf8 = joined.encode()
        if len(utf8) == len(joined):
            return Texts(utf8, np.fromiter(map(len, texts), np.int32, len(texts)))
        return Texts(utf8, np.fromiter(map(len, map(str.encode, texts)), np.int32, len(texts)))

    def __len__(self) -> int:
        return len(self.sizes)


@dataclass(frozen=True, slots=True, eq=False)
class SentenceRows:
    """The sentences of a page as they are written: texts and columns of all; which of them count and what
    those are matched by; the keys of the long ones that are no content; keys of all that is content, with
    their characters.
    """

    columns: npt.NDArray[Any]
    texts: Texts
    skeletons: Texts | None
    chosen: IntArray
    matched: Texts
    asides: LongArray
    contents: LongArray
    content_chars: LongArray
    characters: int

    @staticmethod
    def of(sentences: PageSentences) -> SentenceRows:
        """The rows of a page's sentences."""
        columns = sentences.columns
        content = np.flatnonzero(columns["content"])
        keys, first = np.unique(columns["text_key"][content], return_index=True)
        order = np.argsort(first)
        chars = [len(sentences.texts[number]) for number in content[first[order]].tolist()]
        return SentenceRows(
            columns=columns,
            texts=Texts.of(sentences.texts),
            skeletons=None if sentences.skeletons is None else Texts.of(sentences.skeletons),
            chosen=np.array(sentences.chosen, dtype=np.int32),
            matched=Texts.of(sentences.matched),
            asides=np.unique(columns["key"][sentences.asides]),
            contents=keys[order],
            content_chars=np.array(chars, dtype=np.int64),
            characters=sum(map(len, sentences.texts)),
        )


@dataclass(frozen=True, slots=True, eq=False)
class Links:
    """The addresses that a page links to, each once, the text of each link, and the different keys of the
    addresses.
    """

    addresses: Texts
    texts: Texts
    keys: LongArray


NO_LINKS = Links(Texts.of([]), Texts.of([]), _NO_KEYS)


@dataclass(frozen=True, slots=True, eq=False)
class Gathered:
    """All that is kept of a page: its row in pages.parquet, sentences and links."""

    record: Mapping[str, Any]
    sentences: SentenceRows | None = None
    links: Links = field(default=NO_LINKS)

    @property
    def characters(self) -> int:
        return self.sentences.characters if self.sentences else 0
