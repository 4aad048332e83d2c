"""What uses a content mask: sentences, pairs of pages, copied passages, records.

table = sentence_table(pages)               # of a batch of text nodes: a column for everything that is known
of a sentence shares = content_shares(table, masks)       # how much of each lies in content
split_texts(["朝は早い。夜は遅い。"]).texts  # plain texts, with places in them
open_index(Path("idx")).match(text)         # the passages that a text copied from the sources of an index
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ruiji.detector.copies.index import CopyIndex, open_index
    from ruiji.detector.copies.part import digested
    from ruiji.detector.copies.passages import Passage
    from ruiji.detector.copies.rule import PassageRule
    from ruiji.detector.copies.texts import IndexRefused
    from ruiji.detector.copies.writing import writing
    from ruiji.detector.sentences.normalise import normalise
    from ruiji.detector.sentences.table import (
        PlacedSentence,
        SentenceTable,
        SplitTexts,
        content_shares,
        is_japanese,
        placed_sentences,
        sentence_table,
        split,
        split_texts,
    )

# What a room offers here is imported at first use: a command starts faster by all that it does not need.
_ROOMS = {
    "copies.index": ("CopyIndex", "open_index"),
    "copies.part": ("digested",),
    "copies.passages": ("Passage",),
    "copies.rule": ("PassageRule",),
    "copies.texts": ("IndexRefused",),
    "copies.writing": ("writing",),
    "sentences.normalise": ("normalise",),
    "sentences.table": (
        "PlacedSentence", "SentenceTable", "SplitTexts", "content_shares", "is_japanese", "placed_sentences",
        "sentence_table", "split", "split_texts",
    ),
}  # fmt: skip
_ROOM_OF_NAME = {name: room for room, names in _ROOMS.items() for name in names}


def __getattr__(name: str) -> Any:
    if name in _ROOM_OF_NAME:
        return getattr(import_module(f"{__name__}.{_ROOM_OF_NAME[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


__all__ = [
    "CopyIndex", "IndexRefused", "Passage", "PassageRule", "PlacedSentence", "SentenceTable", "SplitTexts",
    "content_shares", "digested", "is_japanese", "normalise", "open_index", "placed_sentences",
    "sentence_table", "split", "split_texts", "writing",
]  # fmt: skip
